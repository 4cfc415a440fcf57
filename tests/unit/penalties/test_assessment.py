"""Memórias de cálculo: the spec's right answers, other laws' shapes, one fact once; lines multiply and sum."""
# legal moments are local time, with no zone

import json
from dataclasses import replace
from datetime import date, datetime, time
from decimal import ROUND_DOWN, Decimal, localcontext
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legalbasis import NoPenaltyInLaw, PenaltyOutOfRange, Provision, Status, UnitValueUnknown
from penalties import (
    Assessment,
    Choice,
    Grau,
    Item,
    OtherReading,
    Penalty,
    Progression,
    ProgressionKind,
    Recidivism,
    RecidivismConfig,
    RecidivismRule,
    SideEffect,
    UnitValue,
    Warned,
    assess,
    shipped_units,
)
from penalties.errors import AmountTooLarge, AssessmentInconsistent, ChoiceMissing, ChoiceNotApplicable, ZeroAmount
from penalties.penalty import (
    Aggravation,
    Base,
    ByClass,
    ByGrade,
    Fixed,
    Limit,
    PercentOfUnit,
    PercentOfValue,
    Range,
)


def local(*parts: int) -> datetime:
    """A legal moment: local time, no zone."""
    return datetime(*parts)  # that is what the function is for


DECREE = UnitValue(Decimal("30.00"), "Decreto 1/2013 (teste)", date(2013, 1, 2))
VALUES = {"VRSGP": DECREE, "UF": UnitValue(Decimal("123.45"), "Decreto 2/2013 (teste)")}
GRADES = {Grau.MINIMO: Decimal(3), Grau.MEDIO: Decimal(6), Grau.MAXIMO: Decimal(11)}
RULE = RecidivismRule(article="7,§2")
ART_7 = Penalty("7", "7", ByGrade(GRADES, "VRSGP"), recidivism=RULE)
ART_64_T = Penalty("64-T", "64-T", Fixed(Decimal(11), "VRSGP"), recidivism=RecidivismRule(article="64-T"))
ART_245 = Penalty("245", "245", Range(Decimal(7), Decimal(30), "VRSGP"), recidivism=RULE)


def times(count: int, *others: OtherReading) -> Recidivism:
    stated = Recidivism.stated(RecidivismConfig(), [Provision.parse("64-I")], count)
    return replace(stated, others=others)


def item(penalty: Penalty = ART_64_T, article: str = "64-I", **fields: Any) -> Item:
    return Item(penalty=penalty, article=article, description="Som sem alvará", **fields)


def fix(*items: Item, **fields: Any) -> Assessment:
    result = assess(items, unit_values=VALUES, norm="Lei 1.522/2005", urn="urn:lex:br;es", **fields)
    result.check()
    assert Assessment.from_dict(json.loads(json.dumps(result.to_dict()))) == result
    return result


def of(base: Base, choice: Choice = Choice(), **fields: Any) -> Assessment:  # noqa: B008  # frozen
    return fix(item(Penalty("x", "9", base, **fields), choice=choice))


@pytest.mark.parametrize(("grau", "amount"), [("minimo", "90.00"), ("medio", "180.00"), ("maximo", "330.00")])
def test_art_46_by_grade(grau: str, amount: str) -> None:
    result = fix(item(ART_7, "46", choice=Choice(grau=Grau(grau))))
    assert result.to_dict()["amount"] == amount
    assert result.lines[0].grau == grau


def test_64_i_by_64_t() -> None:
    data = fix(item()).to_dict()
    assert data["amount"] == "330.00"
    assert (data["unit"], data["unit_value"], data["factor"]) == ("VRSGP", "30.00", "1")
    assert (data["unit_act"], data["unit_act_date"]) == ("Decreto 1/2013 (teste)", "2013-01-02")
    assert [(c["norm"], c["provision"]) for c in data["legal_basis"]] == [
        ("Lei 1.522/2005", "64-I"),
        ("Lei 1.522/2005", "64-T"),
    ]
    (line,) = data["lines"]
    assert (line["quantity"], line["article"], line["penalty_article"]) == ("11", "64-I", "64-T")
    assert line["rounding"] == "por linha, ao centavo, meio para cima"


