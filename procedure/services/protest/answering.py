"""What the cartório answered, brought to the record: protests that do not stand are lifted, the rest is told.

A title that was paid is told, not recorded: the payment is an act of the treasury, of what it received and when.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from legalbasis import PosturasError
from procedure.domain.vocabulary import Act, Role
from procedure.services.context import Contexts, laws_of
from procedure.services.ports import Repository
from procedure.services.protest.layout import ReturnOfAnother
from procedure.services.protest.retorno import Answer
from procedure.services.protest.titles import own_number_of
from procedure.services.record import Recorder

PAID = frozenset({"1", "7", "F"})
LIFTED = frozenset({"3", "4", "5", "6", "A", "D", "G"})
"""Withdrawn, stayed, returned or cancelled: no protest stands. What was paid has none to stand either."""


@dataclass(frozen=True, slots=True)
class Receiver:
    """Who brings the answers, from which file."""

    municipality: str
    actor: str
    file: str
    recorded_at: datetime
    role: str = Role.DIVIDA_ATIVA


@dataclass(slots=True)
class Brought:
    """What a return file came to: acts recorded, answers known already, payments to record, what could not be done."""

    recorded: list[dict[str, Any]] = field(default_factory=list)
    known: list[dict[str, Any]] = field(default_factory=list)
    told: list[dict[str, Any]] = field(default_factory=list)
    paid: list[dict[str, Any]] = field(default_factory=list)
    failed: list[dict[str, Any]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """JSON-able; every key always there."""
        return {name: getattr(self, name) for name in ("recorded", "known", "told", "paid", "failed")}


def bring(
    repo: Repository,
    answers: Sequence[Answer],
    receiver: Receiver,
    apart: Callable[[], AbstractContextManager[Any]],
) -> Brought:
    """Record what the answers come to, once for each title and occurrence, whatever the number of debtors.

    Raises ReturnOfAnother: every municipality has a title 1/2013, and another's file would lift this one's protests.
    """
    _require_ours(repo, answers, receiver)
    brought, seen = Brought(), set[tuple[str, str]]()
    for answer in answers:
        if (answer.title, answer.occurrence) in seen:
            continue
        seen.add((answer.title, answer.occurrence))
        line = answer.to_dict()
        if answer.own_number not in ("", own_number_of(answer.title)):
            said = f"o nosso número {answer.own_number} não é o do título {answer.title}"
            brought.failed.append({**line, "code": "nosso_numero_divergente", "message": said})
            continue
        if answer.occurrence in PAID:
            brought.paid.append(line)
        if answer.occurrence not in PAID | LIFTED:
            brought.told.append(line)
            continue
        _lift(repo, answer, line, receiver, brought, apart)
    return brought


def _require_ours(repo: Repository, answers: Sequence[Answer], receiver: Receiver) -> None:
    """A block that names no município is taken as this one's."""
    settings = Contexts(repo).of(receiver.municipality, laws_of(receiver.municipality)[0]).settings
    ours = settings.get("protesto.portador", "")
    for answer in answers:
        if answer.municipality.strip("0") and answer.municipality != receiver.municipality:
            said = f"o bloco é do município {answer.municipality}, e não do {receiver.municipality}."
            raise ReturnOfAnother(said, place=answer.place, field="municipio")
        if answer.portador != ours:
            said = f"o bloco é do portador {answer.portador or '000'}, e o do Município é {ours or 'desconhecido'}."
            remedy = "O portador é a opção protesto.portador."
            raise ReturnOfAnother(said, place=answer.place, field="portador", remedy=remedy)


def _lift(
    repo: Repository,
    answer: Answer,
    line: dict[str, Any],
    receiver: Receiver,
    brought: Brought,
    apart: Callable[[], AbstractContextManager[Any]],
) -> None:
    day = answer.occurrence_on or answer.protocol_on
    if day is None:
        brought.failed.append({**line, "code": "sem_data", "message": "a ocorrência não tem data"})
        return
    act = {
        "municipality": receiver.municipality,
        "act": Act.RETIRADA_PROTESTO.value,
        "date": day.isoformat(),
        "actor": receiver.actor,
        "role": receiver.role,
        "inscription": answer.title,
        "reference": f"{receiver.file}: {answer.occurrence_text}"
        + (f", protocolo {answer.protocol}" if answer.protocol else ""),
        "key": f"protesto-retorno:{answer.title}:{answer.occurrence}:{day}:{answer.protocol or ''}",
    }
    try:
        with apart():
            done = Recorder(repo).record(act, recorded_at=receiver.recorded_at)
    except PosturasError as error:
        brought.failed.append({**line, "code": error.error_code, "message": error.message})
        return
    (brought.known if done.known else brought.recorded).append({**line, "auto": done.auto})
