"""Reading one [[penalty]] of a rulebook: every base, and every kind of defect."""

from datetime import date, time
from decimal import Decimal

import pytest

from legalbasis import Status, load_toml
from penalties import Grau, Penalty, Progression, ProgressionKind, RecidivismRule, penalty_from_table
from penalties.penalty import Aggravation, ByClass, ByGrade, Fixed, Limit, PercentOfUnit, PercentOfValue, Range

HEAD = 'id = "x"\narticle = "7"\n'


def read(body: str, *, head: str = HEAD, default: RecidivismRule | None = None) -> tuple[Penalty, list[str]]:
    table = load_toml(head + body, file="law.toml")
    penalty = penalty_from_table(table, default_recidivism=default)
    return penalty, [d.key for d in table.defects]


def sound(body: str) -> Penalty:
    penalty, defects = read(body)
    assert defects == []
    return penalty


def test_by_grade_with_everything() -> None:
    penalty = sound("""
base = "grau"
unit = "VRSGP"
minimo = "3"
medio = "6"
maximo = "11"
status = "reconstrucao"
in_force_from = 2012-09-18
in_force_until = 2014-07-15
reincidencia = { progressao = "dobro", article = "7,§2", status = "texto" }
surcharge = true
effects = ["apreensao"]
warnings = ["competencia_controvertida"]
especial = true
prevalece_sobre = ["64-R"]
description = "Multa por grau"
note = "Uma nota."
""")
    grades = {Grau.MINIMO: Decimal(3), Grau.MEDIO: Decimal(6), Grau.MAXIMO: Decimal(11)}
    assert penalty == Penalty(
        id="x",
        article="7",
        base=ByGrade(grades, "VRSGP"),
        status=Status.RECONSTRUCAO,
        in_force_from=date(2012, 9, 18),
        in_force_until=date(2014, 7, 15),
        recidivism=RecidivismRule(article="7,§2"),
        side_effects=("apreensao",),
        warnings=("competencia_controvertida",),
        especial=True,
        prevalece_sobre=("64-R",),
        description="Multa por grau",
        note="Uma nota.",
    )
    days = [date(2012, 9, 17), date(2012, 9, 18), date(2014, 7, 14), date(2014, 7, 15)]
    assert [penalty.in_force(day) for day in days] == [False, True, True, False]


@pytest.mark.parametrize(
    ("body", "base"),
    [
        ('base = "fixo"\nunit = "VRSGP"\nquantity = "11"', Fixed(Decimal(11), "VRSGP")),
        ('base = "fixo"\nunit = "VRSGP"\nquantity = 11', Fixed(Decimal(11), "VRSGP")),
        ('base = "valor_fixo"\nvalue = "300.50"', Fixed(Decimal("300.50"), "BRL")),
        ('base = "faixa"\nunit = "VRSGP"\nfrom = "7"\nto = "30"', Range(Decimal(7), Decimal(30), "VRSGP")),
        ('base = "percentual"\nunit = "UF"\npercent = "20"', PercentOfUnit(Decimal(20), "UF")),
        ('base = "percentual_de_valor"\npercent = "5"\nof = "obra"', PercentOfValue(Decimal(5), "obra")),
        ('base = "classe"\nclasses = { I = "300", II = "1000" }',
         ByClass({"I": Decimal(300), "II": Decimal(1000)}, "BRL")),
    ],
)  # fmt: skip
def test_bases(body: str, base: object) -> None:
    penalty = sound(body)
    assert penalty.base == base
    assert (penalty.per, penalty.daily, penalty.surcharge) == (None, False, True)


def test_per_something() -> None:
    assert sound('base = "fixo"\nunit = "UFIR"\nquantity = "200"\nper = "estabelecimento"').per == "estabelecimento"


@pytest.mark.parametrize(
    ("body", "base"),
    [
        ('unit = "VRSGP"\nquantity = "1"', Fixed(Decimal(1), "VRSGP")),
        ('unit = "UF"\npercent = "5"', PercentOfUnit(Decimal(5), "UF")),
    ],
)
def test_a_daily_fine_is_by_day_and_takes_no_surcharge(body: str, base: object) -> None:
    penalty = sound('base = "por_dia"\n' + body)
    assert (penalty.base, penalty.per, penalty.daily, penalty.surcharge) == (base, "dia", True, False)


def test_limits_and_aggravation() -> None:
    penalty = sound("""
base = "valor_fixo"
value = "100"
teto = { quantity = "5000", article = "9" }
piso = { quantity = "2", unit = "UF" }
agravamento = { from = 22:00:00, to = 06:00:00, dias = ["domingo"], article = "8,pu" }
""")
    assert penalty.cap == Limit(Decimal(5000), "BRL", "9")
    assert penalty.floor == Limit(Decimal(2), "UF", None)
    assert penalty.aggravation == Aggravation(Decimal(2), frozenset({6}), time(22), time(6), "8,pu")
    assert penalty.units() == {"BRL", "UF"}


FIXED = 'base = "fixo"\nunit = "V"\nquantity = "1"\n'


