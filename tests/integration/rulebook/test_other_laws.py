"""The laws of tests/rulebooks, which differ most from those that ship: their cases, and what replay makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from procedure.cli.auto_text import describe
from procedure.domain.case import Case
from procedure.domain.fold import fold
from procedure.domain.rulebook_check import check_rulebook
from procedure.domain.rulebook_reader import shipped_rulebook
from procedure.domain.rulebooks import add_rulebooks, rulebook_of
from procedure.services.recomputing import Recomputer
from procedure.services.rulebook_testing import TestCase, read_cases, run_cases
from procedure.services.showing import show_case
from procedure.services.verifying import CASE_FIELDS, DEADLINE_FIELDS
from procedure.testing import MemoryRepository

FOLDER = Path(__file__).parents[2] / "rulebooks"
FILES = {
    "ce-2304400/lc-270-2019": "fortaleza",
    "mt-5103205/lei-2544-2011": "colider",
    "pr-4106308/lei-1310-2025": "corbelia",
    "ro-1100205/lei-1362-1999": "porto-velho",
    "sp-3508504/lei-1429-1970": "cacapava",
    "sp-3544905/lei-2456-2025": "sales-oliveira",
}


def _cases() -> Iterator[tuple[str, TestCase]]:
    for law, name in FILES.items():
        path = FOLDER / "cases" / f"{name}.toml"
        yield from ((law, case) for case in read_cases(path.read_text(encoding="utf-8"), file=path.name))


CASES = list(_cases())


@pytest.fixture(scope="module", autouse=True)
def laws() -> tuple[str, ...]:
    return add_rulebooks(FOLDER)


def test_every_law_of_the_folder_has_its_cases(laws: tuple[str, ...]) -> None:
    assert set(laws) == set(FILES)


@pytest.mark.parametrize(("law", "case"), CASES, ids=lambda value: getattr(value, "id", None) or str(value))
def test_case(law: str, case: TestCase) -> None:
    kept: list[MemoryRepository] = []

    def store() -> MemoryRepository:
        kept.append(MemoryRepository())
        return kept[-1]

    (outcome,) = run_cases(rulebook_of(law), [case], store)
    assert [str(failure) for failure in outcome.failures] == []
    place = rulebook_of(law).municipality
    assert [found for auto in kept[-1].stream_autos(place) for found in _differences(kept[-1], place, auto)] == []


def _differences(repo: MemoryRepository, place: str, auto: str) -> Iterator[str]:
    """What the acts of a case, replayed and recomputed by the law's rules, do not give as it is stored."""
    stored = repo.load(place, [auto], lock=False)[auto]
    replayed, deeper = Case(place, auto, law=stored.law), Recomputer(repo, place)
    replayed.rulebook_version, replayed.timezone = stored.rulebook_version, stored.timezone
    for act in repo.acts(place, auto):
        yield from (f"{auto}: {act.seq} {act.kind}: {code}: {what}" for code, what in deeper.check(replayed, act))
        fold(replayed, act)
        replayed.last_hash = act.hash
    for name in CASE_FIELDS:
        if getattr(stored, name) != getattr(replayed, name):
            yield f"{auto}: {name}: {getattr(stored, name)} ≠ {getattr(replayed, name)}"
    for mine, theirs in zip(stored.deadlines, replayed.deadlines, strict=True):
        for name in DEADLINE_FIELDS:
            if getattr(mine, name) != getattr(theirs, name):
                yield f"{auto}: {mine.kind}.{name}"


def test_where_the_judge_fixes_the_fine_the_second_instance_fixes_what_he_refused(tmp_path: Path) -> None:
    """The law of Fortaleza, but for who fixes the fine, as of another municipality."""
    place = tmp_path / "ce-2307304"
    place.mkdir()
    for name in ("lc-270-2019.toml", "calendario.toml"):
        text = (FOLDER / "ce-2304400" / name).read_text(encoding="utf-8").replace("2304400", "2307304")
        changed = text.replace('fixed_by = ["lavratura"]', 'fixed_by = ["julgamento"]')
        (place / name).write_text(changed, encoding="utf-8")
    (law,) = add_rulebooks(tmp_path)
    path = FOLDER / "cases" / "fortaleza-julgada.toml"
    cases = read_cases(path.read_text(encoding="utf-8"), file=path.name)
    for case in cases:
        kept: list[MemoryRepository] = []

        def store(kept: list[MemoryRepository] = kept) -> MemoryRepository:
            kept.append(MemoryRepository())
            return kept[-1]

        (outcome,) = run_cases(rulebook_of(law), [case], store)
        assert [str(failure) for failure in outcome.failures] == []
        assert [d for auto in kept[-1].stream_autos("2307304") for d in _differences(kept[-1], "2307304", auto)] == []


