"""The shape of an act that comes in (spec 07): every field checked by name and kind, all defects at once.

``parse_act`` takes a mapping (a JSON object, a CSV row already nested, a host's dict) and gives an ``ActInput`` whose
``fields`` are JSON-able and normalised: amounts as text with two decimals, documents without punctuation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from legalbasis import InputError, PosturasError
from procedure.domain.act_shapes import BY_INSCRIPTION, ROLE, SHAPES
from procedure.domain.field_checks import (
    UTC_ZONE,
    InvalidField,
    MissingField,
    bad_field,
    collected,
    raising,
    read_text,
    read_when,
)
from procedure.domain.instants import make_local
from procedure.domain.moment import Moment
from procedure.domain.vocabulary import ENGINE_ACTS, Act, Role

_MUNICIPALITY = re.compile(r"[0-9]{7}\Z")


class EngineAct(InputError):
    """Este ato é do próprio sistema e não pode ser lançado."""

    code = "ato_do_sistema"


@dataclass(frozen=True, slots=True)
class ActInput:
    """One act as it came, checked. ``recorded_at`` is the sender's own instant of recording, if it gave one.

    ``auto`` is empty in an act of the register that names its inscriptions alone: one act for each of them.
    """

    municipality: str
    auto: str
    kind: Act
    at: Moment
    actor: str
    role: Role
    fields: dict[str, Any]
    office: str | None = None
    key: str | None = None
    law: str | None = None
    recorded_at: Moment | None = None

    @property
    def numbers(self) -> list[str]:
        """The inscriptions that the act names, each once, in order."""
        named = self.fields.get("inscriptions") or [self.fields.get("inscription")]
        return list(dict.fromkeys(str(number) for number in named if number))

    def of_inscription(self, number: str, auto: str) -> ActInput:
        """The act as it is recorded in the case of one of its inscriptions; its key too, when there are several."""
        fields = {name: value for name, value in self.fields.items() if name != "inscriptions"}
        key = f"{self.key}#{number}" if self.key and len(self.numbers) > 1 else self.key
        return replace(self, auto=auto, key=key, fields={**fields, "inscription": number})


_COMMON: dict[str, bool] = {
    "municipality": True, "auto": True, "act": True, "date": True, "actor": True, "role": True,
    "office": False, "recorded_at": False, "key": False, "law": False,
}  # fmt: skip


def municipality_code(value: Any) -> str:
    """The IBGE code as text of 7 digits. Raises InvalidField."""
    text = read_text(value, "municipality")
    if not _MUNICIPALITY.match(text):
        raise bad_field("municipality", f"“{text[:24]}” não é código do IBGE", "Escreva os 7 algarismos, como 3204708.")
    return text


def parse_act(data: Any, zone_of: Callable[[str], ZoneInfo]) -> ActInput:
    """Check one act. Raises EngineAct, UnknownField, MissingField, InvalidField, InvalidDocument, or an ErrorGroup."""
    if not isinstance(data, Mapping):
        raise InvalidField("a linha não é um objeto JSON.", remedy='Cada linha é um objeto: {"municipality": …}.')
    if not all(isinstance(k, str) for k in data):
        raise InvalidField("os nomes dos campos devem ser texto.")
    kind = _kind(data)
    tz = UTC_ZONE
    code: Any = data.get("municipality")
    if isinstance(code, str | int) and _MUNICIPALITY.match(str(code)):
        tz = zone_of(str(code))
    try:
        return _sound(kind, data, tz)
    except (PosturasError, KeyError):
        return _judged(kind, data, tz)


def _sound(kind: Act, data: Mapping[str, Any], tz: ZoneInfo) -> ActInput:
    """The act checked as if nothing were wrong with it. Raises at the first thing that is."""
    common = {k: v for k, v in data.items() if k in _COMMON and v is not None}
    own = {k: v for k, v in data.items() if k not in _COMMON}
    auto = _auto(common["auto"]) if "auto" in common or not _names_inscription(kind, data) else ""
    recorded_at = common.get("recorded_at")
    act = ActInput(
        kind=kind,
        municipality=municipality_code(common["municipality"]),
        auto=auto,
        at=Moment.parse(read_when(common["date"], "date"), tz),
        actor=read_text(common["actor"], "actor"),
        role=Role(ROLE(common["role"], "role")),
        fields=SHAPES[kind](own, ""),
        office=read_text(common["office"], "office") if "office" in common else None,
        key=read_text(common["key"], "key") if "key" in common else None,
        law=read_text(common["law"], "law") if "law" in common else None,
        recorded_at=None if recorded_at is None else Moment.parse(
            read_when(recorded_at, "recorded_at"), tz, field="recorded_at"
        ),
    )
    make_local(act.fields, tz)
    return act


def _judged(kind: Act, data: Mapping[str, Any], tz: ZoneInfo) -> ActInput:
    """As ``parse_act``, gathering all the defects of an act that has some."""
    common = {k: v for k, v in data.items() if k in _COMMON and v is not None}
    calls: list[Callable[[], Any]] = [
        raising(MissingField(f"{k}: falta este campo.", field=k))
        for k, required in _COMMON.items()
        if required and k not in common and not (k == "auto" and _names_inscription(kind, data))
    ]
    checks: dict[str, Callable[[], Any]] = {
        "municipality": lambda: municipality_code(common["municipality"]),
        "auto": lambda: _auto(common["auto"]),
        "date": lambda: Moment.parse(read_when(common["date"], "date"), tz),
        "actor": lambda: read_text(common["actor"], "actor"),
        "role": lambda: Role(ROLE(common["role"], "role")),
        "office": lambda: read_text(common["office"], "office"),
        "key": lambda: read_text(common["key"], "key"),
        "law": lambda: read_text(common["law"], "law"),
        "recorded_at": lambda: Moment.parse(read_when(common["recorded_at"], "recorded_at"), tz, field="recorded_at"),
    }
    named = [n for n in checks if n in common]
    own = {k: v for k, v in data.items() if k not in _COMMON}
    calls += [checks[n] for n in named]
    calls.append(partial(SHAPES[kind], own, ""))
    found = dict(zip([*named, "fields"], collected(calls), strict=True))
    make_local(found["fields"], tz)
    return ActInput(kind=kind, at=found.pop("date"), **{"auto": "", **found})


def _names_inscription(kind: Act, data: Mapping[str, Any]) -> bool:
    """Whether the act finds its case, or cases, by the number of the inscription."""
    return kind in BY_INSCRIPTION and bool(data.get("inscription") or data.get("inscriptions"))


def _auto(value: Any) -> str:
    text = read_text(value, "auto")
    if len(text) > 60 or not text.isprintable():
        raise bad_field("auto", "deve ter até 60 caracteres imprimíveis")
    return text


def _kind(data: Mapping[str, Any]) -> Act:
    if data.get("act") is None:
        raise MissingField("act: falta este campo.", field="act")
    value = data["act"]
    try:
        kind = Act(value)
    except ValueError:
        raise InvalidField(
            f"act: “{str(value)[:40]}” não é ato conhecido.", field="act", remedy="Veja os atos em docs/reference."
        ) from None
    if kind in ENGINE_ACTS:
        raise EngineAct(f"“{kind}” é ato do próprio sistema: quem o grava é a varredura.", field="act")
    return kind
