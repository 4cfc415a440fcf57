"""``posturas key``: what is shown of a key, once and afterwards, and who saw what."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from procedure.cli import key as command
from procedure.store import access
from procedure.store.engine import session_scope
from tests.integration.cli.scenes import IBGE, Cli, opened

OTHER = "3129509"
NOON = datetime(2026, 3, 2, 15, tzinfo=UTC)  # noon in São Gabriel da Palha and in Ibiá


@pytest.fixture(autouse=True)
def at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "now", lambda: NOON)


def created(cli: Cli, *args: str) -> dict[str, object]:
    code, out, _ = cli("key", "create", "--name", "ERP", *args, "--json")
    assert code == 0, out
    made: dict[str, object] = json.loads(out)
    return made


def lets_in(cli: Cli, token: object, now: datetime) -> access.Access | None:
    with opened(cli.url) as engine, session_scope(engine, read_only=True) as session:
        return access.authenticate(session.connection(), str(token), now)


def test_a_key_is_shown_once_and_works(cli: Cli) -> None:
    places = ("--municipality", IBGE, "--municipality", OTHER)
    made = created(cli, *places, "--role", "fiscal,secretario", "--role", "leitura")
    assert made["municipalities"] == [OTHER, IBGE]
    assert made["roles"] == ["fiscal", "leitura", "secretario"]
    assert made["created_at"] == "2026-03-02T15:00:00+00:00"
    found = lets_in(cli, made["token"], NOON)
    assert found is not None
    assert found.municipalities == {IBGE, OTHER}
    _, listed, _ = cli("key", "list", "--json")
    assert json.loads(listed) == [{k: v for k, v in made.items() if k != "token"}]
    _, people, _ = cli("key", "list", "--municipality", OTHER)
    assert people == f"{made['id']}  ERP: fiscal, leitura, secretario; {OTHER}, {IBGE}; vale até ser revogada\n"
    for shown in (listed, people):
        assert str(made["token"]).split("_", 2)[2] not in shown


def test_people_get_the_token_alone_on_stdout(cli: Cli) -> None:
    code, out, err = cli("key", "create", "--municipality", IBGE, "--role", "leitura", "--name", "Painel")
    token = out.removesuffix("\n")
    assert code == 0
    assert lets_in(cli, token, NOON) is not None
    assert "não será mostrada de novo" in err
    assert token not in err


def test_a_key_works_until_the_end_of_its_last_day_there(cli: Cli) -> None:
    made = created(cli, "--municipality", IBGE, "--role", "leitura", "--expires", "2026-03-31")
    midnight = datetime(2026, 4, 1, 3, tzinfo=UTC)  # Brasília has been at UTC-3 all year since 2019
    assert lets_in(cli, made["token"], midnight - timedelta(seconds=1)) is not None
    assert lets_in(cli, made["token"], midnight) is None
    assert "vale até 31/03/2026" in cli("key", "list")[1]


def test_a_revoked_key_stops_and_says_since_when(cli: Cli) -> None:
    made = created(cli, "--municipality", IBGE, "--role", "leitura")
    code, out, _ = cli("key", "revoke", str(made["id"]), "--json")
    assert code == 0
    assert json.loads(out)["revoked_at"] == "2026-03-02T15:00:00+00:00"
    assert lets_in(cli, made["token"], NOON) is None
    assert "revogada em 02/03/2026" in cli("key", "list")[1]
    assert cli("key", "revoke", str(made["id"]))[0] == 0, "once more changes nothing"


REFUSED = {
    "an unknown id": (["revoke", "0" * 16], "chave_de_acesso_desconhecida"),
    "no law there": (
        ["create", "--municipality", "9999999", "--role", "leitura", "--name", "x"],
        "municipio_desconhecido",
    ),
    "no such role": (["create", "--municipality", IBGE, "--role", "chefe", "--name", "x"], "papel_da_chave_invalido"),
    "over before it began": (
        ["create", "--municipality", IBGE, "--role", "leitura", "--name", "x", "--expires", "2026-03-01"],
        "validade_da_chave_invalida",
    ),
    "past the calendar": (
        ["create", "--municipality", IBGE, "--role", "leitura", "--name", "x", "--expires", "9999-12-31"],
        "data_invalida",
    ),
    "no name": (["create", "--municipality", IBGE, "--role", "leitura"], "uso"),
    "an empty base": (["audit"], "uso"),
    "no number of lines": (["audit", "--municipality", IBGE, "--limit", "0"], "limite_invalido"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused(cli: Cli, what: str) -> None:
    args, code = REFUSED[what]
    exit_code, out, _ = cli("key", *args, "--json")
    assert exit_code == 2
    assert json.loads(out)["error"]["code"] == code
    assert json.loads(cli("key", "list", "--json")[1]) == []


def test_the_audit_tells_who_saw_what_and_forgets_in_time(cli: Cli) -> None:
    made = created(cli, "--municipality", IBGE, "--role", "dados_pessoais")
    found = lets_in(cli, made["token"], NOON)
    assert found is not None
    late = datetime(2026, 3, 3, 2, 30, tzinfo=UTC)  # still the 2nd in São Gabriel
    with opened(cli.url) as engine, session_scope(engine) as session:
        for what, number, at in (("auto", "1/2013", NOON), ("termo", "7/2013", late)):
            access.note_read(session.connection(), found, IBGE, what, number, at)
    _, out, _ = cli("key", "audit", "--municipality", IBGE, "--until", "2026-03-02", "--json")
    assert json.loads(out) == {
        "municipality": IBGE,
        "reads": [
            {"at": "2026-03-03T02:30:00+00:00", "key": made["id"], "what": "termo", "number": "7/2013"},
            {"at": "2026-03-02T15:00:00+00:00", "key": made["id"], "what": "auto", "number": "1/2013"},
        ],
    }
    _, out, _ = cli("key", "audit", "--municipality", IBGE, "--number", "7/2013")
    assert out == f"02/03/2026 23:30:00  chave {made['id']}: termo 7/2013\n"
    assert cli("key", "audit", "--municipality", IBGE, "--from", "2026-03-03")[1].startswith("Nenhuma leitura")
    assert cli("key", "audit", "--municipality", OTHER)[1].startswith("Nenhuma leitura")
    assert json.loads(cli("key", "audit", "--municipality", IBGE, "--prune-before", "2026-03-02", "--json")[1]) == {
        "municipality": IBGE, "deleted": 0,
    }  # fmt: skip
    assert cli("key", "audit", "--municipality", IBGE, "--prune-before", "2026-03-03")[1].startswith("Apagados 2")


@pytest.mark.parametrize(
    ("extra", "code"),
    [
        (("--prune-before", "2026-03-02", "--key", "0" * 16), "uso"),
        (("--prune-before", "2026-03-02", "--number", "1/2013"), "uso"),
        (("--prune-before", "2026-03-02", "--from", "2026-03-01"), "uso"),
        (("--prune-before", "2206-03-02"), "data_invalida"),
        (("--prune-before", "2026-03-04"), "data_invalida"),
    ],
    ids=["key", "number", "from", "year", "ahead"],
)
def test_what_would_forget_more_than_it_seems_forgets_nothing(cli: Cli, extra: tuple[str, ...], code: str) -> None:
    made = created(cli, "--municipality", IBGE, "--role", "dados_pessoais")
    found = lets_in(cli, made["token"], NOON)
    assert found is not None
    with opened(cli.url) as engine, session_scope(engine) as session:
        access.note_read(session.connection(), found, IBGE, "auto", "1/2013", NOON - timedelta(days=9))
    exit_code, out, _ = cli("key", "audit", "--municipality", IBGE, *extra, "--json")
    assert (exit_code, json.loads(out)["error"]["code"]) == (2, code)
    assert len(json.loads(cli("key", "audit", "--municipality", IBGE, "--json")[1])["reads"]) == 1
