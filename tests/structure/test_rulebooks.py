"""The shipped laws: each value cited, each machine proved; and no law's number or place's name in the code."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from calendars import law_counting
from calendars.laws import law_ids
from procedure.domain.rulebook_check import check_rulebook, shipped_text
from procedure.domain.rulebook_reader import shipped_laws, shipped_rulebook
from tests.structure.sources import ROOT, modules

LAWS = shipped_laws()
FOLDER = ROOT / "procedure" / "rulebooks"
CITED_BY_ID = {
    "infraction",
    "not_citable",
    "not_encoded",
    "other_consequence",
    "other_law",
    "not_applied",
    "no_penalty",
}
CITED_BY_ARTICLE = {"row", "track_row", "deadline", "competence", "content", "document", "penalty"}
CITED_TABLES = {
    "life", "reincidencia", "surcharge", "ciencia", "impediment", "second_instance", "fine", "gate", "costs",
}  # fmt: skip
NEEDS_NO_ARTICLE = {"law", "units", "outcomes", "amendment", "penalty_choice"}  # names, plumbing, norms, a switch's own


@pytest.mark.parametrize("law", LAWS)
def test_a_shipped_law_is_proved(law: str) -> None:
    report = check_rulebook(shipped_text(law), file=law)
    assert [str(d) for d in report.defects] == []
    assert report.law == law


@pytest.mark.parametrize("law", LAWS)
def test_every_legal_value_cites_its_article(law: str) -> None:
    data = tomllib.loads(shipped_text(law))
    assert list(uncited(data)) == []


def uncited(data: dict[str, Any]) -> Iterator[str]:
    """The tables without the article they stand on; a kind of table not named here must be classed first."""
    for key, value in data.items():
        if key == "switches":
            yield from (f"{key}.{name}" for name, table in value.items() if not table.get("article"))
        elif key in CITED_TABLES:
            yield from [key] if not value.get("article") else []
        elif key in CITED_BY_ID | CITED_BY_ARTICLE:
            name = "id" if key in CITED_BY_ID else "article"
            yield from (f"{key}[{n}]" for n, table in enumerate(value) if not table.get(name))
        elif key not in NEEDS_NO_ARTICLE:
            yield f"{key}: not classed"


def test_a_value_without_its_article_is_seen() -> None:
    assert list(uncited({"row": [{"act": "x"}], "switches": {"a": {}}, "life": {}, "novo": 1})) == [
        "row[0]", "switches.a", "life", "novo: not classed",
    ]  # fmt: skip


@pytest.mark.parametrize("law", LAWS)
def test_calendars_and_rulebook_say_the_same(law: str) -> None:
    book, counting = shipped_rulebook(law), law_counting(law)
    assert law in law_ids()
    assert (book.norm, book.counting, book.espera) == (counting.name, counting.counting, counting.espera.value)
    assert (book.municipality, book.calendar) == (counting.municipality, counting.calendar)
    assert {name: counting.notice.get(name) for name in book.notice_rule} == dict(book.notice_rule)
    assert book.id.split("/")[0] == f"{book.uf.lower()}-{book.municipality}"


# What a law may leave out and still be a whole machine: a second way to the same end, or what is only kept on record.
# Every other row, taken away, must be missed by the check.
MAY_BE_ABSENT = {
    "es-3204708/lei-1522-2005": {
        (("notificacao_vencida",), "regularizacao"),  # the late cure, accepted
        (("notificacao_vencida",), "lavratura"),  # the auto may be another number, drawn up from the start
        (("notificado",), "lavratura"),  # the danger that cannot wait for the notice's end
        (("em_julgamento",), "defesa"),  # late: kept, moves nothing
        (("definitivo", "aguardando_pagamento", "vencido", "devolvido_a_origem"), "recurso"),  # late too
        (("definitivo", "aguardando_pagamento", "vencido", "devolvido_a_origem"), "reconsideracao"),  # decides on it
        (("em_recurso",), "renuncia"),  # giving up what is already in appeal
    },
    "mg-3129509/lei-1355-1990": {
        ((), "notificacao_preliminar"),  # an optional step, which a communication may bring too
        (("comunicado",), "notificacao_preliminar"),
        ((), "lavratura"),  # from the start, or after what came before it: one is enough
        (("comunicado", "notificado", "notificacao_vencida"), "lavratura"),
        (("vencido",), "defesa"),  # late: kept, moves nothing
    },
    "mg-3120805/lei-1220-1996": {
        (("notificado",), "ciencia"),  # the distribuidora's ciência opens a term of the same kind
        (("em_julgamento",), "defesa"),  # late: kept, moves nothing
        (("definitivo", "aguardando_pagamento", "vencido", "devolvido_a_origem"), "recurso"),  # late too
        (("definitivo",), "regularizacao"),  # the late cure, which ends nothing
    },
}


@pytest.mark.parametrize("law", LAWS)
def test_a_row_taken_away_is_missed(law: str) -> None:
    text = procedure_of(law)
    unmissed = set()
    for row, rest in without_each(text, "row"):
        if not check_rulebook(rest, file=law).defects:
            unmissed.add((tuple(row.get("from", ())), row["act"]))
    assert unmissed == MAY_BE_ABSENT.get(law, set())


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("kind", ["deadline", "competence", "penalty_choice"])
def test_a_table_taken_away_is_missed(law: str, kind: str) -> None:
    for table, rest in without_each(procedure_of(law), kind):
        assert check_rulebook(rest, file=law).defects, table


def procedure_of(law: str) -> str:
    """The law with few of its infractions, one by each choice of penalties: quicker to read many times, and sound."""
    text = shipped_text(law)
    blocks = [m[0] for m in re.finditer(BLOCK.format(kind="infraction"), text)]
    choices = [choice["id"] for choice in tomllib.loads(text).get("penalty_choice", [])]
    kept = [blocks[0], *(next(b for b in blocks[1:] if f'"{name}"' in b) for name in choices)]
    part = text[: text.index("[[infraction]]")] + "\n\n".join(kept) + "\n"
    assert check_rulebook(part, file=law).defects == ()
    return part


BLOCK = r"(?ms)^\[\[{kind}\]\]\n.*?(?=\n\n|\Z)"  # a table ends at a blank line


def without_each(text: str, kind: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Each table of the array, and the text without it."""
    found = list(re.finditer(BLOCK.format(kind=kind), text))
    assert len(found) == len(tomllib.loads(text).get(kind, []))
    for match in found:
        yield tomllib.loads(match[0])[kind][0], text[: match.start()] + text[match.end() :]


