"""Many papers into a folder: one compiler, one paper in memory at a time, each with its own fate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from legalbasis import PosturasError
from procedure.documents.files import FolderUnusable, write_whole
from procedure.documents.typesetting import Typesetter
from procedure.services.documenting.papers import Paper


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
    """Print each paper into ``folder`` under its kind and name; ``done`` is called after each one."""
    outcome = Outcome()
    with Typesetter() as typesetter:
        for name, paper in papers:
            if isinstance(paper, PosturasError):
                outcome.failed.append((name, paper))
            else:
                _print_one(name, paper, folder, typesetter, outcome)
            done()
    return outcome


def _print_one(name: str, paper: Paper, folder: Path, typesetter: Typesetter, outcome: Outcome) -> None:
    file = folder / file_name(paper.kind, name)
    try:
        write_pdf(paper, file, typesetter)
    except FolderUnusable:
        raise
    except PosturasError as error:
        outcome.failed.append((name, error))
    else:
        outcome.printed.append(Printed(name, file))


def file_name(kind: str, name: str) -> str:
    """``cda-1-2013.pdf``: letters, digits and hyphens alone."""
    return f"{kind}-{''.join(c if c.isascii() and c.isalnum() else '-' for c in name)}.pdf"
