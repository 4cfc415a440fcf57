"""The runner of legal cases: reads a case written as data, does its steps over a database, compares without tolerance.

A case file holds `[person.<name>]` tables and `[[case]]` tables. A case has `id`, `sentence` (what a caseworker reads),
`why` (how the expected values follow from the law), `provisions` (of the rulebook), `steps`, and what the municipality
supplies: `options`, `unit_value`, `end`, `closed`. A step is one of

- an act: `act`, `date` and the fields of the import format; actor, role, and what the law asks of each piece are filled
  in when left out, and `without` takes out what would be filled in;
- `sweep`: the moment of a sweep;

with what must be so afterwards (`EXPECTATIONS`). An unknown name anywhere is an error. At the end of every case its
record must replay to the same, every term counted and every fine worked out again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

from calendars import DayFact, DayKind, Nature
from calendars.fact_documents import fact_to_document
from legalbasis import ErrorGroup, PosturasError
from procedure.domain.moment import Moment
from procedure.services.context import zone_of
from procedure.services.ports import SuppliedEnd, SuppliedUnitValue
from procedure.services.recomputing import Recomputer
from procedure.services.record import Recorder
from procedure.services.showing import show_case
from procedure.services.verifying import verify
from procedure.store import supplied
from procedure.store.archive import reading
from procedure.store.engine import open_engine, session_scope
from procedure.store.repository import SqlRepository
from procedure.store.sweeping import Order, sweep_with

MUNICIPALITY = "3204708"
LAW = "es-3204708/lei-1522-2005"
FOLDER = Path(__file__).parent / "sao_gabriel"
ZONE = zone_of(MUNICIPALITY)
FIRST_AUTO = "1/2013"

CASE_KEYS = {
    "id", "sentence", "why", "provisions", "steps", "options", "unit_value", "end", "closed", "both_databases",
}  # fmt: skip
EXPECTATIONS = {
    "state", "due", "status", "running", "expires", "readings", "fine", "surcharge", "paid", "owed", "credit",
    "inscribed", "evidence", "wrote", "error", "errors", "says", "note", "timeliness", "revel", "gate", "allowed",
    "punished_by",
}  # fmt: skip
WHO = {
    "notificacao_preliminar": "fiscal", "prorrogacao": "fiscal", "lavratura": "fiscal", "ciencia": "fiscal",
    "regularizacao": "autuado", "ciencia_decisao": "fiscal", "intimacao_pagamento": "tesouraria", "defesa": "autuado",
    "recurso": "autuado", "renuncia": "autuado", "impugnacao": "fiscal", "julgamento": "secretario",
    "reconsideracao": "secretario", "remessa": "secretario", "julgamento_recurso": "prefeito",
    "pagamento": "tesouraria", "restituicao": "secretario", "cancelamento": "procuradoria", "anulacao": "secretario",
    "saneamento": "divida_ativa",
}  # fmt: skip
FACT_KEYS = ("article", "penalty_article", "until", "place", "description", "subject")


@dataclass(frozen=True)
class LegalCase:
    """One case as it is written."""

    file: str
    data: Mapping[str, Any]
    people: Mapping[str, Any]

    @property
    def id(self) -> str:
        return str(self.data["id"])


def read_cases() -> list[LegalCase]:
    """Every case of the folder; a name that is not known is refused here."""
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        assert set(document) <= {"person", "case"}, (path.name, set(document))
        for data in document["case"]:
            assert set(data) <= CASE_KEYS, (path.name, data.get("id"), set(data) - CASE_KEYS)
            assert {"id", "sentence", "why", "provisions", "steps"} <= set(data), (path.name, data.get("id"))
            found.append(LegalCase(path.name, data, document["person"]))
    return found


class Office:
    """A municipality's office over one database, in which a case happens."""

    def __init__(self, url: str, case: LegalCase) -> None:
        self.engine = open_engine(url)
        self.case = case
        self.articles: dict[str, list[str]] = {}
        self._supply()

    def close(self) -> None:
        self.engine.dispose()

    def _supply(self) -> None:
        stamp = "2012-09-18T08:00:00-03:00"
        value, data = self.case.data.get("unit_value", "30.00"), self.case.data
        with session_scope(self.engine) as session:
            if value:
                for unit in ("VRSGP", "UPFM"):
                    priced = SuppliedUnitValue(unit, date(2010, 1, 1), Decimal(value), "Decreto de teste")
                    supplied.set_unit_value(session, MUNICIPALITY, LAW, priced, recorded_at=stamp)
            for name, chosen in data.get("options", {}).items():
                supplied.set_option(session, MUNICIPALITY, LAW, name, chosen, act="Ato de teste", recorded_at=stamp)
            if "end" in data:
                end = SuppliedEnd(LAW, data["end"], "Lei 2.456/2014 (de teste)")
                supplied.set_law_end(session, MUNICIPALITY, end, recorded_at=stamp)
            facts = [_closed(day) for day in data.get("closed", ())]
            supplied.import_facts(session, MUNICIPALITY, facts, "teste", recorded_at=stamp)

    def run(self) -> None:
        for number, step in enumerate(self.case.data["steps"], start=1):
            place = f"{self.case.file}: {self.case.id}: step {number}"
            with self._told(place):
                self._step(dict(step))
        with reading(self.engine) as archive:
            replayed = verify(archive, MUNICIPALITY, deeper=Recomputer(archive, MUNICIPALITY))
        assert replayed.defects == []

    @contextmanager
    def _told(self, place: str) -> Iterator[None]:
        try:
            yield
        except (AssertionError, PosturasError) as error:
            raise AssertionError(f"{place}: {error}") from error

    def _step(self, step: dict[str, Any]) -> None:
        expected = {name: step.pop(name) for name in list(step) if name in EXPECTATIONS}
        auto = str(step.pop("auto", FIRST_AUTO))
        before = self._written(auto)
        failed = self._sweep(step) if "sweep" in step else self._act(auto, step)
        wanted = [expected.pop("error")] if "error" in expected else sorted(expected.pop("errors", []))
        assert sorted(e.error_code for e in failed) == wanted, [str(e) for e in failed]
        if failed:
            assert self._written(auto) == before, "a refused act left something behind"
            text = " ".join(str(e) for e in failed)
            assert expected.pop("says", "") in text, text
        assert expected or failed, "a step without expectation proves nothing: say at least the state"
        if expected:
            self._compare(auto, expected, before)

    def _sweep(self, step: dict[str, Any]) -> list[PosturasError]:
        assert set(step) == {"sweep"}, set(step)
        as_of = Moment.parse(_iso(step["sweep"]), ZONE)
        report = sweep_with(self.engine, Order(MUNICIPALITY, as_of, as_of.instant))
        assert report.failures == {}
        return []

    def _act(self, auto: str, step: dict[str, Any]) -> list[PosturasError]:
        recorded = step.pop("recorded", None)
        data = self._filled(auto, step)
        instant = _instant(recorded) if recorded else _last_instant(data)
        try:
            with session_scope(self.engine) as session:
                Recorder(SqlRepository(session)).record(data, recorded_at=instant)
        except ErrorGroup as group:
            return list(group.errors)
        except PosturasError as error:
            return [error]
        if data["act"] == "lavratura":
            facts = data.get("infractions") or [data["fact"]]
            self.articles[auto] = [f["article"] for f in facts]
        return []

    def _filled(self, auto: str, step: dict[str, Any]) -> dict[str, Any]:
        act = step["act"]
        role = step.pop("role", WHO.get(act, "fiscal"))
        without = step.pop("without", [])
        actor = step.pop("actor", f"{role}-1")
        data = {"municipality": MUNICIPALITY, "auto": auto, "role": role, "actor": actor, **step}
        data = {name: _iso(value) for name, value in data.items()}
        fill = _FILL.get(act)
        if fill is not None:
            data = fill(self, auto, data)
        for path in without:
            _remove(data, path)
        return data

    def _written(self, auto: str) -> list[str]:
        with session_scope(self.engine, read_only=True) as session:
            return [act.kind for act in SqlRepository(session).acts(MUNICIPALITY, auto)]

    def _compare(self, auto: str, expected: dict[str, Any], before: list[str]) -> None:
        with session_scope(self.engine, read_only=True) as session:
            doc = show_case(SqlRepository(session), MUNICIPALITY, auto)
        wrote = self._written(auto)[len(before) :]
        found = {name: _FOUND[name](doc, wrote, value) for name, value in expected.items()}
        assert found == {name: _plain(value) for name, value in expected.items()}


