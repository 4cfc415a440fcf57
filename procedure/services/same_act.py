"""Whether an act that comes again under its key is the one recorded: the same key is the same act (spec 07)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from procedure.domain.act_input import ActInput
from procedure.services.importing.errors import KeyWithOtherContent
from procedure.services.persons import PERSON_FIELDS
from procedure.services.ports import PersonRef, Repository

_PLAIN = frozenset({"by", "witnesses"})
"""Persons of whom the payload keeps the reference alone."""
_STATES = frozenset({"from", "to"})
"""The names under which the payload keeps the states."""


class Known(Repository, Protocol):
    """What the comparison asks of the store."""

    def reference_of(self, municipality: str, fields: dict[str, Any]) -> PersonRef:
        """How payloads would name a person, who is not written."""
        ...


def require_same(repo: Known, act: ActInput, auto: str) -> None:
    """Raise KeyWithOtherContent where the act recorded in ``auto`` under the key of ``act`` says something else.

    Compared is what the record keeps as it came: kind, moment, who, in what quality, where, and the fields; of persons
    their keyed digests. What the engine worked out from them is not.
    """
    recorded = next((a for a in repo.acts(act.municipality, auto) if a.key == act.key), None)
    if recorded is None or auto != act.auto:
        return  # of another auto: the recorder refuses it
    said = (recorded.kind, str(recorded.at), recorded.actor, recorded.role, recorded.office)
    again = (act.kind.value, str(act.at), act.actor, act.role.value, act.office)
    if said != again or any(_differs(repo, act, name, recorded.payload) for name in act.fields):
        raise KeyWithOtherContent(f"a chave já é de outro ato do auto {auto}.", field="key")


def _differs(repo: Known, act: ActInput, name: str, payload: Mapping[str, Any]) -> bool:
    if name in ("fact", "infractions"):
        told = act.fields[name] if name == "infractions" else [act.fields[name]]
        kept = [payload["fact"]] if payload.get("fact") else payload.get("infractions") or []
        return not _within(told, kept)
    if name not in payload:
        return act.fields[name] is not None  # the record keeps every field that it was given
    if name == "signature":
        return bool(payload[name]["by"] != act.fields[name]["by"]) or _others(repo, act, name, payload)
    if name in _PLAIN:
        return _others(repo, act, name, payload)
    if name in _STATES:
        return False
    if name in PERSON_FIELDS:
        person = {**act.fields[name], "auto": act.auto}
        known = payload[name]
        if "kind" not in person and known.get("kind"):
            person["kind"] = known["kind"]
        return bool(repo.reference_of(act.municipality, person).digest != known["digest"])
    return bool(payload[name] != act.fields[name])


def _others(repo: Known, act: ActInput, name: str, payload: Mapping[str, Any]) -> bool:
    """Whether who signed, acted for another or saw it is not who the record refers to."""
    given, kept = act.fields[name], payload[name]
    if name == "by":
        persons, known = [given], [kept]
    else:
        names = given.get("witnesses", []) if name == "signature" else given
        persons, known = [{"name": each} for each in names], kept["witnesses"] if name == "signature" else kept
    found = [repo.reference_of(act.municipality, {**each, "kind": "pf", "auto": act.auto}).digest for each in persons]
    return found != [each["digest"] for each in known]


def _within(told: Sequence[Mapping[str, Any]], kept: Sequence[Mapping[str, Any]]) -> bool:
    """Whether each infraction told is the one kept, to which what the law says of it was added."""
    return len(told) == len(kept) and all(
        all(have.get(name) == value for name, value in said.items()) for said, have in zip(told, kept, strict=True)
    )
