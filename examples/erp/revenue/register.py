"""The register of persons, and what of it flows into the cases.

An act carries the person as the register has them that day, and Posturas keeps a version whenever the fields changed.
So a change reaches every later auto, while an auto already drawn up goes on saying who was charged. Only an auto that
came back from the inscription for want of the debtor's data is mended, by a `saneamento`.
"""

from datetime import date, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from procedure import record_act, show_case
from revenue.tables import Pessoa, Processo

RETURNED = "devolvido_a_origem"


def as_charged(pessoa: Pessoa) -> dict:
    """The person as an act names them."""
    known = {"name": pessoa.nome, "kind": pessoa.tipo, "doc": pessoa.documento, "address": pessoa.endereco}
    if not pessoa.endereco:
        known["address_unknown"] = "endereço não consta do cadastro"
    return {name: value for name, value in known.items() if value}


def change(
    session: Session, municipality: str, pessoa: Pessoa, *, actor: str, on: date, now: datetime, **fields
) -> list[str]:
    """Change the register, and mend the autos that waited for it; their numbers."""
    for name, value in fields.items():
        setattr(pessoa, name, value)
    session.flush()
    mended = []
    for processo in session.scalars(select(Processo).where(Processo.pessoa_id == pessoa.id).order_by(Processo.auto)):
        if show_case(session, municipality, processo.auto)["state"] == RETURNED:
            act = {"municipality": municipality, "auto": processo.auto, "act": "saneamento", "date": on.isoformat()}
            by = {"actor": actor, "role": "setor_cadastro", "infrator": as_charged(pessoa)}
            record_act(session, {**act, **by}, recorded_at=now)
            mended.append(processo.auto)
    return mended
