"""Everything a decision needs beside the case: the law, its machine, the office's days, units and readings in use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from calendars import CountingRule, OfficeCalendar
from penalties import FiscalUnit
from penalties.allocation import PaymentOrder
from penalties.updating import UpdateRule
from procedure.domain.admission import LawEnd, LawStart
from procedure.domain.machine import TransitionTable
from procedure.domain.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Context:
    """The law of one municipality as it stands for one unit of work. Immutable and shareable between threads.

    ``switches`` has every switch of the rulebook, at its default or as the municipality set it; ``settings`` what
    is not a
    switch (the authority of the dívida ativa, how many inscriptions to a folha). ``update``: the rule of update and
    interest of inscribed debts; ``payment_order``: the parts of them that a payment extinguishes first. ``texts``: the
    context of another text of the law, by version, for cases that passed from one to the other.
    """

    book: Rulebook
    table: TransitionTable
    side: Mapping[str, TransitionTable]
    calendar: OfficeCalendar
    rule: CountingRule
    units: Mapping[str, FiscalUnit]
    switches: Mapping[str, str]
    settings: Mapping[str, str]
    end: LawEnd | None
    start: LawStart | None
    tz: ZoneInfo
    update: UpdateRule | None = None
    payment_order: PaymentOrder | None = None
    texts: Callable[[str], Context] | None = field(default=None, compare=False, repr=False)

    def under(self, version: str) -> Context:
        """The context of a text of the law; this one where the version is its own, or is not told."""
        if version in ("", self.book.version) or self.texts is None:
            return self
        return self.texts(version)
