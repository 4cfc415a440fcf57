"""A case as it went by: its acts with the money each one moved, its terms with what was counted, day after day.

The running balance is not stored: it is read off the case folded anew, act by act, from its own payloads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from procedure.domain.amounts import amount
from procedure.domain.case import Case, Deadline, RecordedAct
from procedure.domain.fold import fold
from procedure.domain.vocabulary import Act
from procedure.services.context import Contexts
from procedure.services.documenting.months import draw_months
from procedure.services.documenting.pieces import to_json
from procedure.services.one_case import one_case
from procedure.services.people import person_document
from procedure.services.ports import Repository
from procedure.services.showing import amounts, deadlines_shown, next_engine_act
from procedure.services.terms import Terms

Document = dict[str, Any]
MONEY = ("arbitrada", "acrescimo", "diaria", "custos", "pago")
"""What an act can move, in the order in which it is told; ``inscrito`` comes after them."""


def timeline(repo: Repository, municipality: str | None, auto: str) -> Document:
    """The case of ``auto`` as ``events`` and ``deadlines``, and ``days``: the dates on which something happened or
    ends, each with the positions of the events, of the terms that start and of those that end on it (``ended_on``: the
    last day, or the day on which the term was met or cut short).

    The CPF is masked: the page is made to be shown. Raises UnknownAuto.
    """
    case = one_case(repo, municipality, auto)
    municipality = case.municipality
    ctx = Contexts(repo).of(municipality, case.law, case.rulebook_version)
    acts = repo.acts(municipality, auto)
    events = list(_events(case, acts))
    terms = Terms(repo, ctx, acts)
    when = {act.seq: act.at.day.isoformat() for act in acts}
    deadlines = [_deadline(item, terms, when) for item in deadlines_shown(case)]
    return {
        "auto": case.auto,
        "municipality": case.municipality,
        "municipality_name": f"{ctx.book.municipality_name}/{ctx.book.uf}",
        "law": case.law,
        "law_title": f"{ctx.book.norm} ({ctx.book.title})",
        "state": case.state.value if case.state else None,
        "fact_date": case.fact_date.isoformat() if case.fact_date else None,
        "infrator": person_document(repo, municipality, case.facts.get("infrator"), unmask=False),
        "articles": [fact["article"] for fact in case.facts.get("infractions", ())],
        "events": events,
        "deadlines": deadlines,
        "days": _days(events, deadlines),
        "amounts": amounts(case),
        "inscription": _inscription(case),
        "next_engine_act": next_engine_act(case),
        "head_hash": case.last_hash,
    }


def _inscription(case: Case) -> Document | None:
    item = case.inscription
    if item is None:
        return None
    days = {"prescribes_on": item.prescribes_on, "warns_on": item.warns_on}
    return {
        "number": item.label,
        "status": item.status,
        **{name: day.isoformat() if day else None for name, day in days.items()},
    }


# ---------------------------------------------------------------- acts and money


def _events(case: Case, acts: Sequence[RecordedAct]) -> Iterator[Document]:
    """The acts by seq; a run of days of daily fine is one event, with how many and until when."""
    played = Case(case.municipality, case.auto, timezone=case.timezone)
    last: Document | None = None
    for act in acts:
        before, inscribed, tracks = _sums(played), played.inscription, played.facts.get("tracks", {})
        fold(played, replace(act))
        played.new_acts.clear()
        event = _event(act, before, played, inscribed is None)
        event["tracks"] = {t: state for t, state in event["tracks"].items() if tracks.get(t) != state}
        if last is not None and act.kind == Act.DECURSO_MULTA_DIARIA == last["act"]:
            last.update(until=event["date"], last_seq=act.seq, times=last["times"] + 1, balance=event["balance"])
            continue
        if last is not None:
            yield last
        last = event
    if last is not None:
        yield last


def _sums(case: Case) -> dict[str, int]:
    return {name: getattr(case, name) for name in MONEY}


def _event(act: RecordedAct, before: dict[str, int], case: Case, first_inscription: bool) -> Document:
    payload = act.payload
    moved = [
        {"what": name, "amount": amount(now - before[name])} for name, now in _sums(case).items() if now != before[name]
    ]
    if first_inscription and case.inscription is not None:
        moved.append({"what": "inscrito", "amount": case.inscription.termo["total"]})
    return {
        "seq": act.seq,
        "last_seq": act.seq,
        "times": 1,
        "act": act.kind,
        "date": str(act.at),
        "until": None,
        "role": act.role,
        "article": payload.get("article"),
        "norm": payload.get("norm"),
        "outcome": payload.get("outcome"),
        "method": payload.get("method"),
        "number": payload.get("number"),
        "from": payload.get("from"),
        "to": payload.get("to"),
        "tracks": payload.get("tracks") or {},
        "money": moved,
        "balance": amount(case.saldo),
    }


# ---------------------------------------------------------------- terms


def _deadline(item: Deadline, terms: Terms, when: Mapping[int, str]) -> Document:
    counted = terms.counted(item)
    told = terms.document(item)
    days = [step for step in told["steps"] or () if step["kind"] != "vencimento"]
    return {
        **{name: told[name] for name in _TOLD},
        "track": item.track,
        "ended_on": min(item.expires_on.isoformat(), when.get(item.closed_by or 0, "9999")),
        "last_counted": item.last_counted.isoformat() if item.last_counted else None,
        "steps": days,
        "months": [to_json(month) for month in draw_months(counted, expires_on=item.expires_on)] if counted else [],
    }


_TOLD = (
    "kind", "number", "status", "term", "article", "starts_on", "first_counted", "due", "due_at", "expires_on",
    "alternatives",
)  # fmt: skip


# ---------------------------------------------------------------- days


def _days(events: Sequence[Document], deadlines: Sequence[Document]) -> list[Document]:
    """Each date once, in order, with the positions in the two lists of what belongs to it."""
    found: dict[str, Document] = {}

    def at(day: str) -> Document:
        return found.setdefault(day, {"date": day, "events": [], "starts": [], "ends": []})

    for position, event in enumerate(events):
        at(event["date"][:10])["events"].append(position)
    for position, item in enumerate(deadlines):
        at(item["starts_on"])["starts"].append(position)
        at(item["ended_on"])["ends"].append(position)
    return [found[day] for day in sorted(found)]
