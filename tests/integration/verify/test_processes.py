"""Verifying at once and in several processes finds what verifying one by one finds."""

from __future__ import annotations

import pytest

from procedure.services.verifying import Verified, verify
from procedure.store import verifying
from procedure.store.archive import Archive, reading
from tests.integration.cli.scenes import IBGE, Cli, opened
from tests.integration.verify.tampering import run_sql

AUTOS = ["1/2013", "2/2013", "3/2013"]


def one_by_one(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> Verified:
    with monkeypatch.context() as patch:
        patch.setattr(Archive, "proven", lambda *_: {})
        patch.setattr(Archive, "proven_people", lambda *_: set())
        return verify(archive, IBGE)


def test_what_was_not_touched_holds_at_once(office: Cli) -> None:
    """The quick part proves all of a right record, so that the slow one looks at nothing."""
    with opened(office.url) as engine, reading(engine) as archive:
        proven = archive.proven(IBGE, AUTOS)
        named = {(r["person"], r["version"]): r["digest"] for held in proven.values() for _, r in held.persons}
        assert sorted(proven) == AUTOS
        assert sum(held.acts for held in proven.values()) == 22
        assert len(named) >= 3
        assert archive.proven_people(IBGE, named) == set(named)
        assert archive.proven_people(IBGE, dict.fromkeys(named, "0" * 64)) == set()


def test_processes_find_what_one_finds(office: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    run_sql(
        office,
        "UPDATE posturas_acts SET actor = 'Outro' WHERE auto = '1/2013' AND seq = 2",
        "UPDATE posturas_cases SET pago = 1 WHERE auto = '3/2013'",
        "UPDATE posturas_persons SET fields = replace(fields, 'Rua', 'Avenida')",
        "DELETE FROM posturas_inscriptions WHERE auto = '2/2013'",
    )
    monkeypatch.setattr(verifying, "RANGE", 1)
    seen: list[int] = []
    with opened(office.url) as engine, reading(engine) as archive:
        alone = one_by_one(archive, monkeypatch)
        assert {d.auto for d in alone.defects} == {*AUTOS, ""}
        assert verify(archive, IBGE) == alone
        assert verifying.verify_record(archive, IBGE, workers=2, progress=seen.append) == alone
        assert sum(seen) == len(AUTOS)
