"""From a penalty and the authority's choice to a quantity: by grade, in a range, by class, of a value, per unit."""

from __future__ import annotations

from decimal import Decimal

from legalbasis import PenaltyOutOfRange, Provision
from penalties.errors import ChoiceMissing, ChoiceNotApplicable
from penalties.money import check_amount, check_quantity, decimal_br, money_br
from penalties.penalty import (
    ByClass,
    ByGrade,
    Choice,
    ChosenBase,
    Fixed,
    Penalty,
    PercentOfUnit,
    PercentOfValue,
    Range,
)


def choose(penalty: Penalty, choice: Choice, *, proposal: bool = False) -> ChosenBase:
    """The base of ``penalty`` under ``choice``.

    ``proposal``: the fiscal's, which needs no reason for a point in a range. Raises ChoiceMissing (what is missing, and
    the words it may take), ChoiceNotApplicable, PenaltyOutOfRange, or the typed errors of a quantity.
    """
    base = penalty.base
    times = _times(penalty, choice)
    if isinstance(base, Fixed):
        return ChosenBase(base.quantity, base.unit, times=times)
    if isinstance(base, PercentOfUnit):
        return ChosenBase(Decimal(1), base.unit, base.percent, times)
    if isinstance(base, ByGrade):
        return _by_grade(base, penalty, choice, times)
    if isinstance(base, Range):
        return _in_range(base, penalty, choice, times, proposal=proposal)
    if isinstance(base, ByClass):
        return _by_class(base, penalty, choice, times)
    return _of_value(base, penalty, choice, times)


def _label(penalty: Penalty) -> str:
    return Provision.parse(penalty.article).label()


def _times(penalty: Penalty, choice: Choice) -> Decimal:
    if penalty.per is not None:
        if choice.quantidade is None:
            raise ChoiceMissing(
                f"A multa do {_label(penalty)} é por {penalty.per}: falta a quantidade.",
                field="quantidade",
                remedy=f"Informe quantos {penalty.per}.",
            )
        return check_quantity(choice.quantidade, field="quantidade")
    picks = isinstance(penalty.base, Range) or (isinstance(penalty.base, ByClass) and penalty.base.measure is not None)
    if choice.quantidade is not None and choice.quantidade != 1 and not picks:
        raise ChoiceNotApplicable(f"A multa do {_label(penalty)} não se multiplica por quantidade.", field="quantidade")
    return Decimal(1)


def _by_grade(base: ByGrade, penalty: Penalty, choice: Choice, times: Decimal) -> ChosenBase:
    if choice.grau is None:
        raise ChoiceMissing(
            f"A multa do {_label(penalty)} depende do grau.",
            field="grau",
            remedy=f"Informe o grau: {', '.join(g.value for g in base.quantities)}.",
        )
    words = {"minimo": "grau mínimo", "medio": "grau médio", "maximo": "grau máximo"}[choice.grau.value]
    return ChosenBase(base.quantities[choice.grau], base.unit, times=times, words=words)


def _in_range(base: Range, penalty: Penalty, choice: Choice, times: Decimal, *, proposal: bool) -> ChosenBase:
    chosen = choice.escolhida if penalty.per is not None else choice.escolhida or choice.quantidade
    words = f"de {decimal_br(base.lower)} a {decimal_br(base.upper)} {base.unit}"
    if chosen is None:
        raise ChoiceMissing(
            f"A multa do {_label(penalty)} vai {words}: falta a quantidade escolhida.",
            field="escolhida" if penalty.per is not None else "quantidade",
            remedy=f"Informe quantas, {words}.",
        )
    check_quantity(chosen, field="quantidade")
    if not base.lower <= chosen <= base.upper:
        raise PenaltyOutOfRange(
            f"{decimal_br(chosen)} {base.unit} está fora dos limites do {_label(penalty)}: {words}.",
            field="quantidade",
        )
    if not proposal and not (choice.motivo or "").strip():
        raise ChoiceMissing(
            f"A multa do {_label(penalty)} vai {words}: falta o motivo da escolha.",
            field="motivo",
            remedy="Diga o motivo; em uma decisão, nos fundamentos (“grounds”).",
        )
    return ChosenBase(chosen, base.unit, times=times, words=words)


def _by_class(base: ByClass, penalty: Penalty, choice: Choice, times: Decimal) -> ChosenBase:
    if base.measure is not None and choice.quantidade is not None:
        return _by_measure(base, penalty, choice, times)
    if choice.classe is None or choice.classe not in base.quantities:
        raise ChoiceMissing(
            f"A multa do {_label(penalty)} depende da classe.",
            field="classe",
            remedy=f"Informe uma destas: {', '.join(base.quantities)}"
            + (f"; ou, em quantidade, quantos {base.measure}." if base.measure else "."),
        )
    return ChosenBase(base.quantities[choice.classe], base.unit, times=times, words=f"classe {choice.classe}")


def _by_measure(base: ByClass, penalty: Penalty, choice: Choice, times: Decimal) -> ChosenBase:
    """The class of what was measured; the one that the act names, if it does, must be that."""
    measured = check_quantity(choice.quantidade or Decimal(0), field="quantidade")
    words, found = f"{decimal_br(measured)} {base.measure}", base.class_of(measured)
    if found is None:
        raise PenaltyOutOfRange(f"{words}: o {_label(penalty)} não tem classe para tanto.", field="quantidade")
    if choice.classe not in (None, found):
        raise PenaltyOutOfRange(
            f"{words} é da classe {found} do {_label(penalty)}, e se disse {choice.classe}.",
            field="classe",
            remedy="Deixe a classe de fora, ou corrija a medida.",
        )
    return ChosenBase(base.quantities[found], base.unit, times=times, words=f"classe {found}, {words}")


def _of_value(base: PercentOfValue, penalty: Penalty, choice: Choice, times: Decimal) -> ChosenBase:
    if choice.valor is None:
        raise ChoiceMissing(
            f"A multa do {_label(penalty)} é porcentagem de {base.of}: falta o valor.",
            field="valor",
            remedy="Informe-o em reais.",
        )
    value = check_amount(choice.valor, field="valor")
    return ChosenBase(value, base.unit, base.percent, times, f"{base.of} de {money_br(value)}")
