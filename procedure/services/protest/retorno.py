"""The file that comes back from the CRA, as text or XML, read strictly by the same field table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from xml.etree import ElementTree as ET

from procedure.domain.amounts import amount
from procedure.services.protest.layout import Field, ReturnMalformed, cra_layout

MOST_BYTES = 200_000_000
RECORDS = {"0": "header", "1": "transaction", "9": "trailer"}
XML_RECORDS = {"hd": ("header", "h"), "tr": ("transaction", "t"), "tl": ("trailer", "t")}
Values = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the cartório says of one title. Amounts in centavos; days None where blank.

    ``portador`` and ``municipality`` are as the header of its block says.
    """

    place: str
    portador: str
    municipality: str
    title: str
    own_number: str
    occurrence: str
    occurrence_text: str
    occurrence_on: date | None
    irregularity: str | None
    irregularity_text: str | None
    protocol: str | None
    protocol_on: date | None
    balance: int
    fees: int
    debtor_position: int

    def to_dict(self) -> dict[str, Any]:
        """JSON-able; every key always there."""
        days = {"occurrence_on": self.occurrence_on, "protocol_on": self.protocol_on}
        return {
            "title": self.title,
            "own_number": self.own_number,
            "occurrence": self.occurrence,
            "occurrence_text": self.occurrence_text,
            **{name: day.isoformat() if day else None for name, day in days.items()},
            "irregularity": self.irregularity,
            "irregularity_text": self.irregularity_text,
            "protocol": self.protocol,
            "balance": amount(self.balance),
            "fees": amount(self.fees),
            "debtor_position": self.debtor_position,
        }


def read_return(content: bytes) -> list[Answer]:
    """Every answer of a return file. Raises ReturnMalformed with the record: nothing is taken by halves.

    The records of a block must add up as its header and trailler say.
    """
    if len(content) > MOST_BYTES:
        raise ReturnMalformed("o arquivo passa de 200 MB.")
    head = content.lstrip(b"\xef\xbb\xbf \r\n\t")[:1]
    records = _xml_records(content) if head == b"<" else _text_records(content)
    answers: list[Answer] = []
    block: list[Values] = []
    header: Values | None = None
    for kind, place, values in records:
        if kind == "header":
            if header is not None:
                raise ReturnMalformed("começa um bloco antes de terminar o anterior.", place=place)
            header, block = values, []
        elif header is None:
            raise ReturnMalformed("há registro fora de bloco: falta o header.", place=place)
        elif kind == "transaction":
            block.append(values)
            answers.append(_answer(header, values, place))
        else:
            _check_block(header, block, values, place)
            header = None
    if header is not None:
        raise ReturnMalformed("o arquivo termina sem o trailler: pode ter vindo cortado.")
    if not answers:
        raise ReturnMalformed("o arquivo não tem nenhum título.")
    return answers


def _text_records(content: bytes) -> Iterator[tuple[str, str, Values]]:
    layout = cra_layout()
    try:
        text = content.decode("ascii")
    except UnicodeDecodeError as error:
        raise ReturnMalformed(f"o byte {error.start + 1} não é ASCII; o layout é ASCII.") from error
    for number, line in enumerate(text.replace("\r\n", "\n").rstrip("\x1a\n").split("\n"), 1):
        place = f"registro {number}"
        kind = RECORDS.get(line[:1])
        if kind is None or len(line) != layout.width:
            raise ReturnMalformed(
                f"deve ter {layout.width} caracteres e começar por 0, 1 ou 9; tem {len(line)}.", place=place
            )
        yield kind, place, {f.name: f.read(line, place) for f in layout.fields(kind)}


def _xml_records(content: bytes) -> Iterator[tuple[str, str, Values]]:
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise ReturnMalformed("o XML declara entidades, o que o layout não tem.")
    try:
        root = ET.fromstring(content)
    except ET.ParseError as error:
        raise ReturnMalformed(f"o XML não está bem formado: {error}.") from error
    blocks = [root] if root.find("hd") is not None else list(root)
    number = 0
    for block in blocks:
        for element in block:
            number += 1
            place = f"registro {number}"
            if element.tag not in XML_RECORDS:
                raise ReturnMalformed(f"“{element.tag[:24]}” não é registro do layout.", place=place)
            kind, letter = XML_RECORDS[element.tag]
            fields = cra_layout().fields(kind)
            yield kind, place, {f.name: _attribute(element, f, letter, place) for f in fields}


def _attribute(element: ET.Element, field: Field, letter: str, place: str) -> str:
    return field.trimmed(element.get(f"{letter}{field.number:02d}", ""), place)


def _answer(header: Values, values: Values, place: str) -> Answer:
    layout = cra_layout()
    occurrence, irregularity = values["ocorrencia"], values["irregularidade"]
    if occurrence not in layout.occurrences:
        raise ReturnMalformed(f"a ocorrência “{occurrence}” não existe no layout.", place=place, field="ocorrencia")
    return Answer(
        place=place,
        portador=header["portador"],
        municipality=header["municipio"],
        title=values["titulo"],
        own_number=values["nosso_numero"],
        occurrence=occurrence,
        occurrence_text=layout.occurrences[occurrence],
        occurrence_on=_day(values["data_ocorrencia"], place),
        irregularity=irregularity or None,
        irregularity_text=layout.irregularities.get(irregularity),
        protocol=values["protocolo"] or None,
        protocol_on=_day(values["data_protocolo"], place),
        balance=int(values["saldo"] or 0),
        fees=sum(int(values[name] or 0) for name in ("custas_cartorio", "custas_distribuidor", "demais_despesas")),
        debtor_position=int(values["controle_devedor"] or 0),
    )


def _day(text: str, place: str) -> date | None:
    if not text:
        return None
    try:
        return date(int(text[4:]), int(text[2:4]), int(text[:2]))
    except ValueError as error:
        raise ReturnMalformed(f"“{text}” não é um dia (DDMMAAAA).", place=place) from error


def _check_block(header: Values, block: Sequence[Values], trailer: Values, place: str) -> None:
    said = int(header["quantidade_registros"] or 0)
    if said != len(block):
        raise ReturnMalformed(f"o header diz {said} registros; há {len(block)}.", place=place)
    balances = sum(int(values["saldo"] or 0) for values in block)
    if int(trailer["soma_saldos"] or 0) != balances:
        raise ReturnMalformed("a soma dos saldos não é a do trailler.", place=place)
