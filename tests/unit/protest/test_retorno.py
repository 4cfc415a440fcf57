"""The return file: written here column by column, as a cartório's software would, and read by the product."""

from __future__ import annotations

from datetime import date

import pytest

from procedure.services.protest.layout import ReturnMalformed
from procedure.services.protest.retorno import Answer, read_return


def put(width: int, parts: dict[int, str]) -> str:
    """A record of blanks with each text at its column (counted from 1)."""
    line = [" "] * width
    for first, text in parts.items():
        line[first - 1 : first - 1 + len(text)] = text
    return "".join(line)


HEAD = put(600, {1: "0123", 5: "MUNICIPIO", 45: "10052013SDTBFORTP000007", 68: "0001000100000001", 90: "0433204708"})
NUMERIC = {169: "29780000", 228: "29042013", 236: "99999999001", 247: "00000000036300", 261: "00000000036300"}
ANSWER = put(
    600,
    {
        1: "1123",
        199: "12013",
        214: "CDA1/2013",
        **NUMERIC,
        297: "1",
        343: "00200052998224725",
        416: "29780000",
        446: "01",
        448: "AB123",
        458: "2",
        459: "08052013",
        467: "0000001550",
        478: "10052013",
        508: "0000000200",
        518: "000000",
        524: "0000000000",
        534: "0" * 23,
        568: "0000000050",
        597: "0002",
    },
)
TAIL = put(600, {1: "9123", 45: "10052013", 53: "00003", 58: "000000000000036300", 597: "0003"})
FIXED_HEAD = HEAD[:596] + "0001"


def file(*records: str, end: str = "\r\n") -> bytes:
    return end.join(records).encode("ascii") + end.encode("ascii")


def answers(*records: str) -> list[Answer]:
    return read_return(file(*records))


def test_a_protested_title_with_its_fees() -> None:
    (got,) = answers(FIXED_HEAD, ANSWER, TAIL)
    assert (got.title, got.own_number, got.debtor_position) == ("1/2013", "12013", 1)
    assert (got.occurrence, got.occurrence_text, got.occurrence_on) == ("2", "protestado", date(2013, 5, 10))
    assert (got.protocol, got.protocol_on) == ("AB123", date(2013, 5, 8))
    assert (got.balance, got.fees) == (36300, 1550 + 200 + 50)
    assert (got.irregularity, got.irregularity_text) == (None, None)


def test_a_title_sent_back_says_why() -> None:
    back = ANSWER[:457] + "5" + ANSWER[458:485] + "14" + ANSWER[487:]
    (got,) = answers(FIXED_HEAD, back, TAIL)
    assert (got.irregularity, got.irregularity_text) == ("14", "CEP do devedor inválido")


def test_unix_line_ends_and_no_last_one() -> None:
    content = file(FIXED_HEAD, ANSWER, TAIL, end="\n").rstrip(b"\n")
    assert len(read_return(content)) == 1


def test_the_xml_form() -> None:
    xml = (
        '<?xml version="1.0"?><remessa><hd h01="0" h09="0001"/>'
        '<tr t01="1" t11="12013" t13="1/2013" t18="00000000036300" t22="1" t33="1" t37="10052013"/>'
        '<tl t01="9" t06="000000000000036300"/></remessa>'
    )
    (got,) = read_return(xml.encode())
    assert (got.title, got.occurrence_text, got.balance) == ("1/2013", "pago", 36300)
    assert len(read_return(f"<retorno>{xml[21:]}{xml[21:]}</retorno>".encode())) == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "600"),
        (file(FIXED_HEAD, TAIL), "diz 1 registros; há 0"),
        (file(FIXED_HEAD, ANSWER), "termina sem o trailler"),
        (file(ANSWER, TAIL), "falta o header"),
        (file(FIXED_HEAD, FIXED_HEAD), "antes de terminar"),
        (file(FIXED_HEAD, ANSWER[:-1], TAIL), "tem 599"),
        (file(FIXED_HEAD, ANSWER, TAIL.replace("36300", "36299")), "soma dos saldos"),
        (file(FIXED_HEAD, ANSWER.replace("2" + "08052013", "208132013"), TAIL), "não é um dia"),
        (file(FIXED_HEAD, ANSWER[:457] + "Z" + ANSWER[458:], TAIL), "não existe no layout"),
        (file(FIXED_HEAD, ANSWER[:260] + "X" + ANSWER[261:], TAIL), "só algarismos"),
        ("é".encode("latin-1"), "não é ASCII"),
        (b"<remessa><hd", "bem formado"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><remessa/>', "declara entidades"),
        (b"<remessa></remessa>", "nenhum título"),
        (b"<remessa><hd h09='0'/><zz/></remessa>", "não é registro"),
    ],
)
def test_what_is_not_the_layout_is_refused_whole(content: bytes, said: str) -> None:
    with pytest.raises(ReturnMalformed, match=said):
        read_return(content)
