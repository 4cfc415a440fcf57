"""Between the plain data of a case and the rows of the tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Any

from procedure.domain.case import Case, Deadline, Inscription, RecordedAct
from procedure.domain.chain import canonical
from procedure.domain.facts_text import facts_text
from procedure.domain.moment import Moment, zone
from procedure.domain.vocabulary import DeadlineStatus, State
from procedure.store.bulk import Row
from procedure.store.errors import InscriptionConflict, TextNotStorable

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

CASE_KEY = ("municipality", "auto")
CASE_VALUES = (
    "law",
    "rulebook_version",
    "state",
    "timezone",
    "last_seq",
    "last_hash",
    "last_at",
    "person_id",
    "person_key",
    "fact_date",
    "arbitrada",
    "acrescimo",
    "diaria",
    "custos",
    "pago",
    "facts",
)
ACT_COLUMNS = (
    "municipality",
    "auto",
    "seq",
    "kind",
    "at",
    "at_epoch",
    "recorded_at",
    "actor",
    "role",
    "office",
    "payload",
    "key",
    "deadline",
    "rulebook_version",
    "calendar_version",
    "prev_hash",
    "hash",
)
DEADLINE_KEY = ("municipality", "auto", "number", "kind")
DEADLINE_VALUES = (
    "status",
    "term",
    "counting",
    "starts_on",
    "first_counted",
    "last_counted",
    "due",
    "due_at",
    "expires_on",
    "expires_at",
    "expires_epoch",
    "article",
    "calendar_version",
    "alternatives",
    "expiry_act",
    "track",
    "internal",
    "supersedes",
    "closed_by",
    "undone",
)
INSCRIPTION_COLUMNS = (
    "municipality",
    "year",
    "number",
    "auto",
    "seq",
    "day",
    "livro",
    "folha",
    "original_amount",
    "charges",
    "status",
    "exigivel_em",
    "prescribes_on",
    "warns_on",
    "termo",
    "beside",
)


@lru_cache(maxsize=8_192)
def moment(text: str, timezone: str) -> Moment:
    """A stored moment in its municipality's zone. Few distinct ones serve many deadlines."""
    return Moment.parse(text, zone(timezone))


def iso(day: date | None) -> str | None:
    """A day as stored by the set-based writes."""
    return day.isoformat() if day else None


def storable(text: str) -> str:
    """The text itself; raises TextNotStorable for what PostgreSQL's text cannot hold (SQLite would take it)."""
    if "\x00" in text:
        raise TextNotStorable()
    return text


@lru_cache(maxsize=8_192)
def _alternatives(readings: tuple[tuple[date, str], ...]) -> str:
    return canonical([[day.isoformat(), reading] for day, reading in readings])


@lru_cache(maxsize=8_192)
def _readings(text: str) -> tuple[tuple[date, str], ...]:
    return tuple((date.fromisoformat(day), reading) for day, reading in json.loads(text))


def case_values(case: Case) -> Row:
    """The values of CASE_VALUES."""
    return (*plain_case_values(case), facts_text(case.facts))


def plain_case_values(case: Case) -> Row:
    """The values of CASE_VALUES but the facts, which come last."""
    return (
        case.law,
        case.rulebook_version,
        case.state.value if case.state else None,
        case.timezone,
        case.last_seq,
        case.last_hash,
        case.last_at,
        case.person_id,
        case.person_key,
        iso(case.fact_date),
        case.arbitrada,
        case.acrescimo,
        case.diaria,
        case.custos,
        case.pago,
    )


def case_of(row: Sequence[Any]) -> Case:
    """A case without its deadlines and inscription, from CASE_KEY, version and CASE_VALUES in that order.

    By position, as deadlines are: reading a row by name takes longer than all the rest of loading a case.
    """
    (municipality, auto, version, law, rulebook_version, state, timezone, last_seq, last_hash, last_at) = row[:10]
    (person_id, person_key, fact_date, arbitrada, acrescimo, diaria, custos, pago, facts) = row[10:]
    return Case(
        municipality=municipality,
        auto=auto,
        law=law,
        rulebook_version=rulebook_version,
        state=State(state) if state else None,
        version=version,
        last_seq=last_seq,
        last_hash=last_hash,
        last_at=last_at,
        timezone=timezone,
        person_id=person_id,
        person_key=person_key,
        fact_date=fact_date,
        arbitrada=arbitrada,
        acrescimo=acrescimo,
        diaria=diaria,
        custos=custos,
        pago=pago,
        facts=json.loads(facts),
    )


