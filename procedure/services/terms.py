"""The terms of a case told with their reasons: counted again under the calendar they were counted by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from calendars import Count, OfficeCalendar
from calendars.explain import Step, StepKind
from legalbasis import PosturasError
from procedure.domain.case import Deadline, RecordedAct
from procedure.domain.context import Context
from procedure.domain.deadlines import ONE_DAY, count_term
from procedure.domain.vocabulary import Act
from procedure.services.ports import Repository


class Terms:
    """The deadlines of one case as documents, each with its steps."""

    def __init__(self, repo: Repository, ctx: Context, acts: Sequence[RecordedAct]) -> None:
        self._repo = repo
        self._ctx = ctx
        self._acts = {act.seq: act for act in acts}

    def document(self, item: Deadline) -> dict[str, Any]:
        """The deadline: the contract's keys, then the additions. ``steps`` is None when it cannot be counted again."""
        counted = self.counted(item)
        return {
            "kind": item.kind,
            "status": item.status.value,
            "starts_on": item.starts_on.isoformat(),
            "first_counted": item.first_counted.isoformat() if item.first_counted else None,
            "due": item.due.isoformat(),
            "due_at": str(item.due_at),
            "expires_on": item.expires_on.isoformat(),
            "article": item.article,
            "number": item.number,
            "term": item.term,
            "expires_at": str(item.expires_at),
            "expiry_act": item.expiry_act,
            "alternatives": [{"due": d.isoformat(), "reading": reading} for d, reading in item.alternatives],
            "supersedes": item.supersedes,
            "undone": item.undone,
            "closed_by": item.closed_by,
            "calendar_version": item.calendar_version,
            "steps": [step.to_dict() for step in counted.steps] if counted else None,
        }

    def counted(self, item: Deadline) -> Count | None:
        """The term counted again, with its steps; None when the kept calendar is gone or cannot be read."""
        opened = self._opening(item)
        version = self._kept_from(item) or item.calendar_version
        calendar = self._calendar(version)
        if opened is None or calendar is None or item.kind not in self._ctx.book.deadlines:
            return None
        ctx = replace(self._ctx, calendar=calendar)
        try:
            counted = count_term(ctx, item.term, _start(opened), self._ctx.book.deadlines[item.kind], explain=True)
        except PosturasError:
            return None
        return counted if version == item.calendar_version else _rolled(counted, item)

    def _kept_from(self, item: Deadline) -> str | None:
        """The calendar of the term that ``item`` keeps, where it only goes on to a day of expediente; else None."""
        opened, version = self._acts.get(item.number), None
        while opened is not None and opened.payload.get("recount", {}).get("kept"):
            version = opened.payload["cause"]["calendar"]["from"]
            opened = self._acts.get(opened.payload["recount"]["number"])
        return version

    def _opening(self, item: Deadline) -> RecordedAct | None:
        """The act whose event starts the term; of a term reopened or counted again, that of the one it replaces."""
        opened = self._acts.get(item.number)
        while opened is not None and opened.kind in (Act.DESFAZIMENTO, Act.RECONTAGEM):
            again = [opened.payload["recount"]["opens"]] if opened.kind == Act.RECONTAGEM else opened.payload["opens"]
            former = next((d["supersedes"] for d in again if d["kind"] == item.kind), None)
            opened = self._acts.get(former) if former else None
        return opened

    def _calendar(self, version: str) -> OfficeCalendar | None:
        if version == self._ctx.calendar.version:
            return self._ctx.calendar
        document = self._repo.calendar_document(version)
        return OfficeCalendar.from_document(document) if document else None


def _rolled(counted: Count, item: Deadline) -> Count:
    """The term as it had been counted, and the days by which its end, kept, went on."""
    reason = "mantido o vencimento informado, que deixou de ter expediente"
    steps = (
        *counted.steps[:-1],
        Step(counted.due, item.due - ONE_DAY, StepKind.ROLLED, reason),
        replace(counted.steps[-1], first=item.due, last=item.due),
    )
    due_at = datetime.combine(item.due, item.due_at.instant.timetz())
    return replace(counted, due=item.due, due_at=due_at, steps=steps)


def _start(act: RecordedAct) -> date | datetime:
    payload: Mapping[str, Any] = act.payload
    text = payload.get("start")
    if not text:
        return act.at.clock or act.at.day
    return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
