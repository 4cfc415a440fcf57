"""The remessa, read back by a parser written here from the layout's columns, field by field."""

from __future__ import annotations

from datetime import date
from xml.etree import ElementTree as ET

import pytest

from legalbasis import PosturasError
from procedure.services.protest.layout import CharacterNotInLayout, cra_layout, fold
from procedure.services.protest.remessa import Sequence52, as_text, as_xml, build, file_name
from procedure.services.protest.titles import Address, Debtor, Presenter, Title, objections

HOME = Address(street="Rua São João, nº 12", district="Centro", cep="29780000", city="São Gabriel da Palha", uf="ES")
SEAT = Address(street="Praça Vicente Glazar, 159", district="Glória", cep="29780000", city="São Gabriel", uf="ES")
CITY = Presenter(
    portador="123",
    name="Município de São Gabriel da Palha",
    cedente_code="SGP001",
    agency="000001",
    cnpj="27174143000176",
    address=SEAT,
)
JOSE = Debtor(name="José D’Ávila Gonçalves", doc="52998224725", address=HOME)
FIRM = Debtor(name="Comércio & Cia Ltda", doc="11222333000181", address=HOME)
MOVEMENT = date(2013, 5, 6)


def title(number: str = "1/2013", *, debtors: tuple[Debtor, ...] = (JOSE,), **changes: object) -> Title:
    fields: dict[str, object] = {
        "number": number,
        "own_number": number.replace("/", ""),
        "issued": date(2013, 4, 29),
        "amount": 36300,
        "balance": 36300,
        "ibge": "3204708",
        "debtors": debtors,
        **changes,
    }
    return Title(**fields)  # type: ignore[arg-type]  # each field is named above


def columns(line: str, first: int, last: int) -> str:
    """The layout's columns, counted from 1, both ends in."""
    return line[first - 1 : last]


def lines(*titles: Title, **options: object) -> list[str]:
    text = as_text(build(titles, CITY, MOVEMENT, number=7, **options))  # type: ignore[arg-type]  # options of build
    assert text.isascii()
    return text.decode("ascii").removesuffix("\r\n").split("\r\n")


def test_every_record_has_600_columns_and_the_table_leaves_no_gap() -> None:
    assert {len(line) for line in lines(title(), title("2/2013"))} == {600}
    for kind in ("header", "transaction", "trailer"):
        covered = [c for f in cra_layout().fields(kind) for c in range(f.first, f.last + 1)]
        assert covered == list(range(1, 601))


def test_the_header_field_by_field() -> None:
    head = lines(title(), title("2/2013", debtors=(FIRM, JOSE)))[0]
    expected = {
        (1, 1): "0",
        (2, 4): "123",
        (5, 44): "MUNICIPIO DE SAO GABRIEL DA PALHA".ljust(40),
        (45, 52): "06052013",
        (53, 61): "BFOSDTTPR",
        (62, 67): "000007",
        (68, 71): "0003",
        (72, 75): "0002",
        (76, 79): "0000",
        (80, 83): "0002",
        (84, 89): "000001",
        (90, 92): "043",
        (93, 99): "3204708",
        (100, 596): " " * 497,
        (597, 600): "0001",
    }
    assert {at: columns(head, *at) for at in expected} == expected


def test_a_transaction_field_by_field() -> None:
    line = lines(title())[1]
    expected = {
        (1, 1): "1",
        (2, 4): "123",
        (5, 19): "SGP001".ljust(15),
        (20, 64): "MUNICIPIO DE SAO GABRIEL DA PALHA".ljust(45),
        (65, 109): "MUNICIPIO DE SAO GABRIEL DA PALHA".ljust(45),
        (110, 123): "27174143000176",
        (124, 168): "PRACA VICENTE GLAZAR, 159".ljust(45),
        (169, 176): "29780000",
        (177, 196): "SAO GABRIEL".ljust(20),
        (197, 198): "ES",
        (199, 213): "12013".ljust(15),
        (214, 216): "CDA",
        (217, 227): "1/2013".ljust(11),
        (228, 235): "29042013",
        (236, 243): "99999999",
        (244, 246): "001",
        (247, 260): "00000000036300",
        (261, 274): "00000000036300",
        (275, 294): "SAO GABRIEL DA PALHA",
        (295, 297): " N1",
        (298, 342): "JOSE D'AVILA GONCALVES".ljust(45),
        (343, 345): "002",
        (346, 359): "00052998224725",
        (360, 370): " " * 11,
        (371, 415): "RUA SAO JOAO, NO 12".ljust(45),
        (416, 423): "29780000",
        (424, 443): "SAO GABRIEL DA PALHA",
        (444, 445): "ES",
        (446, 487): "00" + " " * 10 + " " + "0" * 8 + "0" * 10 + " " + "0" * 8 + "  ",
        (488, 507): "CENTRO".ljust(20),
        (508, 533): "0" * 26,
        (534, 556): "0" * 23,
        (557, 567): " " * 11,
        (568, 577): "0" * 10,
        (578, 596): " " * 19,
        (597, 600): "0002",
    }
    assert {at: columns(line, *at) for at in expected} == expected


