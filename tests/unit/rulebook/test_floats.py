"""Numbers with a fraction and no quotes: each is told with its line, beside the other defects of the file."""

from __future__ import annotations

from legalbasis import load_toml
from procedure.domain.rulebook_check import check_rulebook
from procedure.domain.rulebook_reader import shipped_rulebook


def test_each_float_has_its_line_and_key() -> None:
    table = load_toml('a = 1\nb = 0.2 # 0.3 is only said\nc = "0.4"\n[d]\ne = [1.5, 2]\n', file="f.toml")
    assert [(d.line, d.key) for d in table.defects] == [(2, "b"), (5, "e")]


def test_a_float_hides_no_other_defect() -> None:
    text = shipped_rulebook("mg-3129509/lei-1355-1990").text
    broken = text.replace('percent = "20"', "percent = 20.5", 1).replace('to = "lavrado"', 'to = "lavado"', 1)
    said = [str(d) for d in check_rulebook(broken, file="f.toml").defects]
    assert any("20.5" in d for d in said)
    assert any("lavado" in d for d in said)


def test_an_outcome_that_no_act_of_a_track_has() -> None:
    text = shipped_rulebook("mg-3129509/lei-1355-1990").text.replace('["vendida"]', '["vendidda"]', 1)
    assert any("vendidda" in str(d) for d in check_rulebook(text, file="f.toml").defects)
