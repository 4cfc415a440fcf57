"""``posturas prazo`` and ``posturas calendar``, as other programs call them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from procedure.cli import prazo_batch
from procedure.cli.main import main

LAW = "es-3204708/lei-1522-2005"
KEYS = {"starts_on", "first_counted", "last_counted", "due", "due_at", "alternatives", "legal_basis"}
HEAVY = (
    "sqlalchemy",
    "alembic",
    "psycopg",
    "holidays",
    "dateutil",
    "numpy",
    "rich",
    "transitions",
    "pydantic",
    "typst",
)


def batch(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], content: bytes
) -> tuple[int, list[dict[str, Any]]]:
    asked = tmp_path / "lote.jsonl"
    asked.write_bytes(content)
    code = main(["prazo", "--batch", str(asked)])
    out = capfdbinary.readouterr().out.decode()
    return code, [json.loads(line) for line in out.splitlines()]


def test_one_deadline_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--law", LAW, "--start", "2013-03-09", "--term", "15d", "--method", "pessoal", "--json"]
    assert main(["prazo", *asked]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) > KEYS
    assert (answer["starts_on"], answer["first_counted"]) == ("2013-03-11", "2013-03-12")
    assert (answer["due"], answer["due_at"]) == ("2013-03-26", "2013-03-26T23:59:59-03:00")
    assert answer["alternatives"] == [{"due": "2013-03-25", "reading": "start_on_closed=first_counted"}]
    assert answer["expires_on"] == "2013-03-26"
    assert answer["legal_basis"][0] == "Lei 1.522/2005, art. 22, I"
    assert len(answer["calendar_version"]) == 64
    assert [s["kind"] for s in answer["steps"]][:2] == ["pulado", "pulado"]


def test_one_deadline_in_portuguese(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prazo", "--law", LAW, "--start", "2013-03-09", "--term", "15d"]) == 0
    text = capsys.readouterr().out
    for part in (
        "Prazo de 15 dias",
        "09/03/2013",
        "sem expediente: sábado",
        "Vence em terça-feira, 26/03/2013, às 23:59:59 (UTC-03:00)",
        "25/03/2013  start_on_closed=first_counted",
        "Receita Federal",
        "Lei 1.522/2005, art. 35-B",
        "versão",
    ):
        assert part in text


def test_an_edital_tells_its_first_day_of_expediente(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prazo", "--law", LAW, "--start", "2013-03-15", "--term", "15d", "--method", "edital"]) == 0
    assert "segunda-feira, 18/03/2013, 1º dia de expediente seguinte" in capsys.readouterr().out


def test_a_law_without_a_rule_waits_for_the_most_favourable_reading(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--law", "mg-3129509/lei-1355-1990", "--start", "2018-03-29", "--term", "20d"]
    assert main(["prazo", *asked]) == 0
    text = capsys.readouterr().out
    assert "espera até 23/04/2018" in text
    assert "A confirmar com o município: 30/03/2018 (Sexta-feira Santa)" in text


def test_a_term_that_outlives_the_law_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["prazo", "--law", LAW, "--term", "15d"]
    assert main([*asked, "--start", "2014-07-14", "--json"]) == 0
    before = json.loads(capsys.readouterr().out)
    assert before["note"] is None
    assert before["legal_basis"][0] == "Lei 1.522/2005, art. 35-B"
    assert main([*asked, "--start", "2015-03-02", "--json"]) == 0
    after = json.loads(capsys.readouterr().out)
    assert "Lei 2.456/2014" in after["note"]
    assert "Lei 1.522/2005, art. 35-B" not in after["legal_basis"]
    assert after["legal_basis"][0].startswith("Lei 1.522/2005, art. 35-B (")
    assert main([*asked, "--start", "2012-09-18"]) == 0


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (["--law", "es-1/lei", "--start", "2013-03-09", "--term", "15d"], "lei_desconhecida"),
        (["--law", LAW, "--start", "2013-03-09", "--term", "0d"], "prazo_invalido"),
        (["--law", LAW, "--start", "1899-03-09", "--term", "15d"], "data_invalida"),
        (["--law", LAW, "--start", "2012-09-17", "--term", "15d"], "nao_codificado"),
        (["--law", LAW, "--start", "2031-01-02", "--term", "15d"], "fora_do_calendario"),
        (["--law", "mg-3129509/lei-1355-1990", "--start", "2004-12-31", "--term", "5d"], "fora_do_calendario"),
        (["--law", LAW, "--start", "2013-03-09", "--term", "15d", "--method", "fax"], "meio_de_ciencia_desconhecido"),
        (["--law", LAW], "uso_do_prazo"),
        (["--batch", "x", "--law", LAW], "uso_do_prazo"),
        (["--batch", "/nao/existe.jsonl"], "entrada_invalida"),
    ],
)
def test_bad_input_exits_2_with_a_typed_error(asked: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prazo", *asked, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


def test_a_batch_answers_in_order_and_keeps_the_good_lines(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    lines = [
        b'{"id": 1, "start": "2013-03-08", "term": "15d", "counting": "art-35-b"}',
        b"isto nao e JSON",
        b"[1, 2]",
        b"\xff\xfe",
        b'{"id": 5, "start": "2013-03-08", "term": "0d", "counting": "art-35-b"}',
        b'{"id": 6, "start": "2013-03-08", "term": "15d", "counting": "x"}',
        b'{"id": 7, "start": "2013-03-08", "term": "15d"}',
        b'{"id": 8, "start": "2013-03-08", "term": "15d", "counting": "art-35-b", "palavra": 1}',
        b'{"id": 9, "start": "2013-03-08", "term": "15d", "counting": "art-35-b", "suspended": [["2013-03-09"]]}',
        b'{"id": 10, "start": "2013-03-08", "term": "15d", "counting": "art-35-b", "options": {"self": 1}}',
        b'{"id": 11, "start": "2013-03-08", "term": "15d", "counting": "art-35-b", "closed": "2013-03-09"}',
        b'{"id": [1], "start": "2013-03-08", "term": "15d", "counting": "art-35-b"}',
        b'{"id": NaN, "start": "2013-03-08", "term": "15d", "counting": "art-35-b"}',
        b'{"id": "\\ud800", "start": "2013-03-08", "term": "15d", "counting": "art-35-b", "method": "fax"}',
        b"[" * 100_000,
        b'{"id": 16, "start": "2099-12-08", "term": "2a", "counting": "art-35-b"}',
        b'{"id": 17, "start": "2013-03-08", "term": "1d", "counting": "art-35-b", '
        b'"suspended": [["2013-03-09", "2013-03-01"]]}',
        b"",
        f'{{"id": 19, "start": "2013-03-09", "term": "15d", "law": "{LAW}"}}'.encode(),
    ]
    code, answers = batch(tmp_path, capfdbinary, b"\xef\xbb\xbf" + b"\n".join(lines))
    assert code == 1
    assert [a["id"] for a in answers] == [
        1,
        None,
        None,
        None,
        5,
        6,
        7,
        8,
        9,
        10,
        11,
        None,
        None,
        "\ud800",
        None,
        16,
        17,
        19,
    ]
    assert answers[0].keys() == KEYS | {"id"}
    assert answers[0]["due"] == "2013-03-25"
    assert answers[-1]["due"] == "2013-03-26"
    for answer in answers[1:-1]:
        assert answer.keys() == {"id", "error"}
        assert answer["error"].keys() == {"code", "class", "message", "place", "remedy"}
    codes = [a["error"]["code"] for a in answers[1:-1]]
    assert codes[3:6] == ["prazo_invalido", "contagem_desconhecida", "linha_invalida"]
    assert codes[-2:] == ["fora_do_calendario", "periodo_invalido"]
    assert answers[1]["error"]["place"] == "linha 2"


def test_a_line_of_ten_megabytes_is_one_error_line(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    good = b'{"id": 2, "start": "2013-03-08", "term": "15d", "counting": "art-35-b"}\n'
    code, answers = batch(tmp_path, capfdbinary, b'{"id": "' + b"x" * 10_000_000 + b'"}\n' + good + b"y" * 2_000_000)
    assert code == 1
    assert [a.get("due") for a in answers] == [None, "2013-03-25", None]
    assert answers[0]["error"]["code"] == answers[2]["error"]["code"] == "linha_invalida"


def test_a_batch_takes_options_lists_law_and_method(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    base: dict[str, Any] = {"start": "2018-02-05", "term": "9d"}
    cinzas = "2018-02-14"
    asked: list[tuple[dict[str, Any], str]] = [
        ({"counting": "lei-9784", "reduced": [cinzas]}, "2018-02-15"),
        ({"counting": "lei-9784", "reduced": {"opens_late": [cinzas]}}, cinzas),
        ({"counting": "lei-9784", "reduced": {"closes_early": [cinzas]}}, "2018-02-15"),
        ({"counting": "lei-9784", "reduced": [{"date": cinzas, "opens_late": True}]}, cinzas),
        ({"counting": "art-35-b", "reduced": {"opens_late": [cinzas]}}, "2018-02-15"),
        ({"counting": "art-35-b", "reduced": [cinzas], "options": {"reduced": "open"}}, cinzas),
        ({"counting": "art-35-b", "closed": [cinzas, "2018-02-15"]}, "2018-02-16"),
        ({"counting": "art-35-b", "suspended": [[cinzas, "2018-02-16"]]}, "2018-02-19"),
        ({"law": LAW}, cinzas),
        ({"law": LAW, "closed": [cinzas]}, "2018-02-15"),
        ({"law": LAW, "counting": "cpc-2015"}, "2018-02-16"),
        ({"law": LAW, "method": "edital"}, "2018-02-15"),
        ({"law": None, "counting": "art-35-b", "options": None, "closed": None, "method": None}, cinzas),
    ]
    lines = [json.dumps({"id": n, **base, **more}) for n, (more, _) in enumerate(asked)]
    code, answers = batch(tmp_path, capfdbinary, "\n".join(lines).encode())
    assert code == 0
    assert [a["due"] for a in answers] == [due for _, due in asked]


def test_a_large_file_is_counted_by_two_processes_with_the_same_answers(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bad lines, empty ones and a BOM among them; in the order of the lines, whoever counted them."""
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    lines = [
        b"" if n % 11 == 5 else b'{"id": 1' if n % 7 == 3 else
        json.dumps({"id": n, "law": LAW, "start": f"2013-03-{n % 28 + 1:02d}", "term": "15d"}).encode()
        for n in range(200)
    ]  # fmt: skip
    content = b"\xef\xbb\xbf" + b"\n".join(lines)
    assert len(content) < prazo_batch.MANY_BYTES
    alone = batch(tmp_path, capfdbinary, content)
    monkeypatch.setattr(prazo_batch, "MANY_BYTES", 1)
    monkeypatch.setattr(prazo_batch, "PART", 7)
    assert batch(tmp_path, capfdbinary, content) == alone
    assert alone[0] == 1
    assert len(alone[1]) == sum(line != b"" for line in lines)


