"""``posturas auto``: show, list, act."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.integration.cli.scenes import (
    CPF,
    CPF_MASKED,
    FIRM,
    IBGE,
    PERSON,
    Cli,
    inscribed_case,
    judged,
    lavratura,
    opened,
    record,
    served,
    to_payment,
)

SHOW_KEYS = {
    "auto", "municipality", "law", "rulebook_version", "state", "tracks", "infrator", "fact", "deadlines", "amounts",
    "assessment", "acts", "inscricao", "allowed_acts",
}  # fmt: skip
DEADLINE_KEYS = {"kind", "status", "starts_on", "first_counted", "due", "due_at", "expires_on", "article"}
ACT_KEYS = {"seq", "act", "date", "recorded_at", "actor", "role", "hash"}


def test_show_gives_the_contract_s_keys_and_the_issue_s_dates_and_amounts(sao_gabriel: Cli) -> None:
    inscribed_case(sao_gabriel.url)
    sao_gabriel("sweep", "--as-of", "2013-05-01")
    doc = sao_gabriel.json("auto", "show", "1/2013")
    assert set(doc) >= SHOW_KEYS
    assert doc["state"] == "inscrito"
    assert doc["tracks"] == {"principal": "inscrito", "registro": "em_cobranca"}
    assert doc["amounts"] == {
        "arbitrada": "330.00",
        "acrescimo": "33.00",
        "diaria": "0.00",
        "custos": "0.00",
        "pago": "0.00",
        "desconto": "0.00",
        "saldo": "363.00",
    }
    assert all(set(item) >= DEADLINE_KEYS for item in doc["deadlines"])
    assert [(d["kind"], d["starts_on"], d["first_counted"], d["due"], d["status"]) for d in doc["deadlines"]] == [
        ("defesa", "2013-03-08", "2013-03-11", "2013-03-25", "vencido"),
        ("recurso", "2013-04-02", "2013-04-03", "2013-04-17", "vencido"),
        ("pagamento", "2013-04-24", "2013-04-25", "2013-04-26", "vencido"),
    ]
    assert all(set(act) >= ACT_KEYS for act in doc["acts"])
    assert [a["act"] for a in doc["acts"]][-3:] == ["decurso_pagamento", "acrescimo", "inscricao"]
    assert doc["acts"][-1]["date"].startswith("2013-04-29T00:00:00")
    inscription = {name: doc["inscricao"][name] for name in ("number", "date", "livro", "folha", "amount", "status")}
    assert inscription == {
        "number": "1/2013",
        "date": "2013-04-29",
        "livro": 1,
        "folha": 1,
        "amount": "363.00",
        "status": "inscrito",
    }
    assert doc["allowed_acts"] == [  # not yet authenticated: neither protest nor court
        "pagamento", "cancelamento", "anulacao", "quitacao", "reconhecimento", "autenticacao", "suspensao",
        "parcelamento",
    ]  # fmt: skip
    assert doc["next_engine_act"] is None


def test_what_is_absent_is_null(sao_gabriel: Cli) -> None:
    record(sao_gabriel.url, [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00")])
    doc = sao_gabriel.json("auto", "show", "1/2013")
    assert doc["assessment"] is None
    assert doc["inscricao"] is None
    assert doc["deadlines"] == []
    assert doc["fact"]["until"] is None
    assert doc["amounts"]["saldo"] == "0.00"


def test_a_term_that_runs_says_what_the_engine_will_do_when_it_ends(sao_gabriel: Cli) -> None:
    record(
        sao_gabriel.url,
        [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00"), served("1/2013", "ciencia", "2013-03-08")],
    )
    doc = sao_gabriel.json("auto", "show", "1/2013")
    assert doc["next_engine_act"] == {"act": "decurso_defesa", "date": "2013-03-26"}
    steps = doc["deadlines"][0]["steps"]
    assert [s["kind"] for s in steps] == [
        "excluido", "pulado", "pulado", "primeiro_dia", "ultimo_dia", "vencimento"
    ]  # fmt: skip
    assert [s["from"] for s in steps][:4] == ["2013-03-08", "2013-03-09", "2013-03-10", "2013-03-11"]


def test_the_text_tells_the_case_in_portuguese(sao_gabriel: Cli) -> None:
    inscribed_case(sao_gabriel.url)
    sao_gabriel("sweep", "--as-of", "2013-05-01")
    code, out, err = sao_gabriel("auto", "show", "1/2013")
    assert (code, err) == (0, "")
    for line in (
        "AUTO DE INFRAÇÃO Nº 1/2013 – São Gabriel da Palha/ES",
        "Autuado    Bar do Zé Ltda, CNPJ 11.222.333/0001-81",
        "Inscrito em dívida ativa (revel)",
        "A pagar: R$ 363,00 (multa R$ 330,00; acréscimo R$ 33,00)",
        "vence em segunda-feira, 25/03/2013, às 23:59",
        "11 VRSGP × R$ 30,00 = R$ 330,00",
        "Inscrição nº 1/2013, de 29/04/2013, livro 1, folha 1",
        "fim do prazo para pagar, pelo sistema",
    ):
        assert line in out
    assert "_" not in out


def test_recidivism_is_shown_with_its_reasons(sao_gabriel: Cli) -> None:
    inscribed_case(sao_gabriel.url)
    record(
        sao_gabriel.url,
        [
            lavratura("2/2013", "2013-05-21", fact="2013-05-20T22:00"),
            served("2/2013", "ciencia", "2013-05-22"),
            judged("2/2013", "2013-07-01"),
        ],
    )
    doc = sao_gabriel.json("auto", "show", "2/2013")
    assert doc["amounts"]["arbitrada"] == "660.00"
    assert [(e["auto"], e["counted"]) for e in doc["evidence"][0]["evidence"]] == [("1/2013", True)]
    _, out, _ = sao_gabriel("auto", "show", "2/2013")
    assert "Auto 1/2013, fato de 20/02/2013: conta" in out
    assert "11 VRSGP × R$ 30,00 × 2 = R$ 660,00" in out


def test_an_undone_term_is_in_the_history_only(sao_gabriel: Cli) -> None:
    record(
        sao_gabriel.url,
        [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00"), served("1/2013", "ciencia", "2013-03-08")],
    )
    sao_gabriel("sweep", "--as-of", "2013-03-26")
    late = {"auto": "1/2013", "act": "defesa", "date": "2013-03-20", "actor": "Zé", "role": "autuado"}
    record(sao_gabriel.url, [late])
    in_force = sao_gabriel.json("auto", "show", "1/2013")["deadlines"]
    assert [(d["kind"], d["status"]) for d in in_force] == [("defesa", "cumprido"), ("impugnacao", "aberto")]
    every = sao_gabriel.json("auto", "show", "1/2013", "--history")["deadlines"]
    assert [(d["kind"], d["status"], d["undone"]) for d in every] == [
        ("defesa", "cancelado", True),
        ("defesa", "cumprido", False),
        ("impugnacao", "aberto", False),
    ]
    assert every[1]["supersedes"] == every[0]["number"]
    assert every[1]["steps"] == every[0]["steps"] != []


def test_a_cpf_is_masked_in_lists_and_whole_in_the_case_itself(sao_gabriel: Cli) -> None:
    record(sao_gabriel.url, [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00", person=PERSON)])
    for form in ((), ("--json",)):
        _, out, _ = sao_gabriel("auto", "list", *form)
        assert CPF_MASKED in out
        assert CPF not in out
        assert "529" not in out
    assert sao_gabriel.json("auto", "show", "1/2013")["infrator"]["doc"] == CPF
    assert "529.982.247-25" in sao_gabriel("auto", "show", "1/2013")[1]
    assert sao_gabriel.json("auto", "list", "--unmask")[0]["doc"] == CPF


def test_an_erased_person_gives_nulls(sao_gabriel: Cli) -> None:
    from procedure.store.engine import session_scope
    from procedure.store.repository import SqlRepository

    record(sao_gabriel.url, [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00", person=PERSON)])
    with opened(sao_gabriel.url) as engine, session_scope(engine) as session:
        repo = SqlRepository(session)
        case = repo.load(IBGE, ["1/2013"], lock=False)["1/2013"]
        repo.erase_person(IBGE, str(case.person_id), "2020-01-01T00:00:00-03:00")
    person = sao_gabriel.json("auto", "show", "1/2013")["infrator"]
    assert (person["name"], person["doc"], person["kind"], person["address"]) == (None, None, None, None)
    _, out, _ = sao_gabriel("auto", "show", "1/2013")
    assert "dados pessoais apagados" in out
    assert sao_gabriel.json("auto", "list")[0]["infrator"] is None


def test_list_by_state_and_by_due_day(sao_gabriel: Cli) -> None:
    record(
        sao_gabriel.url,
        [
            lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00"),
            lavratura("2/2013", "2013-03-01", fact="2013-02-20T23:00"),
            served("2/2013", "ciencia", "2013-03-08"),  # defence due 25/03
            lavratura("3/2013", "2013-03-01", fact="2013-02-20T23:30"),
            served("3/2013", "ciencia", "2013-03-07"),  # defence due 22/03
        ],
    )

    def autos(*args: str) -> list[str]:
        return [item["auto"] for item in sao_gabriel.json("auto", "list", *args)]

    assert autos() == ["1/2013", "2/2013", "3/2013"]
    assert autos("--state", "lavrado") == ["1/2013"]
    assert autos("--due-within", "15d", "--as-of", "2013-03-10") == ["3/2013", "2/2013"]
    assert autos("--due-within", "12d", "--as-of", "2013-03-10") == ["3/2013"]
    assert autos("--due-until", "2013-03-24") == ["3/2013"]
    assert autos("--due-until", "2013-03-25", "--as-of", "2013-03-23") == ["2/2013"]
    listed = sao_gabriel.json("auto", "list", "--state", "aguardando_defesa")[0]
    assert listed["next_deadline"] == {
        "kind": "defesa",
        "due": "2013-03-25",
        "due_at": "2013-03-25T23:59:59-03:00",
        "article": "24",
    }


@pytest.mark.parametrize(
    "args",
    [
        ("--state", "nenhum"),
        ("--due-within", "2m"),
        ("--due-within", "15d", "--due-until", "2013-01-01"),
        ("--as-of", "ontem"),
        ("--due-until", "ontem"),
        ("sobra",),
    ],
)
def test_list_refuses_what_it_does_not_understand(cli: Cli, args: tuple[str, ...]) -> None:
    assert cli("auto", "list", *args)[0] == 2


def test_an_act_from_a_file_is_recorded(sao_gabriel: Cli, tmp_path: Path) -> None:
    path = tmp_path / "ato.json"
    act = {"municipality": IBGE, **lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00")}
    path.write_text("\ufeff" + json.dumps(act, ensure_ascii=False), encoding="utf-8")
    assert sao_gabriel.json("auto", "act", str(path))["state"] == "lavrado"
    done = sao_gabriel.json("auto", "act", "-", stdin=json.dumps(served("1/2013", "ciencia", "2013-03-08")))
    assert (done["state"], [a["seq"] for a in done["acts"]]) == ("aguardando_defesa", [2])
    assert [(d["kind"], d["due"]) for d in done["deadlines"]] == [("defesa", "2013-03-25")]


def test_an_act_from_the_command_line_is_recorded_with_fields_after_the_options(sao_gabriel: Cli) -> None:
    common = ("--auto", "1/2013", "--date", "2013-03-01", "--actor", "F. Lima", "--role", "fiscal")
    fields = (
        "infrator.name=Ana Souza", "infrator.doc=529.982.247-25", "infrator.address.street=Rua B",
        "fact.date=2013-02-20T22:00", "fact.place=Praça", "fact.article=64-I", "fact.description=Som alto",
        "perigo_iminente=risco", "signature.by=recusa", "signature.witnesses=Um", "signature.witnesses=Dois",
        "evidence=[]",
    )  # fmt: skip
    code, out, err = sao_gabriel(
        "auto", "act", "--municipality", IBGE, "--act", "lavratura", *common, *fields, "--set", "grau=medio"
    )
    assert (code, err) == (0, "")
    assert "ato 1: lavratura do auto, de 01/03/2013" in out
    code, out, _ = sao_gabriel(
        "auto", "act", "--act", "ciencia", "--auto", "1/2013", "--date", "2013-03-08", "--actor", "F", "--role",
        "fiscal", "method=postal", "received=2013-03-08", "juntada=2013-03-08",
    )  # fmt: skip
    assert code == 0
    assert "abre prazo de defesa (art. 24), 1º dia 11/03/2013: vence em segunda-feira, 25/03/2013, às 23:59" in out


def test_the_same_key_twice_is_one_act(sao_gabriel: Cli) -> None:
    act = json.dumps({"municipality": IBGE, "key": "k1", **lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00")})
    assert sao_gabriel.json("auto", "act", "-", stdin=act)["known"] is False
    again = sao_gabriel.json("auto", "act", "-", stdin=act)
    assert (again["known"], again["acts"]) == (True, [])
    assert len(sao_gabriel.json("auto", "show", "1/2013")["acts"]) == 1


def test_every_defect_of_an_act_is_said_at_once_and_nothing_is_recorded(sao_gabriel: Cli) -> None:
    act = {"municipality": IBGE, **lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00")}
    del act["signature"], act["perigo_iminente"]
    act["fact"] = {"date": "2013-02-20T22:00", "article": "64-I"}
    found = sao_gabriel.json("auto", "act", "-", stdin=json.dumps(act), code=2)["error"]
    assert [e["code"] for e in found["errors"]].count("elemento_ausente") >= 3
    assert "notificacao_previa_ausente" in [e["code"] for e in found["errors"]]
    code, out, err = sao_gabriel("auto", "act", "-", stdin=json.dumps(act))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == len(found["errors"])
    assert sao_gabriel.json("auto", "list") == []


@pytest.mark.parametrize(
    ("args", "stdin"),
    [
        (("nao_existe.json",), None),
        (("-",), "{"),
        (("-",), "[1]"),
        (("-",), ""),
        ((), None),
        (("--act", "defesa", "sem_igual"), None),
        (("--act", "defesa", "by=[1"), None),
        (("--act", "defesa", "a=1", "a.b=2"), None),
        (("--act", "voar", "--auto", "1"), None),
    ],
)
def test_a_badly_written_act_is_a_typed_error(cli: Cli, args: tuple[str, ...], stdin: str | None) -> None:
    code, out, _ = cli("auto", "act", *args, "--json", stdin=stdin)
    assert code == 2
    assert set(json.loads(out)["error"]) >= {"code", "class", "message", "place", "remedy"}


def test_an_act_out_of_place_names_the_acts_that_are_allowed(sao_gabriel: Cli) -> None:
    record(sao_gabriel.url, [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00")])
    act = {"auto": "1/2013", "act": "recurso", "date": "2013-03-05", "actor": "Zé", "role": "autuado"}
    found = sao_gabriel.json("auto", "act", "-", stdin=json.dumps(act), code=2)["error"]
    assert found["code"] == "ato_nao_permitido"
    assert "ciencia (fiscal" in found["remedy"]


def test_an_empty_database_answers_at_once(cli: Cli) -> None:
    assert cli.json("auto", "list") == []
    assert cli.json("auto", "list", "--due-within", "15d") == []
    assert cli.json("auto", "show", "1/2013", code=2)["error"]["code"] == "auto_desconhecido"


@pytest.mark.parametrize(
    "command",
    [
        ("auto", "list"),
        ("auto", "show", "1"),
        ("sweep", "--as-of", "2013-01-01"),
        ("divida-ativa", "list"),
        ("divida-ativa", "show", "1/2013"),
        ("verify",),
    ],
)
def test_without_tables_the_remedy_is_the_upgrade(
    database_url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    code, out, err = Cli(database_url, capsys, monkeypatch)(*command)
    assert (code, out) == (2, "")
    assert "rode posturas db upgrade" in err


def test_with_two_municipalities_the_choice_is_asked(sao_gabriel: Cli) -> None:
    record(sao_gabriel.url, to_payment("1/2013", date(2013, 3, 1)))
    with opened(sao_gabriel.url) as engine, engine.begin() as connection:
        columns = [row[0] for row in connection.execute(text("SELECT * FROM posturas_cases")).cursor.description]  # type: ignore[union-attr]  # a SELECT has one
        others = ", ".join(c for c in columns if c != "municipality")
        connection.execute(
            text(f"INSERT INTO posturas_cases (municipality, {others}) SELECT '3129509', {others} FROM posturas_cases")
        )
    commands = (
        ("auto", "list"), ("auto", "show", "1/2013"), ("divida-ativa", "list"), ("divida-ativa", "show", "1/2013"),
        ("verify", "--auto", "1/2013"),
    )  # fmt: skip
    for command in commands:
        found = sao_gabriel.json(*command, code=2)["error"]
        assert found["code"] == "municipio_a_escolher"
        assert "3129509, 3204708" in found["remedy"]
    assert len(sao_gabriel.json("auto", "list", "--municipality", IBGE)) == 1
    assert sao_gabriel.json("auto", "list", "--municipality", "32", code=2)["error"]["code"] == "campo_invalido"


def test_the_firm_s_name_never_reaches_a_message(sao_gabriel: Cli) -> None:
    record(sao_gabriel.url, to_payment("1/2013", date(2013, 3, 1)))
    _, out, err = sao_gabriel("sweep", "--as-of", "2014-01-01")
    _, more, again = sao_gabriel("verify", "--deep")
    assert FIRM["name"] not in out + err + more + again


def test_another_reading_of_a_term_is_shown_in_words(sao_gabriel: Cli) -> None:
    """Joined on Saturday 09/03/2013: due 26/03; by the other reading 25/03 (the issue's second right answer)."""
    record(
        sao_gabriel.url,
        [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00"), served("1/2013", "ciencia", "2013-03-09")],
    )
    (term,) = sao_gabriel.json("auto", "show", "1/2013")["deadlines"]
    assert (term["starts_on"], term["first_counted"], term["due"]) == ("2013-03-11", "2013-03-12", "2013-03-26")
    assert [other["due"] for other in term["alternatives"]] == ["2013-03-25"]
    _, out, _ = sao_gabriel("auto", "show", "1/2013")
    assert "outra leitura: 25/03/2013 (a ciência em dia fechado vale nesse dia" in out


def test_a_filing_in_dispute_is_said_and_left_to_the_decision(sao_gabriel: Cli) -> None:
    record(
        sao_gabriel.url,
        [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00"), served("1/2013", "ciencia", "2013-03-09")],
    )
    sao_gabriel("sweep", "--as-of", "2013-03-27")
    late = {"auto": "1/2013", "act": "defesa", "date": "2013-03-28", "actor": "Zé", "role": "autuado"}
    record(sao_gabriel.url, [late])
    doc = sao_gabriel.json("auto", "show", "1/2013")
    assert [(f["act"], f["timeliness"], f["decided"], f["moved"]) for f in doc["timeliness"]] == [
        ("defesa", "intempestiva", None, False)
    ]
    assert doc["flags"] == ["revel"]
    _, out, _ = sao_gabriel("auto", "show", "1/2013")
    assert "Defesa de 28/03/2013: fora do prazo (a decidir)" in out


def test_a_payment_before_the_judgment_is_a_deposit_and_then_a_credit(sao_gabriel: Cli) -> None:
    paid = {"auto": "1/2013", "act": "pagamento", "date": "2013-03-10", "actor": "T", "role": "tesouraria"}
    record(
        sao_gabriel.url,
        [
            lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00"),
            served("1/2013", "ciencia", "2013-03-08"),
            {**paid, "amount": "400.00"},
        ],
    )
    doc = sao_gabriel.json("auto", "show", "1/2013")
    assert (doc["deposit"], doc["credit"], doc["amounts"]["saldo"]) == ("400.00", "0.00", "0.00")
    record(sao_gabriel.url, [judged("1/2013", "2013-04-01")])
    doc = sao_gabriel.json("auto", "show", "1/2013")
    # 330,00 arbitrated, 400,00 deposited: the rest is the payer's.
    assert (doc["deposit"], doc["credit"], doc["amounts"]["saldo"]) == ("0.00", "70.00", "0.00")
    _, out, _ = sao_gabriel("auto", "show", "1/2013")
    assert "Crédito de quem pagou: R$ 70,00" in out
