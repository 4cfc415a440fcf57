"""``posturas sweep``: once, confluent, isolated, proved, resumable."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text

from procedure.cli.sweep import Stop, document
from procedure.domain.case import Case
from procedure.domain.moment import Moment
from procedure.services.context import zone_of
from procedure.store import sweep_heads, sweeping
from procedure.store.engine import READ_ONLY, open_engine, session_scope
from procedure.store.repository import SqlRepository
from procedure.store.sweep_run import Order, Report
from tests.integration.cli.scenes import (
    FIRM,
    IBGE,
    PERSON,
    Act,
    Cli,
    inscribed_case,
    lavratura,
    opened,
    record,
    served,
    supply_unit,
    to_payment,
)

KEYS = {
    "run_id", "as_of", "examined", "expired", "by_kind", "inscribed", "surcharged", "returned_to_origin", "failed",
    "seconds",
}  # fmt: skip
TABLES = (
    "posturas_cases", "posturas_acts", "posturas_deadlines", "posturas_inscriptions", "posturas_counters",
    "posturas_outbox", "posturas_sweep_runs", "posturas_sweep_failures", "posturas_calendars", "posturas_rulebooks",
)  # fmt: skip
START = date(2013, 3, 1)
NO_DOC = {"name": "Rui Dias", "kind": "pf", "address": {"street": "Rua C", "uf": "ES"}}  # the gate returns it


def counts(url: str) -> dict[str, int]:
    with opened(url) as engine, engine.connect() as connection:
        return {name: connection.scalar(text(f"SELECT count(*) FROM {name}")) or 0 for name in TABLES}


def cases(url: str) -> dict[str, Case]:
    with opened(url) as engine, session_scope(engine) as session:
        repo = SqlRepository(session)
        return repo.load(IBGE, list(repo.stream_autos(IBGE)), lock=False)


def legal_record(url: str) -> dict[str, Any]:
    """What spec 05 says must be equal, whenever the sweeps ran: numbers, livro, folha and instants left out."""
    found = {}
    with opened(url) as engine, session_scope(engine) as session:
        repo = SqlRepository(session)
        for auto, case in repo.load(IBGE, list(repo.stream_autos(IBGE)), lock=False).items():
            item = case.inscription
            found[auto] = {
                "state": case.state,
                "amounts": (case.arbitrada, case.acrescimo, case.pago, case.saldo),
                "deadlines": sorted(
                    (d.kind, d.number, d.status, str(d.due_at), str(d.expires_at), d.undone) for d in case.deadlines
                ),
                "inscription": item and (item.day, item.original_amount, item.charges, item.status),
                "acts": [(a.kind, str(a.at), a.deadline, _plain(a.payload)) for a in repo.acts(IBGE, auto)],
            }
    return found


def _plain(payload: dict[str, Any]) -> str:
    """The payload without what the register gives, nor the digests, which hang on each installation's key."""
    kept = json.loads(json.dumps(payload))
    for name in ("number", "livro", "folha"):
        kept.pop(name, None)
    pending = [kept]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            for name in ("person", "digest", "key"):
                value.pop(name, None)
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)
    return json.dumps(kept, sort_keys=True)


def busy_office(url: str) -> None:
    """Cases at every stage at which a term runs, starting on different days; one whose gate will refuse."""
    supply_unit(url)
    acts: list[Act] = []
    for number in range(8):
        day = START + timedelta(days=number)
        person = (FIRM, PERSON, NO_DOC)[number % 3]
        acts += to_payment(f"{number + 1}/2013", day, person=person)[: 5 if number < 4 else 2]
    record(url, acts)


def test_the_answer_has_the_contract_s_keys(sao_gabriel: Cli) -> None:
    inscribed_case(sao_gabriel.url)
    first = sao_gabriel.json("sweep", "--as-of", "2013-04-27T03:00")
    assert set(first) >= KEYS
    # The expiries of defence and appeal were concluded when the later acts were recorded.
    assert (first["examined"], first["expired"], first["by_kind"], first["surcharged"]) == (1, 1, {"pagamento": 1}, 1)
    assert (first["inscribed"], first["returned_to_origin"], first["failed"]) == (0, 0, [])
    assert cases(sao_gabriel.url)["1/2013"].state == "vencido"
    second = sao_gabriel.json("sweep", "--as-of", "2013-04-29")
    assert (second["run_id"], second["expired"], second["inscribed"]) == (first["run_id"] + 1, 0, 1)


