"""One fact under two articles is charged once: the special penalty, else the milder (spec 03 item 1)."""

from __future__ import annotations

from collections.abc import Sequence

from legalbasis import Provision
from penalties.items import Charged
from penalties.money import money_br


def charged_once(charged: Sequence[Charged]) -> tuple[list[Charged], list[tuple[Charged, str]]]:
    """The items to charge, in the order given, and those set aside with the reason in Portuguese.

    The choice within a fact does not depend on the order given.
    """
    facts: dict[str, list[Charged]] = {}
    for entry in charged:
        if entry.item.fact is not None:
            facts.setdefault(entry.item.fact, []).append(entry)
    dropped: dict[int, str] = {}
    for entries in facts.values():
        if len(entries) > 1:
            kept, why = _prevailing(entries)
            reason = f"O mesmo fato já é punido pelo art. {kept.item.penalty.article} ({kept.item.article}): {why}."
            dropped.update({id(entry): reason for entry in entries if entry is not kept})
    kept_entries = [entry for entry in charged if id(entry) not in dropped]
    return kept_entries, [(entry, dropped[id(entry)]) for entry in charged if id(entry) in dropped]


def _prevailing(entries: Sequence[Charged]) -> tuple[Charged, str]:
    beaten = {identity for entry in entries for identity in entry.item.penalty.prevalece_sobre}
    left = [entry for entry in entries if entry.item.penalty.id not in beaten] or list(entries)
    special = [entry for entry in left if entry.item.penalty.especial]
    left = special or left
    if len(left) == 1 or len({entry.item.penalty.id for entry in left}) == 1 < len(entries):
        why = "é a pena especial" if len(left) < len(entries) else "é a mesma pena"
    else:
        why = "é a pena mais branda"
    kept = min(left, key=_mildness)
    return kept, f"{why} ({money_br(kept.amount)})"


def _mildness(entry: Charged) -> tuple[object, ...]:
    return entry.amount, _order(entry.item.penalty.article), entry.item.penalty.id, _order(entry.item.article)


def _order(provision: str) -> tuple[int, Provision]:
    parsed = Provision.parse(provision)
    return int(parsed.article.split("-", 1)[0]), parsed
