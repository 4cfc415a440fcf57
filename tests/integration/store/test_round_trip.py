"""What is saved is what is loaded, on both databases."""

from __future__ import annotations

import copy
import hashlib
import json
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, text

from procedure.domain.case import Case
from procedure.domain.chain import seal
from procedure.domain.moment import Moment
from procedure.domain.vocabulary import DeadlineStatus, State
from procedure.store.engine import session_scope
from procedure.store.repository import SqlRepository
from tests.integration.store.samples import (
    EVERY_ACCENT,
    FOUR_BYTES,
    IBGE,
    ZONE,
    act,
    add_act,
    at,
    deadline,
    inscription,
    new_case,
)


def save(engine: Engine, *cases: Case) -> None:
    with session_scope(engine) as session:
        SqlRepository(session).save(cases)


def load(engine: Engine, auto: str = "17/2013") -> Case:
    with session_scope(engine, read_only=True) as session:
        return SqlRepository(session).load(IBGE, [auto], lock=False)[auto]


def test_a_case_comes_back_with_its_deadlines_inscription_and_amounts(engine: Engine) -> None:
    case = new_case()
    clock = at("2018-02-15T09:35:00")
    case.deadlines.append(
        deadline(1, date(2018, 2, 15), kind="pagamento", term="48h", first_counted=None, last_counted=None,
                 due_at=clock, expires_at=clock, alternatives=(), internal=True, supersedes=1, closed_by=2,
                 undone=True, status=DeadlineStatus.CANCELADO, track="licenca")
    )  # fmt: skip
    case.inscription = inscription(case, 1)
    given = copy.deepcopy(case)
    save(engine, case)

    given.version, given.new_acts = 1, []
    for item in given.deadlines:
        item.stored = True
    assert given.inscription is not None
    given.inscription.dirty = False
    assert load(engine) == given
    assert str(load(engine).deadlines[1].due_at) == "2018-02-15T09:35:00-02:00"  # summer time
    assert case == given, "saving leaves the case in memory as it is stored"


def test_acts_come_back_in_order_with_the_very_hash(engine: Engine) -> None:
    case = new_case()
    first = copy.deepcopy(case.new_acts[0])
    save(engine, case)
    second = copy.deepcopy(add_act(case, "ciencia", date(2013, 3, 9), at=at("2013-03-09T08:00:00"), key="k-2"))
    save(engine, case)
    with session_scope(engine, read_only=True) as session:
        stored = SqlRepository(session).acts(IBGE, "17/2013")
    assert stored == [first, second]
    assert stored[1].prev_hash == stored[0].hash
    assert load(engine).last_hash == second.hash


def test_the_hash_is_that_of_the_text_in_the_database(engine: Engine) -> None:
    """Computed here from the stored columns by the frozen form, not by the code that made it."""
    save(engine, new_case())
    with engine.connect() as connection:
        row = connection.execute(text("SELECT * FROM posturas_acts")).one()
    assert EVERY_ACCENT in row.payload
    assert FOUR_BYTES in row.payload
    assert EVERY_ACCENT in row.actor
    names = "municipality auto seq kind at recorded_at actor role office key rulebook_version calendar_version deadline"
    head = json.dumps(
        ["posturas-1", *(row._mapping[name] for name in names.split()), row.prev_hash],
        ensure_ascii=False,
        separators=(",", ":"),
    )
    assert hashlib.sha256(f"{head[:-1]},{row.payload}]".encode()).hexdigest() == row.hash
    assert row.prev_hash == "0" * 64
    assert row.at == "2013-03-08"
    assert row.at_epoch == 1362711600  # 2013-03-08T00:00:00-03:00


