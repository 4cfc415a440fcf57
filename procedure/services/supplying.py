"""What a municipality supplies beside the shipped law, checked before it is kept: unit values, the law's start and end,
readings.

Each comes with the act that says it. What was already fixed by an act of a case does not change (spec 03 item 2).
"""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from legalbasis import InputError
from penalties.money import check_rate
from procedure.domain import update_rule
from procedure.domain.admission import br
from procedure.domain.numbering import FOLHAS, PER_FOLHA
from procedure.domain.rulebook import Rulebook
from procedure.domain.vocabulary import DebtPart
from procedure.services.fining import UnknownSwitch, check_switch
from procedure.services.ports import SuppliedEnd, SuppliedStart, SuppliedUnitValue
from procedure.services.protest.settings import PRESENTER, PROTEST_CHOICES

TEXT_SETTINGS = (
    "divida_ativa.authority", "divida_ativa.office", "divida_ativa.act",
    # the head of every paper, and who signs what no act of the case signs
    "documento.orgao", "documento.endereco", "documento.contato", "documento.brasao", "documento.conferencia",
    "documento.autoridade", "documento.cargo", "documento.ato",
    *update_rule.TEXTS,
    # how the CRA knows the municipality
    *(f"protesto.{name}" for name in PRESENTER),
)  # fmt: skip
PERCENT_SETTINGS = update_rule.NUMBERS
SIGNER = "assinante."
"""Before an actor's name: how who acts signs, as “name; office; act of designation”."""
MILDER = "retroatividade_benigna"
"""Whether a later text that punishes less is applied to earlier facts: courts differ outside criminal law."""
CHOICE_SETTINGS = {**update_rule.CHOICES, **PROTEST_CHOICES, MILDER: ("nao_aplicar", "aplicar")}
NUMBER_SETTINGS = {PER_FOLHA: 1_000, FOLHAS: 10_000}  # the most that a register's page or book can be said to hold
LONGEST_TEXT = 500
MOST_PERCENT = 20  # of one month: beyond it the figure is of a year, or a column read wrong
_PERCENT = re.compile(r"\d{1,2}(\.\d{1,6})?")


class UnknownUnit(InputError):
    """Esta lei não usa esta unidade fiscal."""

    code = "unidade_desconhecida"


class ActMissing(InputError):
    """Falta o ato que o diz."""

    code = "ato_nao_informado"


class LawEndNotPossible(InputError):
    """A lei ainda vigorava com certeza nesse dia, ou o seu fim já é conhecido."""

    code = "fim_de_vigencia_impossivel"


class LawStartNotPossible(InputError):
    """O primeiro dia da lei já é conhecido, ou não pode ser esse."""

    code = "inicio_de_vigencia_impossivel"


class InvalidSetting(InputError):
    """A opção não aceita este valor."""

    code = "valor_da_opcao_invalido"


def unit_value(book: Rulebook, unit: str, start: date, value: Decimal, act: str) -> SuppliedUnitValue:
    """A value of one of the law's units from a day on. Raises UnknownUnit, ActMissing and the errors of an amount."""
    if unit not in book.units:
        raise UnknownUnit(
            f"a {book.norm} não usa a unidade “{unit[:24]}”.", field="unit", remedy=f"Usa: {', '.join(book.units)}."
        )
    return SuppliedUnitValue(unit, start, check_rate(value, field="value"), _text(act, "act"))


def law_end(book: Rulebook, day: date, act: str) -> SuppliedEnd:
    """The first day on which the law is no longer in force.

    Raises LawEndNotPossible when the day is one on which the law certainly held, or its end is in the law's file.
    """
    life = book.life
    if life.end is not None:
        raise LawEndNotPossible(f"o fim da {book.norm} já consta do seu arquivo: {br(life.end)}.", field="date")
    certain = max(day for day in (life.certain_until, life.certain_from, life.in_force_from) if day is not None)
    if day <= certain:
        raise LawEndNotPossible(
            f"a {book.norm} vigorava com certeza até {br(certain)}; não pode ter deixado de vigorar em {br(day)}.",
            field="date",
            remedy=f"Informe o primeiro dia em que já não vigorava, depois de {br(certain)}.",
        )
    return SuppliedEnd(book.id, day, _text(act, "act"))


