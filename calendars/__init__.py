"""What days an office works and how a term is counted. Names load on first use: a command's start stays light."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calendars.counting import AlternativeDue as AlternativeDue
    from calendars.counting import Count as Count
    from calendars.counting import Timeliness as Timeliness
    from calendars.counting import count as count
    from calendars.days import DayFact as DayFact
    from calendars.days import DayKind as DayKind
    from calendars.days import ExtensionFact as ExtensionFact
    from calendars.days import Nature as Nature
    from calendars.days import OfficeHours as OfficeHours
    from calendars.days import SuspensionFact as SuspensionFact
    from calendars.errors import CalendarOutOfRange as CalendarOutOfRange
    from calendars.errors import InvalidTerm as InvalidTerm
    from calendars.errors import UnknownLaw as UnknownLaw
    from calendars.events import Extension as Extension
    from calendars.events import Interruption as Interruption
    from calendars.events import Suspension as Suspension
    from calendars.explain import Step as Step
    from calendars.explain import StepKind as StepKind
    from calendars.fact_documents import fact_from_document as fact_from_document
    from calendars.fact_documents import fact_to_document as fact_to_document
    from calendars.files import parse_calendar_csv as parse_calendar_csv
    from calendars.files import parse_calendar_toml as parse_calendar_toml
    from calendars.laws import Espera as Espera
    from calendars.laws import LawCounting as LawCounting
    from calendars.laws import law_counting as law_counting
    from calendars.notice import notice_start as notice_start
    from calendars.office import OfficeCalendar as OfficeCalendar
    from calendars.rules import RULES as RULES
    from calendars.rules import CountingRule as CountingRule
    from calendars.rules import rule_from_mapping as rule_from_mapping
    from calendars.shipped import calendar_ids as calendar_ids
    from calendars.shipped import load_calendar as load_calendar
    from calendars.shipped import weekends_calendar as weekends_calendar
    from calendars.table import due_date as due_date
    from calendars.term import Term as Term
    from calendars.term import TermUnit as TermUnit
    from calendars.term import parse_day as parse_day
    from calendars.term import parse_start as parse_start
    from calendars.under_law import count_under_law as count_under_law

_MODULES = {
    "counting": ("AlternativeDue", "Count", "Timeliness", "count"),
    "days": ("DayFact", "DayKind", "ExtensionFact", "Nature", "OfficeHours", "SuspensionFact"),
    "errors": ("CalendarOutOfRange", "InvalidTerm", "UnknownLaw"),
    "events": ("Extension", "Interruption", "Suspension"),
    "explain": ("Step", "StepKind"),
    "fact_documents": ("fact_from_document", "fact_to_document"),
    "files": ("parse_calendar_csv", "parse_calendar_toml"),
    "laws": ("Espera", "LawCounting", "law_counting"),
    "notice": ("notice_start",),
    "office": ("OfficeCalendar",),
    "rules": ("RULES", "CountingRule", "rule_from_mapping"),
    "shipped": ("calendar_ids", "load_calendar", "weekends_calendar"),
    "table": ("due_date",),
    "term": ("Term", "TermUnit", "parse_day", "parse_start"),
    "under_law": ("count_under_law",),
}
_WHERE = {name: module for module, names in _MODULES.items() for name in names}
__all__ = sorted(_WHERE)  # noqa: PLE0605  # a list, of names known only from the table above


def __getattr__(name: str) -> Any:
    module = _WHERE.get(name)
    if module is None:
        raise AttributeError(f"module 'calendars' has no attribute {name!r}")
    return getattr(importlib.import_module(f"calendars.{module}"), name)
