"""Keys: whom they let in and to what, what the database holds of them, and the record of what they were shown."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from legalbasis import InputError
from procedure.domain.key_roles import WORDS
from procedure.domain.vocabulary import Role
from procedure.store import access, grants
from procedure.store.access import HashingMissing, KeyUnknown, Verified
from procedure.store.checking import check

HERE, THERE, NEITHER = "3204708", "3129509", "3120805"
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=1)


def make(engine: Engine, *roles: str, places: tuple[str, ...] = (HERE,), **others: Any) -> tuple[str, str]:
    """The id and the token of a new key."""
    with engine.begin() as connection:
        key, token = access.create_key(
            connection, name="ERP", municipalities=places, roles=roles or ("leitura",), created_at=NOW, **others
        )
    return key.key_id, token


def ask(engine: Engine, token: str, now: datetime = LATER, verified: Verified | None = None) -> access.Access | None:
    with engine.connect() as connection:
        return access.authenticate(connection, token, now, Verified() if verified is None else verified)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The hashes that were worked out, as they come."""
    hashed: list[str] = []
    answers = access._answers

    def counting(digest: str, secret: str) -> bool:
        hashed.append(digest)
        return answers(digest, secret)

    monkeypatch.setattr(access, "_answers", counting)
    return hashed


def test_a_key_lets_in_to_its_municipalities_and_roles_and_no_other(engine: Engine) -> None:
    key_id, token = make(engine, "fiscal", "secretario", places=(THERE, HERE))
    found = ask(engine, token)
    assert found is not None
    assert (found.key_id, found.name) == (key_id, "ERP")
    assert [found.may_read(place) for place in (HERE, THERE, NEITHER, "")] == [True, True, False, False]
    assert {word for word in WORDS if found.may_record(word)} == {"fiscal", "secretario"}
    assert (found.may_unmask, found.may_sweep) == (False, False)


@pytest.mark.parametrize(
    ("word", "unmasks", "sweeps"),
    [("leitura", False, False), ("dados_pessoais", True, False), ("sistema", False, True), ("prefeito", False, False)],
)
def test_what_each_word_allows(engine: Engine, word: str, unmasks: bool, sweeps: bool) -> None:
    found = ask(engine, make(engine, word)[1])
    assert found is not None
    assert (found.may_unmask, found.may_sweep, found.may_read(HERE)) == (unmasks, sweeps, True)
    assert [role for role in Role if found.may_record(role.value)] == [role for role in Role if role.value == word]


def test_the_token_is_long_and_the_database_has_only_its_hash(engine: Engine) -> None:
    key_id, token = make(engine)
    other_id, other = make(engine)
    prefix, shown_id, secret = token.split("_", 2)
    assert (prefix, shown_id) == ("psk", key_id)
    assert len(secret) == 43  # 256 bits, six to a character
    assert key_id != other_id
    assert secret != other.split("_", 2)[2]
    with engine.connect() as connection:
        held = str(connection.execute(text("SELECT * FROM posturas_api_keys")).all())
    assert secret not in held
    assert held.count("$argon2id$") == 2


def wrong_tokens(token: str, other: str) -> dict[str, str]:
    _, key_id, secret = token.split("_", 2)
    return {
        "another's secret": f"psk_{key_id}_{other.split('_', 2)[2]}",
        "an id that is not there": f"psk_{'0' * 16}_{secret}",
        "a letter more": f"{token}A",
        "nothing": "",
        "the id alone": f"psk_{key_id}",
        "a quote": f"psk_{key_id}'_{secret}",
        "a line feed": f"{token}\n",
        "other digits": f"psk_{'٣' * 16}_{secret}",
    }


def test_a_wrong_token_lets_nobody_in(engine: Engine) -> None:
    _, token = make(engine)
    _, other = make(engine)
    verified = Verified()
    for what, wrong in wrong_tokens(token, other).items():
        for _ in range(2):
            assert ask(engine, wrong, verified=verified) is None, what
    assert len(verified) == 0
    assert ask(engine, token, verified=verified) is not None


