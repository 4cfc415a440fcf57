"""São Gabriel's infractions against a list written separately from the law, both ways."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from legalbasis.provision import Provision

HERE = Path(__file__).parent
FOLDER = HERE.parents[1] / "procedure" / "rulebooks" / "es-3204708"
LIST = HERE / "sao_gabriel_infractions.txt"
LEI_2003 = dt.date(2009, 12, 14)
TABLES = ("infraction", "not_citable", "not_encoded", "other_consequence", "other_law", "not_applied")


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


@pytest.fixture(scope="module")
def law() -> dict[str, Any]:
    whole = _read(FOLDER / "lei-1522-2005.toml")
    return whole if "infraction" in whole else _read(FOLDER / "infractions.toml.part")


@pytest.fixture(scope="module")
def typed() -> dict[str, tuple[str, str]]:
    lines = [line for line in LIST.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    rows = [[cell.strip() for cell in line.split("|")] for line in lines]
    assert not [id_ for id_, n in Counter(row[0] for row in rows).items() if n > 1]
    return {provision: (articles, group) for provision, articles, group in rows}


def _punished_by(law: dict[str, Any], infraction: dict[str, Any]) -> str:
    articles = {p["id"]: p["article"] for p in law["penalty"]}
    choices = {c["id"]: "/".join(articles[p] for p in c["options"].values()) for c in law["penalty_choice"]}
    return "; ".join((articles | choices)[p] for p in infraction["penalty"])


def test_the_rulebook_and_the_typed_list_name_the_same_provisions(
    law: dict[str, Any], typed: dict[str, tuple[str, str]]
) -> None:
    encoded = {i["id"] for i in law["infraction"]}
    assert sorted(encoded - typed.keys()) == []
    assert sorted(typed.keys() - encoded) == []


def test_each_infraction_is_punished_by_the_article_the_list_names(
    law: dict[str, Any], typed: dict[str, tuple[str, str]]
) -> None:
    encoded = {i["id"]: (_punished_by(law, i), i["group"]) for i in law["infraction"]}
    assert {k: v for k, v in encoded.items() if typed[k] != v} == {}


def test_no_provision_is_classified_twice(law: dict[str, Any]) -> None:
    # What is lost only in part stands beside the rest of its article.
    ids = [row["id"] for table in TABLES for row in law[table] if not row.get("partial", False)]
    assert [id_ for id_, n in Counter(ids).items() if n > 1] == []


def test_every_article_of_the_law_is_classified(law: dict[str, Any]) -> None:
    lettered = {f"64-{c}" for c in "ABCDEFGHIJKLMNOPQRSTUV"} | {f"173-{c}" for c in "ABCD"}
    expected = {str(n) for n in range(1, 250)} | lettered | {"35-A", "35-B", "70-A", "101-A", "108-A", "181-A"}
    assert {Provision.parse(row["id"]).article for table in TABLES for row in law[table]} == expected


def test_identifiers_are_in_the_one_notation(law: dict[str, Any]) -> None:
    ids = [row["id"] for table in TABLES for row in law[table]]
    assert [i for i in ids if str(Provision.parse(i)) != i] == []


def test_articles_included_by_lei_2003_did_not_exist_before(law: dict[str, Any]) -> None:
    included = {f"64-{c}" for c in "ABCDEFGHIJKLMNOPQRSTUV"} | {f"173-{c}" for c in "ABCD"}
    included |= {"70-A", "101-A", "108-A"}
    rows = [i for i in law["infraction"] if Provision.parse(i["id"]).article in included]
    assert {(i["in_force_from"], i["before"]) for i in rows} == {(LEI_2003, "inexistente")}


def test_a_special_infraction_names_infractions_that_exist(law: dict[str, Any]) -> None:
    encoded = {i["id"] for i in law["infraction"]}
    named = {other for i in law["infraction"] for other in i.get("special_over", [])}
    assert named - encoded == set()


def test_daily_fines_carry_no_surcharge(law: dict[str, Any]) -> None:
    assert {(p["base"] == "por_dia", p["surcharge"]) for p in law["penalty"]} == {(True, False), (False, True)}