def test_numbers_do_not_hang_on_which_page_was_decided_first(
    sao_gabriel: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages are decided side by side (on PostgreSQL) and written in their order: the first one is the slowest here."""
    for number in range(1, 6):
        inscribed_case(sao_gabriel.url, f"{number}/2013")
    whole = sweeping.sweep_page

    def slow_first(repo: Any, groups: Any, autos: list[str], *args: Any, **kwargs: Any) -> Any:
        if autos == ["1/2013"]:
            time.sleep(0.5)
        return whole(repo, groups, autos, *args, **kwargs)

    monkeypatch.setattr(sweeping, "CHUNK", 1)
    monkeypatch.setattr(sweeping, "sweep_page", slow_first)
    assert sao_gabriel.json("sweep", "--as-of", "2013-05-01")["inscribed"] == 5
    listed = sao_gabriel.json("divida-ativa", "list")
    assert [(line["number"], line["auto"]) for line in listed] == [(f"{n}/2013", f"{n}/2013") for n in range(1, 6)]


def test_a_day_without_an_hour_is_its_midnight(sao_gabriel: Cli) -> None:
    record(
        sao_gabriel.url,
        [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00"), served("1/2013", "ciencia", "2013-03-08")],
    )
    assert sao_gabriel.json("sweep", "--as-of", "2013-03-25")["expired"] == 0  # due that day: not over yet
    assert sao_gabriel.json("sweep", "--as-of", "2013-03-25T23:59:59")["expired"] == 0
    assert sao_gabriel.json("sweep", "--as-of", "2013-03-26")["expired"] == 1


def test_run_twice_the_second_writes_nothing_but_its_run(sao_gabriel: Cli) -> None:
    busy_office(sao_gabriel.url)
    sao_gabriel("sweep", "--as-of", "2014-01-01")
    once = counts(sao_gabriel.url)
    assert sao_gabriel.json("sweep", "--as-of", "2014-01-01")["expired"] == 0
    again = counts(sao_gabriel.url)
    assert again.pop("posturas_sweep_runs") == once.pop("posturas_sweep_runs") + 1
    assert again == once


def test_a_dry_run_says_what_it_would_do_and_writes_nothing(sao_gabriel: Cli) -> None:
    busy_office(sao_gabriel.url)
    before = counts(sao_gabriel.url)
    said = sao_gabriel.json("sweep", "--as-of", "2014-01-01", "--dry-run")
    assert counts(sao_gabriel.url) == before
    assert said["run_id"] is None
    done = sao_gabriel.json("sweep", "--as-of", "2014-01-01")
    for name in ("run_id", "seconds"):
        said.pop(name), done.pop(name)
    assert said == done
    assert (done["inscribed"], done["returned_to_origin"]) == (3, 1)


def test_a_hundred_nightly_sweeps_equal_one_at_the_end(sao_gabriel: Cli, another_url: Callable[[], str]) -> None:
    once = another_url()
    busy_office(sao_gabriel.url)
    busy_office(once)
    for night in range(101):
        day = (START + timedelta(days=night)).isoformat()
        assert sao_gabriel("sweep", "--as-of", day, "--json")[0] == 0
    last = (START + timedelta(days=100)).isoformat()
    assert sao_gabriel("sweep", "--as-of", last, url=once)[0] == 0
    nightly = legal_record(sao_gabriel.url)
    assert nightly == legal_record(once)
    assert {c["state"] for c in nightly.values()} == {"em_julgamento", "inscrito", "devolvido_a_origem"}


def test_limit_and_keep_runs(sao_gabriel: Cli) -> None:
    busy_office(sao_gabriel.url)
    for examined in (3, 3, 2):
        answer = sao_gabriel.json("sweep", "--as-of", "2014-01-01", "--limit", "3", "--keep-runs", "2")
        assert answer["examined"] == examined
    assert counts(sao_gabriel.url)["posturas_sweep_runs"] == 2


def test_each_run_stores_the_digest_of_the_heads(sao_gabriel: Cli) -> None:
    busy_office(sao_gabriel.url)
    sao_gabriel("sweep", "--as-of", "2014-01-01")
    head = sao_gabriel.json("verify", "--head")["municipalities"][0]["head"]
    assert _kept_head(sao_gabriel.url) == head


def test_the_heads_are_read_behind_the_pages(
    sao_gabriel: Cli, dialect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if dialect == "sqlite":
        pytest.skip("SQLite has one lane")
    busy_office(sao_gabriel.url)
    monkeypatch.setattr(sweeping, "CHUNK", 1)
    made: list[sweep_heads.HeadsBehind] = []

    def behind(engine: Engine, municipality: str) -> sweep_heads.HeadsBehind:
        made.append(sweep_heads.HeadsBehind(engine, municipality))
        return made[-1]

    monkeypatch.setattr(sweeping, "HeadsBehind", behind)
    sao_gabriel("sweep", "--as-of", "2014-01-01")
    head = sao_gabriel.json("verify", "--head")["municipalities"][0]["head"]
    # Whether it is kept hangs on what else the server does, of which the marks of events speak: read it is.
    assert [(one._complete, one._digest.hexdigest()) for one in made] == [(True, head)]
    assert _kept_head(sao_gabriel.url) == head


def test_a_case_passed_over_and_swept_at_the_end_is_in_the_digest(
    sao_gabriel: Cli, dialect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if dialect == "sqlite":
        pytest.skip("SQLite locks the whole database")
    busy_office(sao_gabriel.url)
    leftovers = sweeping._leftovers
    with opened(sao_gabriel.url) as engine, engine.connect() as other:
        other.execute(text("SELECT 1 FROM posturas_cases WHERE auto = '1/2013' FOR UPDATE"))

        def after_the_other(*given: Any) -> None:
            other.rollback()
            leftovers(*given)

        monkeypatch.setattr(sweeping, "_leftovers", after_the_other)
        assert sao_gabriel.json("sweep", "--as-of", "2014-01-01")["failed"] == []
    assert _kept_head(sao_gabriel.url) == sao_gabriel.json("verify", "--head")["municipalities"][0]["head"]


def test_a_night_with_nothing_due_reads_no_head_behind(
    sao_gabriel: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy_office(sao_gabriel.url)
    sao_gabriel("sweep", "--as-of", "2014-01-01")
    asked: list[object] = []
    monkeypatch.setattr(sweep_heads, "head_lines", lambda *given: asked.append(given) or iter(()))
    sao_gabriel("sweep", "--as-of", "2014-01-03")
    assert asked == []


def test_an_act_recorded_while_a_sweep_runs_is_in_its_digest(
    sao_gabriel: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy_office(sao_gabriel.url)
    finish = sweeping._finish

    def after_another(engine: Engine, order: Order, report: Report) -> None:
        record(sao_gabriel.url, [lavratura("0/2013", "2013-05-21", fact="2013-05-20T22:00")])  # the first of all autos
        finish(engine, order, report)

    monkeypatch.setattr(sweeping, "_finish", after_another)
    sao_gabriel("sweep", "--as-of", "2014-01-01")
    assert _kept_head(sao_gabriel.url) == sao_gabriel.json("verify", "--head")["municipalities"][0]["head"]


def _kept_head(url: str) -> str:
    with opened(url) as engine, engine.connect() as connection:
        return str(connection.scalar(text("SELECT head FROM posturas_sweep_runs")))


@pytest.mark.parametrize("facts", ["{", "[]", '{"assessment": 3}'])
def test_a_poisoned_case_is_set_aside_and_the_others_go_on(sao_gabriel: Cli, facts: str) -> None:
    busy_office(sao_gabriel.url)
    with opened(sao_gabriel.url) as engine, engine.begin() as connection:
        change = text("UPDATE posturas_cases SET facts = :facts WHERE auto = '2/2013'")
        connection.execute(change, {"facts": facts})
    answer = sao_gabriel.json("sweep", "--as-of", "2014-01-01", code=1)
    assert [f["auto"] for f in answer["failed"]] == ["2/2013"]
    assert set(answer["failed"][0]) >= {"auto", "code", "message"}
    assert answer["inscribed"] == 2
    assert {a for a, d in _open(sao_gabriel.url)} == {"2/2013"}
    with opened(sao_gabriel.url) as engine, engine.connect() as connection:
        kept = connection.execute(text("SELECT auto, code FROM posturas_sweep_failures")).all()
    assert [tuple(row) for row in kept] == [("2/2013", answer["failed"][0]["code"])]


def _open(url: str) -> list[tuple[str, str]]:
    with opened(url) as engine, engine.connect() as connection:
        rows = connection.execute(text("SELECT auto, kind FROM posturas_deadlines WHERE status = 'aberto'"))
        return [(row.auto, row.kind) for row in rows]


def test_a_case_whose_writing_is_refused_is_set_aside_alone(sao_gabriel: Cli) -> None:
    """Its deadline was opened again by hand: the expiry is already on record, once."""
    busy_office(sao_gabriel.url)
    sao_gabriel("sweep", "--as-of", "2013-03-20")  # too early for anything
    with opened(sao_gabriel.url) as engine, engine.begin() as connection:
        reopen = "UPDATE posturas_deadlines SET status = 'aberto' WHERE auto = '1/2013' AND kind = 'defesa'"
        connection.execute(text(reopen))
        connection.execute(
            text("UPDATE posturas_cases SET state = 'aguardando_defesa' WHERE auto = '1/2013'"),
        )
    answer = sao_gabriel.json("sweep", "--as-of", "2014-01-01", code=1)
    assert [(f["auto"], f["code"]) for f in answer["failed"]] == [("1/2013", "decurso_ja_registrado")]
    assert answer["examined"] == 8
    assert answer["inscribed"] == 2


def test_sqlite_with_two_workers_says_that_it_uses_one(sao_gabriel: Cli, dialect: str) -> None:
    busy_office(sao_gabriel.url)
    code, _, err = sao_gabriel("sweep", "--as-of", "2014-01-01", "--workers", "2")
    assert code == 0
    assert ("usa um processo" in err) is (dialect == "sqlite")
    numbers = sorted(c.inscription.number for c in cases(sao_gabriel.url).values() if c.inscription)
    assert numbers == [1, 2, 3]


def test_a_case_held_by_another_transaction_is_reported_and_done_later(sao_gabriel: Cli, dialect: str) -> None:
    if dialect == "sqlite":
        pytest.skip("SQLite locks the whole database")
    busy_office(sao_gabriel.url)
    with opened(sao_gabriel.url) as engine, engine.begin() as connection:
        connection.execute(text("SELECT auto FROM posturas_cases WHERE auto = '1/2013' FOR UPDATE"))
        answer = sao_gabriel.json("sweep", "--as-of", "2014-01-01", code=1)
    assert [(f["auto"], f["code"]) for f in answer["failed"]] == [("1/2013", "caso_ocupado")]
    assert answer["inscribed"] == 2
    assert sao_gabriel.json("sweep", "--as-of", "2014-01-01")["inscribed"] == 1


KILLED = """
import sys
from procedure.store import sweeping
sweeping.CHUNK = 2
from procedure.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def _process(url: str, as_of: str, script: str = KILLED, *options: str) -> subprocess.Popen[bytes]:
    """A sweep in a process (and group) of its own."""
    command = [sys.executable, "-c", script, "sweep", "--as-of", as_of, "--db", url, *options]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*filter(None, sys.path), str(Path.cwd())])}
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, start_new_session=True
    )


