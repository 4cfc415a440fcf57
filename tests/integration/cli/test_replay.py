"""How a case would have gone under another text of the law, writing nothing (issue on corrections)."""

from __future__ import annotations

from pathlib import Path

import pytest

from procedure.domain.rulebooks import rulebook_of
from tests.integration.cli.scenes import LAW, Cli, inscribed_case, lavratura, record, served


@pytest.fixture
def inscribed(sao_gabriel: Cli) -> Cli:
    """1/2013 inscribed, with no defence and no appeal; 2/2013 only drawn up."""
    inscribed_case(sao_gabriel.url)
    record(sao_gabriel.url, [lavratura("2/2013", "2013-03-01", fact="2013-02-20T22:00")])
    sao_gabriel.json("sweep", "--as-of", "2013-05-01")
    return sao_gabriel


def another(folder: Path, *changes: tuple[str, str]) -> str:
    """The law's text with some words changed, each standing once or more; the file."""
    text = rulebook_of(LAW).text
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    file = folder / "outra.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def with_defence_of(folder: Path, term: str) -> str:
    """The same law with another term of defence."""
    text = rulebook_of(LAW).text
    start = text.index('kind = "defesa"')
    end = text.index("\n\n", start)
    block = text[start:end]
    return another(folder, (block, block.replace('term = "15d"', f'term = "{term}"')))


def test_under_its_own_text_a_case_goes_the_same(inscribed: Cli, tmp_path: Path) -> None:
    before = inscribed.json("auto", "show", "1/2013")
    told = inscribed.json("auto", "replay", "1/2013", "--rulebook", another(tmp_path))
    assert (told["same"], told["divergence"], told["refused"], told["refused_by_own"]) == (True, None, [], [])
    for side in ("own", "other"):
        assert told[side]["state"] == before["state"] == "inscrito"
        assert told[side]["amounts"] == before["amounts"]
        assert told[side]["inscription"] == {"date": "2013-04-29", "amount": "363.00"}
        assert [(d["kind"], d["due"]) for d in told[side]["deadlines"]] == [
            (d["kind"], d["due"]) for d in before["deadlines"]
        ]
    assert inscribed.json("auto", "show", "1/2013") == before


def test_a_longer_term_is_the_first_difference(inscribed: Cli, tmp_path: Path) -> None:
    """20 days from Friday 08/03 end on Saturday 30/03 (day 1 is 11/03): the next expediente is Monday 01/04/2013, so
    the judgment of 01/04 comes while the term runs and is refused.
    """
    told = inscribed.json("auto", "replay", "1/2013", "--rulebook", with_defence_of(tmp_path, "20d"))
    assert told["same"] is False
    first = told["divergence"]
    assert (first["position"], first["own"]["act"], first["differs_in"]) == (2, "ciencia", ["opens"])
    assert first["own"]["opens"] == [["defesa", "15d", "2013-03-25", "2013-03-25"]]
    assert first["other"]["opens"] == [["defesa", "20d", "2013-04-01", "2013-04-01"]]
    assert "julgamento" in [r["act"] for r in told["refused"]]
    assert told["own"]["state"] == "inscrito"
    assert told["other"]["state"] == "em_julgamento"
    assert told["other"]["amounts"]["arbitrada"] == "0.00"


def test_a_shorter_term_that_changes_nothing_else(inscribed: Cli, tmp_path: Path) -> None:
    """10 days from 08/03 end on Wednesday 20/03/2013: everything that was done later is still in order."""
    told = inscribed.json("auto", "replay", "1/2013", "--rulebook", with_defence_of(tmp_path, "10d"))
    assert told["divergence"]["other"]["opens"] == [["defesa", "10d", "2013-03-20", "2013-03-20"]]
    assert told["refused"] == []
    assert told["other"]["state"] == "inscrito"
    assert told["other"]["inscription"] == told["own"]["inscription"]


def test_all_autos_tell_only_those_that_differ(inscribed: Cli, tmp_path: Path) -> None:
    told = inscribed.json("auto", "replay", "--rulebook", with_defence_of(tmp_path, "10d"))
    assert (told["examined"], told["same"], told["differing"]) == (2, 1, 1)
    assert [doc["auto"] for doc in told["autos"]] == ["1/2013"]
    code, out, _ = inscribed("auto", "replay", "--rulebook", with_defence_of(tmp_path, "10d"))
    assert code == 0
    assert "Nada foi gravado" in out


