"""``posturas db check``: is the database as the record needs it? Each finding says what is wrong and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, and_, inspect, select, text

from procedure.domain.vocabulary import DeadlineStatus
from procedure.store import rows, triggers
from procedure.store.engine import READ_ONLY, typed_errors
from procedure.store.schema import HEAD, current_revision
from procedure.store.tables import acts, cases, deadlines, metadata, settings

MANY = 20
RUN_UPGRADE = "Rode posturas db upgrade"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong: ``check`` is the name of the check, ``message`` and ``remedy`` are Portuguese text."""

    check: str
    message: str
    remedy: str


CHECKS = ("esquema", "gatilhos", "prazos", "chaves_estrangeiras", "chave_das_pessoas", "eventos")


def check(engine: Engine) -> list[Finding]:
    """Everything found wrong; none when all is well. Reads only."""
    with typed_errors(), engine.connect().execution_options(**{READ_ONLY: True}) as connection:
        schema = list(_schema(connection))
        if schema:
            return schema
        return [
            *_triggers(connection),
            *_deadlines(connection),
            *_foreign_keys(connection),
            *_person_key(connection),
            *_events(connection),
        ]


def _schema(connection: Connection) -> Iterator[Finding]:
    revision = current_revision(connection)
    if revision is None:
        yield Finding("esquema", "O banco ainda não tem as tabelas do Posturas.", RUN_UPGRADE)
    elif revision < HEAD:
        yield Finding("esquema", f"As tabelas estão na revisão {revision}; este programa usa a {HEAD}.", RUN_UPGRADE)
    elif revision > HEAD:
        remedy = "Instale a versão do posturas que atualizou este banco."
        yield Finding("esquema", f"As tabelas estão na revisão {revision}, mais nova que a {HEAD}.", remedy)
    else:
        missing = sorted(set(metadata.tables) - set(inspect(connection).get_table_names()))
        if missing:
            remedy = "Restaure o banco de uma cópia de segurança: a atualização não recria tabelas removidas."
            yield Finding("esquema", f"Faltam tabelas: {', '.join(missing)}.", remedy)


def _triggers(connection: Connection) -> Iterator[Finding]:
    """The triggers must be there and, on PostgreSQL, enabled."""
    if connection.dialect.name == "postgresql":
        wanted = triggers.POSTGRESQL | triggers.READS_POSTGRESQL
        query = (
            "SELECT tgname FROM pg_trigger WHERE tgenabled IN ('O', 'A') "
            "AND tgrelid IN (to_regclass('posturas_acts'), to_regclass('posturas_reads'))"
        )
    else:
        wanted = triggers.SQLITE | triggers.READS_SQLITE
        query = (
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ('posturas_acts', 'posturas_reads')"
        )
    present = set(connection.scalars(text(query)))
    for name, statement in wanted.items():
        if name not in present:
            what = "os registros de leitura" if name in triggers.READS_SQLITE else "os atos"
            yield Finding(
                "gatilhos",
                f"O gatilho {name} falta ou está desligado: {what} podem ser alterados sem rastro.",
                f"Confira a cadeia com posturas verify, descubra quem o retirou e recrie-o: {statement};",
            )


def _deadlines(connection: Connection) -> Iterator[Finding]:
    """An open deadline that the sweep could not see, or would see on another day than its own."""
    columns = (deadlines.c.municipality, deadlines.c.auto, deadlines.c.kind, deadlines.c.number)
    query = (
        select(*columns, deadlines.c.due, deadlines.c.expires_at, deadlines.c.expires_epoch, cases.c.timezone)
        .join(cases, and_(cases.c.municipality == deadlines.c.municipality, cases.c.auto == deadlines.c.auto))
        .where(deadlines.c.status == DeadlineStatus.ABERTO.value)
        .order_by(*columns)
    )
    found = 0
    for row in connection.execution_options(yield_per=1_000).execute(query):
        dated = bool(row.due and row.expires_at)
        if dated and rows.moment(row.expires_at, row.timezone).epoch == row.expires_epoch:
            continue
        found += 1
        if found > MANY:
            yield Finding("prazos", "Há mais prazos abertos assim.", "Corrija os primeiros e confira de novo.")
            return
        what = "não corresponde ao momento em que a varredura o concluiria" if dated else "não tem data de vencimento"
        yield Finding(
            "prazos",
            f"Município {row.municipality}, auto {row.auto}: o prazo {row.kind} aberto pelo ato {row.number} {what}.",
            f"Refaça o auto a partir dos seus atos: posturas verify --auto {row.auto}",
        )


def _foreign_keys(connection: Connection) -> Iterator[Finding]:
    """Rows whose case is missing: possible only if somebody wrote with the keys off."""
    if connection.dialect.name == "sqlite":
        broken = connection.execute(text("PRAGMA foreign_key_check"))
        lost = {str(row[0]) for row in broken if str(row[0]).startswith("posturas_")}
    else:
        lost = set()
        for table in (acts, deadlines):
            same = and_(cases.c.municipality == table.c.municipality, cases.c.auto == table.c.auto)
            orphans = select(table.c.auto).outerjoin(cases, same).where(cases.c.auto.is_(None)).limit(1)
            if connection.execute(orphans).first() is not None:
                lost.add(table.name)
    for name in sorted(lost):
        remedy = "Restaure o banco de uma cópia de segurança e confira quem gravou fora do programa."
        yield Finding("chaves_estrangeiras", f"A tabela {name} tem linhas de autos que não existem.", remedy)


def _person_key(connection: Connection) -> Iterator[Finding]:
    present = connection.scalar(
        select(settings.c.value).where(settings.c.municipality == "", settings.c.name == "person_key")
    )
    if not present:
        remedy = "Restaure a tabela posturas_settings de uma cópia de segurança: sem a chave os antecedentes se perdem."
        yield Finding("chave_das_pessoas", "Falta a chave com que as pessoas são identificadas nos atos.", remedy)


def _events(connection: Connection) -> Iterator[Finding]:
    """Events of transactions that this server has yet to give: a dump of another server's was restored here."""
    if connection.dialect.name != "postgresql":
        return
    ahead = "SELECT EXISTS (SELECT FROM posturas_outbox WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()))"
    if connection.scalar(text(ahead)):
        remedy = "Rode examples/operate/after-restore.sql como dono das tabelas, antes de gravar ou de ler eventos."
        yield Finding("eventos", "As posições dos eventos são de outro servidor: os novos viriam antes deles.", remedy)
