"""The size of chunks changes nothing, and what the database refuses in a chunk is found and set aside."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from procedure.services.importing.lines import LineReader, open_acts
from procedure.services.importing.staging import Staging, stage
from procedure.store import importing
from procedure.store.buffered import BufferedRepository
from procedure.store.engine import open_engine
from procedure.store.errors import DatabaseBusy, StaleCase, StoreError
from tests.integration.importing.samples import NOW, PLACE, Office, act, drawn, inscribed_case, jsonl, served
from tests.integration.importing.test_order import STATES, history

OTHER_FIRM = "12345678000195"


def busy_day() -> list[dict[str, object]]:
    """Many autos of one day, each with three acts that only the machine orders."""
    found = []
    for number in range(1, 8):
        auto = f"D{number}/2013"
        found += [
            served(auto, "ciencia", "2013-03-04"),
            act(auto, "pagamento", "2013-03-04T15:00", "tesouraria", amount="10"),
            drawn(auto, "2013-03-01T23:10", "2013-03-04", doc=OTHER_FIRM),
        ]
    return found


@pytest.mark.parametrize("size", [1, 2, 5])
def test_the_size_of_a_chunk_changes_nothing(office: Office, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(importing, "CHUNK", size)
    lines = [*history(), *busy_day()]
    random.Random(size).shuffle(lines)
    code, answer = office.import_acts(lines)
    assert (code, answer["applied"], answer["rejected"]) == (0, len(lines), [])
    found = office.record()
    assert {auto: seen["state"] for auto, seen in found.items() if auto in STATES} == STATES
    kinds = {tuple(a[1] for a in seen["acts"]) for auto, seen in found.items() if auto.startswith("D")}
    assert kinds <= {("lavratura", "ciencia", "pagamento"), ("lavratura", "pagamento", "ciencia")}


def test_an_act_that_the_database_refuses_is_found_and_the_others_are_kept(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    flush = BufferedRepository.flush

    def failing(self: BufferedRepository) -> None:
        if any(auto == "1/2013" and a.kind == "julgamento" for (_, auto), new in self._pending.items() for a in new):
            raise StoreError("recusado de propósito")
        flush(self)

    monkeypatch.setattr(BufferedRepository, "flush", failing)
    code, answer = office.import_acts([*inscribed_case("1/2013"), *inscribed_case("2/2013", OTHER_FIRM)])
    assert (code, answer["applied"], answer["cases"]) == (1, 7, 2)
    assert [(r["line"], r["code"]) for r in answer["rejected"]] == [(3, "erro_do_banco"), (4, "retida"), (5, "retida")]


@pytest.mark.parametrize("failure", [DatabaseBusy(), StaleCase(PLACE, ["1/2013"])])
def test_a_chunk_that_another_transaction_stopped_is_tried_again(
    office: Office, monkeypatch: pytest.MonkeyPatch, failure: StoreError
) -> None:
    flush, failures = BufferedRepository.flush, [failure]

    def failing(self: BufferedRepository) -> None:
        flush(self)
        if failures:
            raise failures.pop()

    monkeypatch.setattr(BufferedRepository, "flush", failing)
    assert office.import_acts(inscribed_case("1/2013"))[1] == {
        "read": 5, "applied": 5, "already_known": 0, "rejected": [], "cases": 1, "undone": [], "dry_run": False,
    }  # fmt: skip
    assert office.case("1/2013").version == 1


def test_a_database_that_stays_busy_stops_the_import_and_running_again_goes_on(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:

        def failing(self: BufferedRepository) -> None:
            raise DatabaseBusy

        patched.setattr(BufferedRepository, "flush", failing)
        code, answer = office.import_acts(inscribed_case("1/2013"))
        assert (code, answer["error"]["code"]) == (2, "banco_ocupado")
    assert office.import_acts(inscribed_case("1/2013"))[1]["applied"] == 5


def test_an_import_after_another_finds_the_cases_as_they_are(office: Office) -> None:
    lines = sorted(history(), key=lambda line: line["date"])
    for start in range(0, len(lines), 4):
        assert office.import_acts(lines[start : start + 4])[1]["rejected"] == []
    assert {auto: seen["state"] for auto, seen in office.record().items()} == STATES
    code, out, _ = office.run("db", "check", "--json")
    assert (code, '"ok": true' in out) == (0, True)


def test_two_imports_of_one_file_at_once_record_it_once(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "CHUNK", 4)
    lines = [*history(), *busy_day()]
    path = office.write(jsonl(lines))
    with ThreadPoolExecutor(3) as pool:
        reports = list(pool.map(lambda _: imported(office.url, path), range(3)))
    assert [report.rejected for report in reports] == [[], [], []]
    assert sum(report.applied for report in reports) == len(lines)
    assert sum(report.already_known for report in reports) == 2 * len(lines)


def imported(url: str, path: str) -> importing.Report:
    engine = open_engine(url)
    with open_acts(path) as file, closing(Staging()) as staging:
        for _ in stage(LineReader(file, "utf-8"), staging):
            pass
        try:
            return importing.import_acts(engine, staging, recorded_at=NOW)
        finally:
            engine.dispose()
