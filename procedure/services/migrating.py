"""Cases pass to a new text of their law: told case by case, with why, before anything is done (spec 01).

The new procedure governs acts from its first day; terms already running keep the rule under which they began; the
sanction stays that of the text under which the case was opened. A later text that punishes less is shown; whether it
is applied is the municipality's reading (``retroatividade_benigna``, default ``nao_aplicar``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Protocol

from legalbasis import ErrorGroup, InputError, PosturasError
from penalties import Recidivism
from penalties.money import centavos
from procedure.domain.admission import br
from procedure.domain.amounts import amount
from procedure.domain.case import Case, RecordedAct
from procedure.domain.chain import seal
from procedure.domain.context import Context
from procedure.domain.decide import SYSTEM, conclude
from procedure.domain.fines import build_assessment
from procedure.domain.fold import fold, standing_facts
from procedure.domain.machine_check import TERMINAL
from procedure.domain.moment import Moment
from procedure.domain.numbering import number_inscriptions
from procedure.domain.requirements import row_is_open
from procedure.domain.rulebook import Rulebook
from procedure.domain.rulebook_versions import SANCTION, joined, split
from procedure.domain.undoing import named, standing
from procedure.domain.vocabulary import ENGINE_ACTS, MAIN_TRACK, Act, Role
from procedure.services.context import Contexts, build_context
from procedure.services.ports import Repository
from procedure.services.rulebook_diff import compare
from procedure.services.supplying import MILDER

APPLY = "aplicar"
BUSY = ("caso_ocupado", "o caso está em uso por outra transação")
_OF_THE_SANCTION = (*SANCTION, "units")
_NOT_TOLD = ("id", "life", "amendments", "norm", "title", "urn")


class NotYetInForce(InputError):
    """O processo deste texto ainda não vigora."""

    code = "texto_ainda_nao_vigente"


class OtherLaw(InputError):
    """O texto é de outra lei."""

    code = "texto_de_outra_lei"
    default_remedy = "Dê um arquivo cujo law.id seja o da lei dos processos."


class Cases(Repository, Protocol):
    """What passing cases to a new text asks of the store beside the repository."""

    def autos_under_other_text(self, municipality: str, law: str, text: str, *, after: str, limit: int) -> list[str]:
        """Autos of the law whose procedure is of another text, in key order after ``after``."""
        ...


@dataclass(slots=True)
class Passed:
    """What one chunk did; ``cases`` are documents. ``last`` is "" when there was nothing left."""

    last: str = ""
    examined: int = 0
    migrated: int = 0
    stay: int = 0
    cases: list[dict[str, Any]] = field(default_factory=list)
    failures: dict[str, tuple[str, str]] = field(default_factory=dict)


class Migration:
    """The passage of a municipality's cases to the text ``book``; one per unit of work."""

    def __init__(self, repo: Cases, municipality: str, book: Rulebook, *, now: datetime) -> None:
        self.repo = repo
        self.municipality = municipality
        self.book = book
        self.now = now
        self.contexts = Contexts(repo)
        self._new = build_context(book, self.contexts.data(municipality))
        self._told: dict[tuple[str, str | None], list[dict[str, Any]]] = {}
        self._stamp = now.astimezone(self._new.tz).isoformat(timespec="seconds")
        first = book.life.procedure_from
        if first > now.astimezone(self._new.tz).date():
            raise NotYetInForce(
                f"o processo deste texto só vigora em {br(first)}.", remedy="Passe os casos a ele nesse dia ou depois."
            )

    def chunk(self, *, write: bool, after: str, limit: int) -> Passed:
        """Up to ``limit`` cases after ``after``. With ``write`` their rows are locked and the passage recorded."""
        found = Passed()
        text = split(self.book.version)[0]
        autos = self.repo.autos_under_other_text(self.municipality, self.book.id, text, after=after, limit=limit)
        if not autos:
            return found
        found.last = autos[-1]
        if write:
            self.repo.keep_rulebook(self.book.version, self.book.id, self.book.text)
            if not self.repo.has_calendar(self._new.calendar.version):
                self.repo.keep_calendar(self._new.calendar.version, self._new.calendar.to_document())
        cases = self.repo.load(self.municipality, autos, lock=write, skip_locked=write)
        found.failures.update({auto: BUSY for auto in autos if auto not in cases})
        for case in cases.values():
            self._one(case, found)
        done = [case for case in cases.values() if case.new_acts]
        if done and write:
            settings = self.contexts.data(self.municipality).options.get(self.book.id, {})
            number_inscriptions(done, self.repo.take_numbers, settings)
            for case in done:
                seal(case)
            self.repo.save(done)
        return found

    def _one(self, case: Case, found: Passed) -> None:
        found.examined += 1
        try:
            told = self.told(case)
            if told["passes"]:
                self._write(case, told)
        except PosturasError as error:
            case.new_acts = []
            found.failures[case.auto] = (error.error_code, error.message)
            return
        if not told["passes"]:
            case.new_acts = []
        found.migrated += told["passes"]
        found.stay += not told["passes"]
        found.cases.append(told)

    def told(self, case: Case) -> dict[str, Any]:
        """What the passage would change in the case, and why; or why it stays under its text.

        What had ended before the new procedure's first day is concluded first, under the text of then.
        """
        old = self.contexts.of(case.municipality, case.law, case.rulebook_version)
        conclude(case, Moment.of_day(self._first_day(case), self._new.tz).epoch, old, self._stamp)
        reason = self._stays(case)
        sanction = self._sanction(case, old)
        kept = split(case.rulebook_version)[1]
        target = self.book.version if sanction["applied"] else joined(self.book.version, kept)
        return {
            "auto": case.auto,
            "state": case.state.value if case.state else None,
            "from": case.rulebook_version,
            "to": target,
            "first_day": self._first_day(case).isoformat(),
            "passes": reason is None,
            "reason": reason,
            "changes": [] if reason else self._changes(case, old),
            "acts_since": [] if reason else self._acts_since(case),
            "acts": self._acts(case, old),
            "running": [
                {"kind": d.kind, "due": d.due.isoformat(), "expires_on": d.expires_on.isoformat(), "article": d.article}
                for d in case.open_deadlines()
                if not d.internal
            ],
            "sanction": sanction,
        }

    def _stays(self, case: Case) -> str | None:
        """Why the case cannot or need not pass; None when it passes."""
        if case.state in TERMINAL and not case.open_deadlines():
            return "encerrado"
        states = {state for row in self.book.rows for state in (row.origin, row.target)}
        if case.state not in states:
            return f"o novo texto não tem o estado “{case.state}”"
        unknown = sorted({d.kind for d in case.deadlines if d.kind not in self.book.deadlines})
        if unknown:
            return f"o novo texto não tem o prazo {', '.join(unknown)}"
        for track, state in case.facts.get("tracks", {}).items():
            rows = self.book.track_rows.get(track, ())
            if state not in {s for row in rows for s in (row.origin, row.target)}:
                return f"o novo texto não tem “{state}” na trilha {track}"
        missing = [d for d in case.open_deadlines() if not self._concludes(case, d.track, d.expiry_act)]
        return f"o novo texto não conclui o prazo {missing[0].kind} neste estado" if missing else None

    def _concludes(self, case: Case, track: str, act: str) -> bool:
        if track == MAIN_TRACK:
            return bool(self._new.table.outcomes(case.state, act))
        return bool(self._new.side[track].outcomes(case.facts.get("tracks", {}).get(track), act))

    def _first_day(self, case: Case) -> date:
        """From when the new procedure governs the case: its first day, or the case's own where that is later."""
        began = date.fromisoformat(str(case.facts["drawn_at"])[:10]) if case.facts.get("drawn_at") else date.min
        return max(self.book.life.procedure_from, began)

    def _acts_since(self, case: Case) -> list[dict[str, Any]]:
        """What people did under the former text when the new procedure was already in force: it stays as it was done,
        and somebody may have to look at it.
        """
        first = self._first_day(case)
        if case.last_at[:10] < first.isoformat():
            return []
        acts = [a for a in standing(self.repo.acts(case.municipality, case.auto)) if a.at.day >= first]
        return [named(a) for a in acts if a.kind not in ENGINE_ACTS]

    def _changes(self, case: Case, old: Context) -> list[dict[str, Any]]:
        """What of the procedure changes from the case's state on, each with the articles; once per text and state."""
        key = (old.book.version, case.state)
        if key not in self._told:
            reached = _reached([old.book, self.book], case.state)
            rows = [r for b in (old.book, self.book) for r in b.rows if r.origin in reached]
            acts, kinds = {r.act for r in rows}, {kind for r in rows for kind in r.opens}
            self._told[key] = [
                {"section": c.section, "key": c.key, "kind": c.kind, "before": c.before, "after": c.after}
                for c in compare(old.book, self.book)
                if _concerns(c.section, c.key, reached, acts, kinds)
            ]
        return self._told[key]

    def _acts(self, case: Case, old: Context) -> dict[str, list[str]]:
        """The acts that people may do now and could not, or could and no longer may."""
        before, after = (
            [r.act for r in ctx.book.rows_by_origin.get(case.state, ()) if _by_people(case, r, ctx)]
            for ctx in (old, self._new)
        )
        return {
            "added": sorted(set(after) - set(before)),
            "removed": sorted(set(before) - set(after)),
        }

    def _sanction(self, case: Case, old: Context) -> dict[str, Any]:
        """The fine under the text of the fact and under the new one, and what is made of the difference."""
        reading = self.contexts.data(self.municipality).options.get(self.book.id, {}).get(MILDER, "nao_aplicar")
        fixed = "assessment" in case.facts
        now, why = _fine(case, old)
        new, why_not = _fine(case, self._new)
        milder = now is not None and new is not None and new < now
        return {
            "version": split(case.rulebook_version)[1],
            "fixed": fixed,
            "amount": None if now is None else amount(now),
            "under_new": None if new is None else amount(new),
            "not_computed": why or why_not,
            "milder": milder,
            "reading": reading,
            "applied": milder and not fixed and reading == APPLY,
            "to_decide": "reduzir_multa" if milder and fixed and reading == APPLY else None,
        }

    def _write(self, case: Case, told: Mapping[str, Any]) -> None:
        life = self.book.life
        cited = self.book.cite(life.citation.provision, life.citation.status)
        payload = {
            "from": case.state,
            "to": case.state,
            "outcome": None,
            "article": cited.provision,
            "status": cited.status.value,
            "opens": [],
            "closes": [],
            "texts": {"from": told["from"], "to": told["to"], "first_day": told["first_day"]},
            "changes": [{name: c[name] for name in ("section", "key", "kind")} for c in told["changes"]],
            "sanction": told["sanction"],
        }
        act = RecordedAct(
            kind=Act.MIGRACAO,
            at=Moment.of_day(date.fromisoformat(told["first_day"]), self._new.tz),
            recorded_at=self._stamp,
            actor=SYSTEM,
            role=Role.SISTEMA,
            payload=payload,
            rulebook_version=told["to"],
            calendar_version=self._new.calendar.version,
        )
        fold(case, act)


