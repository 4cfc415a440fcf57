"""Many papers into a folder: two compilers, a few papers in memory at a time, each with its own fate."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from legalbasis import PosturasError
from procedure.documents.files import FolderUnusable, write_whole
from procedure.documents.typesetting import Typesetter
from procedure.services.documenting.papers import Paper

WORKERS = 2  # compilers; the reading of the record keeps a third of one busy
WINDOW = 4  # papers in memory


@dataclass(frozen=True, slots=True)
class Printed:
    """A paper printed: what it is of, its file."""

    name: str
    file: Path


@dataclass(slots=True)
class Outcome:
    """What a batch printed and what it could not, with the reason."""

    printed: list[Printed] = field(default_factory=list)
    failed: list[tuple[str, PosturasError]] = field(default_factory=list)


def write_pdf(paper: Paper, file: Path, typesetter: Typesetter) -> int:
    """Print a paper into a file, whole or not at all; how many bytes. Raises what ``Typesetter.pdf`` raises."""
    return write_whole(file, typesetter.pdf(paper))


def print_many(papers: Iterable[tuple[str, Paper | PosturasError]], folder: Path, done: Callable[[], None]) -> Outcome:
    """Print each paper into ``folder`` under its kind and name, in order; ``done`` is called after each one.

    The compiler lets other threads run: while papers are being set, the next ones are read from the record here, in
    the caller's thread. Raises FolderUnusable.
    """
    outcome = Outcome()
    waiting: deque[tuple[str, PosturasError | Future[Path]]] = deque()
    with ExitStack() as stack:
        setters = [stack.enter_context(Typesetter()) for _ in range(WORKERS)]
        pools = [stack.enter_context(ThreadPoolExecutor(1)) for _ in setters]
        for index, (name, paper) in enumerate(papers):
            turn = index % WORKERS
            waiting.append(
                (name, paper)
                if isinstance(paper, PosturasError)
                else (name, pools[turn].submit(_print_one, name, paper, folder, setters[turn]))
            )
            if len(waiting) > WINDOW:
                _settle(*waiting.popleft(), outcome)
                done()
        while waiting:
            _settle(*waiting.popleft(), outcome)
            done()
    return outcome


def _print_one(name: str, paper: Paper, folder: Path, typesetter: Typesetter) -> Path:
    file = folder / file_name(paper.kind, name)
    write_pdf(paper, file, typesetter)
    return file


def _settle(name: str, result: PosturasError | Future[Path], outcome: Outcome) -> None:
    if isinstance(result, PosturasError):
        outcome.failed.append((name, result))
        return
    try:
        outcome.printed.append(Printed(name, result.result()))
    except FolderUnusable:
        raise
    except PosturasError as error:
        outcome.failed.append((name, error))


def file_name(kind: str, name: str) -> str:
    """``cda-1-2013.pdf``: letters, digits and hyphens alone."""
    return f"{kind}-{''.join(c if c.isascii() and c.isalnum() else '-' for c in name)}.pdf"
