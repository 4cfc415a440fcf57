"""What was recorded, told again over another past: what comes as it came, and from where it comes otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from legalbasis import ErrorGroup, PosturasError
from procedure.domain.case import Case, RecordedAct
from procedure.domain.context import Context
from procedure.domain.decide import conclude
from procedure.domain.guards import Beside
from procedure.domain.reapplying import reapply
from procedure.domain.undoing import in_legal_order
from procedure.domain.vocabulary import ENGINE_ACTS, MAIN_TRACK, Act, Track


def follow(  # noqa: PLR0917  # everything that deciding asks
    made: Case,
    later: Sequence[RecordedAct],
    lost: Sequence[RecordedAct],
    tracks: set[str],
    ctx: Context,
    beside: Beside,
    recorded_at: str,
) -> list[RecordedAct]:
    """What comes in ``made``, up to the moment of the last of ``later``, when people do again what they did.

    It stops at the first that is refused; one of ``lost``, which had fallen before, is passed over.
    """
    made.new_acts = []
    passed = {a.seq for a in lost}
    for each in in_legal_order([*later, *lost]):
        if each.kind in ENGINE_ACTS:
            continue
        try:
            reapply(made, each, ctx, beside, recorded_at)
        except (PosturasError, ErrorGroup):
            if each.seq not in passed:
                return [a for a in made.new_acts if meets(a, tracks)]
    conclude(made, max((a.at.epoch for a in later), default=0), ctx, recorded_at)
    return [a for a in made.new_acts if meets(a, tracks)]


def otherwise(later: Sequence[RecordedAct], came: Sequence[RecordedAct]) -> list[RecordedAct]:
    """Of what was recorded, the first act that would not come, or not so, and those after it."""
    for index, act in enumerate(later):
        if index >= len(came) or _signature(came[index]) != _signature(act):
            return list(later[index:])
    if later and len(came) > len(later) and "reapplies" not in came[len(later)].payload:
        return list(later[-1:])  # what comes beside (a deposit converts) comes with the act before it
    return []


def with_leaning(fallen: Sequence[RecordedAct], stand: Sequence[RecordedAct]) -> list[RecordedAct]:
    """With those that fall, what was recorded after them in the side tracks that they move; in legal order."""
    gone = {a.seq: a for a in fallen}
    for act in stand:
        if act.seq in gone:
            continue
        tracks = set(act.payload.get("tracks", ()))
        if any(one.seq < act.seq and tracks & set(one.payload.get("tracks", ())) for one in gone.values()):
            gone[act.seq] = act
    return in_legal_order([a for a in stand if a.seq in gone])


IN_NOBODYS_WAY = (Act.RECONTAGEM, Act.MIGRACAO)
"""They move days and texts, not the case: what opened the term falls, and they move nothing."""


def with_register(tracks: set[str]) -> set[str]:
    """With the register where the main track is: what was done to collect falls, and comes back, with the debt."""
    return tracks | {Track.REGISTRO.value} if MAIN_TRACK in tracks else tracks


def meets(later: RecordedAct, tracks: set[str]) -> bool:
    """Whether an act stands in one of the tracks."""
    if later.kind in IN_NOBODYS_WAY:
        return False
    main = later.payload["from"] != later.payload["to"] or not later.payload.get("tracks")
    return bool(tracks & (set(later.payload.get("tracks", ())) | ({MAIN_TRACK} if main else set())))


_TOLD = ("outcome", "tracks", "arbitrada", "acrescimo", "desconto", "timeliness", "moved", "accrues")
_OF_TERMO = ("date", "original_amount", "charges", "paid", "total")


def _signature(act: RecordedAct) -> list[Any]:
    """What makes two acts the same in effect, but for the numbers of acts and terms. What moves nothing moves nothing
    wherever the case stood when it was recorded.
    """
    p = act.payload
    moves = [p["from"], p["to"]] if p["from"] != p["to"] else []
    termo = p.get("termo") or {}
    return [
        act.kind,
        str(act.at),
        [str(state) for state in moves],
        [str(p.get(name)) for name in _TOLD],
        [termo.get(name) for name in _OF_TERMO],
        [reason["code"] for reason in p.get("gate", ())] if act.kind == Act.INSCRICAO else [],
        sorted((c["kind"], c["status"]) for c in p["closes"]),
        sorted((o["kind"], o["expires_at"]) for o in p["opens"]),
    ]
