"""`rulebook diff`: what entered, left and changed between two texts of a law, and nothing else."""

from __future__ import annotations

import pytest

from procedure.cli.rulebook_diff_text import describe_changes
from procedure.domain.rulebook_reader import read_rulebook, shipped_laws, shipped_rulebook
from procedure.services.rulebook_diff import Change, compare
from tests.unit.rulebook.invented import text

TEXT = text()


def changed(before: str, after: str) -> list[Change]:
    assert TEXT.count(before) == 1, before
    return compare(read_rulebook(TEXT, file="a"), read_rulebook(TEXT.replace(before, after), file="b"))


@pytest.mark.parametrize("law", shipped_laws())
def test_a_law_does_not_differ_from_itself(law: str) -> None:
    assert compare(shipped_rulebook(law), shipped_rulebook(law)) == []
    assert describe_changes([]) == "Nada mudou."


@pytest.mark.parametrize(
    ("before", "after", "place", "values"),
    [
        ('term = "15d"', 'term = "20d"', "deadlines defesa term", ("15d", "20d")),
        ('espera = "leitura_mais_favoravel"', 'espera = "leitura_padrao"', "law espera ",
         ("leitura_mais_favoravel", "leitura_padrao")),
        ('quantity = "10"', 'quantity = "12"', "penalties 51 base",
         ({"kind": "Fixed", "quantity": "10", "unit": "UFSB"}, {"kind": "Fixed", "quantity": "12", "unit": "UFSB"})),
        ('default = "decisao_definitiva"', 'default = "autuacao"', "switches antecedente default",
         ("decisao_definitiva", "autuacao")),
        ('roles = ["secretario"]', 'roles = ["prefeito"]', "competences julgamento roles",
         (["secretario"], ["prefeito"])),
        ('label = "lugar do fato"', 'label = "local do fato"', "contents lavratura:fact.place label",
         ("lugar do fato", "local do fato")),
        ('description = "Jogar lixo."', 'description = "Sujar."', "infractions 12 description",
         ("Jogar lixo.", "Sujar.")),
        ('UFSB" = "Unidade"', 'UFSB" = "Unidade Fiscal"', "units UFSB ", ("Unidade", "Unidade Fiscal")),
    ],
)  # fmt: skip
def test_a_value_that_changed(before: str, after: str, place: str, values: tuple[object, object]) -> None:
    (change,) = changed(before, after)
    section, key, field = place.split(" ")
    assert (change.section, change.key.replace(": ", ":"), change.kind) == (section, key, "changed")
    assert (change.before, change.after) == ({field: values[0]}, {field: values[1]})


def test_a_row_that_goes_elsewhere_one_that_enters_one_that_leaves() -> None:
    late = '[[row]]\nfrom = ["em_julgamento"]\nact = "defesa"\nto = "="\narticle = "42"\n'
    (left,) = changed(late, "")
    assert (left.section, left.key, left.kind, left.after) == ("rows", "em_julgamento, defesa", "removed", {})
    (entered,) = compare(read_rulebook(TEXT.replace(late, ""), file="a"), read_rulebook(TEXT, file="b"))
    assert (entered.key, entered.kind, entered.before) == ("em_julgamento, defesa", "added", {})
    (moved,) = changed('act = "defesa"\nto = "em_julgamento"', 'act = "defesa"\nto = "julgado"')
    assert (moved.key, moved.before, moved.after) == (
        "aguardando_defesa, defesa", {"target": "em_julgamento"}, {"target": "julgado"},
    )  # fmt: skip


def test_the_text_for_people_marks_each_kind() -> None:
    extra = '\n[[not_citable]]\nid = "1"\nkind = "definicao"\nreason = "Diz de que trata."\n'
    old = read_rulebook(TEXT, file="a")
    new = read_rulebook(TEXT.replace('term = "15d"', 'term = "20d"') + extra, file="b")
    told = describe_changes(compare(old, new))
    assert "Prazos\n  ~ defesa\n      term: 15d → 20d" in told
    assert "O que não se cita\n  + 1: " in told
    assert "  - 1: " in describe_changes(compare(new, old))
