"""Where the lanes of one process meet: the pages still to be swept, whose turn it is to write, and when to stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from threading import Lock

Progress = Callable[[int], None]
Stop = Callable[[], bool]


class Desk:
    """Gives out pages. ``turn`` is held by the lane that writes, until it has committed."""

    def __init__(self, pages: Iterator[Sequence[str]], progress: Progress | None, stop: Stop) -> None:
        self._pages, self._progress, self._stop = pages, progress, stop
        self._lock = Lock()
        self._closed = False
        self.stopped = False
        self.turn = Lock()

    def following(self) -> Sequence[str]:
        """The next page; none when nothing is left, or somebody asked to stop."""
        with self._lock:
            page = () if self._closed else next(self._pages, ())
            if page and self._stop():
                self.stopped = self._closed = True
                return ()
            return page

    def close(self) -> None:
        """Give out no more pages: a lane has failed."""
        with self._lock:
            self._closed = True

    def tell(self, examined: int) -> None:
        """Report progress."""
        if self._progress:
            with self._lock:
                self._progress(examined)
