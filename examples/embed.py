"""A host ERP with its own table: its row and the act are committed together, or neither is.

python examples/embed.py sqlite:///erp.db
"""

import sys
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from procedure import PosturasError, record_act, show_case, upgrade_schema

protocols = sa.Table("protocolo", sa.MetaData(), sa.Column("numero", sa.String, primary_key=True))


def file_auto(session: Session, number: str, auto: dict) -> None:
    """One transaction of the host: its own row, then the act of the law."""
    session.execute(protocols.insert().values(numero=number))
    record_act(session, auto, recorded_at=datetime.now(UTC))


AUTO = {
    "municipality": "3204708", "auto": "1/2013", "act": "lavratura", "date": "2013-03-01",
    "actor": "F-12", "role": "fiscal", "perigo_iminente": "risco relatado",
    "infrator": {"name": "Padaria Modelo Ltda.", "doc": "11.222.333/0001-81", "address": {"street": "Rua A, 10"}},
    "fact": {"date": "2013-02-20T22:00", "place": "Praça", "article": "64-I", "description": "Som sem alvará"},
    "signature": {"by": "recusa", "witnesses": ["Ana Sá", "Rui Dó"]},
}  # fmt: skip

if __name__ == "__main__":
    engine = sa.create_engine(sys.argv[1])
    upgrade_schema(engine)
    protocols.metadata.create_all(engine)
    with Session(engine) as session, session.begin():
        file_auto(session, "P-1", AUTO)
    try:
        with Session(engine) as session, session.begin():
            file_auto(session, "P-2", {**AUTO, "auto": "2/2013", "signature": {"by": "recusa", "witnesses": []}})
    except PosturasError as error:
        print(f"recusado: {error.error_code}")
    with Session(engine) as session:
        print(session.scalars(sa.select(protocols.c.numero)).all(), show_case(session, "3204708", "1/2013")["state"])
