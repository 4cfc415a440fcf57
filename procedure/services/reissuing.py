"""An auto drawn up again in the place of one that was annulled: the two stand linked (spec 01; the corrections)."""

from __future__ import annotations

from procedure.domain import errors
from procedure.domain.act_input import ActInput
from procedure.domain.admission import br
from procedure.domain.case import Case
from procedure.domain.moment import before
from procedure.domain.undoing import standing
from procedure.domain.vocabulary import Act, State
from procedure.services.ports import Repository


def reissues_of(repo: Repository, case: Case) -> list[Case]:
    """The cases drawn up again in the place of this one that was annulled; by auto. Where the error was of person
    they are against another.
    """
    if case.state is not State.ANULADO:
        return []
    named = repo.autos_reissuing(case.municipality, case.auto)
    others = repo.load(case.municipality, named, lock=False)
    return [other for _, other in sorted(others.items()) if other.facts.get("reissues") == case.auto]


def require_annulled(repo: Repository, act: ActInput) -> None:
    """The auto that a lavratura draws up again was annulled by then, and none stands in its place.

    Raises NotAnnulled, DuplicateAuto.
    """
    named = act.fields.get("reissues")
    if not named:
        return
    other = repo.load(act.municipality, [named], lock=False).get(named)
    if other is None or other.state is not State.ANULADO:
        raise errors.NotAnnulled(f"o auto {named} não foi anulado.", field="reissues")
    annulled = [a for a in standing(repo.acts(act.municipality, named)) if a.kind == Act.ANULACAO][-1]
    if before(act.at, annulled.at):
        raise errors.NotAnnulled(
            f"o auto {named} só foi anulado em {br(annulled.at.day)}, depois desta lavratura.", field="reissues"
        )
    again = [each.auto for each in reissues_of(repo, other) if each.state is not State.ANULADO]
    if again:
        raise errors.DuplicateAuto(
            f"o auto {named} já se refez no auto {again[0]}.", field="reissues", remedy="Anule antes o outro."
        )
