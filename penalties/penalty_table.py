"""Reads one ``[[penalty]]`` of a rulebook. Strict: a missing, wrong or unknown key is a defect of the table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time
from decimal import Decimal
from enum import StrEnum

from legalbasis import InputError, Provision, Status, TomlTable
from penalties.errors import InvalidAmount
from penalties.money import check_quantity, check_rate
from penalties.penalty import (
    Aggravation,
    Base,
    ByClass,
    ByGrade,
    Fixed,
    Grau,
    Limit,
    Penalty,
    PercentOfUnit,
    PercentOfValue,
    Range,
)
from penalties.progression import RecidivismRule, rule_from_table
from penalties.units import BRL


class BaseKind(StrEnum):
    """The words of a penalty's ``base`` key."""

    FIXO = "fixo"
    GRAU = "grau"
    FAIXA = "faixa"
    PERCENTUAL = "percentual"
    PERCENTUAL_DE_VALOR = "percentual_de_valor"
    POR_DIA = "por_dia"
    VALOR_FIXO = "valor_fixo"
    CLASSE = "classe"


class Weekday(StrEnum):
    """Days of the week, from Monday."""

    SEGUNDA = "segunda"
    TERCA = "terca"
    QUARTA = "quarta"
    QUINTA = "quinta"
    SEXTA = "sexta"
    SABADO = "sabado"
    DOMINGO = "domingo"


def penalty_from_table(table: TomlTable, *, default_recidivism: RecidivismRule | None = None) -> Penalty:
    """One penalty. Defects are noted in ``table`` and unknown keys too (it closes the table).

    Keys: id, article, base, unit, per, status, in_force_from, in_force_until, reincidencia, surcharge, effects, note,
    description, warnings, especial, prevalece_sobre, teto, piso, agravamento; and by base: ``quantity`` (fixo),
    ``minimo`` ``medio`` ``maximo`` (grau), ``from`` ``to`` (faixa), ``percent`` (percentual), ``percent`` ``of``
    (percentual_de_valor), ``quantity``, ``percent`` of a unit or ``percent`` ``of`` the auto's fine, and ``teto_vezes``
    (the most that all the days reach, in times the auto's fine) (por_dia), ``value`` in reais (valor_fixo),
    ``classes`` (classe), with ``medida`` and ``ate`` where a measure gives the class.
    ``default_recidivism`` is the law's general rule, for a penalty with none of its own (``reincidencia = false``
    refuses it).
    """
    identity, article = table.str("id"), _provision(table, "article")
    kind = table.enum("base", BaseKind)
    daily = kind is BaseKind.POR_DIA
    per = table.str("per", None)
    if daily and per is not None:
        table.defect("per", "a multa por_dia já se multiplica por dia")
    in_force_from, in_force_until = table.date("in_force_from", None), table.date("in_force_until", None)
    if in_force_from is not None and in_force_until is not None and in_force_until <= in_force_from:
        table.defect("in_force_until", "deve ser depois de in_force_from")
    penalty = Penalty(
        id=identity,
        article=article,
        base=_READERS[kind](table),
        per="dia" if daily else per,
        daily=daily,
        daily_cap=_rate(table, "teto_vezes") if daily and "teto_vezes" in table else None,
        status=table.enum("status", Status, Status.TEXTO),
        in_force_from=in_force_from,
        in_force_until=in_force_until,
        recidivism=_recidivism(table, default_recidivism),
        surcharge=table.bool("surcharge", not daily),
        cap=_limit(table, "teto"),
        floor=_limit(table, "piso"),
        aggravation=_aggravation(table),
        especial=table.bool("especial", False),
        prevalece_sobre=table.strings("prevalece_sobre", ()),
        side_effects=table.strings("effects", ()),
        warnings=table.strings("warnings", ()),
        note=table.str("note", None),
        description=table.str("description", None),
    )
    table.close()
    return penalty


def _fixed(table: TomlTable) -> Base:
    return Fixed(_quantity(table, "quantity"), table.str("unit"))


def _fixed_reais(table: TomlTable) -> Base:
    return Fixed(_quantity(table, "value"), BRL)


def _by_grade(table: TomlTable) -> Base:
    quantities = {grade: _quantity(table, grade.value) for grade in Grau}
    if not quantities[Grau.MINIMO] <= quantities[Grau.MEDIO] <= quantities[Grau.MAXIMO]:
        table.defect("medio", "minimo, medio e maximo devem crescer")
    return ByGrade(quantities, table.str("unit"))


def _range(table: TomlTable) -> Base:
    lower, upper = _quantity(table, "from"), _quantity(table, "to")
    if upper < lower:
        table.defect("to", "deve ser maior que “from”")
    if "per" in table:  # an act has one quantity: it would say the measure, and nothing the point in the range
        table.defect("per", "a faixa não se multiplica: nenhum ato diria o ponto e a medida; use grau, ou classe")
    return Range(lower, upper, table.str("unit", BRL))


