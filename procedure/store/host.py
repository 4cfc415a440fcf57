"""What a host ERP calls with its own SQLAlchemy session: all in the session's transaction, nothing committed here.

``procedure`` gives these names. Instants (``recorded_at``, aware) and days are arguments: nothing here reads a clock,
an environment variable or a file of the host's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from procedure.domain.errors import UnknownAuto
from procedure.domain.moment import Moment
from procedure.domain.rulebooks import rulebook_of
from procedure.services import auditing, showing, supplying
from procedure.services.as_of import Position, looking_back
from procedure.services.context import Contexts, zone_of
from procedure.services.migrating import Migration, OtherLaw
from procedure.services.record import Recorded, Recorder
from procedure.services.recount import Recounting, Wish
from procedure.services.replaying import compare, relive, replay
from procedure.services.sweep import sweep_chunk
from procedure.store import supplied
from procedure.store.archive import Archive
from procedure.store.migrating import TextsArchive, TextsRepository
from procedure.store.outdated import TermsRepository
from procedure.store.repository import SqlRepository
from procedure.store.subscribers import untold

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session

    from procedure.domain.rulebook import Rulebook

CHUNK = 2_000


@dataclass(slots=True)
class Swept:
    """What a sweep did: how many cases were looked at, terms expired, fines inscribed, cases returned to their origin.

    ``failures`` are the cases set aside, auto → (code, message in Portuguese); the others are done.
    """

    examined: int = 0
    expired: int = 0
    surcharged: int = 0
    inscribed: int = 0
    returned_to_origin: int = 0
    failures: dict[str, tuple[str, str]] = field(default_factory=dict)


def record_act(session: Session, data: Mapping[str, Any], *, recorded_at: datetime) -> Recorded:
    """Record one act (spec 07: municipality, auto, act, date, actor, role and the act's own fields).

    Raises a PosturasError; several defects come as one ErrorGroup. After an error, roll back to before the call (a
    ``session.begin_nested()`` around it keeps the rest of your work). An act whose ``key`` is already recorded writes
    nothing and says ``known``.
    """
    return record_acts(session, [data], recorded_at=recorded_at)[0]


def record_acts(session: Session, acts: Iterable[Mapping[str, Any]], *, recorded_at: datetime) -> list[Recorded]:
    """Record acts in the order given, all or none: the first that is refused raises, as ``record_act`` does.

    An act that names several inscriptions is told once for each.
    """
    recorder = Recorder(SqlRepository(session))
    return [done for data in acts for done in recorder.record_each(data, recorded_at=recorded_at)]


def rehearse_act(session: Session, data: Mapping[str, Any], *, recorded_at: datetime) -> Recorded:
    """What ``record_act`` would do, its ``reach`` above all, with nothing left in the session. Raises as it does.

    No subscriber is told.
    """
    savepoint = session.begin_nested()
    try:
        with untold(session):
            return Recorder(SqlRepository(session)).record(data, recorded_at=recorded_at)
    finally:
        savepoint.rollback()


def audit_acts(
    session: Session, municipality: str, *, first: date | None = None, last: date | None = None
) -> dict[str, Any]:
    """The acts that forgive or erase, by person, ground and amount (``posturas audit --json``)."""
    return auditing.audit(Archive(session), municipality, first=first, last=last)


def sweep_cases(
    session: Session,
    municipality: str,
    *,
    as_of: date | datetime,
    recorded_at: datetime,
    limit: int | None = None,
) -> Swept:
    """Give every deadline that ended before ``as_of`` its consequence, in the session's transaction.

    A day is its 00:00 in the municipality: nothing that falls due on it is concluded. Cases locked by another
    transaction are left to a later sweep. ``limit`` bounds the cases examined.
    """
    if recorded_at.tzinfo is None:
        raise ValueError("recorded_at must be aware")
    tz = zone_of(municipality)
    moment = Moment.of_clock(as_of, tz) if isinstance(as_of, datetime) else Moment.of_day(as_of, tz)
    stamp = recorded_at.astimezone(tz).isoformat(timespec="seconds")
    repository = SqlRepository(session)
    contexts, result, after = Contexts(repository), Swept(), ""
    while limit is None or result.examined < limit:
        size = CHUNK if limit is None else min(CHUNK, limit - result.examined)
        chunk = sweep_chunk(
            repository, contexts, municipality, before_epoch=moment.epoch, after=after, limit=size, recorded_at=stamp
        )
        if not chunk.last:
            break
        after = chunk.last
        for name in ("examined", "expired", "surcharged", "inscribed", "returned_to_origin"):
            setattr(result, name, getattr(result, name) + getattr(chunk, name))
        result.failures.update(chunk.failures)
    return result


def show_case(
    session: Session,
    municipality: str,
    auto: str,
    *,
    history: bool = False,
    unmask: bool = True,
    as_of: date | datetime | None = None,
    known_at: datetime | None = None,
) -> dict[str, Any]:
    """The case as spec 07 documents it (``posturas auto show --json``). Raises UnknownAuto.

    ``as_of``: as it stood in law then, what had ended concluded in memory (a day is its 00:00); ``known_at`` (aware):
    as the record was at that instant. Nothing is written.
    """
    if as_of is None and known_at is None:
        return showing.show_case(SqlRepository(session), municipality, auto, history=history, unmask=unmask)
    tz = zone_of(municipality)
    moment = None
    if as_of is not None:
        moment = Moment.of_clock(as_of, tz) if isinstance(as_of, datetime) else Moment.of_day(as_of, tz)
    view = looking_back(Archive(session), Position(moment, known_at))
    shown = showing.show_case(view, municipality, auto, history=history, unmask=unmask)
    told = {"as_of": str(moment) if moment else None, "known_at": known_at.isoformat() if known_at else None}
    return {**shown, **told}


def recount_terms(
    session: Session,
    municipality: str,
    *,
    recorded_at: datetime,
    write: bool = True,
    shorten: bool = False,
    decided_by: str | None = None,
) -> list[dict[str, Any]]:
    """Count the running terms again under the office's days of now (``posturas calendar recompute``); the moves.

    Only what lengthens is moved, unless ``shorten``, which ``decided_by`` decided; the others come with their
    ``reason``. ``write=False`` only says. Cases that another transaction holds are left to a later call.
    """
    if recorded_at.tzinfo is None:
        raise ValueError("recorded_at must be aware")
    if shorten and not decided_by:
        raise ValueError("a term is shortened by somebody's decision: decided_by is needed")
    recounting = Recounting(TermsRepository(session), municipality)
    wish = Wish(write, recorded_at, shorten=shorten, decided_by=decided_by)
    windows, after, moves = recounting.windows(), "", list[dict[str, Any]]()
    while (part := recounting.chunk(windows, wish, after=after, limit=CHUNK)).last:
        after = part.last
        moves += part.moves
    return moves


def replay_case(
    session: Session, municipality: str, auto: str, book: Rulebook, *, as_of: date | datetime
) -> dict[str, Any]:
    """How a case would have gone until ``as_of`` under another text of its law (``read_rulebook``); nothing is written.

    Gives ``same``, the first ``divergence``, what the text would have ``refused``, and both ends (``own``, ``other``).
    Raises UnknownAuto, OtherLaw.
    """
    archive = Archive(session)
    case = archive.load(municipality, [auto], lock=False).get(auto)
    if case is None:
        raise UnknownAuto(f"não existe o auto {auto[:60]}.", field="auto")
    if case.law != book.id:
        raise OtherLaw(f"o auto {auto} é da lei {case.law}.", field="book")
    tz = zone_of(municipality)
    moment = Moment.of_clock(as_of, tz) if isinstance(as_of, datetime) else Moment.of_day(as_of, tz)
    acts = archive.acts(municipality, auto)
    return compare(case, relive(archive, case, acts, moment), replay(archive, case, acts, book, moment))


def migrate_cases(
    session: Session, municipality: str, book: Rulebook, *, recorded_at: datetime, write: bool = True
) -> list[dict[str, Any]]:
    """Pass the cases of a law to the text ``book``; for each, what changes and why (``posturas rulebook migrate``).

    ``write=False`` only says. Cases that another transaction holds are left to a later call. Raises NotYetInForce.
    """
    if recorded_at.tzinfo is None:
        raise ValueError("recorded_at must be aware")
    repo = TextsRepository(session) if write else TextsArchive(session)
    migration = Migration(repo, municipality, book, now=recorded_at)
    after, told = "", list[dict[str, Any]]()
    while (part := migration.chunk(write=write, after=after, limit=CHUNK)).last:
        after = part.last
        told += part.cases
    return told


def supply_unit_value(
    session: Session, law: str, unit: str, *, start: date, value: Decimal, act: str, recorded_at: datetime
) -> bool:
    """Keep the value, in reais, of a unit from a day on. False when it was already so.

    Raises UnknownUnit, ActMissing, and the typed errors of an amount.
    """
    book = rulebook_of(law)
    checked = supplying.unit_value(book, unit, start, value, act)
    return supplied.set_unit_value(session, book.municipality, law, checked, recorded_at=_stamp(recorded_at))


def supply_law_end(session: Session, law: str, *, day: date, act: str, recorded_at: datetime) -> bool:
    """Keep the first day on which a law is no longer in force. False when it was already so.

    Raises LawEndNotPossible, ActMissing.
    """
    book = rulebook_of(law)
    end = supplying.law_end(book, day, act)
    return supplied.set_law_end(session, book.municipality, end, recorded_at=_stamp(recorded_at))


def supply_law_start(session: Session, law: str, *, day: date, act: str, recorded_at: datetime) -> bool:
    """Keep the first day on which a law was in force, where its text does not say it. False when it was already so.

    Raises LawStartNotPossible, ActMissing.
    """
    book = rulebook_of(law)
    start = supplying.law_start(book, day, act)
    return supplied.set_law_start(session, book.municipality, start, recorded_at=_stamp(recorded_at))


def supply_option(session: Session, law: str, name: str, value: str, *, act: str, recorded_at: datetime) -> bool:
    """Keep a reading of the law, or a setting of its dívida ativa. False when it was already so.

    Raises UnknownSwitch, InvalidSetting, ActMissing.
    """
    book = rulebook_of(law)
    name, value, act = supplying.option(book, name, value, act)
    return supplied.set_option(session, book.municipality, law, name, value, act=act, recorded_at=_stamp(recorded_at))


def _stamp(recorded_at: datetime) -> str:
    if recorded_at.tzinfo is None:
        raise ValueError("recorded_at must be aware")
    return recorded_at.isoformat(timespec="seconds")


def upgrade_schema(engine: Engine) -> tuple[str | None, str]:
    """Make the tables (prefixed ``posturas_``) or bring them to this version; (revision before, revision after).

    The one function here with a transaction of its own. Running it again does nothing.
    """
    from procedure.store.schema import upgrade

    return upgrade(engine)