def act_row(case: Case, act: RecordedAct, at: str) -> Row:
    """The values of ACT_COLUMNS. The act must be sealed; ``at`` is its legal moment as text."""
    return (
        case.municipality,
        case.auto,
        act.seq,
        act.kind,
        at,
        act.at.epoch,
        act.recorded_at,
        storable(act.actor),
        act.role,
        storable(act.office) if act.office else act.office,
        act.payload_text,
        storable(act.key) if act.key else act.key,
        act.deadline,
        act.rulebook_version,
        act.calendar_version,
        act.prev_hash,
        act.hash,
    )


def act_of(row: Any, timezone: str) -> RecordedAct:
    """A recorded act from a row of ``posturas_acts``."""
    return RecordedAct(
        kind=row.kind,
        at=moment(row.at, timezone),
        recorded_at=row.recorded_at,
        actor=row.actor,
        role=row.role,
        payload=json.loads(row.payload),
        seq=row.seq,
        office=row.office,
        key=row.key,
        rulebook_version=row.rulebook_version,
        calendar_version=row.calendar_version,
        deadline=row.deadline,
        prev_hash=row.prev_hash,
        hash=row.hash,
        payload_text=row.payload,
    )


def event_text(case: Case, act: RecordedAct, at: str) -> str:
    """The outbox event of an act dated ``at``, in the shape of an import line (spec 07) with what the record added.

    The payload's fields come first and the common ones after them, so that the common ones hold if a name repeats.
    """
    tail = event_tail(case, act, at)
    return f"{{{tail}" if act.payload_text == "{}" else f"{act.payload_text[:-1]},{tail}"


def event_tail(case: Case, act: RecordedAct, at: str) -> str:
    """What follows the payload's fields in an event: the common ones and the closing brace."""
    common = _encode(
        {
            "municipality": case.municipality,
            "auto": case.auto,
            "seq": act.seq,
            "act": act.kind,
            "date": at,
            "recorded_at": act.recorded_at,
            "actor": act.actor,
            "role": act.role,
            "office": act.office,
            "key": act.key,
            "law": case.law,
            "hash": act.hash,
        }
    )
    return common[1:]


def deadline_values(item: Deadline) -> Row:
    """The values of DEADLINE_VALUES."""
    expires_at = str(item.expires_at)
    return (
        item.status.value,
        item.term,
        item.counting,
        iso(item.starts_on),
        iso(item.first_counted),
        iso(item.last_counted),
        iso(item.due),
        expires_at if item.due_at == item.expires_at else str(item.due_at),
        iso(item.expires_on),
        expires_at,
        item.expires_at.epoch,
        item.article,
        item.calendar_version,
        _alternatives(item.alternatives),
        item.expiry_act,
        item.track,
        item.internal,
        item.supersedes,
        item.closed_by,
        item.undone,
    )


def deadline_of(row: Sequence[Any], timezone: str) -> Deadline:
    """A stored deadline, from DEADLINE_KEY and DEADLINE_VALUES in that order."""
    (_, _, number, kind, status, term, counting, starts_on, first_counted, last_counted, due, due_at) = row[:12]
    (expires_on, expires_at, _, article, calendar_version, alternatives, expiry_act, track) = row[12:20]
    (internal, supersedes, closed_by, undone) = row[20:]
    return Deadline(
        kind=kind,
        number=number,
        status=DeadlineStatus(status),
        term=term,
        counting=counting,
        starts_on=starts_on,
        first_counted=first_counted,
        last_counted=last_counted,
        due=due,
        due_at=moment(due_at, timezone),
        expires_on=expires_on,
        expires_at=moment(expires_at, timezone),
        article=article,
        calendar_version=calendar_version,
        alternatives=_readings(alternatives),
        expiry_act=expiry_act,
        track=track,
        internal=internal,
        supersedes=supersedes,
        closed_by=closed_by,
        undone=undone,
        stored=True,
    )


def inscription_row(case: Case, item: Inscription) -> Row:
    """The values of INSCRIPTION_COLUMNS. Raises InscriptionConflict when the counter gave no number."""
    if item.number < 1:
        raise InscriptionConflict(place=f"município {case.municipality}, auto {case.auto}")
    return (
        case.municipality,
        item.year,
        item.number,
        item.auto,
        item.seq,
        iso(item.day),
        item.livro,
        item.folha,
        item.original_amount,
        item.charges,
        item.status,
        iso(item.exigivel_em),
        iso(item.prescribes_on),
        iso(item.warns_on),
        canonical(item.termo),
        canonical(item.beside),
    )


def inscription_of(row: Any) -> Inscription:
    """A stored inscription."""
    return Inscription(
        auto=row.auto,
        day=row.day,
        seq=row.seq,
        original_amount=row.original_amount,
        charges=row.charges,
        termo=json.loads(row.termo),
        number=row.number,
        livro=row.livro,
        folha=row.folha,
        status=row.status,
        exigivel_em=row.exigivel_em,
        prescribes_on=row.prescribes_on,
        warns_on=row.warns_on,
        beside=json.loads(row.beside),
        dirty=False,
    )
