"""The hash of an act's row, computed from the stored columns by the published form alone, for checks and for copies."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

COLUMNS = (
    "municipality", "auto", "seq", "kind", "at", "at_epoch", "recorded_at", "actor", "role", "office", "payload", "key",
    "deadline", "rulebook_version", "calendar_version", "prev_hash", "hash",
)  # fmt: skip
READ = f"SELECT {', '.join(COLUMNS)} FROM posturas_acts ORDER BY auto, seq"
GENESIS = "0" * 64


def hash_of(row: Sequence[Any]) -> str:
    """SHA-256 of the row's canonical text; ``row`` has COLUMNS in order, its own hash aside."""
    at, recorded_at, actor, role, office, payload, key, deadline, law, days, former = (row[4], *row[6:16])
    head = ["posturas-1", *row[:4], at, recorded_at, actor, role, office, key, law, days, deadline, former]
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(f"{text[:-1]},{payload}]".encode()).hexdigest()


def is_chained(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether rows in the order of READ hold: numbered from 1 in each auto, each naming the one before it."""
    former = ("", 0, GENESIS)
    for row in rows:
        auto, seq, head = former if former[0] == row[1] else (row[1], 0, GENESIS)
        if row[2] != seq + 1 or row[15] != head or row[16] != hash_of(row):
            return False
        former = (auto, row[2], row[16])
    return True
