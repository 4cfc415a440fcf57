"""An act of the shipped samples that comes again is the one recorded; changed in any field, it is another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from procedure.cli.demo_sample import load_samples
from procedure.cli.main import main
from procedure.domain.act_input import parse_act
from procedure.services.context import zone_of
from procedure.services.importing.errors import KeyWithOtherContent
from procedure.services.same_act import require_same
from procedure.store.archive import Archive, reading
from tests.integration.cli.scenes import opened

Recorded = tuple[Archive, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    """The samples' acts on record, each under a key; those that need a number given by a sweep stay out."""
    folder = tmp_path_factory.mktemp("same")
    url, file = f"sqlite:///{folder}/posturas.db", Path(folder) / "acts.jsonl"
    assert main(["db", "upgrade", "--db", url]) == 0
    lines = []
    for sample in load_samples():
        for unit in sample.units:
            put = ["--unit", unit.unit, "--from", unit.start.isoformat(), "--value", str(unit.value), "--act", unit.act]
            assert main(["rulebook", "unit", "set", "--law", sample.law, *put, "--db", url]) == 0
        numbered = enumerate(sample.acts, start=1)
        lines += [{**act, "key": f"{sample.municipality}-{number}"} for number, act in numbered]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    main(["import", str(file), "--db", url])
    with opened(url) as engine, reading(engine) as archive:
        kept = [line for line in lines if archive.auto_of_key(line["municipality"], line["key"])]
        assert len(kept) > 1_000
        yield archive, kept


def test_every_act_that_comes_again_is_the_one_recorded(recorded: Recorded) -> None:
    archive, lines = recorded
    for line in lines:
        require_same(archive, parse_act(line, zone_of), line["auto"])


@pytest.mark.parametrize("name", ["actor", "office", "grounds", "infrator", "fact", "amount", "received", "report"])
def test_an_act_changed_in_one_field_is_another(recorded: Recorded, name: str) -> None:
    archive, lines = recorded
    tried = 0
    for line in lines:
        if name not in line and name != "office":
            continue
        changed = {**line, name: _other(line.get(name), name)}
        with pytest.raises(KeyWithOtherContent):
            require_same(archive, parse_act(changed, zone_of), line["auto"])
        tried += 1
        if tried == 20:
            break
    assert tried


def _other(value: Any, name: str) -> Any:
    if name == "infrator":
        return {**value, "name": "Outra Pessoa"}
    if name == "fact":
        return {**value, "place": "Outro lugar"}
    if name == "amount":
        return "999999.99"
    return "2014-12-01" if name == "received" else f"{value} mudado"