def test_reincidencia_doubles_and_says_by_which_article() -> None:
    result = fix(item(recidivism=times(1)))
    assert result.amount == 660
    assert (result.factor, result.lines[0].factor_article) == (2, "64-T")
    assert result.lines[0].formula() == "11 VRSGP × R$ 30,00 × 2 = R$ 660,00"
    assert result.recidivism[0].article == "64-T"
    assert fix(item(recidivism=times(3))).amount == 660


def test_no_antecedent_leaves_the_fine_as_it_is() -> None:
    result = fix(item(recidivism=times(0)))
    assert (result.amount, result.lines[0].factor_article) == (330, None)
    assert len(result.recidivism) == 1


def test_the_other_reading_is_told_with_its_amount() -> None:
    other = OtherReading("antecedente", "autuacao", 1, Decimal(2))
    data = fix(item(recidivism=times(0, other))).to_dict()
    assert data["amount"] == "330.00"
    assert data["alternatives"] == [{"switch": "antecedente", "reading": "autuacao", "amount": "660.00"}]


@pytest.mark.parametrize(("count", "amount"), [(0, 300), (1, 600), (2, 900), (3, 1500), (4, 1500)])
def test_sales_oliveira_ladder(count: int, amount: int) -> None:
    ladder = Progression(ProgressionKind.ESCALA, factors=(Decimal(2), Decimal(3), Decimal(5)))
    penalty = Penalty("x", "9", Fixed(Decimal(300), "BRL"), recidivism=RecidivismRule(ladder))
    assert fix(item(penalty, recidivism=times(count))).amount == amount


@pytest.mark.parametrize(("count", "amount"), [(0, 1000), (1, 1500), (4, 3000), (5, 3500), (6, 3500), (60, 3500)])
def test_taquaritinga_adds_500_each_to_a_cap(count: int, amount: int) -> None:
    progression = Progression(ProgressionKind.ADITIVA, addition=Decimal(500), cap_amount=Decimal(3500))
    penalty = Penalty("x", "9", Fixed(Decimal(1000), "BRL"), recidivism=RecidivismRule(progression, "10"))
    result = fix(item(penalty, recidivism=times(count)))
    assert result.amount == amount
    if count:
        assert result.lines[1].penalty_article == "10"


def test_cruzilia_200_ufir() -> None:
    ufir = {"UFIR": shipped_units()["UFIR"].value_on(date(2013, 5, 6))}
    penalty = Penalty("8,pu", "8,pu", Fixed(Decimal(200), "UFIR"), per="estabelecimento", recidivism=RecidivismRule())
    one = Choice(quantidade=Decimal(1))
    single = assess([item(penalty, choice=one)], unit_values=ufir)
    assert single.amount == Decimal("212.82")
    assert [w.code for w in single.warnings] == ["ultimo_valor"]
    assert single.lines[0].formula() == "200 UFIR × R$ 1,0641 × 1 (estabelecimento) = R$ 212,82"
    assert assess([item(penalty, choice=one, recidivism=times(1))], unit_values=ufir).amount == Decimal("425.64")
    three = assess([item(penalty, choice=Choice(quantidade=Decimal(3)))], unit_values=ufir)
    assert three.amount == Decimal("638.46")  # 200 × 1,0641 × 3, rounded once


def test_percent_of_a_unit_closes_rounded_half_up() -> None:
    # 20% and 50% of 123,45: 24,69 and 61,725.
    assert of(PercentOfUnit(Decimal(20), "UF")).amount == Decimal("24.69")
    assert of(PercentOfUnit(Decimal(50), "UF")).amount == Decimal("61.73")


def test_percent_of_a_value_by_class_and_by_measure() -> None:
    assert of(PercentOfValue(Decimal("2.5"), "obra"), Choice(valor=Decimal("1000.10"))).amount == Decimal("25.00")
    classes = ByClass({"I": Decimal(300), "II": Decimal(1000)}, "BRL")
    assert of(classes, Choice(classe="II")).amount == 1000
    by_area = of(Fixed(Decimal(1), "BRL"), Choice(quantidade=Decimal("250.5")), per="m2")
    assert by_area.amount == Decimal("250.50")
    assert by_area.lines[0].times_of == "m2"


