"""One fine explained, outside any case: the library twin of ``posturas multa`` (spec 03).

Nothing here reads a database or a clock. What a municipality supplied (unit values, the law's end, its readings) is
given as ``MunicipalData`` or left out. Kept light: the machine and the store are not loaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from legalbasis import Dated, InputError, LawError, Period, Provision
from penalties import Assessment, Choice, FiscalUnit, Grau, Item, Recidivism, UnitValue, Warned, assess, pick_values
from penalties.penalty import ByGrade, Penalty, Range
from procedure.domain.admission import LawEnd, LawStart, find_infraction, penalty_for, require_in_force, resolve_penalty
from procedure.domain.fines import WARNINGS, penalty_on, recidivism_config
from procedure.domain.rulebook import Infraction, Rulebook
from procedure.domain.rulebooks import rulebook_of
from procedure.services.ports import MunicipalData

UNIT_DAY = "dia_da_unidade"
_OF_REPETITION = ("antecedente", "escopo", "mesma_pessoa")


class UnknownSwitch(InputError):
    """Esta lei não tem esta chave de leitura, ou a chave não tem este valor."""

    code = "chave_de_leitura_invalida"


class UnitDayMissing(InputError):
    """Falta o dia de que se toma o valor da unidade fiscal."""

    code = "dia_da_unidade_ausente"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. ``fact`` is the day (with its hour, if it matters) whose law governs the fine.

    ``unit_value`` (reais) stands for every unit the penalty needs; ``unit_day`` is the day that picks a supplied value
    when the reading is not the day of the fact. ``subject`` says who broke the law, where the law tells them apart.
    """

    law: str
    article: str
    fact: date | datetime
    grau: str | None = None
    quantidade: Decimal | None = None
    reincidente: bool = False
    unit_value: Decimal | None = None
    unit_day: date | None = None
    penalty_article: str | None = None
    subject: str | None = None
    switches: Mapping[str, str] | None = None

    @property
    def day(self) -> date:
        """The day of the fact."""
        return self.fact.date() if isinstance(self.fact, datetime) else self.fact


@dataclass(frozen=True, slots=True)
class OtherReadingAmount:
    """What another reading of a switch comes to: one amount, or between two where the authority would still choose.

    With no amount, ``note`` says why that reading has none.
    """

    switch: str
    reading: str
    minimum: Decimal | None
    maximum: Decimal | None
    note: str | None = None

    @property
    def amount(self) -> Decimal | None:
        """The amount, where there is only one."""
        return self.minimum if self.minimum == self.maximum else None


@dataclass(frozen=True, slots=True)
class Fine:
    """The answer: the memória de cálculo, what was read and how, and what other readings would give."""

    rulebook: Rulebook
    question: Question
    infraction: Infraction
    penalty: Penalty
    assessment: Assessment
    readings: Mapping[str, str]
    others: tuple[OtherReadingAmount, ...]
    warnings: tuple[Warned, ...]

    @property
    def amount(self) -> Decimal:
        """The fine, in reais."""
        return self.assessment.amount


def assess_fine(question: Question, data: MunicipalData | None = None) -> Fine:
    """Fix one fine as the law in force on the day of the fact says.

    Raises the LawErrors of spec 01, UnitValueUnknown, PenaltyOutOfRange, PenaltyArticleMismatch, UnknownSwitch, and the
    input errors of a choice that is missing or has no effect.
    """
    book = rulebook_of(question.law)
    return _Asking(book, question, data or MunicipalData(book.municipality)).answer()


