"""The revenue backend of examples/erp, driven as its users do: by its screens' requests and its cron lines."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy.engine import make_url

from procedure.cli.main import main
from tests.structure.sources import ROOT
from tests.waiting import settled

ERP = ROOT / "examples" / "erp"
LAW = "es-3204708/lei-1522-2005"
FIRM = {
    "nome": "Padaria Modelo Ltda.", "tipo": "pj", "documento": "11.222.333/0001-81",
    "endereco": {"street": "Rua A", "number": "10"},
}  # fmt: skip
STRANGER = {"nome": "José da Praça", "tipo": "pf"}  # drawn up in the street, with neither CPF nor address


class Office:
    """The backend, its client and its command line."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.engine: sa.Engine = app.extensions["revenue"]["engine"]
        self.client: FlaskClient = app.test_client()

    def run(self, *words: str) -> Any:
        told = self.app.test_cli_runner().invoke(args=list(words))
        assert told.exit_code == 0, (told.output, told.exception)
        return json.loads(told.output) if told.output.startswith("{") else told.output

    def send(self, path: str, document: dict[str, Any], code: int = 201) -> Any:
        answer = self.client.post(path, json=document)
        assert answer.status_code == code, answer.get_json()
        return answer.get_json()

    def person(self, fields: dict[str, Any]) -> int:
        number: int = self.send("/pessoas", fields)["id"]
        return number

    def draw(self, person: int, auto: str, code: int = 201, **changed: Any) -> Any:
        fact = {"date": "2013-02-20T22:00", "place": "Praça", "article": "64-I", "description": "Som sem alvará"}
        drawn = {
            "auto": auto, "date": "2013-03-01", "actor": "F-12", "role": "fiscal", "fact": fact,
            "perigo_iminente": "som diante do hospital",
            "signature": {"by": "recusa", "witnesses": ["Ana Sá", "Rui Dó"]},
        }  # fmt: skip
        return self.send(
            "/autos", {"pessoa_id": person, "protocolo": f"P-{auto}", "auto": {**drawn, **changed}}, code
        )

    def act(self, auto: str, kind: str, day: str, role: str = "fiscal", **fields: Any) -> Any:
        return self.send("/atos", {"auto": auto, "act": kind, "date": day, "actor": "X-1", "role": role, **fields})

    def notice(self, auto: str, kind: str, day: str) -> Any:
        return self.act(auto, kind, day, method="postal", received=day, juntada=day)

    def to_payment(self, auto: str) -> None:
        """No defence until 25/03, judged on 01/04, final on 18/04; 48 hours to pay from Wednesday 24/04/2013."""
        self.notice(auto, "ciencia", "2013-03-08")
        articles = {"articles_infringed": ["64-I"], "articles_penalty": ["64-T"]}
        told = {"outcome": "subsistente", "report": "relatório", "grounds": "fundamentos"}
        self.act(auto, "julgamento", "2013-04-01", "secretario", **told, **articles)
        self.notice(auto, "ciencia_decisao", "2013-04-02")
        self.notice(auto, "intimacao_pagamento", "2013-04-24")

    def case(self, auto: str) -> dict[str, Any]:
        found: dict[str, Any] = self.client.get(f"/autos/{auto}").get_json()
        return found

    def owed(self) -> list[tuple[str, str, str, str, str]]:
        settled(self.engine)
        self.run("receivables")
        return [
            (c["inscricao"], c["auto"], c["valor"], c["saldo"], c["situacao"])
            for c in self.client.get("/creditos").get_json()
        ]


@pytest.fixture
def url(pg_create: Callable[..., str]) -> str:
    return make_url(pg_create()).set(drivername="postgresql+psycopg").render_as_string(hide_password=False)