def test_a_wrong_id_costs_the_hash_of_a_wrong_secret(engine: Engine, counted: list[str]) -> None:
    _, token = make(engine)
    _, other = make(engine)
    wrong = wrong_tokens(token, other)
    for what in ("another's secret", "an id that is not there"):
        ask(engine, wrong[what])
    assert len(counted) == 2
    mine, nobodys = (digest.split("$") for digest in counted)
    assert mine[1:4] == nobodys[1:4] == ["argon2id", "v=19", "m=19456,t=2,p=1"]


def test_a_token_is_hashed_once_and_its_key_looked_up_each_time(engine: Engine, counted: list[str]) -> None:
    key_id, token = make(engine)
    verified = Verified()
    assert [ask(engine, token, verified=verified) is not None for _ in range(3)] == [True] * 3
    assert len(counted) == 1
    with engine.begin() as connection:
        access.revoke_key(connection, key_id, NOW)
    assert ask(engine, token, verified=verified) is None, "at once, verified before or not"
    assert len(counted) == 1


def test_the_memory_of_tokens_is_bounded_and_forgets_the_one_unused_for_longest(engine: Engine) -> None:
    verified = Verified(most=2)
    for token in ("a", "b"):
        verified.add(token, "x")
    assert verified.holds("a", "x")
    verified.add("c", "x")
    assert len(verified) == 2
    assert [verified.holds(token, "x") for token in "abc"] == [True, False, True]
    assert not verified.holds("a", "y"), "another hash was put in its place"


def test_an_expired_key_stops_at_the_instant(engine: Engine) -> None:
    _, token = make(engine, expires_at=LATER)
    assert ask(engine, token, LATER - timedelta(seconds=1)) is not None
    assert ask(engine, token, LATER) is None


def test_a_revoked_key_stops_in_all_its_municipalities_and_the_others_stand(engine: Engine) -> None:
    key_id, token = make(engine, places=(HERE, THERE))
    _, other = make(engine)
    with engine.begin() as connection:
        first = access.revoke_key(connection, key_id, NOW)
        again = access.revoke_key(connection, key_id, LATER)
        with pytest.raises(KeyUnknown):
            access.revoke_key(connection, "0" * 16, NOW)
    assert first.revoked_at == again.revoked_at == "2026-03-02T12:00:00+00:00"
    assert ask(engine, token) is None
    assert ask(engine, other) is not None


