"""Many terms counted: a line of JSON in, a line of JSON out, one answer a line in the same order, bad lines too."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from calendars.counting import Count, count
from calendars.days import DayFact, DayKind, Fact, SuspensionFact
from calendars.errors import shown
from calendars.laws import LawCounting, law_counting
from calendars.notice import METHODS, from_event, notice_event
from calendars.office import OfficeCalendar
from calendars.rules import CountingRule, rule_from_mapping
from calendars.shipped import load_calendar, weekends_calendar
from calendars.term import Term, parse_day, parse_start
from legalbasis import Citation, InputError, PosturasError

NOTES = ("expect", "source")  # a published case carries its answer and where it comes from: notes, not input
FIELDS = ("id", "start", "term", "counting", "options", "closed", "reduced", "suspended", "law", "method")
MAX_LINE = 1_000_000  # bytes: a longer line is refused without being read into memory
_SIDES = ("opens_late", "closes_early")
_KNOWN = {*FIELDS, *NOTES}
_SHARED = {"id", "start", "term", "law", "counting", "method"}
_DAYS = ("starts_on", "first_counted", "last_counted", "due", "due_at")  # as ``Count.dates`` gives them
_TOLD_KEPT = 50_000  # answers kept, under 1 kB each
_OWN_DAYS = ("closed", "reduced", "suspended")
_ENCODER = json.JSONEncoder(ensure_ascii=False)


class BatchLineInvalid(InputError):
    """A linha do lote não é um objeto como se espera."""

    code = "linha_invalida"
    default_remedy = (
        'Cada linha é um objeto JSON com "id", "start" e "term" e, se preciso, '
        '"law" ou "counting", "options", "closed", "reduced", "suspended", "method".'
    )


def _encode(line_id: Any, members: str) -> bytes:
    """The line of an answer: its id, then ``members`` in JSON."""
    try:
        told = str(line_id) if type(line_id) is int else _ENCODER.encode(line_id)
        return f'{{"id": {told}, {members}}}\n'.encode()
    except UnicodeEncodeError:  # an id may hold half a surrogate pair, which JSON can write only escaped
        return f'{{"id": {json.dumps(line_id)}, {members}}}\n'.encode()


def _encode_error(line_id: Any, error: PosturasError) -> bytes:
    try:
        return _encode(line_id, _ENCODER.encode({"error": error.to_dict()})[1:-1])
    except UnicodeEncodeError:  # so may what the message quotes
        return _encode(line_id, json.dumps({"error": error.to_dict()})[1:-1])


def _id(item: dict[str, Any]) -> Any:
    line_id = item.get("id")
    if line_id is None:
        raise BatchLineInvalid("falta “id”.", field="id")
    if isinstance(line_id, dict | list | bool):
        raise BatchLineInvalid("“id” deve ser texto ou número.", field="id")
    return line_id


def _decode(number: int, raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise BatchLineInvalid("a linha não está em UTF-8.", remedy="Grave o arquivo em UTF-8.") from None


def _no_constant(name: str) -> Any:
    raise ValueError(name)  # NaN and Infinity are not JSON, though the parser takes them


class _Reader:
    """Reads the lines' objects; ``repeated`` are the names that the last line, or an object inside it, repeats."""

    def __init__(self) -> None:
        self.repeated: list[str] = []
        self._decode = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=self._object).decode

    def read(self, text: str) -> dict[str, Any]:
        """The object of a line."""
        self.repeated = []
        try:
            item = self._decode(text)
        except (ValueError, RecursionError):
            raise BatchLineInvalid("a linha não é JSON.") from None
        if not isinstance(item, dict):
            raise BatchLineInvalid("a linha não é um objeto JSON.")
        return item

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            times = Counter(name for name, _ in pairs)
            self.repeated.extend(name for name in found if times[name] > 1)
        return found


