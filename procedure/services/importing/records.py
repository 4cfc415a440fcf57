"""What a reader gives for each act of a file, JSON Lines and CSV alike."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from legalbasis import InputError


@dataclass(frozen=True, slots=True)
class Record:
    """One act as read, from line ``line``. With ``error``, ``hints`` holds what could be seen of whose act it is."""

    line: int
    data: dict[str, Any] | None
    error: InputError | None
    hints: dict[str, Any] = field(default_factory=dict)
    last_line: int = 0  # when the act spans lines