def test_kill_minus_nine_loses_and_repeats_nothing(sao_gabriel: Cli, another_url: Callable[[], str]) -> None:
    calm = another_url()
    for url in (sao_gabriel.url, calm):
        supply_unit(url)
        days = [START + timedelta(days=n) for n in range(14)]
        record(url, [a for n, day in enumerate(days) for a in to_payment(f"{n + 1:02}/2013", day)])
    chance = random.Random(20130308)
    for _ in range(3):
        process = _process(sao_gabriel.url, "2014-01-01")
        written = _wait_for_a_chunk(sao_gabriel.url, process, counts(sao_gabriel.url)["posturas_acts"])
        time.sleep(chance.random() * 0.05)
        process.kill()
        process.wait()
        if not written:
            break
    assert sao_gabriel.json("sweep", "--as-of", "2014-01-01")["failed"] == []
    sao_gabriel("sweep", "--as-of", "2014-01-01", url=calm)
    assert legal_record(sao_gabriel.url) == legal_record(calm)
    numbers = sorted(c.inscription.number for c in cases(sao_gabriel.url).values() if c.inscription)
    assert numbers == list(range(1, 15))
    assert sao_gabriel.json("verify", "--deep")["defects"] == []


def _wait_for_a_chunk(url: str, process: subprocess.Popen[bytes], before: int) -> bool:
    """Whether the sweep wrote something more before it ended by itself."""
    with opened(url) as engine:
        while process.poll() is None:
            with engine.connect().execution_options(**{READ_ONLY: True}) as connection:
                if connection.scalar(text("SELECT count(*) FROM posturas_acts")) > before:
                    return True
            time.sleep(0.01)
    return False


