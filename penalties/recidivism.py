"""Reincidência: examines every other auto of the person and says of each whether it counts, and why.

The result does not depend on the order in which the autos were given or typed: they go by the moment of the fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from legalbasis import NotEncoded, Provision, Status
from penalties.antecedents import (
    OUTCOMES_AGAINST_NOTHING,
    Antecedent,
    AntecedentReading,
    Moment,
    PersonMatch,
    Scope,
    ScopeMap,
    Window,
    WindowAnchor,
    day_of,
    earliest,
    in_legal_order,
    latest,
)
from penalties.evidence import Evidence
from penalties.money import decimal_text
from penalties.progression import DOBRO, Progression, RecidivismRule


@dataclass(frozen=True, slots=True)
class SideEffect:
    """What repetition brings beside the figure, from the ``from_count``-th time on."""

    effect: str
    from_count: int = 1


@dataclass(frozen=True, slots=True)
class RecidivismConfig:
    """How a law reads reincidência: its switches (spec 01) and the rule that raises the fine."""

    scope: Scope = Scope.MESMO_DISPOSITIVO
    antecedente: AntecedentReading = AntecedentReading.DECISAO_DEFINITIVA
    window: Window | None = None
    same_day_excluded: bool = False
    raiz_cnpj: bool = True
    progression: Progression = DOBRO
    article: str | None = None
    status: Status = Status.TEXTO
    side_effects: tuple[SideEffect, ...] = ()
    scope_map: ScopeMap = field(default_factory=ScopeMap)

    def under(self, rule: RecidivismRule) -> RecidivismConfig:
        """The same switches with a penalty's own rule."""
        effects = (*self.side_effects, *(SideEffect(effect) for effect in rule.effects))
        article = rule.article or self.article
        return replace(self, progression=rule.progression, article=article, status=rule.status, side_effects=effects)


@dataclass(frozen=True, slots=True)
class OtherReading:
    """What another reading of a switch would give, where it changes the figure."""

    switch: str
    reading: str
    count: int
    factor: Decimal