DISCOUNT = '''
[[discount]]
percent = "20"
within = "pagamento_voluntario"
article = "115"
'''
PAID_LATE = '''
[units]
UF = "50.00"
[person.a]
name = "Fulano"
doc = "529.982.247-25"
kind = "pf"
address = { street = "Rua", number = "1" }
[[case]]
id = "desconto"
sentence = "Pago no prazo e lançado depois: 20% de 25,00 a menos, embora o prazo não mude o estado."
steps = [
  { act = "lavratura", date = 2024-05-09, fact = 2024-05-08T10:00:00, article = "47", state = "lavrado" },
  { act = "intimacao", date = 2024-05-10, state = "aguardando_defesa" },
  { sweep = 2024-05-29, state = "aguardando_defesa", wrote = ["decurso_pagamento_voluntario"] },
  { act = "pagamento", date = 2024-05-15, recorded_at = 2024-05-29T10:00:00, amount = "20.00", state = "pago" },
]
'''


def test_a_discount_is_not_lost_with_a_term_that_moves_nothing(tmp_path: Path) -> None:
    """The law of Ibiá with a discount, as of another municipality: ten days to pay beside the twenty to defend."""
    place = tmp_path / "mg-3100104"
    place.mkdir()
    shipped = shipped_rulebook("mg-3129509/lei-1355-1990").text.replace("3129509", "3100104")
    text = shipped + DISCOUNT
    assert check_rulebook(text, file="x").defects == ()
    (place / "lei-1355-1990.toml").write_text(text, encoding="utf-8")
    days = files("calendars").joinpath("data/mg-3129509.toml").read_text(encoding="utf-8")
    (place / "calendario.toml").write_text(days.replace("3129509", "3100104"), encoding="utf-8")
    (law,) = add_rulebooks(tmp_path)
    (outcome,) = run_cases(rulebook_of(law), read_cases(PAID_LATE, file="x"), MemoryRepository)
    assert [str(failure) for failure in outcome.failures] == []


WRONG = [
    ("ce-2304400/lc-270-2019", '"parcialmente_subsistente_de_oficio", "insubsistente_de_oficio", "nulo_de_oficio"]\n\n',
     '"insubsistente_de_oficio", "nulo_de_oficio"]\n\n', "outcomes.julgamento.values"),
    ("ce-2304400/lc-270-2019", 'by = "decision"', 'by = "field"', "ex_officio"),
    ("ce-2304400/lc-270-2019", '[ex_officio]\nact = "julgamento"', '[ex_officio]\nact = "recurso"', "ex_officio"),
    ("pr-4106308/lei-1310-2025", 'element = "property"', 'element = "place"', "reincidencia.same"),
    ("pr-4106308/lei-1310-2025", 'within = "em_julgamento"', 'within = "em_recurso"', "discount[1].within"),
]


@pytest.mark.parametrize(("law", "right", "wrong", "key"), WRONG)
def test_words_that_do_not_agree_are_noted(law: str, right: str, wrong: str, key: str) -> None:
    text = (FOLDER / f"{law}.toml").read_text(encoding="utf-8")
    assert text.count(right) == 1
    assert key in [d.key for d in check_rulebook(text.replace(right, wrong), file=law).defects]


def test_a_runner_s_wrong_value_is_told() -> None:
    law, case = next((law, case) for law, case in CASES if case.id == "por-metro-quadrado")
    wrong = {**case.data, "steps": [*case.data["steps"][:2], {**case.data["steps"][2], "fine": "250.01"}]}
    (outcome,) = run_cases(rulebook_of(law), [replace(case, data=wrong)], MemoryRepository)
    assert [(f.step, f.what, f.found) for f in outcome.failures] == [(3, "fine", "250.00")]


def test_a_person_reads_what_the_discount_took_off(laws: tuple[str, ...]) -> None:
    law, case = next((law, case) for law, case in CASES if case.id == "desconto-segue-a-multa-reduzida")
    repo = MemoryRepository()
    run_cases(rulebook_of(law), [case], lambda: repo)
    told = describe(show_case(repo, rulebook_of(law).municipality, "1"))
    assert "desconto R$ 300,00; pago R$ 1.050,00" in " ".join(told.split())