@pytest.mark.parametrize(
    ("penalty", "choice", "field"),
    [
        (ART_7, Choice(), "grau"),
        (ART_245, Choice(motivo="Gravidade"), "quantidade"),
        (ART_245, Choice(quantidade=Decimal(7)), "motivo"),
        (ART_245, Choice(quantidade=Decimal(7), motivo="  "), "motivo"),
        (replace(ART_64_T, per="estabelecimento"), Choice(), "quantidade"),
        (replace(ART_245, per="dia"), Choice(quantidade=Decimal(7), motivo="x"), "escolhida"),
        (Penalty("x", "9", ByClass({"I": Decimal(1)}, "BRL")), Choice(), "classe"),
        (Penalty("x", "9", ByClass({"I": Decimal(1)}, "BRL")), Choice(classe="II"), "classe"),
        (Penalty("x", "9", PercentOfValue(Decimal(1), "obra")), Choice(), "valor"),
    ],
)
def test_a_choice_that_is_missing_is_named(penalty: Penalty, choice: Choice, field: str) -> None:
    with pytest.raises(ChoiceMissing) as caught:
        fix(item(penalty, choice=choice))
    assert caught.value.field == field


@pytest.mark.parametrize(("chosen", "amount"), [("7", 210), ("30", 900), ("12.5", 375)])
def test_a_range_with_its_reason(chosen: str, amount: int) -> None:
    result = fix(item(ART_245, choice=Choice(quantidade=Decimal(chosen), motivo="Gravidade do fato")))
    assert result.amount == amount
    assert result.lines[0].reason == "Gravidade do fato"


@pytest.mark.parametrize("chosen", ["6.9999", "30.0001"])
def test_outside_the_range(chosen: str) -> None:
    with pytest.raises(PenaltyOutOfRange):
        fix(item(ART_245, choice=Choice(quantidade=Decimal(chosen), motivo="x")))


def test_a_proposal_needs_no_reason_but_stays_in_the_range() -> None:
    assert fix(item(ART_245, choice=Choice(quantidade=Decimal(7))), proposal=True).amount == 210
    with pytest.raises(PenaltyOutOfRange):
        fix(item(ART_245, choice=Choice(quantidade=Decimal(6))), proposal=True)


def test_double_comes_after_range_and_grade() -> None:
    """The double may pass the top of the range: it is the last step."""
    chosen = Choice(quantidade=Decimal(30), motivo="x")
    assert fix(item(ART_245, choice=chosen, recidivism=times(1))).amount == 1800


def test_quantity_where_nothing_is_counted() -> None:
    assert fix(item(choice=Choice(quantidade=Decimal(1)))).amount == 330
    with pytest.raises(ChoiceNotApplicable):
        fix(item(choice=Choice(quantidade=Decimal(2))))
    with pytest.raises(ZeroAmount):
        fix(item(replace(ART_64_T, per="dia"), choice=Choice(quantidade=Decimal(0))))


def codes(result: Assessment) -> list[str]:
    return [w.code for w in result.warnings]


def test_warnings() -> None:
    medio, minimo = Choice(grau=Grau.MEDIO), Choice(grau=Grau.MINIMO)
    assert codes(fix(item())) == []
    assert codes(fix(item(ART_7, choice=medio, recidivism=times(1)))) == ["antecedentes_em_dobro"]
    assert codes(fix(item(ART_7, choice=minimo, recidivism=times(1)))) == []
    assert codes(fix(item(ART_7, choice=medio, recidivism=times(0)))) == []
    assert codes(fix(item(choice=medio))) == ["grau_sem_efeito"]
    assert codes(fix(item(replace(ART_64_T, recidivism=None), recidivism=times(1)))) == ["reincidencia_sem_efeito"]
    assert codes(fix(item(replace(ART_64_T, status=Status.RECONSTRUCAO)))) == ["reconstrucao"]
    assert codes(fix(item(replace(ART_64_T, warnings=("competencia_controvertida",))))) == ["competencia_controvertida"]
    told = Warned("outra", "Outra.")
    assert fix(item(warnings=(told,))).warnings == (told,)


def test_status_is_the_weakest() -> None:
    result = fix(item(replace(ART_64_T, status=Status.RECONSTRUCAO)), item(ART_7, "46", choice=Choice(grau=Grau.MEDIO)))
    assert result.status is Status.RECONSTRUCAO
    assert {c.provision: c.status.value for c in result.legal_basis} == {
        "64-I": "texto", "64-T": "reconstrucao", "46": "texto", "7": "texto",
    }  # fmt: skip


def test_what_may_not_be_applied_is_never_charged() -> None:
    with pytest.raises(NoPenaltyInLaw):
        fix(item(replace(ART_64_T, status=Status.NAO_APLICAR)))