def test_an_update_changes_the_row_the_deadline_and_the_inscription(engine: Engine) -> None:
    case = new_case()
    case.inscription = inscription(case, 1)
    save(engine, case)
    case = load(engine)
    add_act(case, "decurso_defesa", date(2013, 3, 26), deadline="1:defesa")
    case.state, case.pago = State.EM_JULGAMENTO, 100
    case.deadlines[0].status, case.deadlines[0].closed_by, case.deadlines[0].dirty = DeadlineStatus.VENCIDO, 2, True
    case.deadlines.append(deadline(2, date(2013, 4, 10), kind="recurso"))
    assert case.inscription is not None
    case.inscription.status, case.inscription.dirty = "cancelado", True
    save(engine, case)

    again = load(engine)
    assert (again.version, again.state, again.pago, again.last_seq) == (2, State.EM_JULGAMENTO, 100, 2)
    assert [(d.kind, d.status, d.closed_by) for d in again.deadlines] == [
        ("defesa", DeadlineStatus.VENCIDO, 2),
        ("recurso", DeadlineStatus.ABERTO, None),
    ]
    assert again.inscription is not None
    assert again.inscription.status == "cancelado"


def test_thousands_of_cases_are_saved_and_loaded_in_bulk(engine: Engine) -> None:
    """More than one chunk, and more autos than SQLite takes variables (32,766 or 999)."""
    save(engine, *(new_case(f"{number:05}/2013") for number in range(6_001)))
    with session_scope(engine) as session:
        repository = SqlRepository(session)
        autos = list(repository.stream_autos(IBGE))
        assert autos == [f"{number:05}/2013" for number in range(6_001)]
        loaded = repository.load(IBGE, autos, lock=True)
        assert list(loaded) == autos
        for case in loaded.values():
            case.deadlines[0].status, case.deadlines[0].dirty = DeadlineStatus.VENCIDO, True
            add_act(case, "decurso_defesa", date(2013, 3, 26))
        repository.save(list(loaded.values()))
    with engine.connect() as connection:
        counted = connection.execute(text("SELECT status, count(*) FROM posturas_deadlines GROUP BY status")).all()
        assert [tuple(row) for row in counted] == [("vencido", 6_001)]
        assert connection.execute(text("SELECT count(*), min(version) FROM posturas_cases")).one() == (6_001, 2)
        assert connection.execute(text("SELECT count(*) FROM posturas_acts")).scalar_one() == 12_002


def test_every_act_gives_one_event_in_order_in_the_shape_of_an_import_line(engine: Engine) -> None:
    case = new_case()
    save(engine, case)
    add_act(case, "ciencia", date(2013, 3, 9), payload={"method": "pessoal", "actor": "not this"})
    save(engine, case, new_case("18/2013"))
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT id, auto, seq, event FROM posturas_outbox ORDER BY id")).all()
    assert [(row.id, row.auto, row.seq) for row in rows] == [(1, "17/2013", 1), (2, "17/2013", 2), (3, "18/2013", 1)]
    event = json.loads(rows[1].event)
    assert (event["act"], event["date"], event["method"]) == ("ciencia", "2013-03-09", "pessoal")
    assert event["actor"].startswith("Zé"), "the common fields hold over a payload's"
    assert event["law"] == "lei-1522-2005"


def test_key_order_is_that_of_code_points(engine: Engine) -> None:
    autos = ["a/1", "B/1", "á/1", "Z-2", "10/2013", "9/2013", "z 1", "z-1", "z1", "𝟙"]
    save(engine, *(new_case(auto) for auto in autos))
    with session_scope(engine, read_only=True) as session:
        repository = SqlRepository(session)
        assert list(repository.stream_autos(IBGE)) == sorted(autos)
        assert list(repository.load(IBGE, autos, lock=True)) == sorted(autos)
        assert repository.due_autos(IBGE, 2**40, "", 100) == sorted(autos)


def test_due_autos_are_those_whose_open_deadline_ended_before(engine: Engine) -> None:
    """The moment itself is not before; a closed deadline and another municipality do not count."""
    due = date(2013, 3, 25)
    end = Moment.end_of_day(due, ZONE).epoch
    assert end == 1364266799  # 2013-03-25T23:59:59-03:00
    late = new_case("2/2013", deadlines=[deadline(1, due + timedelta(days=1))])
    done = new_case("3/2013", deadlines=[deadline(1, due, status=DeadlineStatus.CUMPRIDO)])
    two = new_case("4/2013", deadlines=[deadline(1, due), deadline(1, due, kind="recurso")])
    save(engine, new_case("1/2013"), late, done, two, new_case("5/2013", municipality="3100000"))
    with session_scope(engine) as session:
        repository = SqlRepository(session)
        for due_in in (repository.due_autos, repository.claim_due):
            assert due_in(IBGE, end, "", 10) == []
            assert due_in(IBGE, end + 1, "", 10) == ["1/2013", "4/2013"]
            assert due_in(IBGE, end + 1, "", 1) == ["1/2013"]
            assert due_in(IBGE, end + 1, "1/2013", 10) == ["4/2013"]
        assert repository.municipalities() == ["3100000", IBGE]


