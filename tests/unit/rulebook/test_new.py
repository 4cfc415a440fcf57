"""The skeleton: refused while anything is to be filled, accepted once it is, and its law runs."""

from __future__ import annotations

import pytest

from legalbasis import TomlDefects
from procedure.domain.rulebook_check import check_rulebook
from procedure.domain.rulebook_reader import read_rulebook
from procedure.services.rulebook_new import STATES, SkeletonAnswer, identity, questions, skeleton
from tests.unit.rulebook.invented import ANSWERS, LAW, text, who


def unfilled(answers: dict[str, str]) -> set[str]:
    report = check_rulebook(skeleton(who(), answers), file="lei.toml")
    return {q.name for q in questions() for d in report.defects if f"?{q.name}”" in d.reason or _is_day(q.name, d.key)}


def _is_day(name: str, key: str) -> bool:
    return name == "DATA_LEI" and key == "life.in_force_from"


def test_a_filled_skeleton_is_sound() -> None:
    report = check_rulebook(text(), file="lei.toml")
    assert [str(d) for d in report.defects] == []
    assert report.law == LAW
    assert "?" not in text().replace("com “?”", "")
    basis = {s.basis for s in report.silences if s.status == "subsidiario"}
    assert basis == {"CTN, art. 160, por analogia", "Lei 4.320/1964, art. 39", "Lei 9.784/1999, art. 53"}


def test_where_the_law_knows_no_reincidencia_its_tables_go() -> None:
    without = skeleton(who(), {**ANSWERS, "REINCIDENCIA": "cala", "UNIDADE": "BRL"})
    report = check_rulebook(without, file="lei.toml")
    assert [str(d) for d in report.defects] == []
    assert "reincidencia" not in without
    assert "[switches." not in without
    # Nothing else went: the tables are the same but for the two switches and [reincidencia].
    assert text().count("\n[") - without.count("\n[") == 3


def test_each_blank_is_told() -> None:
    assert unfilled({}) == {q.name for q in questions()}
    for question in questions():
        rest = {name: answer for name, answer in ANSWERS.items() if name != question.name}
        assert unfilled(rest) == {question.name}


def test_what_is_known_is_filled_in() -> None:
    book = read_rulebook(text(), file="lei.toml")
    assert book.urn == "urn:lex:br;sao.paulo;serra.bonita:municipal:lei:2001-05-10;100"
    assert (book.calendar, book.timezone, book.title) == (
        "sp-3599999",
        "America/Sao_Paulo",
        "Lei 100/2001 de Serra Bonita",
    )
    decree = identity(municipality="1399999", uf="am", name="São João d'Água", norm="Lei Complementar nº 1.234/2011")
    assert decree.law == "am-1399999/lei-complementar-1234-2011"
    assert decree.urn("2011-01-02") == "urn:lex:br;amazonas;sao.joao.d.agua:municipal:lei.complementar:2011-01-02;1234"


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("uf", "XX"),
        ("municipality", "3299999"),
        ("municipality", "359999"),
        ("norm", "a lei"),
        ("name", 'A "B"'),
        ("name", " "),
    ],
)
def test_an_identity_that_cannot_be(field: str, wrong: str) -> None:
    right = {"municipality": "3599999", "uf": "SP", "name": "Serra Bonita", "norm": "Lei 100/2001"}
    with pytest.raises(SkeletonAnswer) as caught:
        identity(**{**right, field: wrong})
    assert caught.value.field == field


@pytest.mark.parametrize(
    "answers",
    [{"COR": "azul"}, {"DATA_LEI": "10/05/2001"}, {"MULTA": "cala"}, {"DESCRICAO": 'um "texto"'}, {"AUTO": " "}],
)
def test_an_answer_that_does_not_serve(answers: dict[str, str]) -> None:
    with pytest.raises(SkeletonAnswer):
        skeleton(who(), answers)


def test_every_state_has_its_number_and_zone() -> None:
    """The IBGE's numbers of the 26 states and the Distrito Federal; a zone that exists."""
    from zoneinfo import ZoneInfo

    assert len(STATES) == len({number for number, _, _ in STATES.values()}) == 27
    assert all(ZoneInfo(f"America/{city}") for _, _, city in STATES.values())


def test_a_blank_skeleton_is_not_read() -> None:
    with pytest.raises(TomlDefects):
        read_rulebook(skeleton(who(), {}), file="lei.toml")
