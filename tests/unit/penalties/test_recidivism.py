"""Reincidência: which autos count, under each reading; typing order changes nothing."""
# legal moments are local time, with no zone

import json
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legalbasis import NotEncoded, Provision
from penalties import (
    Antecedent,
    AntecedentReading,
    PersonMatch,
    Progression,
    ProgressionKind,
    Recidivism,
    RecidivismConfig,
    RecidivismRule,
    Scope,
    ScopeMap,
    SideEffect,
    Window,
    WindowAnchor,
    examine,
)
from penalties.antecedents import Moment
from penalties.errors import AntecedentRepeated


def local(*parts: int) -> datetime:
    """A legal moment: local time, no zone."""
    return datetime(*parts)  # that is what the function is for


P = Provision.parse
FACT = date(2014, 3, 10)
DEFAULT = RecidivismConfig()
AUTUACAO = RecidivismConfig(antecedente=AntecedentReading.AUTUACAO)
EARLIER = Antecedent(
    auto="1/2013",
    provisions=(P("64-I"),),
    fact_at=date(2013, 3, 1),
    match=PersonMatch.MESMO_CNPJ,
    ciencia_at=date(2013, 3, 8),
    final_at=date(2013, 6, 1),
    state="inscrito",
    outcome="subsistente",
)


def look(
    *antecedents: Antecedent, config: RecidivismConfig = DEFAULT, fact_at: Moment = FACT, article: str = "64-I"
) -> Recidivism:
    return examine(antecedents, fact_at=fact_at, provisions=[P(article)], config=config)


def only_reason(result: Recidivism) -> str:
    (evidence,) = result.evidence
    assert not evidence.counted
    assert result.factor == 1
    return evidence.reason_code


def test_a_final_fine_before_the_fact_doubles() -> None:
    result = look(EARLIER)
    assert (result.counted, result.count, result.factor) == (True, 1, 2)
    (evidence,) = result.evidence
    assert evidence.counted
    assert (evidence.fact_day, evidence.final_day) == (date(2013, 3, 1), date(2013, 6, 1))
    assert evidence.provisions == ("64-I",)
    assert "01/06/2013" in evidence.reason


def test_the_double_is_flat() -> None:
    second = replace(EARLIER, auto="2/2013", fact_at=date(2013, 7, 1), final_at=date(2013, 9, 1))
    assert look(EARLIER, second).factor == 2


def test_nobody_else_no_evidence() -> None:
    result = look()
    assert (result.counted, result.factor, result.evidence, result.others) == (False, 1, (), ())


@pytest.mark.parametrize(
    ("final_at", "fact_at", "counts"),
    [
        (date(2014, 3, 9), date(2014, 3, 10), True),  # final at the end of the day before
        (date(2014, 3, 10), date(2014, 3, 10), False),  # same day, no hours: the end is after the start
        (date(2014, 3, 10), local(2014, 3, 10, 23, 59), False),  # final at the end of the day
        (local(2014, 3, 10, 9), local(2014, 3, 10, 9), True),
        (local(2014, 3, 10, 9), local(2014, 3, 10, 8, 59), False),
        (local(2014, 3, 10, 0, 0), date(2014, 3, 10), True),
        (local(2014, 3, 10, 0, 1), date(2014, 3, 10), False),
        (local(2014, 3, 10, 9).replace(tzinfo=timezone(timedelta(hours=-3))), local(2014, 3, 10, 10), True),
    ],
)
def test_final_before_the_fact(final_at: Moment, fact_at: Moment, counts: bool) -> None:
    result = look(replace(EARLIER, final_at=final_at), fact_at=fact_at)
    assert result.counted is counts
    assert result.evidence[0].reason_code == ("conta" if counts else "definitivo_depois")


def test_final_after_the_fact_counts_only_by_the_letter_and_says_so() -> None:
    late = replace(EARLIER, final_at=date(2014, 4, 1))
    default = look(late)
    assert only_reason(default) == "definitivo_depois"
    assert [(o.switch, o.reading, o.factor) for o in default.others] == [("antecedente", "autuacao", 2)]
    letter = look(late, config=AUTUACAO)
    assert letter.factor == 2
    assert "08/03/2013" in letter.evidence[0].reason
    assert [(o.switch, o.reading, o.factor) for o in letter.others] == [("antecedente", "decisao_definitiva", 1)]


def test_a_reading_that_changes_no_figure_is_not_told() -> None:
    assert look(EARLIER).others == ()


