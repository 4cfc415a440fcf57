"""Every kind of paper, of each law that has it, printed from the demonstration's record and read back."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from pypdf import PdfReader
from sqlalchemy.orm import Session

from procedure import papers
from procedure.documents.typesetting import Typesetter
from procedure.domain.document_kinds import DocumentKind
from procedure.domain.rulebooks import rulebook_of
from procedure.services.documenting.building import paper_of_case
from procedure.services.documenting.casefile import Request
from procedure.services.documenting.elements import required
from procedure.services.documenting.pieces import to_json
from tests.acceptance.conftest import Ran, repository, url_of

LAWS = {
    "3204708": "es-3204708/lei-1522-2005",
    "3129509": "mg-3129509/lei-1355-1990",
    "3120805": "mg-3120805/lei-1220-1996",
}
# A case that has come to each paper, by law.
PAPERS: dict[str, dict[str, str]] = {
    "3204708": {
        "notificacao_preliminar": "001/2013", "auto_de_infracao": "003/2013", "notificacao_auto": "003/2013",
        "notificacao_decisao": "003/2013", "intimacao_pagamento": "003/2013", "edital": "004/2013",
        "decisao": "003/2013", "decisao_reconsideracao": "004/2013", "decisao_recurso": "012/2013",
        "memoria_calculo": "012/2013", "memoria_prazo": "003/2013", "termo_inscricao": "003/2013",
        "guia": "006/2014", "certidao_decurso": "003/2013", "certidao_definitividade": "003/2013",
        "termo_apreensao": "027/2014", "termo_doacao": "028/2014", "edital_hasta_publica": "030/2014",
        "termo_interdicao": "036/2014", "extrato": "012/2013",
    },
    "3129509": {
        "notificacao_preliminar": "002/2013", "auto_de_infracao": "001/2014", "intimacao_cadastro": "001/2014",
        "notificacao_decisao": "007/2013", "decisao": "007/2013", "memoria_calculo": "006/2014",
        "memoria_prazo": "006/2014", "termo_inscricao": "003/2013", "guia": "029/2014", "certidao_decurso": "001/2014",
        "certidao_definitividade": "001/2014", "termo_apreensao": "013/2014", "termo_doacao": "014/2014",
        "edital_hasta_publica": "016/2014", "termo_interdicao": "027/2013", "extrato": "006/2014",
    },
    "3120805": {
        "notificacao_estabelecimento": "001/2013", "auto_de_infracao": "101/2013", "notificacao_auto": "101/2013",
        "notificacao_decisao": "003/2013", "decisao": "003/2013", "decisao_recurso": "010/2013",
        "intimacao_pagamento": "102/2013", "memoria_calculo": "101/2013", "memoria_prazo": "001/2013",
        "termo_inscricao": "102/2013", "guia": "102/2014", "certidao_decurso": "002/2013",
        "certidao_definitividade": "006/2013", "termo_apreensao": "001/2013", "termo_interdicao": "007/2013",
        "extrato": "116/2013",
    },
}  # fmt: skip
EACH = [(place, kind, auto) for place, kinds in PAPERS.items() for kind, auto in kinds.items()]


@pytest.fixture(scope="module")
def typesetter() -> Iterator[Typesetter]:
    with Typesetter() as open_one:
        yield open_one


def exists(document: Any, path: list[str]) -> bool:
    """Whether the JSON of the paper has that path, whatever stands there."""
    if not path:
        return True
    if isinstance(document, list):
        return all(exists(item, path) for item in document)
    if document is None:
        return True  # an optional part that this case has not
    return path[0] in ("domicile", "signature") or (path[0] in document and exists(document[path[0]], path[1:]))


@pytest.mark.parametrize(("place", "kind", "auto"), EACH)
def test_each_paper_of_each_law_is_printed_and_says_what_it_is(
    place: str, kind: str, auto: str, demo_run: Ran, demo_folder: Path, typesetter: Typesetter
) -> None:
    with repository(url_of(demo_folder)) as found:
        paper = paper_of_case(found, place, auto, DocumentKind(kind), Request(date(2014, 7, 1)))
    document = to_json(paper)
    for element in required(DocumentKind(kind), rulebook_of(LAWS[place])):
        assert exists(document, element.path.split(".")), element
    text = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(typesetter.pdf(paper))).pages)
    assert paper.title.upper() in text
    assert not re.search(r"\b(none|null|None|false|true)\b", text)
    assert "\n-" not in text  # no article broken at its hyphen, and repeated on the next line


def test_the_demonstration_leaves_papers_beside_its_database(demo: dict[str, Any], demo_folder: Path) -> None:
    files = demo["documents"]
    assert {file.split("/")[1] for file in files} == set(LAWS)
    assert "documentos/3204708/termo_inscricao-003-2013.pdf" in files
    assert "documentos/3204708/cda-003-2013.pdf" in files  # authenticated in the sample
    for file in files:
        assert (demo_folder / file).read_bytes().startswith(b"%PDF-1.7")


def test_a_host_shows_and_prints_a_paper_with_its_own_session(demo_run: Ran, demo_folder: Path) -> None:
    engine = sa.create_engine(url_of(demo_folder))
    try:
        with Session(engine) as session:
            asked = {"issued_on": date(2014, 7, 1)}
            shown = papers.show_paper(session, "3204708", "003/2013", "termo_inscricao", **asked)
            pdf = papers.print_paper(session, "3204708", "003/2013", "termo_inscricao", **asked)
            assert not session.dirty
            assert not session.new
    finally:
        engine.dispose()
    assert (shown["number"], shown["total"]) == ("1/2013", "363.00")
    assert (demo_folder / "documentos/3204708/termo_inscricao-003-2013.pdf").read_bytes() == pdf