@dataclass(frozen=True, slots=True)
class _Setting:
    """What many lines share: calendar, rule, places, legal basis and law (None: none named)."""

    calendar: OfficeCalendar
    rule: CountingRule
    places: tuple[str, ...]
    basis: tuple[Citation, ...]
    law: LawCounting | None
    dated: bool  # the line takes the law's own rule, which is known only from a day on
    # The written legal basis by method, unit and whether the law has ended: worked out once.
    written: dict[tuple[str | None, str, bool], str] = field(default_factory=dict)

    def legal_basis(self, counted: Count, method: str | None) -> str:
        """The legal basis of a count by this setting, as the last member of its JSON object."""
        ended = self.law is not None and self.law.note(counted.starts_on) is not None
        asked = method if self.law is not None else None, counted.term.unit.value, ended
        if asked not in self.written:
            cited = (self.law.notice_citations[method], *self.basis) if self.law and method else self.basis
            whole = replace(counted, legal_basis=tuple(dict.fromkeys((*cited, *counted.legal_basis))))
            told = whole if self.law is None else self.law.restate(whole)
            self.written[asked] = f', "legal_basis": {_ENCODER.encode([str(c) for c in told.legal_basis])}'
        return self.written[asked]


class TermBatch:
    """One run over a file: the settings that its lines share are worked out once."""

    def __init__(self) -> None:
        self._reader = _Reader()
        self._settings: dict[Any, _Setting] = {}
        self._told: dict[Any, str] = {}

    def answer_each(self, lines: Iterable[tuple[int, bytes | None]]) -> tuple[bytes, bool]:
        """The answers to numbered lines, and whether one of them is an error."""
        answered = [self.answer(number, raw) for number, raw in lines]
        return b"".join([answer for answer, _ in answered]), any(wrong for _, wrong in answered)

    def answer(self, number: int, raw: bytes | None) -> tuple[bytes, bool]:
        """The answer to one line (nothing for an empty one), and whether it is an error."""
        line_id: Any = None
        try:
            if raw is None:
                raise BatchLineInvalid(f"a linha passa de {MAX_LINE // 1_000_000} MB.")
            text = _decode(number, raw)
            if not text.strip():
                return b"", False
            item, repeated = self._reader.read(text), self._reader.repeated
            if "id" not in repeated:
                line_id = _id(item)
            if repeated:  # JSON takes the last value in silence: the answer could be another deadline's
                raise BatchLineInvalid(f"a linha repete “{shown(repeated[0])}”.", field=shown(repeated[0]))
            return _encode(line_id, self._members(item)), False
        except PosturasError as error:
            return _encode_error(line_id, error.at(f"linha {number}")), True

    def _members(self, item: dict[str, Any]) -> str:
        """The answer without its id; of lines that ask the same by a law, worked out once."""
        asked = known = None
        if item.keys() <= _SHARED:
            get = item.get
            asked = get("start"), get("term"), get("law"), get("counting"), get("method")
            try:
                known = self._told.get(asked)
            except TypeError:  # a list or an object among them: refused below, with its reason
                asked = None
        if known is None:
            known = self._worked_out(item)
            if asked is not None and all(part is None or isinstance(part, str) for part in asked):
                if len(self._told) >= _TOLD_KEPT:
                    self._told.clear()
                self._told[asked] = known
        return known

    def _worked_out(self, item: dict[str, Any]) -> str:
        counted, legal_basis = self._count(item)
        days = (counted.starts_on, counted.first_counted, counted.last_counted, counted.due, counted.due_at)
        told = ", ".join([f'"{name}": "{day.isoformat()}"' for name, day in zip(_DAYS, days, strict=True)])
        others = _ENCODER.encode(counted.dates()["alternatives"]) if counted.alternatives else "[]"
        return f'{told}, "alternatives": {others}{legal_basis}'

    def _count(self, item: dict[str, Any]) -> tuple[Count, str]:
        if not item.keys() <= _KNOWN:
            unknown = next(name for name in item if name not in _KNOWN)
            raise BatchLineInvalid(f"campo desconhecido: “{shown(unknown)}”.", field=shown(unknown))
        for name in ("start", "term"):
            if item.get(name) is None:
                raise BatchLineInvalid(f"falta “{name}”.", field=name)
        start, term = parse_start(item["start"]), Term.parse(item["term"])
        setting, calendar = self._setting(item)
        law, method = setting.law, item.get("method")
        if method is not None:
            if not isinstance(method, str) or method not in METHODS:
                raise BatchLineInvalid(f"“method” é um destes: {', '.join(METHODS)}.", field="method")
            if law is not None:
                start = from_event(notice_event(method, law.notice), start, calendar)
        if law is not None and setting.dated:
            law.require(start.date() if isinstance(start, datetime) else start)
        counted = count(calendar, setting.rule, term, start, places=setting.places)
        return counted, setting.legal_basis(counted, method)

    def _setting(self, item: dict[str, Any]) -> tuple[_Setting, OfficeCalendar]:
        """The setting that the line asks for, and its calendar with the line's own days."""
        options = item.get("options") or {}
        if not isinstance(options, dict):
            raise BatchLineInvalid("“options” deve ser um objeto.", field="options")
        law_id, counting = item.get("law"), item.get("counting")
        for name, value in (("law", law_id), ("counting", counting)):
            if value is not None and not isinstance(value, str):
                raise BatchLineInvalid(f"“{name}” deve ser texto.", field=name)
        facts = _facts(item)
        options = {name: value for name, value in options.items() if value is not None}
        asked = (law_id, counting, json.dumps(options, sort_keys=True) if options else "")
        setting = self._settings.get(asked)
        if setting is None:
            setting = self._settings[asked] = _new_setting(law_id, counting, options)
        return setting, setting.calendar.with_facts(facts) if facts else setting.calendar


