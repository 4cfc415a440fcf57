"""The memória de cálculo: lines that multiply and sum, and say what each figure rests on. Round-trips through JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from legalbasis import Citation, Status
from penalties.errors import AssessmentInconsistent
from penalties.money import (
    ROUNDING,
    amount_text,
    decimal_br,
    decimal_text,
    money_br,
    multiply,
    percent_of,
    to_cents,
    total,
    unit_value_text,
)
from penalties.recidivism import Recidivism
from penalties.units import BRL

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line: ``amount`` = quantity × unit_value (× percent %) × times × factor, rounded half up to the centavo.

    ``times`` counts ``times_of`` ("estabelecimento", "dia"; None: nothing, times 1). ``article`` is the infraction,
    ``penalty_article`` what imposes this line. ``surcharge``: whether an increase for late payment falls on it.
    A reduction to a legal cap is the one line whose quantity is negative.
    """

    description: str
    quantity: Decimal
    unit: str
    unit_value: Decimal
    unit_act: str | None = None
    unit_act_date: date | None = None
    unit_status: Status = Status.TEXTO
    percent: Decimal | None = None
    times: Decimal = Decimal(1)
    times_of: str | None = None
    factor: Decimal = Decimal(1)
    factor_article: str | None = None
    amount: Decimal = Decimal(0)
    article: str | None = None
    penalty_article: str | None = None
    penalty_id: str | None = None
    fact: str | None = None
    grau: str | None = None
    reason: str | None = None
    status: Status = Status.TEXTO
    surcharge: bool = True
    rounding: str = ROUNDING
    notes: tuple[str, ...] = ()

    def product(self) -> Decimal:
        """What the line's figures multiply to, rounded. Raises AmountTooLarge beyond R$ 10 trillion."""
        share = percent_of(self.percent) if self.percent is not None else Decimal(1)
        return to_cents(multiply(self.quantity, self.unit_value, share, self.times, self.factor))

    def with_amount(self) -> Line:
        """The same line, its amount computed."""
        return replace(self, amount=self.product())

    def formula(self) -> str:
        """The line's figures for people: ``11 VRSGP × R$ 30,00 × 2 = R$ 660,00``."""
        money = self.unit == BRL
        parts = [money_br(multiply(self.quantity, self.unit_value)) if money else self._units()]
        if self.percent is not None:
            parts.append(f"{decimal_br(self.percent)}%")
        if self.times_of is not None:
            parts.append(f"{decimal_br(self.times)} ({self.times_of})")
        if self.factor != 1:
            parts.append(decimal_br(self.factor))
        return f"{' × '.join(parts)} = {money_br(self.amount)}"

    def _units(self) -> str:
        return f"{decimal_br(self.quantity)} {self.unit} × {money_br(self.unit_value)}"

    def to_dict(self) -> dict[str, Any]:
        """Every field, JSON-able: amounts with two decimals, exact numbers as text, days in ISO 8601."""
        result: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)}
        result.update({key: write(result[key]) for key, write in _WRITERS.items() if result[key] is not None})
        return result

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Line:
        """The line that ``to_dict`` wrote. Raises AssessmentInconsistent on missing or unknown keys."""
        _same_keys(cls, data)
        return cls(**{k: _READERS[k](v) if k in _READERS and v is not None else v for k, v in data.items()})


_WRITERS: dict[str, Callable[[Any], Any]] = {
    "quantity": decimal_text,
    "unit_value": unit_value_text,
    "unit_act_date": date.isoformat,
    "unit_status": str,
    "percent": decimal_text,
    "times": decimal_text,
    "factor": decimal_text,
    "amount": amount_text,
    "status": str,
    "notes": list,
}
_READERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("quantity", "unit_value", "percent", "times", "factor", "amount"), Decimal),
    "unit_act_date": date.fromisoformat,
    "unit_status": Status,
    "status": Status,
    "notes": tuple,
}


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning: a stable code and a sentence in Portuguese."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class OtherAmount:
    """The total that another reading of a switch would give."""

    switch: str
    reading: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class NotCharged:
    """An infraction cited but not charged, because another one is charged for the same fact."""

    article: str
    penalty_article: str
    amount: Decimal
    reason: str


