"""How many CDAs a second are printed in one batch, and how much memory the batch takes.

    python -m bench.documents [inscriptions]

The inscriptions are made by recording and sweeping; they are taken as authenticated. The number of files, the text and
the page of a sample of them are checked.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from pypdf import PdfReader

from bench.import_acts import cnpj
from bench.measuring import peak_megabytes
from procedure.documents.batch import print_many
from procedure.domain.document_kinds import DocumentKind
from procedure.domain.moment import Moment, zone
from procedure.domain.rulebooks import rulebook_of
from procedure.services.documenting.building import papers_of_inscriptions
from procedure.services.documenting.casefile import Request
from procedure.services.record import Recorder
from procedure.services.supplying import unit_value
from procedure.store import supplied
from procedure.store.archive import Archive
from procedure.store.engine import open_engine, session_scope
from procedure.store.registered import registered_numbers
from procedure.store.repository import SqlRepository
from procedure.store.schema import upgrade
from procedure.store.sweep_run import Order
from procedure.store.sweeping import sweep_with

PLACE, LAW = "3204708", "es-3204708/lei-1522-2005"
NOW = datetime(2015, 1, 1, 12, tzinfo=UTC)


class Authenticated(Archive):
    """The archive with every inscription authenticated."""

    def inscriptions(self, municipality: str, *, number: str | None = None) -> list[dict[str, Any]]:
        """As kept, authenticated."""
        rows = super().inscriptions(municipality, number=number)
        return [{**row, "termo": {**row["termo"], "authenticated": True}} for row in rows]


def acts_of(number: int) -> Iterator[dict[str, Any]]:
    """An auto nobody answers, from lavratura to the intimation to pay."""

    def act(kind: str, day: str, role: str, **fields: Any) -> dict[str, Any]:
        common = {"municipality": PLACE, "auto": f"{number}/2013", "act": kind, "date": day}
        return {**common, "actor": f"{role} 1", "role": role, **fields}

    served = {"method": "pessoal", "signed_by": "funcionario"}
    address = {"street": "Rua São Cristóvão", "number": str(number), "city": "São Gabriel da Palha", "uf": "ES"}
    person = {"name": f"Empresa São João {number} Ltda", "doc": cnpj(number), "kind": "pj", "address": address}
    fact = {"date": "2013-02-20T22:10", "place": "Avenida A, 1", "article": "64-I", "description": "Som sem alvará."}
    yield act(
        "lavratura", "2013-03-01", "fiscal", infrator=person, fact=fact, perigo_iminente="Hospital ao lado.",
        signature={"by": "recusa", "witnesses": ["Lúcia Pagung", "Ademir Zanotelli"]},
    )  # fmt: skip
    yield act("ciencia", "2013-03-08", "fiscal", received="2013-03-08", juntada="2013-03-08", **served)
    yield act(
        "julgamento", "2013-04-01", "secretario", outcome="subsistente", report="Relatório.", grounds="Provado.",
        articles_infringed=["64-I"], articles_penalty=["64-T"],
    )  # fmt: skip
    yield act("ciencia_decisao", "2013-04-02", "fiscal", received="2013-04-02", juntada="2013-04-02", **served)
    yield act("intimacao_pagamento", "2013-04-24", "tesouraria", received="2013-04-24", juntada="2013-04-24", **served)


def make(engine: Any, count: int) -> None:
    """A database with ``count`` inscriptions."""
    upgrade(engine)
    stamp = NOW.isoformat()
    with session_scope(engine) as session:
        value = unit_value(rulebook_of(LAW), "VRSGP", date(2012, 9, 18), Decimal("30.00"), "Decreto de teste")
        supplied.set_unit_value(session, PLACE, LAW, value, recorded_at=stamp)
        for name in ("authority", "office", "act"):
            supplied.set_option(
                session, PLACE, LAW, f"divida_ativa.{name}", f"{name} de teste", act="Portaria", recorded_at=stamp
            )
    with session_scope(engine) as session:
        recorder = Recorder(SqlRepository(session))
        for number in range(1, count + 1):
            for act in acts_of(number):
                recorder.record(act, recorded_at=NOW)
    sweep_with(engine, Order(PLACE, Moment.of_day(date(2013, 5, 10), zone("America/Sao_Paulo")), NOW))


def check(folder: Path, count: int) -> None:
    """Every file is there; the first, the last and one between say what they must."""
    files = sorted(folder.glob("cda-*.pdf"))
    assert len(files) == count, len(files)
    for file in (files[0], files[len(files) // 2], files[-1]):
        text = "\n".join(page.extract_text() for page in PdfReader(file).pages)
        assert "Natureza: dívida ativa não tributária" in text.splitlines(), file
        assert "Total inscrito: R$ 363,00" in text.splitlines(), file


def main(count: int) -> None:
    """Make, print, check, tell."""
    with tempfile.TemporaryDirectory() as folder:
        engine = open_engine(f"sqlite:///{folder}/bench.db", create=True)
        make(engine, count)
        before, start, used = peak_megabytes(), time.perf_counter(), time.process_time()
        with session_scope(engine, read_only=True) as session:
            archive = Authenticated(session)
            numbers = registered_numbers(archive, PLACE)
            papers = papers_of_inscriptions(archive, PLACE, numbers, DocumentKind.CDA, Request(date(2013, 5, 10)))
            outcome = print_many(papers, Path(folder) / "cda", lambda: None)
        took, used = time.perf_counter() - start, time.process_time() - used
        assert not outcome.failed, outcome.failed[0]
        check(Path(folder) / "cda", count)
        engine.dispose()
    print(f"{count} CDAs in {took:.1f} s: {count / took:.0f} a second; {count / used:.0f} a second of processor")
    print(f"memory: {before:.0f} MB before, {peak_megabytes():.0f} MB at most")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
