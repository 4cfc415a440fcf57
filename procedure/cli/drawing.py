"""Drawings for the terminal: lines of pieces, each with the ink of what it means, coloured only where someone sees it.

One of the two doors to ``rich``, imported only when stdout is a terminal that takes colour. Everywhere else (a pipe, a
file, ``NO_COLOR``, a dumb terminal) the same lines come out as plain text, so a drawing never says by colour alone.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

PAPER = 80  # columns of what is not a terminal


class Ink(StrEnum):
    """What a piece of a drawing means. The colours are those of the reader's own palette."""

    PLAIN = "plain"
    TITLE = "title"
    FAINT = "faint"
    WEEKLY_OFF = "weekly_off"
    HOLIDAY = "holiday"
    OPTIONAL = "optional"
    REDUCED = "reduced"
    SUSPENDED = "suspended"
    OPENED = "opened"
    UNVERIFIED = "unverified"
    EXCLUDED = "excluded"
    COUNTED = "counted"
    SKIPPED = "skipped"
    DUE = "due"
    OTHER_DUE = "other_due"


_STYLES = {
    Ink.PLAIN: "",
    Ink.TITLE: "bold",
    Ink.FAINT: "bright_black",
    Ink.WEEKLY_OFF: "bright_black",
    Ink.HOLIDAY: "bold red",
    Ink.OPTIONAL: "bold magenta",
    Ink.REDUCED: "bold yellow",
    Ink.SUSPENDED: "bold blue",
    Ink.OPENED: "bold green",
    Ink.UNVERIFIED: "yellow",
    Ink.EXCLUDED: "cyan",
    Ink.COUNTED: "green",
    Ink.SKIPPED: "yellow",
    Ink.DUE: "bold white on red",
    Ink.OTHER_DUE: "bold magenta",
}


class Piece(NamedTuple):
    """Some text of one ink."""

    text: str
    ink: Ink = Ink.PLAIN


Line = tuple[Piece, ...]


def screen_width() -> int:
    """Columns of the terminal (``COLUMNS`` wins); 80 where stdout is no terminal."""
    return shutil.get_terminal_size((PAPER, 24)).columns if sys.stdout.isatty() else PAPER


def show(lines: Iterable[Line]) -> None:
    """Print lines on stdout, in colour on a terminal that takes it, else as plain text."""
    if _takes_colour():
        _colour(lines)
    else:
        sys.stdout.write("".join(f"{plain(line)}\n" for line in lines))


def _takes_colour() -> bool:
    # https://no-color.org: set and not empty.
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _colour(lines: Iterable[Line]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=sys.stdout, highlight=False)
    for line in lines:
        content = Text.assemble(*((piece.text, _STYLES[piece.ink]) for piece in line))
        content.rstrip()
        # soft_wrap: the lines are already cut to the width; rich must neither fold nor crop them.
        console.print(content, soft_wrap=True)


def plain(line: Line) -> str:
    """A line without its ink, and without blanks at its end."""
    return "".join(piece.text for piece in line).rstrip()


def length(line: Line) -> int:
    """Columns of a line."""
    return sum(len(piece.text) for piece in line)


def side_by_side(blocks: Sequence[Sequence[Line]], columns: int, *, width: int, gap: int, indent: int) -> list[Line]:
    """Blocks of ``width`` columns in rows of ``columns``, with a blank line between the rows."""
    lines: list[Line] = []
    for start in range(0, len(blocks), columns):
        row = blocks[start : start + columns]
        lines += [()] if lines else []
        for at in range(max(map(len, row))):
            line = [Piece(" " * indent)]
            for block in row:
                piece = block[at] if at < len(block) else ()
                line += [*piece, Piece(" " * (width - length(piece) + gap))]
            lines.append(tuple(line))
    return lines


def fill(items: Iterable[Line], *, width: int, head: Line = (), indent: int = 0, gap: int = 1) -> list[Line]:
    """``items`` one after another, ``gap`` blanks between, in lines of at most ``width`` that none is broken over.

    ``head`` opens the first line; the others start under ``indent`` blanks. An item longer than a line has its own.
    """
    lines: list[list[Piece]] = [[*head]]
    used, empty = length(head), True
    for item in items:
        if not empty and used + gap + length(item) > width:
            lines.append([Piece(" " * indent)])
            used, empty = indent, True
        blank = 0 if empty else gap
        lines[-1] += [Piece(" " * blank), *item]
        used, empty = used + blank + length(item), False
    return [tuple(line) for line in lines]


def words(text: str, ink: Ink = Ink.PLAIN) -> list[Line]:
    """The words of a text, for ``fill``."""
    return [(Piece(word, ink),) for word in text.split()]