@pytest.mark.parametrize("args", [("replay", "1/2013"), ("replay", "9/2013", "--rulebook", "FILE")])
def test_it_refuses_what_it_cannot_replay(inscribed: Cli, tmp_path: Path, args: tuple[str, ...]) -> None:
    file = another(tmp_path)
    assert inscribed("auto", *(file if a == "FILE" else a for a in args))[0] == 2


def test_a_text_with_a_defect_is_refused_with_its_place(inscribed: Cli, tmp_path: Path) -> None:
    code, _, err = inscribed("auto", "replay", "1/2013", "--rulebook", with_defence_of(tmp_path, "quinze"))
    assert code == 2
    assert "outra.toml" in err


def test_a_served_case_with_people_replays_whole(sao_gabriel: Cli, tmp_path: Path) -> None:
    acts = [
        lavratura("3/2013", "2013-03-01", fact="2013-02-20T22:00"),
        served("3/2013", "ciencia", "2013-03-08"),
        {
            "auto": "3/2013", "act": "defesa", "date": "2013-03-20", "actor": "Dra. Reis", "role": "representante",
            "by": {"name": "Dra. Reis", "doc": "529.982.247-25", "proof": "procuração"},
        },
    ]  # fmt: skip
    record(sao_gabriel.url, acts)
    told = sao_gabriel.json("auto", "replay", "3/2013", "--rulebook", another(tmp_path))
    assert (told["same"], told["refused"], told["other"]["state"]) == (True, [], "em_julgamento")


def test_a_text_of_a_later_day_is_tried_as_if_it_had_always_governed(inscribed: Cli, tmp_path: Path) -> None:
    """The file of a new law says its first day, 10/05/2013; what is asked is how the case of March would have gone.
    20 days to appeal from Tuesday 02/04/2013: day 1 is 03/04, the 20th Monday 22/04.
    """
    text = rulebook_of(LAW).text
    start = text.index('kind = "recurso"')
    block = text[start : text.index("\n\n", start)]
    longer = (block, block.replace('term = "15d"', 'term = "20d"'))
    file = another(tmp_path, longer, ("procedure_from = 2012-09-18", "procedure_from = 2013-05-10"))
    told = inscribed.json("auto", "replay", "1/2013", "--rulebook", file)
    assert (told["refused"], told["refused_by_own"]) == ([], [])
    found = told["divergence"]
    assert (found["own"]["act"], found["differs_in"]) == ("ciencia_decisao", ["opens"])
    assert found["other"]["opens"] == [["recurso", "20d", "2013-04-22", "2013-04-22"]]
    assert told["other"]["inscription"] == {"date": "2013-04-29", "amount": "363.00"}


def test_a_case_that_passed_to_another_text_goes_again_under_both(inscribed: Cli, tmp_path: Path) -> None:
    """Inscribed under the text of 2012, passed on 10/05: lived again, it is the same."""
    file = another(tmp_path, ("procedure_from = 2012-09-18", "procedure_from = 2013-05-10"))
    assert inscribed.json("rulebook", "migrate", "--law", LAW, "--rulebook", file)["migrated"] == 2
    before = inscribed.json("auto", "show", "1/2013")
    told = inscribed.json("auto", "replay", "1/2013", "--rulebook", file)
    assert (told["same"], told["refused"], told["refused_by_own"]) == (True, [], [])
    assert told["own"]["rulebook_version"] == before["rulebook_version"]
    assert (told["own"]["state"], told["own"]["amounts"]) == ("inscrito", before["amounts"])


def test_what_was_done_to_an_inscription_by_its_number_is_lived_again(inscribed: Cli, tmp_path: Path) -> None:
    """The numbers of the register are not lived again; the parcelamento of 1/2013 is."""
    parcelled = {"inscription": "1/2013", "act": "parcelamento", "date": "2013-05-06", "actor": "P. Luz"}
    record(inscribed.url, [{**parcelled, "auto": "1/2013", "role": "procuradoria"}])
    told = inscribed.json("auto", "replay", "1/2013", "--rulebook", another(tmp_path))
    assert (told["same"], told["refused"], told["refused_by_own"]) == (True, [], [])
    assert told["own"]["tracks"] == {"principal": "inscrito", "registro": "parcelado"}
