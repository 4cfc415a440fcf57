"""The progress bar of long work: on stderr, only on a terminal. A door to ``rich``, imported only when shown; the other
is ``procedure.cli.drawing``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Progress(Protocol):
    """What the work reports to."""

    def advance(self, n: int = 1) -> None:
        """``n`` more items are done."""
        ...


class Silent:
    """No bar: stderr is not a terminal."""

    def advance(self, n: int = 1) -> None:
        """Say nothing."""


@contextmanager
def progress(total: int | None, label: str) -> Iterator[Progress]:
    """A bar named ``label`` over ``total`` items (None: not known). Labels never carry personal data."""
    if not sys.stderr.isatty():
        yield Silent()
        return
    with _bar(total, label) as shown:
        yield shown


@contextmanager
def _bar(total: int | None, label: str) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(label, total=total)

        class Shown:
            def advance(self, n: int = 1) -> None:
                bar.advance(task, n)

        yield Shown()
