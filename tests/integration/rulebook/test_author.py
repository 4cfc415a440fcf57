"""What who encodes a law types, and a law that does not ship, from its acts to the dívida ativa."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from procedure.cli.main import main
from tests.unit.rulebook.conftest import no_laws_left  # noqa: F401  # a fixture
from tests.unit.rulebook.invented import ANSWERS, LAW, folder, text

pytestmark = pytest.mark.usefixtures("no_laws_left")
WHO = ("--municipality", "3599999", "--uf", "SP", "--name", "Serra Bonita", "--norm", "Lei 100/2001")
FILLED = [part for name, answer in ANSWERS.items() for part in ("--set", f"{name}={answer}")]
CASES = """
[person.bar]
name = "Bar"
doc = "11.222.333/0001-81"
address = { street = "Rua A" }
[units]
UFSB = "20.00"
[[case]]
id = "multa"
sentence = "A multa é de 10 UFSB."
steps = [
  { act = "lavratura", date = 2024-03-01, fact = 2024-03-01T10:00:00, article = "12", state = "lavrado" },
  { act = "ciencia", date = 2024-03-04, state = "aguardando_defesa" },
  { act = "defesa", date = 2024-03-05, state = "em_julgamento" },
  { act = "julgamento", date = 2024-04-01, fine = "200.00" },
]
"""


class Terminal(io.StringIO):
    """A text stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def run(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    capsys.readouterr()
    done = main(list(arguments))
    printed = capsys.readouterr()
    assert done == code, printed
    return printed.out


def answer(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> Any:
    return json.loads(run(capsys, *arguments, "--json", code=code))


def test_new_writes_three_files_and_never_over_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    law = tmp_path / "leis" / f"{LAW}.toml"
    made = answer(capsys, "rulebook", "new", *WHO, *FILLED, "--out", str(law))
    assert (made["law"], made["missing"]) == (LAW, [])
    assert sorted(p.name for p in law.parent.iterdir()) == ["calendario.toml", "lei-100-2001.toml", "schema.json"]
    assert law.read_text("utf-8") == text()
    again = answer(capsys, "rulebook", "new", *WHO, *FILLED, "--out", str(law), code=2)
    assert again["error"]["code"] == "arquivo_ja_existe"
    assert "Sem defeitos" in run(capsys, "rulebook", "check", str(tmp_path / "leis"))


def test_new_asks_on_a_terminal_what_was_not_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = {**ANSWERS, "PRAZO_RECURSO": ""}  # Enter: the usual one, ten days
    monkeypatch.setattr("sys.stdin", Terminal("\n".join(["Serra Bonita", *told.values()]) + "\n"))
    asked = Terminal()
    monkeypatch.setattr("sys.stderr", asked)
    law = tmp_path / "lei.toml"
    known = ("--municipality", "3599999", "--uf", "SP", "--norm", "Lei 100/2001")
    run(capsys, "rulebook", "new", *known, "--out", str(law))
    assert law.read_text("utf-8") == text()
    assert "nome do município: " in asked.getvalue()
    assert "prazo de recurso [10d]: " in asked.getvalue()


def test_new_without_a_terminal_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    error = answer(capsys, "rulebook", "new", "--uf", "SP", code=2)["error"]
    assert (error["code"], "--municipality, --name, --norm" in error["message"]) == ("uso", True)
    assert answer(capsys, "rulebook", "new", *WHO, "--set", "DEFESA", code=2)["error"]["code"] == "uso"
    blank = answer(capsys, "rulebook", "new", *WHO)
    assert blank["missing"] == list(ANSWERS)
    assert blank["files"] == []


def test_test_passes_or_says_what_came(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    law, cases = str(folder(tmp_path) / f"{LAW}.toml"), tmp_path / "casos.toml"
    cases.write_text(CASES, encoding="utf-8")
    assert run(capsys, "rulebook", "test", law, str(cases)) == (
        "certo  multa: A multa é de 10 UFSB.\n1 casos, 0 com falha.\n"
    )
    cases.write_text(CASES.replace("200.00", "201.00"), encoding="utf-8")
    report = answer(capsys, "rulebook", "test", law, str(cases), code=1)
    assert (report["passed"], report["failed"]) == (0, 1)
    at = {"step": 4, "at": "julgamento de 2024-04-01", "what": "fine", "expected": "201.00", "found": "200.00"}
    assert report["cases"][0]["failures"] == [at]
    told = run(capsys, "rulebook", "test", LAW, str(cases), "--rulebooks", str(tmp_path / "leis"), code=1)
    assert "passo 4 (julgamento de 2024-04-01): fine: esperado “201.00”, veio “200.00”" in told


def test_a_law_with_defects_is_not_tested(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    law, cases = folder(tmp_path, text().replace('"defesa"]', '"nada"]')) / f"{LAW}.toml", tmp_path / "casos.toml"
    cases.write_text(CASES, encoding="utf-8")
    error = answer(capsys, "rulebook", "test", str(law), str(cases), code=2)["error"]
    assert (error["code"], "nada" in error["message"]) == ("arquivo_com_defeitos", True)


def test_diff_of_two_files_and_of_a_file_with_a_law(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    old, new = folder(tmp_path) / f"{LAW}.toml", tmp_path / "nova.toml"
    new.write_text(text().replace('"15d"', '"20d"'), encoding="utf-8")
    (change,) = answer(capsys, "rulebook", "diff", str(old), str(new))["changes"]
    assert change == {
        "section": "deadlines", "key": "defesa", "change": "changed", "before": {"term": "15d"},
        "after": {"term": "20d"},
    }  # fmt: skip
    assert run(capsys, "rulebook", "diff", str(old), str(old)) == "Nada mudou.\n"
    assert "term: 15d → 20d" in run(capsys, "rulebook", "diff", LAW, str(new), "--rulebooks", str(tmp_path / "leis"))
    assert answer(capsys, "rulebook", "diff", "xx-1/lei", str(new), code=2)["error"]["code"] == "lei_desconhecida"


def test_check_tells_the_defects_of_a_folder_that_cannot_be_loaded(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leis = folder(tmp_path, text().replace('"defesa"]', '"nada"]'))
    monkeypatch.setenv("POSTURAS_RULEBOOKS", str(leis))
    reports = {r["law"]: r for r in answer(capsys, "rulebook", "check", code=1)}
    assert [law for law, report in reports.items() if not report["ok"]] == [LAW]
    assert answer(capsys, "rulebook", "check", "--law", LAW, code=1)[0]["law"] == LAW
    assert answer(capsys, "rulebook", "list", code=2)["error"]["code"] == "arquivo_com_defeitos"


def test_the_schema_is_printed_or_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    printed = json.loads(run(capsys, "rulebook", "schema"))
    assert printed["properties"]["row"]["type"] == "array"
    run(capsys, "rulebook", "schema", "--out", str(tmp_path / "s.json"))
    assert json.loads((tmp_path / "s.json").read_text("utf-8")) == printed


def test_the_picture_of_a_track(capsys: pytest.CaptureFixture[str]) -> None:
    law = ("--law", "mg-3120805/lei-1220-1996")
    drawn = answer(capsys, "rulebook", "diagram", *law, "--track", "licenca")
    assert (drawn["track"], "interditada --> cassada" in drawn["diagram"]) == ("licenca", True)
    assert answer(capsys, "rulebook", "diagram", *law, "--track", "obrigacao", code=2)["error"]["code"] == (
        "trilha_desconhecida"
    )


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_law_that_does_not_ship_runs_to_the_divida_ativa(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, upgraded_url: str, workers: str
) -> None:
    """Its cases, its calendar and its unit; workers of a sweep are other processes, and know the law too."""
    mine = ("--rulebooks", str(folder(tmp_path)), "--db", upgraded_url)
    value = ("--unit", "UFSB", "--from", "2024-01-01", "--value", "20", "--act", "Decreto 1/2024")
    run(capsys, "rulebook", "unit", "set", "--law", LAW, *value, *mine)
    exported = tmp_path / "atos.jsonl"
    exported.write_text("\n".join(json.dumps(act, ensure_ascii=False) for act in acts()), encoding="utf-8")
    run(capsys, "import", str(exported), *mine)
    run(capsys, "sweep", "--as-of", "2024-07-01", "--workers", workers, *mine)
    shown = json.loads(run(capsys, "auto", "show", "1", "--json", *mine))
    # Defence from 04/03/2024: 15 days, the 19th. Decision served on 02/04: 10 days, the 12th. Payment from 22/04: 30
    # days, 22/05.
    due = {d["kind"]: d["due"] for d in shown["deadlines"]}
    assert due == {"defesa": "2024-03-19", "recurso": "2024-04-12", "pagamento": "2024-05-22"}
    assert (shown["state"], shown["amounts"]["saldo"]) == ("inscrito", "200.00")
    listed = json.loads(run(capsys, "divida-ativa", "list", "--json", *mine))
    assert "200.00" in json.dumps(listed)
    assert main(["verify", *mine]) == 0


def acts() -> list[dict[str, Any]]:
    """One auto, not defended, judged, not appealed, not paid."""
    common = {"municipality": "3599999", "auto": "1", "actor": "fiscal-1", "role": "fiscal"}
    served = {"method": "postal", "received": ""}
    person = {"name": "Bar", "doc": "11.222.333/0001-81", "kind": "pj", "address": {"street": "Rua A"}}
    fact = {"date": "2024-03-01T10:00", "place": "Rua A", "article": "12", "description": "Lixo na calçada."}
    drawn = {"infrator": person, "fact": fact, "signature": {"by": "autuado"}}
    judged = {
        "outcome": "subsistente", "grounds": "Fundamentos.", "articles_infringed": ["12"], "articles_penalty": ["51"],
        "role": "secretario", "actor": "secretario-1",
    }  # fmt: skip
    return [
        {**common, "act": "lavratura", "date": "2024-03-01", **drawn},
        {**common, "act": "ciencia", "date": "2024-03-04", **served, "received": "2024-03-04"},
        {**common, "act": "julgamento", "date": "2024-04-01", **judged},
        {**common, "act": "ciencia_decisao", "date": "2024-04-02", **served, "received": "2024-04-02"},
        {**common, "act": "intimacao_pagamento", "date": "2024-04-22", **served, "received": "2024-04-22"},
    ]
