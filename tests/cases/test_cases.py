"""The legal cases of the three municipalities, written as data in their folders, and what they cover."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from procedure.domain.rulebook_reader import shipped_rulebook
from procedure.services.recomputing import Recomputer
from procedure.services.verifying import verify
from procedure.store.archive import reading
from tests.cases.municipalities import MUNICIPALITIES, SAO_GABRIEL, Municipality
from tests.cases.office import LegalCase, Office, read_cases, read_folder
from tests.cases.places import Database


def _name(value: Any) -> str:
    return f"{value.municipality.name}-{value.id}" if isinstance(value, LegalCase) else str(value)


CASES = read_cases()
BOTH = [case for case in CASES if case.data.get("both_databases")]
RUNS = [*((case, "sqlite") for case in CASES), *((case, "postgresql") for case in BOTH)]


@pytest.mark.parametrize(("case", "dialect"), RUNS, indirect=["dialect"], ids=_name)
def test_case(case: LegalCase, upgraded_url: str) -> None:
    place = Database(upgraded_url)
    try:
        Office(place, case).run()
        with reading(place.engine) as archive:  # what was written replays, and the rules applied again give the same
            code = case.municipality.code
            found = verify(archive, code, deeper=Recomputer(archive, code))
        assert [f"{d.auto} {d.seq} {d.code}: {d.what}" for d in found.defects] == []
    finally:
        place.close()


WRONG: list[dict[str, Any]] = [
    {"state": "julgado"},
    {"state": "aguardando_defesa", "due": {"defesa": "2013-03-24"}},
    {"state": "aguardando_defesa", "due": {"recurso": "2013-03-25"}},
    {"state": "aguardando_defesa", "owed": "0.01"},
    {"state": "aguardando_defesa", "wrote": []},
    {"state": "aguardando_defesa", "readings": {"defesa": ["2013-03-24 x=y"]}},
    {"error": "fora_de_ordem"},
    {},
    {"state": "aguardando_defesa", "nonsense": 1},
]


@pytest.mark.parametrize("dialect", ["sqlite"], indirect=True)
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_the_runner_tells_a_wrong_value_from_a_right_one(wrong: dict[str, Any], upgraded_url: str) -> None:
    right = next(case for case in CASES if case.id == "defesa-sexta")
    drawn, served = (
        right.data["steps"][0],
        {k: right.data["steps"][1][k] for k in ("act", "date", "method", "received")},
    )
    steps = [drawn, {**served, **wrong}]
    case = LegalCase(right.municipality, right.file, {**right.data, "steps": steps}, right.people)
    place = Database(upgraded_url)
    try:
        with pytest.raises(AssertionError):
            Office(place, case).run()
    finally:
        place.close()


def test_a_name_that_no_case_has_is_refused(tmp_path: Path) -> None:
    (tmp_path / "um.toml").write_text('[person.bar]\nname = "Bar"\n[[case]]\nid = "um"\nwhim = 1\n', encoding="utf-8")
    with pytest.raises(AssertionError, match="whim"):
        read_folder(SAO_GABRIEL, tmp_path)


def test_ids_are_unique_and_a_few_cases_run_on_both_databases() -> None:
    assert [name for name, times in Counter(map(_name, CASES)).items() if times > 1] == []
    assert len(BOTH) >= 3


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_a_case_says_what_it_is_why_and_by_which_provisions(case: LegalCase) -> None:
    assert case.data["sentence"].endswith(".")
    assert len(case.data["why"]) > 20
    assert case.data["provisions"]
    assert set(case.data["provisions"]) <= encoded(case.municipality) | general(case.municipality)


def encoded(municipality: Municipality) -> set[str]:
    """The provisions of the law itself that its machines, terms, competences, contents and penalties rest on.

    What general law says of every municipality's register is proved once, in integration/procedure/test_collection.py.
    """
    book = shipped_rulebook(municipality.law)
    citations = [
        *(row.citation for row in book.rows),
        *(row.citation for rows in book.track_rows.values() for row in rows),
        *(rule.citation for rule in book.deadlines.values()),
        *(c.citation for c in book.competences.values()),
        *(content.citation for contents in book.contents.values() for content in contents),
        *(switch.citation for switch in book.switches.values()),
    ]
    penalties = {p.article for periods in book.penalties.values() for p in periods}
    return {str(c.provision) for c in citations if c.norm == book.norm} | penalties


_OF_COUNTING = {"sao_gabriel": {"8", "35-B", "248"}, "ibia": {"88,pu", "117", "129", "133"}, "cruzilia": {"10", "13"}}


def general(municipality: Municipality) -> set[str]:
    """Provisions that cases rest on beside those: infractions, the law's life, the count of terms."""
    book = shipped_rulebook(municipality.law)
    return {*book.infractions, *book.exclusions, *_OF_COUNTING[municipality.name]}


@pytest.mark.parametrize("municipality", MUNICIPALITIES, ids=lambda m: m.name)
def test_every_provision_of_the_machine_is_cited_by_a_case(municipality: Municipality) -> None:
    cited = {p for case in CASES if case.municipality is municipality for p in case.data["provisions"]}
    assert encoded(municipality) - cited == set()
