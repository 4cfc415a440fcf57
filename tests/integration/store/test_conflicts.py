"""Two writers, one record: stale writes, repeated keys and numbers, counters, row locks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import date

import pytest
from sqlalchemy import Engine, text

from procedure.domain.case import Case
from procedure.store.engine import session_scope
from procedure.store.errors import (
    ExpiryAlreadyRecorded,
    InscriptionConflict,
    KeyAlreadyUsed,
    StaleCase,
    TextNotStorable,
)
from procedure.store.repository import SqlRepository
from tests.integration.store.samples import IBGE, act, add_act, inscription, new_case


def save(engine: Engine, *cases: Case) -> None:
    with session_scope(engine) as session:
        SqlRepository(session).save(cases)


def loaded(engine: Engine, *autos: str) -> list[Case]:
    with session_scope(engine, read_only=True) as session:
        return list(SqlRepository(session).load(IBGE, autos, lock=False).values())


def test_a_stale_write_is_refused_and_names_the_auto(engine: Engine) -> None:
    save(engine, new_case("1/2013"), new_case("2/2013"))
    mine, theirs = loaded(engine, "1/2013", "2/2013"), loaded(engine, "2/2013")
    add_act(theirs[0], "ciencia", date(2013, 3, 9))
    save(engine, *theirs)
    for case in mine:
        add_act(case, "pagamento", date(2013, 3, 10))
    with pytest.raises(StaleCase) as caught:
        save(engine, *mine)
    assert caught.value.error_code == "auto_alterado"
    assert caught.value.autos == ("2/2013",)
    assert mine[0].version == 1, "nothing pending is cleared by a refused save"
    assert len(mine[0].new_acts) == 1
    with session_scope(engine, read_only=True) as session:
        repository = SqlRepository(session)
        assert [item.kind for item in repository.acts(IBGE, "1/2013")] == ["lavratura"]
        assert [item.kind for item in repository.acts(IBGE, "2/2013")] == ["lavratura", "ciencia"]


def test_a_new_case_over_one_that_exists_is_stale(engine: Engine) -> None:
    save(engine, new_case("1/2013"))
    with pytest.raises(StaleCase) as caught:
        save(engine, new_case("1/2013", last_at="2013-03-09", new_acts=[act(1, "comunicacao", date(2013, 3, 9))]))
    assert caught.value.autos == ("1/2013",)


def test_a_key_is_of_one_act_of_the_municipality(engine: Engine) -> None:
    save(engine, new_case("1/2013", new_acts=[act(1, "lavratura", date(2013, 3, 8), key="erp-1")]))
    with pytest.raises(KeyAlreadyUsed):
        save(engine, new_case("2/2013", new_acts=[act(1, "lavratura", date(2013, 3, 8), key="erp-1")]))
    other = new_case("2/2013", municipality="3100000", new_acts=[act(1, "lavratura", date(2013, 3, 8), key="erp-1")])
    save(engine, other, new_case("3/2013"), new_case("4/2013"))  # many acts without a key
    with session_scope(engine, read_only=True) as session:
        assert SqlRepository(session).auto_of_key(IBGE, "erp-1") == "1/2013"
        assert SqlRepository(session).auto_of_key(IBGE, "erp-2") is None


def test_a_deadline_expires_once(engine: Engine) -> None:
    case = new_case()
    save(engine, case)
    add_act(case, "decurso_defesa", date(2013, 3, 26), deadline="1:defesa")
    save(engine, case)
    add_act(case, "decurso_defesa", date(2013, 3, 26), deadline="1:defesa")
    with pytest.raises(ExpiryAlreadyRecorded):
        save(engine, case)


def test_a_number_is_of_one_inscription(engine: Engine) -> None:
    first, second = new_case("1/2013"), new_case("2/2013")
    first.inscription = inscription(first, 1)
    save(engine, first)
    second.inscription = inscription(second, 1)
    with pytest.raises(InscriptionConflict):
        save(engine, second)
    second.inscription = inscription(second, 0)
    with pytest.raises(InscriptionConflict):
        save(engine, second)
    assert loaded(engine, "1/2013")[0].inscription == first.inscription


@pytest.mark.parametrize("field", ["actor", "office", "key"])
def test_what_one_database_cannot_hold_neither_takes(engine: Engine, field: str) -> None:
    with pytest.raises(TextNotStorable):
        save(engine, new_case(new_acts=[act(1, "lavratura", date(2013, 3, 8), **{field: "a\x00b"})]))


def _in_thread(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


@pytest.mark.parametrize("kept", [True, False])
def test_numbers_have_no_gap_and_no_repeat(engine: Engine, kept: bool) -> None:
    """The second waits for the first; what the first gives back by a rollback, the second takes."""
    taken: list[int] = []
    started = threading.Event()

    def second() -> None:
        started.set()
        with session_scope(engine) as session:
            taken.append(SqlRepository(session).take_numbers(IBGE, 2013, 2))

    class Undone(Exception):
        pass

    thread = None
    try:
        with session_scope(engine) as session:
            assert SqlRepository(session).take_numbers(IBGE, 2013, 3) == 1
            thread = _in_thread(second)
            started.wait(5)
            thread.join(0.3)
            assert taken == [], "the counter is locked until the transaction ends"
            if not kept:
                raise Undone
    except Undone:
        pass
    assert thread is not None
    thread.join(10)
    assert taken == ([4] if kept else [1])
    with session_scope(engine) as session:
        repository = SqlRepository(session)
        assert repository.take_numbers(IBGE, 2013, 1) == (6 if kept else 3)
        assert repository.take_numbers(IBGE, 2014, 1) == 1
        assert repository.take_numbers("3100000", 2013, 1) == 1


def test_two_workers_claim_different_cases(engine: Engine) -> None:
    if engine.dialect.name == "sqlite":
        pytest.skip("SQLite has one writer: there is no second worker to pass anything over")
    save(engine, *(new_case(f"{number}/2013") for number in range(1, 5)))
    with session_scope(engine) as one, session_scope(engine) as other:
        assert SqlRepository(one).claim_due(IBGE, 2**40, "", 2) == ["1/2013", "2/2013"]
        assert SqlRepository(other).claim_due(IBGE, 2**40, "", 2) == ["3/2013", "4/2013"], "a whole page is passed over"
        assert SqlRepository(one).claim_due(IBGE, 2**40, "2/2013", 9) == []
        mine = SqlRepository(one).load(IBGE, ["1/2013", "2/2013", "3/2013"], lock=True, skip_locked=True)
        assert list(mine) == ["1/2013", "2/2013"]
        other.execute(text("SET LOCAL lock_timeout = '100ms'"))
        with pytest.raises(Exception, match="lock timeout"):
            SqlRepository(other).load(IBGE, ["1/2013"], lock=True)
        other.rollback()