class _Asking:
    def __init__(self, book: Rulebook, question: Question, data: MunicipalData) -> None:
        self.book, self.question, self.data = book, question, data
        self.switches = _switches(book, data, question.switches or {})
        self.life_note = require_in_force(book, question.day, _end(book, data), question.subject, _start(book, data))
        self.infraction = find_infraction(book, question.article, question.day)

    def answer(self) -> Fine:
        penalty = self._penalty(self.switches)
        assessment = self._assess(penalty, self._choice())
        return Fine(
            rulebook=self.book,
            question=self.question,
            infraction=self.infraction,
            penalty=penalty,
            assessment=assessment,
            readings=self._readings(),
            others=tuple(self._others(assessment.amount)),
            warnings=(*assessment.warnings, *self._own_warnings(penalty)),
        )

    def _choice(self) -> Choice:
        grau = _grau(self.question.grau)
        return Choice(grau=grau, quantidade=self.question.quantidade)

    def _penalty(self, switches: Mapping[str, str]) -> Penalty:
        asked = self.question
        printed = str(Provision.parse(asked.penalty_article)) if asked.penalty_article else None
        name = penalty_for(self.book, self.infraction, asked.day, switches, printed, asked.subject)
        return penalty_on(self.book, name, asked.day)

    def _assess(self, penalty: Penalty, choice: Choice) -> Assessment:
        item = self._item(penalty, choice)
        return assess([item], unit_values={}, norm=self.book.norm, urn=self.book.urn, proposal=True)

    def _item(self, penalty: Penalty, choice: Choice) -> Item:
        return Item(
            penalty=penalty,
            article=self.infraction.provision,
            description=self.infraction.description,
            choice=choice,
            fact_at=self.question.fact,
            recidivism=self._recidivism(penalty),
            unit_values=self._unit_values(penalty),
            warnings=tuple(Warned(w, WARNINGS.get(w, w)) for w in self.infraction.warnings),
        )

    def _recidivism(self, penalty: Penalty) -> Recidivism | None:
        if not self.question.reincidente:
            return None
        config = recidivism_config(self.book, self.switches)
        if penalty.recidivism is not None:
            config = config.under(penalty.recidivism)
        return Recidivism.stated(config, [Provision.parse(self.infraction.provision)])

    def _unit_values(self, penalty: Penalty) -> dict[str, UnitValue]:
        codes, asked = penalty.units(), self.question
        if asked.unit_value is not None:
            value = UnitValue(asked.unit_value, None)
            return dict.fromkeys(codes, value)
        return pick_values(_units(self.book, self.data, codes), codes, self._unit_day())

    def _unit_day(self) -> date:
        reading = self.switches.get(UNIT_DAY, "fato")
        if reading == "fato":
            return self.question.day
        if self.question.unit_day is None:
            raise UnitDayMissing(
                f"com {UNIT_DAY} = {reading}, o valor da unidade é o do dia desse ato.",
                field="unit_day",
                remedy="Diga o dia: --unit-day AAAA-MM-DD; ou o valor: --unit-value VALOR.",
            )
        return self.question.unit_day

    def _readings(self) -> dict[str, str]:
        bearing = [self.book.penalty_choices[name][0] for name in self.infraction.penalties if self._is_choice(name)]
        if self.question.unit_value is None and UNIT_DAY in self.switches:
            bearing.append(UNIT_DAY)
        if self.question.reincidente:
            bearing.extend(name for name in _OF_REPETITION if name in self.switches)
        return {name: self.switches[name] for name in dict.fromkeys(bearing)}

    def _is_choice(self, name: str) -> bool:
        return name in self.book.penalty_choices

    def _others(self, amount: Decimal) -> Iterator[OtherReadingAmount]:
        for name in self.infraction.penalties:
            if not self._is_choice(name):
                continue
            switch = self.book.penalty_choices[name][0]
            for value in self.book.switches[switch].values:
                if value != self.switches[switch]:
                    other = self._under(switch, value, name)
                    if other is not None and not other.minimum == other.maximum == amount:
                        yield other

    def _under(self, switch: str, value: str, name: str) -> OtherReadingAmount | None:
        switches = {**self.switches, switch: value}
        if resolve_penalty(self.book, name, switches) == self._penalty(self.switches).id:
            return None
        try:
            penalty = self._penalty(switches)
            amounts = [self._assess(penalty, c).amount for c in self._choices_in(penalty)]
        except LawError as error:
            return OtherReadingAmount(switch, value, None, None, error.message)
        return OtherReadingAmount(switch, value, min(amounts), max(amounts))

    def _choices_in(self, penalty: Penalty) -> list[Choice]:
        """The least and the most that the authority could choose under another reading (one, if the grade is said)."""
        own, base = self._choice(), penalty.base
        if isinstance(base, Range):
            return [replace(own, quantidade=q) for q in (base.lower, base.upper)]
        if isinstance(base, ByGrade):
            quantidade = own.quantidade if penalty.per else None
            grades = (own.grau,) if own.grau else (Grau.MINIMO, Grau.MAXIMO)
            return [Choice(grau=g, quantidade=quantidade) for g in grades]
        return [own]

    def _own_warnings(self, penalty: Penalty) -> Iterator[Warned]:
        asked = self.question
        if self.life_note:
            yield Warned("inicio_informado", f"{self.life_note[0].upper()}{self.life_note[1:]}.")
        if asked.unit_value is not None:
            units = ", ".join(sorted(penalty.units()))
            yield Warned("valor_informado", f"O valor de {units} foi informado na pergunta, sem o ato que o fixou.")
        if isinstance(penalty.base, Range):
            yield Warned("motivo_da_escolha", "Dentro da faixa, a autoridade escolhe e diz o motivo na decisão.")
        if self.infraction.condition:
            yield Warned("condicao", f"A infração supõe: {self.infraction.condition}")
        if asked.reincidente:
            yield Warned("reincidencia_declarada", "A reincidência foi declarada na pergunta, sem antecedente à vista.")
        elif self.infraction.effects_on_reincidencia:
            effects = ", ".join(self.infraction.effects_on_reincidencia)
            yield Warned("efeitos_na_reincidencia", f"Na reincidência: {effects}.")


