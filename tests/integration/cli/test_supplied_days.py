"""Days that the municipality put in the database count in `prazo` and `calendar show`, as they do in its cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from procedure.cli.main import main

LAW = "es-3204708/lei-1522-2005"


def test_a_ponto_facultativo_moves_the_term_counted_by_hand(
    upgraded_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    days = tmp_path / "dias.csv"
    days.write_text(
        "date;kind;description;act;published_on\n"
        "2013-03-25;fechado;Ponto facultativo;Decreto de teste 1/2013;2013-03-20\n",
        encoding="utf-8",
    )
    asked = ["prazo", "--law", LAW, "--start", "2013-03-08", "--term", "15d", "--json", "--db", upgraded_url]
    assert main(asked) == 0
    # 15 days from Friday 08/03/2013: day 1 on Monday 11/03, the 15th on Monday 25/03/2013.
    assert json.loads(capsys.readouterr().out)["due"] == "2013-03-25"
    assert main(["calendar", "import", str(days), "--municipality", "3204708", "--db", upgraded_url]) == 0
    capsys.readouterr()
    assert main(asked) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["due"] == "2013-03-26"  # Monday closed by the decree: it rolls to Tuesday
    assert "1 fato(s) de calendário" in said.err
    shown = ["calendar", "show", "--municipality", "3204708", "--year", "2013", "--json", "--db", upgraded_url]
    assert main(shown) == 0
    assert "2013-03-25" in {day["date"] for day in json.loads(capsys.readouterr().out)["days"]}


def test_a_database_that_is_not_there_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path / 'nada.db'}"
    assert main(["prazo", "--law", LAW, "--start", "2013-03-08", "--term", "15d", "--json", "--db", url]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["due"] == "2013-03-25"
    assert said.err == ""
    assert not (tmp_path / "nada.db").exists()
