"""What a change of the office's days, or of the law's text, does to a case: read from the act's payload alone.

A ``recontagem`` ends a term and opens the same one with the dates of the new calendar. Where the term is not there (the
act that opened it was undone) it moves nothing. A ``migracao`` passes the case to another text of its law; its sanction
stays that of the text under which it was opened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

from procedure.domain.case import Case, Deadline, RecordedAct
from procedure.domain.moment import zone
from procedure.domain.vocabulary import Act, DeadlineStatus

ReadTerm = Callable[[dict[str, Any], int, ZoneInfo], Deadline]
Effect = Callable[[Case, RecordedAct], None]


def change_effects(read: ReadTerm) -> dict[str, Effect]:
    """The effects by act; ``read`` makes a deadline of its document."""

    def recount(case: Case, act: RecordedAct) -> None:
        opened = act.payload["recount"]["opens"]
        for index, item in enumerate(case.deadlines):
            same = item.kind == opened["kind"] and item.number == opened["supersedes"]
            if same and item.status is DeadlineStatus.ABERTO:
                closed = case.deadlines[index] = item.copied()
                closed.status, closed.closed_by = DeadlineStatus.CANCELADO, act.seq
                closed.undone = closed.dirty = True
                case.deadlines.append(read(opened, act.seq, zone(case.timezone)))
                return

    return {Act.RECONTAGEM: recount, Act.MIGRACAO: _migrate}


def _migrate(case: Case, act: RecordedAct) -> None:
    passage = act.payload["texts"]
    case.facts["texts"] = [*case.facts.get("texts", ()), passage]
    case.rulebook_version = passage["to"]