def _grau(text: str | None) -> Grau | None:
    if text is None:
        return None
    try:
        return Grau(text)
    except ValueError:
        raise InputError(
            f"“{text}” não é grau.", code="grau_invalido", field="grau", remedy=f"Os graus: {', '.join(Grau)}."
        ) from None


def _end(book: Rulebook, data: MunicipalData) -> LawEnd | None:
    end = data.ends.get(book.id)
    return LawEnd(end.day, end.act) if end else None


def _start(book: Rulebook, data: MunicipalData) -> LawStart | None:
    start = data.starts.get(book.id)
    return LawStart(start.day, start.act) if start else None


def check_switch(book: Rulebook, name: str, value: str) -> None:
    """That the law has the switch and the switch the value. Raises UnknownSwitch naming what there is."""
    switch = book.switches.get(name)
    if switch is None:
        raise UnknownSwitch(
            f"a {book.norm} não tem a chave de leitura “{name}”.",
            field=name,
            remedy=f"Tem: {', '.join(book.switches)}.",
        )
    if value not in switch.values:
        raise UnknownSwitch(
            f"a chave {name} não tem o valor “{value}”.", field=name, remedy=f"Tem: {', '.join(switch.values)}."
        )


def _switches(book: Rulebook, data: MunicipalData, asked: Mapping[str, str]) -> dict[str, str]:
    for name, value in asked.items():
        check_switch(book, name, value)
    chosen: Mapping[str, Any] = {**data.options.get(book.id, {}), **asked}
    return {name: chosen.get(name, switch.default) for name, switch in book.switches.items()}


def _units(book: Rulebook, data: MunicipalData, codes: frozenset[str]) -> dict[str, FiscalUnit]:
    """The units the penalty needs, with the values supplied. The shipped ones are read only when one is needed."""
    from penalties.units import SHIPPED, shipped_units

    shipped = shipped_units() if codes & SHIPPED else {}
    units = {}
    for code in codes:
        base = shipped.get(code) or FiscalUnit(code, book.units.get(code, code), Dated(()), book.id)
        supplied = [v for v in data.unit_values.get(book.id, ()) if v.unit == code]
        units[code] = base.with_values(Period(v.start, None, UnitValue(v.value, v.act)) for v in supplied)
    return units
