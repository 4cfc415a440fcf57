"""The week's panel of a municipality: what runs, what prescribes, what was collected, and what nobody looked at.

No name and no document is in it: a case is told by the number of its auto (LGPD). Lists show their head; how many there
are in all is always said. Nothing here is written and nothing is decided: a person who reads it acts.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Protocol

from procedure.domain.amounts import amount
from procedure.domain.case import Case
from procedure.domain.prescribing import prescription_of
from procedure.domain.vocabulary import State, Track, TrackState
from procedure.services.agenda import place_of
from procedure.services.context import Contexts
from procedure.services.ports import Repository
from procedure.services.showing import BEFORE_JUDGMENT, NOTHING_OWED
from procedure.services.showing_tracks import CHOICE_OF_THE_AUTHORITY, TO_CANCEL, licence_to_decide, pending_choices

DUE_DAYS, PRESCRIBING_DAYS, GOODS_DAYS, MONTHS, RUNS, SHOWN = 15, 180, 15, 12, 7, 50
LATE_AFTER = (30, 90, 180)
"""Days without a judgment."""

TO_SERVE = (State.LAVRADO, State.JULGADO, State.JULGADO_EM_SEGUNDA_INSTANCIA)
"""Where a case waits for the proof of a notice: a ciência is recorded when the signed notice or the AR is joined."""

TO_JUDGE = (State.EM_JULGAMENTO, State.EM_RECURSO, State.EM_SEGUNDA_INSTANCIA, State.EM_TERCEIRA_INSTANCIA)
NOT_INSCRIBED = (State.DEFINITIVO, State.AGUARDANDO_PAGAMENTO, State.VENCIDO, State.DEVOLVIDO_A_ORIGEM)

STANDING = {
    Track.OBRIGACAO.value: (TrackState.NAO_INICIADA.value, TrackState.NAO_CONCLUIDA.value),
    Track.APREENSAO.value: (TrackState.NAO_RECLAMADO.value,),
}
"""Where a side track waits for a person after its term."""

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Term:
    """A term that runs."""

    auto: str
    kind: str
    article: str
    due: date
    expires_on: date


@dataclass(frozen=True, slots=True)
class Since:
    """A case and the day on which it came into the state it is in."""

    auto: str
    state: str
    day: date


@dataclass(frozen=True, slots=True)
class Inscribed:
    """An inscription that stands; ``total`` in centavos, as inscribed."""

    auto: str
    number: int
    year: int
    status: str
    warns_on: date
    prescribes_on: date | None
    total: int


@dataclass(slots=True)
class Money:
    """A month's: inscriptions, their sum, what came in, what was given back; amounts in centavos."""

    inscribed: int = 0
    inscribed_amount: int = 0
    collected: int = 0
    returned: int = 0


class PanelStore(Repository, Protocol):
    """What the panel asks of a store; how each answer is found is told in ``procedure.store.panel``."""

    def states(self, municipality: str) -> dict[str, int]:
        """How many cases are in each state."""

    def terms_due(self, municipality: str, first: date, last: date, most: int) -> tuple[dict[str, int], list[Term]]:
        """The terms that end from ``first`` to ``last``: how many of each kind, and the first ones."""

    def goods_due(self, municipality: str, last: date, track: str, most: int) -> tuple[int, list[Term]]:
        """The terms of a side track that end until ``last``: how many, and the first ones."""

    def waiting(self, municipality: str, states: Iterable[str]) -> Iterator[Since]:
        """The cases in one of ``states``, each with the day on which it came into it."""

    def missed_terms(self, municipality: str, standing: Mapping[str, Iterable[str]]) -> Iterator[Case]:
        """The cases of which a term of a side track has expired and that track still stands in one of its states."""

    def repeated(self, municipality: str) -> Iterator[Case]:
        """The cases that became final in which reincidência was found."""

    def overpaid(self, municipality: str, nothing_owed: Iterable[str]) -> Iterator[Case]:
        """The cases that may owe something back."""

    def not_inscribed(self, municipality: str, states: Iterable[str]) -> Iterator[Case]:
        """The cases in one of ``states``."""

    def prescribing(self, municipality: str, first: date, last: date, most: int) -> tuple[int, int, list[Inscribed]]:
        """The inscriptions that warn from ``first`` to ``last``: how many, how many before, and the first ones."""

    def register(self, municipality: str) -> dict[str, tuple[int, int]]:
        """How many inscriptions have each status, and their sum in centavos."""

    def money_by_month(self, municipality: str, first: date, last: date) -> dict[str, Money]:
        """By month (``AAAA-MM``), those with nothing left out."""

    def sweep_runs(self, municipality: str, most: int) -> list[Mapping[str, Any]]:
        """The last runs of the sweep, the newest first."""


