"""A case in law on a day, and as it was known at an instant; the list and the register likewise (issue on corrections).

The case of the right answers: ciência on Friday 08/03/2013, defence due 25/03, judged 01/04, decision notified 02/04
(appeal due 17/04), summons joined 24/04, payment due 26/04, inscribed on Monday 29/04/2013.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from procedure.services.record import Recorder
from procedure.store.engine import session_scope
from procedure.store.repository import SqlRepository
from tests.integration.cli.scenes import IBGE, Act, Cli, inscribed_case, lavratura, opened, record, served


def record_at(url: str, acts: Sequence[Act], instant: datetime) -> None:
    """Record the acts, typed at that instant."""
    with opened(url) as engine, session_scope(engine) as session:
        recorder = Recorder(SqlRepository(session))
        for act in acts:
            recorder.record({"municipality": IBGE, **act}, recorded_at=instant)


@pytest.fixture
def inscribed(sao_gabriel: Cli) -> Cli:
    """1/2013, lived to its inscription and swept in May."""
    inscribed_case(sao_gabriel.url)
    sao_gabriel.json("sweep", "--as-of", "2013-05-01")
    return sao_gabriel


@pytest.mark.parametrize(
    ("day", "state", "arbitrada", "acrescimo"),
    [
        ("2013-03-01", "lavrado", "0.00", "0.00"),
        ("2013-03-25", "aguardando_defesa", "0.00", "0.00"),  # it falls due on that day: it has not ended
        ("2013-03-26", "em_julgamento", "0.00", "0.00"),
        ("2013-04-01", "julgado", "330.00", "0.00"),
        ("2013-04-17", "aguardando_recurso", "330.00", "0.00"),
        ("2013-04-18", "definitivo", "330.00", "0.00"),
        ("2013-04-26", "aguardando_pagamento", "330.00", "0.00"),
        ("2013-04-27", "vencido", "330.00", "33.00"),
        ("2013-04-29", "inscrito", "330.00", "33.00"),
    ],
)
def test_the_state_in_law_on_a_day(inscribed: Cli, day: str, state: str, arbitrada: str, acrescimo: str) -> None:
    shown = inscribed.json("auto", "show", "1/2013", "--as-of", day)
    assert (shown["state"], shown["amounts"]["arbitrada"], shown["amounts"]["acrescimo"]) == (
        state, arbitrada, acrescimo,
    )  # fmt: skip
    assert (shown["as_of"], shown["known_at"]) == (day, None)
    assert (shown["inscricao"] is not None) == (day == "2013-04-29")


def test_what_no_sweep_concluded_is_concluded_in_memory_and_not_written(sao_gabriel: Cli) -> None:
    inscribed_case(sao_gabriel.url)
    before = sao_gabriel.json("auto", "show", "1/2013")
    shown = sao_gabriel.json("auto", "show", "1/2013", "--as-of", "2013-04-29")
    assert (before["state"], shown["state"]) == ("aguardando_pagamento", "inscrito")
    assert (shown["inscricao"]["number"], shown["inscricao"]["date"]) == (None, "2013-04-29")
    made = [a for a in shown["acts"] if a["hash"] is None]
    assert [a["act"] for a in made] == ["decurso_pagamento", "acrescimo", "inscricao"]
    assert sao_gabriel.json("auto", "show", "1/2013") == before
    assert "ainda sem número" in sao_gabriel("auto", "show", "1/2013", "--as-of", "2013-04-29")[1]


def test_before_it_was_drawn_up_there_is_no_auto(inscribed: Cli) -> None:
    code, _, err = inscribed("auto", "show", "1/2013", "--as-of", "2013-02-28")
    assert code == 2
    assert "não existe o auto" in err


def test_what_was_known_before_a_late_act_was_typed(sao_gabriel: Cli) -> None:
    """The defence of the last day typed on 10/04: in law it always counted; until then nobody knew of it."""
    url = sao_gabriel.url
    begun = [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00"), served("1/2013", "ciencia", "2013-03-08")]
    record_at(url, begun, datetime(2013, 3, 8, 18, tzinfo=UTC))
    sweep = datetime(2013, 3, 26, 3, tzinfo=UTC)
    _sweep(url, sweep)
    filed = {"auto": "1/2013", "act": "defesa", "date": "2013-03-25", "actor": "Bar do Zé", "role": "autuado"}
    record_at(url, [filed], datetime(2013, 4, 10, 15, tzinfo=UTC))

    in_law = sao_gabriel.json("auto", "show", "1/2013", "--as-of", "2013-03-28")
    assert (in_law["state"], in_law["flags"], len(in_law["timeliness"])) == ("em_julgamento", [], 1)
    known = sao_gabriel.json("auto", "show", "1/2013", "--known-at", "2013-03-28")
    assert (known["state"], known["flags"], known["timeliness"]) == ("em_julgamento", ["revel"], [])
    both = sao_gabriel.json("auto", "show", "1/2013", "--as-of", "2013-03-28", "--known-at", "2013-04-09")
    assert (both["flags"], both["timeliness"]) == (["revel"], [])
    typed = sao_gabriel.json("auto", "show", "1/2013", "--as-of", "2013-03-28", "--known-at", "2013-04-10")
    assert (typed["flags"], len(typed["timeliness"])) == ([], 1)
    assert sao_gabriel.json("auto", "show", "1/2013", "--known-at", "2013-03-20")["state"] == "aguardando_defesa"


def _sweep(url: str, at: datetime) -> None:
    from procedure.domain.moment import Moment, zone
    from procedure.store.sweep_run import Order
    from procedure.store.sweeping import sweep_with

    with opened(url) as engine:
        sweep_with(engine, Order(IBGE, Moment.parse("2013-03-26", zone("America/Sao_Paulo")), at))


def test_the_list_filters_by_what_each_case_was(inscribed: Cli) -> None:
    record(inscribed.url, [lavratura("2/2013", "2013-04-20", fact="2013-04-19T22:00")])

    def autos(*args: str) -> list[tuple[str, str]]:
        return [(line["auto"], line["state"]) for line in inscribed.json("auto", "list", *args)]

    assert autos("--as-of", "2013-03-10") == [("1/2013", "aguardando_defesa")]
    assert autos("--as-of", "2013-04-27") == [("1/2013", "vencido"), ("2/2013", "lavrado")]
    assert autos("--as-of", "2013-04-27", "--state", "inscrito") == []
    assert autos("--state", "inscrito") == [("1/2013", "inscrito")]
    assert autos("--as-of", "2013-03-20", "--due-within", "5d") == [("1/2013", "aguardando_defesa")]


def test_the_book_and_what_prescribes_on_a_day(inscribed: Cli) -> None:
    """Paid on 10/06: on 05/06 it was inscribed, with five years from 27/04/2013 and the 180 days."""
    paid = {"auto": "1/2013", "act": "pagamento", "date": "2013-06-10", "actor": "T-1", "role": "tesouraria"}
    record(inscribed.url, [{**paid, "amount": "363.00"}])

    def book(*args: str) -> list[tuple[str, str]]:
        return [(line["number"], line["status"]) for line in inscribed.json("divida-ativa", "register", *args)]

    def forecast(*args: str) -> list[tuple[str | None, str]]:
        within = ("--within", "2000d")
        return [(line["number"], line["saldo"]) for line in inscribed.json("divida-ativa", "forecast", *within, *args)]

    assert book() == [("1/2013", "quitado")]
    assert book("--as-of", "2013-06-05") == [("1/2013", "inscrito")]
    assert book("--as-of", "2013-04-20") == []
    assert forecast("--on", "2013-07-01") == []
    assert forecast("--as-of", "2013-06-05") == [("1/2013", "363.00")]
    assert forecast("--as-of", "2013-04-28") == [(None, "363.00")]  # overdue since 27/04, inscribed on 29/04


def test_the_register_on_a_day(inscribed: Cli) -> None:
    def register(*args: str) -> list[str]:
        return [line["number"] for line in inscribed.json("divida-ativa", "list", *args)]

    assert register("--as-of", "2013-04-28") == []
    assert register("--as-of", "2013-04-29") == ["1/2013"]
    assert register("--known-at", "2013-05-02") == []  # it was typed and swept much later
    assert register() == ["1/2013"]


def test_an_inscription_undone_since_is_shown_cancelled_by_the_case_as_by_the_register(inscribed: Cli) -> None:
    """Paid on the due day, 26/04/2013, and typed later: on 30/04 the number was in the register, and nothing owed."""
    paid = {"auto": "1/2013", "act": "pagamento", "date": "2013-04-26", "actor": "Banco", "role": "tesouraria"}
    record(inscribed.url, [{**paid, "amount": "330.00"}])
    (line,) = inscribed.json("divida-ativa", "list", "--as-of", "2013-04-30")
    shown = inscribed.json("auto", "show", "1/2013", "--as-of", "2013-04-30")
    assert (shown["state"], shown["amounts"]["saldo"]) == ("pago", "0.00")
    assert (shown["inscricao"]["number"], shown["inscricao"]["status"]) == ("1/2013", "cancelado")
    assert (line["number"], line["status"]) == ("1/2013", "cancelado")
    assert inscribed.json("auto", "show", "1/2013", "--as-of", "2013-04-28")["inscricao"] is None
