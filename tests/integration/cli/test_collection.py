"""``posturas divida-ativa`` after inscription: the book, the forecast, export, protest, update; ``posturas indice``."""

from __future__ import annotations

import csv
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from procedure.services.protest.layout import cra_layout
from tests.integration.cli.scenes import (
    FIRM,
    IBGE,
    LAW,
    Cli,
    inscribed_case,
    judged,
    lavratura,
    record,
    served,
    to_payment,
)

AUTHORITY = {"authority": "Maria Alves", "office": "Procuradora", "act": "Portaria 12/2013"}
PRESENTER = {
    "portador": "582", "cedente": "000123", "agencia": "0001", "cnpj": "27.174.143/0001-76",
    "endereco": "Praça Vicente Glazar, 159", "bairro": "Centro", "cep": "29780-000", "uf": "ES",
}  # fmt: skip
HOME = {"street": "Rua A", "number": "12", "district": "Centro", "city": "São Gabriel da Palha", "uf": "ES"}
SEND = ("divida-ativa", "protesto", "remessa", "--date", "2013-06-03")


def option(cli: Cli, **given: str) -> None:
    for name, value in given.items():
        said = ("--law", LAW, "--option", name.replace("__", "."), "--value", value, "--act", "Decreto 1/2013")
        assert cli("rulebook", "option", "set", *said)[0] == 0


def act(kind: str, on: str, number: str = "1/2013", **fields: Any) -> dict[str, Any]:
    return {
        "act": kind, "date": on, "actor": "procuradora", "role": "procuradoria", "inscription": number, **fields,
    }  # fmt: skip


@pytest.fixture
def register(sao_gabriel: Cli) -> Cli:
    """Two inscriptions of 29/04/2013, the first authenticated on 06/05/2013."""
    option(sao_gabriel, **{f"divida_ativa__{name}": value for name, value in AUTHORITY.items()})
    person = {**FIRM, "address": {**HOME, "cep": "29780-000"}}
    record(sao_gabriel.url, to_payment("1/2013", date(2013, 3, 1), person=person))
    other = {**person, "doc": "529.982.247-25", "kind": "pf"}
    record(sao_gabriel.url, to_payment("2/2013", date(2013, 3, 1), person=other))
    sao_gabriel("sweep", "--as-of", "2013-05-20")
    record(sao_gabriel.url, [act("autenticacao", "2013-05-21")])
    return sao_gabriel


def test_the_book_is_read_livro_by_livro_folha_by_folha(register: Cli) -> None:
    first, second = register.json("divida-ativa", "register")
    assert [(e["livro"], e["folha"], e["number"]) for e in (first, second)] == [(1, 1, "1/2013"), (1, 2, "2/2013")]
    assert (first["notes"][0]["act"], second["notes"]) == ("autenticacao", [])
    assert second["doc_masked"] == "***.982.247-**"
    code, out, _ = register("divida-ativa", "register")
    assert code == 0
    assert out.index("LIVRO 1, FOLHA 1") < out.index("LIVRO 1, FOLHA 2")
    assert "Averbação: 21/05/2013  autenticação da inscrição – procuradora" in out
    assert register.json("divida-ativa", "register", "--livro", "2") == []


