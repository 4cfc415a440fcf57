"""How each law counts its terms (``data/laws.toml``): calendar, rule, ``espera``, rules of notice. Small and quick to
read; the rulebooks say the same, and a test holds them equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from calendars.counting import Count
from calendars.errors import UnknownLaw, shown
from calendars.notice import METHODS, NoticeEvent
from calendars.rules import DATA, PARAMETERS, RULES, CountingRule, read_citation, rule_from_mapping
from legalbasis import Citation, NotEncoded, Status, TomlTable, read_toml


class Espera(StrEnum):
    """How long the engine waits before a deadline has its consequence."""

    LEITURA_PADRAO = "leitura_padrao"
    LEITURA_MAIS_FAVORAVEL = "leitura_mais_favoravel"


@dataclass(frozen=True, slots=True)
class LawCounting:
    """How one law counts. ``counting`` is the id of the rule, ``options`` what the law changes in it.

    ``notice`` says per method which event starts a term; ``citations`` the law's own basis, put before the rule's.
    ``payment_places`` are the places of the other reading for payments. ``in_force_from`` is the first day of the
    wording encoded (``before`` says what is missing), ``certain_to`` the last on which the law is certainly in force
    (``after`` says what is not known).
    """

    law: str
    name: str
    municipality: str
    place_name: str
    calendar: str
    counting: str
    options: Mapping[str, str]
    espera: Espera
    places: tuple[str, ...]
    payment_places: tuple[str, ...]
    notice: Mapping[str, str]
    notice_citations: Mapping[str, Citation]
    citations: tuple[Citation, ...]
    in_force_from: date | None
    before: str | None
    certain_to: date | None
    after: str | None

    def require(self, day: date) -> None:
        """Raise NotEncoded when a term that starts on ``day`` is older than the wording that is encoded."""
        if self.in_force_from is not None and day < self.in_force_from:
            raise NotEncoded(
                f"{self.before}.",
                place=f"{self.name}, {day.isoformat()}",
                remedy=f"Só há regra para prazos que começam a partir de {self.in_force_from.isoformat()}.",
            )

    def note(self, day: date) -> str | None:
        """What must be said of a term that starts on ``day``, after the law is certain to be in force; else None."""
        return self.after if self.certain_to is not None and day > self.certain_to else None

    def restate(self, counted: Count) -> Count:
        """The count with the law's own citations as ``subsidiario`` where it outlives the law."""
        if self.note(counted.starts_on) is None:
            return counted
        own = {c.urn for c in (*self.citations, *self.notice_citations.values()) if c.norm == self.name}
        basis = (replace(c, status=Status.SUBSIDIARIO) if c.urn in own else c for c in counted.legal_basis)
        return replace(counted, legal_basis=tuple(dict.fromkeys(basis)))

    @property
    def rule(self) -> CountingRule:
        """The counting rule with the law's options."""
        return rule_from_mapping(self.counting, self.options)

    def expires_on(self, count: Count) -> date:
        """The day after which the deadline has its consequence: the due day, or the last among the readings."""
        return count.latest_due if self.espera is Espera.LEITURA_MAIS_FAVORAVEL else count.due


_ADDED: dict[str, LawCounting] = {}


def add_law(law: LawCounting) -> None:
    """Add how a law that does not ship counts, or replace what was added."""
    _ADDED[law.law] = law


def law_counting(law_id: str) -> LawCounting:
    """How ``law_id`` counts. Raises UnknownLaw, naming the laws that are known."""
    found = _laws().get(law_id) or _ADDED.get(law_id)
    if found is None:
        known = ", ".join((*_laws(), *_ADDED))
        raise UnknownLaw(f"não há a lei “{shown(law_id)}”.", remedy=f"As leis são: {known}.", field="law")
    return found


def law_ids() -> tuple[str, ...]:
    """The laws that ship."""
    return tuple(_laws())


@cache
def _laws() -> dict[str, LawCounting]:
    def build(table: TomlTable) -> dict[str, LawCounting]:
        laws = table.table("law")
        return {law_id: _law(law_id, laws.table(law_id)) for law_id in laws.keys()}  # noqa: SIM118  # a TomlTable is no mapping

    return read_toml(DATA / "laws.toml", build)


def _law(law_id: str, table: TomlTable) -> LawCounting:
    options = table.table("options", optional=True)
    changed = {name: options.raw(name) for name in options.keys()}  # noqa: SIM118  # a TomlTable is no mapping
    for name, value in changed.items():
        if name not in PARAMETERS or value not in list(PARAMETERS[name]):
            options.defect(name, f"“{name} = {value}” não existe")
    counting = table.str("counting")
    if counting not in RULES:
        table.defect("counting", f"não há a regra “{counting}”")
    notice, cited = _notice(table.table("notice"))
    law = LawCounting(
        law=law_id,
        name=table.str("name"),
        municipality=table.str("municipality"),
        place_name=table.str("place_name"),
        calendar=table.str("calendar"),
        counting=counting,
        options=MappingProxyType(changed),
        espera=table.enum("espera", Espera),
        places=table.strings("places"),
        payment_places=table.strings("payment_places"),
        notice=MappingProxyType(notice),
        notice_citations=MappingProxyType(cited),
        citations=tuple(read_citation(t) for t in table.tables("citation")),
        in_force_from=table.date("in_force_from", None),
        before=table.str("before", None),
        certain_to=table.date("certain_to", None),
        after=table.str("after", None),
    )
    table.close()
    return law


def _notice(table: TomlTable) -> tuple[dict[str, str], dict[str, Citation]]:
    events: dict[str, str] = {}
    cited: dict[str, Citation] = {}
    for method in METHODS:
        if method in table:
            row = table.table(method)
            events[method] = row.enum("event", NoticeEvent).value
            cited[method] = read_citation(row)
    table.close()
    return events, cited
