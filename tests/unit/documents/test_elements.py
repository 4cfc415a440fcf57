"""Elements: all that are missing in one error, each with its article; characters that no font draws."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from procedure.documents.errors import CharacterNotDrawn, CoatOfArmsUnreadable
from procedure.documents.typesetting import Typesetter
from procedure.domain.document_kinds import TITLES, DocumentKind
from procedure.domain.rulebooks import rulebook_of
from procedure.services.documenting.building import KINDS_OF_CASE
from procedure.services.documenting.elements import require_elements
from procedure.services.documenting.errors import DocumentIncomplete
from procedure.services.documenting.papers import AutoDeInfracao, Divida
from tests.structure.sources import ROOT
from tests.unit.documents.conftest import LAW, Build, lines_of

NAMES = [
    "Ângela d’Ávila Conceição Müller", "João Ñandú Ógún", "Łukasz Žižek Øre", "Αθηνά", "Юлия",
    "A\u0303o com til solto", "𝐀𝐁",
]  # fmt: skip


def test_every_element_missing_is_named_at_once_with_its_article(build: Build) -> None:
    paper = cast(AutoDeInfracao, build("auto_de_infracao"))
    (fact,) = paper.facts
    bare = replace(fact, place=None, hour=None, description=None, penalty=None, penalty_text=None)
    party = replace(paper.infrator, address=None)
    broken = replace(paper, facts=(bare,), infrator=party, recurso=None, signed_by="recusa", witnesses=("Uma",))
    with pytest.raises(DocumentIncomplete) as caught:
        require_elements(broken, rulebook_of(LAW))
    found = {(item.element, item.basis) for item in caught.value.missing}
    assert found == {
        ("infrator.domicile", "Lei 1.522/2005, art. 20, I"),
        ("facts.place", "Lei 1.522/2005, art. 20, II"),
        ("facts.hour", "Lei 1.522/2005, art. 20, II"),
        ("facts.description", "Lei 1.522/2005, art. 20, III"),
        ("facts.penalty", "Lei 1.522/2005, art. 20, IV"),
        ("facts.penalty_text", "Lei 1.522/2005, art. 20, IV"),
        ("signature", "Lei 1.522/2005, art. 20, V"),
        ("recurso.text", "Lei 1.522/2005, art. 20, VI"),
    }
    assert all(article in str(caught.value) for _, article in found)
    assert len(caught.value.to_dict()["missing"]) == 8


def test_an_unknown_address_needs_its_reason(build: Build) -> None:
    paper = cast(AutoDeInfracao, build("auto_de_infracao"))
    party = replace(paper.infrator, address=None, address_unknown="Mudou-se sem deixar endereço.")
    require_elements(replace(paper, infrator=party), rulebook_of(LAW))


def test_a_debt_without_its_elements_is_no_cda(build: Build) -> None:
    paper = cast(Divida, build("cda"))
    broken = replace(paper, nature="", penalty_articles=(), debtor=replace(paper.debtor, doc=None))
    with pytest.raises(DocumentIncomplete) as caught:
        require_elements(broken, rulebook_of(LAW))
    assert {item.element for item in caught.value.missing} == {"nature", "penalty_articles", "debtor.doc"}


def test_erased_data_are_no_missing_element(build: Build, typesetter: Typesetter) -> None:
    paper = cast(Divida, build("cda"))
    gone = replace(paper.debtor, name=None, doc=None, address=None, erased=True)
    require_elements(replace(paper, debtor=gone), rulebook_of(LAW))
    assert "Devedor: dados pessoais apagados" in lines_of(typesetter.pdf(replace(paper, debtor=gone)))


@pytest.mark.parametrize("name", NAMES)
def test_names_of_every_accent_are_drawn_and_found_again(name: str, build: Build, typesetter: Typesetter) -> None:
    paper = cast(Divida, build("cda"))
    lines = lines_of(typesetter.pdf(replace(paper, debtor=replace(paper.debtor, name=name))))
    (line,) = [line for line in lines if line.startswith("Devedor: ")]
    assert len(line) > len("Devedor: ")
    if "\u0303" not in name and "𝐀" not in name:
        assert line == f"Devedor: {name}"


@pytest.mark.parametrize("bad", ["Bar 😀 Ltda", "𠮷野家", "日本", "a\u202eodatrevni", "sino\u0007"])
def test_what_no_font_draws_is_refused_saying_where(bad: str, build: Build, typesetter: Typesetter) -> None:
    paper = cast(Divida, build("cda"))
    with pytest.raises(CharacterNotDrawn) as caught:
        typesetter.pdf(replace(paper, debtor=replace(paper.debtor, name=bad)))
    assert caught.value.field == "debtor.name"


def test_a_long_name_is_set_smaller_and_stays_on_its_line(build: Build, typesetter: Typesetter) -> None:
    paper = cast(Divida, build("cda"))
    name = "Associação dos Moradores, Produtores e Comerciantes do Córrego da Lapa e Adjacências do Norte Ltda"
    lines = lines_of(typesetter.pdf(replace(paper, debtor=replace(paper.debtor, name=name))))
    assert f"Devedor: {name}" in lines


def test_what_is_written_in_the_record_is_text_and_never_a_command(build: Build, typesetter: Typesetter) -> None:
    paper = cast(Divida, build("cda"))
    name = '#read("base.typ") *x* $y$ _z_ \\ <a> @b // c'
    lines = lines_of(typesetter.pdf(replace(paper, debtor=replace(paper.debtor, name=name))))
    assert f"Devedor: {name}" in lines


def test_the_coat_of_arms_is_the_municipality_s_file(build: Build, typesetter: Typesetter, tmp_path: Path) -> None:
    paper = build("extrato")
    plain = typesetter.pdf(paper)
    file = tmp_path / "brasao.svg"
    file.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>')
    assert typesetter.pdf(replace(paper, head=replace(paper.head, coat_of_arms=str(file)))) != plain
    for wrong in (tmp_path / "nada.svg", ROOT / "README.md"):
        with pytest.raises(CoatOfArmsUnreadable):
            typesetter.pdf(replace(paper, head=replace(paper.head, coat_of_arms=str(wrong))))


def test_every_kind_has_its_template_and_its_title() -> None:
    templates = {path.stem for path in (ROOT / "procedure" / "documents" / "templates").glob("*.typ")}
    assert {kind.value for kind in DocumentKind} <= templates
    assert set(TITLES) == set(DocumentKind)
    assert set(KINDS_OF_CASE) == set(DocumentKind) - {DocumentKind.CERTIDAO_NEGATIVA}


def test_no_template_writes_an_article(build: Build) -> None:
    import re

    found: dict[str, Any] = {}
    for path in (ROOT / "procedure" / "documents" / "templates").glob("*.typ"):
        text = re.sub(r"regex\(.*\)", "", path.read_text(encoding="utf-8"))
        found[path.name] = re.findall(r"\bart(?:igo)?s?\.? \d|§ \d|\bLei n?º? ?\d", text)
    assert {name: articles for name, articles in found.items() if articles} == {}