SLOW = """
import sys, time
from procedure.store import sweeping
sweeping.CHUNK = 1
whole = sweeping._one_chunk
def slow(*args, **kwargs):
    chunk = whole(*args, **kwargs)
    time.sleep(0.3)
    return chunk
sweeping._one_chunk = slow
from procedure.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def test_sigterm_finishes_the_chunk_and_the_next_sweep_goes_on(sao_gabriel: Cli) -> None:
    busy_office(sao_gabriel.url)
    process = _process(sao_gabriel.url, "2014-01-01", SLOW)
    assert _wait_for_a_chunk(sao_gabriel.url, process, counts(sao_gabriel.url)["posturas_acts"])
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 1
    with opened(sao_gabriel.url) as engine, engine.connect() as connection:
        run = connection.execute(text("SELECT status, examined FROM posturas_sweep_runs")).one()
    assert run.status == "interrompida"
    assert 1 <= run.examined < 8
    assert sao_gabriel.json("sweep", "--as-of", "2014-01-01")["examined"] == 8 - run.examined


def test_an_empty_database_has_nothing_to_sweep(cli: Cli) -> None:
    answer = cli.json("sweep", "--as-of", "2014-01-01")
    assert set(answer) >= KEYS
    assert (answer["examined"], answer["failed"], answer["runs"]) == (0, [], [])
    assert cli("sweep", "--as-of", "2014-01-01")[0] == 0


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("--as-of", "amanhã"),
        ("--as-of", "2014-01-01", "--workers", "0"),
        ("--as-of", "2014-01-01", "--limit", "-1"),
        ("--as-of", "2014-01-01", "--workers", "dois"),
        ("--as-of", "2014-01-01", "--municipality", "1"),
    ],
)
def test_bad_usage_is_exit_code_two(sao_gabriel: Cli, args: tuple[str, ...]) -> None:
    record(sao_gabriel.url, [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00")])
    assert sao_gabriel("sweep", *args)[0] == 2


def test_several_municipalities_are_summed_with_one_run_each() -> None:
    one, two = Report("3204708", "2014-01-01", 3), Report("3129509", "2014-01-01", 7)
    one.totals.expired, two.totals.expired = 2, 5
    one.by_kind.update({"defesa": 2})
    two.by_kind.update({"defesa": 4, "recurso": 1})
    two.failures["9/2013"] = ("caso_ocupado", "em uso")
    answer = document([one, two], "2014-01-01")
    assert set(answer) >= KEYS
    assert (answer["run_id"], answer["expired"], answer["by_kind"]) == (None, 7, {"defesa": 6, "recurso": 1})
    assert [f["auto"] for f in answer["failed"]] == ["9/2013"]
    assert [run["run_id"] for run in answer["runs"]] == [3, 7]


def test_the_stop_flag_is_what_the_signal_sets() -> None:
    stop = Stop()
    assert not stop()
    stop.ask(signal.SIGTERM, None)
    assert stop()


GROUP = """
import sys
from procedure.store import sweeping
sweeping.CHUNK = 1
from procedure.cli.main import main
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""


