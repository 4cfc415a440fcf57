"""An act is recorded once, whatever the number of files and lines that bring it; strict is all or nothing."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from tests.integration.importing.samples import Office, act, inscribed_case, jsonl, served


def codes(answer: dict[str, list[dict[str, object]]]) -> list[tuple[object, object]]:
    return [(item["line"], item["code"]) for item in answer["rejected"]]


def test_a_file_without_keys_imported_twice_is_recorded_once(office: Office) -> None:
    assert office.import_acts(inscribed_case("1/2013"))[1]["applied"] == 5
    code, answer = office.import_acts(reversed(inscribed_case("1/2013")))
    told = {"read": 5, "applied": 0, "already_known": 5, "rejected": [], "cases": 0, "undone": [], "dry_run": False}
    assert (code, answer) == (0, told)


def test_the_same_line_twice_in_a_file_is_one_act(office: Office) -> None:
    lines = inscribed_case("1/2013")
    code, answer = office.import_acts([*lines, *lines])
    assert (code, answer["applied"], answer["already_known"]) == (0, 5, 5)


def test_another_instant_of_recording_or_another_writing_is_the_same_act(office: Office) -> None:
    lines = inscribed_case("1/2013")
    office.import_acts(lines)
    lines[0]["infrator"] = {**lines[0]["infrator"], "doc": "11.222.333/0001-81"}
    again = [{**line, "recorded_at": "2014-01-01T10:00:00-02:00", "law": "es-3204708/lei-1522-2005"} for line in lines]
    assert office.import_acts(again)[1]["already_known"] == 5


def test_a_mended_act_of_the_same_key_is_refused_and_the_record_stays(office: Office) -> None:
    lines = [{**line, "key": f"erp-{n}"} for n, line in enumerate(inscribed_case("1/2013"))]
    office.import_acts(lines)
    before = office.record()
    assert office.import_acts(lines)[1]["already_known"] == 5
    mended = [{**lines[2], "grounds": "outros"}, {**lines[3], "date": "2013-04-03"}]
    code, answer = office.import_acts(mended)
    assert (code, codes(answer)) == (1, [(1, "chave_com_outro_conteudo"), (2, "chave_com_outro_conteudo")])
    witness = {**lines[0], "signature": {"by": "recusa", "witnesses": ["Ana Souza", "Outra Pessoa"]}}
    assert codes(office.import_acts([witness])[1]) == [(1, "chave_com_outro_conteudo")]
    assert office.record() == before


def test_the_same_key_twice_in_a_file_with_other_content_is_refused(office: Office) -> None:
    lines = inscribed_case("1/2013")[:2]
    lines[0]["key"] = lines[1]["key"] = "k"
    code, answer = office.import_acts(lines)
    assert (code, answer["applied"], codes(answer)) == (1, 1, [(2, "chave_com_outro_conteudo")])


def test_two_equal_payments_of_one_day_are_two_acts_when_their_keys_differ(office: Office) -> None:
    pay = act("1/2013", "pagamento", "2013-04-25", "tesouraria", amount="50")
    lines = [*inscribed_case("1/2013"), {**pay, "key": "a"}, {**pay, "key": "b"}]
    assert office.import_acts(lines)[1]["applied"] == 7
    assert office.case("1/2013").pago == 100_00


def test_an_auto_keeps_what_came_before_its_rejected_line_and_others_are_whole(office: Office) -> None:
    bad = inscribed_case("1/2013")
    bad[2]["judgement"] = "x"
    code, answer = office.import_acts([*reversed(bad), *inscribed_case("2/2013", "12345678000195")])
    assert code == 1
    assert (answer["read"], answer["applied"], answer["cases"]) == (10, 7, 2)
    assert codes(answer) == [(1, "retida"), (2, "retida"), (3, "campo_desconhecido")]
    assert answer["rejected"][2]["field"] == "judgement"
    assert "linha 3" in answer["rejected"][0]["message"]
    assert office.case("1/2013").last_seq == 2
    # Mended and sent again, whole: what is known is passed over.
    code, answer = office.import_acts(inscribed_case("1/2013"))
    assert (code, answer["applied"], answer["already_known"]) == (0, 3, 2)


def test_an_act_that_the_machine_refuses_holds_what_comes_after_it(office: Office) -> None:
    lines = inscribed_case("1/2013")
    del lines[1]
    code, answer = office.import_acts(lines)
    assert (code, answer["applied"]) == (1, 1)
    assert codes(answer) == [(2, "ato_nao_permitido"), (3, "retida"), (4, "retida")]
    assert office.case("1/2013").state == "lavrado"


def test_a_rejected_line_that_does_not_say_its_day_holds_the_whole_auto(office: Office) -> None:
    lines = inscribed_case("1/2013")
    lines[4]["date"] = "ontem"
    code, answer = office.import_acts(lines)
    assert (code, answer["applied"]) == (1, 0)
    assert codes(answer) == [*((n, "retida") for n in (1, 2, 3, 4)), (5, "data_invalida")]


def test_strict_applies_nothing_if_anything_is_rejected(office: Office) -> None:
    lines = [*inscribed_case("1/2013"), served("9/2013", "ciencia", "2013-04-01")]
    code, answer = office.import_acts(lines, "--strict")
    assert (code, answer["applied"], answer["cases"], codes(answer)) == (1, 0, 0, [(6, "auto_desconhecido")])
    assert office.autos() == []
    with office.session() as session:
        assert session.scalar(text("SELECT count(*) FROM posturas_persons")) == 0
    assert office.import_acts(lines[:5], "--strict")[1]["applied"] == 5


def test_a_refused_act_leaves_no_personal_data_behind(office: Office) -> None:
    lines = [*inscribed_case("1/2013"), {**inscribed_case("1/2013")[0], "date": "2013-06-01"}]
    lines[5]["infrator"] = {**lines[5]["infrator"], "name": "Nome Que Não Entra"}
    assert codes(office.import_acts(lines)[1]) == [(6, "auto_repetido")]
    with office.session() as session:
        names = set(session.scalars(text("SELECT name FROM posturas_persons")))
    assert names == {"Bar do Zé Ltda", "Ana Souza", "Caio Dias"}


def test_the_rejected_lines_are_written_as_they_came_to_be_mended(office: Office) -> None:
    lines = inscribed_case("1/2013")
    lines[2]["judgement"] = "não"
    target = office.folder / "rejeitadas.jsonl"
    office.import_acts(lines, "--rejected", str(target))
    sent = (office.folder / "atos.jsonl").read_bytes().splitlines(keepends=True)
    assert target.read_bytes().splitlines(keepends=True) == sent[2:]
    mended = target.read_text(encoding="utf-8").replace(', "judgement": "não"', "")
    assert office.import_file(mended)[1]["applied"] == 3


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_a_file_for_the_rejected_lines_that_cannot_be_written_stops_before_anything_is_applied(office: Office) -> None:
    path = office.write(jsonl(inscribed_case("1/2013")))
    for target in (path, str(office.folder), str(office.folder / "nada" / "x")):
        assert office.run("import", path, "--rejected", target)[0] == 2
    assert office.autos() == []
    assert office.run("import", path)[0] == 0


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_the_answer_for_people_counts_and_shows_the_first_rejections(office: Office) -> None:
    lines = [served(f"{n}/2013", "ciencia", "2013-04-01") for n in range(1, 24)]
    path = office.write(jsonl(lines))
    code, out, err = office.run("import", path)
    assert (code, err) == (1, "")
    assert "Rejeitados          23" in out
    assert out.count("  linha ") == 20
    assert "e mais 3" in out
