"""``posturas verify``: everything that somebody changed behind the record's back is found, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import text

from procedure.store.archive import reading
from procedure.store.engine import session_scope
from procedure.store.repository import SqlRepository
from tests.integration.cli.scenes import IBGE, Cli, opened, record
from tests.integration.verify.tampering import forge, run_sql

COLUMNS = (
    "municipality, auto, seq, kind, at, at_epoch, recorded_at, actor, role, office, payload, key, deadline, "
    "rulebook_version, calendar_version, prev_hash, hash"
)
INSERTED = (
    f"INSERT INTO posturas_acts ({COLUMNS}) SELECT municipality, auto, 99, 'pagamento', at, at_epoch, recorded_at, "
    "actor, role, office, payload, NULL, NULL, rulebook_version, calendar_version, prev_hash, hash "
    "FROM posturas_acts WHERE auto = '3/2013' AND seq = 2"
)
CASE_3 = "UPDATE posturas_cases SET {} WHERE auto = '3/2013'"
ACT_2 = "UPDATE posturas_acts SET {} WHERE auto = '3/2013' AND seq = 2"
DEFENCE = "UPDATE posturas_deadlines SET {} WHERE auto = '3/2013' AND kind = 'defesa'"
REGISTER = "UPDATE posturas_inscriptions SET {} WHERE auto = '2/2013'"

TAMPERINGS: dict[str, tuple[list[str], str, str | None, int | None]] = {
    "payload": ([ACT_2.format("payload = replace(payload, 'postal', 'pessoal')")], "ato_alterado", "3/2013", 2),
    "payload no JSON": ([ACT_2.format("payload = 'x'")], "ato_ilegivel", "3/2013", 2),
    "payload no object": ([ACT_2.format("payload = '3'")], "ato_irreproduzivel", "3/2013", 2),
    "payment": (
        ["UPDATE posturas_acts SET payload = replace(payload, '3300', '0') WHERE kind = 'acrescimo' AND seq = 9 "
         "AND auto = '1/2013'"],
        "ato_alterado",
        "1/2013",
        9,
    ),
    "date": ([ACT_2.format("at = '2014-02-06'")], "ato_alterado", "3/2013", 2),
    "date no date": ([ACT_2.format("at = 'ontem'")], "ato_ilegivel", "3/2013", 2),
    "instant": ([ACT_2.format("at_epoch = at_epoch + 86400")], "ato_alterado", "3/2013", 2),
    "actor": ([ACT_2.format("actor = 'Outro'")], "ato_alterado", "3/2013", 2),
    "recorded instant": ([ACT_2.format("recorded_at = '2014-02-05T10:00:00-02:00'")], "ato_alterado", "3/2013", 2),
    "hash": ([ACT_2.format("hash = prev_hash")], "ato_alterado", "3/2013", 2),
    "deleted act": (["DELETE FROM posturas_acts WHERE auto = '1/2013' AND seq = 3"], "ato_ausente", "1/2013", 4),
    "deleted last act": (
        ["DELETE FROM posturas_acts WHERE auto = '3/2013' AND seq = 2"],
        "processo_alterado",
        "3/2013",
        None,
    ),
    "inserted act": ([INSERTED], "ato_ausente", "3/2013", 99),
    "state": ([CASE_3.format("state = 'pago'")], "processo_alterado", "3/2013", None),
    "state that is none": ([CASE_3.format("state = 'voando'")], "processo_ilegivel", "3/2013", None),
    "amount": (
        ["UPDATE posturas_cases SET arbitrada = 1 WHERE auto = '1/2013'"],
        "processo_alterado",
        "1/2013",
        None,
    ),
    "facts": ([CASE_3.format("facts = '{}'")], "processo_alterado", "3/2013", None),
    "facts no JSON": ([CASE_3.format("facts = '{'")], "processo_ilegivel", "3/2013", None),
    "head": ([CASE_3.format("last_hash = 'x'")], "processo_alterado", "3/2013", None),
    "person of the case": ([CASE_3.format("person_key = 'x'")], "processo_alterado", "3/2013", None),
    "due day": ([DEFENCE.format("due = '2014-03-01'")], "prazo_alterado", "3/2013", 2),
    "expiry": ([DEFENCE.format("expires_at = '2014-03-01T23:59:59-03:00'")], "prazo_alterado", "3/2013", 2),
    "expiry's instant": ([DEFENCE.format("expires_epoch = 0")], "prazo_alterado", "3/2013", 2),
    "deadline closed": ([DEFENCE.format("status = 'cumprido'")], "prazo_alterado", "3/2013", 2),
    "deleted deadline": (["DELETE FROM posturas_deadlines WHERE auto = '3/2013'"], "prazo_alterado", "3/2013", 2),
    "inscription's number": ([REGISTER.format("number = 7")], "inscricao_alterada", "2/2013", 10),
    "inscription's amount": ([REGISTER.format("original_amount = 1")], "inscricao_alterada", "2/2013", 10),
    "inscription's status": ([REGISTER.format("status = 'cancelado'")], "inscricao_alterada", "2/2013", 10),
    "deleted inscription": (
        ["DELETE FROM posturas_inscriptions WHERE auto = '2/2013'"],
        "inscricao_alterada",
        "2/2013",
        None,
    ),
    "counter": (
        ["UPDATE posturas_counters SET value = 9 WHERE name = 'inscricao' AND year = 2013"],
        "numeracao_com_falha",
        None,
        None,
    ),
    "person": (
        ["UPDATE posturas_persons SET fields = replace(fields, 'Ana Souza', 'Bia Souza') WHERE name = 'Ana Souza'"],
        "pessoa_alterada",
        "2/2013",
        1,
    ),
    "deleted person": (["DELETE FROM posturas_persons WHERE name = 'Ana Souza'"], "pessoa_ausente", "2/2013", 1),
}  # fmt: skip


def found(cli: Cli, *args: str) -> list[dict[str, Any]]:
    answer = cli.json("verify", *args, code=1)
    assert answer["ok"] is False
    defects: list[dict[str, Any]] = answer["defects"]
    return defects


def test_a_record_that_nobody_touched_holds(office: Cli) -> None:
    for args in ((), ("--deep",), ("--deep", "--auto", "1/2013")):
        answer = office.json("verify", *args)
        assert (answer["ok"], answer["defects"]) == (True, [])
    assert (answer["cases"], answer["acts"]) == (1, 10)
    _, out, _ = office("verify")
    assert out == f"Município {IBGE}: 3 processo(s), 22 ato(s): tudo confere.\n"


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_change_is_found(office: Cli, name: str) -> None:
    statements, code, auto, seq = TAMPERINGS[name]
    run_sql(office, *statements)
    assert (code, auto, seq) in [(d["code"], d["auto"], d["seq"]) for d in found(office)]
    assert {d["auto"] for d in found(office)} <= {auto, None}, "the other cases hold"
    _, out, _ = office("verify")
    assert f"[{code}]" in out


def test_only_the_auto_asked_for_is_verified(office: Cli) -> None:
    run_sql(office, ACT_2.format("actor = 'Outro'"))
    assert office.json("verify", "--auto", "1/2013")["ok"] is True
    assert {d["auto"] for d in found(office, "--auto", "3/2013")} == {"3/2013"}
    assert office.json("verify", "--auto", "9/2013", code=2)["error"]["code"] == "auto_desconhecido"


def test_every_defect_is_reported(office: Cli) -> None:
    run_sql(office, ACT_2.format("actor = 'Outro'"), REGISTER.format("folha = 9"), DEFENCE.format("due = '2014-03-01'"))
    assert {d["code"] for d in found(office)} >= {"ato_alterado", "inscricao_alterada", "prazo_alterado"}


def test_a_gap_in_the_numbers_is_found(office: Cli) -> None:
    run_sql(office, REGISTER.format("number = 7"))
    assert ("numeracao_com_falha", None) in [(d["code"], d["auto"]) for d in found(office)]


def test_acts_whose_case_was_deleted_are_found(office: Cli, dialect: str) -> None:
    if dialect == "sqlite":
        statements = ["PRAGMA foreign_keys = OFF", "DELETE FROM posturas_cases WHERE auto = '3/2013'"]
    else:
        statements = ["SET session_replication_role = replica", "DELETE FROM posturas_cases WHERE auto = '3/2013'"]
    with opened(office.url) as engine, engine.connect() as connection:
        raw = connection.connection.dbapi_connection
        assert raw is not None
        cursor = raw.cursor()
        if dialect == "sqlite":
            cursor.execute("ROLLBACK") if raw.in_transaction else None
        for statement in statements:
            cursor.execute(statement)
        cursor.close()
        raw.commit()
    assert ("processo_ausente", "3/2013") in [(d["code"], d["auto"]) for d in found(office)]


def test_an_erased_person_is_reported_and_passes(office: Cli) -> None:
    with opened(office.url) as engine, session_scope(engine) as session:
        repo = SqlRepository(session)
        case = repo.load(IBGE, ["2/2013"], lock=False)["2/2013"]
        repo.erase_person(IBGE, str(case.person_id), "2020-01-01T00:00:00-03:00")
    answer = office.json("verify", "--deep")
    assert answer["ok"] is True
    assert answer["municipalities"][0]["erased_persons"] == 1
    _, out, _ = office("verify")
    assert "pessoas apagadas (passam): 1" in out


def test_the_head_shows_a_record_rewritten_whole(office: Cli) -> None:
    """Chain, case and deadlines agree again: only a digest kept elsewhere tells."""
    before = office.json("verify", "--head")["municipalities"][0]["head"]
    assert len(before) == 64

    def earlier(payload: dict[str, Any]) -> None:
        payload["received"] = "2014-02-04"

    forge(office, "3/2013", 2, earlier)
    after = office.json("verify", "--head")
    assert after["ok"] is True
    assert after["municipalities"][0]["head"] != before
    assert office.json("verify")["municipalities"][0]["head"] is None


def _due(payload: dict[str, Any]) -> None:
    payload["opens"][0]["due"] = "2014-02-27"


def _start(payload: dict[str, Any]) -> None:
    payload["start"] = "2014-02-06"


def _target(payload: dict[str, Any]) -> None:
    payload["to"] = "em_julgamento"


def _line(payload: dict[str, Any]) -> None:
    payload["assessment"]["lines"][0]["amount"] = "331.00"


def _fine(payload: dict[str, Any]) -> None:
    payload["arbitrada"] = 33_100


def _quantity(payload: dict[str, Any]) -> None:
    """A memória that multiplies and sums, of an amount that the law does not give."""
    payload["assessment"]["lines"][0].update(quantity="12", amount="360.00")
    payload["assessment"]["amount"] = "360.00"
    payload["arbitrada"] = 36_000


def _surcharge(payload: dict[str, Any]) -> None:
    payload["acrescimo"] = 6_600


def _gate(payload: dict[str, Any]) -> None:
    payload["gate"] = [{"code": "paga", "reason": "nada resta a pagar"}]


def _termo(payload: dict[str, Any]) -> None:
    payload["termo"]["prescribes_on"] = "2033-04-27"


def _payable(payload: dict[str, Any]) -> None:
    payload["exigivel_em"] = "2013-05-27"


DEEP = {
    "due day": ("3/2013", 2, _due, "prazo_divergente"),
    "day of the notice": ("3/2013", 2, _start, "ciencia_divergente"),
    "a move that the table has not": ("3/2013", 2, _target, "linha_divergente"),
    "a line that does not multiply": ("1/2013", 4, _line, "recalculo_recusado"),
    "a fine that is not its memória": ("1/2013", 4, _fine, "multa_divergente"),
    "a fine that is not the law's": ("1/2013", 4, _quantity, "multa_divergente"),
    "the surcharge": ("1/2013", 9, _surcharge, "acrescimo_divergente"),
    "the day the debt is due": ("1/2013", 8, _payable, "exigibilidade_divergente"),
    "the gate": ("1/2013", 10, _gate, "controle_divergente"),
    "the Termo": ("1/2013", 10, _termo, "termo_divergente"),
}


@pytest.mark.parametrize("name", DEEP)
def test_a_forgery_that_agrees_with_itself_is_found_by_the_rules(office: Cli, name: str) -> None:
    auto, seq, change, code = DEEP[name]
    forge(office, auto, seq, change)
    assert (code, auto, seq) in [(d["code"], d["auto"], d["seq"]) for d in found(office, "--deep")]


def test_a_calendar_changed_in_the_store_is_found_by_deep(office: Cli) -> None:
    with opened(office.url) as engine, reading(engine) as archive:
        version = archive.acts(IBGE, "3/2013")[1].calendar_version
        document = archive.calendar_document(version) or {}
    document["days"] = document["days"][:-1]
    run_sql(office, "UPDATE posturas_calendars SET document = :document", document=json.dumps(document))
    assert "versao_ausente" in {d["code"] for d in found(office, "--deep")}
    assert office.json("verify")["ok"] is True


def test_a_law_changed_in_the_store_is_found_by_deep(office: Cli) -> None:
    run_sql(office, "UPDATE posturas_rulebooks SET content = replace(content, '0.10', '0.20')")
    assert "versao_ausente" in {d["code"] for d in found(office, "--deep")}


def test_a_unit_corrected_later_does_not_touch_old_fines(office: Cli) -> None:
    with opened(office.url) as engine, engine.begin() as connection:
        connection.execute(text("UPDATE posturas_unit_values SET value = '31.00'"))
    assert office.json("verify", "--deep")["ok"] is True


def test_late_acts_and_undone_terms_verify(office: Cli) -> None:
    office("sweep", "--as-of", "2014-02-21")
    late = {"auto": "3/2013", "act": "defesa", "date": "2014-02-18", "actor": "Zé", "role": "autuado"}
    record(office.url, [late])
    assert office.json("auto", "show", "3/2013")["acts"][-2]["act"] == "desfazimento"
    assert office.json("verify", "--deep")["ok"] is True


def test_verifying_writes_nothing(office: Cli) -> None:
    with opened(office.url) as engine, engine.begin() as connection:
        connection.execute(text("DELETE FROM posturas_calendars"))
    assert {d["code"] for d in found(office, "--deep")} == {"versao_ausente"}
    with opened(office.url) as engine, engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM posturas_calendars")) == 0


def test_an_empty_database_holds(
    upgraded_url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cli = Cli(upgraded_url, capsys, monkeypatch)
    answer = cli.json("verify", "--deep", "--head")
    assert (answer["ok"], answer["municipalities"], answer["defects"]) == (True, [], [])
    assert cli("verify")[0] == 0


def test_a_record_under_way_is_verified_as_one_picture(office: Cli) -> None:
    """What commits while the verification runs is not half seen."""
    with opened(office.url) as engine, reading(engine) as archive:
        before = archive.load(IBGE, ["3/2013"], lock=False)["3/2013"]
        office("sweep", "--as-of", "2014-02-21")
        after = archive.stored(IBGE, ["3/2013"])[0]
        assert after.case is not None
        assert (after.case.last_seq, len(after.acts)) == (before.last_seq, before.last_seq)
