"""One infraction charged: its base line, what repetition adds, and the lines that bring it inside its cap and floor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from legalbasis import NoPenaltyInLaw, Status, UnitValueUnknown
from penalties.choosing import choose
from penalties.errors import ChoiceMissing
from penalties.items import Charged, Item
from penalties.memoria import Line, Warned, weakest
from penalties.money import add, money_br, multiply, to_cents, total
from penalties.penalty import ByGrade, ChosenBase, Grau, Limit
from penalties.progression import Progression
from penalties.recidivism import Recidivism
from penalties.units import BRL, REAL, UnitValue


def charge(item: Item, unit_values: Mapping[str, UnitValue], *, proposal: bool) -> Charged:
    """The lines and warnings of ``item``. Raises as ``assess``."""
    penalty = item.penalty
    if penalty.status is Status.NAO_APLICAR:
        raise NoPenaltyInLaw(penalty.note or f"A pena do art. {penalty.article} está no texto, mas não se aplica.")
    values = {**unit_values, **(item.unit_values or {}), BRL: REAL}
    base = choose(penalty, item.choice, proposal=proposal)
    notes = _aggravation(item)
    base = _last_fine(item) or base
    line = _base_line(item, base, _value(values, base.unit), notes)
    lines = [line]
    addition = _addition(item, line)
    if addition is not None:
        lines.append(addition)
    lines.extend(_limits(item, lines, values))
    return Charged(item, tuple(lines), tuple(_warnings(item, base, values)))


def _value(values: Mapping[str, UnitValue], code: str) -> UnitValue:
    if code not in values:
        raise UnitValueUnknown(f"Não foi dado o valor de {code}.", field="unit")
    return values[code]


def _base_line(item: Item, base: ChosenBase, value: UnitValue, aggravated: tuple[Decimal, str] | None) -> Line:
    penalty, choice = item.penalty, item.choice
    factor, articles, statuses, notes = Decimal(1), [], [penalty.status], [n for n in (penalty.note, value.note) if n]
    if aggravated is not None:
        factor = multiply(factor, aggravated[0])
        notes.append(aggravated[1])
        if penalty.aggravation is not None and penalty.aggravation.article:
            articles.append(penalty.aggravation.article)
    recidivism = _counted(item)
    if recidivism is not None and recidivism.factor != 1:
        factor = multiply(factor, recidivism.factor)
        statuses.append(recidivism.status)
        if recidivism.article:
            articles.append(recidivism.article)
    line = Line(
        description=f"{item.description} ({base.words})" if base.words else item.description,
        quantity=base.quantity,
        unit=base.unit,
        unit_value=value.value,
        unit_act=value.act,
        unit_act_date=value.act_date,
        unit_status=value.status,
        percent=base.percent,
        times=base.times,
        times_of=penalty.per,
        factor=factor,
        factor_article="; ".join(articles) or None,
        article=item.article,
        penalty_article=penalty.article,
        penalty_id=penalty.id,
        fact=item.fact,
        grau=choice.grau.value if choice.grau is not None else None,
        reason=choice.motivo,
        status=weakest(statuses),
        surcharge=penalty.surcharge,
        notes=tuple(notes),
    )
    return line.with_amount()


def _counted(item: Item) -> Recidivism | None:
    """The reincidência that raises this item's fine, under the penalty's own rule."""
    rule = item.penalty.recidivism
    if rule is None or item.recidivism is None or not item.recidivism.counted:
        return None
    return item.recidivism.under(rule)


def _last_fine(item: Item) -> ChosenBase | None:
    """The person's last fine, where repetition raises it and not this penalty's own base. Raises ChoiceMissing."""
    found = _counted(item)
    if found is None or not found.progression.of_last:
        return None
    if found.last_fine is None:
        raise ChoiceMissing(
            "A reincidência se mede pela última multa, cujo valor não se conhece.",
            remedy="Lance antes o auto em que foi fixada.",
        )
    return ChosenBase(found.last_fine, BRL, words="a última multa")


def _aggravation(item: Item) -> tuple[Decimal, str] | None:
    aggravation = item.penalty.aggravation
    if aggravation is None or item.fact_at is None or not aggravation.applies(item.fact_at):
        return None
    return aggravation.factor, "Elevada pelo dia ou pela hora do fato."


def _addition(item: Item, line: Line) -> Line | None:
    """The reais that an additive progression adds, cut at its cap."""
    recidivism = _counted(item)
    if recidivism is None:
        return None
    added = recidivism.progression.added(recidivism.count)
    if added is None:
        return None
    added = _room(recidivism.progression, line.amount, added)
    addition = replace(
        _reais_line(line, added, f"Acréscimo por reincidência ({recidivism.count}ª)"),
        penalty_article=recidivism.article or line.penalty_article,
        status=weakest((line.status, recidivism.status)),
    )
    return addition.with_amount()


def _room(progression: Progression, amount: Decimal, added: Decimal) -> Decimal:
    if progression.cap_amount is None:
        return added
    return max(Decimal(0), min(added, add(progression.cap_amount, amount.copy_negate())))


def _limits(item: Item, lines: Sequence[Line], values: Mapping[str, UnitValue]) -> Iterable[Line]:
    """The line that brings the item down to its cap or up to its floor, after every factor."""
    reached = total(line.amount for line in lines)
    for limit, words in ((item.penalty.cap, "Redução ao máximo"), (item.penalty.floor, "Elevação ao mínimo")):
        if limit is None:
            continue
        bound = _limit_amount(limit, values)
        over = reached > bound if limit is item.penalty.cap else reached < bound
        if over:
            line = _reais_line(lines[0], add(bound, reached.copy_negate()), f"{words} de {money_br(bound)}")
            yield replace(line.with_amount(), penalty_article=limit.article or lines[0].penalty_article)


def _limit_amount(limit: Limit, values: Mapping[str, UnitValue]) -> Decimal:
    return to_cents(multiply(limit.quantity, _value(values, limit.unit).value))


def _reais_line(line: Line, amount: Decimal, description: str) -> Line:
    """A line in reais beside ``line``, for the same infraction."""
    return Line(
        description=description,
        quantity=amount,
        unit=BRL,
        unit_value=REAL.value,
        article=line.article,
        penalty_article=line.penalty_article,
        penalty_id=line.penalty_id,
        fact=line.fact,
        grau=line.grau,
        status=line.status,
        surcharge=line.surcharge,
    )


def _warnings(item: Item, base: ChosenBase, values: Mapping[str, UnitValue]) -> Iterable[Warned]:
    penalty, choice, value = item.penalty, item.choice, _value(values, base.unit)
    yield from item.warnings
    yield from (Warned(word, _KNOWN.get(word, word)) for word in penalty.warnings)
    counted = item.recidivism is not None and item.recidivism.counted
    if counted and penalty.recidivism is None:
        yield Warned("reincidencia_sem_efeito", f"A pena do art. {penalty.article} não se eleva por reincidência.")
    if choice.grau is not None and not isinstance(penalty.base, ByGrade):
        yield Warned("grau_sem_efeito", f"O grau fica registrado; a multa do art. {penalty.article} não depende dele.")
    elif counted and penalty.recidivism is not None and choice.grau in (Grau.MEDIO, Grau.MAXIMO):
        yield Warned("antecedentes_em_dobro", "Os antecedentes já elevam a multa: não devem também elevar o grau.")
    if penalty.aggravation is not None and (item.fact_at is None or penalty.aggravation.applies(item.fact_at) is None):
        yield Warned("hora_do_fato_desconhecida", "Sem a hora do fato, a multa não foi elevada pela hora.")
    rule = penalty.recidivism.status if counted and penalty.recidivism is not None else Status.TEXTO
    if Status.RECONSTRUCAO in (penalty.status, rule, value.status):
        yield Warned("reconstrucao", f"A pena do art. {penalty.article} assenta em texto reconstruído: a confirmar.")
    if value.last:
        yield Warned("ultimo_valor", value.note or f"{base.unit} usada pelo último valor conhecido.")


_KNOWN = {
    "competencia_controvertida": "A competência do Município nesta matéria é controvertida (CF, art. 22, XI).",
}
