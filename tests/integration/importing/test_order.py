"""The record does not depend on the order of the lines, nor on how the acts reached it."""

from __future__ import annotations

import itertools
import json
import random
import shutil

import pytest
from sqlalchemy import text

from procedure.services.record import Recorder
from procedure.store.repository import SqlRepository
from tests.integration.importing.samples import (
    FIRM,
    NOW,
    PLACE,
    Act,
    Office,
    act,
    drawn,
    inscribed_case,
    judged,
    served,
)

CPF = "52998224725"


def appeal(auto: str) -> list[Act]:
    """To the second instance, with everything that the law lets happen on one day happening on it."""
    return [
        drawn(auto, "2013-03-01T23:10", "2013-03-04", doc=CPF, infrator={"name": "José Áçã 🏛️", "doc": CPF, "kind": "pf",
              "address": {"street": "Rua B"}}),
        served(auto, "ciencia", "2013-03-04"),
        act(auto, "defesa", "2013-03-12", "autuado"),
        act(auto, "impugnacao", "2013-03-13"),
        judged(auto, "2013-04-01"),
        served(auto, "ciencia_decisao", "2013-04-01"),
        act(auto, "recurso", "2013-04-10", "autuado"),
        act(auto, "remessa", "2013-04-10", "secretario"),
        act(auto, "julgamento_recurso", "2013-05-02", "prefeito", outcome="subsistente", grounds="mantém",
            articles_infringed=["64-I"], articles_penalty=["64-T"]),
        served(auto, "ciencia_decisao", "2013-05-06"),
        served(auto, "intimacao_pagamento", "2013-05-06", "secretario"),
        act(auto, "pagamento", "2013-05-08", "tesouraria", amount="330.00"),
    ]  # fmt: skip


def noticed(first: str, second: str) -> list[Act]:
    """A notice in one number whose term ended, and the auto in another that needs it."""
    notice = act(
        first, "notificacao_preliminar", "2013-05-02", term="10d", method="postal", received="2013-05-02",
        juntada="2013-05-02", infrator={"name": "Bar do Zé Ltda", "doc": "11.222.333/0001-81", "kind": "pj"},
        fact={"date": "2013-05-01", "article": "46"},
    )  # fmt: skip
    auto = drawn(second, "2013-05-20T22:00", "2013-05-21", article="46", perigo_iminente=None)
    return [
        notice,
        auto,
        served(second, "ciencia", "2013-05-22"),
        judged(second, "2013-07-01", "46", "7", grau="medio"),
    ]


def history() -> list[Act]:
    return [
        *inscribed_case("1/2013"),
        *appeal("2/2013"),
        *noticed("N1/2013", "3/2013"),
        drawn("4/2013", "2013-05-20T22:00", "2013-05-21"),
        served("4/2013", "ciencia", "2013-05-22"),
        act("4/2013", "pagamento", "2013-06-01", "tesouraria", amount="100"),
        judged("4/2013", "2013-07-02"),
    ]


STATES = {
    "1/2013": "inscrito",
    "2/2013": "pago",
    "N1/2013": "notificacao_vencida",
    "3/2013": "julgado",
    "4/2013": "julgado",
}
on_sqlite_alone = pytest.mark.parametrize("dialect", ["sqlite"])  # copies its file; both databases meet in STATES


def copied(office: Office, name: str) -> Office:
    """Another office that starts as this one."""
    path = office.folder / name
    shutil.copyfile(office.url.removeprefix("sqlite:///"), path)
    return Office(f"sqlite:///{path}", office.folder, office.capsys)


def test_a_history_in_any_order_ends_where_the_law_ends_it(office: Office) -> None:
    lines = history()
    random.Random(0).shuffle(lines)
    code, answer = office.import_acts(lines)
    assert (code, answer["applied"], answer["rejected"]) == (0, len(lines), [])
    assert {auto: seen["state"] for auto, seen in office.record().items()} == STATES
    # Art. 46 by grade is 6 units; 64-I is 11, doubled for the firm whose first auto was already final.
    assert [office.case(auto).arbitrada for auto in ("3/2013", "4/2013")] == [180_00, 660_00]


@on_sqlite_alone
def test_a_shuffled_file_makes_the_same_record(office: Office) -> None:
    records = []
    for seed in range(5):
        other, lines = copied(office, f"{seed}.db"), history()
        if seed:
            random.Random(seed).shuffle(lines)
        assert other.import_acts(lines)[0] == 0
        records.append(other.record())
    assert [record == records[0] for record in records] == [True] * 5


