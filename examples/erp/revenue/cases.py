"""Autos: the backend's row and the act of the law, in one transaction."""

from datetime import datetime

from sqlalchemy import update
from sqlalchemy.orm import Session

from procedure import hooks, record_act
from revenue.register import as_charged
from revenue.tables import Pessoa, Processo


def draw_up(session: Session, municipality: str, pessoa: Pessoa, protocolo: str, auto: dict, *, now: datetime) -> str:
    """File the auto and record its `lavratura` against the person as registered. Refused by the law: neither stays."""
    session.add(Processo(auto=auto["auto"], pessoa=pessoa, protocolo=protocolo))
    session.flush()
    act = {**auto, "municipality": municipality, "act": "lavratura", "infrator": as_charged(pessoa)}
    return record_act(session, {"key": f"protocolo-{protocolo}", **act}, recorded_at=now).auto


def follow(session: Session, event: hooks.Event) -> None:
    """A subscriber: what the list of autos shows is never behind the record, not even inside a transaction."""
    session.execute(update(Processo).where(Processo.auto == event.auto).values(ultimo_ato=event.act))
