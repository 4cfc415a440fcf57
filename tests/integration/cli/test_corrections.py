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
    code, out, _ = sao_gabriel("verify", "--deep")
    assert code == 0, out
