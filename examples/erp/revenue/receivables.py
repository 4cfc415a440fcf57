"""Inscriptions become receivables, from the events of Posturas.

An event only says which case to look at; what is owed is what the case says now. So an event that comes twice does
nothing, and a payment, a cancellation or an inscription undone by a late act are one and the same code. The receivables
and the position reached are written in one transaction: killed anywhere, the next run goes on from the last one whole.
"""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from procedure import poll_events, show_case
from revenue.tables import Credito, Leitura

READER = "creditos"


def read_some(session: Session, municipality: str, *, now: datetime, limit: int = 500) -> int:
    """Read the next events and bring the receivables of their cases up to date; how many events. It does not commit."""
    reading = session.get_one(Leitura, READER, with_for_update=True)  # two readers at once: the second waits
    batch = poll_events(session, municipality, (reading.transacao, reading.evento), limit)
    for auto in dict.fromkeys(event.auto for event in batch.events):
        bring_up_to_date(session, municipality, auto)
    reading.transacao, reading.evento = batch.position
    reading.lida_em = now
    return len(batch.events)


def bring_up_to_date(session: Session, municipality: str, auto: str) -> None:
    """Make the receivables of an auto say what its case says."""
    case = show_case(session, municipality, auto)
    found = case["inscricao"]
    number = found["number"] if found else None
    for credito in session.scalars(select(Credito).where(Credito.auto == auto, Credito.inscricao != (number or ""))):
        credito.situacao, credito.saldo = "cancelado", Decimal(0)  # of an inscription that is no more
    if found:
        credito = session.get(Credito, number) or Credito(inscricao=number, auto=auto)
        credito.valor, credito.situacao = Decimal(found["amount"]), found["status"]
        credito.saldo = Decimal(case["amounts"]["saldo"]) if found["status"] != "cancelado" else Decimal(0)
        session.add(credito)
