"""Who is let in, to what: wrong keys, other municipalities, roles, limits, and the record of what was shown."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

import pytest

from procedure.http.app import create_app
from procedure.http.settings import Settings
from procedure.store.access import list_reads, revoke_key
from procedure.store.engine import session_scope
from tests.integration.cli.scenes import (
    CPF,
    FIRM,
    IBGE,
    LAW,
    PERSON,
    Cli,
    lavratura,
    opened,
    record,
    served,
)
from tests.integration.http.clients import NOW, OFFICE, Client, lines_of, make_key, problem

OTHER = "3129509"
TERM = {"law": LAW, "start": "2013-03-08", "term": "15d"}
PATHS = (
    "autos", "autos/1/2013", "autos/1/2013/acts", "autos/1/2013/timeline", "autos/1/2013/documents/extrato",
    "divida-ativa", "divida-ativa/1/2013", "divida-ativa/1/2013/termo", "divida-ativa/1/2013/cda",
    "divida-ativa/codes/1/2013-AAAA-AAAA-AAAA-AAAA", "certidoes?doc=11222333000181", "deadlines", "agenda", "painel",
    "events", "verify", "sweeps",
)  # fmt: skip


@pytest.mark.parametrize(
    "token",
    [
        None,
        "",
        "psk_",
        "nada",
        "psk_0000000000000000_" + "A" * 43,
        "psk_" + "0" * 16 + "_" + "é" * 20,
        "x" * 5_000,
    ],
    ids=["none", "empty", "prefix", "word", "unknown", "accents", "long"],
)
def test_without_a_key_that_stands_nothing_is_answered(inscribed: Client, token: str | None) -> None:
    header = {} if token is None else {"Authorization": b"Bearer " + token.encode()}
    asker = inscribed.at(None)
    bodies = [asker.get(f"{OFFICE}/{path}", headers=header) for path in PATHS[:3]]
    bodies += [asker.post("/v1/prazos", TERM, headers=header), asker.get("/v1/rulebooks", headers=header)]
    for response in bodies:
        problem(response, 401, "chave_de_acesso_invalida")
        assert response.headers["www-authenticate"].startswith("Bearer")
    assert len({response.text for response in bodies}) == 1


def test_a_wrong_secret_of_a_key_is_no_key(http: Client) -> None:
    assert http.token
    changed = http.token[:-1] + ("A" if http.token[-1] != "A" else "B")
    problem(http.at(changed).get(f"{OFFICE}/autos"), 401, "chave_de_acesso_invalida")
    assert http.get(f"{OFFICE}/autos").status_code == 200


def test_a_revoked_key_stops_at_once_and_an_expired_one_in_time(http: Client, cli: Cli) -> None:
    key_id, token = make_key(cli.url, roles="leitura")
    asker = http.at(token)
    assert asker.get(f"{OFFICE}/autos").status_code == 200
    with opened(cli.url) as engine, session_scope(engine) as session:
        revoke_key(session.connection(), key_id, NOW)
    problem(asker.get(f"{OFFICE}/autos"), 401, "chave_de_acesso_invalida")
    _, short = make_key(cli.url, roles="leitura", expires=NOW + timedelta(hours=1))
    assert http.at(short).get(f"{OFFICE}/autos").status_code == 200
    later = create_app(http.app.state.service.engine, lambda: NOW + timedelta(hours=1))
    problem(Client(later, short).get(f"{OFFICE}/autos"), 401, "chave_de_acesso_invalida")


def test_a_revoked_key_counts_no_term_after_some_seconds(http: Client, cli: Cli) -> None:
    """With nothing remembered, the counting of terms asks the database too."""
    app = create_app(http.app.state.service.engine, lambda: NOW, Settings(key_seconds=0))
    key_id, token = make_key(cli.url, roles="leitura")
    assert Client(app, token).post("/v1/prazos", TERM).status_code == 200
    with opened(cli.url) as engine, session_scope(engine) as session:
        revoke_key(session.connection(), key_id, NOW)
    problem(Client(app, token).post("/v1/prazos", TERM), 401, "chave_de_acesso_invalida")


def test_another_municipality_is_as_one_that_does_not_exist(inscribed: Client, cli: Cli) -> None:
    stranger = inscribed.at(make_key(cli.url, municipality=OTHER)[1])
    varying = ("x-request-id", "ratelimit-remaining", "ratelimit-reset")
    for path in PATHS:
        theirs = stranger.get(f"{OFFICE}/{path}")
        nowhere = stranger.get(f"/v1/municipalities/9999999/{path}")
        problem(theirs, 404, "nao_encontrado")
        assert (theirs.status_code, theirs.content) == (nowhere.status_code, nowhere.content), path
        told = [{k: v for k, v in one.headers.items() if k not in varying} for one in (theirs, nowhere)]
        assert told[0] == told[1], path


def test_nothing_is_written_in_another_municipality(inscribed: Client, cli: Cli) -> None:
    stranger = inscribed.at(make_key(cli.url, municipality=OTHER)[1])
    act = lavratura("9/2013", "2013-03-01", fact="2013-02-20T22:00")
    tried = [
        stranger.record("9/2013", act),
        stranger.record("1/2013", {**act, "auto": "1/2013"}, headers={"If-Match": "*"}),
        stranger.post(f"{OFFICE}/import", content=lines_of(act)),
        stranger.post(f"{OFFICE}/sweeps", {"as_of": "2014-01-01"}),
    ]
    assert {response.status_code for response in tried} == {404}
    assert len({response.content for response in tried}) == 1
    own = stranger.post(f"/v1/municipalities/{OTHER}/import", content=lines_of({**act, "municipality": IBGE})).json()
    assert [item["code"] for item in own["rejected"]] == ["municipio_divergente"]
    problem(stranger.get(f"/v1/municipalities/{OTHER}/autos/1/2013"), 404, "auto_desconhecido")
    assert cli.json("verify")["cases"] == 1


def test_a_key_of_two_municipalities_sees_both(inscribed: Client, cli: Cli) -> None:
    both = inscribed.at(make_key(cli.url, municipality=f"{IBGE},{OTHER}", roles="leitura")[1])
    assert len(both.get(f"{OFFICE}/autos").json()["items"]) == 1
    assert both.get(f"/v1/municipalities/{OTHER}/autos").json()["items"] == []


def test_a_key_records_acts_under_its_own_roles_alone(http: Client, cli: Cli) -> None:
    fiscal = http.at(make_key(cli.url, roles="fiscal")[1])
    reader = http.at(make_key(cli.url, roles="leitura")[1])
    act = lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00")
    found = problem(reader.record("1/2013", act), 403, "papel_nao_autorizado")
    assert found["field"] == "role"
    assert fiscal.record("1/2013", act).status_code == 201
    assert fiscal.record("1/2013", served("1/2013", "ciencia", "2013-03-08")).status_code == 201
    defence = {
        "act": "defesa",
        "auto": "1/2013",
        "date": "2013-03-20",
        "actor": FIRM["name"],
        "role": "autuado",
        "by": {"name": "José da Silva"},
    }
    problem(fiscal.record("1/2013", defence), 403, "papel_nao_autorizado")
    problem(http("POST", f"{OFFICE}/autos/1/2013/acts?dry_run=true", json={**act, "role": "cidadao"}), 403,
            "papel_nao_autorizado")  # fmt: skip


def test_whole_documents_take_their_role(inscribed: Client, cli: Cli) -> None:
    reader = inscribed.at(make_key(cli.url, roles="leitura,fiscal")[1])
    for path in (
        "autos?unmask=true", "autos/1/2013?unmask=true", "autos/1/2013/documents/extrato", "divida-ativa?unmask=true",
        "divida-ativa/1/2013", "divida-ativa/1/2013/termo", "divida-ativa/1/2013/cda", "certidoes?doc=11222333000181",
    ):  # fmt: skip
        refused = problem(reader.get(f"{OFFICE}/{path}"), 403, "papel_nao_autorizado")
        assert "dados_pessoais" in refused["detail"]
    refused = problem(reader.post(f"{OFFICE}/sweeps", {"as_of": "2014-01-01"}), 403, "papel_nao_autorizado")
    assert "papel sistema" in refused["detail"]
    for path in ("autos", "autos/1/2013", "divida-ativa", "autos/1/2013/timeline"):
        assert reader.get(f"{OFFICE}/{path}").status_code == 200


def test_every_read_of_personal_data_is_on_record(inscribed: Client, cli: Cli) -> None:
    key_id, token = make_key(cli.url, roles="leitura,dados_pessoais")
    reader = inscribed.at(token)
    for path in (
        "autos", "autos/1/2013?unmask=true", "autos/1/2013/timeline", "autos/1/2013/documents/auto_de_infracao",
        "divida-ativa", "divida-ativa/1/2013", "divida-ativa/1/2013/termo", "certidoes?doc=11222333000181",
    ):  # fmt: skip
        assert reader.get(f"{OFFICE}/{path}").status_code == 200
    for path in ("autos/9/2013", "deadlines", "agenda", "painel", "verify", "sweeps"):
        reader.get(f"{OFFICE}/{path}")  # these show nobody
    with opened(cli.url) as engine, session_scope(engine, read_only=True) as session:
        kept = list_reads(session.connection(), IBGE, key_id=key_id)
    assert sorted((item["what"], item["number"]) for item in kept) == [
        ("auto", "1/2013"),
        ("certidao", ""),
        ("documento:auto_de_infracao", "1/2013"),
        ("documento:termo_inscricao", "1/2013"),
        ("inscricao", "1/2013"),
        ("linha_do_tempo", "1/2013"),
        ("lista_de_autos", "1/2013…1/2013"),
        ("lista_de_inscricoes", "1/2013…1/2013"),
    ]


def test_a_key_that_asks_too_much_waits(http: Client) -> None:
    app = create_app(http.app.state.service.engine, lambda: NOW, Settings(rate=1, burst=3))
    asker = Client(app, http.token)
    left = [asker.get("/v1/rulebooks") for _ in range(4)]
    assert [response.status_code for response in left] == [200, 200, 200, 429]
    assert [response.headers["ratelimit-remaining"] for response in left] == ["2", "1", "0", "0"]
    assert left[0].headers["ratelimit-limit"] == "3"
    problem(left[3], 429, "pedidos_demais")
    assert int(left[3].headers["retry-after"]) >= 1


def test_an_address_that_tries_keys_waits_and_shuts_out_no_key_that_stood(http: Client) -> None:
    """Behind a proxy the address is everybody's. A key not yet seen here waits with the others."""
    app = create_app(http.app.state.service.engine, lambda: NOW, Settings(failed_rate=1, failed_burst=2))
    known, wrong = Client(app, http.token), Client(app, "psk_0000000000000000_" + "A" * 43)
    assert known.get(f"{OFFICE}/autos").status_code == 200
    assert [wrong.get("/v1/rulebooks").status_code for _ in range(3)] == [401, 401, 429]
    assert known.get(f"{OFFICE}/autos").status_code == 200


