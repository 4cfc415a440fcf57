"""`posturas multa`: amounts of the issue at a test value of the unit, and each refusal of the law with its code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from penalties.units import SHIPPED, shipped_units
from procedure.cli.main import main
from tests.structure.sources import ROOT

LAW = "es-3204708/lei-1522-2005"
CONTRACT = {"amount", "lines", "unit", "unit_value", "unit_act", "factor", "legal_basis"}
HEAVY = {"sqlalchemy", "alembic", "psycopg", "transitions", "rich", "holidays", "dateutil", "numpy", "stdnum"}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No database in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("POSTURAS_DB", raising=False)


def ask(capsys: pytest.CaptureFixture[str], *options: str, day: str = "2013-06-10", law: str = LAW) -> dict[str, Any]:
    code = main(["multa", "--law", law, "--fact-date", day, "--json", *options])
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert code == (2 if "error" in answer else 0)
    return answer


@pytest.mark.parametrize(
    ("options", "amount"),
    [
        (("--article", "46", "--grau", "minimo"), "90.00"),
        (("--article", "46", "--grau", "medio"), "180.00"),
        (("--article", "46", "--grau", "maximo"), "330.00"),
        (("--article", "46", "--grau", "medio", "--reincidente"), "360.00"),
        (("--article", "64-I"), "330.00"),
        (("--article", "64-I", "--reincidente"), "660.00"),
        (("--article", "64-I", "--penalty-article", "64-T"), "330.00"),
        (("--article", "62", "--grau", "minimo"), "90.00"),
        (("--article", "64-B"), "390.00"),
        (("--article", "64-C", "--subject", "condutor"), "330.00"),
        (("--article", "46", "--switch", "sem_cominacao=art_245", "--quantidade", "7"), "210.00"),
        (("--article", "46", "--switch", "sem_cominacao=art_245", "--quantidade", "30"), "900.00"),
        (("--article", "64-R,§2", "--quantidade", "3"), "90.00"),
    ],
)
def test_amounts_with_the_unit_at_thirty(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], amount: str
) -> None:
    answer = ask(capsys, *options, "--unit-value", "30.00")
    assert answer["amount"] == amount
    assert answer.keys() >= CONTRACT
    assert answer["unit_value"] == "30.00"
    assert answer["unit_act"] is None


def test_the_lines_say_unit_factor_and_articles(capsys: pytest.CaptureFixture[str]) -> None:
    answer = ask(capsys, "--article", "64-I", "--reincidente", "--unit-value", "30,00")
    (line,) = answer["lines"]
    assert (line["quantity"], line["unit"], line["factor"], line["amount"]) == ("11", "VRSGP", "2", "660.00")
    assert (line["article"], line["penalty_article"], line["factor_article"]) == ("64-I", "64-T", "64-T")
    assert answer["factor"] == "2"
    assert answer["legal_basis"] == ["Lei 1.522/2005, art. 64-I", "Lei 1.522/2005, art. 64-T"]


def test_the_other_reading_of_a_silent_article_is_shown_where_it_changes_the_figure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = ask(capsys, "--article", "46", "--grau", "medio", "--unit-value", "30")
    assert answer["readings"]["sem_cominacao"] == "art_7"
    (other,) = answer["alternatives"]
    assert (other["reading"], other["amount"], other["minimum"], other["maximum"]) == (
        "art_245", None, "210.00", "900.00",
    )  # fmt: skip
    # 11 units are the most of one reading and inside the other: with the grade said, there is one figure.
    answer = ask(
        capsys, "--article", "46", "--grau", "maximo", "--switch", "sem_cominacao=art_245", "--quantidade", "10",
        "--unit-value", "30",
    )  # fmt: skip
    assert answer["alternatives"][0]["amount"] == "330.00"
    assert ask(capsys, "--article", "64-I", "--unit-value", "30")["alternatives"] == []


def test_traffic_matters_carry_their_warning(capsys: pytest.CaptureFixture[str]) -> None:
    answer = ask(capsys, "--article", "48", "--grau", "minimo", "--unit-value", "30")
    assert "competencia_controvertida" in [w["code"] for w in answer["warnings"]]


@pytest.mark.parametrize(
    ("day", "options", "error", "code"),
    [
        ("2005-07-10", ("--article", "46", "--grau", "medio"), "LawNotInForce", "lei_ainda_nao_vigente"),
        ("2014-07-15", ("--article", "46", "--grau", "medio"), "LawEndUnknown", "vigencia_incerta"),
        ("2014-11-20", ("--article", "46", "--grau", "medio"), "LawEndUnknown", "vigencia_incerta"),
        ("2009-12-13", ("--article", "46", "--grau", "medio"), "NotEncoded", "nao_codificado"),
        ("2012-09-17", ("--article", "64-I"), "NotEncoded", "nao_codificado"),
        ("2009-12-13", ("--article", "64-I"), "ProvisionNotInForce", "dispositivo_fora_de_vigor"),
        ("2013-06-10", ("--article", "39"), "ArticleNotAnInfraction", "artigo_nao_e_infracao"),
        ("2013-06-10", ("--article", "226"), "ArticleNotAnInfraction", "artigo_nao_e_infracao"),  # in part lost, too
        ("2013-06-10", ("--article", "999"), "ArticleNotAnInfraction", "artigo_nao_e_infracao"),
        ("2013-06-10", ("--article", "64-C"), "ArticleNotAnInfraction", "artigo_nao_e_infracao"),
        ("2013-06-10", ("--article", "65"), "ArticleNotAnInfraction", "artigo_nao_e_infracao"),
        ("2013-06-10", ("--article", "60"), "NotEncoded", "nao_codificado"),
        ("2012-06-10", ("--article", "187"), "NotEncoded", "nao_codificado"),
        ("2013-06-10", ("--article", "180"), "NoPenaltyInLaw", "sem_pena_na_lei"),
        ("2013-06-10", ("--article", "64,I"), "AmbiguousProvision", "dispositivo_ambiguo"),
        ("2010-06-10", ("--article", "186,pu"), "VersionDateUnknown", "data_da_redacao_desconhecida"),
        (
            "2013-06-10",
            ("--article", "64-I", "--penalty-article", "64-R"),
            "PenaltyArticleMismatch",
            "penalidade_divergente",
        ),
        (
            "2013-06-10",
            ("--article", "46", "--switch", "sem_cominacao=art_245", "--quantidade", "30.0001"),
            "PenaltyOutOfRange",
            "multa_fora_dos_limites",
        ),
        ("2013-06-10", ("--article", "46"), "ChoiceMissing", "escolha_faltando"),
        ("2013-06-10", ("--article", "64-I", "--quantidade", "2"), "ChoiceNotApplicable", "escolha_sem_efeito"),
        ("2013-06-10", ("--article", "46", "--grau", "enorme"), "InputError", "grau_invalido"),
        ("2013-06-10", ("--article", "46", "--switch", "inexistente=x"), "UnknownSwitch", "chave_de_leitura_invalida"),
        ("2013-06-10", ("--article", "46", "--switch", "revelia=talvez"), "UnknownSwitch", "chave_de_leitura_invalida"),
        ("2013-06-10", ("--article", "46", "--switch", "revelia"), "SwitchMisspelt", "chave_mal_escrita"),
        ("2013-06-10", ("--article", "art. 46"), "InputError", "dispositivo_invalido"),
        ("2013-02-29", ("--article", "46",), "InvalidDate", "data_invalida"),
    ],
)  # fmt: skip
def test_refusals(
    capsys: pytest.CaptureFixture[str], day: str, options: tuple[str, ...], error: str, code: str
) -> None:
    answer = ask(capsys, *options, "--unit-value", "30", day=day)["error"]
    assert (answer["class"], answer["code"]) == (error, code)
    assert answer["message"]


@pytest.mark.parametrize(
    ("value", "code"),
    [("-1", "valor_negativo"), ("0", "valor_zero"), ("NaN", "valor_nao_numerico"), ("x", "valor_nao_numerico")],
)
def test_a_unit_value_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], value: str, code: str) -> None:
    assert ask(capsys, "--article", "64-I", f"--unit-value={value}")["error"]["code"] == code


def test_a_unit_with_no_value_names_the_command_that_supplies_it(capsys: pytest.CaptureFixture[str]) -> None:
    error = ask(capsys, "--article", "64-I")["error"]
    assert error["class"] == "UnitValueUnknown"
    assert f"posturas rulebook unit set --law {LAW} --unit VRSGP --from 2013-06-10" in error["remedy"]


def test_another_day_for_the_unit_must_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    error = ask(capsys, "--article", "64-I", "--switch", "dia_da_unidade=decisao")["error"]
    assert error["code"] == "dia_da_unidade_ausente"


def test_the_text_explains_in_portuguese(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--article", "46", "--grau", "medio", "--fact-date", "2013-06-10", "--unit-value", "30"]
    assert main(["multa", "--law", LAW, *options]) == 0
    text = capsys.readouterr().out
    for wanted in (
        "6 VRSGP × R$ 30,00 = R$ 180,00",
        "art. 46, punido pelo art. 7º",
        "Total: R$ 180,00",
        "de R$ 210,00 a R$ 900,00",
    ):
        assert wanted in text


def test_an_unknown_law_names_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    error = ask(capsys, "--article", "1", law="xx-0/lei-1")["error"]
    assert error["code"] == "lei_desconhecida"
    assert LAW in error["remedy"]


def test_it_starts_light() -> None:
    asked = ["--article", "64-I", "--fact-date", "2013-06-10", "--unit-value", "30", "--db", "sqlite:///no-such.db"]
    arguments = ["multa", "--law", LAW, *asked]
    program = (
        "import json, sys\nfrom procedure.cli.main import main\n"
        f"assert main({arguments!r}) == 0\nsys.stderr.write(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert HEAVY & {name.split(".")[0] for name in json.loads(done.stderr)} == set()


def test_a_federal_unit_needs_no_value_from_the_municipality(capsys: pytest.CaptureFixture[str]) -> None:
    """200 UFIR at the last value of 2000, R$ 1,0641, are R$ 212,82."""
    answer = ask(capsys, "--article", "8", "--quantidade", "1", day="2013-12-02", law="mg-3120805/lei-1220-1996")
    assert answer["amount"] == "212.82"


def test_the_codes_that_ship_are_those_of_the_file() -> None:
    assert set(shipped_units()) == SHIPPED