def test_reincidencia_of_its_own_or_of_the_law_or_none() -> None:
    rule = RecidivismRule(article="7,§2")
    assert read(FIXED)[0].recidivism is None
    assert read(FIXED, default=rule)[0].recidivism == rule
    assert read(FIXED + "reincidencia = false", default=rule)[0].recidivism is None
    ladder = 'reincidencia = { progressao = "escala", fatores = ["2", "3", "5"], effects = ["apreensao"] }'
    own = read(FIXED + ladder, default=rule)[0].recidivism
    factors = (Decimal(2), Decimal(3), Decimal(5))
    assert own == RecidivismRule(Progression(ProgressionKind.ESCALA, factors=factors), effects=("apreensao",))
    added = sound(FIXED + 'reincidencia = { progressao = "aditiva", adicional = "500", teto = "3500" }').recidivism
    assert added == RecidivismRule(
        Progression(ProgressionKind.ADITIVA, addition=Decimal(500), cap_amount=Decimal(3500))
    )


@pytest.mark.parametrize(
    ("body", "keys"),
    [
        (FIXED + "color = 1", {"color"}),
        ('base = "fixo"\nunit = "V"', {"quantity"}),
        ('base = "fixo"\nquantity = "1"', {"unit"}),
        ('base = "dobro"\nunit = "V"\nquantity = "1"', {"base"}),
        ('base = "fixo"\nunit = "V"\nquantity = "0"', {"quantity"}),
        ('base = "fixo"\nunit = "V"\nquantity = "-1"', {"quantity"}),
        ('base = "fixo"\nunit = "V"\nquantity = "1.00001"', {"quantity"}),
        ('base = "fixo"\nunit = "V"\nquantity = "NaN"', {"quantity"}),
        ('base = "grau"\nunit = "V"\nminimo = "6"\nmedio = "3"\nmaximo = "11"', {"medio"}),
        ('base = "faixa"\nunit = "V"\nfrom = "30"\nto = "7"', {"to"}),
        ('base = "percentual"\nunit = "V"\npercent = "0"', {"percent"}),
        ('base = "classe"\nclasses = {}', {"classes"}),
        ('base = "classe"\nclasses = { I = "1", II = "2" }\nate = { I = 5 }', {"medida"}),
        ('base = "classe"\nclasses = { I = "1", II = "2" }\nmedida = "m2"', {"ate"}),
        ('base = "classe"\nclasses = { I = "1", II = "2" }\nmedida = "m2"\nate = { III = 5, I = 4, II = 6 }', {"ate"}),
        ('base = "classe"\nclasses = { I = "1", II = "2", III = "3" }\nmedida = "m2"\nate = { I = 5 }', {"ate"}),
        ('base = "classe"\nclasses = { I = "1", II = "2" }\nmedida = "m2"\nate = { I = 5, II = 5 }', {"ate"}),
        ('base = "classe"\nclasses = { I = "1" }\nmedida = "m2"\nate = { I = 5 }\nper = "m2"', {"per"}),
        ('base = "por_dia"\nunit = "V"\nquantity = "1"\nper = "m2"', {"per"}),
        (FIXED + "in_force_from = 2012-01-01\nin_force_until = 2012-01-01", {"in_force_until"}),
        (FIXED + 'status = "certo"', {"status"}),
        (FIXED + 'reincidencia = { progressao = "triplo" }', {"reincidencia.progressao"}),
        (FIXED + 'reincidencia = { progressao = "escala" }', {"reincidencia.fatores"}),
        (FIXED + 'reincidencia = { fatores = ["2"] }', {"reincidencia.fatores"}),
        (FIXED + 'reincidencia = { progressao = "escala", fatores = ["x"] }', {"reincidencia.fatores"}),
        (FIXED + 'reincidencia = { progressao = "aditiva" }', {"reincidencia.adicional"}),
        (FIXED + 'reincidencia = { progressao = "dobro", adicional = "5" }', {"reincidencia.adicional"}),
        (FIXED + 'reincidencia = { progressao = "dobro", teto = "5" }', {"reincidencia.teto"}),
        (FIXED + 'reincidencia = { vezes = "2" }', {"reincidencia.vezes"}),
        (FIXED + 'teto = { quantity = "1", cor = "x" }', {"teto.cor"}),
        (FIXED + 'teto = { quantity = "1", article = "art 9" }', {"teto.article"}),
        (FIXED + "agravamento = { from = 22:00:00 }", {"agravamento.from"}),
        (FIXED + 'agravamento = { dias = ["sunday"] }', {"agravamento.dias"}),
        (FIXED + "agravamento = { }", {"agravamento.dias"}),
        (FIXED + 'agravamento = { from = "22h", to = 06:00:00 }', {"agravamento.from"}),
    ],
)  # fmt: skip
def test_defects(body: str, keys: set[str]) -> None:
    assert set(read(body)[1]) == keys


def test_the_article_is_a_provision() -> None:
    assert read(FIXED, head='id = "x"\narticle = "art. 7"\n')[1] == ["article"]
    assert set(read(FIXED, head="")[1]) == {"id", "article"}
