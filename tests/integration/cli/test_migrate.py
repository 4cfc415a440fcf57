"""A law changes: the new procedure from its first day, running terms as they began, the sanction of the fact (spec 01).

The invented new text is Lei 1.522/2005 with 20 days to appeal (and other fines) from 20/03/2013.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from procedure.domain.rulebooks import rulebook_of
from tests.integration.cli.scenes import IBGE, LAW, Cli, inscribed_case, judged, lavratura, record, served

FILED = {"auto": "1/2013", "act": "defesa", "actor": "Bar do Zé", "role": "autuado"}


def block_of(text: str, start: str) -> str:
    """The table of the text in which ``start`` stands, to the blank line after it."""
    begin = text.index(start)
    return text[begin : text.index("\n\n", begin)]


def new_text(folder: Path, *changes: tuple[str, str], first_day: str = "2013-03-20") -> str:
    """The file of the new text, with more changes."""
    text = rulebook_of(LAW).text.replace("procedure_from = 2012-09-18", f"procedure_from = {first_day}")
    appeal = block_of(text, 'kind = "recurso"')
    text = text.replace(appeal, appeal.replace('term = "15d"', 'term = "20d"'))
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    file = folder / "nova.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.fixture
def defending(sao_gabriel: Cli) -> Cli:
    """1/2013 in its term of defence, due 25/03/2013."""
    record(sao_gabriel.url, [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00")])
    record(sao_gabriel.url, [served("1/2013", "ciencia", "2013-03-08")])
    return sao_gabriel


def migrate(cli: Cli, file: str, *options: str) -> Any:
    """The report."""
    return cli.json("rulebook", "migrate", "--law", LAW, "--rulebook", file, *options)


def verified(cli: Cli) -> None:
    """The record replays, and the rules applied again give the same."""
    code, out, err = cli("verify", "--deep")
    assert (code, err) == (0, ""), out + err


def test_the_report_comes_first_and_writes_nothing(defending: Cli, tmp_path: Path) -> None:
    before = defending.json("auto", "show", "1/2013")
    report = migrate(defending, new_text(tmp_path), "--dry-run")
    assert (report["examined"], report["migrated"], report["stay"]) == (1, 1, 0)
    (case,) = report["cases"]
    assert (case["auto"], case["passes"], case["first_day"]) == ("1/2013", True, "2013-03-20")
    assert [(t["kind"], t["due"]) for t in case["running"]] == [("defesa", "2013-03-25")]
    terms = [c for c in case["changes"] if c["section"] == "deadlines"]
    assert [(c["key"], c["before"], c["after"]) for c in terms] == [("recurso", {"term": "15d"}, {"term": "20d"})]
    assert defending.json("auto", "show", "1/2013") == before


def test_a_running_term_keeps_its_rule_and_the_next_one_takes_the_new(defending: Cli, tmp_path: Path) -> None:
    """Appeal from Tuesday 02/04/2013: day 1 is 03/04 and the 20th Monday 22/04 (the 15th would be 17/04)."""
    old = defending.json("auto", "show", "1/2013")["rulebook_version"]
    file = new_text(tmp_path)
    assert migrate(defending, file)["migrated"] == 1
    assert migrate(defending, file)["examined"] == 0  # twice is once
    shown = defending.json("auto", "show", "1/2013")
    assert shown["rulebook_version"].endswith(f"|sancao={old}")
    assert [(d["kind"], d["due"]) for d in shown["deadlines"]] == [("defesa", "2013-03-25")]
    act = shown["acts"][-1]
    assert (act["act"], act["date"], act["role"]) == ("migracao", "2013-03-20", "sistema")
    record(defending.url, [judged("1/2013", "2013-04-01"), served("1/2013", "ciencia_decisao", "2013-04-02")])
    shown = defending.json("auto", "show", "1/2013")
    assert [(d["kind"], d["due"]) for d in shown["deadlines"] if d["status"] == "aberto"] == [("recurso", "2013-04-22")]
    assert shown["amounts"]["arbitrada"] == "330.00"
    assert defending.json("sweep", "--as-of", "2013-04-20")["expired"] == 0
    assert defending.json("sweep", "--as-of", "2013-04-23")["expired"] == 1
    verified(defending)


def test_a_new_case_beside_it_is_under_the_text_of_the_program(defending: Cli, tmp_path: Path) -> None:
    migrate(defending, new_text(tmp_path))
    record(defending.url, [lavratura("2/2013", "2013-03-22", fact="2013-03-21T22:00")])
    assert defending.json("auto", "show", "2/2013")["rulebook_version"] == rulebook_of(LAW).version


def test_an_act_of_before_typed_after_the_passage_is_of_the_text_of_its_day(defending: Cli, tmp_path: Path) -> None:
    migrate(defending, new_text(tmp_path))
    record(defending.url, [{**FILED, "date": "2013-03-15"}])
    assert defending.json("auto", "show", "1/2013")["state"] == "em_julgamento"
    assert defending.json("auto", "show", "1/2013", "--as-of", "2013-03-18")["state"] == "em_julgamento"
    verified(defending)


def test_what_had_ended_before_the_first_day_is_concluded_under_the_text_of_then(
    sao_gabriel: Cli, tmp_path: Path
) -> None:
    """Payment due on 26/04; the text of 01/06 finds the fine overdue and inscribed since 29/04, though nobody swept."""
    inscribed_case(sao_gabriel.url)
    file = new_text(tmp_path, first_day="2013-06-01")
    assert migrate(sao_gabriel, file)["migrated"] == 1
    shown = sao_gabriel.json("auto", "show", "1/2013")
    assert shown["inscricao"]["date"] == "2013-04-29"
    assert [a["act"] for a in shown["acts"]][-4:] == ["decurso_pagamento", "acrescimo", "inscricao", "migracao"]
    assert sao_gabriel.json("auto", "show", "1/2013", "--as-of", "2013-05-31")["rulebook_version"] == (
        rulebook_of(LAW).version
    )
    verified(sao_gabriel)


def test_what_was_done_under_the_former_text_since_the_first_day_is_told(defending: Cli, tmp_path: Path) -> None:
    record(defending.url, [judged("1/2013", "2013-04-01")])
    file = new_text(tmp_path)
    (case,) = migrate(defending, file, "--dry-run")["cases"]
    assert [(a["act"], a["date"]) for a in case["acts_since"]] == [("julgamento", "2013-04-01")]
    code, out, _ = defending("rulebook", "migrate", "--law", LAW, "--rulebook", file)
    assert code == 0
    assert "feito pelo texto anterior já na vigência do novo: julgamento de 01/04/2013" in out
    assert defending.json("auto", "show", "1/2013")["amounts"]["arbitrada"] == "330.00"
    verified(defending)


def test_a_milder_sanction_is_shown_and_applied_only_by_the_municipalitys_reading(
    defending: Cli, tmp_path: Path
) -> None:
    """64-T fines 11 VRSGP, R$ 330,00; in the invented text 9, R$ 270,00."""
    text = rulebook_of(LAW).text
    fine = block_of(text, 'id = "64-T"')
    file = new_text(tmp_path, (fine, fine.replace("11", "9", 1)))
    (case,) = migrate(defending, file, "--dry-run")["cases"]
    sanction = case["sanction"]
    assert (sanction["amount"], sanction["under_new"], sanction["milder"]) == ("330.00", "270.00", True)
    assert (sanction["reading"], sanction["applied"]) == ("nao_aplicar", False)
    chosen = ("--option", "retroatividade_benigna", "--value", "aplicar", "--act", "Parecer de teste 1/2013")
    defending("rulebook", "option", "set", "--law", LAW, *chosen)
    (case,) = migrate(defending, file)["cases"]
    assert case["sanction"]["applied"] is True
    assert "|" not in defending.json("auto", "show", "1/2013")["rulebook_version"]
    record(defending.url, [judged("1/2013", "2013-04-01")])
    assert defending.json("auto", "show", "1/2013")["amounts"]["arbitrada"] == "270.00"
    verified(defending)


def test_a_text_that_is_not_yet_in_force_passes_nothing(defending: Cli, tmp_path: Path) -> None:
    file = new_text(tmp_path, first_day="2099-01-01")
    code, _, err = defending("rulebook", "migrate", "--law", LAW, "--rulebook", file)
    assert code == 2
    assert "01/01/2099" in err
    other = "mg-3129509/lei-1355-1990"
    assert defending("rulebook", "migrate", "--law", other, "--rulebook", new_text(tmp_path))[0] == 2


def test_the_text_of_the_program_leaves_its_own_cases_alone(defending: Cli) -> None:
    report = defending.json("rulebook", "migrate", "--law", LAW)
    assert (report["municipality"], report["examined"]) == (IBGE, 0)


def test_a_term_of_before_that_a_late_act_opens_again_ends_under_the_text_of_then(
    sao_gabriel: Cli, tmp_path: Path
) -> None:
    """An appeal of 17/04 typed after the passage of 10/05 was of another auto and is annulled: the term runs again, and
    ends on 18/04, with the summons, the surcharge and the inscription of 29/04, all before the new text's first day.
    """
    inscribed_case(sao_gabriel.url)
    sao_gabriel.json("sweep", "--as-of", "2013-05-02")
    assert migrate(sao_gabriel, new_text(tmp_path, first_day="2013-05-10"))["migrated"] == 1
    appeal = {"auto": "1/2013", "act": "recurso", "date": "2013-04-17", "actor": "Bar do Zé", "role": "autuado"}
    record(sao_gabriel.url, [appeal])
    assert sao_gabriel.json("auto", "show", "1/2013")["state"] == "em_recurso"
    typed = {"annuls": "recurso", "ground": "erro_de_lancamento", "grounds": "era do auto 9/2013"}
    who = {"actor": "S. Reis", "role": "secretario", "second_person": "P. Luz"}
    record(sao_gabriel.url, [{"auto": "1/2013", "act": "anulacao", "date": "2013-05-20", **typed, **who}])
    assert sao_gabriel.json("auto", "show", "1/2013", "--as-of", "2013-05-12")["state"] == "inscrito"
    assert sao_gabriel.json("sweep", "--as-of", "2013-05-21")["failed"] == []
    shown = sao_gabriel.json("auto", "show", "1/2013")
    assert (shown["state"], shown["amounts"]["saldo"]) == ("inscrito", "363.00")
    assert (shown["inscricao"]["number"], shown["inscricao"]["date"]) == ("2/2013", "2013-04-29")
    verified(sao_gabriel)
