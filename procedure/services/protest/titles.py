"""What goes to protest: who presents, each certidão with its debtors, and the checks before the cartório objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from legalbasis import InputError
from procedure.domain.taxpayer import InvalidDocument, kind_of, normalise
from procedure.services.protest.layout import cra_layout

IsOpen = Callable[[date], bool]
CEP_DIGITS = 8
TITLE_WIDTH = 11
MOST_TITLES = 9_999  # the header counts records in four digits


class PresenterIncomplete(InputError):
    """Faltam dados do Município para a remessa."""

    code = "apresentante_incompleto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where somebody lives; ``cep`` eight digits."""

    street: str
    district: str
    cep: str
    city: str
    uf: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Presenter:
    """The municipality as the CRA knows it. ``portador`` three digits, ``cedente_code`` and ``agency`` given by it."""

    portador: str
    name: str
    cedente_code: str
    agency: str
    cnpj: str
    address: Address

    def check(self) -> None:
        """Raises PresenterIncomplete with everything that is missing."""
        wrong = []
        if not (self.portador.isdecimal() and len(self.portador) == 3):
            wrong.append("código de portador dado pela CRA (três algarismos)")
        for value, name in ((self.name, "nome"), (self.cedente_code, "código de cedente"), (self.agency, "agência")):
            if not value.strip():
                wrong.append(name)
        try:
            if kind_of(normalise(self.cnpj)) != "pj":
                wrong.append("CNPJ")
        except InvalidDocument:
            wrong.append("CNPJ")
        if wrong:
            raise PresenterIncomplete(f"faltam, para a remessa: {', '.join(wrong)}.", field="protesto")


@dataclass(frozen=True, slots=True, kw_only=True)
class Debtor:
    """A debtor of a title; ``doc`` a CPF or CNPJ without punctuation."""

    name: str
    doc: str
    address: Address
    deceased: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    """A certidão to protest: amounts in centavos, debtors the main one first, ``ibge`` of the município of protest."""

    number: str
    own_number: str
    issued: date
    amount: int
    balance: int
    ibge: str
    debtors: tuple[Debtor, ...]
    protested: bool = False


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a title cannot go: the cartório's own code of irregularity where it has one, else a code of ours."""

    title: str
    code: str
    reason: str

    def to_dict(self) -> dict[str, str]:
        """JSON-able."""
        return {"title": self.title, "code": self.code, "reason": self.reason}


def own_number_of(number: str) -> str:
    """The title's key of ours (field 11), from the number of the inscription, ``N/AAAA``."""
    sequence, _, year = number.partition("/")
    return f"{year}{sequence.rjust(9, '0')}"


def objections(
    titles: Sequence[Title], presenter: Presenter, movement: date, is_open: IsOpen
) -> dict[str, list[Objection]]:
    """Everything the cartório would object to, by title's number; titles without objection are not there."""
    found: dict[str, list[Objection]] = {}
    seen: set[str] = set()
    for title in titles:
        wrong = [*_title(title, movement, is_open), *(o for d in title.debtors for o in _debtor(title, d, presenter))]
        if title.number in seen:
            wrong.append(_irregular(title, "52"))
        seen.add(title.number)
        if wrong:
            found.setdefault(title.number, []).extend(wrong)
    return found


def _title(title: Title, movement: date, is_open: IsOpen) -> Iterable[Objection]:
    if not title.number.strip():
        yield _irregular(title, "16")
    elif len(title.number) > TITLE_WIDTH:
        yield Objection(
            title.number, "numero_longo", f"o número do título passa de {TITLE_WIDTH} caracteres e não cabe no layout"
        )
    if title.balance > title.amount:
        yield _irregular(title, "24")
    if title.balance <= 0:
        yield Objection(title.number, "60", "nada resta a pagar")
    if title.protested:
        yield _irregular(title, "53")
    if movement < title.issued:
        yield Objection(title.number, "01", "o movimento é anterior à certidão")
    elif not _waited(title.issued, movement, is_open):
        yield _irregular(title, "30")
    if not title.debtors:
        yield Objection(title.number, "sem_devedor", "não há devedor")


def _waited(issued: date, movement: date, is_open: IsOpen) -> bool:
    """Whether a day of expediente passed between the certidão and the presentation (irregularidade 30)."""
    day = issued + timedelta(days=1)
    while day <= movement:
        if is_open(day):
            return True
        day += timedelta(days=1)
    return False


def _debtor(title: Title, debtor: Debtor, presenter: Presenter) -> Iterable[Objection]:
    if len(debtor.name.split()) < 2 and len(debtor.doc) == 11:
        yield _irregular(title, "03")
    yield from _document(title, debtor, presenter)
    place = debtor.address
    if not (place.street.strip() and place.city.strip() and place.uf.strip()):
        yield _irregular(title, "06")
    if not (place.cep.isdecimal() and len(place.cep) == CEP_DIGITS and place.cep.strip("0")):
        yield _irregular(title, "14")
    if debtor.deceased:
        yield _irregular(title, "59")


def _document(title: Title, debtor: Debtor, presenter: Presenter) -> Iterable[Objection]:
    try:
        doc = normalise(debtor.doc)
    except InvalidDocument:
        yield _irregular(title, "07")
        return
    if not doc.isdecimal():
        yield Objection(
            title.number,
            "cnpj_alfanumerico",
            "o campo 25 do layout é numérico e não recebe CNPJ com letras: peça à CRA a versão que o aceita",
        )
    if doc == normalise(presenter.cnpj):
        yield _irregular(title, "28")


def _irregular(title: Title, code: str) -> Objection:
    return Objection(title.number, code, cra_layout().irregularities[code])
