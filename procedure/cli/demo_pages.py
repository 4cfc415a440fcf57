"""The pages of the demonstration: of each sample the week's panel, the first case's timeline and the open terms."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from procedure.cli.demo_sample import Sample

FOLDER = "paginas"


def write_pages(engine: Any, samples: Sequence[Sample], folder: Path) -> list[str]:
    """Write them into ``folder/paginas/<IBGE>``; the files, relative to ``folder``. Raises FolderUnusable."""
    return [name for sample in samples for name in _of(engine, sample, folder)]


def _of(engine: Any, sample: Sample, folder: Path) -> list[str]:
    from procedure.documents.files import write_parts, write_whole
    from procedure.pages.agenda import calendar_file
    from procedure.pages.panel_page import panel_page
    from procedure.pages.timeline_page import timeline_page
    from procedure.services.agenda import appointments, place_of
    from procedure.services.panel import panel
    from procedure.services.timeline import timeline
    from procedure.store.agenda import open_terms
    from procedure.store.archive import reading
    from procedure.store.panel import PanelArchive

    place, into = sample.municipality, folder / FOLDER / sample.municipality
    auto = sample.stories[0].auto
    files = [into / "painel.html", into / f"auto-{auto.replace('/', '-')}.html", into / "prazos.ics"]
    with reading(engine) as archive:
        week = panel(PanelArchive(archive.session), place, sample.last_day + timedelta(days=1))
        write_whole(files[0], panel_page(week).encode())
        write_whole(files[1], timeline_page(timeline(archive, place, auto)).encode())
        entries = appointments(archive, place, open_terms(archive, place))
        write_parts(files[2], calendar_file(f"Prazos em aberto – {place_of(place)}", entries))
    return [file.relative_to(folder).as_posix() for file in files]
