"""Acts undone: which stand, what the case is without some of them, and the act that says so (spec 05).

A ``desfazimento`` names the acts that it undoes and carries the case as the acts that stand make it (``restores``).
Terms that an undone act opened are cancelled; those that it had closed run again, as new ones that supersede them.
Nothing here decides: what may be undone, and what comes instead, is the caller's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from procedure.domain.case import Case, Deadline, RecordedAct
from procedure.domain.context import Context
from procedure.domain.decide import SYSTEM, Stamp
from procedure.domain.fold import apply, deadline_document, deadline_from, fold
from procedure.domain.moment import Moment, before, zone
from procedure.domain.restoring import snapshot
from procedure.domain.vocabulary import Act, DeadlineStatus, Role

LATE_ACT = "ato_tempestivo_registrado_depois"


def undone_seqs(acts: Sequence[RecordedAct]) -> set[int]:
    """The numbers of the acts that a desfazimento among ``acts`` undid."""
    return {item["seq"] for act in acts if act.kind == Act.DESFAZIMENTO for item in act.payload["undoes"]}


def of_an_act(act: RecordedAct) -> bool:
    """Whether it is the annulment of one act: what it does to the case is in the desfazimento that follows it."""
    return act.kind == Act.ANULACAO and "annulled" in act.payload


def standing(acts: Sequence[RecordedAct]) -> list[RecordedAct]:
    """The acts that still move the case, by seq: those not undone, and not the undoing ones themselves."""
    undone = undone_seqs(acts)
    return [a for a in acts if a.seq not in undone and a.kind != Act.DESFAZIMENTO and not of_an_act(a)]


def fallen(acts: Sequence[RecordedAct]) -> list[RecordedAct]:
    """The acts of people that an undoing left with no place, and that did not come again since."""
    listed = {item["seq"] for act in acts if act.kind == Act.DESFAZIMENTO for item in act.payload.get("fell", ())}
    again = {act.payload.get("reapplies") for act in acts}
    return [a for a in acts if a.seq in listed and a.seq not in again]


def in_legal_order(acts: Sequence[RecordedAct]) -> list[RecordedAct]:
    """By legal moment; where the days do not tell, as they were recorded."""
    ordered: list[RecordedAct] = []
    for act in acts:
        place = len(ordered)
        while place and before(act.at, ordered[place - 1].at):
            place -= 1
        ordered.insert(place, act)
    return ordered


def without(case: Case, acts: Sequence[RecordedAct], gone: Collection[int]) -> Case:
    """The case as the acts that stand make it, those numbered ``gone`` left out. ``acts`` are all of it, by seq."""
    made = Case(
        case.municipality, case.auto, law=case.law, rulebook_version=case.rulebook_version, timezone=case.timezone
    )
    left_out = {*undone_seqs(acts), *gone}
    for act in acts:
        if act.kind == Act.DESFAZIMENTO:
            _rename_terms(made, act)
        elif act.seq not in left_out:
            apply(made, act)
    made.last_seq, made.version = case.last_seq, case.version
    return made


def _rename_terms(made: Case, act: RecordedAct) -> None:
    """A former desfazimento let terms run again under new numbers: here they never stopped."""
    tz = zone(made.timezone)
    for opened in act.payload["opens"]:
        for item in made.deadlines:
            same = item.kind == opened["kind"] and item.number == opened["supersedes"]
            if same and item.status is DeadlineStatus.ABERTO:
                item.status, item.undone, item.closed_by = DeadlineStatus.CANCELADO, True, act.seq
                made.deadlines.append(deadline_from(opened, act.seq, tz))
                break


def terms_changed(case: Case, restored: Case) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What an undoing does to the terms of the case: (closes, opens), as payloads carry them.

    In the order of the terms' numbers and kinds, whatever that in which they were opened or read from the store.
    """
    was = {(d.kind, d.number): d for d in restored.deadlines}
    closes, opens = [], []
    for item in sorted(case.deadlines, key=lambda each: (each.number, each.kind)):
        key = (item.kind, item.number)
        again = was.get(key)
        reopened = again is not None and _runs(again) and not _runs(item)
        if (again is None and not item.undone) or reopened:
            status = DeadlineStatus.CANCELADO.value
            closes.append({"kind": item.kind, "number": item.number, "status": status, "undone": True})
        if reopened and again is not None:
            opens.append({**deadline_document(again), "supersedes": item.number})
    return closes, opens


def _runs(item: Deadline) -> bool:
    return item.status is DeadlineStatus.ABERTO


def write_undoing(  # what is undone, why, and who records it
    case: Case,
    undone: Sequence[RecordedAct],
    restored: Case,
    cause: Mapping[str, Any],
    ctx: Context,
    stamp: Stamp,
    *,
    fell: Sequence[RecordedAct] = (),
) -> RecordedAct:
    """Write the desfazimento of ``undone`` (in legal order): the case is again what ``restored`` is.

    ``fell`` are those of them that do not come again; the others the caller records anew.
    """
    first = undone[0]
    closes, opens = terms_changed(case, restored)
    cited = ctx.book.competences[Act.DESFAZIMENTO].citation
    tracks, former = restored.facts.get("tracks", {}), case.facts.get("tracks", {})
    moved = {track: state for track, state in tracks.items() if former.get(track) != state}
    payload: dict[str, Any] = {
        "undoes": [named(a) for a in undone],
        "cause": dict(cause),
        "from": case.state,
        "to": restored.state,
        "outcome": None,
        "article": cited.provision,
        "status": cited.status.value,
        "restores": snapshot(restored),
        "closes": closes,
        "opens": opens,
        **({"fell": [named(a) for a in fell]} if fell else {}),
        **({"tracks": moved} if moved else {}),
        **_cancelled(case, restored, cause),
    }
    act = RecordedAct(
        kind=Act.DESFAZIMENTO,
        at=Moment.of_clock(datetime.fromisoformat(str(first.at)), ctx.tz),
        recorded_at=stamp.recorded_at,
        actor=SYSTEM,
        role=Role.SISTEMA,
        payload=payload,
        rulebook_version=ctx.book.version,
        calendar_version=ctx.calendar.version,
    )
    fold(case, act)
    return act


def named(act: RecordedAct) -> dict[str, Any]:
    """An act as another's payload names it."""
    return {"seq": act.seq, "act": act.kind, "date": str(act.at)}


def _cancelled(case: Case, restored: Case, cause: Mapping[str, Any]) -> dict[str, Any]:
    """The inscription that falls, with the ground on which the register cancels it (spec 04)."""
    item, kept = case.inscription, restored.inscription
    if item is None or item.status == "cancelado" or (kept is not None and kept.seq == item.seq):
        return {}
    return {"cancels": {"inscription": item.label, "ground": cause.get("ground") or LATE_ACT}}
