"""A decree published when terms run: what `calendar import` says, what `calendar recompute` moves (spec 02, 05).

Days counted by hand for Lei 1.522/2005, art. 35-B: from Friday 08/03/2013 day 1 is Monday 11/03 and the 15th is Monday
25/03/2013.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from procedure.domain.case import Case
from procedure.domain.fold import fold
from procedure.services.recomputing import Recomputer
from procedure.store.engine import session_scope
from procedure.store.repository import SqlRepository
from tests.integration.cli.scenes import IBGE, LAW, Cli, lavratura, opened, record, served

DURING = datetime(2013, 3, 21, 12, tzinfo=UTC)
HEAD = "date;kind;description;act;published_on\n"
CLOSED = f"{HEAD}2013-03-25;ponto_facultativo;Semana Santa;Decreto de teste 7/2013;2013-03-20\n"
MOVED = (
    f"{HEAD}2013-03-25;normal;Ponto transferido;Decreto de teste 8/2013;2013-03-21\n"
    "2013-03-26;ponto_facultativo;Ponto transferido;Decreto de teste 8/2013;2013-03-21\n"
)
OPENED = f"{HEAD}2013-03-25;normal;Ponto cancelado;Decreto de teste 8/2013;2013-03-21\n"
SUSPENDED = """[[suspension]]
from = 2013-03-18
to = 2013-03-22
description = "enchente"
act = "Decreto de teste 9/2013"
published_on = 2013-03-18
"""


@pytest.fixture
def defending(sao_gabriel: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """1/2013 in its term of defence, due 25/03/2013; the clock is at 21/03/2013."""
    record(sao_gabriel.url, [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00")])
    record(sao_gabriel.url, [served("1/2013", "ciencia", "2013-03-08")])
    monkeypatch.setattr("procedure.cli.calendar_recount.now", lambda: DURING)
    monkeypatch.setattr("procedure.cli.calendar.now", lambda: DURING)
    return sao_gabriel


def supply(cli: Cli, folder: Path, text: str, *options: str, name: str = "dias.csv") -> Any:
    """Import a file of days; the report."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return cli.json("calendar", "import", str(file), "--municipality", IBGE, *options)


def running(cli: Cli, auto: str = "1/2013") -> list[tuple[str, str]]:
    """(kind, due) of the terms that run."""
    shown = cli.json("auto", "show", auto)
    return [(d["kind"], d["due"]) for d in shown["deadlines"] if d["status"] == "aberto"]


def verified(cli: Cli) -> bool:
    """Whether the record replays and every rule applied again gives the same."""
    code, out, err = cli("verify", "--deep")
    assert (code, err) == (0, ""), out + err
    return True


def test_the_import_says_which_terms_would_move_and_writes_none_of_it(defending: Cli, tmp_path: Path) -> None:
    terms = supply(defending, tmp_path, CLOSED)["terms"]
    assert (terms["moved"], terms["kept"], terms["concluded"]) == (1, 0, 0)
    (move,) = terms["moves"]
    assert (move["auto"], move["kind"], move["from"], move["to"]) == ("1/2013", "defesa", "2013-03-25", "2013-03-26")
    assert (move["effect"], move["applied"], move["reason"]) == ("prorroga", False, None)
    assert move["decrees"] == [
        {
            "act": "Decreto de teste 7/2013",
            "published_on": "2013-03-20",
            "description": "Semana Santa",
            "days": [["2013-03-25", "2013-03-25"]],
        }
    ]
    assert running(defending) == [("defesa", "2013-03-25")]


def test_a_simulated_import_keeps_no_day(defending: Cli, tmp_path: Path) -> None:
    assert supply(defending, tmp_path, CLOSED, "--dry-run")["terms"]["moved"] == 1
    assert defending.json("calendar", "recompute")["moved"] == 0
    assert supply(defending, tmp_path, CLOSED)["stored"] == 1


