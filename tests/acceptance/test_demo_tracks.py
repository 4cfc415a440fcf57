"""What `posturas demo` leaves beside the fine, and in Ibiá and Cruzília, against values worked out by hand.

São Gabriel: VRSGP 30,00, so 64-S § 3º is 30,00 a day. Ibiá: UF 50,00 in 2013 and 54,00 in 2014, so the chapters give
20% = 10,00 (10,80), 30% = 15,00, 50% = 25,00 (27,00), 100% = 50,00 (54,00), 200% = 100,00 (108,00), 300% = 150,00
(162,00), and 132, I is 5% of 54,00 = 2,70 a day; costs + 20%. Cruzília: 200 UFIR × 1,0641 = 212,82. Ibiá and Cruzília
count calendar days from the day after the notice, the last one rolling on to a day of expediente. Closed beside the
weekends: 15/11, 25/12/2013, 01/01, 18/04, 21/04/2014; Ibiá 20/11/2013; Cruzília 27/12/2013 and 20/01/2014.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from procedure.cli.auto_text import describe
from procedure.services.showing import show_case
from tests.acceptance.conftest import repository, url_of

# auto: (state on 30/06/2014, fine, still owed), each with what the sample makes happen to it.
IBIA: dict[str, tuple[str, str, str]] = {
    "001/2013": ("regularizado", "0.00", "0.00"),  # told by a citizen, cured
    "002/2013": ("regularizado", "0.00", "0.00"),  # 5 days from 05/09 made 10: to Mon 16/09, cured 12/09
    "003/2013": ("inscrito", "15.00", "15.00"),  # the revel: art. 12, 30%
    "004/2013": ("regularizado", "0.00", "0.00"),  # late, accepted
    "005/2013": ("regularizado", "0.00", "0.00"),  # cured on the last day, typed in two days later
    "006/2013": ("pago", "25.00", "0.00"),  # art. 47, 50%; paid twice, 25,00 given back
    "007/2013": ("pago", "25.00", "0.00"),  # deposit of 30,00 converted, 5,00 given back
    "008/2013": ("insubsistente", "0.00", "0.00"),  # auto by any person, ratified; 20,00 given back
    "009/2013": ("insubsistente", "0.00", "0.00"),  # judged nulo
    "010/2013": ("pago", "25.00", "0.00"),  # one of two facts upheld; 10 + 15
    "011/2013": ("quitado", "150.00", "0.00"),  # art. 77, 300%: 4 × 20 + 30 + 40, and 5,00 given back
    "012/2013": ("pago", "15.00", "0.00"),
    "013/2013": ("pago", "25.00", "0.00"),
    "014/2013": ("pago", "10.00", "0.00"),  # due Tue 19/11, paid on the holiday of 20/11, before the inscription
    "015/2013": ("inscrito", "10.00", "6.00"),  # no CPF until 25/11; 4,00 paid
    "016/2013": ("pago", "100.00", "0.00"),  # 200%: the article's number not confirmed, paid without inscription
    "017/2013": ("cancelado", "100.00", "0.00"),
    "018/2013": ("pago", "10.00", "0.00"),  # defence of 31/12 typed in on 01/01
    "019/2013": ("inscrito", "10.00", "10.00"),  # defence of 25/12, late
    "020/2013": ("pago", "50.00", "0.00"),  # paid on Fri 06/12, typed in on Saturday
    "021/2013": ("anulado", "0.00", "0.00"),
    "022/2013": ("anulado", "25.00", "0.00"),
    "023/2013": ("anulado", "10.00", "0.00"),  # annulled after the inscription
    "024/2013": ("anulado", "0.00", "0.00"),
    "025/2013": ("inscrito", "50.00", "50.00"),  # art. 47 again after 006/2013, paid, was final: 2 × 25,00
    "026/2013": ("pago", "15.00", "0.00"),
    "027/2013": ("pago", "30.00", "0.00"),  # doubled
    "028/2013": ("pago", "10.00", "0.00"),
    "029/2013": ("pago", "20.00", "0.00"),  # doubled
    "030/2013": ("pago", "15.00", "0.00"),
    "031/2013": ("pago", "30.00", "0.00"),  # doubled
    "032/2013": ("pago", "25.00", "0.00"),  # revel whose deposit covers the fine
    "001/2014": ("pago", "27.00", "0.00"),  # its daily fine is collected by 101/2014 and 102/2014
    "002/2014": ("pago", "27.00", "0.00"),
    "003/2014": ("pago", "27.00", "0.00"),
    "004/2014": ("pago", "27.00", "0.00"),
    "005/2014": ("pago", "27.00", "0.00"),
    "006/2014": ("pago", "27.00", "0.00"),
    "007/2014": ("pago", "27.00", "0.00"),
    "008/2014": ("pago", "27.00", "0.00"),
    "009/2014": ("pago", "27.00", "0.00"),
    "010/2014": ("pago", "27.00", "0.00"),
    "011/2014": ("pago", "27.00", "0.00"),
    "012/2014": ("pago", "27.00", "0.00"),
    "013/2014": ("pago", "27.00", "0.00"),
    "014/2014": ("pago", "10.80", "0.00"),
    "015/2014": ("pago", "54.00", "0.00"),
    "016/2014": ("pago", "54.00", "0.00"),
    "017/2014": ("pago", "27.00", "0.00"),
    "018/2014": ("pago", "27.00", "0.00"),
    "019/2014": ("pago", "10.80", "0.00"),
    "020/2014": ("pago", "27.00", "0.00"),
    "021/2014": ("pago", "54.00", "0.00"),
    "022/2014": ("comunicado", "0.00", "0.00"),
    "023/2014": ("notificado", "0.00", "0.00"),
    "024/2014": ("notificacao_vencida", "0.00", "0.00"),
    "025/2014": ("lavrado", "0.00", "0.00"),
    "026/2014": ("aguardando_defesa", "27.00", "27.00"),
    "027/2014": ("em_julgamento", "27.00", "27.00"),
    "028/2014": ("definitivo", "27.00", "27.00"),
    "029/2014": ("aguardando_pagamento", "162.00", "162.00"),
    "030/2014": ("devolvido_a_origem", "108.00", "108.00"),  # 200%: the article's number is not confirmed
    "031/2014": ("anulado", "27.00", "0.00"),
    "032/2014": ("pago", "27.00", "0.00"),
    "033/2014": ("pago", "27.00", "0.00"),
    "101/2014": ("pago", "8.10", "0.00"),  # 3 days of 001/2014 at 2,70
    "102/2014": ("inscrito", "13.50", "13.50"),  # 5 days more, to the revel
    "103/2014": ("pago", "10.80", "0.00"),  # of 6 days of 002/2014 the decision upholds 4
    "104/2014": ("pago", "600.00", "0.00"),  # the costs of 002/2014, 500,00 + 20%
    "105/2014": ("pago", "16.20", "0.00"),  # 6 days of 010/2014
}

CRUZILIA: dict[str, tuple[str, str, str]] = {
    **{f"{n:03}/2013": ("regularizado", "0.00", "0.00") for n in (1, 2, 3, 4, 5, 17)},
    **{f"{n:03}/2013": ("definitivo", "0.00", "0.00") for n in (6, 7, 8, 9, 14, 15, 19)},  # no fine for establishments
    **{f"{n:03}/2013": ("insubsistente", "0.00", "0.00") for n in (10, 11, 12, 13, 16)},
    "018/2013": ("anulado", "0.00", "0.00"),
    "101/2013": ("pago", "212.82", "0.00"),  # deposits of 50 + 100 + 80; 10 more paid, 27,18 given back
    "102/2013": ("quitado", "425.64", "0.00"),  # two establishments: 6 × 25 + 75,64 + 200 = 425,64; 9,00 given back
    **{f"{n}/2013": ("pago", "212.82", "0.00") for n in range(103, 110)},
    "110/2013": ("inscrito", "212.82", "212.82"),
    "111/2013": ("cancelado", "212.82", "0.00"),
    "112/2013": ("insubsistente", "0.00", "0.00"),
    "113/2013": ("anulado", "0.00", "0.00"),
    "114/2013": ("pago", "212.82", "0.00"),
    "115/2013": ("anulado", "212.82", "0.00"),
    "116/2013": ("inscrito", "425.64", "425.64"),  # the distribuidora of 101/2013 again: 2 × 212,82
    "117/2013": ("anulado", "0.00", "0.00"),
    "001/2014": ("notificado", "0.00", "0.00"),
    "002/2014": ("em_julgamento", "0.00", "0.00"),
    "003/2014": ("aguardando_recurso", "0.00", "0.00"),
    "101/2014": ("aguardando_defesa", "0.00", "0.00"),
    "102/2014": ("aguardando_pagamento", "212.82", "212.82"),
    "103/2014": ("lavrado", "0.00", "0.00"),
}

# number: (auto, day, inscribed, still owed, status)
INSCRIPTIONS = {
    "Ibiá/MG": {
        "1/2013": ("003/2013", "2013-10-15", "15.00", "15.00", "inscrito"),  # Tue 24/09 + 20 = Mon 14/10
        "2/2013": ("011/2013", "2013-11-25", "70.00", "0.00", "quitado"),  # Fri 22/11, Mon 25/11; 150 less 4 × 20
        "3/2013": ("015/2013", "2013-11-26", "6.00", "6.00", "inscrito"),  # mended Mon 25/11; 10 less 4
        "4/2013": ("023/2013", "2013-11-27", "10.00", "0.00", "cancelado"),  # Wed 06/11 + 20 = Tue 26/11
        "5/2013": ("017/2013", "2013-12-03", "100.00", "0.00", "cancelado"),  # confirmed Mon 02/12
        "6/2013": ("019/2013", "2013-12-26", "10.00", "10.00", "inscrito"),  # Wed 04/12 + 20 = Tue 24/12; Christmas
        "1/2014": ("025/2013", "2014-01-07", "50.00", "50.00", "inscrito"),  # Mon 16/12 + 20 = Sun 05/01, Mon 06/01
        "2/2014": ("102/2014", "2014-03-18", "13.50", "13.50", "inscrito"),  # Tue 25/02 + 20 = Mon 17/03
    },
    "Cruzília/MG": {
        "1/2013": ("102/2013", "2013-12-23", "275.64", "0.00", "quitado"),  # Fri 20/12, Mon 23/12; 425,64 - 150
        # Fri 22/11: from Mon 25/11 in the reading that favours the debtor, 30 days are Tue 24/12; Christmas
        "2/2013": ("111/2013", "2013-12-26", "212.82", "0.00", "cancelado"),
        "3/2013": ("115/2013", "2013-12-31", "212.82", "0.00", "cancelado"),  # Thu 28/11 + 30 = Sat 28/12, Mon 30/12
        "1/2014": ("110/2013", "2014-01-14", "212.82", "212.82", "inscrito"),  # no CNPJ until Mon 13/01
        "2/2014": ("116/2013", "2014-02-24", "425.64", "425.64", "inscrito"),  # Wed 22/01 + 30 = Fri 21/02; Mon 24/02
    },
}
# 15 + 6 + 10 + 50 + 13,50; 212,82 + 425,64
STANDING = {"Ibiá/MG": (5, "94.50"), "Cruzília/MG": (2, "638.46")}

AHEAD = {
    "Ibiá/MG": [
        ("2014-07-04", "020/2014", "retirada"),  # Mon 05/05 + 60
        ("2014-07-04", "023/2014", "regularizacao"),  # Tue 24/06 + 10
        ("2014-07-04", "029/2014", "pagamento"),  # Tue 24/06 + 10
        ("2014-07-07", "026/2014", "defesa"),  # Mon 16/06 + 20 = Sun 06/07
    ],
    "Cruzília/MG": [
        ("2014-07-04", "001/2014", "defesa"),  # Tue 24/06 + 10
        ("2014-07-04", "003/2014", "recurso"),  # Tue 24/06 + 10
        ("2014-07-07", "101/2014", "defesa"),  # Thu 26/06 + 10 = Sun 06/07
        ("2014-07-10", "102/2014", "pagamento"),  # Tue 10/06 + 30
    ],
}

# (municipality, auto): track's state, days of daily fine, accrued, consolidated, costs
OBLIGATIONS = {
    ("3204708", "015/2014"): ("cumprida", 4, "120.00", "120.00", "0.00"),  # no term: 06/02 to 09/02
    ("3204708", "016/2014"): ("cumprida", 13, "390.00", "330.00", "0.00"),  # 14/02 to 26/02; 3 + 8 days consolidated
    ("3204708", "017/2014"): ("executada", 6, "180.00", "180.00", "800.00"),  # 25/02 to 02/03; no percentage on costs
    ("3204708", "018/2014"): ("cumprida", None, None, "0.00", "0.00"),
    ("3204708", "019/2014"): ("cumprida", 4, "120.00", "0.00", "0.00"),  # 13/02 to 16/02, never consolidated
    ("3204708", "020/2014"): ("executada", None, None, "0.00", "150.00"),
    ("3204708", "021/2014"): ("executada", 8, "240.00", "240.00", "400.00"),  # 12/02 to 19/02
    ("3204708", "022/2014"): ("executada", None, None, "0.00", "90.00"),
    ("3204708", "023/2014"): ("nao_concluida", None, None, "0.00", "0.00"),  # to end: Mon 09/06 + 5 = Sat, Mon 16/06
    ("3204708", "024/2014"): ("nao_iniciada", None, None, "0.00", "0.00"),  # to begin: Tue 10/06 + 5 = Sun, Mon 16/06
    ("3204708", "025/2014"): ("nao_iniciada", 17, "510.00", "0.00", "0.00"),  # 14/06 to 30/06, while the recurso waits
    ("3204708", "026/2014"): ("cumprida", None, None, "0.00", "0.00"),
    ("3204708", "040/2014"): ("cumprida", None, None, "0.00", "0.00"),  # in time, typed in after both terms
    ("3204708", "041/2014"): ("cumprida", None, None, "0.00", "0.00"),  # begun and ended in time, typed in late
    # 19/03 to 06/04; 2 + 4 + 8 days consolidated, collected by 103/2014, 104/2014, 105/2014
    ("3204708", "042/2014"): ("cumprida", 19, "570.00", "420.00", "0.00"),
    ("3129509", "001/2014"): ("cumprida", 12, "32.40", "21.60", "0.00"),  # 13/02 to 24/02; 3 + 5 days consolidated
    ("3129509", "002/2014"): ("executada", 6, "16.20", "16.20", "600.00"),  # 11/03 to 16/03; 500,00 + 20%
    ("3129509", "003/2014"): ("cumprida", None, None, "0.00", "0.00"),
    ("3129509", "004/2014"): ("cumprida", 5, "13.50", "0.00", "0.00"),  # 20/02 to 24/02
    ("3129509", "005/2014"): ("executada", None, None, "0.00", "240.00"),
    ("3129509", "006/2014"): ("executada", 10, "27.00", "27.00", "1200.00"),  # 21/02 to 02/03
    ("3129509", "007/2014"): ("executada", None, None, "0.00", "96.00"),
    ("3129509", "008/2014"): ("nao_concluida", None, None, "0.00", "0.00"),
    ("3129509", "009/2014"): ("cumprida", None, None, "0.00", "0.00"),
    ("3129509", "010/2014"): ("cumprida", 6, "16.20", "16.20", "0.00"),  # imposed again: 27/02 to 04/03
    ("3129509", "011/2014"): ("nao_iniciada", None, None, "0.00", "0.00"),  # the 5 days end Sat 07/06, Mon 09/06
    ("3129509", "012/2014"): ("nao_iniciada", 14, "37.80", "0.00", "0.00"),  # 17/06 to 30/06
    ("3129509", "032/2014"): ("cumprida", None, None, "0.00", "0.00"),  # in time, typed in after both terms
    ("3129509", "033/2014"): ("cumprida", None, None, "0.00", "0.00"),  # begun and ended in time, typed in late
    ("3129509", "031/2014"): ("nao_iniciada", 7, "18.90", "0.00", "0.00"),  # 13/03 to 19/03: annulled on 20/03
}


def _place(demo: dict[str, Any], name: str) -> dict[str, Any]:
    return next(told for told in demo["municipalities"] if told["name"] == name)


def test_the_three_municipalities_and_the_keys_of_the_first(demo: dict[str, Any]) -> None:
    first = demo["municipalities"][0]
    assert [told["name"] for told in demo["municipalities"]] == ["São Gabriel da Palha/ES", "Ibiá/MG", "Cruzília/MG"]
    assert {key: demo[key] for key in first} == first


@pytest.mark.parametrize(("name", "by_hand"), [("Ibiá/MG", IBIA), ("Cruzília/MG", CRUZILIA)], ids=["ibia", "cruzilia"])
def test_every_process_ends_where_the_law_puts_it(
    demo: dict[str, Any], demo_folder: Path, name: str, by_hand: dict[str, tuple[str, str, str]]
) -> None:
    told, found = _place(demo, name), {}
    with repository(url_of(demo_folder)) as repo:
        for auto in repo.stream_autos(told["municipality"]):
            case = show_case(repo, told["municipality"], auto)
            found[auto] = (case["state"], case["amounts"]["arbitrada"], case["amounts"]["saldo"])
    assert found == by_hand
    assert told["states"] == Counter(state for state, *_ in by_hand.values())


@pytest.mark.parametrize("name", ["Ibiá/MG", "Cruzília/MG"])
def test_inscriptions_and_deadlines_ahead(demo: dict[str, Any], name: str) -> None:
    told = _place(demo, name)
    listed = told["inscriptions"]
    found = {i["number"]: (i["auto"], i["date"], i["total"], i["owed"], i["status"]) for i in listed["items"]}
    assert found == INSCRIPTIONS[name]
    assert (listed["standing"], listed["standing_owed"]) == STANDING[name]
    assert [(i["due"], i["auto"], i["kind"]) for i in told["deadlines"]["items"]] == AHEAD[name]


def test_obligations_their_daily_fines_and_costs(demo: dict[str, Any], demo_folder: Path) -> None:
    found = {}
    with repository(url_of(demo_folder)) as repo:
        for place, auto in _all_autos(repo, demo):
            case = show_case(repo, place, auto)
            daily, costs = case["daily_fine"] or {}, case["costs"] or {}
            if case["obligation"]:
                state, due = case["tracks"]["obrigacao"], case["amounts"]
                found[place, auto] = (state, daily.get("days"), daily.get("accrued"), due["diaria"], due["custos"])
                assert costs.get("total", "0.00") == due["custos"]
    assert found == OBLIGATIONS


def _all_autos(repo: Any, demo: dict[str, Any]) -> list[tuple[str, str]]:
    places = [told["municipality"] for told in demo["municipalities"]]
    return [(place, auto) for place in places for auto in sorted(repo.stream_autos(place))]


def test_what_waits_beside_the_fines(demo: dict[str, Any]) -> None:
    sao_gabriel, ibia, cruzilia = (told["tracks"] for told in demo["municipalities"])
    # seized Mon 12/05: day 30 Wed 11/06, unclaimed; in Ibiá an animal has 10 days, Tue 10/06 to Fri 20/06
    assert [(i["auto"], i["state"], i["term"]) for i in sao_gabriel["goods"]] == [
        ("034/2014", "apreendido", "2014-07-04"), ("035/2014", "nao_reclamado", "2014-06-11"),
    ]  # fmt: skip
    assert [(i["auto"], i["state"], i["term"]) for i in ibia["goods"]] == [
        ("020/2014", "apreendido", "2014-07-04"), ("021/2014", "nao_reclamado", "2014-06-20"),
    ]  # fmt: skip
    assert (cruzilia["goods"], cruzilia["held"]) == ([], 4)  # the law sets no term: 007, 009, 001/2014, 003/2014
    assert [i["auto"] for i in sao_gabriel["choices"]] == ["023/2014", "024/2014"]
    assert [i["auto"] for i in ibia["choices"]] == ["008/2014", "011/2014"]
    assert all(i["pending"] == ["escolha_da_autoridade"] for i in (*sao_gabriel["choices"], *ibia["choices"]))
    running = [[(i["auto"], i["days"], i["accrued"]) for i in told["daily_fines"]] for told in (sao_gabriel, ibia)]
    assert running == [[("025/2014", 17, "510.00")], [("012/2014", 14, "37.80")]]
    assert (sao_gabriel["accrued"], ibia["accrued"], cruzilia["accrued"]) == ("510.00", "37.80", "0.00")
    assert sao_gabriel["states"] == {
        "obrigacao": {"nao_iniciada": 2, "nao_concluida": 1, "cumprida": 8, "executada": 4},
        "apreensao": {"apreendido": 1, "nao_reclamado": 1, "devolvido": 3, "doado": 2, "vendido": 2},
        "licenca": {"cassada": 3},
    }


TEXTS = {
    ("3129509", "011/2014"): (
        "Obrigação de fazer: não iniciada no prazo", "começar até 09/06/2014", "Pendente: a autoridade",
    ),
    ("3129509", "012/2014"): (
        "R$ 2,70 por dia desde 17/06/2014 (art. 132, I)", "corre; 14 dias, R$ 37,80 acumulados", "nada consolidado",
        "14 dias de multa diária, de 17/06/2014 a 30/06/2014",
    ),
    ("3129509", "001/2014"): (
        "Cobra-se a multa diária consolidada, R$ 8,10, no auto nº 101/2014",
        "Cobra-se a multa diária consolidada, R$ 13,50, no auto nº 102/2014",
    ),
    ("3129509", "006/2014"): (
        "A cobrar em auto próprio: a multa diária consolidada, R$ 27,00",
        "A cobrar em auto próprio: o custo da execução pela Prefeitura, R$ 1.200,00",
    ),
    ("3129509", "016/2014"): ("Coisas apreendidas: vendidas", "2 × vaca mestiça (animal)", "rendeu R$ 1.850,00"),
    ("3129509", "031/2013"): (
        "Licença: cassada", "suspensão da licença em 10/12/2013", "cassação da licença em 23/01/2014",
    ),
    ("3204708", "017/2014"): ("parou em 03/03/2014; 6 dias, R$ 180,00 acumulados", "Custos da execução: R$ 800,00"),
    ("3120805", "006/2013"): ("Coisas apreendidas: devolvidas", "Cópia a    Serrana Gás Ltda"),
}  # fmt: skip


@pytest.mark.parametrize(("place", "auto"), TEXTS)
def test_the_text_of_a_case_tells_its_side_tracks(
    demo: dict[str, Any], demo_folder: Path, place: str, auto: str
) -> None:
    with repository(url_of(demo_folder)) as repo:
        text = describe(show_case(repo, place, auto))
    assert "AO LADO DA MULTA" in text
    assert [said for said in TEXTS[place, auto] if said not in text] == []


def test_the_text_of_a_collecting_auto_and_its_termo_name_the_origin(demo: dict[str, Any], demo_folder: Path) -> None:
    with repository(url_of(demo_folder)) as repo:
        told = describe(show_case(repo, "3129509", "102/2014"))
        cost = describe(show_case(repo, "3129509", "104/2014"))
        (row,) = repo.inscriptions("3129509", number="2/2014")
    for said in (
        "Cobra a multa diária consolidada no auto nº 001/2014, R$ 13,50",
        "multa diária de 16/02/2014 a 20/02/2014, no auto nº", "R$ 2,70 × 5 (dia) = R$ 13,50",
        "A pagar: R$ 13,50", "art. 47, punido pelo art. 132, I",
    ):  # fmt: skip
        assert said in told, said
    for said in ("Cobra o custo da execução", "R$ 500,00 × 20% = R$ 100,00", "Custo devido: R$ 600,00"):
        assert said in cost, said
    termo = row["termo"]
    assert termo["origin"] == (
        "multa diária consolidada no auto de infração nº 001/2014, por cobrança no auto nº 102/2014"
    )
    assert (termo["original_amount"], termo["charges"], termo["total"]) == ("13.50", "0.00", "13.50")
    assert (termo["infraction_articles"], termo["penalty_articles"]) == (["47"], ["132,I"])
    assert termo["fact_date"] == "2014-02-16"


def test_one_story_of_each_of_the_others(demo: dict[str, Any]) -> None:
    (worked,) = _place(demo, "Ibiá/MG")["stories"]
    (again,) = _place(demo, "Cruzília/MG")["stories"]
    assert worked["case"]["daily_fine"] == {
        "article": "132,I", "rate": "2.70", "from": "2014-02-21", "days": 10, "accrued": "27.00", "running": False,
        "ended": "2014-03-03", "consolidated": "27.00", "consolidated_until": "2014-03-02",
    }  # fmt: skip
    assert worked["case"]["costs"] == {"cost": "1000.00", "percent": "20", "total": "1200.00"}
    assert (again["case"]["linked_auto"], again["case"]["amounts"]["arbitrada"]) == ("009/2013", "425.64")
    assert [(e["auto"], e["counted"]) for seen in again["case"]["evidence"] for e in seen["evidence"]] == [
        ("101/2013", True)
    ]
