"""Acts of São Gabriel as an ERP exports them, and the record that they make."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from procedure.cli.main import main
from procedure.domain.case import Case
from procedure.domain.moment import Moment
from procedure.services.context import zone_of
from procedure.services.ports import SuppliedUnitValue
from procedure.store import supplied
from procedure.store.engine import open_engine, session_scope
from procedure.store.repository import SqlRepository
from procedure.store.sweep_run import Order
from procedure.store.sweeping import sweep

PLACE = "3204708"
LAW = "es-3204708/lei-1522-2005"
FIRM = "11222333000181"
NOW = datetime(2015, 1, 1, 12, tzinfo=UTC)
Act = dict[str, Any]


def act(auto: str, kind: str, day: str, role: str = "fiscal", **fields: Any) -> Act:
    """One line; actors differ by role, so that the judge is not who drew up the auto."""
    common = {"municipality": PLACE, "auto": auto, "act": kind, "date": day, "actor": f"{role} 1", "role": role}
    return {**common, **fields}


def drawn(auto: str, fact: str, day: str, *, article: str = "64-I", doc: str = FIRM, **fields: Any) -> Act:
    infrator = {"name": "Bar do Zé Ltda", "doc": doc, "kind": "pj", "address": {"street": "Rua A", "uf": "ES"}}
    return act(
        auto, "lavratura", day,
        fact={"date": fact, "place": "Praça da Matriz", "article": article, "description": "Som alto à noite"},
        signature={"by": "recusa", "witnesses": ["Ana Souza", "Caio Dias"]},
        **{"infrator": infrator, "perigo_iminente": "crianças dormindo ao lado", **fields},
    )  # fmt: skip


def served(auto: str, kind: str, day: str, role: str = "fiscal") -> Act:
    return act(auto, kind, day, role, method="postal", received=day, juntada=day)


def judged(auto: str, day: str, article: str = "64-I", penalty: str = "64-T", **fields: Any) -> Act:
    return act(
        auto, "julgamento", day, "secretario", outcome="subsistente", report="relatório", grounds="fundamentos",
        articles_infringed=[article], articles_penalty=[penalty], **fields,
    )  # fmt: skip


def inscribed_case(auto: str, doc: str = FIRM) -> list[Act]:
    """The case of the issue: ciência joined on Friday 08/03/2013, intimation joined on 24/04/2013, no payment."""
    return [
        drawn(auto, "2013-02-20T22:00", "2013-03-01", doc=doc),
        act(auto, "ciencia", "2013-03-08", method="postal", received="2013-03-06", juntada="2013-03-08"),
        judged(auto, "2013-04-01"),
        served(auto, "ciencia_decisao", "2013-04-02"),
        act(
            auto, "intimacao_pagamento", "2013-04-23", "secretario",
            method="postal", received="2013-04-23", juntada="2013-04-24",
        ),
    ]  # fmt: skip


def jsonl(acts: Iterable[Act | str]) -> str:
    lines = [item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in acts]
    return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True, slots=True)
class Office:
    """A database of the municipality, with its command line."""

    url: str
    folder: Path
    capsys: pytest.CaptureFixture[str]

    def run(self, *args: str) -> tuple[int, str, str]:
        """Exit code, stdout, stderr."""
        self.capsys.readouterr()
        code = main([*args, "--db", self.url])
        out, err = self.capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    def write(self, content: str | bytes, name: str = "atos.jsonl") -> str:
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    def import_file(self, content: str | bytes, *args: str, name: str = "atos.jsonl") -> tuple[int, Any]:
        """Import a file; exit code and the JSON answer."""
        code, out, _ = self.run("import", self.write(content, name), "--json", *args)
        return code, json.loads(out)

    def import_acts(self, acts: Iterable[Act | str], *args: str) -> tuple[int, Any]:
        return self.import_file(jsonl(acts), *args)

    def sweep(self, as_of: str, recorded_at: datetime = NOW) -> None:
        report = sweep(self.url, Order(PLACE, Moment.parse(as_of, zone_of(PLACE)), recorded_at))
        assert report.failures == {}

    def set_option(self, name: str, value: str) -> None:
        with self.session() as session:
            supplied.set_option(session, PLACE, LAW, name, value, act="Parecer 1", recorded_at=NOW.isoformat())

    def set_unit(self) -> None:
        """VRSGP at 30,00: a value invented for tests."""
        value = SuppliedUnitValue("VRSGP", date(2012, 9, 18), Decimal("30.00"), "Decreto de teste")
        with self.session() as session:
            supplied.set_unit_value(session, PLACE, LAW, value, recorded_at=NOW.isoformat())

    @contextmanager
    def session(self) -> Iterator[Any]:
        engine: Engine = open_engine(self.url)
        try:
            with session_scope(engine) as session:
                yield session
        finally:
            engine.dispose()

    def case(self, auto: str) -> Case:
        with self.session() as session:
            return SqlRepository(session).load(PLACE, [auto], lock=False)[auto]

    def autos(self) -> list[str]:
        with self.session() as session:
            return list(SqlRepository(session).stream_autos(PLACE))

    def record(self) -> dict[str, Any]:
        """The whole record as the law sees it: no numbers of the register, no instants of recording, no hashes."""
        with self.session() as session:
            repo = SqlRepository(session)
            autos = list(repo.stream_autos(PLACE))
            return {auto: _seen(repo, case) for auto, case in repo.load(PLACE, autos, lock=False).items()}


def _seen(repo: SqlRepository, case: Case) -> dict[str, Any]:
    deadlines = sorted(case.deadlines, key=lambda d: (d.number, d.kind))
    acts = repo.acts(case.municipality, case.auto)
    return {
        "state": case.state,
        "amounts": (case.arbitrada, case.acrescimo, case.diaria, case.custos, case.pago),
        "deadlines": [
            (d.kind, d.number, d.status, d.starts_on, str(d.due_at), str(d.expires_at), d.alternatives)
            for d in deadlines
        ],
        "inscription": case.inscription and (case.inscription.day, case.inscription.original_amount),
        "acts": [(a.seq, a.kind, str(a.at), a.actor, a.role, _law(a.payload)) for a in acts],
    }


def _law(payload: Any) -> Any:
    """A payload without numbers of the register and versions of persons, which depend on the order of writing."""
    hidden = {"number", "livro", "folha", "version", "digest", "termo"}
    if isinstance(payload, dict):
        return {k: _law(v) for k, v in payload.items() if k not in hidden}
    if isinstance(payload, list):
        return [_law(item) for item in payload]
    return payload