@on_sqlite_alone
def test_importing_writes_byte_by_byte_what_recording_one_act_at_a_time_writes(office: Office) -> None:
    lines = [{**line, "key": f"k{number}"} for number, line in enumerate(history())]
    other = copied(office, "one_by_one.db")
    with_instant = [{**line, "recorded_at": "2014-12-31T12:00:00-02:00"} for line in lines]
    assert office.import_acts(with_instant)[0] == 0
    order = sorted(range(len(lines)), key=lambda n: (lines[n]["date"], lines[n]["auto"], n))
    for number in order:
        with other.session() as session:
            Recorder(SqlRepository(session)).record(with_instant[number], recorded_at=NOW)
    assert rows(other, "acts") == rows(office, "acts")
    for table in ("cases", "deadlines", "inscriptions", "persons", "outbox"):
        assert rows(other, table) == rows(office, table), table


def rows(office: Office, table: str) -> list[tuple[object, ...]]:
    hidden = {"version", "id"} if table in ("cases", "outbox") else set()
    with office.session() as session:
        found = session.execute(text(f"SELECT * FROM posturas_{table}")).mappings().all()
        return sorted(tuple((k, v) for k, v in row.items() if k not in hidden) for row in found)


@on_sqlite_alone
def test_import_then_sweep_is_sweeping_every_night_between_the_days_imported(office: Office) -> None:
    lines = history()
    nightly = copied(office, "nightly.db")
    assert office.import_acts(lines)[0] == 0
    office.sweep("2013-09-01")
    for day in sorted({line["date"] for line in lines}):
        nightly.sweep(day)
        assert nightly.import_acts([line for line in lines if line["date"] == day])[0] == 0
    nightly.sweep("2013-09-01")
    once, each_night = office.record(), nightly.record()
    assert once.keys() == each_night.keys()
    for auto in once:
        assert once[auto] == each_night[auto], auto
    assert once["1/2013"]["state"] == "inscrito"


def test_acts_of_one_day_with_no_hour_come_in_the_order_the_machine_allows(office: Office) -> None:
    lines = appeal("2/2013")
    lines.reverse()
    code, answer = office.import_acts(lines)
    assert (code, answer["rejected"]) == (0, [])
    with office.session() as session:
        kinds = [a.kind for a in SqlRepository(session).acts(PLACE, "2/2013") if a.role != "sistema"]
    assert kinds == [line["act"] for line in appeal("2/2013")]


def test_where_the_machine_allows_several_orders_the_lines_decide(office: Office) -> None:
    base = [drawn("1/2013", "2013-02-20T22:00", "2013-03-01")]
    both = [
        served("1/2013", "ciencia", "2013-03-04"),
        act("1/2013", "pagamento", "2013-03-04", "tesouraria", amount="5"),
    ]
    assert office.import_acts([both[1], both[0], *base])[0] == 0
    with office.session() as session:
        kinds = [a.kind for a in SqlRepository(session).acts(PLACE, "1/2013")]
    assert kinds == ["lavratura", "pagamento", "ciencia"]


def test_two_linked_cases_in_one_file_may_come_in_any_order(office: Office) -> None:
    """Cruzília: the establishment's copy is served on the day on which the distributor's auto is drawn up."""
    carrier = {"name": "Gás do Vale Ltda", "doc": FIRM, "kind": "pj", "address": {"street": "Rodovia", "uf": "MG"}}
    shop = {"name": "Mercado da Ana", "doc": CPF, "kind": "pf", "address": {"street": "Rua B", "uf": "MG"}}
    notice = {"infrator": shop, "copy_to": carrier, "fact": {"date": "2013-03-04T10:00", "place": "Rua B",
              "article": "2,I", "description": "Botijões no passeio"}}  # fmt: skip
    lines = [
        act("E-1", "notificacao", "2013-03-05", **notice),
        act("E-1", "ciencia", "2013-03-11", method="postal", received="2013-03-11"),
        act("E-1", "ciencia", "2013-03-11", method="postal", received="2013-03-11", to="copia"),
        drawn("D-1", "2013-03-11T09:00", "2013-03-11", article="8", infrator=carrier, linked_auto="E-1",
              perigo_iminente=None),
    ]  # fmt: skip
    lines = [{**line, "municipality": "3120805"} for line in lines]
    for number, order in enumerate(itertools.permutations(lines)):
        renamed = [json.loads(json.dumps(line).replace("-1\"", f"-1/{number}\"")) for line in order]
        code, answer = office.import_acts(renamed, "--municipality", "3120805")
        assert (code, answer["rejected"]) == (0, []), order
    code, answer = office.import_acts([{**lines[3], "auto": "D-2"}], "--municipality", "3120805")
    (refused,) = answer["rejected"]
    assert (code, refused["code"], refused["field"]) == (1, "auto_ligado_desconhecido", "linked_auto")