@dataclass(frozen=True, slots=True)
class Recidivism:
    """The result: ``count`` antecedents that count, ``factor`` (1 when none), the evidence, and the readings used."""

    count: int
    progression: Progression
    reading: str
    scope: str
    provisions: tuple[str, ...]
    article: str | None = None
    status: Status = Status.TEXTO
    evidence: tuple[Evidence, ...] = ()
    others: tuple[OtherReading, ...] = ()
    side_effects: tuple[str, ...] = ()
    declared: bool = False
    last_fine: Decimal | None = None

    @property
    def counted(self) -> bool:
        """Whether the person is a reincidente."""
        return self.count > 0

    @property
    def factor(self) -> Decimal:
        """What the fine is multiplied by."""
        return self.progression.factor(self.count)

    @classmethod
    def stated(cls, config: RecidivismConfig, provisions: Iterable[Provision], count: int = 1) -> Recidivism:
        """A reincidência that the asker declares, with no evidence (``posturas multa --reincidente``)."""
        return _result(config, tuple(provisions), (), count, declared=True)

    def under(self, rule: RecidivismRule) -> Recidivism:
        """The same examination under a penalty's own rule."""
        effects = rule.effects if self.counted else ()
        return replace(
            self,
            progression=rule.progression,
            article=rule.article or self.article,
            status=rule.status,
            others=tuple(replace(o, factor=rule.progression.factor(o.count)) for o in self.others),
            side_effects=tuple(dict.fromkeys((*self.side_effects, *effects))),
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON-able; every key always there."""
        return {
            "counted": self.counted,
            "count": self.count,
            "factor": decimal_text(self.factor),
            "progression": self.progression.to_dict(),
            "antecedente": self.reading,
            "escopo": self.scope,
            "provisions": list(self.provisions),
            "article": self.article,
            "status": self.status.value,
            "evidence": [e.to_dict() for e in self.evidence],
            "other_readings": [
                {"switch": o.switch, "reading": o.reading, "count": o.count, "factor": decimal_text(o.factor)}
                for o in self.others
            ],
            "side_effects": list(self.side_effects),
            "declared": self.declared,
            **({} if self.last_fine is None else {"last_fine": decimal_text(self.last_fine)}),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Recidivism:
        """The result that ``to_dict`` wrote: what replay uses instead of reading other cases."""
        return cls(
            data["count"],
            Progression.from_dict(data["progression"]),
            data["antecedente"],
            data["escopo"],
            tuple(data["provisions"]),
            data["article"],
            Status(data["status"]),
            tuple(Evidence.from_dict(e) for e in data["evidence"]),
            tuple(OtherReading(**{**o, "factor": Decimal(o["factor"])}) for o in data["other_readings"]),
            tuple(data["side_effects"]),
            data["declared"],
            Decimal(data["last_fine"]) if data.get("last_fine") else None,
        )


def examine(
    antecedents: Iterable[Antecedent],
    *,
    fact_at: Moment,
    provisions: Iterable[Provision],
    config: RecidivismConfig,
    law: str = "",
) -> Recidivism:
    """Examine every other auto of the person against a fact at ``fact_at`` (the start of a span) under ``provisions``.

    A final date with no hour is the end of that day, a fact with no hour the start of its day; the antecedent must be
    final (or, with ``autuacao``, served) at or before the fact. Raises AntecedentRepeated for one auto given with
    different data, NotEncoded when the scope is the chapter and an article's chapter is not in the data.
    """
    others = in_legal_order(antecedents)
    current = tuple(provisions)
    evidence = tuple(_weigh(a, fact_at, current, config, law) for a in others)
    count = sum(e.counted for e in evidence)
    result = _result(config, current, evidence, count)
    readings = []
    # What no reading of the switches counts is left out once: a person may have hundreds of autos.
    open_to_readings = [a for a in others if a.law == law and not _refused_by_all(a, fact_at, config)]
    for switch, word, alternative in _alternatives(config, others, current):
        again = sum(not _refusal(a, fact_at, current, alternative, law) for a in open_to_readings)
        if _figure(config.progression, again) != _figure(config.progression, count):
            readings.append(OtherReading(switch, word, again, config.progression.factor(again)))
    fines = [a.amount for a, e in zip(others, evidence, strict=True) if e.counted and a.amount is not None]
    return replace(result, others=tuple(readings), last_fine=fines[-1] if fines else None)


def _result(
    config: RecidivismConfig,
    provisions: tuple[Provision, ...],
    evidence: tuple[Evidence, ...],
    count: int,
    *,
    declared: bool = False,
) -> Recidivism:
    return Recidivism(
        count=count,
        progression=config.progression,
        reading=config.antecedente.value,
        scope=config.scope.value,
        provisions=tuple(str(p) for p in provisions),
        article=config.article,
        status=config.status,
        evidence=evidence,
        side_effects=tuple(s.effect for s in config.side_effects if count >= s.from_count),
        declared=declared,
    )


def _figure(progression: Progression, count: int) -> tuple[Decimal, Decimal | None]:
    return progression.factor(count), progression.added(count)


def _alternatives(
    config: RecidivismConfig, others: list[Antecedent], current: tuple[Provision, ...]
) -> Iterator[tuple[str, str, RecidivismConfig]]:
    """Each other reading of each switch (a chapter reading only where the data hold every chapter)."""
    for reading in AntecedentReading:
        if reading is not config.antecedente:
            yield "antecedente", reading.value, replace(config, antecedente=reading)
    articles = {p.article for p in current} | {p.article for a in others for p in a.provisions}
    for scope in Scope:
        known = scope is not Scope.MESMO_CAPITULO or articles <= config.scope_map.chapters.keys()
        if scope is not config.scope and known:
            yield "escopo", scope.value, replace(config, scope=scope)
    if any(a.match is PersonMatch.MESMA_RAIZ_CNPJ for a in others):
        yield "raiz_cnpj", str(not config.raiz_cnpj).lower(), replace(config, raiz_cnpj=not config.raiz_cnpj)


def _weigh(
    antecedent: Antecedent, fact_at: Moment, current: tuple[Provision, ...], config: RecidivismConfig, law: str
) -> Evidence:
    code, reason = _refusal(antecedent, fact_at, current, config, law) or ("", "")
    counted = not code
    return Evidence(
        auto=antecedent.auto,
        counted=counted,
        reason_code=code or "conta",
        reason=reason or _counting_reason(antecedent, config),
        provisions=tuple(str(p) for p in antecedent.provisions),
        fact_day=day_of(antecedent.fact_at),
        final_day=day_of(antecedent.final_at) if antecedent.final_at else None,
        ciencia_day=day_of(antecedent.ciencia_at) if antecedent.ciencia_at else None,
        match=antecedent.match.value,
        state=antecedent.state,
        outcome=antecedent.outcome,
    )


_Refusal = tuple[str, str] | None


def _refusal(
    antecedent: Antecedent, fact_at: Moment, current: tuple[Provision, ...], config: RecidivismConfig, law: str
) -> _Refusal:
    """Why the antecedent does not count: a code and the reason in Portuguese; None when it does."""
    return (
        _outside_scope(antecedent, current, config, law)
        or _not_standing(antecedent)
        or _not_before(antecedent, fact_at, config)
        or _outside_window(antecedent, fact_at, config)
    )


def _refused_by_all(antecedent: Antecedent, fact_at: Moment, config: RecidivismConfig) -> _Refusal:
    """Why the antecedent does not count under any reading of the switches."""
    earlier = _not_standing(antecedent) or _not_earlier(antecedent, fact_at, config)
    return earlier or _outside_window(antecedent, fact_at, config)


def _outside_scope(
    antecedent: Antecedent, current: tuple[Provision, ...], config: RecidivismConfig, law: str
) -> _Refusal:
    if antecedent.match is PersonMatch.MESMA_RAIZ_CNPJ and not config.raiz_cnpj:
        return "outro_estabelecimento", "É de outro estabelecimento da mesma empresa, que esta leitura não soma."
    if antecedent.law != law:
        return "outra_lei", "É infração a outra lei."
    keys = {_scope_key(p, config) for p in current}
    if any(_scope_key(p, config) in keys for p in antecedent.provisions):
        return None
    cited = ", ".join(p.label() for p in antecedent.provisions)
    return "fora_do_escopo", f"É infração a {cited or 'dispositivo não informado'}: não é {_SCOPE_WORDS[config.scope]}."


_SCOPE_WORDS = {
    Scope.MESMO_DISPOSITIVO: "o mesmo dispositivo",
    Scope.MESMO_ARTIGO: "o mesmo artigo",
    Scope.MESMO_CAPITULO: "o mesmo capítulo",
    Scope.MESMA_LEI: "a mesma lei",
}


def _scope_key(provision: Provision, config: RecidivismConfig) -> tuple[str, ...]:
    if config.scope is Scope.MESMA_LEI:
        return ()
    if config.scope is Scope.MESMO_ARTIGO:
        return (provision.article,)
    if config.scope is Scope.MESMO_CAPITULO:
        if provision.article not in config.scope_map.chapters:
            raise NotEncoded(f"Não se sabe o capítulo do art. {provision.article}.")
        return (config.scope_map.chapters[provision.article],)
    return config.scope_map.dispositivo(provision)


def _not_standing(antecedent: Antecedent) -> _Refusal:
    if antecedent.annulled:
        return "anulado", "O auto foi anulado."
    if antecedent.outcome in OUTCOMES_AGAINST_NOTHING:
        return antecedent.outcome or "", f"O auto foi julgado {antecedent.outcome}."
    return None


def _not_earlier(antecedent: Antecedent, fact_at: Moment, config: RecidivismConfig) -> _Refusal:
    if earliest(antecedent.fact_at) > earliest(fact_at):
        return "fato_posterior", f"O fato, de {day_of(antecedent.fact_at):%d/%m/%Y}, é posterior ao deste auto."
    if config.same_day_excluded and day_of(antecedent.fact_at) == day_of(fact_at):
        return "mesmo_dia", "O fato é do mesmo dia: não se conta."
    return None


def _not_before(antecedent: Antecedent, fact_at: Moment, config: RecidivismConfig) -> _Refusal:
    if later := _not_earlier(antecedent, fact_at, config):
        return later
    if config.antecedente is AntecedentReading.AUTUACAO:
        return _not_yet(antecedent.ciencia_at, fact_at, "sem_ciencia", "ciencia_posterior", "A ciência do auto")
    return _not_yet(antecedent.final_at, fact_at, "nao_definitivo", "definitivo_depois", "A decisão definitiva")


def _not_yet(moment: Moment | None, fact_at: Moment, missing: str, later: str, what: str) -> _Refusal:
    if moment is None:
        return missing, f"{what} não existe até aqui."
    if latest(moment) > earliest(fact_at):
        return later, f"{what} é de {day_of(moment):%d/%m/%Y}, não anterior ao fato de {day_of(fact_at):%d/%m/%Y}."
    return None


def _outside_window(antecedent: Antecedent, fact_at: Moment, config: RecidivismConfig) -> _Refusal:
    if config.window is None:
        return None
    starts = {
        WindowAnchor.FATO: antecedent.fact_at,
        WindowAnchor.LAVRATURA: antecedent.lavratura_at,
        WindowAnchor.DECISAO: antecedent.decided_at or antecedent.final_at,
    }
    start = starts[config.window.anchor]
    if start is None:
        return "sem_data", f"Falta a data ({config.window.anchor.value}) de que corre a janela."
    last = config.window.last_day(day_of(start))
    if day_of(fact_at) > last:
        return "fora_da_janela", f"A janela de {config.window.months} meses terminou em {last:%d/%m/%Y}."
    return None


def _counting_reason(antecedent: Antecedent, config: RecidivismConfig) -> str:
    if config.antecedente is AntecedentReading.AUTUACAO and antecedent.ciencia_at is not None:
        return f"A ciência do auto, em {day_of(antecedent.ciencia_at):%d/%m/%Y}, é anterior ao fato."
    if antecedent.final_at is not None:
        return f"Tornou-se definitivo em {day_of(antecedent.final_at):%d/%m/%Y}, antes do fato."
    return "É anterior ao fato."
