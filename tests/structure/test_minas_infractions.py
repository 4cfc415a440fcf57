"""The infractions of Ibiá and Cruzília against lists written separately from the laws, both ways."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from legalbasis.provision import Provision

HERE = Path(__file__).parent
RULEBOOKS = HERE.parents[1] / "procedure" / "rulebooks"
TABLES = ("infraction", "not_citable", "not_encoded", "other_consequence", "other_law", "not_applied", "no_penalty")
NONE = "—"


@dataclass(frozen=True)
class Law:
    """A law's file, the list typed from its text, and how many articles it has."""

    file: str
    typed: str
    articles: int

    def data(self) -> dict[str, Any]:
        return tomllib.loads((RULEBOOKS / self.file).read_text(encoding="utf-8"))

    def rows(self) -> list[dict[str, Any]]:
        data = self.data()
        return [row for table in TABLES for row in data.get(table, [])]

    def list(self) -> dict[str, tuple[str, str]]:
        lines = (HERE / self.typed).read_text(encoding="utf-8").splitlines()
        rows = [[cell.strip() for cell in line.split("|")] for line in lines if line and not line.startswith("#")]
        assert not [provision for provision, times in Counter(row[0] for row in rows).items() if times > 1]
        return {provision: (article, group) for provision, article, group in rows}


LAWS = (
    Law("mg-3129509/lei-1355-1990.toml", "ibia_infractions.txt", 133),
    Law("mg-3120805/lei-1220-1996.toml", "cruzilia_infractions.txt", 13),
)
EVERY = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.typed)


def punished_by(data: dict[str, Any], infraction: dict[str, Any]) -> str:
    """The articles that punish: of a choice between readings, those that fine."""
    articles = {penalty["id"]: penalty["article"] for penalty in data["penalty"]}
    choices = {
        choice["id"]: "/".join(articles[option] for option in choice["options"].values() if option in articles)
        for choice in data.get("penalty_choice", [])
    }
    return "; ".join((articles | choices)[name] for name in infraction["penalty"]) or NONE


@EVERY
def test_the_rulebook_and_the_typed_list_say_the_same(law: Law) -> None:
    data = law.data()
    encoded = {row["id"]: (punished_by(data, row), row["group"]) for row in data["infraction"]}
    assert encoded == law.list()


@EVERY
def test_no_provision_is_classified_twice(law: Law) -> None:
    ids = [row["id"] for row in law.rows() if not row.get("partial", False)]  # what is lost in part stands beside
    assert [name for name, times in Counter(ids).items() if times > 1] == []


@EVERY
def test_every_article_of_the_law_is_classified(law: Law) -> None:
    assert {Provision.parse(row["id"]).article for row in law.rows()} == {str(n + 1) for n in range(law.articles)}


@EVERY
def test_identifiers_are_in_the_one_notation(law: Law) -> None:
    assert [row["id"] for row in law.rows() if str(Provision.parse(row["id"])) != row["id"]] == []


@EVERY
def test_every_fine_punishes_something_or_says_that_it_is_of_an_obligation(law: Law) -> None:
    data = law.data()
    used = {name for row in data["infraction"] for name in row["penalty"]}
    chosen = {o for c in data.get("penalty_choice", []) if c["id"] in used for o in c["options"].values()}
    idle = [p["id"] for p in data["penalty"] if p["id"] not in used | chosen]
    assert [p for p in idle if p != "132,I"] == []
