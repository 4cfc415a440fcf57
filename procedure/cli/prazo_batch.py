"""``posturas prazo --batch``: JSON Lines in, JSON Lines out, one answer a line in the same order, bad lines too."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from calendars.errors import shown
from legalbasis import InputError
from procedure.services.term_batch import MAX_LINE, TermBatch


def run_batch(path: str) -> int:
    """Answer every line of the file (``-``: standard input). 0, or 1 when some line failed.

    Raises InputError when the file cannot be opened.
    """
    if path == "-":
        return _answer_all(sys.stdin.buffer)
    try:
        source = Path(path).open("rb")  # noqa: SIM115  # closed below: an error of writing is not one of opening
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "o nome não é de um arquivo"
        raise InputError(f"não foi possível ler o arquivo: {reason}", place=shown(path)) from error
    with source:
        return _answer_all(source)


def _answer_all(source: IO[bytes]) -> int:
    failed = False
    batch = TermBatch()
    out = sys.stdout.buffer  # bytes: the answers are UTF-8 whatever the locale
    for number, raw in _lines(source):
        answer, wrong = batch.answer(number, raw)
        failed = failed or wrong
        out.write(answer)
    out.flush()
    return 1 if failed else 0


def _lines(source: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Numbered lines, read one at a time; None for a line beyond the limit, whose rest is skipped."""
    number = 0
    while raw := source.readline(MAX_LINE + 1):
        number += 1
        if len(raw) > MAX_LINE:
            while raw and not raw.endswith(b"\n"):
                raw = source.readline(MAX_LINE)
            yield number, None
        else:
            yield number, raw
