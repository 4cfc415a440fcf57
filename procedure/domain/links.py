"""What an auto that names another must find there: the case standing, and its copy served on who is now charged.

A law whose notice to an establishment goes by copy to another person (spec 01, the two linked cases) charges that
person for what it did not do after receiving the copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from legalbasis import PosturasError
from procedure.domain import errors
from procedure.domain.act_input import ActInput
from procedure.domain.admission import br
from procedure.domain.case import Case
from procedure.domain.context import Context
from procedure.domain.fines import fact_day
from procedure.domain.moment import Moment, before
from procedure.domain.vocabulary import Act, State

Facts = Sequence[Mapping[str, Any]]
_FELL = (State.INSUBSISTENTE, State.ANULADO)


@dataclass(frozen=True, slots=True)
class Linked:
    """The other case that an act names in ``linked_auto``. ``copied``: its copy went to the person of this act."""

    case: Case
    copied: bool


def check_link(
    case: Case, act: ActInput, ctx: Context, linked: Linked | None, facts: Facts
) -> Iterator[PosturasError]:
    """Every defect of the link: of the other case, and of the copy where the law sends one. ``facts``: the auto's."""
    named = act.fields.get("linked_auto")
    if named is None:
        return
    if linked is None or named == case.auto:
        yield errors.LinkedAutoUnknown(
            "o auto não se liga a si mesmo." if named == case.auto else f"não existe neste município o auto {named}.",
            field="linked_auto",
        )
        return
    yield from check_linked_case(linked.case, act, ctx)
    if ctx.table.knows(Act.NOTIFICACAO):
        yield from _copy(linked, act, facts)


def check_linked_case(other: Case, act: ActInput, ctx: Context) -> Iterator[PosturasError]:
    """That the other case had not fallen before the act. Raises nothing for what is of the same day."""
    if other.state not in _FELL:
        return
    decisions = other.facts.get("decisions", ())
    fell = decisions[-1]["date"] if decisions and other.state is State.INSUBSISTENTE else other.last_at
    if fell and before(Moment.parse(fell, ctx.tz), act.at):
        yield errors.LinkedAutoFell(
            f"o auto {other.auto}, a que este se liga, caiu antes: está “{other.state}”.", field="linked_auto"
        )


def _copy(linked: Linked, act: ActInput, facts: Facts) -> Iterator[PosturasError]:
    """That the copy of the notice went to this person, and was received by the day of the fact."""
    known, name = linked.case.facts, linked.case.auto
    if not known.get("copy_to"):
        yield errors.CopyNotSent(
            f"o auto {name} não é de notificação com cópia: não pôs nada a cargo de quem se autua.", field="linked_auto"
        )
        return
    if not linked.copied:
        yield errors.CopyNotSent(f"a cópia da notificação do auto {name} foi a outra pessoa.", field="linked_auto")
        return
    served = [date.fromisoformat(c["start"][:10]) for c in known.get("ciencias", ()) if c.get("copy")]
    day = min((fact_day(fact) for fact in facts), default=act.at.day)
    if not served:
        yield errors.CopyNotServed(f"a cópia da notificação do auto {name} não tem ciência.", field="linked_auto")
    elif min(served) > day:
        yield errors.CopyNotServed(
            f"a cópia da notificação do auto {name} só teve ciência em {br(min(served))}, depois do fato "
            f"({br(day)}).",
            field="linked_auto",
        )