def test_a_reading_that_gives_the_same_total_is_not_told() -> None:
    double = OtherReading("antecedente", "autuacao", 2, Decimal(2))
    assert fix(item(recidivism=times(1, double))).alternatives == ()


def test_a_unit_with_no_value() -> None:
    with pytest.raises(UnitValueUnknown):
        assess([item()], unit_values={})


def test_side_effects_of_penalty_and_of_repetition() -> None:
    config = RecidivismConfig(side_effects=(SideEffect("cassacao"),))
    stated = Recidivism.stated(config, [Provision.parse("64-I")])
    penalty = replace(ART_64_T, side_effects=("interdicao",), recidivism=RecidivismRule(effects=("apreensao",)))
    assert fix(item(penalty, recidivism=stated)).side_effects == ("interdicao", "cassacao", "apreensao")
    assert fix(item(penalty, recidivism=times(0))).side_effects == ("interdicao",)


def test_several_infractions_one_line_each() -> None:
    result = fix(
        item(), item(ART_7, "46", choice=Choice(grau=Grau.MEDIO)), item(penalty=replace(ART_64_T, surcharge=False))
    )
    assert [line.amount for line in result.lines] == [330, 180, 330]
    assert (result.amount, result.surcharge_base()) == (840, 510)
    assert (result.unit, result.unit_value, result.factor) == ("VRSGP", 30, 1)
    mixed = fix(item(), item(Penalty("x", "9", Fixed(Decimal(5), "BRL")), recidivism=times(0)))
    assert (mixed.amount, mixed.unit, mixed.unit_value) == (335, None, None)


SAME = {"fact": "1"}
ART_64_R = Penalty("64-R", "64-R", Fixed(Decimal(13), "VRSGP"), recidivism=RULE)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_one_fact_under_two_articles_is_charged_once_by_the_milder(order: tuple[int, ...]) -> None:
    items = [item(**SAME), item(ART_64_R, "64-B", **SAME), item(ART_7, "46", choice=Choice(grau=Grau.MEDIO))]
    result = fix(*(items[i] for i in order))
    assert {line.penalty_article for line in result.lines} == {"64-T", "7"}
    assert result.amount == 510
    (dropped,) = result.not_charged
    assert (dropped.article, dropped.penalty_article, dropped.amount) == ("64-B", "64-R", 390)
    assert "mais branda" in dropped.reason


@pytest.mark.parametrize("flagged", [replace(ART_64_R, especial=True), replace(ART_64_R, prevalece_sobre=("64-T",))])
def test_the_special_one_wins_though_heavier(flagged: Penalty) -> None:
    for items in permutations([item(**SAME), item(flagged, "64-B", **SAME)]):
        result = fix(*items)
        assert [line.penalty_article for line in result.lines] == ["64-R"]
        assert "especial" in result.not_charged[0].reason


def test_one_fact_twice_under_one_penalty() -> None:
    result = fix(item(**SAME), item(article="64-H", **SAME))
    assert [line.article for line in result.lines] == ["64-H"]
    assert "mesma pena" in result.not_charged[0].reason


def test_two_facts_are_charged_twice() -> None:
    assert fix(item(fact="1"), item(fact="2")).amount == 660
    assert fix(item(), item()).amount == 660


def test_cap_and_floor_come_last_as_lines() -> None:
    capped = replace(ART_64_T, cap=Limit(Decimal(500), "BRL", "12"), floor=Limit(Decimal(4), "VRSGP", "13"))
    over = fix(item(capped, recidivism=times(1)))
    assert [line.amount for line in over.lines] == [660, -160]
    assert (over.amount, over.lines[1].penalty_article) == (500, "12")
    assert [line.amount for line in fix(item(capped)).lines] == [330]
    low = fix(item(replace(capped, base=Fixed(Decimal(1), "VRSGP"))))
    assert [line.amount for line in low.lines] == [30, 90]
    assert (low.amount, low.lines[1].penalty_article) == (120, "13")


NIGHT = Aggravation(Decimal(2), frozenset({6}), time(22), time(6))


@pytest.mark.parametrize(
    ("fact_at", "amount"),
    [
        (local(2013, 3, 8, 21, 59), 330),  # a Friday
        (local(2013, 3, 8, 22, 0), 660),
        (local(2013, 3, 9, 5, 59), 660),
        (local(2013, 3, 9, 6, 0), 330),
        (date(2013, 3, 10), 660),  # a Sunday, whatever the hour
    ],
)
def test_double_by_hour_and_by_day_of_the_week(fact_at: date, amount: int) -> None:
    assert fix(item(replace(ART_64_T, aggravation=NIGHT), fact_at=fact_at)).amount == amount


