"""``posturas prazo --batch``: JSON Lines in, JSON Lines out, one answer a line in the same order, bad lines too."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO

from calendars.errors import shown
from legalbasis import InputError
from procedure.services.term_batch import MAX_LINE, TermBatch

PROCESSES = 2  # beyond two, this one spends its time reading and writing
MANY_BYTES = 4_000_000  # about half a second of counting: less is not worth starting processes for
PART = 2_000  # lines counted together by one process
AHEAD = 3  # parts of each process that may wait to be written: memory stays the same whatever the file
Numbered = tuple[int, bytes | None]


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
        many = os.fstat(source.fileno()).st_size >= MANY_BYTES and (os.cpu_count() or 1) > 1
        return _answer_all(source, many=many)


def _answer_all(source: IO[bytes], *, many: bool = False) -> int:
    failed = False
    out = sys.stdout.buffer  # bytes: the answers are UTF-8 whatever the locale
    for answers, wrong in _side_by_side(_lines(source)) if many else map(TermBatch().answer_each, _parts(source)):
        failed = failed or wrong
        out.write(answers)
    out.flush()
    return 1 if failed else 0


def _parts(source: IO[bytes]) -> Iterator[Sequence[Numbered]]:
    """Each line by itself: a pipe may bring them one by one."""
    for line in _lines(source):
        yield (line,)


def _side_by_side(lines: Iterator[Numbered]) -> Iterator[tuple[bytes, bool]]:
    """The answers of parts counted in processes of their own, in the order of the lines."""
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing import get_context

    from procedure.domain.rulebooks import added_folders

    waiting: deque[Future[tuple[bytes, bool]]] = deque()
    with ProcessPoolExecutor(PROCESSES, get_context("spawn"), _begin, (added_folders(),)) as pool:
        try:
            while part := list(islice(lines, PART)):
                waiting.append(pool.submit(_answer_part, part))
                if len(waiting) >= PROCESSES * AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:  # nobody reads on: what waits is not counted
            pool.shutdown(cancel_futures=True)


_batch: TermBatch


def _begin(folders: Iterable[Path]) -> None:
    """A process begins: with the laws of the folders that were added here."""
    global _batch  # noqa: PLW0603  # what a process of a pool keeps between its parts has nowhere else to be
    for folder in folders:
        from procedure.domain.rulebooks import add_rulebooks

        add_rulebooks(folder)
    _batch = TermBatch()


def _answer_part(part: Sequence[Numbered]) -> tuple[bytes, bool]:
    return _batch.answer_each(part)


def _lines(source: IO[bytes]) -> Iterator[Numbered]:
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