def test_the_letter_runs_from_the_earlier_ciencia() -> None:
    assert only_reason(look(replace(EARLIER, ciencia_at=FACT), config=AUTUACAO)) == "ciencia_posterior"
    assert only_reason(look(replace(EARLIER, ciencia_at=None), config=AUTUACAO)) == "sem_ciencia"


@pytest.mark.parametrize("config", [DEFAULT, AUTUACAO])
@pytest.mark.parametrize("outcome", ["insubsistente", "nulo", "anulado"])
def test_what_fell_is_no_antecedent(config: RecidivismConfig, outcome: str) -> None:
    assert only_reason(look(replace(EARLIER, outcome=outcome), config=config)) == outcome
    assert only_reason(look(replace(EARLIER, annulled=True), config=config)) == "anulado"


def test_never_final_does_not_count() -> None:
    assert only_reason(look(replace(EARLIER, final_at=None))) == "nao_definitivo"


def test_a_later_fact_does_not_count_even_if_typed_first() -> None:
    later = replace(EARLIER, fact_at=date(2014, 3, 11))
    assert only_reason(look(later, config=AUTUACAO)) == "fato_posterior"


def test_same_day_excluded_where_the_law_says_so() -> None:
    same_day = replace(EARLIER, fact_at=local(2014, 3, 10, 8), ciencia_at=local(2014, 3, 10, 9))
    moment = local(2014, 3, 10, 15)
    assert look(same_day, config=AUTUACAO, fact_at=moment).counted
    excluded = replace(AUTUACAO, same_day_excluded=True)
    assert only_reason(look(same_day, config=excluded, fact_at=moment)) == "mesmo_dia"
    assert look(replace(same_day, fact_at=local(2014, 3, 9, 23)), config=excluded, fact_at=moment).counted


@pytest.mark.parametrize(
    ("earlier", "current", "scopes"),
    [
        ("64-I", "64-I", {"mesmo_dispositivo", "mesmo_artigo", "mesmo_capitulo", "mesma_lei"}),
        ("71,IV", "71,II", {"mesmo_artigo", "mesmo_capitulo", "mesma_lei"}),
        ("71,IV", "71,IV", {"mesmo_dispositivo", "mesmo_artigo", "mesmo_capitulo", "mesma_lei"}),
        ("64,I,a", "64,I,b", {"mesmo_dispositivo", "mesmo_artigo", "mesmo_capitulo", "mesma_lei"}),
        ("71", "71,IV", {"mesmo_artigo", "mesmo_capitulo", "mesma_lei"}),
        ("46", "46,§1", {"mesmo_dispositivo", "mesmo_artigo", "mesmo_capitulo", "mesma_lei"}),
        ("64-I", "64-J", {"mesmo_capitulo", "mesma_lei"}),
        ("64-I", "46", {"mesma_lei"}),
    ],
)
def test_scope(earlier: str, current: str, scopes: set[str]) -> None:
    chapters = {"64": "som", "64-I": "som", "64-J": "som", "71": "animais", "46": "vias"}
    counted = set()
    for scope in Scope:
        config = RecidivismConfig(scope=scope, scope_map=ScopeMap(chapters))
        result = look(replace(EARLIER, provisions=(P(earlier),)), config=config, article=current)
        if result.counted:
            counted.add(scope.value)
        else:
            assert only_reason(result) == "fora_do_escopo"
    assert counted == scopes


def test_an_article_whose_incisos_are_one_conduct() -> None:
    config = RecidivismConfig(scope_map=ScopeMap(whole_articles=frozenset({"71"})))
    assert look(replace(EARLIER, provisions=(P("71,IV"),)), config=config, article="71,II").counted


def test_another_law_never_counts() -> None:
    config = RecidivismConfig(scope=Scope.MESMA_LEI)
    result = examine([replace(EARLIER, law="mg")], fact_at=FACT, provisions=[P("64-I")], config=config, law="es")
    assert only_reason(result) == "outra_lei"


def test_one_of_several_provisions_is_enough() -> None:
    assert look(replace(EARLIER, provisions=(P("46"), P("64-I")))).counted


def test_an_unknown_chapter_is_said() -> None:
    with pytest.raises(NotEncoded):
        look(EARLIER, config=RecidivismConfig(scope=Scope.MESMO_CAPITULO))


