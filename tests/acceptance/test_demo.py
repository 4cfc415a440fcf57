"""What `posturas demo` leaves, against values worked out by hand from the law and the calendar of 2013 and 2014.

VRSGP 30,00 and UPFM 25,00 (invented): art. 7 gives 90,00, 180,00 or 330,00 by grade; 64-T 11 × 30,00 = 330,00; 64-R
13 × 25,00 = 325,00. The surcharge of art. 35-A is a tenth. Terms by art. 35-B: the day of the notice is left out, day 1
is the next day of expediente, the last day rolls on to a day of expediente. Closed in 2013: weekends, 29/03, 01/05,
14/05, 31/10, 15/11, 25/12; in 2014: weekends, 01/01, 18/04, 21/04, 01/05, 14/05.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from procedure.cli import demo_text
from procedure.cli.demo_sample import load_samples
from procedure.services.showing import show_case
from tests.acceptance.conftest import Ran, repository, url_of
from tests.structure.sources import ROOT

# auto: (state on 30/06/2014, fine, surcharge, still owed), each with what the sample makes happen to it.
BY_HAND: dict[str, tuple[str, str, str, str]] = {
    "001/2013": ("regularizado", "0.00", "0.00", "0.00"),  # notice of 14/01, cured 18/01, inside its 10 days
    "002/2013": ("regularizado", "0.00", "0.00", "0.00"),  # extended to 06/03, cured on 11/03, late and accepted
    "003/2013": ("inscrito", "330.00", "33.00", "363.00"),  # the revel of the issue: 64-I by 64-T, nothing paid
    "004/2013": ("inscrito", "90.00", "9.00", "99.00"),  # edital; no CPF until 20/05; minimum grade
    "005/2013": ("pago", "90.00", "0.00", "0.00"),  # 330,00 lowered to the minimum by reconsideração, paid
    "006/2013": ("pago", "330.00", "0.00", "0.00"),  # fact of 10/03, before 003/2013 was final: not doubled
    "007/2013": ("pago", "180.00", "0.00", "0.00"),  # art. 46, médio, 6 × 30,00; the deposit is converted
    "008/2013": ("insubsistente", "0.00", "0.00", "0.00"),  # reconsideração: insubsistente
    "009/2013": ("insubsistente", "0.00", "0.00", "0.00"),  # reconsideração: nulo
    "010/2013": ("insubsistente", "0.00", "0.00", "0.00"),  # judged insubsistente; 50 + 40 + 30 paid and given back
    "011/2013": ("insubsistente", "0.00", "0.00", "0.00"),  # late appeal let in, insubsistente on second instance
    "012/2013": ("inscrito", "660.00", "66.00", "426.00"),  # doubled; 660,00 + 66,00 − 300,00 paid after
    "013/2013": ("insubsistente", "0.00", "0.00", "0.00"),  # judged nulo
    "014/2013": ("insubsistente", "0.00", "0.00", "0.00"),  # second instance: nulo
    "015/2013": ("notificacao_vencida", "0.00", "0.00", "0.00"),  # the notice behind 017/2013
    "016/2013": ("inscrito", "325.00", "32.50", "357.50"),  # 64-B by 64-R: 13 × 25,00
    "017/2013": ("pago", "90.00", "0.00", "0.00"),  # renúncia, then paid
    "018/2013": ("insubsistente", "0.00", "0.00", "0.00"),  # defence typed in three days late, judged insubsistente
    "019/2013": ("pago", "90.00", "0.00", "0.00"),  # one of two facts upheld
    "020/2013": ("pago", "90.00", "0.00", "0.00"),  # paid the day after the judgment
    "021/2013": ("pago", "90.00", "0.00", "0.00"),  # paid while the appeal ran
    "022/2013": ("pago", "90.00", "0.00", "0.00"),  # appeal typed in late, renúncia, paid inside the 48 h
    "023/2013": ("pago", "180.00", "0.00", "0.00"),  # paid on second instance
    "024/2013": ("pago", "330.00", "33.00", "0.00"),  # 7 × 20 + 50 + 173 = 363,00
    "025/2013": ("anulado", "0.00", "0.00", "0.00"),  # notice to the wrong tenant
    "026/2013": ("pago", "330.00", "0.00", "0.00"),  # 350 + 10 paid, 30 given back
    "027/2013": ("pago", "330.00", "33.00", "0.00"),  # due Friday 13/12, paid on Saturday with the tenth
    "028/2013": ("anulado", "0.00", "0.00", "0.00"),  # annulled the day after it was drawn up
    "029/2013": ("inscrito", "330.00", "33.00", "233.00"),  # 130,00 paid in time; the tenth is of the whole fine
    "030/2013": ("quitado", "330.00", "33.00", "0.00"),  # 400 + 10 paid after the inscription, 47 given back
    "031/2013": ("cancelado", "330.00", "33.00", "0.00"),  # inscription cancelled, 120 given back
    "032/2013": ("anulado", "0.00", "0.00", "0.00"),  # annulled with a deposit of 100 + 30, given back
    "001/2014": ("anulado", "330.00", "33.00", "0.00"),  # annulled after the inscription
    "002/2014": ("inscrito", "330.00", "33.00", "363.00"),
    "003/2014": ("em_julgamento", "0.00", "0.00", "0.00"),  # art. 38 after its 60 days; defence of 23/06
    "004/2014": ("devolvido_a_origem", "330.00", "33.00", "303.00"),  # no CPF; 60,00 paid since
    "005/2014": ("em_segunda_instancia", "330.00", "0.00", "330.00"),
    "006/2014": ("aguardando_pagamento", "330.00", "0.00", "330.00"),
    "007/2014": ("em_recurso", "330.00", "0.00", "330.00"),
    "008/2014": ("definitivo", "180.00", "0.00", "180.00"),
    "009/2014": ("aguardando_recurso", "180.00", "0.00", "180.00"),
    "010/2014": ("julgado", "180.00", "0.00", "180.00"),
    "011/2014": ("aguardando_defesa", "0.00", "0.00", "0.00"),
    "012/2014": ("notificado", "0.00", "0.00", "0.00"),
    "013/2014": ("aguardando_defesa", "0.00", "0.00", "0.00"),
    "014/2014": ("lavrado", "0.00", "0.00", "0.00"),
    # beside the fine: daily fines and costs are collected by the autos from 101/2014 on
    "015/2014": ("pago", "330.00", "0.00", "0.00"),
    "016/2014": ("pago", "330.00", "0.00", "0.00"),
    "017/2014": ("pago", "330.00", "0.00", "0.00"),
    "018/2014": ("pago", "330.00", "0.00", "0.00"),
    "019/2014": ("pago", "330.00", "0.00", "0.00"),
    "020/2014": ("pago", "330.00", "0.00", "0.00"),
    "021/2014": ("pago", "330.00", "0.00", "0.00"),
    "022/2014": ("pago", "330.00", "0.00", "0.00"),
    "023/2014": ("em_julgamento", "0.00", "0.00", "0.00"),  # revel since 18/06
    "024/2014": ("em_julgamento", "0.00", "0.00", "0.00"),
    "025/2014": ("em_recurso", "330.00", "0.00", "330.00"),  # the recurso suspends the fine, never the obligation (35)
    "026/2014": ("pago", "330.00", "0.00", "0.00"),
    "027/2014": ("pago", "325.00", "0.00", "0.00"),  # 64-B by 64-R: 13 × 25,00
    "028/2014": ("pago", "90.00", "0.00", "0.00"),
    "029/2014": ("pago", "325.00", "0.00", "0.00"),
    "030/2014": ("pago", "325.00", "0.00", "0.00"),
    "031/2014": ("pago", "325.00", "0.00", "0.00"),
    "032/2014": ("pago", "325.00", "0.00", "0.00"),
    "033/2014": ("pago", "90.00", "0.00", "0.00"),
    "034/2014": ("em_julgamento", "0.00", "0.00", "0.00"),
    "035/2014": ("pago", "325.00", "0.00", "0.00"),
    "036/2014": ("pago", "330.00", "0.00", "0.00"),
    "037/2014": ("pago", "330.00", "0.00", "0.00"),
    "038/2014": ("pago", "330.00", "0.00", "0.00"),
    "039/2014": ("regularizado", "0.00", "0.00", "0.00"),  # 5 days: Sat 10/05, Mon 12/05; cured then, typed in on 13/05
    "040/2014": ("pago", "330.00", "0.00", "0.00"),
    "041/2014": ("pago", "330.00", "0.00", "0.00"),
    "042/2014": ("pago", "330.00", "0.00", "0.00"),
    "101/2014": ("pago", "120.00", "0.00", "0.00"),  # 4 days of 015/2014 at 30,00
    "102/2014": ("em_julgamento", "0.00", "0.00", "0.00"),  # the costs of 017/2014, to the revel
    "103/2014": ("em_julgamento", "0.00", "0.00", "0.00"),  # days of 042/2014, as the next two
    "104/2014": ("em_julgamento", "0.00", "0.00", "0.00"),
    "105/2014": ("em_julgamento", "0.00", "0.00", "0.00"),
}

# number: (auto, day, inscribed, still owed, status). The day is the first of expediente after the last day to pay.
INSCRIPTIONS = {
    "1/2013": ("003/2013", "2013-04-29", "363.00", "363.00", "em_protesto"),  # Wed 24/04, due Fri 26/04, Mon 29/04
    "2/2013": ("004/2013", "2013-05-21", "99.00", "99.00", "suspenso"),  # refused on 09/05, mended Mon 20/05, Tue 21/05
    "3/2013": ("012/2013", "2013-08-19", "726.00", "426.00", "inscrito"),  # joined Wed 14/08, due Fri 16/08, Mon 19/08
    "4/2013": ("016/2013", "2013-09-17", "357.50", "357.50", "parcelado"),  # 2nd day Sat 14/09, due Mon 16/09
    "1/2014": ("029/2013", "2014-01-13", "233.00", "233.00", "inscrito"),  # Wed 08/01, due Fri 10/01, Mon 13/01
    "2/2014": ("030/2013", "2014-01-20", "363.00", "0.00", "quitado"),  # Wed 15/01, due Fri 17/01, Mon 20/01
    "3/2014": ("031/2013", "2014-01-27", "363.00", "0.00", "cancelado"),  # Wed 22/01, due Fri 24/01, Mon 27/01
    "4/2014": ("001/2014", "2014-03-17", "363.00", "0.00", "cancelado"),  # Wed 12/03, due Fri 14/03, Mon 17/03
    "5/2014": ("002/2014", "2014-04-23", "363.00", "363.00", "inscrito"),  # Wed 16/04; Good Friday and Tiradentes are
    # closed: day 1 Thu 17/04, day 2 Fri 18/04 rolls over the weekend and Mon 21/04 to Tue 22/04; Wed 23/04
}

# Deadlines from 01/07 to 15/07/2014.
AHEAD = [
    ("2014-07-01", "006/2014", "pagamento"),  # joined Fri 27/06: day 1 Mon 30/06, day 2 Tue 01/07
    ("2014-07-01", "011/2014", "defesa"),  # notice Mon 16/06: day 1 Tue 17/06, day 15 Tue 01/07
    ("2014-07-02", "012/2014", "regularizacao"),  # notice Fri 20/06: day 1 Mon 23/06, day 10 Wed 02/07
    ("2014-07-03", "009/2014", "recurso"),  # notice Wed 18/06: day 1 Thu 19/06, day 15 Thu 03/07
    ("2014-07-04", "034/2014", "retirada"),  # seized Wed 04/06: day 30 Fri 04/07
    ("2014-07-08", "003/2014", "impugnacao"),  # defence Mon 23/06: day 1 Tue 24/06, day 15 Tue 08/07
    ("2014-07-14", "013/2014", "defesa"),  # notice Fri 27/06: day 1 Mon 30/06, day 15 Mon 14/07
]


def test_every_process_ends_where_the_law_puts_it(demo: dict[str, Any], demo_folder: Path) -> None:
    found = {}
    with repository(url_of(demo_folder)) as repo:
        for auto in repo.stream_autos(demo["municipality"]):
            case = show_case(repo, demo["municipality"], auto)
            amounts = case["amounts"]
            found[auto] = (case["state"], amounts["arbitrada"], amounts["acrescimo"], amounts["saldo"])
    assert found == BY_HAND


def test_the_counts_are_those_of_the_processes(demo: dict[str, Any]) -> None:
    assert demo["states"] == Counter(state for state, *_ in BY_HAND.values())


def test_the_inscriptions_and_their_total(demo: dict[str, Any]) -> None:
    items = demo["inscriptions"]["items"]
    found = {i["number"]: (i["auto"], i["date"], i["total"], i["owed"], i["status"]) for i in items}
    assert found == INSCRIPTIONS
    assert demo["inscriptions"]["standing"] == 6
    # 363,00 + 99,00 + 426,00 + 357,50 + 233,00 + 363,00
    assert demo["inscriptions"]["standing_owed"] == "1841.50"


def test_the_deadlines_ahead(demo: dict[str, Any]) -> None:
    assert (demo["deadlines"]["from"], demo["deadlines"]["to"]) == ("2014-07-01", "2014-07-15")
    assert [(i["due"], i["auto"], i["kind"]) for i in demo["deadlines"]["items"]] == AHEAD


def test_the_stories_are_told_with_their_days(demo: dict[str, Any]) -> None:
    revel, again, edital = (story["case"] for story in demo["stories"])
    assert _dues(revel) == {"defesa": "2013-03-25", "recurso": "2013-04-17", "pagamento": "2013-04-26"}
    # Wed 22/05 → 06/06; defence Wed 05/06 → 20/06; Wed 03/07 → 18/07; Wed 14/08 → Fri 16/08
    assert _dues(again) == {
        "defesa": "2013-06-06", "impugnacao": "2013-06-20", "recurso": "2013-07-18", "pagamento": "2013-08-16",
    }  # fmt: skip
    # published Sat 09/03: deemed Mon 11/03, day 1 Tue 12/03, day 15 Tue 26/03; Fri 12/04: deemed Mon 15/04, 30/04;
    # Fri 03/05: deemed Mon 06/05, day 2 Wed 08/05
    assert _dues(edital) == {"defesa": "2013-03-26", "recurso": "2013-04-30", "pagamento": "2013-05-08"}
    counted = {e["auto"]: e["counted"] for examined in again["evidence"] for e in examined["evidence"]}
    assert counted == {"003/2013": True, "006/2013": False}  # final on 18/04 and on 11/06; the fact is of 20/05


def test_the_record_verifies(demo: dict[str, Any]) -> None:
    verified = [told["verify"] for told in demo["municipalities"]]
    assert [(v["ok"], v["cases"], v["defects"]) for v in verified] == [(True, 79, []), (True, 70, []), (True, 42, [])]
    assert demo["verify"] == verified[0]
    assert demo["verify"]["acts"] > demo["acts"] == 478


def test_the_text_fits_eighty_columns_and_says_what_matters(demo: dict[str, Any]) -> None:
    text = demo_text.text_of(demo) + demo_text.closing(demo, "posturas")
    assert [line for line in text.splitlines() if len(line) > 80 and demo["database"] not in line] == []
    commands = [line.strip() for line in text.splitlines() if line.startswith("   posturas ")]
    assert len(commands) == 5
    for line in commands:  # what it says to type next works
        assert Ran(*line.split()[1:], "--db", demo["url"]).code == 0, line
    for said in (
        "478 atos", "533 noites", "Onde estão os 79 processos", "6 inscrições, R$ 1.841,50", "R$ 363,00", "Ibiá/MG",
        "Cruzília/MG", "à espera da escolha da autoridade", "17 dias, R$ 510,00", "Custos da execução",
    ):  # fmt: skip
        assert said in text, said


def test_without_json_the_text_is_printed(
    demo: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("procedure.cli.demo._demonstrate", lambda url, folder: demo)
    monkeypatch.setattr("procedure.cli.demo._own_name", lambda: "posturas")
    shown = Ran("demo", "--out", str(tmp_path))
    assert shown.code == 0
    assert shown.out == f"{demo_text.text_of(demo)}\n{demo_text.closing(demo, 'posturas')}\n"
    assert "tudo confere" in shown.out
    assert shown.err == f"Banco novo em {tmp_path}/posturas.db.\n"


def test_a_record_that_does_not_verify_ends_in_1(
    demo: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    defect = {"auto": "003/2013", "seq": 4, "code": "cadeia_rompida", "what": "o ato não é o que foi gravado"}
    first, *others = demo["municipalities"]
    told = {**first, "verify": {**first["verify"], "ok": False, "defects": [defect]}}
    broken = {**demo, "municipalities": [told, *others]}
    monkeypatch.setattr("procedure.cli.demo._demonstrate", lambda url, folder: broken)
    shown = Ran("demo", "--out", str(tmp_path))
    assert shown.code == 1
    assert "auto 003/2013: o ato não é o que foi gravado [cadeia_rompida]" in shown.out


@pytest.mark.parametrize("document", ["README.md", "LEIAME.md"])
def test_the_readme_shows_what_the_demo_prints(document: str, demo: dict[str, Any]) -> None:
    """To bring them up to date, paste what comes before part 4 in what `posturas demo` prints."""
    shown = re.findall(r"^```text\n(.*?)^```$", (ROOT / document).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    parts = (demo_text.opening, demo_text.states, demo_text.ahead, demo_text.inscriptions)
    printed = "\n".join(["POSTURAS — demonstração", *(line for part in parts for line in part(demo))])
    assert shown == [printed + "\n"]
    assert demo_text.text_of(demo).startswith(printed)


@pytest.mark.parametrize(("document", "thousands"), [("README.md", ","), ("LEIAME.md", ".")])
def test_the_readme_counts_what_the_demo_counts(document: str, thousands: str, demo: dict[str, Any]) -> None:
    text = " ".join((ROOT / document).read_text(encoding="utf-8").split())
    told = demo["municipalities"]
    sizes = [sum(each["states"].values()) for each in told]
    acts = f"{sum(each['acts'] for each in told):,}".replace(",", thousands)
    found = [int(number) for number in re.findall(r"(?:^|[ (])(\d+)(?: (?:invented )?process|\))", text)]
    assert found[:1] + found[-3:] == [sum(sizes), *sizes]
    assert re.search(rf"\b{re.escape(acts)} (?:acts|atos)\b", text)


def test_messages_carry_no_personal_data(demo_run: Ran) -> None:
    acts = [act for sample in load_samples() for act in sample.acts]
    people = [act[key] for act in acts for key in ("infrator", "copy_to", "by") if key in act]
    names = {person["name"] for person in people}
    documents = {person.get("doc", "") for person in people} - {""}
    assert names
    assert [text for text in names | documents if text in demo_run.err] == []


def test_the_folder_is_numbered_when_the_name_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from procedure.cli import demo as command

    monkeypatch.chdir(tmp_path)
    assert [command.choose_folder(None).name for _ in range(3)] == [
        "posturas-demo", "posturas-demo-2", "posturas-demo-3",
    ]  # fmt: skip


def test_a_folder_with_a_database_is_left_alone(demo: dict[str, Any], demo_folder: Path) -> None:
    before = (demo_folder / "posturas.db").stat().st_size
    again = Ran("demo", "--json", "--out", str(demo_folder))
    assert (again.code, again.document()["error"]["code"]) == (2, "pasta_em_uso")
    assert (demo_folder / "posturas.db").stat().st_size == before


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "arquivo").write_text("não é pasta")
    refused = Ran("demo", "--json", "--out", str(tmp_path / "arquivo" / "pasta"))
    assert (refused.code, refused.document()["error"]["code"]) == (2, "pasta_inacessivel")


def test_a_database_named_by_hand_is_refused(tmp_path: Path) -> None:
    refused = Ran("demo", "--json", "--db", f"sqlite:///{tmp_path}/meu.db")
    assert refused.code == 2
    assert "--out" in refused.document()["error"]["remedy"]
    assert list(tmp_path.iterdir()) == []


def test_units_and_acts_of_the_sample_say_that_they_are_invented() -> None:
    for sample in load_samples():
        assert "inventados" in sample.title
        assert [u for u in sample.units if "inventado" not in u.act] == []
        assert [o for o in sample.options if "inventada" not in o.act] == []
        assert [a for a in sample.acts if "inventada" not in a.get("legal_act", "inventada")] == []
        # inside the certain life of São Gabriel's law
        assert all(date(2013, 1, 1) <= day <= date(2014, 7, 14) for day in sample.by_day())


def _dues(case: dict[str, Any]) -> dict[str, str]:
    return {d["kind"]: d["due"] for d in case["deadlines"]}
