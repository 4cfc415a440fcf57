"""The papers of the demonstration: of the first case that each sample tells, everything that it has come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from procedure.cli.demo_sample import Sample

if TYPE_CHECKING:
    from procedure.services.documenting.papers import Paper

FOLDER = "documentos"


def print_papers(engine: Any, samples: Sequence[Sample], folder: Path) -> list[str]:
    """Print them into ``folder/documentos/<IBGE>``; the files, relative to ``folder``.

    Raises the typed errors of typesetting: what ships must print.
    """
    from procedure.documents.batch import print_many

    files: list[str] = []
    for sample in samples:
        into = folder / FOLDER / sample.municipality
        outcome = print_many(_papers(engine, sample), into, lambda: None)
        for _, error in outcome.failed:
            raise error
        files += [item.file.relative_to(folder).as_posix() for item in outcome.printed]
    return files


def _papers(engine: Any, sample: Sample) -> Iterator[tuple[str, Paper]]:
    from procedure.cli.document import papers_of
    from procedure.services.documenting.casefile import Request
    from procedure.store.archive import reading

    with reading(engine) as archive:
        yield from papers_of(archive, sample.municipality, sample.stories[0].auto, Request(sample.last_day))
