"""From what a decision upholds to its memória de cálculo: picks penalties, units and readings, and calls
``penalties``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import Any

from legalbasis import NotEncoded, Provision
from penalties import (
    Antecedent,
    AntecedentReading,
    Assessment,
    Choice,
    FiscalUnit,
    Grau,
    Item,
    Penalty,
    Recidivism,
    RecidivismConfig,
    Scope,
    ScopeMap,
    Warned,
    assess,
    examine,
    pick_values,
)
from penalties.penalty import ByGrade, Range
from procedure.domain.admission import find_infraction, penalty_for
from procedure.domain.case import Case
from procedure.domain.rulebook import Infraction, Rulebook

WARNINGS = {
    "competencia_controvertida": "matéria de trânsito: a competência do município é controvertida (CF art. 22, XI)",
}


def fact_day(fact: Mapping[str, Any]) -> date:
    """The day whose law governs the fact: its last one."""
    return date.fromisoformat(str(fact.get("until") or fact["date"])[:10])


def fact_moment(fact: Mapping[str, Any]) -> date | datetime:
    """The start of the fact, with its hour when known."""
    text = str(fact["date"])
    return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)


def penalty_on(book: Rulebook, name: str, day: date) -> Penalty:
    """The wording of a penalty on a day. Raises NotEncoded when the source has none for it."""
    for penalty in book.penalties.get(name, ()):
        if penalty.in_force(day):
            found: Penalty = penalty
            return found
    first = min((p.in_force_from for p in book.penalties.get(name, ()) if p.in_force_from), default=None)
    since = f" O texto conhecido vale desde {first:%d/%m/%Y}." if first else ""
    raise NotEncoded(
        f"o valor da multa do {Provision.parse(name).label()} da {book.norm} em {day:%d/%m/%Y} não consta da "
        f"fonte.{since}",
        field="fact.date",
    )


def recidivism_config(book: Rulebook, switches: Mapping[str, str]) -> RecidivismConfig:
    """How this law reads reincidência under the readings in use."""
    cited = book.recidivism["citation"]
    return RecidivismConfig(
        scope=Scope(switches["escopo"]),
        antecedente=AntecedentReading(switches["antecedente"]),
        raiz_cnpj=switches.get("mesma_pessoa", "raiz_cnpj") == "raiz_cnpj",
        article=cited.provision,
        status=cited.status,
        scope_map=_scope_map(book),
    )


_SCOPE_MAPS: dict[str, ScopeMap] = {}


def _scope_map(book: Rulebook) -> ScopeMap:
    """The chapter of each article, read once per rulebook version: every judgment asks it."""
    key = f"{book.id}@{book.version}"
    if key not in _SCOPE_MAPS:
        chapters: dict[str, str] = {}
        for infraction in book.infractions.values():
            if infraction.chapter:
                chapters.setdefault(Provision.parse(infraction.provision).article, infraction.chapter)
        _SCOPE_MAPS[key] = ScopeMap(chapters=chapters)
    return _SCOPE_MAPS[key]


def examine_person(
    book: Rulebook, switches: Mapping[str, str], antecedents: Sequence[Antecedent], fact: Mapping[str, Any]
) -> Recidivism:
    """The reincidência of one infraction, with the evidence of every other auto."""
    config = recidivism_config(book, switches)
    day = fact_day(fact)
    infraction = find_infraction(book, fact["article"], day)
    name = penalty_for(book, infraction, day, switches, fact.get("penalty_article"), fact.get("subject"))
    own = penalty_on(book, name, day).recidivism
    return examine(
        antecedents,
        fact_at=fact_moment(fact),
        provisions=[Provision.parse(fact["article"])],
        config=config.under(own) if own else config,
        law=book.id,
    )


def _choice(penalty: Penalty, grau: str | None, quantidade: str | None, reason: str | None) -> Choice:
    return Choice(
        grau=Grau(grau) if grau and isinstance(penalty.base, ByGrade) else None,
        quantidade=Decimal(quantidade) if quantidade and (penalty.per or isinstance(penalty.base, Range)) else None,
        motivo=reason,
    )


def choice_in_force(case: Case, fields: Mapping[str, Any], name: str) -> str | None:
    """``grau`` or ``quantidade``: of this decision, else of the last one that chose, else the proposal."""
    chosen = [d[name] for d in case.facts.get("decisions", ()) if d.get(name)]
    found = fields.get(name) or (chosen[-1] if chosen else case.facts.get(name))
    return str(found) if found else None


def unit_day(switches: Mapping[str, str], fact: Mapping[str, Any], drawn: date, decided: date) -> date:
    """The day that picks the unit's value, by the reading in use."""
    days = {"fato": fact_day(fact), "lavratura": drawn, "decisao": decided}
    return days[switches.get("dia_da_unidade", "fato")]


def build_assessment(
    book: Rulebook,
    units: Mapping[str, FiscalUnit],
    switches: Mapping[str, str],
    facts: Sequence[Mapping[str, Any]],
    *,
    grau: str | None,
    quantidade: str | None,
    reason: str | None,
    drawn: date,
    decided: date,
    recidivism: Sequence[Recidivism | None],
    proposal: bool = False,
) -> Assessment:
    """The memória de cálculo of the facts upheld. Raises the LawErrors of admission and the errors of ``penalties``."""
    items = []
    for fact, found in zip(facts, recidivism, strict=True):
        day = unit_day(switches, fact, drawn, decided)
        choose = partial(_choice, grau=grau, quantidade=quantidade, reason=reason)
        items.append(_item(book, units, switches, fact, found, unit_on=day, choose=choose))
    return assess(
        _specials(book, items),
        unit_values={},
        norm=book.norm,
        urn=book.urn,
        proposal=proposal,
    )


def _item(
    book: Rulebook,
    units: Mapping[str, FiscalUnit],
    switches: Mapping[str, str],
    fact: Mapping[str, Any],
    found: Recidivism | None,
    *,
    unit_on: date,
    choose: Callable[[Penalty], Choice],
) -> Item:
    day = fact_day(fact)
    infraction = find_infraction(book, fact["article"], day)
    name = penalty_for(book, infraction, day, switches, fact.get("penalty_article"), fact.get("subject"))
    penalty = penalty_on(book, name, day)
    return Item(
        penalty=penalty,
        article=infraction.provision,
        description=infraction.description,
        choice=choose(penalty),
        fact=fact.get("same_fact"),
        fact_at=fact_moment(fact),
        recidivism=found,
        unit_values=pick_values(units, penalty.units(), unit_on),
        warnings=tuple(Warned(w, WARNINGS.get(w, w)) for w in infraction.warnings),
    )


def _specials(book: Rulebook, items: Sequence[Item]) -> list[Item]:
    """Mark as special the item whose infraction prevails over another charged for the same fact."""

    def over(item: Item) -> bool:
        others = {i.article for i in items if i is not item and i.fact is not None and i.fact == item.fact}
        return bool(others & set(_infraction(book, item).special_over))

    return [replace(i, penalty=replace(i.penalty, especial=True)) if over(i) else i for i in items]


def _infraction(book: Rulebook, item: Item) -> Infraction:
    return book.infractions[item.article]


def needs_grau(book: Rulebook, facts: Sequence[Mapping[str, Any]], switches: Mapping[str, str]) -> bool:
    """Whether the penalty of any of the facts goes by grade."""
    for fact in facts:
        day = fact_day(fact)
        infraction = find_infraction(book, fact["article"], day)
        name = penalty_for(book, infraction, day, switches, fact.get("penalty_article"), fact.get("subject"))
        if isinstance(penalty_on(book, name, day).base, ByGrade):
            return True
    return False