@dataclass(frozen=True, slots=True)
class Assessment:
    """A memória de cálculo. ``amount`` is the sum of the lines, in reais."""

    lines: tuple[Line, ...]
    amount: Decimal
    legal_basis: tuple[Citation, ...] = ()
    warnings: tuple[Warned, ...] = ()
    alternatives: tuple[OtherAmount, ...] = ()
    not_charged: tuple[NotCharged, ...] = ()
    recidivism: tuple[Recidivism, ...] = ()
    side_effects: tuple[str, ...] = ()

    @property
    def unit(self) -> str | None:
        """The unit of every line, or None when they differ."""
        return _only(line.unit for line in self.lines)

    @property
    def unit_value(self) -> Decimal | None:
        """The unit's value, or None when the lines differ."""
        return _only(line.unit_value for line in self.lines) if self.unit else None

    @property
    def unit_act(self) -> str | None:
        """The act that set the unit's value, or None when there is none or the lines differ."""
        return _only(line.unit_act for line in self.lines)

    @property
    def unit_act_date(self) -> date | None:
        """The day of that act."""
        return _only(line.unit_act_date for line in self.lines)

    @property
    def factor(self) -> Decimal | None:
        """The factor of every line, or None when they differ."""
        return _only(line.factor for line in self.lines)

    @property
    def status(self) -> Status:
        """The weakest status that any line rests on."""
        return weakest(s for line in self.lines for s in (line.status, line.unit_status))

    def surcharge_base(self) -> Decimal:
        """The part of the fine on which an increase for late payment falls."""
        return total(line.amount for line in self.lines if line.surcharge)

    def check(self) -> None:
        """Recompute. Raises AssessmentInconsistent naming the line that does not multiply, or the sum that differs."""
        for number, line in enumerate(self.lines, 1):
            product = line.product()
            if product != line.amount:
                raise AssessmentInconsistent(
                    f"A linha {number} diz {money_br(line.amount)}, mas multiplica {money_br(product)}.",
                    field=f"lines[{number - 1}].amount",
                )
        summed = total(line.amount for line in self.lines)
        if summed != self.amount:
            raise AssessmentInconsistent(
                f"O total diz {money_br(self.amount)}, mas as linhas somam {money_br(summed)}.", field="amount"
            )

    def to_dict(self) -> dict[str, Any]:
        """JSON-able; every key always there."""
        return {
            "amount": amount_text(self.amount),
            "lines": [line.to_dict() for line in self.lines],
            "unit": self.unit,
            "unit_value": unit_value_text(self.unit_value) if self.unit_value is not None else None,
            "unit_act": self.unit_act,
            "unit_act_date": self.unit_act_date.isoformat() if self.unit_act_date else None,
            "factor": decimal_text(self.factor) if self.factor is not None else None,
            "status": self.status.value,
            "rounding": ROUNDING,
            "legal_basis": [c.to_dict() for c in self.legal_basis],
            "warnings": [{"code": w.code, "message": w.message} for w in self.warnings],
            "alternatives": [
                {"switch": a.switch, "reading": a.reading, "amount": amount_text(a.amount)} for a in self.alternatives
            ],
            "not_charged": [
                {
                    "article": n.article,
                    "penalty_article": n.penalty_article,
                    "amount": amount_text(n.amount),
                    "reason": n.reason,
                }
                for n in self.not_charged
            ],
            "recidivism": [r.to_dict() for r in self.recidivism],
            "side_effects": list(self.side_effects),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Assessment:
        """The assessment that ``to_dict`` wrote (what is derived from the lines is derived again)."""
        return cls(
            lines=tuple(Line.from_dict(line) for line in data["lines"]),
            amount=Decimal(data["amount"]),
            legal_basis=tuple(Citation(**{**c, "status": Status(c["status"])}) for c in data["legal_basis"]),
            warnings=tuple(Warned(**w) for w in data["warnings"]),
            alternatives=tuple(OtherAmount(**{**a, "amount": Decimal(a["amount"])}) for a in data["alternatives"]),
            not_charged=tuple(NotCharged(**{**n, "amount": Decimal(n["amount"])}) for n in data["not_charged"]),
            recidivism=tuple(Recidivism.from_dict(r) for r in data["recidivism"]),
            side_effects=tuple(data["side_effects"]),
        )


_STRENGTH = (Status.TEXTO, Status.SUBSIDIARIO, Status.RECONSTRUCAO, Status.NAO_APLICAR)


def weakest(statuses: Iterable[Status]) -> Status:
    """The weakest of ``statuses`` (``texto`` when there is none)."""
    return max(statuses, key=_STRENGTH.index, default=Status.TEXTO)


def _only(values: Iterable[T | None]) -> T | None:
    distinct = list(dict.fromkeys(values))
    return distinct[0] if len(distinct) == 1 else None


def _same_keys(kind: type[Line], data: Mapping[str, Any]) -> None:
    expected = {f.name for f in fields(kind)}
    if data.keys() != expected:
        wrong = ", ".join(sorted(expected ^ data.keys()))
        raise AssessmentInconsistent(f"Linha da memória com chaves que faltam ou sobram: {wrong}.")
