"""The commands that print: one paper, all of a case, a batch of the register, certidões and codes."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from pypdf import PdfReader
from sqlalchemy import text

from procedure.store import supplied
from procedure.store.engine import session_scope
from tests.integration.cli.scenes import IBGE, LAW, NOW, Cli, inscribed_case, opened, record, to_payment

CNPJ, OTHER = "11.222.333/0001-81", "529.982.247-25"


@pytest.fixture
def register(sao_gabriel: Cli) -> Cli:
    """Two inscriptions of one firm, and the authority of the dívida ativa."""
    with opened(sao_gabriel.url) as engine, session_scope(engine) as session:
        for name in ("authority", "office", "act"):
            supplied.set_option(
                session,
                IBGE,
                LAW,
                f"divida_ativa.{name}",
                f"{name} de teste",
                act="Portaria",
                recorded_at=NOW.isoformat(),
            )
    inscribed_case(sao_gabriel.url)
    record(sao_gabriel.url, to_payment("2/2013", date(2013, 6, 3)))
    sao_gabriel("sweep", "--as-of", "2014-01-01")
    return sao_gabriel


def seal(cli: Cli, number: int) -> None:
    """Authenticate an inscription."""
    record(
        cli.url,
        [
            {
                "auto": f"{number}/2013", "act": "autenticacao", "date": "2014-01-02", "actor": "davi",
                "role": "divida_ativa", "inscription": f"{number}/2013",
            }
        ],
    )  # fmt: skip


def said(file: Path) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(file).pages)


def test_a_paper_of_a_case_goes_to_its_file(register: Cli, tmp_path: Path) -> None:
    file = tmp_path / "pasta nova" / "auto.pdf"
    code, out, err = register("auto", "document", "1/2013", "--kind", "auto_de_infracao", "--out", str(file))
    assert (code, out) == (0, "")
    assert "Auto de infração" in err
    assert "AUTO DE INFRAÇÃO Nº 1/2013" in said(file)
    told = register.json("auto", "document", "1/2013", "--kind", "extrato", "--out", str(tmp_path / "e.pdf"))
    assert (told["kind"], told["bytes"]) == ("extrato", (tmp_path / "e.pdf").stat().st_size)


def test_the_json_is_the_same_object(register: Cli, tmp_path: Path) -> None:
    _, out, _ = register("auto", "document", "1/2013", "--kind", "decisao", "--format", "json")
    assert json.loads(out)["amount"] == "330.00"
    file = tmp_path / "decisao.json"
    register("auto", "document", "1/2013", "--kind", "decisao", "--format", "json", "--out", str(file))
    assert json.loads(file.read_text(encoding="utf-8")) == json.loads(out)


def test_all_the_papers_of_a_case_go_to_a_folder(register: Cli, tmp_path: Path) -> None:
    told = register.json("auto", "document", "1/2013", "--kind", "todos", "--out", str(tmp_path / "p"))
    names = {Path(item["file"]).name for item in told["printed"]}
    assert {"auto_de_infracao-1-2013.pdf", "termo_inscricao-1-2013.pdf", "extrato-1-2013.pdf"} <= names
    assert not {"edital-1-2013.pdf", "termo_doacao-1-2013.pdf", "cda-1-2013.pdf"} & names
    assert {path.name for path in (tmp_path / "p").iterdir()} == names


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--kind", "auto_de_infracao"), "uso"),
        (("--kind", "poema", "--out", "x.pdf"), "uso"),
        (("--out", "x.pdf"), "uso"),
        (("--kind", "decisao", "--format", "docx", "--out", "x.pdf"), "uso"),
        (("--kind", "decisao", "--seq", "dois", "--out", "x.pdf"), "uso"),
        (("--kind", "decisao", "--seq", "1", "--out", "x.pdf"), "documento_sem_ato"),
        (("--kind", "guia", "--out", "x.pdf"), "documento_incompleto"),
        (("--kind", "edital", "--about", "nada", "--out", "x.pdf"), "documento_sem_ato"),
    ],
)
def test_what_cannot_be_printed_is_refused(words: tuple[str, ...], code: str, register: Cli) -> None:
    exit_code, out, _ = register("auto", "document", "1/2013", *words, "--json")
    assert (exit_code, json.loads(out)["error"]["code"]) == (2, code)
    assert not Path("x.pdf").exists()


def test_a_folder_that_is_a_file_is_said(register: Cli, tmp_path: Path) -> None:
    (tmp_path / "arquivo").write_text("", encoding="utf-8")
    out = str(tmp_path / "arquivo" / "x.pdf")
    code, said_, _ = register("auto", "document", "1/2013", "--kind", "extrato", "--out", out, "--json")
    assert (code, json.loads(said_)["error"]["code"]) == (2, "saida_inacessivel")


def test_the_cda_waits_for_the_authentication(register: Cli, tmp_path: Path) -> None:
    file = tmp_path / "cda.pdf"
    code, out, _ = register("divida-ativa", "cda", "1/2013", "--out", str(file), "--json")
    assert (code, json.loads(out)["error"]["code"], file.exists()) == (2, "inscricao_nao_autenticada", False)
    seal(register, 1)
    code, _, err = register("divida-ativa", "cda", "1/2013", "--out", str(file))
    assert (code, "Certidão de Dívida Ativa" in err) == (0, True)
    assert "Natureza: dívida ativa não tributária" in said(file).splitlines()
    assert register.json("divida-ativa", "cda", "1/2013", "--format", "json")["total"] == "363.00"


def test_a_batch_prints_what_it_can_and_lists_what_it_cannot(register: Cli, tmp_path: Path) -> None:
    seal(register, 1)
    code, out, _ = register("divida-ativa", "cda", "--batch", "--out", str(tmp_path / "p"), "--json")
    told = json.loads(out)
    assert code == 1
    assert [item["name"] for item in told["printed"]] == ["1/2013"]
    assert [(item["name"], item["error"]["code"]) for item in told["failed"]] == [
        ("2/2013", "inscricao_nao_autenticada")
    ]
    assert [path.name for path in (tmp_path / "p").iterdir()] == ["cda-1-2013.pdf"]
    code, out, _ = register("divida-ativa", "termo", "1/2013", "2/2013", "--out", str(tmp_path))
    assert (code, "2 documento(s)" in out) == (0, True)


def test_a_code_is_checked_against_the_register(register: Cli) -> None:
    seal(register, 1)
    code = register.json("divida-ativa", "cda", "1/2013", "--format", "json")["code"]
    found = register.json("divida-ativa", "verify", code)
    assert (found["valid"], found["number"], found["total"]) == (True, "1/2013", "363.00")
    _, out, _ = register("divida-ativa", "verify", code)
    assert "O código confere: inscrição 1/2013" in out
    exit_code, out, _ = register("divida-ativa", "verify", "1/2013-AAAA-AAAA-AAAA-AAAA", "--json")
    assert (exit_code, json.loads(out)["error"]["code"]) == (2, "codigo_nao_confere")


def test_a_certidao_says_what_a_person_owes(register: Cli, tmp_path: Path) -> None:
    owed = register.json("divida-ativa", "certidao", "--doc", CNPJ, "--format", "json")
    assert (owed["result"], owed["title"]) == ("positiva", "Certidão positiva de débitos")
    assert (len(owed["debts"]), owed["total"]) == (2, "1089.00")  # 363,00, and the second doubled: 660,00 + 66,00
    file = tmp_path / "negativa.pdf"
    register(
        "divida-ativa", "certidao", "--doc", OTHER, "--name", "Ana Souza", "--issued", "2014-02-03", "--out", str(file)
    )
    lines = [line.strip() for line in said(file).splitlines()]
    assert "CERTIDÃO NEGATIVA DE DÉBITOS" in lines
    assert "Nome: Ana Souza" in lines
    assert "CPF: 529.982.247-25" in lines
    assert "São Gabriel da Palha/ES, 3 de fevereiro de 2014." in lines
    assert "Resultado: nada consta em aberto" in lines


def test_what_is_suspended_has_the_effect_of_a_negativa(register: Cli) -> None:
    with opened(register.url) as engine, session_scope(engine) as session:
        session.execute(text("UPDATE posturas_inscriptions SET status = 'suspenso'"))
    found = register.json("divida-ativa", "certidao", "--doc", CNPJ, "--format", "json")
    assert found["result"] == "positiva_com_efeito_de_negativa"


@pytest.mark.parametrize(
    "words",
    [
        ("cda", "--out", "x.pdf"),
        ("cda", "1/2013"),
        ("cda", "1/2013", "--batch", "--out", "x"),
        ("certidao",),
        ("verify",),
    ],
)
def test_what_is_badly_asked_is_said(words: tuple[str, ...], register: Cli) -> None:
    code, out, _ = register("divida-ativa", *words, "--json")
    assert (code, json.loads(out)["error"]["code"]) == (2, "uso")