@pytest.fixture
def office(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    monkeypatch.syspath_prepend(str(ERP))
    from revenue import create_app  # type: ignore[import-not-found]  # the example's own package

    made = Office(create_app(url))
    made.run("migrate")
    value = ["--law", LAW, "--unit", "VRSGP", "--from", "2012-09-18", "--value", "30.00", "--act", "Decreto inventado"]
    assert main(["rulebook", "unit", "set", *value, "--db", url]) == 0
    yield made
    made.engine.dispose()


def test_the_row_and_the_act_are_both_there_or_neither(office: Office) -> None:
    person = office.person(FIRM)
    office.draw(person, "1/2013")
    refused = office.draw(person, "2/2013", 422, signature={"by": "recusa", "witnesses": []})
    assert refused["code"] == "testemunhas_insuficientes"
    assert office.client.get("/autos/2/2013").status_code == 404
    with office.engine.connect() as connection:
        assert connection.scalars(sa.text("SELECT auto FROM processos")).all() == ["1/2013"]
        assert connection.scalars(sa.text("SELECT auto FROM posturas_cases")).all() == ["1/2013"]


def test_from_the_auto_to_the_receivable_paid(office: Office) -> None:
    """VRSGP 30,00 x 11 = 330,00; 10% of it, 33,00, for want of payment in 48 hours; inscribed on Monday 29/04/2013."""
    office.draw(office.person(FIRM), "1/2013")
    office.to_payment("1/2013")
    assert office.run("sweep", "--as-of", "2013-04-26") == {"as_of": "2013-04-26", "vencidos": 0, "inscritos": 0}
    assert office.owed() == []
    assert office.run("sweep", "--as-of", "2013-04-30")["inscritos"] == 1
    found = office.case("1/2013")
    assert (found["ultimo_ato"], found["caso"]["inscricao"]["date"]) == ("inscricao", "2013-04-29")
    assert office.owed() == [("1/2013", "1/2013", "363.00", "363.00", "inscrito")]
    office.act("1/2013", "pagamento", "2013-05-10", "tesouraria", amount="363.00", inscription="1/2013")
    assert office.owed() == [("1/2013", "1/2013", "363.00", "0.00", "quitado")]
    assert office.run("receivables")["eventos"] == 0


def test_an_inscription_undone_by_a_payment_told_late_is_owed_no_more(office: Office) -> None:
    office.draw(office.person(FIRM), "1/2013")
    office.to_payment("1/2013")
    office.run("sweep", "--as-of", "2013-04-30")
    assert office.owed()[0][4] == "inscrito"
    office.act("1/2013", "pagamento", "2013-04-25", "tesouraria", amount="330.00")
    assert office.case("1/2013")["caso"]["state"] == "pago"
    assert office.owed() == [("1/2013", "1/2013", "363.00", "0.00", "cancelado")]


def test_the_register_flows_into_later_autos_and_into_those_that_wait_for_it(office: Office) -> None:
    person = office.person(STRANGER)
    office.draw(person, "1/2013")
    office.to_payment("1/2013")
    office.run("sweep", "--as-of", "2013-04-30")
    assert office.case("1/2013")["caso"]["state"] == "devolvido_a_origem"
    assert office.owed() == []
    office.draw(person, "2/2013", date="2013-05-02")
    known = {"documento": "529.982.247-25", "endereco": {"street": "Rua B", "number": "2"}, "por": "C-3"}
    answer = office.client.patch(f"/pessoas/{person}", json={**known, "em": "2013-05-06"})
    assert answer.get_json() == {"saneados": ["1/2013"]}
    office.draw(person, "3/2013", date="2013-05-07")
    named = {auto: office.case(auto)["caso"]["infrator"] for auto in ("1/2013", "2/2013", "3/2013")}
    assert [named[auto]["doc"] for auto in named] == ["52998224725", None, "52998224725"]
    assert named["2/2013"]["address_unknown"] == "endereço não consta do cadastro"
    assert named["3/2013"]["address"] == {"street": "Rua B", "number": "2"}
    office.run("sweep", "--as-of", "2013-05-08")
    assert office.owed() == [("1/2013", "1/2013", "363.00", "363.00", "inscrito")]


KILLED = """
import os, sys
from revenue import create_app, receivables
honest, done = receivables.bring_up_to_date, []
def dies_at_the_third(session, municipality, auto):
    honest(session, municipality, auto)
    session.flush()
    done.append(auto)
    if len(done) == 3:
        os._exit(9)
receivables.bring_up_to_date = dies_at_the_third
create_app().test_cli_runner().invoke(args=["receivables"])
"""


def test_a_reader_that_is_killed_half_way_leaves_nothing_out_and_nothing_twice(office: Office, url: str) -> None:
    autos = [f"{number}/2013" for number in range(1, 6)]
    person = office.person(FIRM)
    for auto in autos:
        office.draw(person, auto)
        office.to_payment(auto)
    office.run("sweep", "--as-of", "2013-04-30")
    settled(office.engine)
    environment = {"PYTHONPATH": f"{ERP}{os.pathsep}{ROOT}", "PATH": "", "DATABASE_URL": url}
    command = [sys.executable, "-c", KILLED]
    killed = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert killed.returncode == 9, killed.stderr
    with office.engine.connect() as connection:
        assert connection.scalar(sa.text("SELECT count(*) FROM creditos")) == 0
        assert connection.execute(sa.text("SELECT transacao, evento FROM leituras")).one() == (0, 0)
    owed = office.owed()
    assert sorted(auto for _, auto, *_ in owed) == autos
    with office.engine.begin() as connection:
        connection.execute(sa.text("UPDATE leituras SET transacao = 0, evento = 0"))  # as if every event came again
    assert office.owed() == owed


def test_its_history_stands_beside_ours(office: Office) -> None:
    from alembic import command
    from revenue.commands import history

    with office.engine.connect() as connection:
        assert connection.scalars(sa.text("SELECT version_num FROM alembic_version")).all() == ["r0001"]
        assert connection.scalar(sa.text("SELECT count(*) FROM posturas_alembic_version")) == 1
    command.check(history(office.engine))  # comparing would drop our tables, were they not left alone
    command.downgrade(history(office.engine), "base")
    left = set(sa.inspect(office.engine).get_table_names())
    assert {name for name in left if not name.startswith("posturas_")} == {"alembic_version"}
    assert main(["db", "check", "--db", office.engine.url.render_as_string(hide_password=False)]) == 0


def test_the_cron_lines_are_commands_that_the_backend_has(office: Office) -> None:
    lines = [line for line in (ERP / "crontab").read_text(encoding="utf-8").splitlines() if "flask" in line]
    named = {part.split("&&")[0].split()[0] for line in lines for part in line.split("flask --app revenue ")[1:]}
    assert named == {"sweep", "receivables"}
    assert named <= set(office.app.cli.commands)


def test_what_the_readme_sends_is_taken(office: Office) -> None:
    text = (ERP / "README.md").read_text(encoding="utf-8")
    sent = re.findall(r"^curl -s localhost:5000(/\S+) --json '(.+?)'$", text, re.MULTILINE | re.DOTALL)
    assert [office.client.post(path, json=json.loads(body)).status_code for path, body in sent] == [201, 201, 201]
    assert office.run("sweep", "--as-of", "2013-03-26") == {"as_of": "2013-03-26", "vencidos": 1, "inscritos": 0}
    assert office.case("1/2013")["caso"]["state"] == "em_julgamento"
