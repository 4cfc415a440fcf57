"""The pictures over a database: the week's panel, the agenda, the timeline and the year, as a municipality asks them.

Worked out by hand for 02/05/2013, a Thursday, in São Gabriel da Palha (closed: weekends, 01/05, 14/05). VRSGP 30,00, so
64-T is 11 × 30,00 = 330,00, and the tenth of art. 35-A 33,00.
"""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import icalendar
import pytest

from procedure.services.ports import SuppliedUnitValue
from procedure.store import supplied
from procedure.store.engine import session_scope
from tests.integration.cli.scenes import (
    CPF,
    FIRM,
    IBGE,
    LAW,
    NOW,
    PERSON,
    Cli,
    inscribed_case,
    judged,
    lavratura,
    opened,
    record,
    served,
)
from tests.unit.pages.reading import Page, faults

AS_OF = "2013-05-02"


def obligation(auto: str) -> list[dict[str, Any]]:
    """Imposed on 05/03 with 2 days to start: 06 and 07/03. Nobody starts, and nobody chooses what follows (132)."""
    by = {"actor": "F. Lima", "role": "fiscal"}
    imposed = {"auto": auto, "act": "obrigacao_imposta", "date": "2013-03-05", "description": "Isolar o salão.", **by}
    return [lavratura(auto, "2013-03-04", fact="2013-03-04T10:00"), {**imposed, "term_start": "2d"}]


def seized(auto: str) -> list[dict[str, Any]]:
    """Seized on 02/04, the owner told at once."""
    act = {"auto": auto, "act": "apreensao", "date": "2013-04-02", "actor": "F. Lima", "role": "fiscal"}
    goods = [{"description": "caixa de som", "quantity": "1"}]
    return [lavratura(auto, "2013-04-02", fact="2013-04-02T10:00"), {**act, "goods": goods}]


@pytest.fixture
def week(sao_gabriel: Cli) -> Cli:
    """1 inscribed; 2 drawn and not served; 3 to be judged; 4 with its defence running; 5 paid too much; 6, 7 beside."""
    url = sao_gabriel.url
    inscribed_case(url)
    record(
        url,
        [
            lavratura("2/2013", "2013-03-04", fact="2013-03-03T22:00"),
            lavratura("3/2013", "2013-03-01", fact="2013-02-28T22:00", person=PERSON),
            served("3/2013", "ciencia", "2013-03-08"),
            lavratura("4/2013", "2013-04-24", fact="2013-04-23T22:00"),
            {**served("4/2013", "ciencia", "2013-04-25"), "office": "Postura e Fiscalização"},
            lavratura("5/2013", "2013-02-04", fact="2013-02-03T22:00"),
            served("5/2013", "ciencia", "2013-02-05"),
            judged("5/2013", "2013-03-01"),
            served("5/2013", "ciencia_decisao", "2013-03-04"),
            {
                "auto": "5/2013", "act": "pagamento", "date": "2013-03-06", "actor": "T. Reis", "role": "tesouraria",
                "amount": "400.00",
            },
            *obligation("6/2013"),
            *seized("7/2013"),
        ],
    )  # fmt: skip
    sao_gabriel("sweep", "--as-of", AS_OF)
    return sao_gabriel