def test_recompute_moves_by_an_act_that_cites_the_decree_once(defending: Cli, tmp_path: Path) -> None:
    supply(defending, tmp_path, CLOSED)
    assert defending.json("calendar", "recompute", "--dry-run")["moved"] == 1
    assert running(defending) == [("defesa", "2013-03-25")]
    report = defending.json("calendar", "recompute")
    assert (report["moved"], report["moves"][0]["applied"]) == (1, True)
    assert running(defending) == [("defesa", "2013-03-26")]
    shown = defending.json("auto", "show", "1/2013", "--history")
    act = shown["acts"][-1]
    assert (act["act"], act["date"], act["role"], act["from"]) == ("recontagem", "2013-03-20", "sistema", act["to"])
    assert act["details"]["cause"]["decrees"][0]["act"] == "Decreto de teste 7/2013"
    old, new = shown["deadlines"]
    assert (old["status"], old["due"], old["closed_by"]) == ("cancelado", "2013-03-25", act["seq"])
    assert (new["status"], new["due"], new["supersedes"]) == ("aberto", "2013-03-26", old["number"])
    assert old["calendar_version"] != new["calendar_version"]
    assert [s for s in new["steps"] if "Semana Santa" in str(s)]  # the new day is explained from the same event
    said = "recontagem de prazo; prazo de defesa, de 25/03/2013 para 26/03/2013; Decreto de teste 7/2013, pelo sistema"
    assert said in defending("auto", "show", "1/2013")[1]
    assert defending.json("calendar", "recompute")["moved"] == 0  # twice is once
    assert len(defending.json("auto", "show", "1/2013")["acts"]) == len(shown["acts"])
    assert verified(defending)


def test_without_a_change_of_days_nothing_is_written(defending: Cli) -> None:
    report = defending.json("calendar", "recompute")
    assert (report["examined"], report["moved"], report["kept"], report["concluded"]) == (0, 0, 0, 0)
    assert len(defending.json("auto", "show", "1/2013")["acts"]) == 2


def test_the_sweep_concludes_by_the_new_day(defending: Cli, tmp_path: Path) -> None:
    supply(defending, tmp_path, CLOSED)
    defending.json("calendar", "recompute")
    assert defending.json("sweep", "--as-of", "2013-03-26")["expired"] == 0
    assert defending.json("sweep", "--as-of", "2013-03-27")["expired"] == 1
    assert defending.json("auto", "show", "1/2013")["acts"][-1]["date"][:10] == "2013-03-27"
    assert verified(defending)


def test_a_suspension_carries_the_balance_over(defending: Cli, tmp_path: Path) -> None:
    """11/03 to 17/03 are 7 days; the other 8 run from Monday 25/03 and end on Monday 01/04/2013."""
    supply(defending, tmp_path, SUSPENDED, name="dias.toml")
    assert defending.json("calendar", "recompute")["moved"] == 1
    assert running(defending) == [("defesa", "2013-04-01")]
    assert verified(defending)


def test_a_ponto_that_is_no_more_shortens_what_it_had_lengthened(defending: Cli, tmp_path: Path) -> None:
    """Due 26/03 by the first decree; the second opens 25/03 again, so the term would end a day before."""
    supply(defending, tmp_path, CLOSED)
    defending.json("calendar", "recompute")
    terms = supply(defending, tmp_path, OPENED, name="outros.csv")["terms"]
    (move,) = terms["moves"]
    assert (move["from"], move["to"], move["effect"], move["reason"]) == (
        "2013-03-26", "2013-03-25", "encurta", "encurta",
    )  # fmt: skip
    assert {d["act"] for d in move["decrees"]} == {"Decreto de teste 8/2013"}
    assert defending.json("calendar", "recompute")["kept"] == 1
    assert running(defending) == [("defesa", "2013-03-26")]


def test_a_term_kept_to_a_day_that_closed_goes_on_to_the_next_expediente(defending: Cli, tmp_path: Path) -> None:
    """Told that the term ended on 26/03, which is now the ponto: kept, it ends on Wednesday 27/03 (art. 35-B)."""
    supply(defending, tmp_path, CLOSED)
    defending.json("calendar", "recompute")
    terms = supply(defending, tmp_path, MOVED, name="outros.csv")["terms"]
    (move,) = terms["moves"]
    assert (move["from"], move["to"], move["effect"], move["reason"]) == (
        "2013-03-26", "2013-03-27", "prorroga", None,
    )  # fmt: skip
    assert defending.json("calendar", "recompute")["moved"] == 1
    assert running(defending) == [("defesa", "2013-03-27")]
    shown = defending.json("auto", "show", "1/2013")["deadlines"][-1]
    assert [(s["to"], s["kind"]) for s in shown["steps"]][-2:] == [
        ("2013-03-26", "adiado"), ("2013-03-27", "vencimento"),
    ]  # fmt: skip
    assert defending.json("calendar", "recompute")["examined"] == 0
    assert verified(defending)
    # The 27th closes too: the same again.
    supply(defending, tmp_path, f"{HEAD}2013-03-27;ponto_facultativo;Mais um;Decreto 9/2013;2013-03-21\n", name="3.csv")
    assert defending.json("calendar", "recompute")["moved"] == 1
    assert running(defending) == [("defesa", "2013-03-28")]  # a Thursday
    assert verified(defending)


