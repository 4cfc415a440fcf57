"""Test vectors of the canonical form: computed by hand once with another tool; a change breaks every stored chain."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from procedure.domain.case import Case, RecordedAct
from procedure.domain.chain import act_hash, canonical, hashed_head, seal
from procedure.domain.moment import Moment
from procedure.domain.vocabulary import Act, Role

TZ = ZoneInfo("America/Sao_Paulo")


def _act(**changes: object) -> RecordedAct:
    values = {
        "kind": "defesa",
        "at": Moment.of_day(date(2013, 3, 25), TZ),
        "recorded_at": "2013-03-26T09:00:00-03:00",
        "actor": "João 🐎",
        "role": "autuado",
        "payload": {"b": 1, "a": {"ç": None, "z": [True, "x\"y"]}},
        "seq": 3,
    }
    return RecordedAct(**{**values, **changes})  # type: ignore[arg-type]  # a literal table of the class's own fields


def test_canonical_json_has_sorted_keys_no_spaces_and_real_characters() -> None:
    assert canonical({"b": 1, "a": {"ç": None, "z": [True, 'x"y']}}) == '{"a":{"z":[true,"x\\"y"],"ç":null},"b":1}'
    assert canonical({"é": "🐎\n"}) == '{"é":"🐎\\n"}'


def test_the_hash_is_sha256_of_the_array_written_out_here() -> None:
    act = _act()
    act.payload_text = canonical(act.payload)
    act.prev_hash = "0" * 64
    text = (
        '["posturas-1","3204708","17/2013",3,"defesa","2013-03-25","2013-03-26T09:00:00-03:00","João 🐎","autuado",'
        'null,null,"","",null,"' + "0" * 64 + '",{"a":{"z":[true,"x\\"y"],"ç":null},"b":1}]'
    )
    assert act_hash("3204708", "17/2013", act) == hashlib.sha256(text.encode("utf-8")).hexdigest()


def test_each_act_is_chained_to_the_one_before() -> None:
    case = Case("3204708", "17/2013")
    case.new_acts = [_act(seq=1), _act(seq=2, kind="impugnacao")]
    seal(case)
    first, second = case.new_acts
    assert first.prev_hash == "0" * 64
    assert second.prev_hash == first.hash
    assert case.last_hash == second.hash
    assert first.hash != second.hash


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"kind": Act.DEFESA, "role": Role.AUTUADO, "office": "12\t\u2028\"", "key": "\\k\x7f", "deadline": "defesa:2"},
        {"actor": None, "seq": "3"},  # as a row that was changed may say
        {"recorded_at": 7, "office": True},
        {"at": Moment.parse("2013-03-25T10:30", TZ), "actor": ""},
    ],
)
def test_the_head_is_the_json_of_its_fields_whatever_they_hold(changes: dict[str, object]) -> None:
    act = _act(**changes)
    fields = [
        "posturas-1", "320\"", "1/2013", act.seq, act.kind, str(act.at), act.recorded_at, act.actor, act.role,
        act.office, act.key, act.rulebook_version, act.calendar_version, act.deadline, act.prev_hash,
    ]  # fmt: skip
    written = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    assert hashed_head("320\"", "1/2013", act) == f"{written[:-1]},"
