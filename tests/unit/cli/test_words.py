"""What the command says about itself and what it refuses: in Portuguese, each sentence closed, columns in line."""

from __future__ import annotations

import pytest

from legalbasis import PosturasError
from procedure.cli.auto_act import _fields
from procedure.cli.main import main
from procedure.cli.sweep import describe
from procedure.store.sweep_run import Report


@pytest.mark.parametrize("words", [("rulebook", "unit", "set"), ("rulebook", "show"), ("calendar", "show"), ("sweep",)])
def test_the_help_of_each_action_is_in_portuguese(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([*words, "--help"])
    assert capsys.readouterr().out.startswith(f"uso: posturas {' '.join(words)} ")


def test_an_option_before_the_command_is_told_where_it_goes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--db", "sqlite:///x.db", "verify"]) == 2
    assert "“--db” veio antes do comando. As opções vêm depois dele" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("message", "told"),
    [("falta a data", "falta a data. Diga-a."), ("Falta.", "Falta. Diga-a."), ("é 1…", "é 1… Diga-a.")],
)
def test_a_remedy_is_a_sentence_of_its_own(message: str, told: str) -> None:
    assert str(PosturasError(message, remedy="Diga-a.")) == told


def test_one_word_in_a_field_of_words_is_a_list_of_one() -> None:
    assert _fields(["articles_infringed=64-I", "signature.witnesses=Ana", "grounds=provado"]) == {
        "articles_infringed": ["64-I"],
        "signature": {"witnesses": ["Ana"]},
        "grounds": "provado",
    }
    assert _fields(['articles_infringed=["64-I"]', "signature.witnesses=Ana", "signature.witnesses=Rui"]) == {
        "articles_infringed": ["64-I"],
        "signature": {"witnesses": ["Ana", "Rui"]},
    }


def test_the_counts_of_a_sweep_stand_in_one_column() -> None:
    report = Report("3204708", "2014-07-16")
    report.by_kind.update({"retirada": 1, "defesa": 2})
    first, *counted = describe([report], dry_run=True).splitlines()
    assert first.endswith("posição de 16/07/2014")
    assert len({len(line) for line in counted}) == 1
    assert all(line.rstrip("0123456789").endswith("  ") for line in counted)
