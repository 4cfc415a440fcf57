"""Fixes fines: from infractions, penalties, choices and the reincidência found, to a memória de cálculo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TypeVar

from legalbasis import Citation, Status
from penalties.charging import charge
from penalties.items import Item
from penalties.memoria import Assessment, Line, NotCharged, OtherAmount, weakest
from penalties.money import total
from penalties.recidivism import Recidivism
from penalties.same_fact import charged_once
from penalties.units import UnitValue

T = TypeVar("T")


def assess(
    items: Sequence[Item],
    *,
    unit_values: Mapping[str, UnitValue],
    norm: str = "",
    urn: str = "",
    proposal: bool = False,
) -> Assessment:
    """The memória de cálculo of ``items``.

    ``unit_values`` are the values picked for the day the rulebook names (``units.pick_values``), or those that an
    earlier act fixed; reais need none. ``norm`` and ``urn`` name the law in ``legal_basis``. ``proposal``: the fiscal's
    proposal in an auto, which needs no reason for a point in a range. Raises ChoiceMissing, ChoiceNotApplicable,
    PenaltyOutOfRange, NoPenaltyInLaw (a penalty that may not be applied), UnitValueUnknown, AmountTooLarge.
    """
    charged, dropped = charged_once([charge(item, unit_values, proposal=proposal) for item in items])
    lines = tuple(line for c in charged for line in c.lines)
    amount = total(line.amount for line in lines)
    examined = [
        i.recidivism.under(i.penalty.recidivism) if i.recidivism and i.penalty.recidivism else i.recidivism
        for i in (c.item for c in charged)
    ]
    found = tuple(_unique(r for r in examined if r is not None))
    effects = (e for c in charged for e in c.item.penalty.side_effects)
    return Assessment(
        lines=lines,
        amount=amount,
        legal_basis=_legal_basis(lines, norm, urn),
        warnings=tuple(_unique(w for c in charged for w in c.warnings)),
        alternatives=tuple(_alternatives(items, unit_values, amount, proposal=proposal)),
        not_charged=tuple(NotCharged(c.item.article, c.item.penalty.article, c.amount, why) for c, why in dropped),
        recidivism=found,
        side_effects=tuple(_unique((*effects, *(e for r in found for e in r.side_effects)))),
    )


def _alternatives(
    items: Sequence[Item], unit_values: Mapping[str, UnitValue], amount: Decimal, *, proposal: bool
) -> Iterable[OtherAmount]:
    """The total under each other reading of reincidência, where it is another total."""
    readings = _unique((o.switch, o.reading) for i in items if i.recidivism is not None for o in i.recidivism.others)
    for switch, reading in readings:
        swapped = [replace(i, recidivism=_read_as(i.recidivism, switch, reading)) for i in items]
        charged, _ = charged_once([charge(i, unit_values, proposal=proposal) for i in swapped])
        other = total(line.amount for c in charged for line in c.lines)
        if other != amount:
            yield OtherAmount(switch, reading, other)


def _read_as(recidivism: Recidivism | None, switch: str, reading: str) -> Recidivism | None:
    if recidivism is None:
        return None
    match = [o for o in recidivism.others if (o.switch, o.reading) == (switch, reading)]
    return replace(recidivism, count=match[0].count) if match else recidivism


def _legal_basis(lines: Iterable[Line], norm: str, urn: str) -> tuple[Citation, ...]:
    cited: dict[str, Status] = {}
    for line in lines:
        factors = line.factor_article.split("; ") if line.factor_article else []
        for provision in (line.article, line.penalty_article, *factors):
            if provision:
                cited[provision] = weakest((cited.get(provision, Status.TEXTO), _status_of(provision, line)))
    return tuple(Citation(urn, norm, provision, status) for provision, status in cited.items())


def _status_of(provision: str, line: Line) -> Status:
    return line.status if provision == line.penalty_article else Status.TEXTO


def _unique(values: Iterable[T]) -> list[T]:
    return list(dict.fromkeys(values))