def test_the_panel_finds_what_a_municipality_misses(week: Cli) -> None:
    doc = week.json("painel", "--as-of", AS_OF)
    assert (doc["municipality"], doc["place"], doc["cases"]) == (IBGE, "São Gabriel da Palha/ES", 7)
    # The ciência of 25/04: day 1 is Friday 26/04, day 15 Friday 10/05.
    defence = [i for i in doc["due"]["items"] if i["kind"] == "defesa"]
    assert defence == [
        {"auto": "4/2013", "kind": "defesa", "article": "24", "due": "2013-05-10", "expires_on": "2013-05-10"}
    ]
    waiting = {item["auto"]: (item["state"], item["since"], item["days"]) for item in doc["to_serve"]["items"]}
    assert waiting["2/2013"] == ("lavrado", "2013-03-04", 59)
    assert set(waiting) == {"2/2013", "6/2013", "7/2013"}
    # The defence ended on 25/03: to be judged since the 26th, 37 days before.
    assert doc["to_judge"] == {
        "total": 1,
        "late": [{"days": 30, "cases": 1}, {"days": 90, "cases": 0}, {"days": 180, "cases": 0}],
        "items": [{"auto": "3/2013", "state": "em_julgamento", "since": "2013-03-26", "days": 37}],
    }
    choice = {"choice": "escolha_da_autoridade", "article": None}
    late = {"auto": "6/2013", "state": "nao_iniciada", "since": "2013-03-07", "days": 56}
    assert doc["choices"]["items"] == [late | choice]
    assert doc["restitutions"] == {
        "total": 1,
        "amount": "70.00",
        "items": [{"auto": "5/2013", "state": "pago", "amount": "70.00"}],
    }


IBIA, BAKERY = "3129509", {"name": "Padaria Um Ltda", "doc": "11.222.333/0001-81", "kind": "pj"}


def spoilt_food(auto: str, day: str, served_on: str) -> list[dict[str, Any]]:
    """An auto of Ibiá for art. 17, served, and no defence."""
    who = {**BAKERY, "address": {"street": "Rua Um", "number": "1", "city": "Ibiá", "uf": "MG"}}
    notice = {"auto": auto, "act": "intimacao", "date": served_on, "actor": "C. Dias", "role": "setor_cadastro"}
    drawn = {**lavratura(auto, day, fact=f"{day}T10:00", person=who, article="17"), "municipality": IBIA}
    drawn.pop("perigo_iminente")
    return [drawn, {**notice, "municipality": IBIA, "method": "pessoal", "received": served_on}]


def test_the_panel_lists_the_licence_that_the_law_cancels_and_nobody_did(cli: Cli, tmp_path: Path) -> None:
    value = SuppliedUnitValue("UF", date(2012, 1, 1), Decimal("50.00"), "Decreto de teste")
    with opened(cli.url) as engine, session_scope(engine) as session:
        supplied.set_unit_value(session, IBIA, "mg-3129509/lei-1355-1990", value, recorded_at=NOW.isoformat())
    record(cli.url, spoilt_food("1/2013", "2013-01-02", "2013-01-03"))
    record(cli.url, spoilt_food("2/2013", "2013-03-04", "2013-03-05"))
    cli("sweep", "--as-of", AS_OF)
    # Twenty days from 05/03 end on Monday 25/03; final from the 26th, 37 days before 02/05. The first repeated nothing.
    (item,) = cli.json("painel", "--as-of", AS_OF)["choices"]["items"]
    assert item == {
        "auto": "2/2013", "state": None, "since": "2013-03-26", "days": 37, "choice": "cassacao_a_decidir",
        "article": "17,§2",
    }  # fmt: skip
    cli("painel", "--as-of", AS_OF, "--out", str(tmp_path / "painel.html"))
    page = Page((tmp_path / "painel.html").read_text(encoding="utf-8"))
    assert page.table("Cassações a decidir") == [["2/2013", "art. 17, § 2º", "26/03/2013", "37"]]
    assert faults(page) == []
    assert cli.json("auto", "show", "2/2013")["licence_to_decide"]["provision"] == "17,§2"
    (line,) = cli.json("auto", "list", "--pending", "cassacao_a_decidir")
    assert (line["auto"], line["pending"]) == ("2/2013", ["cassacao_a_decidir"])
    assert "art. 17, § 2º); ninguém a decidiu" in " ".join(cli("auto", "show", "2/2013")[1].split())


def test_the_panel_counts_the_money_of_each_month(week: Cli) -> None:
    doc = week.json("painel", "--as-of", AS_OF)
    assert [month["month"] for month in doc["months"]][:3] == ["2013-05", "2013-04", "2013-03"]
    assert len(doc["months"]) == 12
    by_month = {month["month"]: month for month in doc["months"]}
    april = {"month": "2013-04", "inscriptions": 1, "inscribed": "363.00", "collected": "0.00", "returned": "0.00"}
    assert by_month["2013-04"] == april
    assert by_month["2013-03"] == {**by_month["2013-03"], "inscriptions": 0, "collected": "400.00"}
    assert doc["register"] == [{"status": "inscrito", "inscriptions": 1, "amount": "363.00"}]
    (run,) = doc["sweeps"]
    assert (run["as_of"][:10], run["status"], run["inscribed"], run["failed"]) == (AS_OF, "concluida", 1, 0)


