"""CSV: the names of the object as columns; rows and headers that are not right, each named."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

import pytest

from tests.integration.importing.samples import Act, Office, act, inscribed_case

pytestmark = pytest.mark.parametrize("dialect", ["sqlite"])  # nothing here depends on the database
COMMON = "municipality;auto;act;date;actor;role"
SERVED = "received;juntada;method"


def flat(value: Any, name: str = "") -> dict[str, str]:
    if isinstance(value, dict):
        return {
            key: cell for part, item in value.items() for key, cell in flat(item, f"{name}.{part}".strip(".")).items()
        }
    return {name: "|".join(value) if isinstance(value, list) else str(value)}


def table(acts: Iterable[Act], separator: str = ";") -> str:
    rows = [flat(line) for line in acts]
    names = sorted({name for row in rows for name in row})
    out = io.StringIO()
    writer = csv.DictWriter(out, names, delimiter=separator, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def paid(amount: str) -> list[Act]:
    return [*inscribed_case("1/2013"), act("1/2013", "pagamento", "2013-04-25", "tesouraria", amount=amount)]


def codes(answer: dict[str, list[dict[str, object]]]) -> list[tuple[object, object]]:
    return [(item["line"], item["code"]) for item in answer["rejected"]]


@pytest.mark.parametrize("separator", [";", ","])
@pytest.mark.parametrize(("amount", "centavos"), [("100,10", 100_10), ("100.10", 100_10), ("1.234,5", 1234_50)])
def test_a_csv_says_what_the_objects_say(office: Office, separator: str, amount: str, centavos: int) -> None:
    code, answer = office.import_file(table(paid(amount), separator), name="atos.txt")
    assert (code, answer["applied"], answer["rejected"]) == (0, 6, [])
    assert office.case("1/2013").pago == centavos
    exact = f"{centavos // 100}.{centavos % 100:02d}"
    assert office.import_acts(paid(exact))[1]["already_known"] == 6


@pytest.mark.parametrize("amount", ["1,234.56", "1.234", "12,3,4", "R$ 10"])
def test_an_amount_that_can_be_read_two_ways_is_not_read(office: Office, amount: str) -> None:
    code, answer = office.import_file(table(paid(amount)), name="atos.csv")
    assert (code, codes(answer)) == (1, [(7, "campo_invalido")])


def test_a_csv_in_latin_1_with_a_mark_or_windows_ends(office: Office) -> None:
    content = table(paid("1,00"))
    assert office.import_file(content.encode("latin-1"), name="a.csv")[1]["error"]["code"] == "codificacao_errada"
    assert office.import_file(content.encode("latin-1"), "--encoding", "latin-1", name="a.csv")[1]["applied"] == 6
    assert office.import_file(b"\xef\xbb\xbf" + content.encode(), name="a.csv")[1]["already_known"] == 6


def test_lists_of_objects_are_numbered(office: Office) -> None:
    line = inscribed_case("1/2013")[0]
    fact = line.pop("fact")
    line |= {"infractions.1": fact, "infractions.2": {**fact, "article": "46"}}
    assert office.import_file(table([line]))[1]["applied"] == 1
    assert [f["article"] for f in office.case("1/2013").facts["infractions"]] == ["64-I", "46"]
    missing = {**line, "auto": "2/2013", "infractions.3": fact}
    del missing["infractions.2"]
    assert codes(office.import_file(table([missing]))[1]) == [(2, "linha_irregular")]


@pytest.mark.parametrize(
    ("header", "code", "named"),
    [
        (f"{COMMON};preco;obs", "cabecalho_desconhecido", "“preco”, “obs”"),
        (f"{COMMON};infrator.nome", "cabecalho_desconhecido", "infrator.nome"),
        (f"{COMMON};goods.0.description", "cabecalho_desconhecido", "goods.0.description"),
        (f"{COMMON};", "cabecalho_desconhecido", "“”"),
        (f"{COMMON};auto", "coluna_repetida", "auto"),
        ("numero;data", "cabecalho_desconhecido", "numero"),
    ],
)
def test_a_header_that_is_not_known_is_refused_whole_by_name(
    office: Office, header: str, code: str, named: str
) -> None:
    found, answer = office.import_file(f"{header}\n3204708;1/2013;remessa;2013-01-01;a;fiscal\n", name="a.csv")
    assert (found, answer["error"]["code"]) == (2, code)
    assert named in answer["error"]["message"]


def test_a_known_column_that_is_not_of_the_act_is_rejected_in_its_row(office: Office) -> None:
    content = f"{COMMON};amount\n3204708;1/2013;remessa;2013-01-01;a;secretario;10\n"
    answer = office.import_file(content, name="a.csv")[1]
    assert [(r["code"], r["field"]) for r in answer["rejected"]] == [("campo_desconhecido", "amount")]


def row(auto: str, *, method: str = "postal", actor: str = "a") -> str:
    return f"3204708;{auto};ciencia;2013-03-08;{actor};fiscal;2013-03-08;2013-03-08;{method}"


def test_ragged_rows_are_rejected_and_their_auto_held(office: Office) -> None:
    rows = [row("1/2013"), row("2/2013") + ";x", row("3/2013").rpartition(";")[0], row("4/2013")]
    answer = office.import_file("\n".join([f"{COMMON};{SERVED}", *rows]), name="a.csv")[1]
    assert codes(answer) == [
        (2, "auto_desconhecido"), (3, "linha_irregular"), (4, "linha_irregular"), (5, "auto_desconhecido"),
    ]  # fmt: skip
    assert [item["auto"] for item in answer["rejected"]] == ["1/2013", "2/2013", "3/2013", "4/2013"]


def test_a_quote_left_open_gives_up_its_own_line_alone(office: Office) -> None:
    rows = [row("1/2013", actor='"aberta'), row("2/2013"), row("3/2013", actor='"Fulano ""F"" de Tal"'), row("4/2013")]
    answer = office.import_file("\n".join([f"{COMMON};{SERVED}", *rows]), name="a.csv")[1]
    assert answer["read"] == 4
    assert codes(answer) == [(2, "aspas_abertas"), *((n, "auto_desconhecido") for n in (3, 4, 5))]
    assert answer["rejected"][0]["auto"] == "1/2013"


def test_every_line_with_an_open_quote_is_told(office: Office) -> None:
    rows = [row(f"{n}/2013", actor='"aberta') for n in range(1, 6)]
    answer = office.import_file("\n".join([f"{COMMON};{SERVED}", *rows]), name="a.csv")[1]
    assert codes(answer) == [(n, "aspas_abertas") for n in range(2, 7)]


def test_a_quoted_cell_may_hold_line_breaks_and_its_row_is_written_back_whole(office: Office) -> None:
    line = inscribed_case("1/2013")[0]
    line["fact"]["description"] = "Som alto;\nà noite, “muito” alto\ne de manhã"
    good = table([line])
    assert office.import_file(good, name="a.csv")[1]["applied"] == 1
    assert office.case("1/2013").facts["infractions"][0]["description"] == line["fact"]["description"]
    target = office.folder / "de_volta.csv"
    bad = table([{**line, "auto": "2/2013", "role": "juiz"}])
    assert office.import_file(bad, "--rejected", str(target), name="a.csv")[0] == 1
    assert target.read_bytes() == (office.folder / "a.csv").read_bytes()
