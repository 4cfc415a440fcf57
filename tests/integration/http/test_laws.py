"""``/v1/prazos``, ``/v1/multas``, ``/v1/rulebooks``, ``/v1/calendars``: the same answers as the command line."""

from __future__ import annotations

import json
from pathlib import Path

from tests.integration.cli.scenes import LAW, Cli
from tests.integration.http.clients import Client, make_key, problem

ASKED = {"law": LAW, "start": "2013-03-08", "term": "15d", "method": "postal"}


def test_a_term_is_counted_as_the_command_line_counts_it(http: Client, cli: Cli) -> None:
    told = http.post("/v1/prazos", ASKED)
    assert told.status_code == 200, told.text
    options = [word for name, value in ASKED.items() for word in (f"--{name}", value)]
    assert told.json() == cli.json("prazo", *options)
    assert told.json()["due"] == "2013-03-25"
    assert http.post("/v1/prazos", ASKED).json() == told.json()


def test_a_term_that_is_badly_asked_is_refused(http: Client) -> None:
    for changed, code in (
        ({"law": "xx-1/nada"}, "lei_desconhecida"),
        ({"start": "08/03/2013"}, "data_invalida"),
        ({"term": "quinze"}, "prazo_invalido"),
        ({"term": None}, "campo_ausente"),
        ({"method": "pombo"}, "campo_invalido"),
        ({"start": 20130308}, "campo_invalido"),
        ({"extra": 1}, "campo_desconhecido"),
    ):
        problem(http.post("/v1/prazos", {**ASKED, **changed}), 400, code)


def test_the_municipalitys_own_days_count_for_its_keys(http: Client, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "dias.csv"
    file.write_text(
        "date;kind;description;act;published_on\n2013-03-25;fechado;ponto facultativo;Decreto 7/2013;2013-03-11\n"
    )
    code, _, err = cli("calendar", "import", str(file), "--municipality", "3204708")
    assert code == 0, err
    stranger = http.at(make_key(cli.url, municipality="3129509", roles="leitura")[1])
    assert http.post("/v1/prazos", ASKED).json()["due"] == "2013-03-26"
    assert stranger.post("/v1/prazos", ASKED).json()["due"] == "2013-03-25"
    days = {day["date"] for day in http.get("/v1/calendars/3204708/2013").json()["days"]}
    others = {day["date"] for day in stranger.get("/v1/calendars/3204708/2013").json()["days"]}
    assert days - others == {"2013-03-25"}


def test_many_terms_are_counted_line_by_line(http: Client) -> None:
    lines = [{"id": 1, **{k: ASKED[k] for k in ("law", "start", "term")}}, {"id": 2, "start": "x"}]
    body = "".join(json.dumps(line) + "\n" for line in lines) + "não\n"
    told = http.post("/v1/prazos:batch", content=body.encode())
    assert told.headers["content-type"] == "application/x-ndjson"
    first, second, third = (json.loads(line) for line in told.text.splitlines())
    assert (first["id"], first["due"]) == (1, "2013-03-25")
    assert second["error"]["code"] == "linha_invalida"
    assert third["error"]["place"] == "linha 3"


def test_a_fine_is_assessed_with_the_units_value_of_the_keys_own_municipality(http: Client, cli: Cli) -> None:
    asked = {"law": LAW, "article": "64-I", "fact_date": "2013-02-20"}
    told = http.post("/v1/multas", asked)
    assert told.json() == cli.json("multa", "--law", LAW, "--article", "64-I", "--fact-date", "2013-02-20")
    assert told.json()["amount"] == "330.00"
    stranger = http.at(make_key(cli.url, municipality="3129509", roles="leitura")[1])
    problem(stranger.post("/v1/multas", asked), 422, "valor_da_unidade_desconhecido")
    assert stranger.post("/v1/multas", {**asked, "unit_value": "30.00"}).json()["amount"] == "330.00"
    for changed in ({"unit_value": "1e3"}, {"unit_value": "NaN"}, {"quantidade": "x"}, {"reincidente": "sim"}):
        assert http.post("/v1/multas", {**asked, **changed}).status_code == 400
    problem(http.post("/v1/multas", {**asked, "law": "xx-1/nada"}), 400, "lei_desconhecida")


def test_the_laws_are_listed_and_shown(http: Client, cli: Cli) -> None:
    assert http.get("/v1/rulebooks").json() == {"items": cli.json("rulebook", "list")}
    assert http.get(f"/v1/rulebooks/{LAW}").json() == cli.json("rulebook", "show", "--law", LAW)
    article = http.get(f"/v1/rulebooks/{LAW}?article=64-I").json()
    assert article.items() >= cli.json("rulebook", "show", "--law", LAW, "--article", "64-I").items()
    problem(http.get("/v1/rulebooks/xx-1/nada"), 404, "nao_encontrado")


def test_the_offices_year_is_shown(http: Client, cli: Cli) -> None:
    same = cli.json("calendar", "show", "--municipality", "3204708", "--year", "2013")
    assert http.get("/v1/calendars/3204708/2013").json() == same
    problem(http.get("/v1/calendars/9999999/2013"), 404, "nao_encontrado")
    problem(http.get("/v1/calendars/3204708/1950"), 400, "fora_do_calendario")
    problem(http.get("/v1/calendars/3204708/x"), 400, "parametro_invalido")
