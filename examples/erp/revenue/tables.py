"""The backend's own tables. Nothing here points at a table of Posturas: those are reached by its functions only."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import JSON, BigInteger, DateTime, ForeignKey, Numeric
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    """The tables of this history: `migrations/` makes them."""


class Pessoa(Base):
    """A taxpayer of the register."""

    __tablename__ = "pessoas"
    id: Mapped[int] = mapped_column(primary_key=True)
    nome: Mapped[str]
    tipo: Mapped[str]  # pf, pj
    documento: Mapped[str | None] = mapped_column(unique=True)
    endereco: Mapped[dict | None] = mapped_column(JSON(none_as_null=True))  # street, number, city, uf


class Processo(Base):
    """An auto as this backend files it. `ultimo_ato` is kept by a subscriber, in the transaction of the act."""

    __tablename__ = "processos"
    auto: Mapped[str] = mapped_column(primary_key=True)
    pessoa_id: Mapped[int] = mapped_column(ForeignKey("pessoas.id"))
    protocolo: Mapped[str] = mapped_column(unique=True)
    ultimo_ato: Mapped[str | None]
    pessoa: Mapped[Pessoa] = relationship()


class Credito(Base):
    """A receivable: one for each inscription in dívida ativa."""

    __tablename__ = "creditos"
    inscricao: Mapped[str] = mapped_column(primary_key=True)  # N/AAAA
    auto: Mapped[str] = mapped_column(index=True)  # of `processos`, or one that was imported
    valor: Mapped[Decimal] = mapped_column(Numeric(14, 2))
    saldo: Mapped[Decimal] = mapped_column(Numeric(14, 2))
    situacao: Mapped[str]


class Leitura(Base):
    """How far a reader has read the events of Posturas."""

    __tablename__ = "leituras"
    leitor: Mapped[str] = mapped_column(primary_key=True)
    transacao: Mapped[int] = mapped_column(BigInteger)
    evento: Mapped[int] = mapped_column(BigInteger)
    lida_em: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
