"""Files of days: the municipality's TOML (shipped, or to be imported), its CSV, and the committed answers.

Every defect of a file is reported at once, with its line.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from calendars.days import DayFact, DayKind, ExtensionFact, Fact, Nature, OfficeHours, SuspensionFact
from calendars.errors import CalendarFileDefects, InvalidDate, InvalidRange
from calendars.term import LAST_YEAR, parse_day
from legalbasis import InputError, TomlTable, read_toml

ANSWERS_HEADER = "date;kind;nature;description;act;published_on;opens;closes;opens_late;closes_early;verified"
CSV_FIELDS = ("date", "kind", "description", "act", "published_on")
MAX_LINE = 100_000
_WORDS = {"true": True, "false": False, "": None}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a municipality's file says of its office. ``hours`` None: not known."""

    calendar_id: str
    name: str
    uf: str
    timezone: str
    first_day: date
    last_day: date
    weekly_off: frozenset[int]
    hours: OfficeHours | None
    electronic_filing: bool


@dataclass(frozen=True, slots=True)
class YearlyHoliday:
    """A holiday of every year from ``first_year`` (to ``last_year``): month and day, or days from Easter Sunday."""

    description: str
    act: str | None
    source: str
    verified: bool
    first_day: date
    last_day: date
    month_day: tuple[int, int] | None = None
    easter_offset: int | None = None
    nature: Nature = Nature.FERIADO

    def on(self, year: int, easter: date) -> DayFact | None:
        """The day in ``year``, whose Easter Sunday is ``easter``; None outside its years."""
        day = date(year, *self.month_day) if self.month_day else easter + timedelta(days=self.easter_offset or 0)
        if not self.first_day <= day <= self.last_day:
            return None
        act = self.act or f"fonte: {self.source}"
        return DayFact(day, DayKind.FECHADO, self.description, act, nature=self.nature, verified=self.verified)


@dataclass(frozen=True, slots=True)
class MunicipalFile:
    """A municipality's file: settings, yearly holidays, single days, suspensions, extensions."""

    settings: Settings
    holidays: tuple[YearlyHoliday, ...] = ()
    days: tuple[DayFact, ...] = ()
    suspensions: tuple[SuspensionFact, ...] = ()
    extensions: tuple[ExtensionFact, ...] = ()


@dataclass(slots=True)
class _Found:
    facts: list[Fact] = field(default_factory=list)
    defects: list[str] = field(default_factory=list)


def read_municipal_file(path: Path) -> MunicipalFile:
    """Read ``data/<uf>-<ibge>.toml``. Raises TomlDefects with every defect, InputError when unreadable."""

    def build(table: TomlTable) -> MunicipalFile:
        settings = _settings(table.table("calendar"))
        holidays = tuple(_yearly(t, settings) for t in table.tables("holiday"))
        days, suspensions, extensions = _dated(table)
        return MunicipalFile(settings, holidays, days, suspensions, extensions)

    return read_toml(path, build)


def parse_calendar_toml(path: Path) -> list[Fact]:
    """The dated facts (``day``, ``suspension``, ``extension``) of a TOML file to be imported.

    Settings and yearly holidays, if the file has them, are read and checked but are not dated facts.
    Raises TomlDefects with every defect, InputError when unreadable.
    """

    def build(table: TomlTable) -> list[Fact]:
        if "calendar" in table:
            settings = _settings(table.table("calendar"))
            for holiday in table.tables("holiday"):
                _yearly(holiday, settings)
        days, suspensions, extensions = _dated(table)
        if not days and not suspensions and not extensions:
            table.defect("", "não há nenhum [[day]], [[suspension]] ou [[extension]]")
        return [*days, *suspensions, *extensions]

    return read_toml(path, build)


def _settings(table: TomlTable) -> Settings:
    zone = table.str("timezone")
    try:
        ZoneInfo(zone or "UTC")
    except (ValueError, KeyError, OSError):
        table.defect("timezone", f"“{zone}” não é um fuso horário da IANA")
    off = table.raw("weekly_off", [5, 6])
    if not isinstance(off, list) or not all(isinstance(d, int) and 0 <= d <= 6 for d in off):
        table.defect("weekly_off", "deve ser lista de números de 0 (segunda-feira) a 6 (domingo)")
        off = []
    settings = Settings(
        table.str("id"),
        table.str("name"),
        table.str("uf"),
        zone,
        table.date("first_day"),
        table.date("last_day"),
        frozenset(off),
        _hours(table),
        table.bool("electronic_filing", False),
    )
    if settings.last_day < settings.first_day:
        table.defect("last_day", "é anterior a first_day")
    table.close()
    return settings


