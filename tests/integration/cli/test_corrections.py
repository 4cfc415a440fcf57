"""The past corrected from the command line: what an act would undo, what waits for it, who forgave what."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

from tests.integration.cli.scenes import IBGE, Cli, inscribed_case, judged, lavratura, record, served, to_payment

PAID: dict[str, Any] = {
    "municipality": IBGE, "auto": "1/2013", "act": "pagamento", "date": "2013-04-26", "actor": "Banco",
    "role": "tesouraria", "amount": "330.00",
}  # fmt: skip


def written(tmp_path: Path, *acts: dict[str, Any]) -> str:
    """A file of acts, one per line."""
    path = tmp_path / "atos.jsonl"
    path.write_text("\n".join(json.dumps(act) for act in acts), encoding="utf-8")
    return str(path)


def inscribed(cli: Cli) -> None:
    """Inscribed on Monday 29/04/2013 for 363,00: 48 hours had ended on Friday 26/04."""
    inscribed_case(cli.url)
    cli("sweep", "--as-of", "2013-05-02")


def test_a_rehearsal_tells_the_reach_and_writes_nothing(sao_gabriel: Cli, tmp_path: Path) -> None:
    inscribed(sao_gabriel)
    before = sao_gabriel.json("auto", "show", "1/2013")
    doc = sao_gabriel.json("auto", "act", written(tmp_path, PAID), "--dry-run")
    assert (doc["dry_run"], doc["state"]) == (True, "pago")
    reach = doc["reach"]
    assert [a["act"] for a in reach["undone"]] == ["decurso_pagamento", "acrescimo", "inscricao"]
    assert reach["inscriptions"] == [{"inscription": "1/2013", "ground": "ato_tempestivo_registrado_depois"}]
    assert (reach["amounts"]["before"]["saldo"], reach["amounts"]["after"]["saldo"]) == ("363.00", "0.00")
    assert [(t["kind"], t["due"]) for t in reach["reopened"]] == [("pagamento", "2013-04-26")]
    assert sao_gabriel.json("auto", "show", "1/2013") == before


def test_the_same_act_for_people_then_in_earnest(sao_gabriel: Cli, tmp_path: Path) -> None:
    inscribed(sao_gabriel)
    path = written(tmp_path, PAID)
    _, out, _ = sao_gabriel("auto", "act", path, "--dry-run")
    assert out.startswith("Ensaio: nada foi gravado.")
    assert "cancela a inscrição 1/2013 (ato tempestivo registrado depois)" in out
    assert "acréscimo: de R$ 33,00 para R$ 0,00" in out
    assert sao_gabriel.json("auto", "act", path)["reach"]["state"] == {"from": "inscrito", "to": "pago"}
    assert sao_gabriel.json("auto", "show", "1/2013")["inscricao"]["status"] == "cancelado"
    code, out, _ = sao_gabriel("verify", "--deep")
    assert code == 0, out


def test_an_import_is_rehearsed_whole(sao_gabriel: Cli, tmp_path: Path) -> None:
    inscribed(sao_gabriel)
    before = sao_gabriel.json("auto", "list")
    path = written(tmp_path, PAID, {**PAID, "auto": "9/2013"})
    code, out, _ = sao_gabriel("import", path, "--dry-run", "--json")
    doc = json.loads(out)
    assert (code, doc["dry_run"], doc["applied"]) == (1, True, 1)
    assert [(u["line"], u["auto"], u["state"]["to"]) for u in doc["undone"]] == [(1, "1/2013", "pago")]
    assert [r["code"] for r in doc["rejected"]] == ["auto_desconhecido"]
    assert sao_gabriel.json("auto", "list") == before
    _, out, _ = sao_gabriel("import", path)
    assert "desfaz: fim do prazo para pagar, de 27/04/2013" in out
    assert sao_gabriel.json("auto", "show", "1/2013")["state"] == "pago"


def test_who_forgave_what_with_whom_and_on_what_ground(sao_gabriel: Cli) -> None:
    record(sao_gabriel.url, to_payment("1/2013", date(2013, 3, 1)))
    sao_gabriel("sweep", "--as-of", "2013-05-02")  # 330,00 + 33,00, inscribed
    record(
        sao_gabriel.url,
        [
            lavratura("2/2013", "2013-05-21", fact="2013-05-20T22:00"), served("2/2013", "ciencia", "2013-05-22"),
            judged("2/2013", "2013-07-01"),
        ],
    )  # fmt: skip
    two = {"actor": "S. Reis", "role": "secretario", "second_person": "P. Luz", "grounds": "fiscal sem designação"}
    record(
        sao_gabriel.url,
        [{**two, "auto": "1/2013", "act": "anulacao", "date": "2013-07-02", "ground": "incompetencia"}],
    )
    waiting = sao_gabriel.json("auto", "list", "--pending", "recalcular_multa")
    assert [(line["auto"], line["pending"]) for line in waiting] == [("2/2013", ["recalcular_multa"])]
    every = sao_gabriel.json("auto", "list")  # the key is always there
    assert [(line["auto"], line["pending"]) for line in every] == [("1/2013", []), ("2/2013", ["recalcular_multa"])]
    why = {**two, "ground": "antecedente_que_caiu"}
    record(sao_gabriel.url, [{**why, "auto": "2/2013", "act": "recalculo_multa", "date": "2013-07-03"}])
    assert sao_gabriel.json("auto", "list", "--pending", "recalcular_multa") == []
    doc = sao_gabriel.json("audit")
    assert [(a["auto"], a["act"], a["ground"], a["amount"]) for a in doc["acts"]] == [
        ("1/2013", "anulacao", "incompetencia", "363.00"),
        ("2/2013", "recalculo_multa", "antecedente_que_caiu", "330.00"),
    ]
    assert doc["by_person"] == [
        {"name": "P. Luz", "acts": 2, "amount": "693.00"}, {"name": "S. Reis", "acts": 2, "amount": "693.00"},
    ]  # fmt: skip
    assert doc["total"] == "693.00"
    one_day = sao_gabriel.json("audit", "--from", "2013-07-03", "--until", "2013-07-03")
    assert [a["auto"] for a in one_day["acts"]] == ["2/2013"]
    _, out, _ = sao_gabriel("audit")
    assert "S. Reis e P. Luz; incompetência" in out
    mistaken = {**two, "annuls": "anulacao", "ground": "erro_de_lancamento"}
    record(sao_gabriel.url, [{**mistaken, "auto": "1/2013", "act": "anulacao", "date": "2013-07-04"}])
    assert [line["auto"] for line in sao_gabriel.json("auto", "list", "--pending", "recalcular_multa")] == ["2/2013"]
    code, out, _ = sao_gabriel("verify", "--deep")
    assert code == 0, out


TWO = {"actor": "S. Reis", "role": "secretario", "second_person": "P. Luz", "grounds": "lavrado sem testemunhas"}


def test_annulling_the_whole_auto_is_told_before_it_is_done(sao_gabriel: Cli, tmp_path: Path) -> None:
    inscribed(sao_gabriel)
    act = {"municipality": IBGE, "auto": "1/2013", "act": "anulacao", "date": "2013-06-03", "ground": "vicio_de_forma"}
    path = written(tmp_path, {**act, **TWO})
    _, out, _ = sao_gabriel("auto", "act", path, "--dry-run")
    assert "cancela a inscrição 1/2013 (vício de forma)" in out
    assert "a pagar: de R$ 363,00 para R$ 0,00" in out
    assert "estado: de inscrito em dívida ativa para anulado" in out
    reach = sao_gabriel.json("auto", "act", path)["reach"]
    assert (reach["undone"], reach["inscriptions"]) == ([], [{"inscription": "1/2013", "ground": "vicio_de_forma"}])
    _, out, _ = sao_gabriel("auto", "show", "1/2013")
    assert "anulação; de todo o auto; com P. Luz" in out
    assert "prescreve" not in out  # a cancelled inscription has nothing left to prescribe
    record(sao_gabriel.url, [{**lavratura("2/2013", "2013-06-04", fact="2013-02-20T22:00"), "reissues": "1/2013"}])
    assert "Refaz o auto nº 1/2013" in sao_gabriel("auto", "show", "2/2013")[1]
    assert "Refeito no auto nº 2/2013" in sao_gabriel("auto", "show", "1/2013")[1]


def test_the_annulment_of_an_act_is_not_called_the_auto_s(sao_gabriel: Cli) -> None:
    inscribed(sao_gabriel)
    act = {"auto": "1/2013", "act": "anulacao", "date": "2013-06-03", "annuls": "ciencia", "ground": "vicio_de_ciencia"}
    record(sao_gabriel.url, [{**act, **TWO}])
    _, out, _ = sao_gabriel("auto", "show", "1/2013")
    assert "anulação; anula ciência do auto, ato 2; com P. Luz" in out
    assert "anulação do auto;" not in out


def test_what_was_recorded_again_is_counted_once_and_what_fell_not_at_all(sao_gabriel: Cli) -> None:
    """660,00 lowered to 330,00; a payment of the due day, typed later, undoes the inscription and repeats that."""
    record(sao_gabriel.url, to_payment("1/2013", date(2013, 3, 1)))
    sao_gabriel("sweep", "--as-of", "2013-05-02")
    record(
        sao_gabriel.url,
        [
            lavratura("2/2013", "2013-05-21", fact="2013-05-20T22:00"), served("2/2013", "ciencia", "2013-05-22"),
            judged("2/2013", "2013-07-01"), served("2/2013", "ciencia_decisao", "2013-07-02"),
            served("2/2013", "intimacao_pagamento", "2013-08-05"),
        ],
    )  # fmt: skip
    sao_gabriel("sweep", "--as-of", "2013-08-20")
    lowered = {"auto": "2/2013", "act": "recalculo_multa", "date": "2013-09-03", "ground": "antecedente_que_caiu"}
    record(
        sao_gabriel.url,
        [
            {**TWO, "auto": "1/2013", "act": "anulacao", "date": "2013-09-02", "ground": "incompetencia"},
            {**TWO, **lowered}, {**PAID, "auto": "2/2013", "date": "2013-08-07"},
        ],
    )  # fmt: skip
    doc = sao_gabriel.json("audit")
    assert [(a["auto"], a["act"], a["amount"], a["stands"]) for a in doc["acts"]] == [
        ("1/2013", "anulacao", "363.00", True), ("2/2013", "recalculo_multa", "330.00", True),
    ]  # fmt: skip
    assert doc["total"] == "693.00"
    wrong = {"auto": "2/2013", "act": "anulacao", "date": "2013-09-04", "annuls": "recalculo_multa"}
    record(sao_gabriel.url, [{**TWO, **wrong, "ground": "erro_de_lancamento"}])
    doc = sao_gabriel.json("audit")
    assert [(a["act"], a["stands"]) for a in doc["acts"]] == [
        ("anulacao", True), ("recalculo_multa", False), ("anulacao", True),
    ]  # fmt: skip
    assert doc["total"] == "363.00"
    assert "R$ 330,00 (desfeito: não se soma)" in sao_gabriel("audit")[1]
    code, out, _ = sao_gabriel("verify", "--deep")
    assert code == 0, out


def test_the_terms_that_open_again_are_those_of_the_law(sao_gabriel: Cli, tmp_path: Path) -> None:
    """100,00 of the due day, typed later: the inscription is written again, and no term of a person's opens."""
    inscribed(sao_gabriel)
    reach = sao_gabriel.json("auto", "act", written(tmp_path, {**PAID, "amount": "100.00"}), "--dry-run")["reach"]
    assert [a["act"] for a in reach["undone"]] == ["inscricao"]
    assert reach["reopened"] == []
    assert reach["amounts"]["after"]["saldo"] == "263.00"


