"""The canonical form of an act and its hash. Frozen: tests hold vectors; changing it breaks every stored chain.

The hashed text is one JSON array, no spaces, UTF-8, keys sorted:
``["posturas-1",municipality,auto,seq,act,at,recorded_at,actor,role,office,key,rulebook_version,calendar_version,deadline,
prev_hash,payload]``.
"""

from __future__ import annotations

import hashlib
from typing import Any

from procedure.domain.case import Case, RecordedAct
from procedure.domain.compact_json import encoder, quoted

FORM = "posturas-1"
_encode = encoder(sort_keys=True)


def canonical(value: Any) -> str:
    """Canonical JSON: sorted keys, no spaces, no escapes but those JSON needs, no NaN."""
    return _encode(value)


def hashed_head(municipality: str, auto: str, act: RecordedAct) -> str:
    """The act's canonical text up to its payload; the payload's text and ``]`` complete it."""
    try:
        return (
            f'["{FORM}",{quoted(municipality)},{quoted(auto)},{act.seq:d},{quoted(act.kind)},{quoted(str(act.at))},'
            f"{quoted(act.recorded_at)},{quoted(act.actor)},{quoted(act.role)},{_quoted(act.office)},"
            f"{_quoted(act.key)},{quoted(act.rulebook_version)},{quoted(act.calendar_version)},"
            f"{_quoted(act.deadline)},{quoted(act.prev_hash)},"
        )
    except (TypeError, ValueError):  # a row that holds something else than it should, or nothing
        return _odd_head(municipality, auto, act)


def _quoted(text: str | None) -> str:
    return "null" if text is None else quoted(text)


def _odd_head(municipality: str, auto: str, act: RecordedAct) -> str:
    """As ``hashed_head``, of whatever the act holds."""
    head = canonical(
        [
            FORM,
            municipality,
            auto,
            act.seq,
            act.kind,
            str(act.at),
            act.recorded_at,
            act.actor,
            act.role,
            act.office,
            act.key,
            act.rulebook_version,
            act.calendar_version,
            act.deadline,
            act.prev_hash,
        ]
    )
    return f"{head[:-1]},"


def act_hash(municipality: str, auto: str, act: RecordedAct) -> str:
    """SHA-256, in hex, of the act's canonical text. ``act.payload_text`` must be set."""
    text = f"{hashed_head(municipality, auto, act)}{act.payload_text}]"
    return hashlib.sha256(text.encode()).hexdigest()


def seal(case: Case) -> None:
    """Give the case's new acts their canonical payload, previous hash and hash, and move the case's head."""
    head = case.last_hash
    for act in case.new_acts:
        act.payload_text = canonical(act.payload)
        act.prev_hash = head
        head = act.hash = act_hash(case.municipality, case.auto, act)
    case.last_hash = head
