"""The remessa: for each município of protest a block of header, transações and trailler, as values by field.

The text form and the XML form are two ways of writing the same values (``written``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import groupby
from xml.etree import ElementTree as ET

from legalbasis import InputError
from procedure.domain.taxpayer import kind_of, normalise
from procedure.services.protest.layout import SIGHT, Field, Value, cra_layout
from procedure.services.protest.titles import MOST_TITLES, Debtor, Objection, Presenter, Title

LINE_END = "\r\n"
MOST_A_DAY = 9
LAST_CONTROL = 9  # from the tenth debtor of a title on, the control number stays 9
PF, PJ = "002", "001"
CUT = frozenset(
    {"cedente", "sacador", "sacador_endereco", "sacador_cidade", "praca", "devedor", "devedor_endereco",
     "devedor_cidade", "devedor_bairro", "portador_nome"}
)  # fmt: skip
"""Texts that are cut at their column, as the layout expects of names and addresses; anything else must fit."""


class RemessaTooLong(InputError):
    """A remessa tem títulos demais para um arquivo."""

    code = "remessa_longa_demais"


class Sequence52(StrEnum):
    """Whether a record's number (field 52) runs through the file or restarts with each block (the manuals differ)."""

    ARQUIVO = "arquivo"
    BLOCO = "bloco"


@dataclass(frozen=True, slots=True)
class Record:
    """A record written: which one, and each field's columns."""

    kind: str
    columns: tuple[tuple[Field, str], ...]

    @property
    def text(self) -> str:
        """The record in its fixed width."""
        return "".join(columns for _, columns in self.columns)


@dataclass(frozen=True, slots=True)
class Block:
    """The records of one município of protest."""

    ibge: str
    header: Record
    transactions: tuple[Record, ...]
    trailer: Record

    @property
    def records(self) -> tuple[Record, ...]:
        """In file order."""
        return (self.header, *self.transactions, self.trailer)


def build(
    titles: Iterable[Title],
    presenter: Presenter,
    movement: date,
    *,
    number: int,
    sequence: Sequence52 = Sequence52.ARQUIVO,
) -> list[Block]:
    """The blocks of a remessa dated ``movement``, ``number`` its sequence. Titles must have passed ``objections``.

    Raises PresenterIncomplete, RemessaTooLong, FieldDoesNotFit, CharacterNotInLayout.
    """
    presenter.check()
    ordered = sorted(titles, key=lambda t: (t.ibge, t.own_number))
    blocks = []
    following = 1
    for ibge, group in groupby(ordered, key=lambda t: t.ibge):
        first = 1 if sequence is Sequence52.BLOCO else following
        block = _block(ibge, list(group), presenter, movement, number, first)
        blocks.append(block)
        following = first + len(block.records)
    return blocks


def _block(
    ibge: str, titles: Sequence[Title], presenter: Presenter, movement: date, number: int, first: int
) -> Block:
    lines = [(title, position, debtor) for title in titles for position, debtor in enumerate(title.debtors, 1)]
    if len(lines) > MOST_TITLES:
        raise RemessaTooLong(
            f"{len(lines)} registros para o município {ibge}; cabem {MOST_TITLES}.",
            remedy="Divida a remessa: até nove arquivos por dia.",
        )
    same: dict[str, Value] = {"portador": presenter.portador, "portador_nome": presenter.name, "movimento": movement}
    counts = {
        "quantidade_registros": len(lines),
        "quantidade_titulos": len(titles),
        "quantidade_indicacoes": 0,
        "quantidade_originais": len(titles),
    }
    header = written(
        "header",
        {**same, **counts, "sequencia_remessa": number, "agencia_centralizadora": presenter.agency, "municipio": ibge},
    )
    transactions = tuple(
        written("transaction", {**_transaction(title, position, debtor, presenter), "sequencia": first + offset})
        for offset, (title, position, debtor) in enumerate(lines, 1)
    )
    totals = {"soma_quantidades": sum(counts.values()), "soma_saldos": sum(title.balance for title, _, _ in lines)}
    trailer = written("trailer", {**same, **totals, "sequencia": first + len(lines) + 1})
    return Block(ibge, header, transactions, trailer)


