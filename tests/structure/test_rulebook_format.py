"""The schema and the reference page of the rulebook format are what the reader reads; the shipped laws keep to both.

To accept a change: python -m scripts.rulebook_format, and read the diff.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from datetime import date, time
from pathlib import Path
from typing import Any

import pytest

from legalbasis import load_toml
from procedure.domain.rulebook_reader import read_table, shipped_laws, shipped_rulebook
from scripts import cases_format
from scripts.rulebook_format import SCHEMA, answers, check, examples_of, observe, source
from tests.unit.rulebook.invented import text

FILES = answers()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_is_committed_is_what_is_generated(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == FILES[path]


def wrong(value: Any, schema: dict[str, Any], place: str = "") -> Iterator[str]:
    """Where a value is not as a schema says: the part of JSON Schema that ours uses."""
    known = {"anyOf", "const", "enum", "type", "pattern", "minLength", "items", "required", "properties",
             "additionalProperties", "description", "title", "$schema"}  # fmt: skip
    assert set(schema) <= known, set(schema) - known
    if "anyOf" in schema and all(list(wrong(value, one)) for one in schema["anyOf"]):
        yield f"{place}: none of the kinds"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: {value} is not among the words"
    if "const" in schema and value is not schema["const"]:
        yield f"{place}: not {schema['const']}"
    kinds = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}
    wanted = kinds.get(schema.get("type", ""))
    if wanted and (not isinstance(value, wanted) or (wanted is int and isinstance(value, bool))):
        yield f"{place}: not {schema['type']}"
        return
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        yield f"{place}: “{value}” is not written so"
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from wrong(item, schema.get("items", {}), f"{place}[{index}]")
    if isinstance(value, dict) and "type" in schema:
        yield from (f"{place}.{key}: missing" for key in schema.get("required", ()) if key not in value)
        for key, item in value.items():
            inside = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            if inside is False or inside is None:
                yield f"{place}.{key}: unknown"
            else:
                yield from wrong(item, inside, f"{place}.{key}")


def plain(value: Any) -> Any:
    """As an editor sees TOML: days and hours are text."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.isoformat() if isinstance(value, date | time) else value


def errors(text: str) -> list[str]:
    return list(wrong(plain(tomllib.loads(text)), json.loads(SCHEMA.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("law", shipped_laws())
def test_the_shipped_laws_are_as_the_schema_says(law: str) -> None:
    assert errors(shipped_rulebook(law).text) == []


def test_the_skeleton_is_as_the_schema_says() -> None:
    assert errors(text()) == []


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('kind = "defesa"', 'especie = "defesa"', "especie: unknown"),
        ('act = "lavratura"\nto', "to", "act: missing"),
        ('act = "lavratura"\nto', 'act = "lavrar"\nto', "lavrar is not among the words"),
        ("payment = true", 'payment = "sim"', "not boolean"),
        ("in_force_from = 2001-05-10", "in_force_from = 2001", "not string"),
        ('base = "fixo"', 'base = "fixa"', "fixa is not among the words"),
    ],
)
def test_the_schema_sees_a_defect(before: str, after: str, told: str) -> None:
    assert before in text()
    assert any(told in error for error in errors(text().replace(before, after, 1)))


def test_the_examples_are_a_law_that_the_reader_reads() -> None:
    whole, least = examples_of(source())
    for example in (whole, least):
        root = load_toml(example, file="exemplos")
        read_table(root, example)
        root.close()
        assert [str(d) for d in root.defects] == []


def test_a_key_without_its_meaning_is_seen() -> None:
    said = source()
    seen = observe(*examples_of(said))
    assert check(said, seen) == []
    row = next(table for table in said["table"] if table["name"] == "row")
    row["keys"]["cor"] = row["keys"].pop("opens")
    del said["words"]["requirement"]["ha_multa"]
    assert check(said, seen) == [
        "row.opens: not explained", "row.cor: nobody reads it", "words.requirement.ha_multa: not explained",
    ]  # fmt: skip


def test_the_page_of_cases_is_what_is_generated() -> None:
    """To accept a change: python -m scripts.cases_format, and read the diff."""
    assert cases_format.PAGE.read_text(encoding="utf-8") == cases_format.answer()


def test_a_field_without_its_meaning_is_seen() -> None:
    said = cases_format.source()
    said["goods"]["peso"] = said["goods"].pop("quantity")
    said["expected"].pop("owed")
    assert cases_format.check(said) == [
        "expected.owed: not explained", "goods.quantity: not explained", "goods.peso: there is none",
    ]  # fmt: skip