def test_each_due_case_is_in_one_worker_s_share(sao_gabriel: Cli) -> None:
    busy_office(sao_gabriel.url)
    order = Order(IBGE, Moment.of_day(date(2014, 1, 1), zone_of(IBGE)), datetime(2014, 1, 1, tzinfo=UTC))
    engine = open_engine(sao_gabriel.url)
    shares = [
        {auto for page in sweeping._pages(engine, order, Report(IBGE, ""), (part, 3)) for auto in page}
        for part in range(3)
    ]
    whole = [auto for page in sweeping._pages(engine, order, Report(IBGE, "")) for auto in page]
    engine.dispose()
    assert sorted(auto for share in shares for auto in share) == sorted(whole)
    assert sum(map(bool, shares)) > 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_signalled_with_their_parent_lose_nothing(
    sao_gabriel: Cli, dialect: str, number: signal.Signals
) -> None:
    """A supervisor signals the whole group of processes, not only the first."""
    if dialect == "sqlite":
        pytest.skip("SQLite has one worker")
    busy_office(sao_gabriel.url)
    process = _process(sao_gabriel.url, "2014-01-01", GROUP, "--workers", "2")
    _wait_for_a_chunk(sao_gabriel.url, process, counts(sao_gabriel.url)["posturas_acts"])
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pytest.skip("the sweep was quicker than its signal")
    assert process.wait(timeout=30) in (0, 1, -number)
    assert sao_gabriel.json("sweep", "--as-of", "2014-01-01")["failed"] == []
    numbers = sorted(c.inscription.number for c in cases(sao_gabriel.url).values() if c.inscription)
    assert numbers == [1, 2, 3]
    assert sao_gabriel.json("verify")["ok"] is True
