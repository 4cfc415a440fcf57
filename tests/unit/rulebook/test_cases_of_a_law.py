"""`rulebook test`: a case that is as the law says passes; one that is not says where and what."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from procedure.domain.rulebooks import add_rulebook
from procedure.services.rulebook_testing import CaseFileInvalid, Failure, read_cases, run_cases
from procedure.testing import MemoryRepository
from tests.unit.rulebook.invented import LAW, folder, text

pytestmark = pytest.mark.usefixtures("no_laws_left")
HEAD = """
[person.bar]
name = "Bar"
doc = "11.222.333/0001-81"
kind = "pj"
address = { street = "Rua A" }
[units]
UFSB = "20.00"
[[case]]
id = "um"
sentence = "Um caso."
"""
DRAWN = '{ act = "lavratura", date = 2024-03-01, fact = 2024-03-01T10:00:00, article = "12", state = "lavrado" }'
SERVED = '{ act = "ciencia", date = 2024-03-04, state = "aguardando_defesa", due = { defesa = 2024-03-19 } }'
JUDGED = '{ act = "julgamento", date = 2024-04-01, state = "julgado", fine = "200.00", owed = "200.00" }'
SWEPT = '{ sweep = 2024-03-25, state = "em_julgamento", revel = true, wrote = ["decurso_defesa"] }'


def failures(tmp_path: Path, *steps: str, more: str = "") -> tuple[Failure, ...]:
    book = add_rulebook(folder(tmp_path) / f"{LAW}.toml")
    listed = ",\n".join(steps)
    cases = read_cases(f"{HEAD}{more}\nsteps = [\n{listed}\n]\n", file="casos.toml")
    (outcome,) = run_cases(book, cases, MemoryRepository)
    return outcome.failures


def test_a_case_that_is_as_the_law_says(tmp_path: Path) -> None:
    assert failures(tmp_path, DRAWN, SERVED, SWEPT, JUDGED) == ()


@pytest.mark.parametrize(
    ("steps", "at", "expected", "found"),
    [
        ((DRAWN, DRAWN.replace('"lavrado"', '"julgado"')), (1, "state"), "julgado", "lavrado"),
        ((SERVED, SERVED.replace("03-19", "03-20")), (2, "due"), {"defesa": "2024-03-20"}, {"defesa": "2024-03-19"}),
        ((SERVED, SERVED.replace("defesa =", "recurso =")), (2, "due"), {"recurso": "2024-03-19"}, {"recurso": None}),
        ((SWEPT, SWEPT.replace('["decurso_defesa"]', "[]")), (3, "wrote"), [], ["decurso_defesa"]),
        ((SWEPT, SWEPT.replace("true", "false")), (3, "revel"), False, True),
        ((JUDGED, JUDGED.replace('owed = "200.00"', 'owed = "200.01"')), (4, "owed"), "200.01", "200.00"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_told(
    tmp_path: Path, steps: tuple[str, str], at: tuple[int, str], expected: object, found: object
) -> None:
    right, wrong = steps
    (failure,) = failures(tmp_path, *(wrong if s == right else s for s in (DRAWN, SERVED, SWEPT, JUDGED)))
    assert ((failure.step, failure.what), failure.expected, failure.found) == (at, expected, found)
    assert str(failure).startswith(f"passo {at[0]} (")


def test_the_decision_cites_the_penalty_that_the_auto_chose(tmp_path: Path) -> None:
    """Of the two that may punish it the auto chose the second: R$ 70,00. The case need not say it again."""
    both = text().replace('penalty = ["51"]', 'penalty = ["51", "52"]')
    both += '\n[[penalty]]\nid = "52"\narticle = "52"\nbase = "valor_fixo"\nvalue = "70.00"\n'
    book = add_rulebook(folder(tmp_path, both) / f"{LAW}.toml")
    steps = [DRAWN.replace('article = "12"', 'article = "12", penalty_article = "52"'), SERVED, SWEPT]
    steps.append(JUDGED.replace("200.00", "70.00"))
    cases = read_cases(HEAD + "steps = [\n" + ",\n".join(steps) + "\n]\n", file="casos.toml")
    (outcome,) = run_cases(book, cases, MemoryRepository)
    assert [str(failure) for failure in outcome.failures] == []


def test_an_act_refused_must_be_expected(tmp_path: Path) -> None:
    early = '{ act = "julgamento", date = 2024-03-02, state = "julgado" }'
    (failure,) = failures(tmp_path, DRAWN, early)
    assert (failure.step, failure.what) == (2, "erro")
    assert failure.expected == "nenhum erro"
    assert str(failure.found).startswith("['ato_nao_permitido: ")


def test_a_refusal_that_is_expected_and_one_that_does_not_come(tmp_path: Path) -> None:
    refused = DRAWN.replace('state = "lavrado"', 'error = "artigo_nao_e_infracao"')
    assert failures(tmp_path, refused.replace('article = "12"', 'article = "99"'), DRAWN) == ()
    (failure,) = failures(tmp_path / "2", refused)
    assert (failure.expected, failure.found) == (["artigo_nao_e_infracao"], "nenhum erro")


def test_what_is_filled_in_can_be_left_out(tmp_path: Path) -> None:
    bare = DRAWN.replace('state = "lavrado"', 'without = ["fact.place"], error = "elemento_ausente", says = "lugar"')
    assert failures(tmp_path, bare) == ()


def test_what_the_municipality_supplies(tmp_path: Path) -> None:
    """Closed on 19/03/2024, the defence is due on the 20th; at UFSB 30,00 the fine is 300,00."""
    served = SERVED.replace("03-19", "03-20")
    judged = JUDGED.replace("200.00", "300.00")
    more = 'closed = [2024-03-19]\nunits = { UFSB = "30.00" }'
    assert failures(tmp_path, DRAWN, served, SWEPT, judged, more=more) == ()


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ("[]", "falta steps"),
        ("[{ date = 2024-01-01, state = \"x\" }]", "diga act, ou sweep"),
        ("[{ act = \"ciencia\", state = \"x\" }]", "falta date"),
        ("[{ act = \"ciencia\", date = 2024-01-01 }]", "não espera nada"),
        ("[{ act = \"citar\", date = 2024-01-01, state = \"x\" }]", "“citar” não é ato que se lance"),
        ("[{ act = \"defesa\", date = 2024-01-01, vence = 1, state = \"x\" }]", r"vence não é campo de defesa \(by"),
        ("[{ sweep = 2024-01-01, capricho = 1, state = \"x\" }]", "a varredura não tem capricho"),
        ("[{ act = \"lavratura\", date = 2024-01-01, person = \"eu\", state = \"x\" }]", r"não há \[person.eu\]"),
        (f"[{DRAWN}]\ncapricho = 1", "um: chave desconhecida: capricho"),
        (f"[{DRAWN}]\n[outra]", "chave desconhecida: outra"),
        (f"[{DRAWN}]\n[[case]]\nid = 'um'\nsentence = 'Outro.'\nsteps = [{DRAWN}]", "repetido"),
    ],
)  # fmt: skip
def test_a_file_of_cases_with_a_defect(steps: str, words: str) -> None:
    with pytest.raises(CaseFileInvalid, match=words):
        read_cases(f"{HEAD}steps = {steps}\n", file="casos.toml")


def test_a_file_without_cases() -> None:
    with pytest.raises(CaseFileInvalid, match=r"nenhum \[\[case\]\]"):
        read_cases("", file="casos.toml")


def test_a_law_that_knows_no_reincidencia(tmp_path: Path) -> None:
    """The table, its readings and the penalty's key taken out: the second auto, the first final, is not raised."""
    law = re.sub(r"(?ms)^\[(?:reincidencia|switches\.\w+)\][^\n]*\n.*?\n\n|^reincidencia = [^\n]*\n", "", text())
    assert "reincidencia" not in law
    book = add_rulebook(folder(tmp_path, law) / f"{LAW}.toml")
    served = '{ act = "ciencia", date = 2024-03-04, state = "aguardando_defesa" }'
    told = '{ act = "ciencia_decisao", date = 2024-04-02, state = "aguardando_recurso" }'
    given_up = '{ act = "renuncia", date = 2024-04-03, state = "definitivo" }'
    again = [step.replace("{ act", '{ auto = "2", act').replace("2024-0", "2025-0") for step in (DRAWN, served, JUDGED)]
    defended = [f'{{ auto = "{n}", act = "defesa", date = 202{n + 3}-03-10, state = "em_julgamento" }}' for n in (1, 2)]
    steps = [DRAWN, served, defended[0], JUDGED, told, given_up, *again[:2], defended[1], again[2]]
    listed = ",\n".join(step.replace("{ act", '{ auto = "1", act') for step in steps)
    (outcome,) = run_cases(book, read_cases(f"{HEAD}steps = [\n{listed}\n]\n", file="casos.toml"), MemoryRepository)
    assert outcome.failures == ()
