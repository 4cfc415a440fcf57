"""The picture of a law's machine: complete, and the committed files are what the program draws."""

from __future__ import annotations

import os
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from itertools import pairwise

import pytest

from procedure.domain.diagram import edges_of, finals_of, mermaid, rows_of, states_of, svg, tracks_of
from procedure.domain.rulebook import Rulebook
from procedure.domain.rulebook_reader import shipped_laws, shipped_rulebook
from tests.structure.sources import ROOT

FOLDER = ROOT / "docs" / "reference" / "diagrams"
FINAL = {"regularizado", "insubsistente", "pago", "quitado", "cancelado", "anulado"}  # spec 01, rows marked final
DRAWERS: dict[str, Callable[[Rulebook, str], str]] = {"mmd": mermaid, "svg": svg}
TRACKS = [(law, track) for law in shipped_laws() for track in tracks_of(shipped_rulebook(law))]


@pytest.fixture(params=shipped_laws())
def book(request: pytest.FixtureRequest) -> Rulebook:
    return shipped_rulebook(request.param)


@pytest.mark.parametrize("ending", DRAWERS)
@pytest.mark.parametrize(("law", "track"), TRACKS)
def test_the_committed_picture_is_the_one_drawn(law: str, track: str, ending: str) -> None:
    """To accept a change: POSTURAS_REGENERATE=1 pytest tests/unit/rulebook/test_diagram.py, and look at the picture."""
    drawn = DRAWERS[ending](shipped_rulebook(law), track)
    place = FOLDER / (f"{law}.{ending}" if track == "principal" else f"{law}.{track}.{ending}")
    if os.environ.get("POSTURAS_REGENERATE"):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(drawn, encoding="utf-8")
    assert place.read_text(encoding="utf-8") == drawn


def test_mermaid_has_every_move(book: Rulebook) -> None:
    text = mermaid(book)
    drawn = set(re.findall(r"^    (\S+) --> (\S+): (.*)$", text, re.M))
    acts = {(s, t, act) for s, t, label in drawn for act in re.findall(r"([a-z_]+)(?: \(|$| /| \[)", label)}
    for row in book.rows:
        if row.act == "anulacao":  # one note for all: it comes from every state that is not final
            assert row.target == "anulado"
        else:
            assert (row.origin or "[*]", row.target, row.act) in acts
    assert "anulacao: de qualquer estado não final" in text
    assert {s for s in states_of(book) if f"    {s} --> [*]\n" in text} == FINAL


def test_svg_names_every_state_once_and_every_act(book: Rulebook) -> None:
    root = ET.fromstring(svg(book))
    texts = [(e.get("class"), e.text or "") for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [t for kind, t in texts if kind == "name"] == ["inicio", *states_of(book)]
    labels = sorted(t for kind, t in texts if kind == "act")
    assert labels == sorted(e.label for e in edges_of(book) if e.source != e.target)
    inside = " ".join(t for kind, t in texts if kind == "inside")
    assert all(row.act in inside for row in book.rows if row.origin == row.target)


def test_svg_boxes_do_not_touch(book: Rulebook) -> None:
    boxes = [e for e in ET.fromstring(svg(book)).iter("{http://www.w3.org/2000/svg}rect") if e.get("class") != "page"]
    spans = [(int(b.get("y", "")), int(b.get("y", "")) + int(b.get("height", ""))) for b in boxes]
    assert all(first[1] < second[0] for first, second in pairwise(spans))


def test_final_states_come_last(book: Rulebook) -> None:
    order = states_of(book)
    assert set(order[-len(FINAL) :]) == FINAL
    assert order.index("lavrado") < order.index("em_julgamento") < order.index("definitivo") < order.index("inscrito")


@pytest.mark.parametrize(("law", "track"), [t for t in TRACKS if t[1] != "principal"])
def test_a_track_is_drawn_whole(law: str, track: str) -> None:
    book = shipped_rulebook(law)
    text = mermaid(book, track)
    drawn = set(re.findall(r"^    (\S+) --> (\S+): (.*)$", text, re.M))
    for row in rows_of(book, track):
        labels = [label for s, t, label in drawn if (s, t) == (row.origin or "[*]", row.target)]
        assert any((f"{row.act} [{row.when}]" if row.when else row.act) in label for label in labels)
    left = {row.origin for row in rows_of(book, track) if row.origin != row.target}
    assert {s for s in states_of(book, track) if f"    {s} --> [*]\n" in text} == set(finals_of(book, track))
    assert finals_of(book, track).isdisjoint(left)
    root = ET.fromstring(svg(book, track))
    names = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text") if e.get("class") == "name"]
    assert names == ["inicio", *states_of(book, track)]


def test_a_track_that_the_law_lacks_has_no_rows() -> None:
    assert rows_of(shipped_rulebook(shipped_laws()[0]), "nenhuma") == ()
