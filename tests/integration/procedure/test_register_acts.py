"""The inscription that an act names, the second person, the debtor: nobody else's (spec 04)."""

from __future__ import annotations

from typing import Any

import pytest

from procedure.domain.errors import AnotherInscription, DebtorChanged, SecondPersonRequired
from procedure.domain.vocabulary import State
from tests.integration.procedure.conftest import FIRM, Office

NOBODY = {"name": "Ciro Dalla", "kind": "pf", "address": {"street": "Rua Ceará"}}
PERSON = {**NOBODY, "doc": "529.982.247-25"}


def inscribed(office: Office, **changes: Any) -> None:
    office.draw("1/2013", **changes)
    office.serve("1/2013")
    office.judge("1/2013", "2013-04-01")
    office.serve("1/2013", "ciencia_decisao", "2013-04-02")
    office.record(
        "1/2013", "intimacao_pagamento", "2013-04-24", method="postal", juntada="2013-04-24", role="tesouraria"
    )
    office.sweep("2013-05-02")


def cancel(office: Office, **fields: Any) -> str | None:
    said = {"ground": "erro_de_pessoa", "second_person": "outra", **fields}
    return office.record("1/2013", "cancelamento", "2013-05-06", **said)


@pytest.mark.parametrize("named", [{"inscription": "2/2013"}, {"inscriptions": ["1/2013", "2/2013"]}])
def test_an_act_that_names_another_inscription_is_refused(office: Office, named: dict[str, Any]) -> None:
    inscribed(office)
    with pytest.raises(AnotherInscription, match="2/2013"):
        cancel(office, **named)
    assert cancel(office, inscription="1/2013") == State.CANCELADO


@pytest.mark.parametrize("second", [" Procuradoria-1", "procuradoria-1", "ＰROCURADORIA-1"])
def test_the_second_person_is_not_the_first_under_another_spelling(office: Office, second: str) -> None:
    inscribed(office)
    with pytest.raises(SecondPersonRequired):
        cancel(office, second_person=second)


@pytest.mark.parametrize("second", ["ana\u00a0 sá", "ANA SA", "Ana Sa\u0301", "Ana Sá.", "Ana\u200b Sá"])
def test_spaces_accents_and_points_do_not_make_a_second_person(office: Office, second: str) -> None:
    inscribed(office)
    with pytest.raises(SecondPersonRequired):
        cancel(office, actor="Ana Sá", second_person=second)
    assert cancel(office, actor="Ana Sá", second_person="Ana Sales") == State.CANCELADO


def mend(office: Office, debtor: dict[str, Any]) -> str | None:
    return office.record("1/2013", "saneamento", "2013-05-06", role="divida_ativa", infrator=debtor)


def test_a_saneamento_gives_the_missing_document_not_another_debtor(office: Office) -> None:
    inscribed(office, infrator=NOBODY)
    assert office.case("1/2013").state == State.DEVOLVIDO_A_ORIGEM
    with pytest.raises(DebtorChanged):
        mend(office, FIRM)
    assert mend(office, PERSON) == State.VENCIDO
    office.sweep("2013-05-08")
    assert office.case("1/2013").state == State.INSCRITO


def test_a_saneamento_does_not_change_a_document_that_was_known(office: Office) -> None:
    inscribed(office, infrator={**PERSON, "address": None}, paper=True)  # no address: the gate sends it back
    assert office.case("1/2013").state == State.DEVOLVIDO_A_ORIGEM
    with pytest.raises(DebtorChanged):
        mend(office, {**PERSON, "doc": "111.444.777-35"})
    assert mend(office, PERSON) == State.VENCIDO