def panel(store: PanelStore, municipality: str, as_of: date) -> Document:
    """The record as it stands, told from the day ``as_of``. Raises InputError ``municipio_desconhecido``."""
    found = store.states(municipality)
    order = [*State, ""]
    tracks = _side_tracks(store, municipality, as_of)
    return {
        "municipality": municipality,
        "place": place_of(municipality),
        "as_of": as_of.isoformat(),
        "cases": sum(found.values()),
        "states": [{"state": s or None, "cases": found[s]} for s in sorted(found, key=order.index)],
        "due": _due(store, municipality, as_of),
        "prescribing": _prescribing(store, municipality, as_of),
        "months": _months(store, municipality, as_of),
        "register": [
            {"status": status, "inscriptions": count, "amount": amount(total)}
            for status, (count, total) in sorted(store.register(municipality).items())
        ],
        "to_serve": _waiting(store.waiting(municipality, TO_SERVE), as_of),
        "to_judge": _waiting(store.waiting(municipality, TO_JUDGE), as_of),
        "choices": tracks[0],
        "goods": tracks[1],
        "restitutions": _restitutions(store, municipality),
        "sweeps": [_run(row) for row in store.sweep_runs(municipality, RUNS)],
    }


def _due(store: PanelStore, municipality: str, as_of: date) -> Document:
    last = as_of + timedelta(days=DUE_DAYS)
    counts, head = store.terms_due(municipality, as_of, last, SHOWN)
    return {
        "from": as_of.isoformat(),
        "to": last.isoformat(),
        "total": sum(counts.values()),
        "by_kind": [{"kind": kind, "deadlines": counts[kind]} for kind in sorted(counts)],
        "items": [_term(item) for item in head],
    }


def _term(item: Term) -> Document:
    return {
        "auto": item.auto,
        "kind": item.kind,
        "article": item.article,
        "due": item.due.isoformat(),
        "expires_on": item.expires_on.isoformat(),
    }


# ---------------------------------------------------------------- prescription


def _prescribing(store: PanelStore, municipality: str, as_of: date) -> Document:
    """By the earliest of the adopted and the cautious readings, before and after the inscription."""
    last = as_of + timedelta(days=PRESCRIBING_DAYS)
    coming, gone, head = store.prescribing(municipality, as_of, last, SHOWN)
    items = [
        {
            "auto": item.auto,
            "inscription": f"{item.number}/{item.year}",
            "state": State.INSCRITO.value,
            "warns_on": item.warns_on.isoformat(),
            "prescribes_on": item.prescribes_on.isoformat() if item.prescribes_on else None,
            "amount": amount(item.total),
        }
        for item in head
    ]
    for case in store.not_inscribed(municipality, NOT_INSCRIBED):
        days = prescription_of(case)
        if days is None or days.warns_on is None or days.warns_on > last:
            continue
        if days.warns_on < as_of:
            gone += 1
            continue
        coming += 1
        items.append(_before_inscription(case, days.warns_on, days.prescribes_on))
    first = heapq.nsmallest(SHOWN, items, key=lambda item: (item["warns_on"], item["auto"]))
    return {"from": as_of.isoformat(), "to": last.isoformat(), "total": coming, "past": gone, "items": first}


def _before_inscription(case: Case, warns_on: date, prescribes_on: date | None) -> Document:
    return {
        "auto": case.auto,
        "inscription": None,
        "state": case.state.value if case.state else None,
        "warns_on": warns_on.isoformat(),
        "prescribes_on": prescribes_on.isoformat() if prescribes_on else None,
        "amount": amount(case.saldo),
    }


# ---------------------------------------------------------------- money and sweeps


def _months(store: PanelStore, municipality: str, as_of: date) -> list[Document]:
    """The twelve months up to that of ``as_of``, the newest first; those with nothing too."""
    number = as_of.year * 12 + as_of.month - 1
    names = [f"{n // 12}-{n % 12 + 1:02}" for n in range(number, number - MONTHS, -1)]
    found = store.money_by_month(municipality, date.fromisoformat(f"{names[-1]}-01"), as_of)
    return [_month(name, found.get(name) or Money()) for name in names]


