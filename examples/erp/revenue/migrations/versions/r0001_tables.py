"""The tables of the revenue backend."""

import sqlalchemy as sa
from alembic import op

revision = "r0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "pessoas",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("nome", sa.String, nullable=False),
        sa.Column("tipo", sa.String, nullable=False),
        sa.Column("documento", sa.String, unique=True),
        sa.Column("endereco", sa.JSON),
    )
    op.create_table(
        "processos",
        sa.Column("auto", sa.String, primary_key=True),
        sa.Column("pessoa_id", sa.Integer, sa.ForeignKey("pessoas.id"), nullable=False),
        sa.Column("protocolo", sa.String, nullable=False, unique=True),
        sa.Column("ultimo_ato", sa.String),
    )
    op.create_table(
        "creditos",
        sa.Column("inscricao", sa.String, primary_key=True),
        sa.Column("auto", sa.String, nullable=False, index=True),
        sa.Column("valor", sa.Numeric(14, 2), nullable=False),
        sa.Column("saldo", sa.Numeric(14, 2), nullable=False),
        sa.Column("situacao", sa.String, nullable=False),
    )
    readings = op.create_table(
        "leituras",
        sa.Column("leitor", sa.String, primary_key=True),
        sa.Column("transacao", sa.BigInteger, nullable=False),
        sa.Column("evento", sa.BigInteger, nullable=False),
        sa.Column("lida_em", sa.DateTime(timezone=True)),
    )
    op.bulk_insert(readings, [{"leitor": "creditos", "transacao": 0, "evento": 0}])  # from the first event on


def downgrade() -> None:
    """Drop them; those of Posturas stay."""
    for name in ("leituras", "creditos", "processos", "pessoas"):
        op.drop_table(name)