def test_the_hour_unknown_is_not_guessed() -> None:
    result = fix(item(replace(ART_64_T, aggravation=NIGHT), fact_at=date(2013, 3, 8)))
    assert (result.amount, codes(result)) == (330, ["hora_do_fato_desconhecida"])


def test_aggravation_by_business_hours_and_reincidencia_together() -> None:
    day = Aggravation(Decimal("1.5"), after=time(8), before=time(18), article="14")
    result = fix(item(replace(ART_64_T, aggravation=day), fact_at=local(2013, 3, 8, 12), recidivism=times(1)))
    assert (result.amount, result.factor, result.lines[0].factor_article) == (990, 3, "14; 64-T")
    at = [local(2013, 3, 8, 7, 59), local(2013, 3, 8, 8), local(2013, 3, 8, 17, 59), local(2013, 3, 8, 18)]
    assert [day.applies(moment) for moment in at] == [False, True, True, False]


def test_a_value_changed_later_changes_nothing_already_fixed() -> None:
    fixed = fix(item()).to_dict()
    line = fixed["lines"][0]
    kept = UnitValue(Decimal(line["unit_value"]), line["unit_act"], date.fromisoformat(line["unit_act_date"]))
    again = assess([item(unit_values={"VRSGP": kept})], unit_values={"VRSGP": UnitValue(Decimal(99), "Decreto novo")},
                   norm="Lei 1.522/2005", urn="urn:lex:br;es")  # fmt: skip
    assert again.to_dict() == fixed


def test_a_memoria_that_does_not_close_is_refused() -> None:
    good = fix(item(), item(ART_7, "46", choice=Choice(grau=Grau.MEDIO)))
    wrong_line = replace(good, lines=(replace(good.lines[0], amount=Decimal("330.01")), good.lines[1]))
    with pytest.raises(AssessmentInconsistent, match="A linha 1 diz R\\$ 330,01"):
        wrong_line.check()
    with pytest.raises(AssessmentInconsistent, match="R\\$ 510,00"):
        replace(good, amount=Decimal("510.01")).check()
    broken = good.to_dict()
    del broken["lines"][0]["factor"]
    with pytest.raises(AssessmentInconsistent, match="factor"):
        Assessment.from_dict(broken)


def test_too_large() -> None:
    assert of(Fixed(Decimal("10000000000000"), "BRL")).amount == 10**13
    with pytest.raises(AmountTooLarge):
        of(Fixed(Decimal("10000000000000"), "UF"))
    huge = Penalty("x", "9", Fixed(Decimal("10000000000000"), "BRL"))
    with pytest.raises(AmountTooLarge):
        fix(item(huge), item(huge))


def test_a_hosts_decimal_context_changes_nothing() -> None:
    capped = replace(ART_64_T, base=Fixed(Decimal("12345.6789"), "UF"), cap=Limit(Decimal("987654.32")))
    expected = fix(item(capped)).to_dict()
    with localcontext() as context:
        context.prec = 3
        context.rounding = ROUND_DOWN
        assert fix(item(capped)).to_dict() == expected
    assert expected["amount"] == "987654.32"


@given(
    st.lists(
        st.tuples(
            st.decimals("0.0001", "100000", places=4),
            st.decimals("0.01", "1000", places=4),
            st.none() | st.decimals("0.01", "300", places=2),
            st.integers(0, 3),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_lines_multiply_and_sum(rows: list[tuple[Decimal, Decimal, Decimal | None, int]]) -> None:
    """Against fractions and integer division, which share nothing with the code under test."""
    items, cents = [], 0
    for quantity, unit_value, percent, count in rows:
        base: Base = Fixed(quantity, "V") if percent is None else PercentOfUnit(percent, "V")
        penalty = Penalty("x", "9", base, recidivism=RULE)
        values = {"V": UnitValue(unit_value, "Decreto")}
        items.append(item(penalty, unit_values=values, recidivism=times(count)))
        exact = Fraction(unit_value) * (Fraction(quantity) if percent is None else Fraction(percent) / 100)
        exact *= 200 if count else 100
        cents += (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)
    result = fix(*items)
    assert Fraction(result.amount) == Fraction(cents, 100)
    assert len(result.lines) == len(rows)
