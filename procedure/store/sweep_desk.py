"""Where the lanes of one process meet: the pages still to be swept, whose turn it is to write, and when to stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Condition

Progress = Callable[[int], None]
Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Page:
    """Autos to be swept together, and which page of the sweep they are."""

    number: int
    autos: Sequence[str]


class Desk:
    """Gives out pages. They are decided and written side by side and numbered in their order, whatever the lanes."""

    def __init__(self, pages: Iterator[Sequence[str]], progress: Progress | None, stop: Stop) -> None:
        self._pages, self._progress, self._stop = pages, progress, stop
        self._changed = Condition()
        self._out: set[int] = set()  # pages given out that are not over
        self._given = 0
        self._ends: dict[int, str] = {}  # the last auto of each page given out
        self._closed = self._ended = False
        self.stopped = False

    def following(self) -> Page | None:
        """The next page; none when nothing is left, or somebody asked to stop."""
        with self._changed:
            autos = () if self._closed else next(self._pages, ())
            if not autos:
                self._ended = True
                self._changed.notify_all()
                return None
            if self._stop():
                self.stopped = self._closed = True
                self._changed.notify_all()
                return None
            self._given += 1
            self._out.add(self._given)
            self._ends[self._given] = autos[-1]
            return Page(self._given, autos)

    def wait_turn(self, page: Page) -> None:
        """Wait until every page before this one is over: then this one may be numbered."""
        with self._changed:
            self._changed.wait_for(lambda: min(self._out) == page.number)

    def over(self, page: Page) -> None:
        """The page is written and committed, or failed: the next may be numbered."""
        with self._changed:
            self._out.discard(page.number)
            self._changed.notify_all()

    def close(self) -> None:
        """Give out no more pages: a lane has failed."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def settled(self, after: str) -> str | None:
        """Wait until more is over than the auto ``after``: the last auto of the pages up to the first that is not
        over; "" when all are and there are no more; None when the sweep was stopped or has failed, or had no page.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._all_over() or self._settled() > after)
            if self._closed or not self._given:
                return None
            return "" if self._all_over() else self._settled()

    def _all_over(self) -> bool:
        return self._ended and not self._out

    def _settled(self) -> str:
        return self._ends.get(min(self._out, default=self._given + 1) - 1, "")

    def tell(self, examined: int) -> None:
        """Report progress."""
        if self._progress:
            with self._changed:
                self._progress(examined)