def test_branches_of_one_company_by_switch() -> None:
    branch = replace(EARLIER, match=PersonMatch.MESMA_RAIZ_CNPJ)
    counted = look(branch)
    assert counted.factor == 2
    assert [(o.switch, o.reading, o.factor) for o in counted.others] == [("raiz_cnpj", "false", 1)]
    apart = look(branch, config=RecidivismConfig(raiz_cnpj=False))
    assert only_reason(apart) == "outro_estabelecimento"


@pytest.mark.parametrize(
    ("anchor", "fact_at", "counts"),
    [
        ("fato", date(2015, 3, 1), True),  # 24 months from 01/03/2013, last day included
        ("fato", date(2015, 3, 2), False),
        ("lavratura", date(2015, 3, 5), True),
        ("lavratura", date(2015, 3, 6), False),
        ("decisao", date(2015, 5, 2), True),
        ("decisao", date(2015, 5, 3), False),
    ],
)
def test_window(anchor: str, fact_at: date, counts: bool) -> None:
    earlier = replace(EARLIER, lavratura_at=date(2013, 3, 5), decided_at=date(2013, 5, 2))
    config = RecidivismConfig(window=Window(24, WindowAnchor(anchor)))
    result = look(earlier, config=config, fact_at=fact_at)
    assert result.counted is counts
    if not counts:
        assert only_reason(result) == "fora_da_janela"


def test_a_window_with_no_day_to_run_from_does_not_count() -> None:
    assert only_reason(look(EARLIER, config=RecidivismConfig(window=Window(60, WindowAnchor.LAVRATURA)))) == "sem_data"


@pytest.mark.parametrize(
    ("start", "months", "last"),
    [
        (date(2013, 1, 31), 1, date(2013, 3, 1)),  # no 31/02: the day after (Código Civil art. 132 § 3º)
        (date(2012, 2, 29), 12, date(2013, 3, 1)),
        (date(2013, 10, 31), 1, date(2013, 12, 1)),
        (date(2013, 12, 15), 1, date(2014, 1, 15)),
        (date(2012, 2, 29), 48, date(2016, 2, 29)),
    ],
)
def test_the_end_of_a_window(start: date, months: int, last: date) -> None:
    assert Window(months).last_day(start) == last


# Other municipalities: Sales Oliveira 2, 3, 5 and then 5 for good; Taquaritinga +R$ 500; São Paulo compounding.
LADDER = Progression(ProgressionKind.ESCALA, factors=(Decimal(2), Decimal(3), Decimal(5)))
COMPOUND = Progression(ProgressionKind.PROGRESSIVA, cap_factor=Decimal(10))


@pytest.mark.parametrize(
    ("progression", "factors"),
    [
        (Progression(), [1, 2, 2, 2, 2]),
        (LADDER, [1, 2, 3, 5, 5]),
        (Progression(ProgressionKind.PROGRESSIVA), [1, 2, 4, 8, 16]),
        (COMPOUND, [1, 2, 4, 8, 10]),
        (Progression(ProgressionKind.ADITIVA, step=Decimal("0.5")), [1, Decimal("1.5"), 2, Decimal("2.5"), 3]),
        (Progression(ProgressionKind.ADITIVA, addition=Decimal(500)), [1, 1, 1, 1, 1]),
    ],
)
def test_progressions(progression: Progression, factors: list[Decimal]) -> None:
    assert [progression.factor(n) for n in range(5)] == factors
    assert Progression.from_dict(progression.to_dict()) == progression


def test_additive_progression_adds_reais_each_time() -> None:
    progression = Progression(ProgressionKind.ADITIVA, addition=Decimal(500))
    assert [progression.added(n) for n in range(4)] == [None, 500, 1000, 1500]
    assert Progression().added(3) is None


def test_compounding_with_a_cap_ends_quickly_for_any_count() -> None:
    assert COMPOUND.factor(10**6) == 10


def test_side_effects_from_the_nth_time() -> None:
    config = RecidivismConfig(side_effects=(SideEffect("apreensao"), SideEffect("cassacao", 2)))
    second = replace(EARLIER, auto="2/2013")
    assert look(config=config).side_effects == ()
    assert look(EARLIER, config=config).side_effects == ("apreensao",)
    assert look(EARLIER, second, config=config).side_effects == ("apreensao", "cassacao")


def test_a_penaltys_own_rule() -> None:
    rule = RecidivismRule(LADDER, "64-R,§1", effects=("apreensao",))
    second = replace(EARLIER, auto="2/2013", final_at=date(2014, 5, 1))
    direct = look(EARLIER, second, config=DEFAULT.under(rule))
    assert (direct.factor, direct.article, direct.side_effects) == (2, "64-R,§1", ("apreensao",))
    assert [(o.reading, o.factor) for o in direct.others] == [("autuacao", 3)]
    after = look(EARLIER).under(rule)
    assert (after.factor, after.article, after.side_effects) == (2, "64-R,§1", ("apreensao",))


