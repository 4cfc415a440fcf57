"""Check CHANGELOG.md: each entry says what kind of change it is, the periods it concerns to the day, where, and what
a user sees. Prints each defect with its line; exit code 1 if there is one."""

from __future__ import annotations

import re
import sys
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("law", "correction", "feature", "technical")
FIELDS = ("Kind", "Periods", "Zones", "Seen")
RELEASE = re.compile(r"## (Unreleased|\d+\.\d+\.\d+ - (?P<day>\d{4}-\d{2}-\d{2}))$")
FIELD = re.compile(r"- (?P<name>\w+): (?P<value>.+)$")
PERIOD = re.compile(r"(?:from (?P<start>\d{4}-\d{2}-\d{2}))?(?: ?until (?P<end>\d{4}-\d{2}-\d{2}))?$")


def defects(text: str, root: Path) -> list[str]:
    """What is wrong in a changelog, one sentence each, with its line."""
    found: list[str] = []
    entry: tuple[int, str] | None = None
    fields: dict[str, str] = {}
    releases = 0

    def close() -> None:
        if entry is not None:
            found.extend(f"line {entry[0]}: {entry[1]}: {fault}" for fault in _entry_faults(fields, root))

    for number, line in enumerate([*text.splitlines(), "## Unreleased"], start=1):
        if line.startswith("## "):
            close()
            entry, fields, releases = None, {}, releases + 1
            if not _is_release(line):
                found.append(f"line {number}: a release is '## Unreleased' or '## X.Y.Z - YYYY-MM-DD': {line}")
        elif line.startswith("### "):
            close()
            entry, fields = (number, line[4:]), {}
        elif match := FIELD.match(line):
            fields[match["name"]] = match["value"]
        elif line.startswith("- ") and entry is not None:
            found.append(f"line {number}: a field is '- Name: value': {line}")
    if releases == 1:
        found.append("line 1: no release")
    return found


def _is_release(line: str) -> bool:
    match = RELEASE.match(line)
    return match is not None and (match["day"] is None or _day(match["day"]) is not None)


def _entry_faults(fields: dict[str, str], root: Path) -> list[str]:
    faults = [f"{name} is missing" for name in FIELDS if name not in fields]
    faults += [f"{name} is no field (they are {', '.join(FIELDS)})" for name in fields if name not in FIELDS]
    kind = fields.get("Kind")
    if kind is not None and kind not in KINDS:
        faults.append(f"Kind is one of {', '.join(KINDS)}, not {kind}")
    if "Periods" in fields:
        faults += _period_faults(fields["Periods"], kind)
    for zone in fields.get("Zones", "").split(", "):
        if zone and not (root / zone.strip("`")).exists():
            faults.append(f"Zones names {zone}, which is not in the project")
    return faults


def _period_faults(value: str, kind: str | None) -> list[str]:
    if value == "none":
        return [] if kind in ("technical", "feature") else ["Periods is 'none' only where no result changes"]
    if value == "all":
        return []
    faults = []
    for part in value.split("; "):
        match = PERIOD.match(part)
        if match is None or not part:
            faults.append(f"a period is 'from DAY until DAY', 'from DAY' or 'until DAY', not {part}")
            continue
        days = [_day(match[name]) for name in ("start", "end") if match[name]]
        if None in days:
            faults.append(f"no such day in {part}")
        elif len(days) > 1 and days[0] > days[1]:  # type: ignore[operator]  # neither is None here
            faults.append(f"ends before it starts: {part}")
    return faults


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def main() -> int:
    """Check the project's changelog."""
    found = defects((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), ROOT)
    for defect in found:
        print(f"CHANGELOG.md: {defect}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