def test_the_forecast_warns_by_the_earlier_reading_before_and_after_inscription(sao_gabriel: Cli) -> None:
    notices = [served("1/2013", "ciencia_decisao", "2013-04-05"), served("1/2013", "intimacao_pagamento", "2013-04-24")]
    drawn = [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00"), served("1/2013", "ciencia", "2013-03-08")]
    # Fifteen days from Friday 05/04: the appeal term ended on Monday 22/04; the 48 hours, on Friday 26/04.
    record(sao_gabriel.url, [*drawn, judged("1/2013", "2013-04-01"), *notices])
    sao_gabriel("sweep", "--as-of", "2013-04-28")
    (line,) = sao_gabriel.json("divida-ativa", "forecast", "--on", "2018-01-01", "--within", "180d")
    assert (line["number"], line["status"]) == (None, "vencido")
    assert (line["prescribes_on"], line["warns_on"], line["days_left"]) == ("2018-04-27", "2018-04-23", 112)
    assert sao_gabriel.json("divida-ativa", "forecast", "--on", "2017-01-01") == []
    sao_gabriel("sweep", "--as-of", "2013-05-01")
    (line,) = sao_gabriel.json("divida-ativa", "forecast", "--on", "2018-10-21")
    assert (line["number"], line["prescribes_on"], line["warns_on"]) == ("1/2013", "2018-10-24", "2018-10-20")
    assert (line["days_left"], line["prescribed"]) == (-1, False)
    _, out, _ = sao_gabriel("divida-ativa", "forecast", "--on", "2018-10-25")
    assert "PRESCRITA" in out
    assert sao_gabriel("divida-ativa", "forecast", "--within", "meio ano")[0] == 2


def test_show_tells_each_date_step_by_step(sao_gabriel: Cli) -> None:
    inscribed_case(sao_gabriel.url)
    sao_gabriel("sweep", "--as-of", "2013-05-01")
    found = sao_gabriel.json("divida-ativa", "show", "1/2013")["prescription"]
    adopted = found["readings"][0]
    assert [step["day"] for step in adopted["steps"]] == ["2013-04-27", "2018-04-27", "2018-10-24"]
    _, out, _ = sao_gabriel("divida-ativa", "show", "1/2013")
    assert "Adotada: 24/10/2018" in out
    assert "Lei 6.830/1980" in out
    assert "sem atualização monetária" in out


def test_only_what_is_authenticated_is_exported(register: Cli, tmp_path: Path) -> None:
    lines, table = tmp_path / "d.jsonl", tmp_path / "d.csv"
    told = register.json("divida-ativa", "export", "--out", str(lines), "--on", "2013-06-03")
    assert (told["exported"], told["not_authenticated"]) == (1, ["2/2013"])
    (row,) = [json.loads(line) for line in lines.read_text().splitlines()]
    assert (row["number"], row["saldo"], row["authenticated_on"]) == ("1/2013", "363.00", "2013-05-21")
    assert lines.stat().st_mode & 0o077 == 0
    assert register("divida-ativa", "export", "--out", str(table), "--on", "2013-06-03")[0] == 0
    (again,) = csv.DictReader(table.read_text().splitlines(), delimiter=";")
    assert again["debtor"] == row["debtor"]
    assert register("divida-ativa", "export")[0] == 2


# ---------------------------------------------------------------- update


def test_the_amount_of_a_day_is_told_month_by_month(register: Cli, tmp_path: Path) -> None:
    series = tmp_path / "ipca.csv"
    series.write_bytes("Mês;Variação\n01/05/2013;0,46\n01/06/2013;0,38\n".encode("latin-1"))
    said = ("--name", "IPCA-E", "--source", "IBGE, tabela 3065")
    assert register.json("indice", "import", str(series), *said)["new"] == 2
    assert register.json("indice", "import", str(series), *said)["new"] == 0
    assert register.json("indice", "list")[0]["last"] == "2013-06"
    assert "05/2013  0,46%" in register("indice", "show", "IPCA-E")[1]
    without = register.json("divida-ativa", "show", "1/2013", "--on", "2013-07-15")["balance"]
    assert (without["total"], without["updated"]) == ("363.00", None)
    option(register, atualizacao__ato="Lei 9/2012", atualizacao__indice="IPCA-E", atualizacao__teto="nenhum")
    found = register.json("divida-ativa", "show", "1/2013", "--on", "2013-07-15")["balance"]
    # 363,00 × 1,0046 × 1,0038 = 366,0556…
    assert (found["total"], found["parts"]["atualizacao"]) == ("366.06", "3.06")
    assert [month["month"] for month in found["updated"]["months"]] == ["2013-05", "2013-06"]
    _, out, _ = register("divida-ativa", "show", "1/2013", "--on", "2013-07-15")
    assert "Valor em 15/07/2013: R$ 366,06" in out
    assert "05/2013  índice 0,46%, fator 1,0046" in out
    error = register.json("divida-ativa", "show", "1/2013", "--on", "2013-08-15", code=2)["error"]
    assert error["code"] == "indice_desconhecido"


@pytest.mark.parametrize(
    ("name", "value"),
    [("juros.percentual", "abc"), ("juros.percentual", "100"), ("juros.base", "outra"), ("pagamento.ordem", "multa, x"),
     ("atualizacao.primeiro_mes", "janeiro"), ("protesto.praca", "lua")],
)  # fmt: skip
def test_a_setting_out_of_its_range_is_refused(register: Cli, name: str, value: str) -> None:
    said = ("--law", LAW, "--option", name, "--value", value, "--act", "Decreto 1/2013")
    assert register.json("rulebook", "option", "set", *said, code=2)["error"]["code"] == "valor_da_opcao_invalido"


# ---------------------------------------------------------------- protest


def test_without_the_cra_s_data_nothing_is_sent(register: Cli, tmp_path: Path) -> None:
    found = register.json(*SEND, "--out", str(tmp_path / "cra"), "1/2013", code=2)["error"]
    assert found["code"] == "apresentante_incompleto"
    assert not (tmp_path / "cra").exists()


def sent(register: Cli, folder: Path, *more: str, code: int = 0) -> dict[str, Any]:
    option(register, **{f"protesto__{name}": value for name, value in PRESENTER.items()})
    found: dict[str, Any] = register.json(*SEND, "--out", str(folder), *more, code=code)
    return found


def test_good_titles_go_and_the_others_are_told(register: Cli, tmp_path: Path) -> None:
    told = sent(register, tmp_path, "1/2013", "2/2013", "9/2013", code=1)
    assert (told["name"], told["titles"], told["files"]) == ("B5820306.131", ["1/2013"], ["B5820306.131"])
    refused = {item["title"]: item["code"] for item in told["refused"]}
    assert refused == {"2/2013": "inscricao_nao_autenticada", "9/2013": "inscricao_desconhecida"}
    records = (tmp_path / "B5820306.131").read_bytes().split(b"\r\n")
    assert [len(r) for r in records] == [600, 600, 600, 0]
    (item, _) = register.json("divida-ativa", "list")
    assert item["status"] == "em_protesto"
    again = sent(register, tmp_path, "1/2013", code=1)
    assert (again["titles"], again["refused"][0]["code"]) == ([], "situacao")


def test_a_dry_run_sends_and_numbers_nothing(register: Cli, tmp_path: Path) -> None:
    assert sent(register, tmp_path / "cra", "--all-eligible", "--dry-run")["titles"] == ["1/2013"]
    assert not (tmp_path / "cra").exists()
    assert register.json("divida-ativa", "list")[0]["status"] == "inscrito"
    assert sent(register, tmp_path, "--all-eligible")["number"] == 1


def answered(folder: Path, occurrence: str, day: str = "17062013") -> Path:
    """The remessa's own file as the CRA would send it back, its transaction answered."""
    header, transaction, trailer, _ = (folder / "B5820306.131").read_bytes().split(b"\r\n")
    line = bytearray(transaction)
    for field in cra_layout().transaction:
        if field.name == "ocorrencia":
            line[field.first - 1 : field.last] = occurrence.encode().ljust(field.width)
        if field.name == "data_ocorrencia":
            line[field.first - 1 : field.last] = day.encode()
    back = folder / "R5820306.131"
    back.write_bytes(b"\r\n".join([header, bytes(line), trailer, b""]))
    return back


BRING = ("divida-ativa", "protesto", "retorno")


def test_what_the_cartorio_returned_is_lifted_once(register: Cli, tmp_path: Path) -> None:
    sent(register, tmp_path, "1/2013")
    back = str(answered(tmp_path, "3"))
    assert len(register.json(*BRING, back, "--dry-run")["recorded"]) == 1
    assert register.json("divida-ativa", "list")[0]["status"] == "em_protesto"
    assert len(register.json(*BRING, back)["recorded"]) == 1
    assert register.json("divida-ativa", "list")[0]["status"] == "inscrito"
    told = register.json(*BRING, back)
    assert (len(told["known"]), told["recorded"], told["failed"]) == (1, [], [])


def test_a_protest_made_is_told_and_a_payment_is_left_to_the_treasury(register: Cli, tmp_path: Path) -> None:
    sent(register, tmp_path, "1/2013")
    told = register.json(*BRING, str(answered(tmp_path, "2")))
    assert (len(told["told"]), told["recorded"]) == (1, [])
    assert register.json("divida-ativa", "list")[0]["status"] == "em_protesto"
    told = register.json(*BRING, str(answered(tmp_path, "1")))
    assert (told["paid"][0]["balance"], len(told["recorded"])) == ("363.00", 1)
    assert register.json("auto", "show", "1/2013")["amounts"]["saldo"] == "363.00"


@pytest.mark.parametrize(
    ("field", "value", "said"), [("municipio", "3129509", "município 3129509"), ("portador", "581", "portador 581")]
)
def test_the_file_of_another_lifts_nothing(register: Cli, tmp_path: Path, field: str, value: str, said: str) -> None:
    sent(register, tmp_path, "1/2013")
    back = answered(tmp_path, "3")
    header, rest = back.read_bytes().split(b"\r\n", 1)
    (found,) = (f for f in cra_layout().header if f.name == field)
    line = header[: found.first - 1] + value.encode() + header[found.last :]
    back.write_bytes(line + b"\r\n" + rest)
    code, out, err = register(*BRING, str(back))
    assert (code, out) == (2, "")
    assert said in err
    assert register.json("divida-ativa", "list")[0]["status"] == "em_protesto"


def test_an_answer_whose_key_is_another_title_s_lifts_nothing(register: Cli, tmp_path: Path) -> None:
    sent(register, tmp_path, "1/2013")
    back = answered(tmp_path, "3")
    back.write_bytes(back.read_bytes().replace(b"2013000000001", b"2013000000002"))
    assert register.json(*BRING, str(back), code=1)["failed"][0]["code"] == "nosso_numero_divergente"
    assert register.json("divida-ativa", "list")[0]["status"] == "em_protesto"


def test_a_debt_that_prescribed_is_not_sent_to_protest(register: Cli, tmp_path: Path) -> None:
    # The 48 hours ended on 19/04/2013: five years on, 20/04/2018, and 180 days: 17/10/2018.
    option(register, **{f"protesto__{name}": value for name, value in PRESENTER.items()})
    late = ("divida-ativa", "protesto", "remessa", "1/2013", "--out", str(tmp_path), "--dry-run", "--date")
    assert register.json(*late, "2018-10-17")["titles"] == ["1/2013"]
    assert register.json(*late, "2018-10-18", code=1)["refused"][0]["code"] == "prescrita"


def test_a_name_that_the_layout_cannot_write_holds_back_its_title_alone(register: Cli, tmp_path: Path) -> None:
    other = {**FIRM, "name": "Bar \U0001f37a Ltda", "address": {**HOME, "cep": "29780-000"}}
    record(register.url, to_payment("3/2013", date(2013, 3, 1), person=other))
    register("sweep", "--as-of", "2013-05-20")
    record(register.url, [act("autenticacao", "2013-05-21", "3/2013")])
    told = sent(register, tmp_path, "--all-eligible", code=1)
    assert told["titles"] == ["1/2013"]
    assert [(o["title"], o["code"]) for o in told["refused"]] == [("3/2013", "caractere_fora_do_layout")]


# ---------------------------------------------------------------- import


def test_an_imported_act_finds_its_cases_by_their_inscriptions(register: Cli, tmp_path: Path) -> None:
    file = tmp_path / "atos.jsonl"
    pay = {"act": "pagamento", "date": "2013-06-03", "actor": "caixa", "role": "tesouraria", "amount": "10.00"}
    lines = [
        {"municipality": IBGE, "key": "lote", **act("suspensao", "2013-06-10", ground="ordem_judicial")},
        {"municipality": IBGE, **pay, "inscription": "2/2013"},
        {"municipality": IBGE, **act("suspensao", "2013-06-10", "7/2013", ground="ordem_judicial")},
    ]
    lines[0]["inscriptions"] = ["1/2013", "2/2013"]
    del lines[0]["inscription"]
    file.write_text("\n".join(json.dumps(line) for line in lines))
    told = register.json("import", str(file), code=1)
    assert (told["read"], told["applied"], [r["code"] for r in told["rejected"]]) == (3, 3, ["inscricao_desconhecida"])
    assert [item["status"] for item in register.json("divida-ativa", "list")] == ["suspenso", "suspenso"]
    assert register.json("import", str(file), code=1)["already_known"] == 3


def test_replaying_the_acts_gives_back_the_register(register: Cli, tmp_path: Path) -> None:
    sent(register, tmp_path, "1/2013")
    record(
        register.url,
        [
            act("suspensao", "2013-06-10", ground="ordem_judicial"),
            act("retorno", "2013-06-20"),
            {**act("pagamento", "2013-06-21", amount="100.00"), "role": "tesouraria"},
            {**act("reconhecimento", "2013-06-22"), "role": "autuado"},
            act("parcelamento", "2013-07-01"),
            act("parcelamento_rompido", "2013-09-02"),
            act("ajuizamento", "2013-10-01", reference="0001234-55.2013.8.08.0045"),
        ],
    )
    code, out, err = register("verify", "--deep")
    assert (code, err) == (0, ""), out