@pytest.mark.parametrize(
    ("as_of", "coming", "past"),
    [
        # Final since 18/04/2013: five years on, 18/04/2018, and the 180 days: 15/10/2018, the reading that warns.
        ("2018-04-17", 0, 0),  # 181 days before
        ("2018-04-18", 1, 0),
        ("2018-10-15", 1, 0),
        ("2018-10-16", 0, 1),
    ],
)
def test_the_panel_warns_by_the_reading_that_ends_first(week: Cli, as_of: str, coming: int, past: int) -> None:
    found = week.json("painel", "--as-of", as_of)["prescribing"]
    of_the_inscribed = [item for item in found["items"] if item["inscription"] == "1/2013"]
    assert (len(of_the_inscribed), found["past"]) == (coming, past)
    if coming:
        (item,) = of_the_inscribed
        # From 27/04/2013: 27/04/2018 and the 180 days.
        assert (item["warns_on"], item["prescribes_on"], item["amount"]) == ("2018-10-15", "2018-10-24", "363.00")


@pytest.mark.parametrize("as_of", ["2018-04-18", "2018-10-16"])
def test_the_panel_counts_what_the_forecast_lists(week: Cli, as_of: str) -> None:
    listed = week.json("divida-ativa", "forecast", "--within", "180d", "--on", as_of)
    found = week.json("painel", "--as-of", as_of)["prescribing"]
    assert found["total"] + found["past"] == len(listed)
    warned = {(line["auto"], line["warns_on"]) for line in listed}
    assert {(item["auto"], item["warns_on"]) for item in found["items"]} <= warned


def test_the_panel_is_a_page_with_no_person_in_it(week: Cli, tmp_path: Path) -> None:
    file = tmp_path / "painel.html"
    code, out, err = week("painel", "--as-of", AS_OF, "--out", str(file))
    assert (code, out, err) == (0, "", f"Página escrita: {file}\n")
    page = Page(file.read_text(encoding="utf-8"))
    assert faults(page) == []
    for private in (FIRM["name"], PERSON["name"], CPF, "982.247", "11.222.333", "Rua A"):
        assert str(private) not in page.source
    assert page.table("Os que esperam há mais tempo") == [["3/2013", "Em julgamento", "26/03/2013", "37"]]
    assert page.table("Do maior ao menor") == [["5/2013", "Pago", "R$ 70,00"]]
    assert page.table("Obrigações não cumpridas") == [["6/2013", "Não iniciada no prazo", "07/03/2013", "56"]]
    again = tmp_path / "outra.html"
    week("painel", "--as-of", AS_OF, "--out", str(again))
    assert again.read_bytes() == file.read_bytes()


def test_a_panel_of_an_empty_week_says_so(sao_gabriel: Cli, tmp_path: Path) -> None:
    record(sao_gabriel.url, [lavratura("1/2013", "2013-03-01", fact="2013-02-28T22:00")])
    file = tmp_path / "painel.html"
    assert sao_gabriel("painel", "--as-of", AS_OF, "--out", str(file))[0] == 0
    page = Page(file.read_text(encoding="utf-8"))
    assert faults(page) == []
    assert "Nada nesta lista." in page.words()


