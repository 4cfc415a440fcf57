"""A host, in its own transaction, counts terms again and looks back (issue on corrections)."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

import procedure
from calendars import DayFact, DayKind, fact_to_document
from procedure import corrections
from procedure.domain.rulebooks import rulebook_of
from procedure.store import supplied
from procedure.store.engine import session_scope
from tests.integration.cli.scenes import IBGE, LAW, lavratura, opened, served, supply_unit

TYPED = datetime(2013, 3, 9, 12, tzinfo=UTC)
RECOUNTED = datetime(2013, 3, 21, 12, tzinfo=UTC)


def test_a_host_recounts_and_looks_back(upgraded_url: str) -> None:
    """From Friday 08/03/2013 the 15 days end on Monday 25/03; the office closed that day, on Tuesday 26/03."""
    supply_unit(upgraded_url)
    acts = [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00"), served("1/2013", "ciencia", "2013-03-08")]
    closed = DayFact(date(2013, 3, 25), DayKind.FECHADO, "Ponto", "Decreto de teste 7/2013", date(2013, 3, 20))
    with opened(upgraded_url) as engine, session_scope(engine) as session:
        procedure.record_acts(session, [{"municipality": IBGE, **a} for a in acts], recorded_at=TYPED)
        supplied.import_facts(session, IBGE, [fact_to_document(closed)], "dias", recorded_at=RECOUNTED.isoformat())
        told = corrections.recount_terms(session, IBGE, recorded_at=RECOUNTED, write=False)
        assert [(m["to"], m["applied"]) for m in told] == [("2013-03-26", False)]
        assert [m["applied"] for m in corrections.recount_terms(session, IBGE, recorded_at=RECOUNTED)] == [True]
        assert corrections.recount_terms(session, IBGE, recorded_at=RECOUNTED) == []
        now = procedure.show_case(session, IBGE, "1/2013")
        then = procedure.show_case(session, IBGE, "1/2013", known_at=TYPED)
        later = procedure.show_case(session, IBGE, "1/2013", as_of=date(2013, 3, 27))
    assert [d["due"] for d in now["deadlines"]] == ["2013-03-26"]
    assert [d["due"] for d in then["deadlines"]] == ["2013-03-25"]
    assert (now["state"], later["state"], later["as_of"]) == ("aguardando_defesa", "em_julgamento", "2013-03-27")


def test_a_host_replays_and_passes_to_a_new_text(upgraded_url: str) -> None:
    """20 days to defend from 08/03 end on Saturday 30/03, so on Monday 01/04/2013; the other text begins on 15/03."""
    supply_unit(upgraded_url)
    acts = [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00"), served("1/2013", "ciencia", "2013-03-08")]
    text = rulebook_of(LAW).text
    term = text[text.index('kind = "defesa"') :]
    term = term[: term.index("\n\n")]
    longer = corrections.read_rulebook(text.replace(term, term.replace('"15d"', '"20d"')), file="nova.toml")
    moved = text.replace("procedure_from = 2012-09-18", "procedure_from = 2013-03-15")
    later = corrections.read_rulebook(moved, file="nova.toml")
    with opened(upgraded_url) as engine, session_scope(engine) as session:
        procedure.record_acts(session, [{"municipality": IBGE, **a} for a in acts], recorded_at=TYPED)
        told = corrections.replay_case(session, IBGE, "1/2013", longer, as_of=date(2013, 3, 27))
        assert (told["own"]["state"], told["other"]["state"]) == ("em_julgamento", "aguardando_defesa")
        assert [d["due"] for d in told["other"]["deadlines"]] == ["2013-04-01"]
        assert [c["passes"] for c in corrections.migrate_cases(session, IBGE, later, recorded_at=RECOUNTED)] == [True]
        assert corrections.migrate_cases(session, IBGE, later, recorded_at=RECOUNTED) == []
        assert procedure.show_case(session, IBGE, "1/2013")["rulebook_version"].startswith("2013-03-15+")


def test_shortening_is_somebodys_decision(upgraded_url: str) -> None:
    asked = {"recorded_at": RECOUNTED, "shorten": True}
    with opened(upgraded_url) as engine, session_scope(engine) as session, pytest.raises(ValueError, match="decided"):
        corrections.recount_terms(session, IBGE, **asked)  # type: ignore[arg-type]  # spread of mixed values