def test_a_person_may_decide_that_a_term_is_shortened(defending: Cli, tmp_path: Path) -> None:
    supply(defending, tmp_path, CLOSED)
    defending.json("calendar", "recompute")
    supply(defending, tmp_path, MOVED, name="outros.csv")
    alone = ("calendar", "recompute", "--auto", "1/2013", "--shorten")
    assert defending(*alone)[0] == 2  # by whom?
    assert defending.json(*alone, "--actor", "S. Reis")["moved"] == 1
    assert running(defending) == [("defesa", "2013-03-25")]
    act = defending.json("auto", "show", "1/2013")["acts"][-1]
    assert act["details"]["cause"]["decided_by"] == "S. Reis"
    assert verified(defending)


def test_no_term_is_moved_into_the_past(
    defending: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    supply(defending, tmp_path, CLOSED)
    defending.json("calendar", "recompute")
    supply(defending, tmp_path, OPENED, name="outros.csv")
    monkeypatch.setattr(
        "procedure.cli.calendar_recount.now", lambda: datetime(2013, 3, 26, 12, tzinfo=UTC)
    )  # 25/03 has passed
    report = defending.json("calendar", "recompute", "--shorten", "--actor", "S. Reis")
    assert (report["moved"], report["kept"], report["moves"][0]["reason"]) == (0, 1, "ja_teria_acabado")
    assert running(defending) == [("defesa", "2013-03-26")]


def test_a_term_that_had_ended_is_listed_and_not_touched(defending: Cli, tmp_path: Path) -> None:
    defending.json("sweep", "--as-of", "2013-03-26")
    late = {"auto": "1/2013", "act": "defesa", "date": "2013-03-26", "actor": "Bar do Zé", "role": "autuado"}
    record(defending.url, [late])
    acts = defending.json("auto", "show", "1/2013")["acts"]
    terms = supply(defending, tmp_path, CLOSED)["terms"]
    assert (terms["moved"], terms["concluded"]) == (0, 1)
    (ended,) = terms["concluded_terms"]
    assert (ended["auto"], ended["from"], ended["to"], ended["state"]) == (
        "1/2013", "2013-03-25", "2013-03-26", "em_julgamento",
    )  # fmt: skip
    told = ended["filings"][0]
    assert (told["act"], told["was"], told["would_be"]) == ("defesa", "intempestiva", "tempestiva")
    report = defending.json("calendar", "recompute")
    assert (report["moved"], report["concluded"]) == (0, 1)
    assert defending.json("auto", "show", "1/2013")["acts"] == acts
    code, out, _ = defending("calendar", "recompute")
    assert code == 0
    assert "de 25/03/2013 para 26/03/2013" in out
    assert "Decreto de teste 7/2013, publicado em 20/03/2013" in out


def test_the_day_of_the_inscription_follows_the_days_too(
    sao_gabriel: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """48 h from 24/04/2013 end on Friday 26/04; the first day of expediente after it is Monday 29/04, then 30/04."""
    from tests.integration.cli.scenes import inscribed_case

    inscribed_case(sao_gabriel.url)
    sao_gabriel.json("sweep", "--as-of", "2013-04-27")
    monkeypatch.setattr("procedure.cli.calendar_recount.now", lambda: datetime(2013, 4, 27, 12, tzinfo=UTC))
    supply(sao_gabriel, tmp_path, f"{HEAD}2013-04-29;fechado;Luto oficial;Decreto de teste 3/2013;2013-04-27\n")
    assert sao_gabriel.json("calendar", "recompute")["moved"] == 1
    sao_gabriel.json("sweep", "--as-of", "2013-05-01")
    assert sao_gabriel.json("auto", "show", "1/2013")["inscricao"]["date"] == "2013-04-30"
    assert verified(sao_gabriel)


def test_a_defence_in_time_by_the_new_day_typed_late_is_in_time(defending: Cli, tmp_path: Path) -> None:
    supply(defending, tmp_path, CLOSED)
    defending.json("calendar", "recompute")
    defending.json("sweep", "--as-of", "2013-04-10")
    late = {"auto": "1/2013", "act": "defesa", "date": "2013-03-26", "actor": "Bar do Zé", "role": "autuado"}
    record(defending.url, [late])
    shown = defending.json("auto", "show", "1/2013")
    assert (shown["state"], shown["flags"], shown["timeliness"][0]["timeliness"]) == (
        "em_julgamento", [], "tempestiva",
    )  # fmt: skip
    assert verified(defending)


def test_an_act_dated_before_the_decree_and_recorded_after_the_recount_is_in_order(
    defending: Cli, tmp_path: Path
) -> None:
    supply(defending, tmp_path, CLOSED)
    defending.json("calendar", "recompute")
    filed = {"auto": "1/2013", "act": "defesa", "date": "2013-03-15", "actor": "Bar do Zé", "role": "autuado"}
    record(defending.url, [filed])
    shown = defending.json("auto", "show", "1/2013")
    assert [a["act"] for a in shown["acts"]] == ["lavratura", "ciencia", "recontagem", "defesa"]
    assert shown["state"] == "em_julgamento"
    assert verified(defending)


def test_a_notice_annulled_takes_the_recounted_term_with_it(defending: Cli, tmp_path: Path) -> None:
    """The new ciência, of Monday 25/03/2013, is of a day now closed: deemed made on the 26th, 15 days end on 10/04."""
    supply(defending, tmp_path, CLOSED)
    defending.json("calendar", "recompute")
    annulment = {
        "auto": "1/2013", "act": "anulacao", "date": "2013-03-22", "actor": "S. Reis", "role": "secretario",
        "annuls": "ciencia", "ground": "vicio_de_ciencia", "grounds": "AR de outro endereço",
        "second_person": "P. Dias",
    }  # fmt: skip
    record(defending.url, [annulment])
    shown = defending.json("auto", "show", "1/2013")
    assert (shown["state"], running(defending)) == ("lavrado", [])
    record(defending.url, [served("1/2013", "ciencia", "2013-03-25")])
    assert running(defending) == [("defesa", "2013-04-10")]
    assert verified(defending)


def test_money_typed_late_leaves_the_recounted_term_in_place(defending: Cli, tmp_path: Path) -> None:
    """A deposit of 15/03 typed after the default of 27/03: whatever it undoes, the term ends on the decree's day."""
    supply(defending, tmp_path, CLOSED)
    defending.json("calendar", "recompute")
    defending.json("sweep", "--as-of", "2013-04-10")
    assert defending.json("calendar", "recompute")["moved"] == 0
    record(defending.url, [{"auto": "1/2013", "act": "pagamento", "date": "2013-03-15", "actor": "x",
                            "role": "autuado", "amount": "10.00"}])  # fmt: skip
    shown = defending.json("auto", "show", "1/2013")
    ended = [a["date"][:10] for a in shown["acts"] if a["act"] == "decurso_defesa"]
    assert ended == ["2013-03-27"]
    assert verified(defending)


def test_in_law_the_term_moves_on_the_day_of_the_decree(defending: Cli, tmp_path: Path) -> None:
    supply(defending, tmp_path, CLOSED)
    defending.json("calendar", "recompute")

    def due(day: str) -> list[str]:
        return [d["due"] for d in defending.json("auto", "show", "1/2013", "--as-of", day)["deadlines"]]

    assert due("2013-03-19") == ["2013-03-25"]
    assert due("2013-03-20") == ["2013-03-26"]  # published that day
    assert defending.json("auto", "show", "1/2013", "--as-of", "2013-03-26")["state"] == "aguardando_defesa"
    assert defending.json("auto", "show", "1/2013", "--as-of", "2013-03-27")["state"] == "em_julgamento"


@pytest.mark.parametrize(
    ("key", "value"), [("due", "2013-03-27"), ("expires_on", "2013-03-28"), ("calendar_version", "0" * 64)]
)
def test_the_deep_check_counts_a_recount_again(defending: Cli, tmp_path: Path, key: str, value: str) -> None:
    supply(defending, tmp_path, CLOSED)
    defending.json("calendar", "recompute")
    with opened(defending.url) as engine, session_scope(engine, read_only=True) as session:
        repo = SqlRepository(session)
        acts = repo.acts(IBGE, "1/2013")
        before = Case(IBGE, "1/2013", law=LAW)
        for act in acts[:-1]:
            fold(before, act)
        deeper = Recomputer(repo, IBGE)
        assert list(deeper.check(before, acts[-1])) == []
        acts[-1].payload["recount"]["opens"][key] = value
        assert [code for code, _ in deeper.check(before, acts[-1])] == ["recontagem_divergente"]