def _month(name: str, money: Money) -> Document:
    return {
        "month": name,
        "inscriptions": money.inscribed,
        "inscribed": amount(money.inscribed_amount),
        "collected": amount(money.collected),
        "returned": amount(money.returned),
    }


_RUN = (
    "run_id", "as_of", "started_at", "finished_at", "status", "workers", "examined", "expired", "inscribed",
    "returned_to_origin", "failed", "milliseconds", "days_since_last",
)  # fmt: skip


def _run(row: Mapping[str, Any]) -> Document:
    return {name: row[name] for name in _RUN}


# ---------------------------------------------------------------- what waits for a person


def _waiting(found: Iterable[Since], as_of: date) -> Document:
    """How many, how many for more than each of ``LATE_AFTER`` days, and those that wait longest."""
    total, late = 0, dict.fromkeys(LATE_AFTER, 0)


    def counted() -> Iterator[Since]:
        nonlocal total
        for item in found:
            total += 1
            for days in LATE_AFTER:
                late[days] += (as_of - item.day).days > days
            yield item

    head = heapq.nsmallest(SHOWN, counted(), key=lambda item: (item.day, item.auto))
    items = [
        {"auto": i.auto, "state": i.state, "since": i.day.isoformat(), "days": (as_of - i.day).days} for i in head
    ]
    return {"total": total, "late": [{"days": days, "cases": late[days]} for days in LATE_AFTER], "items": items}


def _side_tracks(store: PanelStore, municipality: str, as_of: date) -> tuple[Document, Document]:
    """The choices that an authority has not made, and the goods: those near their term, those nobody claimed."""
    choices = list(_licences(store, municipality, as_of))
    unclaimed: list[Document] = []
    for case in store.missed_terms(municipality, STANDING):
        tracks = case.facts.get("tracks", {})
        if pending_choices(case):
            missed = _missed(case, Track.OBRIGACAO, as_of)
            choices.append({**missed, "choice": CHOICE_OF_THE_AUTHORITY, "article": None})
        if tracks.get(Track.APREENSAO) == TrackState.NAO_RECLAMADO:
            unclaimed.append(_missed(case, Track.APREENSAO, as_of))
    count, near = store.goods_due(municipality, as_of + timedelta(days=GOODS_DAYS), Track.APREENSAO, SHOWN)
    goods = {"near": {"total": count, "items": [_term(item) for item in near]}, "unclaimed": _oldest(unclaimed)}
    return _oldest(choices), goods


def _licences(store: PanelStore, municipality: str, as_of: date) -> Iterator[Document]:
    """The licences that the law says are cancelled and that nobody decided to cancel, each with the provision."""
    contexts = Contexts(store)
    for case in store.repeated(municipality):
        cited = licence_to_decide(case, contexts.of(municipality, case.law, case.rulebook_version))
        if cited is not None:
            since = date.fromisoformat(case.facts["final_at"][:10])
            yield {
                "auto": case.auto,
                "state": case.facts.get("tracks", {}).get(Track.LICENCA),
                "since": since.isoformat(),
                "days": (as_of - since).days,
                "choice": TO_CANCEL,
                "article": cited.provision,
            }


def _missed(case: Case, track: Track, as_of: date) -> Document:
    ended = [d.expires_on for d in case.deadlines if d.track == track and not (d.internal or d.undone)]
    since = max((day for day in ended if day < as_of), default=max(ended))
    state = case.facts["tracks"][track]
    return {"auto": case.auto, "state": state, "since": since.isoformat(), "days": (as_of - since).days}


def _oldest(items: Sequence[Document]) -> Document:
    return {"total": len(items), "items": heapq.nsmallest(SHOWN, items, key=lambda i: (i["since"], i["auto"]))}


def _restitutions(store: PanelStore, municipality: str) -> Document:
    """What is owed back, the largest first. A payment before the judgment is a deposit, not yet a credit."""
    owed = [
        (case.credit, case.auto, case.state.value if case.state else None)
        for case in store.overpaid(municipality, NOTHING_OWED)
        if case.credit and case.state not in BEFORE_JUDGMENT
    ]
    head = heapq.nsmallest(SHOWN, owed, key=lambda item: (-item[0], item[1]))
    return {
        "total": len(owed),
        "amount": amount(sum(item[0] for item in owed)),
        "items": [{"auto": auto, "state": state, "amount": amount(credit)} for credit, auto, state in head],
    }
