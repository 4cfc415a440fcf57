"""What ``rulebook check`` proves of how a law counts: rule, waiting, rules of notice, the municipality and its zone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from calendars import RULES, Espera, law_counting
from calendars.laws import law_ids
from calendars.notice import METHODS, NoticeEvent
from procedure.domain.deadlines import TACIT
from procedure.domain.machine_check import Machine, Note, words
from procedure.domain.moment import zone
from procedure.domain.rulebook_silences import law_id, sub
from procedure.domain.vocabulary import Method

Table = Mapping[str, Any]


def check_counting(data: Table, machine: Machine, note: Note) -> None:
    """The law says how it counts, in words that the engine knows; a shipped one as ``calendars`` says it does."""
    law = sub(data, "law")
    for key, known in (("counting", tuple(RULES)), ("espera", tuple(Espera))):
        if law.get(key) is not None and law[key] not in known:
            note(f"law.{key}", f"“{law[key]}” não é um destes: {', '.join(known)}")
    for index, table in machine.deadlines:
        if table.get("counting", "") not in ("", *RULES):
            note(f"deadline[{index}].counting", f"não há a regra “{table['counting']}”: {', '.join(RULES)}")
    for method in Method:
        _notice_rule(sub(data, "ciencia").get(method), f"ciencia.{method}", method, note)
    _place(law, note)
    if law_id(data) in law_ids():
        _as_shipped(data, machine, note)


def _notice_rule(told: object, key: str, method: Method, note: Note) -> None:
    if told is None:
        return
    if method is Method.ELETRONICA:
        if not re.fullmatch(rf"{TACIT}[1-9]\d*d", str(told)):
            note(key, f"deve ser {TACIT} e os dias depois dos quais se presume, como {TACIT}10d")
    elif told not in list(NoticeEvent):
        note(key, f"“{told}” não é um destes: {', '.join(NoticeEvent)}")


def _place(law: Table, note: Note) -> None:
    """Municipality, UF, id and zone agree with each other."""
    folder = f"{str(law.get('uf', '')).lower()}-{law.get('municipality')}"
    if not re.fullmatch(r"[a-z]{2}-\d{7}", folder):
        note("law.municipality", "uf é a sigla do Estado e municipality o código do IBGE, de 7 algarismos")
    elif not re.fullmatch(rf"{folder}/[a-z0-9][a-z0-9-]*", str(law.get("id", ""))):
        note("law.id", f"deve ser {folder}/ e o nome do arquivo, em minúsculas, sem .toml")
    try:
        zone(str(law.get("timezone", "")))
    except (ValueError, KeyError, OSError):
        note("law.timezone", f"“{law.get('timezone')}” não é um fuso horário da IANA")


def _as_shipped(data: Table, machine: Machine, note: Note) -> None:
    law, counting = sub(data, "law"), law_counting(law_id(data))
    expected = {
        "norm": counting.name,
        "municipality": counting.municipality,
        "calendar": counting.calendar,
        "counting": counting.counting,
        "espera": counting.espera.value,
    }
    for key, value in expected.items():
        if law.get(key) != value:
            note(f"law.{key}", f"é “{law.get(key)}”, mas calendars/data/laws.toml diz “{value}”")
    for method in METHODS:
        told, known = sub(data, "ciencia").get(method), counting.notice.get(method)
        if told != known:
            note(f"ciencia.{method}", f"é “{told}”, mas calendars/data/laws.toml diz “{known}”")
    for index, table in machine.deadlines:
        if words(table, "places") != counting.places:
            note(f"deadline[{index}].places", f"calendars/data/laws.toml diz {', '.join(counting.places)}")
