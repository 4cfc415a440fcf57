"""The pages of the demonstration, and the timeline of every case in it, read back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import icalendar
import pytest

from procedure.pages.timeline_page import timeline_page
from procedure.services.timeline import timeline
from procedure.store.archive import reading
from procedure.store.engine import open_engine
from tests.acceptance.conftest import Ran, url_of
from tests.unit.pages.reading import Page, faults

PLACES = ("3204708", "3129509", "3120805")
VIEW = re.compile(r'<svg viewBox="0 0 (\d+) (\d+)".*?</svg>', re.DOTALL)
TEXT = re.compile(r'<text x="(-?\d+)" y="(-?\d+)"([^>]*)>([^<]*)</text>')
WIDEST = 7  # units of a letter at 11, in the widest of the fonts asked for


def text_outside(source: str) -> list[str]:
    """The texts of the pictures that would not stand whole inside them."""
    found = []
    for strip in VIEW.finditer(source):
        width, height = int(strip[1]), int(strip[2])
        for x, y, attributes, said in TEXT.findall(strip[0]):
            half = len(said) * WIDEST // 2
            left, right = (int(x) - half, int(x) + half) if "middle" in attributes else (int(x), int(x) + 2 * half)
            if not (left >= 0 and right <= width + 12 and 0 < int(y) <= height):
                found.append(said)
    return found


def test_the_check_of_a_picture_sees_what_stands_outside() -> None:
    strip = '<svg viewBox="0 0 100 50"><text x="60" y="10">muito longo</text><text x="1" y="60">fora</text></svg>'
    assert text_outside(strip) == ["muito longo", "fora"]


def test_it_leaves_a_panel_a_timeline_and_an_agenda_of_each(demo: dict[str, Any], demo_folder: Path) -> None:
    assert [file.split("/")[1] for file in demo["pages"]] == [place for place in PLACES for _ in range(3)]
    for file in demo["pages"]:
        content = (demo_folder / file).read_bytes()
        if file.endswith(".ics"):
            assert icalendar.Calendar.from_ical(content).walk("VEVENT")
        else:
            assert faults(Page(content.decode())) == []


def test_the_panel_of_ibia_finds_the_choices_that_art_132_leaves_open(demo: dict[str, Any], demo_folder: Path) -> None:
    # 008/2014: begun, not ended by 24/02. 011/2014: not begun by 09/06; the sample tells both and no choice follows.
    page = Page((demo_folder / "paginas" / "3129509" / "painel.html").read_text(encoding="utf-8"))
    assert page.table("Obrigações não cumpridas") == [
        ["008/2014", "Não concluída no prazo", "24/02/2014", "127"],
        ["011/2014", "Não iniciada no prazo", "09/06/2014", "22"],
    ]
    states = page.table("Todos os processos")
    assert sum(int(row[2]) for row in states) == 70
    assert ["Pago", "", "43"] in states


@pytest.mark.parametrize("place", PLACES)
def test_every_case_has_a_timeline_that_stands(place: str, demo_run: Ran, demo_folder: Path) -> None:
    engine = open_engine(url_of(demo_folder))
    try:
        with reading(engine) as archive:
            told = [timeline(archive, place, auto) for auto in archive.stream_autos(place)]
            cases = archive.load(place, [doc["auto"] for doc in told], lock=False)
    finally:
        engine.dispose()
    assert told
    for doc in told:
        source = timeline_page(doc)
        page = Page(source)
        assert (doc["auto"], faults(page), text_outside(source)) == (doc["auto"], [], [])
        assert not re.search(r"\b(None|null|True|False)\b", page.words())
        # What the acts, folded again, leave to pay is what the case says.
        saldo = cases[doc["auto"]].saldo
        assert doc["events"][-1]["balance"] == f"{saldo // 100}.{saldo % 100:02}"
        assert all(d["starts_on"] <= d["ended_on"] <= d["expires_on"] for d in doc["deadlines"])
