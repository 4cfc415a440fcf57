"""The instants inside an act, as the municipality's clock shows them."""

from __future__ import annotations

import re
from typing import Any
from zoneinfo import ZoneInfo

from procedure.domain.moment import Moment

_NAMES = frozenset({"received", "juntada", "publication", "from", "to", "date", "until"})
DAY_LENGTH = len("2013-01-31")
_OFFSET = re.compile(r"[T ].*(Z|[+-][0-9:]+)\Z")


def make_local(fields: dict[str, Any], tz: ZoneInfo) -> None:
    """Rewrite instants given with an offset (an ERP may export UTC) as local time, since terms run by local days.

    ``fields`` are those of an act, already checked, with its facts; days and local times stay as they came.
    """
    for name in _NAMES & fields.keys():
        if len(fields[name]) > DAY_LENGTH and _OFFSET.search(fields[name]):
            fields[name] = Moment.parse(fields[name], tz).instant.replace(tzinfo=None).isoformat()
    for fact in [fields["fact"]] if fields.get("fact") else fields.get("infractions", ()):
        make_local(fact, tz)