def _hours(table: TomlTable) -> OfficeHours | None:
    if "hours" not in table:
        return None
    hours = table.table("hours")
    names = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    week: list[tuple[time, time] | None] = []
    for name in names:
        given = hours.raw(name, hours.raw("every_day", None))
        if given is None:
            week.append(None)
            continue
        try:
            opens, closes = (time.fromisoformat(text) for text in given)
        except (TypeError, ValueError):
            hours.defect(name, 'deve ser ["HH:MM", "HH:MM"]')
            continue
        if closes <= opens:
            hours.defect(name, "fecha antes de abrir")
        week.append((opens, closes))
    hours.close()
    return OfficeHours(tuple(week))


def _yearly(table: TomlTable, settings: Settings) -> YearlyHoliday:
    month_day, offset = None, table.int("easter_offset", None)
    text = table.str("day", None)
    if (text is None) == (offset is None):
        table.defect("day", 'dê day = "MM-DD" ou easter_offset = número de dias depois da Páscoa, um dos dois')
    if text is not None:
        try:
            checked = date.fromisoformat(f"2001-{text}")
            month_day = (checked.month, checked.day)
        except ValueError:
            table.defect("day", f"“{text}” não é um dia de todos os anos (MM-DD)")
    holiday = YearlyHoliday(
        table.str("description"),
        table.str("act", None),
        table.str("source"),
        table.bool("verified"),
        table.date("first_day", settings.first_day),
        table.date("last_day", date(LAST_YEAR, 12, 31)),
        month_day,
        offset,
        table.enum("nature", Nature, Nature.FERIADO),
    )
    table.close()
    return holiday


def _dated(
    table: TomlTable,
) -> tuple[tuple[DayFact, ...], tuple[SuspensionFact, ...], tuple[ExtensionFact, ...]]:
    days = tuple(_day(t) for t in table.tables("day"))
    suspensions = tuple(s for t in table.tables("suspension") if (s := _suspension(t)))
    extensions = tuple(e for t in table.tables("extension") if (e := _extension(t)))
    return days, suspensions, extensions


def _day(table: TomlTable) -> DayFact:
    fact = DayFact(
        table.date("date"),
        table.enum("kind", DayKind),
        table.str("description"),
        table.str("act"),
        table.date("published_on", None),
        table.enum("nature", Nature, Nature.FERIADO),
        read_clock(table, "opens"),
        read_clock(table, "closes"),
        table.bool("opens_late", None),
        table.bool("closes_early", None),
        table.bool("verified", True),
    )
    if fact.kind is not DayKind.REDUZIDO:
        for key in ("opens", "closes", "opens_late", "closes_early"):
            if key in table:
                table.defect(key, "só vale para dia reduzido")
    table.close()
    return fact


def read_clock(table: TomlTable, key: str) -> time | None:
    """A clock time of a data file, ``HH:MM``; None when absent (or wrong, which is a defect)."""
    text = table.str(key, None)
    if text is None:
        return None
    try:
        return time.fromisoformat(text)
    except ValueError:
        table.defect(key, f"“{text}” não é uma hora (HH:MM)")
        return None


def _suspension(table: TomlTable) -> SuspensionFact | None:
    first, last = table.date("from"), table.date("to")
    description, act = table.str("description", "prazos suspensos"), table.str("act")
    published_on = table.date("published_on", None)
    table.close()
    try:
        return SuspensionFact(first, last, description, act, published_on)
    except InvalidRange as error:
        table.defect("to", error.message)
        return None


def _extension(table: TomlTable) -> ExtensionFact | None:
    first, last, to = table.date("window_from"), table.date("window_to"), table.date("to")
    act, published_on = table.str("act"), table.date("published_on", None)
    table.close()
    try:
        return ExtensionFact(first, last, to, act, published_on)
    except InvalidRange as error:
        table.defect("to", error.message)
        return None