def test_a_batch_reads_standard_input() -> None:
    line = b'{"id": "a", "start": "2018-02-08T09:35", "term": "48h", "counting": "art-35-b", '
    line += b'"closed": ["2018-02-12", "2018-02-13", "2018-02-14"], "options": {"hours_end": "same_clock"}}'
    done = run("prazo", "--batch", "-", stdin=line)
    assert done.returncode == 0
    assert json.loads(done.stdout)["due_at"] == "2018-02-15T09:35:00-02:00"


def run(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "procedure.cli.main", *args], input=stdin, capture_output=True, check=False
    )


def test_prazo_loads_nothing_heavy() -> None:
    program = f"""
import sys
from procedure.cli.main import main
main(["prazo", "--law", "{LAW}", "--start", "2013-03-09", "--term", "15d", "--json"])
sys.stderr.write(repr([m for m in {HEAVY!r} if m in sys.modules]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == "[]"
    assert json.loads(done.stdout)["due"] == "2013-03-26"


def test_calendar_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calendar", "show", "--municipality", "3129509", "--year", "2009", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    days = {d["date"]: d for d in answer["days"]}
    assert days["2009-11-20"]["act"] == "Lei Municipal 1.864, de 09/12/2008"
    assert days["2009-11-20"]["kind"] == "fechado"
    assert days["2009-04-10"]["verified"] is False
    assert main(["calendar", "show", "--municipality", "3129509", "--year", "2008"]) == 0
    text = capsys.readouterr().out
    assert "Tiradentes" in text
    assert "20/11" not in text
    assert main(["calendar", "show", "--municipality", "3129509", "--year", "2031"]) == 2
    assert main(["calendar", "show", "--municipality", "1", "--year", "2009"]) == 2


def test_calendar_import_stores_facts_once(
    upgraded_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    days = tmp_path / "dias.csv"
    days.write_text(
        "date;kind;description;act;published_on\n2018-02-13;ponto_facultativo;Carnaval;Decreto 1;2018-01-30\n",
        encoding="utf-8",
    )
    asked = ["calendar", "import", str(days), "--municipality", "3204708", "--db", upgraded_url, "--json"]
    capsys.readouterr()
    for stored in (1, 0):
        assert main(asked) == 0
        answer = json.loads(capsys.readouterr().out)
        assert (answer["read"], answer["stored"]) == (1, stored)
    days.write_text("date;kind;description;act\n2031-02-13;fechado;Carnaval;Decreto 1\n", encoding="utf-8")
    assert main(asked) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "fora_do_calendario"


@pytest.mark.parametrize(
    ("line", "kept", "said"),
    [
        ('{"id": "a", "start": "2023-03-10", "term": "10d", "term": "20d", "counting": "art-35-b"}', "a", "term"),
        (
            '{"id": "a", "start": "2023-03-10", "term": "10d", "counting": "art-35-b", '
            '"options": {"reduced": "open", "reduced": "closed"}}',
            "a",
            "reduced",
        ),
        ('{"id": "a", "id": "b", "start": "2023-03-10", "term": "10d", "counting": "art-35-b"}', None, "id"),
        ('{"start": "2023-03-10", "term": "10d", "counting": "art-35-b"}', None, "id"),
        ('{"id": null, "start": "2023-03-10", "term": "10d", "counting": "art-35-b"}', None, "id"),
        ('{"id": true, "start": "2023-03-10", "term": "10d", "counting": "art-35-b"}', None, "id"),
    ],
)
def test_a_batch_refuses_a_repeated_name_and_a_line_without_id(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], line: str, kept: str | None, said: str
) -> None:
    code, answers = batch(tmp_path, capfdbinary, line.encode())
    assert code == 1
    assert [(a["id"], a["error"]["code"]) for a in answers] == [(kept, "linha_invalida")]
    assert f"“{said}”" in answers[0]["error"]["message"]