def unwritable(titles: Iterable[Title], presenter: Presenter) -> dict[str, list[Objection]]:
    """What the layout has no way to write, by title's number: one name does not hold the other titles back."""
    found: dict[str, list[Objection]] = {}
    for title in titles:
        for position, debtor in enumerate(title.debtors, 1):
            try:
                written("transaction", _transaction(title, position, debtor, presenter))
            except InputError as error:
                found.setdefault(title.number, []).append(Objection(title.number, error.error_code, error.message))
    return found


def _transaction(title: Title, position: int, debtor: Debtor, presenter: Presenter) -> dict[str, Value]:
    home, seat, doc = debtor.address, presenter.address, normalise(debtor.doc)
    return {
        "portador": presenter.portador,
        "cedente_codigo": presenter.cedente_code,
        "cedente": presenter.name,
        "sacador": presenter.name,
        "sacador_doc": normalise(presenter.cnpj),
        "sacador_endereco": seat.street,
        "sacador_cep": seat.cep,
        "sacador_cidade": seat.city,
        "sacador_uf": seat.uf,
        "nosso_numero": title.own_number,
        "titulo": title.number,
        "emissao": title.issued,
        # A certidão is always issued after the debt fell due: dated so, it would be refused (irregularidade 20).
        "vencimento": SIGHT,
        "valor": title.amount,
        "saldo": title.balance,
        "praca": home.city,
        "controle_devedor": min(position, LAST_CONTROL),
        "devedor": debtor.name,
        "devedor_tipo_doc": PF if kind_of(doc) == "pf" else PJ,
        "devedor_doc": doc,
        "devedor_endereco": home.street,
        "devedor_cep": home.cep,
        "devedor_cidade": home.city,
        "devedor_uf": home.uf,
        "devedor_bairro": home.district,
    }


def written(kind: str, values: Mapping[str, Value]) -> Record:
    """A record of the layout with ``values`` by field name; absent ones are empty. Raises the fields' errors."""
    columns = []
    for field in cra_layout().fields(kind):
        value: Value = field.fixed if field.fixed is not None else values.get(field.name)
        columns.append((field, field.write(value, cut=field.name in CUT)))
    return Record(kind, tuple(columns))


def as_text(blocks: Iterable[Block]) -> bytes:
    """The file of 600-byte records."""
    return "".join(record.text + LINE_END for block in blocks for record in block.records).encode("ascii")


_TAGS = {"header": ("hd", "h"), "transaction": ("tr", "t"), "trailer": ("tl", "t")}


def as_xml(blocks: Iterable[Block]) -> list[tuple[str, bytes]]:
    """One ``<remessa>`` document for each município: (IBGE code, file). Blank fields are left out."""
    documents = []
    for block in blocks:
        root = ET.Element("remessa")
        for record in block.records:
            tag, letter = _TAGS[record.kind]
            attributes = {f"{letter}{f.number:02d}": columns.rstrip() for f, columns in record.columns}
            ET.SubElement(root, tag, {name: value for name, value in attributes.items() if value})
        documents.append((block.ibge, ET.tostring(root, encoding="utf-8", xml_declaration=True)))
    return documents


def file_name(presenter: Presenter, movement: date, of_the_day: int) -> str:
    """``BCCCDDMM.AAS``. Raises RemessaTooLong after the ninth of a day."""
    if not 1 <= of_the_day <= MOST_A_DAY:
        raise RemessaTooLong("já saíram nove remessas hoje; o layout não numera a décima.")
    return f"B{presenter.portador}{movement:%d%m}.{movement:%y}{of_the_day}"
