"""Texts worked out of other texts of a case, in a way that a sweep by groups can repeat for each of its cases.

A case that stands for many (``probe``) carries texts that it cannot read; what is worked out of them is worked out of
each case's own, by the same function.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

Derive = Callable[..., str]


class CarriedText(str):
    """A text that a probe carries without its being read; ``work_out`` says what to make of each case's own."""

    __slots__ = ("work_out",)

    work_out: Callable[[Derive, tuple[str, ...]], str]


class CarriedDay:
    """A day that is only written."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def isoformat(self) -> str:
        """The text that stands for it."""
        return self._text


def derived(function: Derive, *texts: str) -> str:
    """``function`` of the texts: a pure function of them alone."""
    carried = next((text for text in texts if isinstance(text, CarriedText)), None)
    return function(*texts) if carried is None else carried.work_out(function, texts)


def day_in(text: str) -> Any:
    """The day that the text writes: a ``date``, or for a carried text what writes it again."""
    return CarriedDay(text) if isinstance(text, CarriedText) else date.fromisoformat(text)
