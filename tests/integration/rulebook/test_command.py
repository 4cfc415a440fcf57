"""`posturas rulebook`: what it shows, proves and draws, and what a municipality supplies, on both databases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from procedure.cli.main import main
from procedure.domain.rulebook_check import shipped_text

LAW = "es-3204708/lei-1522-2005"
UNIT = ("unit", "set", "--unit")
VALUE = (*UNIT, "VRSGP", "--from", "2013-01-01")
OPTION = ("option", "set", "--option")
SHEETS = (*OPTION, "divida_ativa.folhas_por_livro", "--value")


def run(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    capsys.readouterr()
    assert main(list(arguments)) == code
    return capsys.readouterr().out


def answer(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> Any:
    return json.loads(run(capsys, "rulebook", *arguments, "--json", code=code))


def test_list_names_each_law_with_its_life(capsys: pytest.CaptureFixture[str]) -> None:
    (law,) = [row for row in answer(capsys, "list") if row["law"] == LAW]
    assert (law["norm"], law["municipality"], law["counting"]) == ("Lei 1.522/2005", "3204708", "art-35-b")
    assert (law["in_force_from"], law["certain_until"], law["end"]) == ("2005-07-11", "2014-07-14", None)
    assert law["infractions"] >= 40
    text = run(capsys, "rulebook", "list")
    assert "desde 11/07/2005, certa até 14/07/2014 (revogada pela Lei 2.456/2014, em dia a informar)" in text


def test_show_has_the_law_whole(capsys: pytest.CaptureFixture[str]) -> None:
    law = answer(capsys, "show", "--law", LAW)
    switches = {s["name"]: s for s in law["switches"]}
    assert (switches["sem_cominacao"]["default"], switches["sem_cominacao"]["values"]) == (
        "art_7",
        ["art_7", "art_245"],
    )
    deadlines = {d["kind"]: d["term"] for d in law["deadlines"]}
    assert (deadlines["defesa"], deadlines["recurso"], deadlines["pagamento"]) == ("15d", "15d", "48h")
    rows = {(r["from"], r["act"], r["outcome"], r["to"]) for r in law["rows"]}
    assert ("lavrado", "ciencia", None, "aguardando_defesa") in rows
    text = run(capsys, "rulebook", "show", "--law", LAW)
    for wanted in ("Leituras", "Linhas da máquina", "Prazos", "Quem pode", "Infrações", "sem cominação"):
        assert wanted in text


@pytest.mark.parametrize(
    ("article", "said"),
    [
        ("46", ("multa do art. 7º: 3, 6 ou 11 VRSGP, por grau", "multa do art. 245: de 7 a 30 VRSGP")),
        ("64-I", ("multa do art. 64-T: 11 VRSGP", "dobra na reincidência")),
        ("64-R,§2", ("1 UPFM por dia",)),
        ("39", ("não descreve infração",)),
        ("84", ("texto que falta na fonte", "são citáveis: 84,§4")),
        ("65", ("não se aplica",)),
        ("187", ("punido por outra lei", "Lei 2.107/2010")),
    ],
)
def test_show_one_article(capsys: pytest.CaptureFixture[str], article: str, said: tuple[str, ...]) -> None:
    text = run(capsys, "rulebook", "show", "--law", LAW, "--article", article)
    assert [part for part in said if part not in text] == []


def test_check_says_what_is_proved_and_exits_1_with_every_defect(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert "Sem defeitos" in run(capsys, "rulebook", "check")
    copy = tmp_path / "lei.toml"
    copy.write_text(shipped_text(LAW).replace('term = "15d"', 'term = "15"').replace('"prefeito"', '"rei"'), "utf-8")
    (report,) = answer(capsys, "check", str(copy), code=1)
    assert not report["ok"]
    assert {d["key"].split(".")[-1] for d in report["defects"]} >= {"term", "roles"}
    assert all(d["line"] and d["file"] == str(copy) for d in report["defects"])
    assert report["silences"]
    text = run(capsys, "rulebook", "check", str(copy), code=1)
    assert f"{copy}:{report['defects'][0]['line']}: " in text


def test_check_of_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert answer(capsys, "check", str(tmp_path / "no.toml"), code=2)["error"]["code"] == "arquivo_inacessivel"
    latin = tmp_path / "latin.toml"
    latin.write_bytes("[law]\nid = 'é'".encode("latin-1"))
    assert answer(capsys, "check", str(latin), code=2)["error"]["code"] == "arquivo_inacessivel"


def test_diagram_is_printed_or_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    printed = run(capsys, "rulebook", "diagram", "--law", LAW)
    assert printed.splitlines()[1] == "stateDiagram-v2"
    place = tmp_path / "lei.svg"
    run(capsys, "rulebook", "diagram", "--law", LAW, "--format", "svg", "--out", str(place))
    assert place.read_text("utf-8").startswith("<svg ")
    assert run(capsys, "rulebook", "diagram", "--law", LAW, "--out", str(tmp_path / "no" / "x"), code=2) == ""


def test_an_unknown_law_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    for action in ("show", "check", "diagram"):
        assert answer(capsys, action, "--law", "es-0/lei-1", code=2)["error"]["code"] == "lei_desconhecida"


def test_a_unit_value_supplied_is_what_fines_use(capsys: pytest.CaptureFixture[str], upgraded_url: str) -> None:
    kept = ("--unit", "VRSGP", "--from", "2012-09-18", "--act", "Decreto 1/2012")
    put = ("unit", "set", "--law", LAW, *kept, "--db", upgraded_url)
    fine = ("multa", "--law", LAW, "--article", "64-I", "--fact-date", "2013-06-10", "--json", "--db", upgraded_url)
    assert json.loads(run(capsys, *fine, code=2))["error"]["class"] == "UnitValueUnknown"
    assert answer(capsys, *put, "--value", "30,00")["changed"]
    assert not answer(capsys, *put, "--value", "30,00")["changed"]
    fixed = json.loads(run(capsys, *fine))
    assert (fixed["amount"], fixed["unit_value"], fixed["unit_act"]) == ("330.00", "30.00", "Decreto 1/2012")
    assert answer(capsys, *put, "--value", "31.5")["changed"]
    assert json.loads(run(capsys, *fine))["amount"] == "346.50"
    units = {u["unit"]: u["values"] for u in answer(capsys, "unit", "list", "--law", LAW, "--db", upgraded_url)}
    assert units == {"VRSGP": [{"from": "2012-09-18", "value": "31.5", "act": "Decreto 1/2012"}], "UPFM": []}


def test_the_end_of_the_law_as_supplied(capsys: pytest.CaptureFixture[str], upgraded_url: str) -> None:
    end = ("set-end", "--law", LAW, "--act", "Lei 2.456/2014, art. 300", "--db", upgraded_url)
    asked = ("--article", "64-I", "--unit-value", "30")
    fine = ("multa", "--law", LAW, *asked, "--json", "--db", upgraded_url, "--fact-date")
    assert json.loads(run(capsys, *fine, "2014-11-20", code=2))["error"]["class"] == "LawEndUnknown"
    assert answer(capsys, *end, "--date", "2014-07-14", code=2)["error"]["code"] == "fim_de_vigencia_impossivel"
    assert answer(capsys, *end, "--date", "2015-01-01")["changed"]
    assert json.loads(run(capsys, *fine, "2014-11-20"))["amount"] == "330.00"
    assert json.loads(run(capsys, *fine, "2015-01-01", code=2))["error"]["code"] == "lei_revogada"
    assert answer(capsys, *end, "--date", "2014-10-01")["changed"]
    error = json.loads(run(capsys, *fine, "2014-11-20", code=2))["error"]
    assert (error["class"], error["code"]) == ("LawNotInForce", "lei_revogada")


def test_the_first_day_of_the_law_as_supplied(capsys: pytest.CaptureFixture[str], upgraded_url: str) -> None:
    law = ("--law", "mg-3129509/lei-1355-1990")
    start = ("set-start", *law, "--act", "Gazeta de 23/08/1990", "--db", upgraded_url)
    asked = ("--article", "47", "--unit-value", "50", "--json", "--db", upgraded_url, "--fact-date")
    fine = ("multa", *law, *asked)
    error = json.loads(run(capsys, *fine, "1990-11-05", code=2))["error"]
    assert (error["class"], "posturas rulebook set-start" in error["remedy"]) == ("LawStartUnknown", True)
    for day in ("1990-10-11", "1991-03-02"):
        assert answer(capsys, *start, "--date", day, code=2)["error"]["code"] == "inicio_de_vigencia_impossivel"
    assert answer(capsys, "show", *law, "--db", upgraded_url)["supplied"] == {"start": None, "end": None}
    assert answer(capsys, *start, "--date", "1990-11-05")["changed"]
    assert not answer(capsys, *start, "--date", "1990-11-05")["changed"]
    fixed = json.loads(run(capsys, *fine, "1990-11-05"))
    assert fixed["amount"] == "25.00"
    assert [w["code"] for w in fixed["warnings"]] == ["inicio_informado", "valor_informado"]
    assert "05/11/1990, como o município informou (Gazeta de 23/08/1990)" in fixed["warnings"][0]["message"]
    assert json.loads(run(capsys, *fine, "1990-11-04", code=2))["error"]["code"] == "lei_ainda_nao_vigente"
    supplied = answer(capsys, "show", *law, "--db", upgraded_url)["supplied"]
    assert supplied["start"] == {"date": "1990-11-05", "act": "Gazeta de 23/08/1990"}
    text = run(capsys, "rulebook", "show", *law, "--db", upgraded_url)
    assert "vigora desde 05/11/1990, como o Município informou (Gazeta de 23/08/1990)" in text


def test_a_reading_chosen_is_the_one_used(capsys: pytest.CaptureFixture[str], upgraded_url: str) -> None:
    option = ("option", "set", "--law", LAW, "--act", "Portaria 2/2013", "--db", upgraded_url, "--option")
    assert answer(capsys, *option, "sem_cominacao", "--value", "art_245")["changed"]
    asked = ("--article", "46", "--quantidade", "7", "--fact-date", "2013-06-10", "--unit-value", "30")
    fine = json.loads(run(capsys, "multa", "--law", LAW, *asked, "--json", "--db", upgraded_url))
    assert (fine["amount"], fine["readings"]["sem_cominacao"]) == ("210.00", "art_245")
    assert answer(capsys, *option, "divida_ativa.inscricoes_por_folha", "--value", "4")["value"] == "4"
    assert answer(capsys, *option, "divida_ativa.authority", "--value", "Fulana de Tal")["changed"]


def test_a_law_does_not_end_while_it_is_held_to_have_been_in_force(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Ibiá's law is held as in force from 01/03/1991, whatever the day on which it began."""
    url, law = f"sqlite:///{tmp_path}/posturas.db", "mg-3129509/lei-1355-1990"
    run(capsys, "db", "upgrade", "--db", url)
    ending = ("set-end", "--law", law, "--act", "L", "--db", url)
    for day in ("1990-12-01", "1991-03-01"):
        found = answer(capsys, *ending, "--date", day, code=2)["error"]
        assert (found["code"], "01/03/1991" in found["message"]) == ("fim_de_vigencia_impossivel", True)
    answer(capsys, *ending, "--date", "1991-03-02")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((*OPTION, "sem_cominacao", "--value", "art_8", "--act", "P"), "chave_de_leitura_invalida"),
        ((*OPTION, "cor", "--value", "x", "--act", "P"), "chave_de_leitura_invalida"),
        ((*SHEETS, "0", "--act", "P"), "valor_da_opcao_invalido"),
        ((*SHEETS, "²", "--act", "P"), "valor_da_opcao_invalido"),
        ((*OPTION, "divida_ativa.office", "--value", " ", "--act", "P"), "valor_da_opcao_invalido"),
        ((*OPTION, "revelia", "--value", "intimacao_direta", "--act", " "), "ato_nao_informado"),
        ((*UNIT, "UFIR", "--from", "2013-01-01", "--value", "1", "--act", "D"), "unidade_desconhecida"),
        ((*UNIT, "VRSGP", "--from", "2013-13-01", "--value", "1", "--act", "D"), "data_invalida"),
        ((*VALUE, "--value", "0", "--act", "D"), "valor_zero"),
        ((*VALUE, "--value", "-1", "--act", "D"), "valor_negativo"),
        ((*VALUE, "--value", "x", "--act", "D"), "valor_nao_numerico"),
        (("set-end", "--date", "2005-07-11", "--act", "L"), "fim_de_vigencia_impossivel"),
        (("set-start", "--date", "2005-07-11", "--act", "L"), "inicio_de_vigencia_impossivel"),
    ],
)  # fmt: skip
def test_what_may_not_be_supplied(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[str, ...], code: str
) -> None:
    url = f"sqlite:///{tmp_path}/posturas.db"
    run(capsys, "db", "upgrade", "--db", url)
    assert answer(capsys, *arguments, "--law", LAW, "--db", url, code=2)["error"]["code"] == code


def test_without_a_database_it_says_what_to_do(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/no.db"
    error = answer(capsys, "set-end", "--law", LAW, "--date", "2015-01-01", "--act", "L", "--db", url, code=2)["error"]
    assert (error["code"], "posturas db upgrade" in error["remedy"]) == ("banco_sem_tabelas", True)