def test_searches_and_the_register(engine: Engine) -> None:
    first = new_case("1/2013")
    first.inscription = inscription(first, 2)
    second = new_case("2/2013", state=State.INSCRITO, person_key="k2", deadlines=[deadline(1, date(2013, 4, 1))])
    second.inscription = inscription(second, 1)
    hidden = new_case("3/2013", deadlines=[deadline(1, date(2013, 4, 1), internal=True)])
    save(engine, first, second, hidden)
    with session_scope(engine, read_only=True) as session:
        repository = SqlRepository(session)

        def autos(**conditions: Any) -> list[str]:
            return [case.auto for case in repository.search_autos(IBGE, **conditions)]

        assert autos() == ["1/2013", "2/2013", "3/2013"]
        assert autos(states=["inscrito"]) == ["2/2013"]
        assert autos(due_until=date(2013, 3, 31)) == ["1/2013"]
        assert autos(due_from=date(2013, 4, 1), due_until=date(2013, 4, 1)) == ["2/2013"]
        assert autos(person_key="k2") == ["2/2013"]
        assert autos(limit=1) == ["1/2013"]
        assert [case.deadlines[0].kind for case in repository.search_autos(IBGE, limit=1)] == ["defesa"]
        assert [row["number"] for row in repository.inscriptions(IBGE)] == [1, 2]
        [row] = repository.inscriptions(IBGE, number="2/2013")
        assert (row["auto"], row["day"], row["termo"]) == (
            "1/2013", date(2013, 4, 29), {"devedor": EVERY_ACCENT, "valor": "363.00"},
        )  # fmt: skip
        assert repository.autos_of_person(IBGE, "k1") == ["1/2013", "3/2013"]
        assert repository.inscriptions(IBGE, number="3/2013") == []


def test_kept_calendars_and_rulebooks(engine: Engine) -> None:
    with session_scope(engine) as session:
        repository = SqlRepository(session)
        assert repository.calendar_document("c1") is None
        repository.keep_calendar("c1", {"dias": [EVERY_ACCENT]})
        repository.keep_calendar("c1", {"dias": ["other"]})
        repository.keep_rulebook("r1", "lei-1522-2005", "[lei]\n")
        repository.keep_rulebook("r1", "lei-1522-2005", "other")
    with session_scope(engine, read_only=True) as session:
        repository = SqlRepository(session)
        assert repository.calendar_document("c1") == {"dias": [EVERY_ACCENT]}
        assert repository.rulebook_text("r1") == "[lei]\n"
        assert repository.rulebook_text("r2") is None


@pytest.mark.parametrize("odd", ["a\x1fb", "\x1e", "", "NULL", "\\N", '{"a,b"}', "%s :x ?"])
def test_no_value_is_mistaken_for_a_separator_or_for_null(engine: Engine, odd: str) -> None:
    """Among enough rows for PostgreSQL to get them joined."""
    cases = [new_case(f"{number:03}", new_acts=[act(1, "lavratura", date(2013, 3, 8))]) for number in range(60)]
    cases[30].new_acts = [act(1, "lavratura", date(2013, 3, 8), actor=odd, office=None, key="k")]
    seal(cases[30])
    save(engine, *cases)
    with session_scope(engine, read_only=True) as session:
        repository = SqlRepository(session)
        for number in (29, 30, 31, 59):
            [stored] = repository.acts(IBGE, f"{number:03}")
            assert (stored.actor, stored.key) == (
                (odd, "k") if number == 30 else (f"Zé {EVERY_ACCENT} {FOUR_BYTES}", None)
            )