def test_the_agenda_has_the_open_terms_and_nothing_of_persons(week: Cli, tmp_path: Path) -> None:
    file = tmp_path / "prazos.ics"
    code, out, _ = week("agenda", "--out", str(file))
    assert code == 0
    content = file.read_bytes()
    events = icalendar.Calendar.from_ical(content).walk("VEVENT")
    assert f"{len(events)} prazo(s) em aberto" in out
    (defence,) = [event for event in events if "defesa" in str(event["SUMMARY"])]
    assert str(defence["SUMMARY"]) == "Auto 4/2013: último dia, prazo de defesa"
    assert defence["DTSTART"].dt.isoformat() == "2013-05-10"
    assert "Lei 1.522/2005, art. 24" in str(defence["DESCRIPTION"])
    unfolded = content.replace(b"\r\n ", b"").decode()
    for private in ("Bar do", "Souza", CPF, "982.247", "Rua", "F. Lima"):
        assert private not in unfolded
    assert all(len(line) <= 75 for line in content.split(b"\r\n"))  # RFC 5545, 3.1
    assert not re.search(rb"(?<!\r)\n", content)
    week("agenda", "--out", str(tmp_path / "outra.ics"))
    assert (tmp_path / "outra.ics").read_bytes() == content


def test_the_agenda_of_one_office_or_one_auto(week: Cli, tmp_path: Path) -> None:
    file = tmp_path / "prazos.ics"
    said = week.json("agenda", "--office", "Postura e Fiscalização", "--out", str(file))
    assert said == {"file": str(file), "deadlines": 1, "bytes": len(file.read_bytes())}
    assert b"Auto 4/2013" in file.read_bytes()
    assert week.json("auto", "ics", "4/2013", "--out", str(file))["deadlines"] == 1
    assert week.json("auto", "ics", "1/2013", "--out", str(file))["deadlines"] == 0
    assert icalendar.Calendar.from_ical(file.read_bytes()).walk("VEVENT") == []
    code, _, err = week("auto", "ics", "9/2013", "--out", str(file))
    assert code == 2
    assert "9/2013" in err


def test_the_timeline_on_screen_as_data_and_as_a_page(week: Cli, tmp_path: Path) -> None:
    code, out, _ = week("auto", "timeline", "1/2013")
    assert code == 0
    assert "29/04/2013 seg   ●     10. inscrição em dívida ativa" in out
    doc = week.json("auto", "timeline", "1/2013")
    assert [(d["kind"], d["due"]) for d in doc["deadlines"]] == [
        ("defesa", "2013-03-25"),
        ("recurso", "2013-04-17"),
        ("pagamento", "2013-04-26"),
    ]
    file = tmp_path / "auto.html"
    assert week("auto", "timeline", "1/2013", "--html", str(file))[1] == ""
    assert faults(Page(file.read_text(encoding="utf-8"))) == []
    assert week("auto", "timeline", "9/2013")[0] == 2


def test_a_file_that_cannot_be_written_is_a_typed_error(week: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for command in (["painel"], ["agenda"], ["auto", "ics", "4/2013"]):
        code, _, err = week(*command, "--out", str(tmp_path / "file" / "x"))
        assert (code, "não foi possível escrever" in err) == (2, True)
    assert week("painel")[0] == 2
    assert week("auto", "ics", "4/2013")[0] == 2


def test_the_year_and_a_term_as_pages(sao_gabriel: Cli, tmp_path: Path) -> None:
    file = tmp_path / "ano.html"
    show = ("calendar", "show", "--municipality", IBGE, "--html", str(file))
    assert sao_gabriel(*show, "--year", "2013")[0] == 0
    page = Page(file.read_text(encoding="utf-8"))
    assert faults(page) == []
    assert len(page.tables) == 13  # the twelve months, and the days that are not normal
    rows = page.table("Feriados, pontos facultativos, expediente reduzido e suspensões")
    days = {row[0]: row for row in rows}
    assert "14/05/2013 terça" in days
    assert days["14/05/2013 terça"][4] == "a confirmar"
    # The trap of the issue: ciência on Friday 08/03/2013.
    assert sao_gabriel(*show, "--start", "2013-03-08", "--term", "15d", "--law", LAW)[0] == 0
    page = Page(file.read_text(encoding="utf-8"))
    assert faults(page) == []
    assert "Vence 25/03/2013 segunda-feira" in page.words()
    assert {"8início", "9pula", "111º", "25vence"} <= {cell for row in page.table("março de 2013") for cell in row}