def test_two_terms_that_one_notice_opened_are_given_back_together(sao_gabriel: Cli, tmp_path: Path) -> None:
    """Ibiá: ten days to pay (art. 115, § 2º) and twenty to defend (art. 128) from one intimation, of 10/05/2024. The
    25,00 (50% of 50,00, art. 61) were paid on the tenth day, 20/05, and typed after the inscription.
    """
    ibia, law = "3129509", "mg-3129509/lei-1355-1990"
    unit = ("--unit", "UF", "--from", "2013-01-01", "--value", "50.00", "--act", "Decreto de teste")
    assert sao_gabriel("rulebook", "unit", "set", "--law", law, *unit)[0] == 0
    person = {"name": "José Tavares", "doc": "529.982.247-25", "kind": "pf", "address": {"street": "Rua Três"}}
    fact = {"date": "2024-05-01T10:00", "place": "Rua Três", "article": "47", "description": "Obra sem licença."}
    auto = {"municipality": ibia, "auto": "1/2024"}
    opening = {"act": "lavratura", "date": "2024-05-02", "actor": "F. Lima", "role": "fiscal", "infrator": person}
    notice = {"act": "intimacao", "date": "2024-05-10", "actor": "Cadastro", "role": "setor_cadastro"}
    served_by_hand = {"method": "pessoal", "received": "2024-05-10", "signed_by": "autuado"}
    paid = {**PAID, **auto, "date": "2024-05-20", "amount": "25.00"}
    first = {**auto, **opening, "fact": fact, "signature": {"by": "autuado"}}
    sao_gabriel.json("import", written(tmp_path, first, {**auto, **notice, **served_by_hand}))
    sao_gabriel.json("sweep", "--as-of", "2024-06-10", "--municipality", ibia)
    reach = sao_gabriel.json("auto", "act", written(tmp_path, paid))["reach"]
    assert reach["state"] == {"from": "inscrito", "to": "pago"}
    assert [(t["kind"], t["due"]) for t in reach["reopened"]] == [
        ("defesa", "2024-05-30"), ("pagamento_voluntario", "2024-05-20"),
    ]  # fmt: skip
    code, out, err = sao_gabriel("verify", "--deep")
    assert (code, err) == (0, ""), out + err
