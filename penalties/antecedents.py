"""Other autos of the same person, and how a law reads them: the input of the examination of reincidência."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import StrEnum

from legalbasis import Provision
from penalties.errors import AntecedentRepeated

Moment = date | datetime
"""A legal moment in local time: a day, or a day and hour where known. An offset is dropped, not converted."""

_INCISO = re.compile(r"[IVXLCDM]+(-[A-Z])?\Z")


class PersonMatch(StrEnum):
    """Why the other auto is of the same person, or about the same property where the law counts by it."""

    MESMO_CPF = "mesmo_cpf"
    MESMO_CNPJ = "mesmo_cnpj"
    MESMA_RAIZ_CNPJ = "mesma_raiz_cnpj"
    MESMO_IMOVEL = "mesmo_imovel"


class Scope(StrEnum):
    """What the two infractions must share."""

    MESMO_DISPOSITIVO = "mesmo_dispositivo"
    MESMO_ARTIGO = "mesmo_artigo"
    MESMO_CAPITULO = "mesmo_capitulo"
    MESMA_LEI = "mesma_lei"


class AntecedentReading(StrEnum):
    """What makes an earlier auto an antecedent: that it became final before the new fact, or that it was served."""

    DECISAO_DEFINITIVA = "decisao_definitiva"
    AUTUACAO = "autuacao"


class WindowAnchor(StrEnum):
    """From which day of the antecedent a window runs."""

    FATO = "fato"
    LAVRATURA = "lavratura"
    DECISAO = "decisao"


OUTCOMES_AGAINST_NOTHING = frozenset({"insubsistente", "nulo", "anulado"})
"""Outcomes after which an auto is no antecedent under any reading."""


@dataclass(frozen=True, slots=True)
class Antecedent:
    """Another auto of the person. ``final_at``: when the fine became final in law; ``decided_at``: its last decision.

    ``law`` is the id of its law (compared with the current one's); ``state`` and ``outcome`` the stored legal words.
    """

    auto: str
    provisions: tuple[Provision, ...]
    fact_at: Moment
    match: PersonMatch
    final_at: Moment | None = None
    ciencia_at: Moment | None = None
    lavratura_at: Moment | None = None
    decided_at: Moment | None = None
    state: str | None = None
    outcome: str | None = None
    annulled: bool = False
    law: str = ""
    amount: Decimal | None = None  # its fine, in reais, where one is fixed


@dataclass(frozen=True, slots=True)
class Window:
    """Antecedents count for ``months`` from ``anchor``, the last day included (Código Civil art. 132 § 3º)."""

    months: int
    anchor: WindowAnchor = WindowAnchor.FATO

    def last_day(self, start: date) -> date:
        """The day of the same number ``months`` on, or the first of the next month where there is none."""
        year, month = divmod(start.year * 12 + start.month - 1 + self.months, 12)
        try:
            return date(year, month + 1, start.day)
        except ValueError:
            return date(year + month // 11, (month + 1) % 12 + 1, 1)


@dataclass(frozen=True, slots=True)
class ScopeMap:
    """What a law's structure adds: chapters by article, and the articles whose incisos are one conduct."""

    chapters: Mapping[str, str] = field(default_factory=dict)
    whole_articles: frozenset[str] = frozenset()

    def dispositivo(self, provision: Provision) -> tuple[str, ...]:
        """The article, and the inciso where one is cited (unless the article's incisos are one conduct)."""
        if provision.article in self.whole_articles:
            return (provision.article,)
        for index, part in enumerate(provision.path):
            if _INCISO.match(part):
                return (provision.article, *provision.path[: index + 1])
        return (provision.article,)


def day_of(moment: Moment) -> date:
    """The day of a moment."""
    return moment.date() if isinstance(moment, datetime) else moment


def earliest(moment: Moment) -> datetime:
    """The instant of a moment, a day with no hour being its first instant."""
    if isinstance(moment, datetime):
        return moment.replace(tzinfo=None)
    return datetime.combine(moment, time.min)


def latest(moment: Moment) -> datetime:
    """The instant of a moment, a day with no hour being its end (the first instant of the next day)."""
    if isinstance(moment, datetime):
        return moment.replace(tzinfo=None)
    return datetime.combine(moment + timedelta(days=1), time.min)


def in_legal_order(antecedents: Iterable[Antecedent]) -> list[Antecedent]:
    """One for each auto, by the moment of the fact. Raises AntecedentRepeated for an auto given with different data."""
    by_auto: dict[str, Antecedent] = {}
    for antecedent in antecedents:
        if by_auto.setdefault(antecedent.auto, antecedent) != antecedent:
            raise AntecedentRepeated(f"O auto {antecedent.auto} foi dado duas vezes, com dados diferentes.")
    return sorted(by_auto.values(), key=lambda a: (earliest(a.fact_at), a.auto))