def _percent(table: TomlTable) -> Base:
    return PercentOfUnit(_rate(table, "percent"), table.str("unit"))


def _percent_of_value(table: TomlTable) -> Base:
    return PercentOfValue(_rate(table, "percent"), table.str("of"))


def _daily(table: TomlTable) -> Base:
    if "of" in table:
        return _percent_of_value(table)
    if "percent" in table:
        return _percent(table)
    return Fixed(_quantity(table, "quantity"), table.str("unit", BRL))


def _by_class(table: TomlTable) -> Base:
    classes = table.table("classes")
    quantities = {name: _quantity(classes, name) for name in classes.keys()}  # noqa: SIM118  # a TomlTable is no dict
    if not quantities and "classes" in table:
        table.defect("classes", "não pode ser vazia")
    return ByClass(quantities, table.str("unit", BRL), *_measured(table, quantities))


def _measured(table: TomlTable, quantities: dict[str, Decimal]) -> tuple[dict[str, Decimal], str | None]:
    """Up to what measure each class goes: all of them, or all but the last."""
    measure = table.str("medida", None)
    if "ate" not in table:
        if measure is not None:
            table.defect("ate", "falta dizer até que medida vai cada classe")
        return {}, None
    limits = table.table("ate")
    up_to = {name: _quantity(limits, name) for name in limits.keys()}  # noqa: SIM118  # a TomlTable is no mapping
    limits.close()
    if measure is None:
        table.defect("medida", "falta dizer em que se mede, como “m2”")
    if "per" in table:
        table.defect("per", "a medida escolhe a classe: não multiplica")
    if unknown := sorted(set(up_to) - set(quantities)):
        table.defect("ate", f"não há a classe “{unknown[0]}”")
    if len(set(quantities) - set(up_to)) > 1:
        table.defect("ate", "só uma classe pode não ter limite: a última")
    if len(set(up_to.values())) < len(up_to):
        table.defect("ate", "duas classes vão até a mesma medida")
    return up_to, measure


_READERS: dict[BaseKind, Callable[[TomlTable], Base]] = {
    BaseKind.FIXO: _fixed,
    BaseKind.GRAU: _by_grade,
    BaseKind.FAIXA: _range,
    BaseKind.PERCENTUAL: _percent,
    BaseKind.PERCENTUAL_DE_VALOR: _percent_of_value,
    BaseKind.POR_DIA: _daily,
    BaseKind.VALOR_FIXO: _fixed_reais,
    BaseKind.CLASSE: _by_class,
}


def _recidivism(table: TomlTable, default: RecidivismRule | None) -> RecidivismRule | None:
    if "reincidencia" not in table:
        return default
    if table.raw("reincidencia") is False:
        return None
    return rule_from_table(table.table("reincidencia"))


def _limit(table: TomlTable, key: str) -> Limit | None:
    if key not in table:
        return None
    row = table.table(key)
    limit = Limit(
        _quantity(row, "quantity"), row.str("unit", BRL), _provision(row, "article") if "article" in row else None
    )
    row.close()
    return limit


def _aggravation(table: TomlTable) -> Aggravation | None:
    if "agravamento" not in table:
        return None
    row = table.table("agravamento")
    weekdays = _weekdays(row)
    after, before = _hour(row, "from"), _hour(row, "to")
    if (after is None) != (before is None):
        row.defect("from", "as horas vêm em par: from e to")
    if not {"dias", "from", "to"} & set(row.keys()):
        row.defect("dias", "diga os dias da semana ou as horas")
    factor = _rate(row, "fator") if "fator" in row else Decimal(2)
    article = _provision(row, "article") if "article" in row else None
    row.close()
    return Aggravation(factor, weekdays, after, before, article)


def _weekdays(row: TomlTable) -> frozenset[int]:
    order = [day.value for day in Weekday]
    words = row.strings("dias", ())
    for word in words:
        if word not in order:
            row.defect("dias", f"“{word}” não é um destes: {', '.join(order)}")
    return frozenset(order.index(word) for word in words if word in order)


def _hour(row: TomlTable, key: str) -> time | None:
    value = row.raw(key, None)
    if value is None or isinstance(value, time):
        return value
    row.defect(key, "deve ser hora (22:00:00)")
    return None


def _provision(table: TomlTable, key: str) -> str:
    text = table.str(key)
    if text:
        try:
            return str(Provision.parse(text))
        except InputError as error:
            table.defect(key, error.message)
    return str(text)


def _quantity(table: TomlTable, key: str) -> Decimal:
    return _checked(table, key, check_quantity)


def _rate(table: TomlTable, key: str) -> Decimal:
    return _checked(table, key, check_rate)


def _checked(table: TomlTable, key: str, check: Callable[[Decimal], Decimal]) -> Decimal:
    before = len(table.defects)
    value: Decimal = table.decimal(key)
    if len(table.defects) == before:
        try:
            return check(value)
        except InvalidAmount as error:
            table.defect(key, error.message)
    return Decimal(1)