def _new_setting(law_id: str | None, counting: str | None, options: dict[str, Any]) -> _Setting:
    if law_id is None:
        if counting is None:
            raise BatchLineInvalid("falta “law” ou “counting”.", field="counting")
        return _Setting(weekends_calendar(), rule_from_mapping(counting, options), (), (), None, False)
    law = law_counting(law_id)
    calendar = load_calendar(law.calendar)
    rule = rule_from_mapping(counting, options) if counting else law.rule.with_(**options)
    basis = law.citations if counting in (None, law.counting) else ()
    return _Setting(calendar, rule, law.places, basis, law, counting is None)


def _facts(item: dict[str, Any]) -> list[Fact]:
    if not any(name in item for name in _OWN_DAYS):
        return []
    facts: list[Fact] = [
        DayFact(parse_day(day, field="closed"), DayKind.FECHADO, "dia sem expediente") for day in _list(item, "closed")
    ]
    facts += [_reduced(*pair) for pair in _reduced_days(item)]
    for pair in _list(item, "suspended"):
        if not isinstance(pair, list) or len(pair) != 2:
            raise BatchLineInvalid("“suspended” é uma lista de [de, até].", field="suspended")
        first, last = (parse_day(day, field="suspended") for day in pair)
        facts.append(SuspensionFact(first, last))
    return facts


def _list(item: dict[str, Any], name: str) -> list[Any]:
    value = item.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise BatchLineInvalid(f"“{name}” deve ser uma lista.", field=name)
    return value


def _reduced_days(item: dict[str, Any]) -> Iterator[tuple[date, bool, bool]]:
    """Day, opens late, closes early: a bare list means both; an object has one list for each side."""
    value = item.get("reduced")
    if isinstance(value, dict):
        if unknown := [key for key in value if key not in _SIDES]:
            raise BatchLineInvalid(f"“reduced” não tem “{shown(unknown[0])}”.", field="reduced")
        late, early = ({parse_day(d, field="reduced") for d in _list(value, side)} for side in _SIDES)
        yield from ((day, day in late, day in early) for day in sorted(late | early))
        return
    for entry in _list(item, "reduced"):
        if isinstance(entry, dict):
            if set(entry) - {"date", *_SIDES} or not all(isinstance(entry.get(s, False), bool) for s in _SIDES):
                raise BatchLineInvalid(
                    "“reduced” tem dias, ou objetos com “date”, “opens_late” e “closes_early”.", field="reduced"
                )
            bare = not any(side in entry for side in _SIDES)
            yield (
                parse_day(entry.get("date"), field="reduced"),
                bare or entry.get("opens_late", False),
                bare or entry.get("closes_early", False),
            )
        else:
            yield parse_day(entry, field="reduced"), True, True


def _reduced(day: date, late: bool, early: bool) -> DayFact:
    return DayFact(day, DayKind.REDUZIDO, "expediente reduzido", opens_late=late, closes_early=early)