def test_one_auto_given_twice() -> None:
    assert look(EARLIER, EARLIER).count == 1
    with pytest.raises(AntecedentRepeated):
        look(EARLIER, replace(EARLIER, final_at=None))


def test_a_declared_reincidencia_has_no_evidence_and_says_so() -> None:
    result = Recidivism.stated(DEFAULT, [P("64-I")])
    assert (result.factor, result.evidence, result.declared) == (2, (), True)


def test_evidence_goes_by_the_day_of_the_fact_not_of_typing() -> None:
    first = replace(EARLIER, auto="9/2013", fact_at=date(2012, 1, 1))
    middle = replace(EARLIER, auto="5/2013", provisions=(P("46"),))
    last = replace(EARLIER, auto="1/2014", fact_at=date(2014, 1, 1), final_at=None)
    results = [look(*order) for order in permutations([first, middle, last])]
    assert [e.auto for e in results[0].evidence] == ["9/2013", "5/2013", "1/2014"]
    assert [e.counted for e in results[0].evidence] == [True, False, False]
    assert all(result == results[0] for result in results)


DAYS = st.dates(date(2012, 1, 1), date(2014, 12, 31))
MOMENTS = st.one_of(DAYS, st.datetimes(local(2012, 1, 1), local(2014, 12, 31)))
ANTECEDENTS = st.builds(
    Antecedent,
    auto=st.integers(1, 10**6).map(str),
    provisions=st.lists(st.sampled_from(["64-I", "64-J", "71,IV", "71,II", "46"]).map(P), max_size=2).map(tuple),
    fact_at=MOMENTS,
    match=st.sampled_from(PersonMatch),
    final_at=st.none() | MOMENTS,
    ciencia_at=st.none() | MOMENTS,
    lavratura_at=st.none() | MOMENTS,
    outcome=st.sampled_from([None, "subsistente", "insubsistente", "nulo"]),
    annulled=st.booleans(),
)
CONFIGS = st.builds(
    RecidivismConfig,
    scope=st.sampled_from([s for s in Scope if s is not Scope.MESMO_CAPITULO]),
    antecedente=st.sampled_from(AntecedentReading),
    window=st.none() | st.builds(Window, st.integers(1, 36), st.sampled_from(WindowAnchor)),
    same_day_excluded=st.booleans(),
    raiz_cnpj=st.booleans(),
    progression=st.sampled_from([Progression(), LADDER, COMPOUND]),
)


@given(st.lists(ANTECEDENTS, max_size=6, unique_by=lambda a: a.auto), CONFIGS, MOMENTS, st.randoms())
def test_typing_order_never_changes_the_result(
    antecedents: list[Antecedent], config: RecidivismConfig, fact_at: Moment, random: Random
) -> None:
    result = look(*antecedents, config=config, fact_at=fact_at)
    shuffled = list(antecedents)
    random.shuffle(shuffled)
    assert look(*shuffled, config=config, fact_at=fact_at) == result
    assert len(result.evidence) == len(antecedents)
    assert result.count == sum(e.counted for e in result.evidence)
    assert Recidivism.from_dict(json.loads(json.dumps(result.to_dict()))) == result


@given(st.lists(ANTECEDENTS, max_size=6, unique_by=lambda a: a.auto), MOMENTS)
def test_the_default_reading_again_by_days(antecedents: list[Antecedent], fact_at: Moment) -> None:
    """A second reading of the rule, by (day, hour) pairs instead of instants."""

    def key(moment: Moment, without_hour: int) -> tuple[int, int]:
        if isinstance(moment, datetime):
            return moment.toordinal(), int(
                (moment - moment.replace(hour=0, minute=0, second=0, microsecond=0)) / timedelta(microseconds=1)
            )
        return moment.toordinal(), without_hour

    expected = {
        a.auto
        for a in antecedents
        if any(p.article == "64-I" for p in a.provisions)
        and not a.annulled
        and a.outcome not in ("insubsistente", "nulo")
        and key(a.fact_at, 0) <= key(fact_at, 0)
        and a.final_at is not None
        and key(a.final_at, 10**12) <= key(fact_at, 0)
    }
    assert {e.auto for e in look(*antecedents, fact_at=fact_at).evidence if e.counted} == expected
