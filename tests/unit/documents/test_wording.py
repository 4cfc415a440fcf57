"""What a paper says of cases unlike the plain one, read as who signs it would."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from procedure.cli.demo_sample import load_sample
from procedure.documents.typesetting import Typesetter
from procedure.domain.document_kinds import DocumentKind
from procedure.services.documenting.building import paper_of_case
from procedure.services.documenting.casefile import Request
from procedure.services.documenting.papers import Paper
from procedure.services.documenting.pieces import each_once, to_json
from procedure.testing import FixedClock, MemoryOffice
from tests.unit.documents.conftest import lines_of

ISSUED = date(2014, 6, 30)


def printed(sample_name: str, auto: str, kind: str, *, until: str = "2014-06-30", **asked: Any) -> Paper:
    """A paper of one auto of the shipped sample, with its acts until a day and one sweep after them."""
    sample = load_sample(sample_name)
    office = MemoryOffice(sample.municipality, FixedClock("2014-07-01T12:00-03:00"))
    for unit in sample.units:
        office.supply_unit_value(sample.law, unit.unit, start=unit.start, value=unit.value, act=unit.act)
    own = [act for act in sample.acts if act.get("auto") == auto and act["date"][:10] <= until]
    for act in sorted(own, key=lambda each: each["date"][:10]):
        office.sweep(date.fromisoformat(act["date"][:10]))
        office.record(act)
    office.sweep(date.fromisoformat(until))
    return paper_of_case(office.repository, sample.municipality, auto, DocumentKind(kind), Request(ISSUED, **asked))


SAO_GABRIEL, IBIA, CRUZILIA = "sao-gabriel-da-palha", "ibia", "cruzilia"


@pytest.mark.parametrize("until", ["2013-12-19", "2014-06-30"])
def test_an_intimation_warns_of_the_same_surcharge_whatever_was_paid_after_it(until: str) -> None:
    """330,00 with 100,00 paid before the intimation: 10% of the fine is 33,00 (art. 35-A), also once all is paid."""
    told = to_json(printed(SAO_GABRIEL, "024/2013", "intimacao_pagamento", until=until))
    assert (told["total"], told["surcharge"]["amount"], told["total_after"]) == ("230.00", "33.00", "263.00")


def test_the_notice_of_a_decision_names_only_the_infractions_that_it_found() -> None:
    """The auto charged arts. 77 and 178; the decision kept the second."""
    told = to_json(printed(SAO_GABRIEL, "019/2013", "notificacao_decisao"))
    assert [fact["article"]["provision"] for fact in told["facts"]] == ["178"]
    told = to_json(printed(SAO_GABRIEL, "019/2013", "notificacao_auto"))
    assert [fact["article"]["provision"] for fact in told["facts"]] == ["77", "178"]


def test_the_grade_comes_before_the_full_stop(typesetter: Typesetter) -> None:
    lines = lines_of(typesetter.pdf(printed(SAO_GABRIEL, "019/2013", "memoria_calculo")))
    assert "art. 178: Não manter o alvará à vista ou não o mostrar ao fiscal (grau mínimo)." in lines


def test_things_sold_have_a_termo_and_things_to_be_sold_an_edital(typesetter: Typesetter) -> None:
    """An edital that calls to a sale cannot tell what the sale gave."""
    sold = lines_of(typesetter.pdf(printed(SAO_GABRIEL, "031/2014", "edital_hasta_publica")))
    assert "TERMO DE VENDA EM HASTA PÚBLICA Nº 031/2014" in sold
    assert {"Vendidas em: 22/04/2014", "Produto da venda: R$ 260,00"} <= set(sold)
    assert "Arrematante" in "\n".join(sold)
    called = lines_of(typesetter.pdf(printed(IBIA, "018/2014", "edital_hasta_publica")))
    assert "EDITAL DE HASTA PÚBLICA Nº 018/2014" in called
    assert [line for line in called if line.startswith("Produto da venda")] == []
    assert [line for line in called if line.startswith("Dia, hora e lugar da hasta")]


def test_one_term_ended_is_told_in_the_singular(typesetter: Typesetter) -> None:
    one = " ".join(lines_of(typesetter.pdf(printed(IBIA, "010/2014", "certidao_decurso"))))
    assert "se esgotou o prazo seguinte, sem que constasse o ato a que servia." in one
    more = " ".join(lines_of(typesetter.pdf(printed(SAO_GABRIEL, "002/2014", "certidao_decurso"))))
    assert "se esgotaram os prazos seguintes, sem que constassem os atos a que serviam." in more


def test_who_is_closed_down_acknowledges_as_such_and_the_place_is_said(typesetter: Typesetter) -> None:
    lines = lines_of(typesetter.pdf(printed(CRUZILIA, "007/2013", "termo_interdicao", until="2013-11-20")))
    assert "Ciência do interditado" in lines
    assert "Interditado, representante ou procurador" in "\n".join(lines)
    assert [line for line in lines if line.startswith("Local: ")]


def test_an_article_is_not_told_again_with_how_it_was_read() -> None:
    own, read, other = "Lei 1/1990, art. 7º", "Lei 1/1990, art. 7º (subsidiário)", "Lei 1/1990, art. 8º (reconstrução)"
    assert each_once([own, read, other, own]) == (own, other)
    assert each_once([read]) == (read,)


def test_the_extrato_does_not_say_the_act_twice_nor_the_midnight_of_the_system(typesetter: Typesetter) -> None:
    text = "\n".join(lines_of(typesetter.pdf(printed(SAO_GABRIEL, "024/2013", "extrato"))))
    assert "pagamento parcial" in text
    assert "pagamento: pagamento" not in text
    assert "às 00:00" not in text
