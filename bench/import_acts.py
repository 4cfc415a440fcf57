"""How many acts a second an import applies on SQLite, how much memory staging takes, and where the time goes.

    python -m bench.import_acts [autos]

Each auto has five acts, shuffled over the whole file; the states that they end in are counted and checked.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlalchemy import text

from procedure.services.importing.lines import LineReader, open_acts
from procedure.services.importing.staging import Staging, stage
from procedure.services.ports import SuppliedUnitValue
from procedure.store import supplied
from procedure.store.engine import open_engine, session_scope
from procedure.store.importing import import_acts
from procedure.store.schema import upgrade

PLACE, LAW = "3204708", "es-3204708/lei-1522-2005"
NOW = datetime(2015, 1, 1, 12, tzinfo=UTC)
WEIGHTS = (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)


def cnpj(number: int) -> str:
    """A CNPJ with its check digits, a firm for each number."""
    digits = f"{number + 10_000_000:08d}0001"
    for weights in (WEIGHTS[1:], WEIGHTS):
        rest = sum(int(d) * w for d, w in zip(digits, weights, strict=True)) % 11
        digits += "0" if rest < 2 else str(11 - rest)
    return digits


def acts_of(number: int) -> Iterator[dict[str, Any]]:
    """One auto from lavratura to the intimation to pay, over a spread of 400 days."""
    start = date(2012, 10, 1) + timedelta(days=number % 400)

    def act(kind: str, days: int, role: str, **fields: Any) -> dict[str, Any]:
        day = (start + timedelta(days=days)).isoformat()
        if "method" in fields:
            fields |= {"received": day, "juntada": day}
        common = {"municipality": PLACE, "auto": f"{number}/{start.year}", "act": kind, "date": day}
        return {**common, "actor": f"{role} 1", "role": role, **fields}

    person = {
        "name": f"Empresa São João {number} Ltda",
        "doc": cnpj(number),
        "kind": "pj",
        "address": {"street": "Rua A"},
    }
    fact = {"date": f"{start}T22:00", "place": "Praça", "article": "64-I", "description": "Som alto"}
    signature = {"by": "recusa", "witnesses": ["Ana Souza", "Caio Dias"]}
    cited = {"articles_infringed": ["64-I"], "articles_penalty": ["64-T"]}
    yield act("lavratura", 1, "fiscal", infrator=person, fact=fact, signature=signature, perigo_iminente="risco")
    yield act("ciencia", 5, "fiscal", method="postal")
    yield act("julgamento", 40, "secretario", outcome="subsistente", report="r", grounds="g", **cited)
    yield act("ciencia_decisao", 45, "fiscal", method="postal")
    yield act("intimacao_pagamento", 80, "secretario", method="postal")


def write(path: Path, autos: int) -> int:
    """The file; how many acts it has."""
    lines = [json.dumps(act, ensure_ascii=False) for number in range(autos) for act in acts_of(number)]
    random.Random(1).shuffle(lines)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def peak() -> int:
    """The most memory this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main(autos: int) -> None:
    """Stage, apply, import again, check, print."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "atos.jsonl"
        count = write(path, autos)
        engine = open_engine(f"sqlite:///{folder}/bench.db", create=True)
        upgrade(engine)
        with session_scope(engine) as session:
            value = SuppliedUnitValue("VRSGP", date(2012, 9, 18), Decimal("30.00"), "valor inventado")
            supplied.set_unit_value(session, PLACE, LAW, value, recorded_at=NOW.isoformat())
        for label, applied in (("first", count), ("again", 0)):
            before, started = peak(), time.process_time()
            with open_acts(str(path)) as file, closing(Staging()) as staging:
                for _ in stage(LineReader(file, "utf-8"), staging):
                    pass
                staged, held = time.process_time(), peak()
                report = import_acts(engine, staging, recorded_at=NOW)
            done = time.process_time()
            assert (report.applied, report.rejected) == (applied, []), report.rejected[:3]
            rates = [count / (b - a) for a, b in ((started, staged), (staged, done), (started, done))]
            print(
                f"{label}: {count} acts; acts/s staged {rates[0]:,.0f}, applied {rates[1]:,.0f}, both {rates[2]:,.0f}; "
                f"staging held {held - before} MB more; peak {peak()} MB"
            )
        with session_scope(engine, read_only=True) as session:
            states = Counter(session.scalars(text("SELECT state FROM posturas_cases")))
        assert states == {"aguardando_pagamento": autos}, states
        engine.dispose()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
