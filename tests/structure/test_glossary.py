"""Every legal word of the enums and of the rulebooks is in docs/glossary.md, and the glossary has no other."""

from __future__ import annotations

import importlib
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from procedure.domain.rulebook_reader import shipped_laws, shipped_rulebook
from tests.structure.sources import PACKAGES, ROOT, modules, shipped_name

ENTRY = re.compile(r"^\| `([A-Za-z_0-9]+)` \| (.+) \|$", re.MULTILINE)
# Values of enums that are machine words, English by the rule of one language per layer.
MACHINE_VALUES = {
    "any", "deemed_next", "first_counted", "next_expediente", "next_day", "closed", "closed_at_end",
    "early_closing_at_end", "open", "last_day", "minute_to_minute", "as_days", "end_of_expediente", "same_clock",
    "first_minute", "receipt", "publication", "publication_next_expediente", "d", "h", "m", "a",
    # what a drawn day is painted as
    "counted", "due", "excluded", "faint", "holiday", "opened", "optional", "other_due", "plain", "reduced", "skipped",
    "suspended", "unverified", "weekly_off",
    # kinds of fields of the CRA's layout, as its manual writes them; the day a thesis of prescription starts from
    "A", "D", "M", "N", "X", "final_on",
}  # fmt: skip
# Keys of a rulebook's file that are machine words.
MACHINE_KEYS = {
    "act", "acts", "also", "alternative_places", "amendment", "animal_term", "answers", "article", "articles", "base",
    "basis", "before", "by", "calendar", "certain_from", "certain_until", "chapter", "chapter_status", "competence",
    "condition", "consequence", "content", "costs", "counting", "deadline", "default", "default_term", "definition",
    "description", "document", "effects", "effects_on_reincidencia", "element", "expiry", "fine", "fixed_by", "from",
    "gate",
    "grace_article", "grace_exempt", "grace_until", "group", "id", "impediment", "in_force_from", "in_force_until",
    "infraction", "internal", "kind", "label", "law", "life", "max", "may_worsen", "missing", "municipality",
    "municipality_name", "needs_confirmation", "no_penalty", "norm", "not_applied", "not_citable", "not_encoded",
    "note", "notice", "opens", "options", "other_consequence", "other_law", "outcome", "outcomes", "partial",
    "payment", "penalty", "penalty_choice", "penalty_subject", "per", "percent", "places", "procedure_from",
    "proof_of_notice", "quantity", "rate", "reason", "repealed_by", "requires", "role", "roles", "row",
    "second_instance", "special_over", "starts", "status", "subject", "surcharge", "switch", "switches", "term",
    "term_field", "then", "timezone", "title", "to", "track", "track_row", "uf", "unit", "units", "unknown_years",
    "urn", "values", "warnings", "when",
}  # fmt: skip


def enum_values() -> set[str]:
    for path in modules("legalbasis", "calendars", "penalties", "procedure"):
        parts = [part for part in shipped_name(path).with_suffix("").parts if part != "__init__"]
        if parts[-1] != "__main__":
            importlib.import_module(".".join(parts))
    own = [enum for enum in StrEnum.__subclasses__() if enum.__module__.split(".")[0] in PACKAGES]
    return {member.value for enum in own for member in enum}


def keys_of(document: Any) -> Iterator[str]:
    if isinstance(document, dict):
        for key, value in document.items():
            yield key
            yield from keys_of(value)
    elif isinstance(document, list):
        for value in document:
            yield from keys_of(value)


def rulebook_words(law: str) -> set[str]:
    book = shipped_rulebook(law)
    document = tomllib.loads(book.text)
    provisions = {str(p) for p in book.infractions} | set(book.penalties)
    found = {key for key in keys_of(document) if key not in provisions}
    found |= {word for switch in book.switches.values() for word in (switch.name, *switch.values)}
    found |= {word for outcome in book.outcomes.values() for word in outcome.values}
    found |= set(book.deadlines) | {word for row in book.rows for word in row.requires}
    found |= {rule.term for rule in book.deadlines.values() if not rule.term[0].isdigit()}
    found |= {place for rule in book.deadlines.values() for place in rule.places}
    for infraction in document["infraction"]:
        found |= {infraction[k] for k in ("group", "before", "subject") if k in infraction}
        found |= {*infraction.get("warnings", ()), *infraction.get("effects_on_reincidencia", ())}
    return found


def test_the_glossary_has_every_legal_word_and_no_other() -> None:
    entries = ENTRY.findall((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"))
    words = Counter(word for word, _ in entries)
    assert [word for word, times in words.items() if times > 1] == []
    legal = enum_values().union(*(rulebook_words(law) for law in shipped_laws())) - MACHINE_VALUES - MACHINE_KEYS
    assert (legal - set(words), set(words) - legal) == (set(), set())


def test_what_is_left_out_as_a_machine_word_is_still_used() -> None:
    assert MACHINE_VALUES - enum_values() == set()
    used = set().union(*(keys_of(tomllib.loads(shipped_rulebook(law).text)) for law in shipped_laws()))
    assert MACHINE_KEYS - used == set()
