"""Deadlines, agenda, panel, outbox, sweeps, verify."""

from __future__ import annotations

from tests.integration.cli.scenes import Cli, lavratura, record, served
from tests.integration.http.clients import OFFICE, Client, make_key, problem
from tests.waiting import settled


def open_defence(cli: Cli) -> None:
    """Ciência on Friday 08/03/2013: fifteen days, due on 25/03/2013."""
    record(
        cli.url, [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00"), served("1/2013", "ciencia", "2013-03-08")]
    )


def test_deadlines_are_those_that_fall_due(http: Client, cli: Cli) -> None:
    open_defence(cli)
    found = http.get(f"{OFFICE}/deadlines?first=2013-03-25&last=2013-03-25").json()
    assert [(item["auto"], item["kind"], item["due"]) for item in found["items"]] == [
        ("1/2013", "defesa", "2013-03-25")
    ]
    assert http.get(f"{OFFICE}/deadlines?first=2013-03-26&last=2013-12-31").json() == {"items": [], "next": None}
    assert http.get(f"{OFFICE}/deadlines").json()["items"] == []


def test_the_agenda_is_json_or_icalendar(http: Client, cli: Cli) -> None:
    open_defence(cli)
    found = http.get(f"{OFFICE}/agenda").json()
    assert [item["day"] for item in found["items"]] == ["2013-03-25"]
    file = http.get(f"{OFFICE}/agenda", headers={"Accept": "text/calendar"})
    assert file.headers["content-type"] == "text/calendar; charset=utf-8"
    assert "DTSTART;VALUE=DATE:20130325" in file.text
    assert "Bar do Zé" not in file.text
    problem(http.get(f"{OFFICE}/agenda?auto=9/2013"), 404, "auto_desconhecido")


def test_the_panel_is_json_or_a_page(http: Client, cli: Cli) -> None:
    open_defence(cli)
    asked = f"{OFFICE}/painel?as_of=2013-03-20"
    assert http.get(asked).json() == cli.json("painel", "--as-of", "2013-03-20")
    assert http.get(asked, headers={"Accept": "text/html"}).text.startswith("<!DOCTYPE html>")


def test_events_are_polled_by_a_cursor(http: Client, cli: Cli) -> None:
    open_defence(cli)
    settled(http.app.state.service.engine)
    first = http.get(f"{OFFICE}/events?limit=1").json()
    assert [event["act"] for event in first["items"]] == ["lavratura"]
    rest = http.get(f"{OFFICE}/events?after={first['next']}").json()
    assert [(event["act"], event["seq"]) for event in rest["items"]] == [("ciencia", 2)]
    assert http.get(f"{OFFICE}/events?after={rest['next']}").json() == {"items": [], "next": rest["next"]}


def test_a_sweep_concludes_what_ended_and_is_on_record(http: Client, cli: Cli) -> None:
    open_defence(cli)
    tried = http.post(f"{OFFICE}/sweeps", {"as_of": "2013-03-26", "dry_run": True}).json()
    assert (tried["run_id"], tried["expired"]) == (None, 1)
    assert http.get(f"{OFFICE}/sweeps").json() == {"items": []}
    done = http.post(f"{OFFICE}/sweeps", {"as_of": "2013-03-26"}).json()
    assert (done["run_id"], done["expired"], done["by_kind"]) == (1, 1, {"defesa": 1})
    assert http.post(f"{OFFICE}/sweeps", {"as_of": "2013-03-26"}).json()["expired"] == 0
    kept = http.get(f"{OFFICE}/sweeps").json()["items"]
    assert [(run["run_id"], run["expired"], run["status"]) for run in kept] == [
        (2, 0, "concluida"),
        (1, 1, "concluida"),
    ]


def test_a_sweep_of_days_to_come_is_only_rehearsed(http: Client) -> None:
    problem(http.post(f"{OFFICE}/sweeps", {"as_of": "2015-02-01"}), 422, "varredura_no_futuro")
    assert http.post(f"{OFFICE}/sweeps", {"as_of": "2015-02-01", "dry_run": True}).status_code == 200


def test_a_sweep_asks_for_its_role_and_for_a_plain_body(http: Client, cli: Cli) -> None:
    fiscal = http.at(make_key(cli.url, roles="fiscal,leitura")[1])
    problem(fiscal.post(f"{OFFICE}/sweeps", {"as_of": "2013-03-26"}), 403, "papel_nao_autorizado")
    for body, code in (
        ({}, "campo_ausente"),
        ({"as_of": 5}, "campo_invalido"),
        ({"as_of": "2013-03-26", "limit": 0}, "campo_invalido"),
        ({"as_of": "2013-03-26", "dry_run": "sim"}, "campo_invalido"),
        ({"as_of": "2013-03-26", "workers": 2}, "campo_desconhecido"),
        ({"as_of": "26/03/2013"}, "data_invalida"),
    ):
        problem(http.post(f"{OFFICE}/sweeps", body), 400, code)


def test_the_record_is_verified(inscribed: Client, cli: Cli) -> None:
    assert inscribed.get(f"{OFFICE}/verify?deep=true&head=true").json() == cli.json("verify", "--deep", "--head")
    one = inscribed.get(f"{OFFICE}/verify?auto=1/2013").json()
    assert (one["ok"], one["cases"], one["defects"]) == (True, 1, [])
    problem(inscribed.get(f"{OFFICE}/verify?auto=9/2013"), 404, "auto_desconhecido")