# ------------------------------------------------------------------ law is data

CODE = modules("legalbasis", "calendars", "penalties", "procedure")
NORM = re.compile(r"\b(?:Lei|Decreto|Resolução) (?:Municipal |nº )?\d{1,2}\.?\d{3}/\d{4}")
ARTICLE = re.compile(r"(?i)\bart(?:s|igos?)?\.? ?\d|^\d{1,3}(?:-[A-Z])(?:,.*)?$|^\d{1,3},(?:§\d|[IVX]+|pu)")
FEDERAL = ("4.320/1964", "6.830/1980", "9.784/1999", "CF art", "CF, art", "Súmula")  # general law that holds everywhere


def strings_of(source: str) -> Iterator[tuple[int, str]]:
    """The strings of the code that are not docstrings, with their lines."""
    tree = ast.parse(source)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def laws_in(source: str) -> list[tuple[int, str]]:
    """Strings that hold an article's number or a norm, general law apart."""
    found = []
    for line, text in strings_of(source):
        cites = ARTICLE.search(text) or NORM.search(text)
        if cites and not any(known in text for known in FEDERAL):
            found.append((line, text))
    return found


@pytest.mark.parametrize("path", CODE, ids=str)
def test_no_article_or_norm_of_a_law_is_in_the_code(path: Path) -> None:
    assert [
        (n, s) for n, s in laws_in((ROOT / path).read_text(encoding="utf-8")) if (str(path), s) not in EXAMPLES
    ] == []


EXAMPLES = {
    ("procedure/domain/gate.py", ", art. 2º, §§ 3º, 5º e 6º"),  # of the federal law that the f-string names before it
}
AN_EXAMPLE = re.compile(r"\bcomo\b|[Ee]xemplo")  # of how to write it, in a help text or a remedy


def places() -> set[str]:
    """Names and codes of every municipality that has a law or a calendar."""
    found = [law_counting(law) for law in law_ids()]
    names = {c.place_name.split("/", maxsplit=1)[0] for c in found}
    return names | {c.municipality for c in found}


@pytest.mark.parametrize("path", CODE, ids=str)
def test_no_municipality_is_in_the_code(path: Path) -> None:
    held = places()
    source = (ROOT / path).read_text(encoding="utf-8")
    assert [(n, s) for n, s in strings_of(source) if any(p in s for p in held) and not AN_EXAMPLE.search(s)] == []


def test_the_scan_sees_what_it_looks_for() -> None:
    source = (
        'def f():\n    "Of art. 35-B."\n    x = "35-A"; y = f"pelo art. 7, {x}"; z = "Lei 1.522/2005"; w = "64,I,a"\n'
    )
    assert {text for _, text in laws_in(source)} == {"35-A", "pelo art. 7, ", "Lei 1.522/2005", "64,I,a"}
    assert laws_in('a = "Lei 6.830/1980, art. 2º"; b = "art. {x}"; c = "§ 1º"; d = "2013-03"') == []
    assert {"3204708", "São Gabriel da Palha"} <= places()
