"""Autos for a listing: one short object each, documents masked (spec 00)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from procedure.domain.case import Case, Deadline
from procedure.services.people import masked, masked_name
from procedure.services.showing import amounts
from procedure.services.waiting import Archive, pending_of_page

PAGE = 1_000
PersonVersion = tuple[str, int]


class Register(Archive, Protocol):
    """What a listing asks of the store beside the repository."""

    def people(self, municipality: str, wanted: Iterable[PersonVersion]) -> dict[PersonVersion, dict[str, Any] | None]:
        """The fields of many versions of persons, None for the erased."""
        ...

    def page_of_autos(
        self, municipality: str, *, after: str, limit: int, states: Iterable[str], due: tuple[date | None, date | None]
    ) -> list[Case]:
        """Cases by auto, those after ``after``; ``due`` is the range in which an open term of law must fall due."""
        ...


@dataclass(frozen=True, slots=True)
class Filter:
    """Which autos: in one of ``states``; with an open term due from ``first`` to ``last``, both included."""

    states: tuple[str, ...] = ()
    first: date | None = None
    last: date | None = None

    @property
    def by_due(self) -> bool:
        """Whether a term must fall due in the range."""
        return self.first is not None or self.last is not None

    def admits(self, item: Deadline) -> bool:
        """Whether the term is open, of law and in the range."""
        late = self.last is not None and item.due > self.last
        early = self.first is not None and item.due < self.first
        return not (item.internal or late or early)


def list_autos(
    repo: Register, municipality: str, chosen: Filter, *, unmask: bool = False, pending: str | None = None
) -> list[dict[str, Any]]:
    """The autos, by auto; by the day of the term when the days are what was asked.

    ``pending`` keeps those that wait for it: ``recalcular_multa``, or another of ``auto show``.
    """
    found: list[dict[str, Any]] = []
    after = ""
    due = (chosen.first, chosen.last)
    while page := repo.page_of_autos(municipality, after=after, limit=PAGE, states=chosen.states, due=due):
        people = repo.people(municipality, [ref for case in page if (ref := _reference(case))])
        waits = pending_of_page(repo, municipality, page)
        found.extend(
            {**_line(case, people, chosen, unmask=unmask), "pending": waits[case.auto]}
            for case in page
            if pending is None or pending in waits[case.auto]
        )
        after = page[-1].auto
    if chosen.by_due:
        found.sort(key=lambda item: (item["next_deadline"]["due"], item["auto"]))
    return found


def page_of_lines(
    repo: Register,
    municipality: str,
    chosen: Filter,
    *,
    after: str,
    limit: int,
    unmask: bool = False,
    pending: str | None = None,
) -> tuple[list[dict[str, Any]], str | None]:
    """Up to ``limit`` of the same lines, by auto, those after the auto ``after``; and the auto to go on from, if any.

    A page shifts nothing when autos are added meanwhile: each is where its number puts it.
    """
    found: list[dict[str, Any]] = []
    while len(found) < limit:
        page = repo.page_of_autos(
            municipality, after=after, limit=limit, states=chosen.states, due=(chosen.first, chosen.last)
        )
        if not page:
            return found, None
        people = repo.people(municipality, [ref for case in page if (ref := _reference(case))])
        waits = pending_of_page(repo, municipality, page)
        for case in page:
            after = case.auto
            if pending is None or pending in waits[case.auto]:
                found.append({**_line(case, people, chosen, unmask=unmask), "pending": waits[case.auto]})
                if len(found) == limit:
                    break
    return found, after


def _reference(case: Case) -> PersonVersion | None:
    person = case.facts.get("infrator")
    return (person["person"], person["version"]) if person else None


def _line(
    case: Case, people: Mapping[PersonVersion, Mapping[str, Any] | None], chosen: Filter, *, unmask: bool
) -> dict[str, Any]:
    reference = _reference(case)
    person = (people.get(reference) if reference else None) or {}
    name, doc = person.get("name"), person.get("doc")
    listed = {
        "auto": case.auto,
        "municipality": case.municipality,
        "law": case.law,
        "state": case.state.value if case.state else None,
        "fact_date": case.fact_date.isoformat() if case.fact_date else None,
        "articles": _articles(case),
        "infrator": name if unmask else masked_name(name),
        "doc_masked": masked(doc) if doc else None,
        "saldo": amounts(case)["saldo"],
        "next_deadline": _next(case.open_deadlines(), chosen),
        "inscricao": case.inscription.label if case.inscription and case.inscription.number else None,
    }
    return {**listed, "doc": doc} if unmask else listed


def _articles(case: Case) -> list[str]:
    facts = case.facts.get("infractions")
    return [f["article"] for f in facts] if facts else list((case.facts.get("notice") or {}).get("articles", []))


def _next(running: Sequence[Deadline], chosen: Filter) -> dict[str, Any] | None:
    admitted = sorted((d for d in running if chosen.admits(d)), key=lambda d: (d.due, d.kind))
    if not admitted:
        return None
    item = admitted[0]
    return {"kind": item.kind, "due": item.due.isoformat(), "due_at": str(item.due_at), "article": item.article}