def test_keys_are_listed_once_each_and_by_municipality(engine: Engine) -> None:
    both, _ = make(engine, "tesouraria", "fiscal", places=(THERE, HERE))
    one, _ = make(engine, places=(THERE,))
    with engine.connect() as connection:
        everywhere = access.list_keys(connection)
        here = access.list_keys(connection, HERE)
    assert {key.key_id: (key.municipalities, key.roles) for key in everywhere} == {
        both: ((THERE, HERE), ("fiscal", "tesouraria")),
        one: ((THERE,), ("leitura",)),
    }
    assert [key.to_dict() for key in here] == [
        {
            "id": both, "name": "ERP", "municipalities": [THERE, HERE], "roles": ["fiscal", "tesouraria"],
            "created_at": "2026-03-02T12:00:00+00:00", "expires_at": None, "revoked_at": None,
        }
    ]  # fmt: skip


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "a role that is none": ({"roles": ["fiscal", "chefe"]}, "papel_da_chave_invalido"),
    "no role": ({"roles": [" "]}, "papel_da_chave_invalido"),
    "no municipality": ({"municipalities": []}, "chave_sem_municipio"),
    "no code of IBGE": ({"municipalities": ["320470"]}, "campo_invalido"),
    "no name": ({"name": "  "}, "nome_da_chave_invalido"),
    "a name of two lines": ({"name": "a\nb"}, "nome_da_chave_invalido"),
    "already over": ({"expires_at": NOW}, "validade_da_chave_invalida"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_key_is_refused_and_nothing_kept(engine: Engine, what: str) -> None:
    values, code = BAD[what]
    good = {"name": "ERP", "municipalities": [HERE], "roles": ["fiscal"], "created_at": NOW}
    with pytest.raises(InputError) as caught, engine.begin() as connection:
        access.create_key(connection, **{**good, **values})
    assert caught.value.error_code == code
    with engine.connect() as connection:
        assert access.list_keys(connection) == []


def test_without_argon2_the_extra_is_named(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    _, token = make(engine)
    monkeypatch.setitem(sys.modules, "argon2", None)
    with pytest.raises(HashingMissing, match=r"posturas\[http\]"):
        make(engine)
    with pytest.raises(HashingMissing):
        ask(engine, token)


# ------------------------------------------------------------- the reads


def noted(engine: Engine, *at: datetime, number: str = "1/2013", place: str = HERE) -> access.Access:
    found = ask(engine, make(engine, places=(HERE, THERE))[1])
    assert found is not None
    for moment in at:
        with engine.begin() as connection:
            access.note_read(connection, found, place, "auto", number, moment)
    return found


def test_reads_are_told_the_latest_first_and_by_municipality(engine: Engine) -> None:
    mine = noted(engine, NOW, LATER, NOW)
    other = noted(engine, NOW, number="2/2013", place=THERE)
    with engine.connect() as connection:
        here = access.list_reads(connection, HERE)
        there = access.list_reads(connection, THERE)
        first_day = access.list_reads(connection, HERE, first=NOW, before=LATER)
        assert access.list_reads(connection, HERE, number="2/2013") == []
        assert access.list_reads(connection, HERE, key_id=other.key_id) == []
        assert len(access.list_reads(connection, HERE, limit=2)) == 2
    assert [item["at"][:10] for item in here] == ["2026-03-03", "2026-03-02", "2026-03-02"]
    assert len(first_day) == 2
    assert here[0] == {
        "at": "2026-03-03T12:00:00+00:00", "key": mine.key_id, "what": "auto", "number": "1/2013",
    }  # fmt: skip
    assert [(item["key"], item["number"]) for item in there] == [(other.key_id, "2/2013")]


def test_reads_leave_when_their_time_is_over_and_the_numbers_go_on(engine: Engine) -> None:
    noted(engine, NOW, LATER)
    noted(engine, NOW, place=THERE)
    with engine.begin() as connection:
        assert access.prune_reads(connection, HERE, LATER) == 1
    noted(engine, LATER)
    with engine.connect() as connection:
        assert [item["at"][:10] for item in access.list_reads(connection, HERE)] == ["2026-03-03"] * 2
        assert len(access.list_reads(connection, THERE)) == 1


def test_a_read_cannot_be_changed(engine: Engine) -> None:
    noted(engine, NOW)
    with pytest.raises(DBAPIError, match="cannot be changed"), engine.begin() as connection:
        connection.execute(text("UPDATE posturas_reads SET key_id = 'x'"))


def test_the_check_of_the_database_misses_the_trigger(engine: Engine) -> None:
    assert check(engine) == []
    on = " ON posturas_reads" if engine.dialect.name == "postgresql" else ""
    with engine.begin() as connection:
        connection.execute(text(f"DROP TRIGGER posturas_reads_no_update{on}"))
    assert [finding.check for finding in check(engine)] == ["gatilhos"]


def test_the_granted_role_checks_keys_and_notes_reads_and_makes_none(engine: Engine) -> None:
    if engine.dialect.name == "sqlite":
        pytest.skip("SQLite has no roles")
    key_id, token = make(engine)
    with engine.begin() as connection:
        connection.execute(text('CREATE ROLE "posturas http"'))
        for statement in grants.statements("posturas http"):
            connection.execute(text(statement))
    try:
        with engine.begin() as connection:
            connection.execute(text('SET LOCAL ROLE "posturas http"'))
            found = access.authenticate(connection, token, LATER, Verified())
            assert found is not None
            access.note_read(connection, found, HERE, "auto", "1/2013", NOW)
            assert len(access.list_reads(connection, HERE)) == 1
        refused: list[Callable[[Connection], object]] = [
            lambda connection: access.revoke_key(connection, key_id, NOW),
            lambda connection: access.prune_reads(connection, HERE, LATER),
            lambda connection: connection.execute(text("UPDATE posturas_api_keys SET roles = 'sistema'")),
        ]
        for attempt in refused:
            with engine.connect() as connection:
                connection.execute(text('SET LOCAL ROLE "posturas http"'))
                with pytest.raises(DBAPIError, match="permission denied"):
                    attempt(connection)
    finally:
        with engine.begin() as connection:
            connection.execute(text('DROP OWNED BY "posturas http"; DROP ROLE "posturas http"'))
