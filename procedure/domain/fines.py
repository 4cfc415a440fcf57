"""From what a decision upholds to its memória de cálculo: picks penalties, units and readings, and calls
``penalties``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from legalbasis import NotEncoded, PenaltyArticleMismatch, Provision
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
    Window,
    WindowAnchor,
    assess,
    examine,
    pick_values,
)
from penalties.money import from_centavos
from penalties.penalty import ByClass, ByGrade, PercentOfValue, Range
from procedure.domain.admission import find_infraction, penalty_for
from procedure.domain.amounts import share_of
from procedure.domain.errors import NoFine, UnitDayUnknown
from procedure.domain.rulebook import Infraction, Rulebook

if TYPE_CHECKING:
    from procedure.domain.case import Case
    from procedure.domain.context import Context

CHOICES = ("grau", "quantidade", "classe", "valor")
"""What an auto proposes and a decision chooses, where a fine turns on it."""
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
    if not book.recidivism:
        return RecidivismConfig()  # the law knows no reincidência
    cited = book.recidivism["citation"]
    return RecidivismConfig(
        scope=Scope(switches["escopo"]),
        antecedente=AntecedentReading(switches["antecedente"]),
        window=Window(book.recidivism["months"], WindowAnchor(book.recidivism["anchor"]))
        if book.recidivism["months"]
        else None,
        same_day_excluded=book.recidivism["same_day_excluded"],
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
    own = None
    if infraction.penalties:
        name = penalty_for(book, infraction, day, switches, fact.get("penalty_article"), fact.get("subject"))
        own = penalty_on(book, name, day).recidivism
    return examine(
        antecedents if book.recidivism else (),
        fact_at=fact_moment(fact),
        provisions=[Provision.parse(fact["article"])],
        config=config.under(own) if own else config,
        law=book.id,
    )


def _choice(
    fact: Mapping[str, Any], chosen: Mapping[str, Any], drawn_up: Mapping[str, Any], penalty: Penalty
) -> Choice:
    """What the fine turns on: as the act that fixes it says, else an earlier decision, else the auto of the fact or
    the whole.
    """
    sources = (chosen, drawn_up.get("chosen", {}), fact, drawn_up)
    grau, quantidade, classe, valor = (next((s[k] for s in sources if s.get(k)), None) for k in CHOICES)
    return Choice(
        grau=Grau(grau) if grau and isinstance(penalty.base, ByGrade) else None,
        quantidade=Decimal(quantidade) if quantidade and _is_measured(penalty) else None,
        classe=classe if isinstance(penalty.base, ByClass) else None,
        valor=Decimal(valor) if valor and isinstance(penalty.base, PercentOfValue) else None,
        motivo=chosen.get("grounds"),
    )


def _is_measured(penalty: Penalty) -> bool:
    """Whether a quantity means something to the penalty: it multiplies it, or picks in its range or its class."""
    base = penalty.base
    return bool(penalty.per) or isinstance(base, Range) or (isinstance(base, ByClass) and base.measure is not None)


def unit_day(switches: Mapping[str, str], fact: Mapping[str, Any], drawn: date, decided: date) -> date:
    """The day that picks the unit's value, by the reading in use. Raises UnitDayUnknown for the day of the payment."""
    days = {"fato": fact_day(fact), "lavratura": drawn, "decisao": decided}
    reading = switches.get("dia_da_unidade", "fato")
    if reading not in days:
        raise UnitDayUnknown(
            f"com dia_da_unidade = {reading}, o valor da unidade só se conhece nesse dia, e o ato fixa a multa antes.",
            remedy=f"Escolha outra leitura com posturas rulebook option set: {', '.join(days)}.",
        )
    return days[reading]


def build_assessment(
    book: Rulebook,
    units: Mapping[str, FiscalUnit],
    switches: Mapping[str, str],
    facts: Sequence[Mapping[str, Any]],
    *,
    chosen: Mapping[str, Any],
    drawn_up: Mapping[str, Any],
    drawn: date,
    decided: date,
    recidivism: Sequence[Recidivism | None],
    proposal: bool = False,
) -> Assessment:
    """The memória de cálculo of the facts upheld. Raises the LawErrors of admission and the errors of ``penalties``.

    ``chosen`` are the fields of the act that fixes the fine (``CHOICES``, ``grounds``), ``drawn_up`` what the case
    says of the same since the auto.
    """
    items = []
    for fact, found in zip(facts, recidivism, strict=True):
        day = unit_day(switches, fact, drawn, decided)
        choose = partial(_choice, fact, chosen, drawn_up)
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


def assess_daily(ctx: Context, case: Case, article: str, decided: date) -> tuple[Assessment, int | None]:
    """One day of the daily fine that ``article`` lays down, at the unit's value of the day of the infraction.

    Doubled where the case's own examination found reincidência and the penalty has a rule for it. Of the case's own
    fine some laws take a percentage, and a limit to all the days together, which is given beside the memória (in
    centavos; None where there is none). Raises PenaltyArticleMismatch, NoFine.
    """
    book, facts, fine = ctx.book, case.facts, case.arbitrada
    fact = facts["infractions"][0]
    day = fact_day(fact)
    penalty = penalty_on(book, str(Provision.parse(article)), day)
    if not penalty.daily:
        raise PenaltyArticleMismatch(f"{Provision.parse(article).label()} não comina multa diária.", field="article")
    of_the_fine = isinstance(penalty.base, PercentOfValue)
    if fine <= 0 and (of_the_fine or penalty.daily_cap is not None):
        raise NoFine("a multa diária se mede pela multa do auto, que ainda não foi fixada.", field="article")
    drawn = date.fromisoformat(str(facts["drawn_at"])[:10])
    found = [Recidivism.from_dict(r) for r in facts.get("recidivism", ())]
    item = Item(
        penalty=penalty,
        article=fact["article"],
        description=f"multa diária: {fact['infraction']}",
        choice=Choice(quantidade=Decimal(1), valor=from_centavos(fine) if of_the_fine else None),
        recidivism=found[0] if found and penalty.recidivism else None,
        unit_values=pick_values(ctx.units, penalty.units(), unit_day(ctx.switches, fact, drawn, decided)),
    )
    most = None if penalty.daily_cap is None else share_of(fine, penalty.daily_cap * 100)
    return assess([item], unit_values={}, norm=book.norm, urn=book.urn), most


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