def _closed(day: date) -> dict[str, Any]:
    fact = DayFact(day, DayKind.FECHADO, "ponto facultativo", "Decreto de teste", None, Nature.PONTO_FACULTATIVO)
    return fact_to_document(fact)


def _iso(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def _instant(moment: date | datetime) -> datetime:
    naive = moment if isinstance(moment, datetime) else datetime.combine(moment, time(18))
    return naive.replace(tzinfo=ZONE)


def _last_instant(data: Mapping[str, Any]) -> datetime:
    """The end of the last day that the act speaks of, but never of its fact's: an act comes after its fact."""
    days = [str(data[k])[:10] for k in ("date", "received", "juntada", "publication", "recorded_at") if data.get(k)]
    return datetime.combine(date.fromisoformat(max(days)), time(23, 59), ZONE)


def _remove(data: dict[str, Any], path: str) -> None:
    *outer, last = path.split(".")
    for name in outer:
        data = data[name]
    del data[last]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return _iso(value)


def _with_person(office: Office, data: dict[str, Any]) -> None:
    name = data.pop("person", "bar")
    data.setdefault("infrator", dict(office.case.people[name]))


def _with_fact(data: dict[str, Any]) -> None:
    if "infractions" in data:
        data["infractions"] = [{name: _iso(value) for name, value in fact.items()} for fact in data["infractions"]]
        return
    fact: dict[str, Any] = {"date": data.pop("fact"), "place": "Praça Vicente Glazar", "description": "Fato descrito."}
    fact.update({name: data.pop(name) for name in FACT_KEYS if name in data})
    data["fact"] = fact


def _fill_notice(office: Office, auto: str, data: dict[str, Any]) -> dict[str, Any]:
    _with_person(office, data)
    _with_fact(data)
    return _fill_ciencia(office, auto, data)


def _fill_lavratura(office: Office, auto: str, data: dict[str, Any]) -> dict[str, Any]:
    _with_person(office, data)
    _with_fact(data)
    data.setdefault("signature", {"by": "autuado"})
    if data.get("perigo_iminente", "") is False:
        del data["perigo_iminente"]
    else:
        data.setdefault("perigo_iminente", "Risco às pessoas, como descrito.")
    return data


def _fill_ciencia(office: Office, auto: str, data: dict[str, Any]) -> dict[str, Any]:
    method = data.setdefault("method", "pessoal")
    if method == "edital":
        data.setdefault("publication", data["date"])
        data.setdefault("reason", "Lugar incerto e não sabido.")
    else:
        data.setdefault("juntada", data["date"])
    return data


def _fill_decision(office: Office, auto: str, data: dict[str, Any]) -> dict[str, Any]:
    outcome = data.setdefault("outcome", "subsistente")
    if data["act"] == "julgamento":
        data.setdefault("report", "Relatório.")
    data.setdefault("grounds", "Fundamentos.")
    if data["act"] != "reconsideracao" and outcome not in ("insubsistente", "nulo"):
        data.setdefault("articles_infringed", office.articles.get(auto, ["64-I"]))
        data.setdefault("articles_penalty", ["64-T"])
    return data


def _fill_four_eyes(office: Office, auto: str, data: dict[str, Any]) -> dict[str, Any]:
    data.setdefault("second_person", "segunda-pessoa")
    if data["act"] != "cancelamento":
        data.setdefault("grounds", "Fundamentos.")
    if data["act"] == "anulacao":
        data.setdefault("annuls", "lavratura")
    return data


_FILL = {
    "notificacao_preliminar": _fill_notice,
    "lavratura": _fill_lavratura,
    "ciencia": _fill_ciencia,
    "ciencia_decisao": _fill_ciencia,
    "intimacao_pagamento": _fill_ciencia,
    "julgamento": _fill_decision,
    "reconsideracao": _fill_decision,
    "julgamento_recurso": _fill_decision,
    "cancelamento": _fill_four_eyes,
    "anulacao": _fill_four_eyes,
    "restituicao": _fill_four_eyes,
}


def _of_deadlines(doc: dict[str, Any], asked: Mapping[str, Any], key: str) -> dict[str, Any]:
    """``key`` of the last deadline in force of each kind asked for."""
    last = {item["kind"]: item for item in doc["deadlines"]}
    return {kind: last[kind][key] if kind in last else None for kind in asked}


def _readings(doc: dict[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    last = {item["kind"]: item for item in doc["deadlines"]}
    return {kind: [f"{a['due']} {a['reading']}" for a in last[kind]["alternatives"]] for kind in asked}


def _inscribed(doc: dict[str, Any]) -> Any:
    item = doc["inscricao"]
    return f"{item['number']} de {item['date']}: {item['amount']}" if item else False


def _evidence(doc: dict[str, Any]) -> dict[str, bool]:
    return {item["auto"]: item["counted"] for examined in doc["evidence"] for item in examined["evidence"]}


_FOUND: dict[str, Any] = {
    "state": lambda doc, wrote, asked: doc["state"],
    "due": lambda doc, wrote, asked: _of_deadlines(doc, asked, "due"),
    "expires": lambda doc, wrote, asked: _of_deadlines(doc, asked, "expires_on"),
    "status": lambda doc, wrote, asked: _of_deadlines(doc, asked, "status"),
    "running": lambda doc, wrote, asked: [d["kind"] for d in doc["deadlines"] if d["status"] == "aberto"],
    "readings": lambda doc, wrote, asked: _readings(doc, asked),
    "fine": lambda doc, wrote, asked: doc["amounts"]["arbitrada"],
    "surcharge": lambda doc, wrote, asked: doc["amounts"]["acrescimo"],
    "paid": lambda doc, wrote, asked: doc["amounts"]["pago"],
    "owed": lambda doc, wrote, asked: doc["amounts"]["saldo"],
    "credit": lambda doc, wrote, asked: doc["credit"],
    "inscribed": lambda doc, wrote, asked: _inscribed(doc),
    "evidence": lambda doc, wrote, asked: _evidence(doc),
    "wrote": lambda doc, wrote, asked: wrote,
    "note": lambda doc, wrote, asked: asked if asked and asked in (doc["law_note"] or "") else doc["law_note"] or "",
    "timeliness": lambda doc, wrote, asked: doc["timeliness"][-1]["timeliness"] if doc["timeliness"] else None,
    "revel": lambda doc, wrote, asked: "revel" in doc["flags"],
    "gate": lambda doc, wrote, asked: [item["code"] for item in doc["gate"]],
    "allowed": lambda doc, wrote, asked: doc["allowed_acts"],
    "punished_by": lambda doc, wrote, asked: doc["infractions"][0]["penalty_article"],
}
assert set(_FOUND) | {"error", "errors", "says"} == EXPECTATIONS