def _by_people(case: Case, row: Any, ctx: Context) -> bool:
    return row.act not in ENGINE_ACTS and row_is_open(case, row, ctx)


def _reached(books: Sequence[Rulebook], state: str | None) -> set[str | None]:
    """The states that a case in ``state`` can still enter, under one text or the other."""
    found, waiting = {state}, deque([state])
    while waiting:
        origin = waiting.popleft()
        for target in (row.target for book in books for row in book.rows_by_origin.get(origin, ())):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def _concerns(section: str, key: str, reached: set[str | None], acts: set[str], kinds: set[str]) -> bool:
    """Whether a difference between the texts can touch a case that goes on from those states."""
    if section == "law":
        return key not in (*_OF_THE_SANCTION, *_NOT_TOLD)
    if section == "rows":
        return key.split(",", maxsplit=1)[0] in {state or "início" for state in reached}
    if section == "deadlines":
        return key in kinds
    if section in ("competences", "outcomes"):
        return key in acts
    if section == "contents":
        return key.split(":", maxsplit=1)[0] in acts
    return section in ("track_rows", "documents", "switches")


def _fine(case: Case, ctx: Context) -> tuple[int | None, str | None]:
    """The fine of the facts that stand under a text, in centavos; why it cannot be told, where it cannot."""
    facts = [f for f in standing_facts(case) if f.get("penalty_article")]
    if not facts or "collection" in case.facts:
        return None, None
    evidence = case.facts.get("recidivism") or [None] * len(facts)
    decided = case.facts.get("decisions", ())
    drawn = date.fromisoformat(str(case.facts["drawn_at"])[:10])
    try:
        found = build_assessment(
            ctx.book, ctx.units, ctx.switches, facts,
            chosen=case.facts.get("chosen", {}), drawn_up=case.facts, drawn=drawn,
            decided=date.fromisoformat(decided[-1]["date"][:10]) if decided else drawn,
            recidivism=[Recidivism.from_dict(e) if e else None for e in evidence],
            proposal="assessment" not in case.facts,
        )  # fmt: skip
    except (PosturasError, ErrorGroup) as error:
        return None, str(error)
    return centavos(found.amount), None
