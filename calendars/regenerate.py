"""Write the committed answers again: ``python -m calendars.regenerate``. Review the result as a diff."""

from __future__ import annotations

import sys
from pathlib import Path

from calendars.days import DayFact, settle
from calendars.files import ANSWERS_HEADER, MunicipalFile, read_municipal_file, row_text
from calendars.national import bank_days, easter_sunday, holidays_of
from calendars.rules import DATA
from calendars.shipped import BANKS, calendar_ids


def answers_of(file: MunicipalFile) -> str:
    """The answers of one municipality: every day that an act makes other than normal, settled, one a line."""
    return text_of(days_of(file))


def days_of(file: MunicipalFile, *, to_confirm: bool = False) -> list[DayFact]:
    """The days of one municipality that an act makes other than normal, settled, in order.

    ``to_confirm``: a state's day whose law we do not have comes unverified instead of HolidayNotDocumented.
    """
    settings = file.settings
    years = range(settings.first_day.year, settings.last_day.year + 1)
    yearly = [fact for year in years for holiday in file.holidays if (fact := holiday.on(year, easter_sunday(year)))]
    # Settled in two passes, national law first, so that a municipal act lies over it whatever the dates of both.
    national = settle({}, settings.weekly_off, holidays_of(settings.uf, years, to_confirm=to_confirm))
    days = settle(settle(national, settings.weekly_off, yearly), settings.weekly_off, list(file.days))
    return [days[o] for o in sorted(days) if settings.first_day <= days[o].day <= settings.last_day]


def text_of(days: list[DayFact]) -> str:
    """Days as the text of an answers file."""
    return "\n".join([ANSWERS_HEADER, *(row_text(day) for day in days)]) + "\n"


def answers() -> dict[str, str]:
    """Every answers file of ``data/``, by name."""
    files = {calendar_id: read_municipal_file(DATA / f"{calendar_id}.toml") for calendar_id in calendar_ids()}
    first = min(f.settings.first_day.year for f in files.values())
    last = max(f.settings.last_day.year for f in files.values())
    texts = {f"{calendar_id}.csv": answers_of(file) for calendar_id, file in files.items()}
    return {**texts, f"{BANKS}.csv": text_of(bank_days(range(first, last + 1)))}


def main(folder: Path = DATA) -> None:
    """Write the files that differ and say which."""
    for name, text in answers().items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main()
