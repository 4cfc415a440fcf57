"""``posturas prazo --batch``: JSON Lines in, JSON Lines out, one answer a line in the same order, bad lines too."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import IO, Any

from calendars.counting import count
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


class BatchLineInvalid(InputError):
    """A linha do lote não é um objeto como se espera."""

    code = "linha_invalida"
    default_remedy = (
        'Cada linha é um objeto JSON com "id", "start" e "term" e, se preciso, '
        '"law" ou "counting", "options", "closed", "reduced", "suspended", "method".'
    )


def run_batch(path: str) -> int:
    """Answer every line of the file (``-``: standard input). 0, or 1 when some line failed.

    Raises InputError when the file cannot be opened.
    """
    if path == "-":
        return _answer_all(sys.stdin.buffer)
    try:
        source = Path(path).open("rb")  # noqa: SIM115  # closed below: an error of writing is not one of opening
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "o nome não é de um arquivo"
        raise InputError(f"não foi possível ler o arquivo: {reason}", place=shown(path)) from error
    with source:
        return _answer_all(source)


def _answer_all(source: IO[bytes]) -> int:
    failed = False
    out = sys.stdout.buffer  # bytes: the answers are UTF-8 whatever the locale
    for number, raw in _lines(source):
        answer = _answer(number, raw)
        if answer is not None:
            failed = failed or "error" in answer
            out.write(_encode(answer) + b"\n")
    out.flush()
    return 1 if failed else 0


def _encode(answer: dict[str, Any]) -> bytes:
    try:
        return json.dumps(answer, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:  # an id may hold half a surrogate pair, which JSON can write only escaped
        return json.dumps(answer).encode("ascii")


def _lines(source: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Numbered lines, read one at a time; None for a line beyond the limit, whose rest is skipped."""
    number = 0
    while raw := source.readline(MAX_LINE + 1):
        number += 1
        if len(raw) > MAX_LINE:
            while raw and not raw.endswith(b"\n"):
                raw = source.readline(MAX_LINE)
            yield number, None
        else:
            yield number, raw


def _answer(number: int, raw: bytes | None) -> dict[str, Any] | None:
    """The answer to one line; None for an empty line."""
    line_id: Any = None
    try:
        if raw is None:
            raise BatchLineInvalid(f"a linha passa de {MAX_LINE // 1_000_000} MB.")
        text = _decode(number, raw)
        if not text.strip():
            return None
        item, repeated = _parse(text)
        if "id" not in repeated:
            line_id = _id(item)
        if repeated:  # JSON takes the last value in silence: the answer could be another deadline's
            raise BatchLineInvalid(f"a linha repete “{shown(repeated[0])}”.", field=shown(repeated[0]))
        return {"id": line_id, **_count(item)}
    except PosturasError as error:
        return {"id": line_id, "error": error.at(f"linha {number}").to_dict()}


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


def _parse(text: str) -> tuple[dict[str, Any], list[str]]:
    """The line's object and the names that it, or an object inside it, repeats."""
    repeated: list[str] = []

    def hook(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            times = Counter(name for name, _ in pairs)
            repeated.extend(name for name in found if times[name] > 1)
        return found

    try:
        item = json.loads(text, parse_constant=_no_constant, object_pairs_hook=hook)
    except (ValueError, RecursionError):
        raise BatchLineInvalid("a linha não é JSON.") from None
    if not isinstance(item, dict):
        raise BatchLineInvalid("a linha não é um objeto JSON.")
    return item, repeated


def _count(item: dict[str, Any]) -> dict[str, Any]:
    unknown = [name for name in item if name not in FIELDS and name not in NOTES]
    if unknown:
        raise BatchLineInvalid(f"campo desconhecido: “{shown(unknown[0])}”.", field=shown(unknown[0]))
    for name in ("start", "term"):
        if item.get(name) is None:
            raise BatchLineInvalid(f"falta “{name}”.", field=name)
    start, term = parse_start(item["start"]), Term.parse(item["term"])
    calendar, rule, places, basis, law = _setting(item)
    method = item.get("method")
    if method is not None:
        if not isinstance(method, str) or method not in METHODS:
            raise BatchLineInvalid(f"“method” é um destes: {', '.join(METHODS)}.", field="method")
        if law is not None:
            start = from_event(notice_event(method, law.notice), start, calendar)
            basis = (law.notice_citations[method], *basis)
    if law is not None and item.get("counting") is None:
        law.require(start.date() if isinstance(start, datetime) else start)
    counted = count(calendar, rule, term, start, places=places, legal_basis=basis)
    return (counted if law is None else law.restate(counted)).to_dict()


_Setting = tuple[OfficeCalendar, CountingRule, tuple[str, ...], tuple[Citation, ...], LawCounting | None]


def _setting(item: dict[str, Any]) -> _Setting:
    """Calendar, rule, places, legal basis and law (None: none named) that the line asks for."""
    options = item.get("options") or {}
    if not isinstance(options, dict):
        raise BatchLineInvalid("“options” deve ser um objeto.", field="options")
    options = {name: value for name, value in options.items() if value is not None}
    law_id, counting = item.get("law"), item.get("counting")
    for name, value in (("law", law_id), ("counting", counting)):
        if value is not None and not isinstance(value, str):
            raise BatchLineInvalid(f"“{name}” deve ser texto.", field=name)
    facts = _facts(item)
    if law_id is None:
        if counting is None:
            raise BatchLineInvalid("falta “law” ou “counting”.", field="counting")
        bare = weekends_calendar()
        return bare.with_facts(facts) if facts else bare, rule_from_mapping(counting, options), (), (), None
    law = law_counting(law_id)
    calendar = load_calendar(law.calendar)
    rule = rule_from_mapping(counting, options) if counting else law.rule.with_(**options)
    basis = law.citations if counting in (None, law.counting) else ()
    return calendar.with_facts(facts) if facts else calendar, rule, law.places, basis, law


def _facts(item: dict[str, Any]) -> list[Fact]:
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