def parse_calendar_csv(path: Path, encoding: str = "utf-8") -> list[Fact]:
    """The days of a CSV file ``date;kind;description;act;published_on`` (``;`` or ``,``; BOM tolerated).

    ``kind`` is normal, reduzido, fechado or suspenso; ``feriado`` and ``ponto_facultativo`` are closed days that say
    why. ``published_on`` may be empty. ``encoding`` utf-8 or latin-1. Raises CalendarFileDefects with every defect of
    every line, InputError when the file cannot be read at all.
    """
    text = _decoded(path, encoding)
    lines = text.splitlines()
    if not lines:
        raise CalendarFileDefects("o arquivo está vazio.", place=str(path))
    found = _Found()
    delimiter = ";" if ";" in lines[0] else ","
    header = [name.strip().lower() for name in lines[0].split(delimiter)]
    unknown = [h for h in header if h not in CSV_FIELDS]
    missing = [f for f in CSV_FIELDS[:4] if f not in header]
    if unknown or missing:
        found.defects += [f"linha 1: coluna desconhecida “{h[:40]}”" for h in unknown]
        found.defects += [f"linha 1: falta a coluna “{f}”" for f in missing]
    else:
        for number, row in _rows(text, delimiter, found):
            _read_row(dict(zip(header, row, strict=False)), len(row), len(header), number, found)
    if found.defects:
        raise CalendarFileDefects(
            "\n".join(found.defects), place=str(path), remedy="Corrija cada linha indicada e tente de novo."
        )
    return found.facts


def _decoded(path: Path, encoding: str) -> str:
    try:
        raw = path.read_bytes()
        return raw.decode("utf-8-sig" if encoding.lower().replace("_", "-") in ("utf-8", "utf8") else encoding)
    except OSError as error:
        raise InputError(f"não foi possível ler o arquivo: {error.strerror}", place=str(path)) from error
    except (UnicodeDecodeError, LookupError) as error:
        raise InputError(
            f"o arquivo não está em {encoding}.", place=str(path), remedy="Diga a codificação: --encoding latin-1."
        ) from error


def _rows(text: str, delimiter: str, found: _Found) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        for row in reader:
            if reader.line_num > 1 and any(cell.strip() for cell in row):
                yield reader.line_num, row
    except csv.Error as error:
        found.defects.append(f"linha {reader.line_num}: não é CSV válido ({error})")


def _read_row(row: dict[str, str], width: int, expected: int, number: int, found: _Found) -> None:
    defects = []
    if width != expected:
        defects.append(f"tem {width} campos, e não {expected}")
    values = {name: row.get(name, "").strip() for name in CSV_FIELDS}
    day = _csv_day(values["date"], "date", defects)
    published = _csv_day(values["published_on"], "published_on", defects) if values["published_on"] else None
    kind_text = values["kind"].lower()
    nature = Nature(kind_text) if kind_text in list(Nature) else Nature.FERIADO
    kind = DayKind.FECHADO if kind_text in list(Nature) else None
    if kind is None:
        try:
            kind = DayKind(kind_text)
        except ValueError:
            kinds = ", ".join([*DayKind, *Nature])
            defects.append(f"kind: “{kind_text[:40]}” não é um destes: {kinds}")
    defects += [f"{name}: falta" for name in ("description", "act") if not values[name]]
    if defects or day is None or kind is None:
        found.defects += [f"linha {number}: {defect}" for defect in defects]
    else:
        found.facts.append(DayFact(day, kind, values["description"], values["act"], published, nature))


def _csv_day(text: str, name: str, defects: list[str]) -> date | None:
    try:
        return parse_day(text, field=name)
    except InvalidDate as error:
        defects.append(f"{name}: {error.message}")
        return None


def row_text(fact: DayFact) -> str:
    """A day as one line of the committed answers. Raises ValueError when a text holds the separator."""
    cells = [
        fact.day.isoformat(),
        fact.kind.value,
        fact.nature.value,
        fact.description,
        fact.act or "",
        fact.published_on.isoformat() if fact.published_on else "",
        f"{fact.opens:%H:%M}" if fact.opens else "",
        f"{fact.closes:%H:%M}" if fact.closes else "",
        "" if fact.opens_late is None else str(fact.opens_late).lower(),
        "" if fact.closes_early is None else str(fact.closes_early).lower(),
        str(fact.verified).lower(),
    ]
    if any(";" in cell or "\n" in cell for cell in cells):
        raise ValueError(f"a cell of {fact.day} holds the separator")
    return ";".join(cells)


def row_of(line: str) -> DayFact:
    """Read what ``row_text`` wrote."""
    day, kind, nature, description, act, published, opens, closes, late, early, verified = line.split(";")
    return DayFact(
        date.fromisoformat(day),
        DayKind(kind),
        description,
        act or None,
        date.fromisoformat(published) if published else None,
        Nature(nature),
        time.fromisoformat(opens) if opens else None,
        time.fromisoformat(closes) if closes else None,
        _WORDS[late],
        _WORDS[early],
        verified == "true",
    )