def test_the_log_carries_no_personal_data_and_no_key(
    http: Client, cli: Cli, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(cli.url, [lavratura("7/2013", "2013-03-01", fact="2013-02-20T22:00", person=PERSON)])
    with caplog.at_level(logging.DEBUG):
        http.get(f"{OFFICE}/autos/7/2013?unmask=true")
        http.get(f"{OFFICE}/certidoes?doc={CPF}")
        http.get(f"{OFFICE}/autos?{CPF}={CPF}")

        def broken(*_: object, **__: object) -> None:
            raise RuntimeError(f"Ana Souza {CPF}")

        monkeypatch.setattr("procedure.http.cases.show_case", broken)
        failed = http.get(f"{OFFICE}/autos/7/2013")
    problem(failed, 500, "erro_interno_do_servidor")
    assert CPF not in failed.text
    ours = [record for record in caplog.records if not record.name.startswith(("httpx", "httpcore", "asyncio"))]
    said = "\n".join(record.getMessage() + str(record.exc_info or "") for record in ours)
    assert "RuntimeError" in said
    assert failed.headers["x-request-id"] in said
    assert http.token
    for word in (CPF, "529.982", "Ana", "7/2013", http.token, http.token[-20:]):
        assert word not in said, word


def test_health_and_measures_need_a_key_but_on_this_machine(http: Client) -> None:
    local = http.at(None)
    assert local.get("/health").json() == {"status": "ok", "database": "ok", "version": "0.1.0"}
    assert 'posturas_http_requests_total{method="GET",route="/health",status="200"} 1.0' in local.get("/metrics").text
    for path in ("/health", "/metrics"):
        forwarded = local.get(path, headers={"X-Forwarded-For": "203.0.113.9"})
        problem(forwarded, 401, "chave_de_acesso_invalida")
        assert http.get(path, headers={"X-Forwarded-For": "203.0.113.9"}).status_code == 200


def test_a_moment_is_the_clocks_own(http: Client) -> None:
    """Nothing but the clock given says what today is."""
    then = create_app(http.app.state.service.engine, lambda: datetime(2013, 4, 1, 12, tzinfo=UTC))
    assert Client(then, http.token).get(f"{OFFICE}/painel").json()["as_of"] == "2013-04-01"


def test_events_that_name_who_acted_are_on_record_and_none_is_where_there_are_none(inscribed: Client, cli: Cli) -> None:
    act = served("7/2013", "ciencia", "2013-03-08")
    by_herself = {"act": "defesa", "auto": "7/2013", "date": "2013-03-20", "actor": PERSON["name"], "role": "autuado"}
    record(cli.url, [lavratura("7/2013", "2013-03-01", fact="2013-02-20T22:00", person=PERSON), act, by_herself])
    key_id, token = make_key(cli.url, roles="leitura")
    reader = inscribed.at(token)
    told = reader.get(f"{OFFICE}/events?limit=500")
    assert PERSON["name"] in told.text
    assert reader.get(f"{OFFICE}/events?after={told.json()['next']}").json()["items"] == []
    with opened(cli.url) as engine, session_scope(engine, read_only=True) as session:
        kept = list_reads(session.connection(), IBGE, key_id=key_id)
    assert [(item["what"], item["number"]) for item in kept] == [("eventos", "1/2013…7/2013")]