def law_start(book: Rulebook, day: date, act: str) -> SuppliedStart:
    """The first day on which the law was in force, where its text leaves it uncertain.

    Raises LawStartNotPossible when the law's file knows the day, or the day is outside those that it leaves open.
    """
    life = book.life
    if life.certain_from is None or life.certain_from == life.in_force_from:
        raise LawStartNotPossible(
            f"o primeiro dia da {book.norm} já consta do seu arquivo: {br(life.in_force_from)}.", field="date"
        )
    if not life.in_force_from <= day <= life.certain_from:
        raise LawStartNotPossible(
            f"a {book.norm} não vigorava antes de {br(life.in_force_from)} e vigorava com certeza em "
            f"{br(life.certain_from)}; não pode ter começado a vigorar em {br(day)}.",
            field="date",
            remedy=f"Informe um dia de {br(life.in_force_from)} a {br(life.certain_from)}.",
        )
    return SuppliedStart(book.id, day, _text(act, "act"))


def option(book: Rulebook, name: str, value: str, act: str) -> tuple[str, str, str]:
    """A reading of the law or a setting of the dívida ativa: name, value and act, checked.

    Raises UnknownSwitch naming what there is, InvalidSetting, ActMissing.
    """
    checked = value.strip()
    if name in NUMBER_SETTINGS:
        checked = _number(name, checked)
    elif name in CHOICE_SETTINGS:
        checked = _chosen(name, checked)
    elif name in PERCENT_SETTINGS:
        checked = _percent(name, checked)
    elif name == update_rule.ORDER:
        checked = _order(checked)
    elif name in TEXT_SETTINGS or name.removeprefix(SIGNER) not in (name, ""):
        checked = _text(value, "value")
    elif name in book.switches:
        check_switch(book, name, checked)
    else:
        more = (*NUMBER_SETTINGS, *CHOICE_SETTINGS, *PERCENT_SETTINGS, update_rule.ORDER, f"{SIGNER}QUEM")
        known = ", ".join((*book.switches, *TEXT_SETTINGS, *more))
        raise UnknownSwitch(f"não há a opção “{name[:60]}” na {book.norm}.", field="option", remedy=f"Há: {known}.")
    return name, checked, _text(act, "act")


def _number(name: str, text: str) -> str:
    most = NUMBER_SETTINGS[name]
    if not (text.isascii() and text.isdecimal() and len(text) < 9 and 1 <= int(text) <= most):
        raise InvalidSetting(f"{name} deve ser número inteiro de 1 a {most}, não “{text[:24]}”.", field="value")
    return str(int(text))


def _chosen(name: str, text: str) -> str:
    if text not in CHOICE_SETTINGS[name]:
        raise InvalidSetting(f"{name} deve ser um destes: {', '.join(CHOICE_SETTINGS[name])}.", field="value")
    return text


def _percent(name: str, text: str) -> str:
    """A percentage of a month, with a comma or a point, as the record keeps it."""
    plain = text.removesuffix("%").strip().replace(",", ".")
    if not _PERCENT.fullmatch(plain) or not 0 < Decimal(plain) <= MOST_PERCENT:
        raise InvalidSetting(
            f"{name} deve ser o percentual de um mês, maior que 0 e até {MOST_PERCENT}, como “1” ou “0,5”.",
            field="value",
        )
    return plain


def _order(text: str) -> str:
    try:
        parts = update_rule.parts_of_order(text)
    except ValueError:
        parts = []
    if not parts or len(set(parts)) != len(parts):
        raise InvalidSetting(
            f"{update_rule.ORDER} deve ser uma lista, cada uma uma vez, destas: {', '.join(DebtPart)}.", field="value"
        )
    return ", ".join(parts)


def _text(text: str, field: str) -> str:
    clean = " ".join(text.split())
    if not clean:
        raise (
            ActMissing(field=field, remedy="Escreva-o como se cita: “Decreto 12/2013”.")
            if field == "act"
            else (InvalidSetting("o valor não pode ser vazio.", field=field))
        )
    if len(clean) > LONGEST_TEXT or not clean.isprintable():
        raise InvalidSetting(f"{field}: deve ter até {LONGEST_TEXT} caracteres imprimíveis.", field=field)
    return clean