def test_the_trailler_adds_up() -> None:
    tail = lines(title(), title("2/2013", debtors=(FIRM, JOSE)))[-1]
    expected = {
        (1, 1): "9",
        (45, 52): "06052013",
        (53, 57): "00007",  # 3 records + 2 titles + 0 + 2
        (58, 75): "000000000000108900",  # 3 × 363,00
        (76, 596): " " * 521,
        (597, 600): "0005",
    }
    assert {at: columns(tail, *at) for at in expected} == expected


def test_each_debtor_has_a_record_and_from_the_tenth_on_the_control_is_nine() -> None:
    found = lines(title(debtors=(JOSE,) * 12))[1:-1]
    assert [columns(line, 297, 297) for line in found] == list("123456789999")


def test_each_municipio_of_protest_is_a_block_and_the_record_number_runs_on_or_restarts() -> None:
    two = (title(), title("2/2013", ibge="3201209"))
    running = [columns(line, 597, 600) for line in lines(*two)]
    assert running == ["0001", "0002", "0003", "0001", "0005", "0006"]
    restarted = [columns(line, 597, 600) for line in lines(*two, sequence=Sequence52.BLOCO)]
    assert restarted == ["0001", "0002", "0003"] * 2
    assert [columns(line, 93, 99) for line in lines(*two) if line[0] == "0"] == ["3201209", "3204708"]


def test_the_xml_says_the_same_as_the_text() -> None:
    blocks = build([title(), title("2/2013", debtors=(FIRM, JOSE))], CITY, MOVEMENT, number=7)
    ((ibge, document),) = as_xml(blocks)
    root = ET.fromstring(document)
    text = as_text(blocks).decode("ascii").split("\r\n")
    assert ibge == "3204708"
    assert [e.tag for e in root] == ["hd", "tr", "tr", "tr", "tl"]
    for element, line in zip(root, text, strict=False):
        letter = "h" if element.tag == "hd" else "t"
        kind = {"hd": "header", "tr": "transaction", "tl": "trailer"}[element.tag]
        for field in cra_layout().fields(kind):
            in_text = columns(line, field.first, field.last).rstrip()
            assert element.get(f"{letter}{field.number:02d}", "") == in_text


def test_the_file_name() -> None:
    assert file_name(CITY, MOVEMENT, 1) == "B1230605.131"
    with pytest.raises(PosturasError, match="nove remessas"):
        file_name(CITY, MOVEMENT, 10)


def codes(*titles: Title, movement: date = MOVEMENT) -> list[str]:
    found = objections(titles, CITY, movement, lambda day: day.weekday() < 5)
    return [o.code for each in found.values() for o in each]


def test_a_good_title_has_no_objection() -> None:
    assert codes(title(), title("2/2013", debtors=(FIRM,))) == []


def debtor(**changes: object) -> Debtor:
    return Debtor(**{"name": JOSE.name, "doc": JOSE.doc, "address": HOME, **changes})  # type: ignore[arg-type]  # named


def at(**changes: str) -> Address:
    return Address(
        **{"street": HOME.street, "district": HOME.district, "cep": HOME.cep, "city": HOME.city, "uf": "ES", **changes}
    )


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (title(""), "16"),
        (title("1234567/2013"), "numero_longo"),
        (title(balance=36301), "24"),
        (title(balance=0), "60"),
        (title(protested=True), "53"),
        (title(issued=date(2013, 5, 7)), "01"),
        (title(issued=MOVEMENT), "30"),
        (title(debtors=()), "sem_devedor"),
        (title(debtors=(debtor(name="José"),)), "03"),
        (title(debtors=(debtor(doc="52998224724"),)), "07"),
        (title(debtors=(debtor(doc="12ABC34501DE35"),)), "cnpj_alfanumerico"),
        (title(debtors=(debtor(doc="27174143000176"),)), "28"),
        (title(debtors=(debtor(address=at(street=" ")),)), "06"),
        (title(debtors=(debtor(address=at(cep="2978000")),)), "14"),
        (title(debtors=(debtor(deceased=True),)), "59"),
    ],
)
def test_each_objection_of_the_cartorio_is_found_before_sending(wrong: Title, code: str) -> None:
    assert codes(wrong) == [code]


def test_the_same_number_twice() -> None:
    assert codes(title(), title()) == ["52"]


def test_a_certidao_of_friday_waits_for_monday() -> None:
    friday = title(issued=date(2013, 5, 3))
    assert codes(friday, movement=date(2013, 5, 5)) == ["30"]
    assert codes(friday, movement=date(2013, 5, 6)) == []


def test_a_long_name_is_cut_at_its_column_and_a_long_key_is_refused() -> None:
    long = debtor(name="Comércio " + "de Materiais " * 9)
    assert columns(lines(title(debtors=(long,)))[1], 298, 342) == "COMERCIO " + "DE MATERIAIS " * 2 + "DE MATERIA"
    with pytest.raises(PosturasError, match="passa de 15"):
        lines(title(own_number="1" * 16))


@pytest.mark.parametrize(("text", "folded"), [("ÀÇÃÕÜÿ", "ACAOUY"), ("  a \n b ", "A B"), ("nº 1ª", "NO 1A")])
def test_accents_fold_to_their_letters(text: str, folded: str) -> None:
    assert fold(text, "devedor") == folded


@pytest.mark.parametrize("text", ["José 😀", "Иван", "a\x00b", "٣"])
def test_what_has_no_ascii_letter_is_refused_by_name(text: str) -> None:
    with pytest.raises(CharacterNotInLayout, match=r"U\+"):
        fold(text, "devedor")
