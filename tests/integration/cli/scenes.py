"""Cases of São Gabriel da Palha recorded act by act, for the commands to show, sweep and verify."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Engine

from procedure.cli.main import main
from procedure.services.ports import SuppliedUnitValue
from procedure.services.record import Recorder
from procedure.store import supplied
from procedure.store.engine import open_engine, session_scope
from procedure.store.repository import SqlRepository

IBGE = "3204708"
LAW = "es-3204708/lei-1522-2005"
NOW = datetime(2015, 1, 2, 12, tzinfo=UTC)
CPF, CPF_MASKED = "52998224725", "***.982.247-**"
FIRM = {
    "name": "Bar do Zé Ltda",
    "doc": "11.222.333/0001-81",
    "kind": "pj",
    "address": {"street": "Rua A", "number": "12", "city": "São Gabriel da Palha", "uf": "ES"},
}
PERSON = {"name": "Ana Souza", "doc": "529.982.247-25", "kind": "pf", "address": {"street": "Rua B", "uf": "ES"}}
Act = dict[str, Any]


@contextmanager
def opened(url: str) -> Iterator[Engine]:
    """An engine that is closed at the end."""
    engine = open_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


def supply_unit(url: str) -> None:
    """The value of the unit of the issue's right answers: VRSGP 30,00."""
    value = SuppliedUnitValue("VRSGP", date(2012, 9, 18), Decimal("30.00"), "Decreto de teste")
    with opened(url) as engine, session_scope(engine) as session:
        supplied.set_unit_value(session, IBGE, LAW, value, recorded_at=NOW.isoformat())


def record(url: str, acts: Sequence[Act]) -> None:
    """Record the acts in one transaction."""
    with opened(url) as engine, session_scope(engine) as session:
        recorder = Recorder(SqlRepository(session))
        for act in acts:
            recorder.record({"municipality": IBGE, **act}, recorded_at=NOW)


def lavratura(auto: str, day: str, *, fact: str, person: dict[str, Any] | None = None, article: str = "64-I") -> Act:
    """An auto drawn up with imminent danger stated."""
    return {
        "auto": auto,
        "act": "lavratura",
        "date": day,
        "actor": "F. Lima",
        "role": "fiscal",
        "infrator": person or FIRM,
        "fact": {"date": fact, "place": "Praça Central", "article": article, "description": "Som alto na calçada"},
        "perigo_iminente": "risco à saúde",
        "signature": {"by": "recusa", "witnesses": ["Um da Silva", "Dois da Silva"]},
    }


def served(auto: str, act: str, day: str) -> Act:
    """A notice by post, its AR joined that day."""
    return {
        "auto": auto,
        "act": act,
        "date": day,
        "actor": "F. Lima",
        "role": "fiscal",
        "method": "postal",
        "received": day,
        "juntada": day,
    }


def judged(auto: str, day: str, *, article: str = "64-I", penalty: str = "64-T") -> Act:
    """A decision that upholds the auto."""
    return {
        "auto": auto,
        "act": "julgamento",
        "date": day,
        "actor": "S. Reis",
        "role": "secretario",
        "outcome": "subsistente",
        "report": "relatório",
        "grounds": "fundamentos",
        "articles_infringed": [article],
        "articles_penalty": [penalty],
    }


def to_payment(auto: str, start: date, *, person: dict[str, Any] | None = None) -> list[Act]:
    """From the auto to the summons to pay, with no defence and no appeal; the summons is joined 47 days on."""

    def on(days: int) -> str:
        return (start + timedelta(days=days)).isoformat()

    return [
        lavratura(auto, on(0), fact=f"{on(-2)}T22:00", person=person),
        served(auto, "ciencia", on(1)),
        judged(auto, on(24)),
        served(auto, "ciencia_decisao", on(25)),
        served(auto, "intimacao_pagamento", on(47)),
    ]


def inscribed_case(url: str, auto: str = "1/2013") -> None:
    """The issue's case: ciência on Friday 08/03/2013, summons joined on 24/04/2013, inscribed on Monday 29/04/2013."""
    record(
        url,
        [
            lavratura(auto, "2013-03-01", fact="2013-02-20T22:00"),
            served(auto, "ciencia", "2013-03-08"),
            judged(auto, "2013-04-01"),
            served(auto, "ciencia_decisao", "2013-04-02"),
            {**served(auto, "intimacao_pagamento", "2013-04-24"), "received": "2013-04-23", "date": "2013-04-23"},
        ],
    )


class Cli:
    """The command line in this process: exit code, stdout and stderr."""

    def __init__(self, url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.url = url
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *args: str, stdin: str | None = None, url: str | None = None) -> tuple[int, str, str]:
        """Run ``posturas ARGS --db URL``."""
        if stdin is not None:
            self._monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        self._capsys.readouterr()
        code = main([*args, "--db", url or self.url])
        captured = self._capsys.readouterr()
        return code, captured.out, captured.err

    def json(self, *args: str, code: int = 0, **others: Any) -> Any:
        """The one JSON document of the command, which must end with ``code`` and say nothing on stderr."""
        got, out, err = self(*args, "--json", **others)
        assert (got, err) == (code, ""), (got, err, out)
        return json.loads(out)
