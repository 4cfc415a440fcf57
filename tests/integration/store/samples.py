"""Cases built by hand, with nothing of the engine: what the store must give back as it was given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime

from sqlalchemy import Engine

from procedure.domain.case import Case, Deadline, Inscription, RecordedAct
from procedure.domain.chain import seal
from procedure.domain.moment import Moment, zone
from procedure.domain.vocabulary import DeadlineStatus, State
from procedure.store.engine import open_engine

IBGE = "3204708"
ZONE = zone("America/Sao_Paulo")
EVERY_ACCENT = "áàâãéêíóôõúüçÁÀÂÃÉÊÍÓÔÕÚÜÇñº§–“”"
FOUR_BYTES = "🏛️𝟙😀"


@contextmanager
def opened(url: str) -> Iterator[Engine]:
    """An engine that is closed at the end."""
    engine = open_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


def act(seq: int, kind: str, day: date, **others: object) -> RecordedAct:
    """An act on a day with no hour."""
    values: dict[str, object] = {
        "kind": kind,
        "at": Moment.of_day(day, ZONE),
        "recorded_at": "2013-03-08T10:00:00-03:00",
        "actor": f"Zé {EVERY_ACCENT} {FOUR_BYTES}",
        "role": "fiscal",
        "payload": {"observacao": f'{EVERY_ACCENT}{FOUR_BYTES}\n\t"\\', "itens": [1, None, True]},
        "seq": seq,
        "office": "Secretaria de Obras",
        "key": None,
        "rulebook_version": "r1",
        "calendar_version": "c1",
    }
    return RecordedAct(**{**values, **others})  # type: ignore[arg-type]  # the names are those of RecordedAct


def deadline(number: int, due: date, **others: object) -> Deadline:
    """An open deadline of 15 days that ends at 23:59:59 of the due day."""
    values: dict[str, object] = {
        "kind": "defesa",
        "number": number,
        "status": DeadlineStatus.ABERTO,
        "term": "15d",
        "counting": "art-35-b",
        "starts_on": date(2013, 3, 8),
        "first_counted": date(2013, 3, 11),
        "last_counted": date(2013, 3, 25),
        "due": due,
        "due_at": Moment.end_of_day(due, ZONE),
        "expires_on": due,
        "expires_at": Moment.end_of_day(due, ZONE),
        "article": "art. 33",
        "calendar_version": "c1",
        "alternatives": ((date(2013, 3, 26), "exclui o sábado"),),
        "expiry_act": "decurso_defesa",
    }
    return Deadline(**{**values, **others})  # type: ignore[arg-type]  # the names are those of Deadline


def new_case(auto: str = "17/2013", **others: object) -> Case:
    """A case with one act and one open deadline, sealed and not yet stored."""
    values: dict[str, object] = {
        "municipality": IBGE,
        "auto": auto,
        "law": "lei-1522-2005",
        "rulebook_version": "r1",
        "state": State.AGUARDANDO_DEFESA,
        "last_seq": 1,
        "last_at": "2013-03-08",
        "person_id": "p1",
        "person_key": "k1",
        "fact_date": date(2013, 3, 1),
        "arbitrada": 33_000,
        "custos": 9_007_199_254_740_993,  # past what a float can hold
        "facts": {"fatos": [EVERY_ACCENT, FOUR_BYTES], "grau": None},
        "deadlines": [deadline(1, date(2013, 3, 25))],
        "new_acts": [act(1, "lavratura", date(2013, 3, 8))],
    }
    case = Case(**{**values, **others})  # type: ignore[arg-type]  # the names are those of Case
    seal(case)
    return case


def add_act(case: Case, kind: str, day: date, **others: object) -> RecordedAct:
    """One more act, sealed."""
    case.last_seq += 1
    case.last_at = day.isoformat()
    added = act(case.last_seq, kind, day, **others)
    case.new_acts.append(added)
    seal(case)
    return added


def inscription(case: Case, number: int, seq: int = 1) -> Inscription:
    """An inscription of Monday 29/04/2013."""
    return Inscription(
        auto=case.auto,
        day=date(2013, 4, 29),
        seq=seq,
        original_amount=33_000,
        charges=3_300,
        termo={"devedor": EVERY_ACCENT, "valor": "363.00"},
        number=number,
        livro=1,
        folha=number,
        exigivel_em=date(2013, 4, 27),
        prescribes_on=date(2018, 4, 27),
    )


def at(text: str) -> Moment:
    """A local moment."""
    return Moment.of_clock(datetime.fromisoformat(text), ZONE)
