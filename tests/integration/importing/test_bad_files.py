"""Files that cannot be read as a whole, and bad lines beside good ones: typed, in bounded memory, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.integration.importing.samples import Act, Office, act, drawn, inscribed_case, jsonl, served

GOOD = jsonl(inscribed_case("1/2013"))
ACCENTED = jsonl([drawn("1/2013", "2013-02-20T22:00", "2013-03-01")])
pytestmark = pytest.mark.parametrize("dialect", ["sqlite"])  # nothing here depends on the database


def refused(office: Office, content: bytes, *args: str, name: str = "atos.jsonl") -> dict[str, str]:
    code, answer = office.import_file(content, *args, name=name)
    assert code == 2
    assert office.autos() == []
    error: dict[str, str] = answer["error"]
    return error


def test_latin_1_is_named_with_line_byte_and_remedy_and_read_when_asked(office: Office) -> None:
    content = ("\n" + ACCENTED).encode("latin-1")
    error = refused(office, content)
    assert error["code"] == "codificacao_errada"
    accent = next(place for place, byte in enumerate(content) if byte > 127)
    assert error["place"] == f"linha 2, byte {accent}"  # counted after the blank line, which is one byte
    assert "--encoding latin-1" in error["remedy"]
    code, answer = office.import_file(content, "--encoding", "latin-1")
    assert (code, answer["applied"]) == (0, 1)
    with office.session() as session:
        assert "Bar do Zé Ltda" in set(session.scalars(text("SELECT name FROM posturas_persons")))


def test_utf_8_read_as_latin_1_is_refused_not_garbled(office: Office) -> None:
    assert refused(office, ACCENTED.encode(), "--encoding", "latin-1")["code"] == "codificacao_errada"


def test_one_line_of_stray_bytes_in_a_utf_8_file_is_that_line_alone(office: Office) -> None:
    bad = jsonl([served("1/2013", "ciencia", "2013-03-08", "fiscal")]).encode().replace(b"fiscal 1", b"Jo\xe3o")
    code, answer = office.import_file(ACCENTED.encode() + bad)
    assert (code, answer["applied"]) == (1, 1)
    assert [(r["line"], r["auto"], r["code"]) for r in answer["rejected"]] == [(2, "1/2013", "codificacao_da_linha")]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_refused(office: Office, encoding: str) -> None:
    assert refused(office, GOOD.encode(encoding))["code"] == "codificacao_errada"


def test_an_encoding_that_is_not_taken_is_refused(office: Office) -> None:
    assert refused(office, GOOD.encode(), "--encoding", "utf-7")["code"] == "codificacao_desconhecida"
    assert refused(office, GOOD.encode(), "--encoding", "nada\x00")["code"] == "codificacao_desconhecida"


def test_the_byte_order_mark_and_windows_line_ends_are_tolerated(office: Office) -> None:
    content = b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()
    assert office.import_file(content)[1]["applied"] == 5


def test_an_empty_file_has_nothing_to_apply(office: Office) -> None:
    for content in (b"", b"\n \r\n", b"\xef\xbb\xbf"):
        code, answer = office.import_file(content)
        nothing = {"read": 0, "applied": 0, "already_known": 0, "rejected": [], "cases": 0}
        assert (code, answer) == (0, {**nothing, "undone": [], "dry_run": False})


def test_a_missing_file_and_a_folder_say_so(office: Office) -> None:
    for path in (office.folder / "nada.jsonl", office.folder):
        code, out, _ = office.run("import", str(path), "--json")
        assert (code, json.loads(out)["error"]["code"]) == (2, "arquivo_ilegivel")
    assert office.run("import", "nome\x00nulo")[0] == 2


def test_a_database_without_tables_says_what_to_run(office: Office) -> None:
    empty = Office(f"sqlite:///{office.folder}/vazio.db", office.folder, office.capsys)
    code, answer = empty.import_file(GOOD)
    assert (code, answer["error"]["code"]) == (2, "banco_sem_tabelas")


def test_a_truncated_last_line_is_rejected_and_holds_nothing_before_it(office: Office) -> None:
    code, answer = office.import_file(GOOD.encode()[:-20])
    assert (code, answer["applied"]) == (1, 4)
    (found,) = answer["rejected"]
    assert (found["line"], found["auto"], found["code"]) == (5, "1/2013", "json_invalido")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"a": 1', "json_invalido"),
        ("nada", "json_invalido"),
        ("[1, 2]", "json_invalido"),
        ('"texto"', "json_invalido"),
        ("null", "json_invalido"),
        ("[" * 100_000, "json_invalido"),
        ('{"a":' * 100_000, "json_invalido"),
        ('{"auto": ' + "9" * 10_000 + "}", "json_invalido"),
        ('{"auto": NaN}', "json_invalido"),
        ('{"auto": "9/2013", "auto": "8/2013"}', "campo_repetido"),
        ("{}", "campo_ausente"),
        (b"\x00".decode() + "{}", "json_invalido"),
    ],
)
def test_a_line_that_is_not_an_act_is_rejected_alone(office: Office, line: str, code: str) -> None:
    found, answer = office.import_file(GOOD + line + "\n")
    assert (found, answer["applied"]) == (1, 5)
    assert [(r["line"], r["code"]) for r in answer["rejected"]] == [(6, code)]


def changed(**fields: object) -> Act:
    return {**served("1/2013", "ciencia", "2013-03-08"), **fields}


@pytest.mark.parametrize(
    ("line", "code", "field"),
    [
        (changed(act="inscricao"), "ato_do_sistema", "act"),
        (changed(act="citacao"), "campo_invalido", "act"),
        (changed(municipality="9999999"), "municipio_desconhecido", "municipality"),
        (changed(municipality=True), "campo_invalido", "municipality"),
        (changed(law="es-3204708/lei-1-1999"), "lei_desconhecida", "law"),
        (changed(date="2013-02-30"), "data_invalida", "date"),
        (changed(date="08/03/2013"), "data_invalida", "date"),
        (changed(date="20130308"), "data_invalida", "date"),
        (changed(date="2013-W10-5"), "data_invalida", "date"),
        (changed(date="9999-12-31"), "data_invalida", "date"),
        (changed(date="2099-03-08", received="2099-03-08", juntada="2099-03-08"), "ato_no_futuro", "date"),
        (changed(role="juiz"), "campo_invalido", "role"),
        (changed(method="fax"), "campo_invalido", "method"),
        (changed(actor="a\x00b"), "campo_invalido", "actor"),
        (changed(actor="\ud800"), "campo_invalido", "actor"),
        (changed(actor="x" * 30_000), "campo_invalido", "actor"),
        (changed(observacao="x"), "campo_desconhecido", "observacao"),
    ],
)
def test_a_bad_field_is_named(office: Office, line: Act, code: str, field: str) -> None:
    lines = [json.dumps(drawn("1/2013", "2013-02-20T22:00", "2013-03-01")), json.dumps(line)]
    exit_code, answer = office.import_acts(lines)
    assert exit_code == 1
    told = [(r["line"], r["code"], r["field"]) for r in answer["rejected"] if r["code"] != "retida"]
    assert told == [(2, code, field)]


@pytest.mark.parametrize("amount", ["1e999999999", "-1", "0", "0.001", "1e400", "abc", True, "NaN", "9" * 40])
def test_an_impossible_amount_is_rejected(office: Office, amount: object) -> None:
    payment = act("1/2013", "pagamento", "2013-04-25", "tesouraria", amount=amount)
    code, answer = office.import_acts([*inscribed_case("1/2013"), payment])
    assert (code, [r["code"] for r in answer["rejected"]]) == (1, ["campo_invalido"])


def test_amounts_as_json_numbers_are_exact(office: Office) -> None:
    payment = json.dumps(act("1/2013", "pagamento", "2013-04-25", "tesouraria", amount="X")).replace('"X"', "100.10")
    assert office.import_acts([*inscribed_case("1/2013"), payment])[1]["applied"] == 6
    assert office.case("1/2013").pago == 100_10


def test_every_defect_of_a_line_is_told_at_once(office: Office) -> None:
    line = changed(method="fax", observacao="x", role="juiz")
    (found,) = office.import_acts([line])[1]["rejected"]
    assert all(word in found["message"] for word in ("observacao", "fax", "juiz"))


def test_an_alphanumeric_cnpj_is_checked_by_its_digits(office: Office) -> None:
    # 12.ABC.345/01DE-35 is the example published by the Receita Federal.
    assert office.import_acts([drawn("1/2013", "2013-02-20T22:00", "2013-03-01", doc="12.ABC.345/01DE-35")])[0] == 0
    answer = office.import_acts([drawn("2/2013", "2013-02-20T22:00", "2013-03-01", doc="12.ABC.345/01DE-36")])[1]
    assert [(r["code"], r["field"]) for r in answer["rejected"]] == [("documento_invalido", "infrator.doc")]


def test_names_keep_every_accent_and_four_byte_characters(office: Office) -> None:
    name = "Ágata Àçãõ Ñandú “Ö” 🏛️ 𝟙 d'Ávila"
    line = drawn("1/2013", "2013-02-20T22:00", "2013-03-01")
    line["infrator"]["name"] = name
    assert office.import_acts([line])[0] == 0
    with office.session() as session:
        assert name in set(session.scalars(text("SELECT name FROM posturas_persons")))


def test_the_municipality_asked_fills_in_and_separates(office: Office) -> None:
    lines = inscribed_case("1/2013")
    for line in lines[1:]:
        del line["municipality"]
    assert office.import_acts(lines, "--municipality", "3204708")[1]["applied"] == 5
    answer = office.import_acts([lines[0]], "--municipality", "3129509")[1]
    assert [r["code"] for r in answer["rejected"]] == ["municipio_divergente"]


def test_a_pipe_is_read_like_a_file(office: Office) -> None:
    pipe = office.folder / "cano"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(GOOD,))
    writer.start()
    code, out, _ = office.run("import", str(pipe), "--json")
    writer.join()
    assert (code, json.loads(out)["applied"]) == (0, 5)


def test_a_line_of_10_mb_and_100_000_bad_lines_take_little_memory(office: Office) -> None:
    """In a process of its own, from stdin: its peak is read back."""
    content = office.folder / "grande.jsonl"
    with content.open("w", encoding="utf-8") as file:
        file.write('{"municipality": "3204708", "auto": "7/2013", "x": "' + "y" * 10_000_000 + '"}\n')
        file.writelines(f'{{"auto": "{n}/2014", "municipality": "3204708"}}\n' for n in range(100_000))
        file.write(GOOD)
    target = office.folder / "rejeitadas.jsonl"
    target.touch()
    program = (
        "import re, sys\nfrom procedure.cli.main import main\n"
        f"code = main(['import', '-', '--rejected', {str(target)!r}, '--db', {office.url!r}])\n"
        # not getrusage: its peak outlives exec, and would be that of the process of the tests
        "peak = re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read())[1]\n"
        "print(peak, file=sys.stderr)\nsys.exit(code)\n"
    )
    with content.open("rb") as stdin:
        done = subprocess.run(
            [sys.executable, "-c", program], stdin=stdin, capture_output=True, text=True, cwd=Path.cwd(), check=False
        )
    assert done.returncode == 1
    assert "Rejeitados          100001" in done.stdout
    assert "Atos aplicados      5" in done.stdout
    assert len(done.stdout) < 10_000
    assert int(done.stderr) < 250_000  # KiB, of which the program itself takes a third
    assert target.stat().st_size == content.stat().st_size - len(GOOD.encode())
