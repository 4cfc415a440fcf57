"""What all pages share: colours that can be read, text that is never markup, tags that close."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from procedure.pages.frame import PAIRS, PALETTE, page, sheet, table
from procedure.pages.markup import Html, el, join, name_of, text
from tests.unit.pages.reading import Page, faults

SHEETS = ("page", "timeline", "calendar", "panel")


def luminance(colour: str) -> float:
    """WCAG 2.1, relative luminance."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_contrast_is_that_of_the_norm() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # the grey that just fails


@pytest.mark.parametrize(("letters", "ground"), PAIRS)
def test_every_text_can_be_read_on_its_ground(letters: str, ground: str) -> None:
    assert contrast(PALETTE[letters], PALETTE[ground]) >= 4.5


def test_every_ground_and_text_of_a_sheet_is_a_pair_that_was_checked() -> None:
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", "".join(map(sheet, SHEETS)))
    grounds = [body for _, body in rules if re.search(r"background: var\(--(?!accent\)|paper\))", body)]
    assert len(grounds) >= 7
    for body in grounds:
        ground = re.search(r"background: var\(--([a-z-]+)\)", body)
        letters = re.search(r"(?<!-)color: var\(--([a-z-]+)\)", body)
        assert ground is not None
        assert (letters[1] if letters else "ink", ground[1]) in PAIRS


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_names_only_colours_of_the_palette_and_reaches_nowhere(name: str) -> None:
    css = sheet(name)
    assert set(re.findall(r"var\(--([a-z-]+)\)", css)) <= {*PALETTE, "letters"}
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b|rgb|url\(|@import", css)
    assert css.count("{") == css.count("}")


HOSTILE = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "</title></style><b>",
    "&lt;b&gt; &amp; Cia",
    "José \U0001f600 \U00020000 e filhos",
    "\u202egnirts\u202c \u2067abc",
    "a\x00b\x1b[31m\x85\ufffe",
    "\ud800 só",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_text_and_nothing_else(name: str) -> None:
    read = Page(written(name))
    assert faults(read) == []
    assert read.tags.count("bdi") == 1
    assert "b" not in read.tags
    kept = "".join("\ufffd" if ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c in "\ufffe\ud800" else c for c in name)
    assert kept in read.text
    assert kept in read.title


@given(st.text())
def test_no_text_breaks_a_page(name: str) -> None:
    source = written(name)
    read = Page(source)
    assert faults(read) == [] or "//" in name
    assert source.encode()  # no surrogate is left


def written(name: str) -> str:
    heading = el("p", "Autuado: ", name_of(name), title=name)
    return page(f"Auto {name}", place="Aqui", heading="Uma página", intro=heading, body=[el("p", name)], foot=name)


def test_an_amount_and_an_article_keep_to_one_line() -> None:
    assert text("R$ 10,00 pelo art. 24, § 2º") == "R$\u00a010,00 pelo art.\u00a024, §\u00a02º"


def test_markup_is_made_of_elements() -> None:
    assert el("p", "a", None, ["b", 1], class_="x", hidden=True, lang=None) == '<p class="x" hidden>ab1</p>'
    assert join(Html("<b>"), "<b>") == "<b>&lt;b&gt;"
    assert el("rect", x=1, stroke_width=2) == '<rect x="1" stroke-width="2"/>'


BAD = '<!DOCTYPE html><html lang="pt-BR"><head><meta charset="utf-8"><title>t</title></head><body>{}</body></html>'


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<h1>a</h1><script>x</script>", "<script>"),
        ('<h1>a</h1><a href="https://example.org">x</a>', "a href=https://example.org"),
        ('<h1>a</h1><p onclick="x">y</p>', "p onclick=x"),
        ("<h1>a</h1><h3>b</h3>", "h1 then h3"),
        ("<h2>a</h2>", "not one h1, first"),
        ("<h1>a</h1><table><tr><td>1</td></tr></table>", "a table without caption"),
        ("<h1>a</h1><table><caption>c</caption><tr><th>1</th></tr></table>", "a header without scope in “c”"),
        ("<h1>a</h1><p><b>x</p></b>", "</p> closes ['b']"),
    ],
)
def test_the_check_sees_what_it_looks_for(body: str, fault: str) -> None:
    assert fault in faults(Page(BAD.format(body)))


def test_an_article_in_a_cell_keeps_to_one_line() -> None:
    assert '<td class="nowrap">art.\u00a035-A</td>' in table("Prazos", ("Auto", "Artigo"), [["1/2013", "art. 35-A"]])
