"""Who is told of each act in the process and the transaction that record it. Kept on the session, nowhere else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy.orm import Session, scoped_session

from procedure.store import rows
from procedure.store.events import Event

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker
    from sqlalchemy.orm import sessionmaker

    from procedure.domain.case import Case

    Sessions = Session | AsyncSession | sessionmaker[Any] | async_sessionmaker[Any] | scoped_session[Any]

Subscriber = Callable[[Session, Event], None]
_KEY, _BUSY = "posturas_subscribers", "posturas_telling"


def subscribe(sessions: Sessions, subscriber: Subscriber) -> None:
    """Have ``subscriber(session, event)`` called for each act that a session writes, or each session that they make.

    ``sessions``: one session, or a ``sessionmaker`` or ``scoped_session``; of an async one too, and then the subscriber
    is given the ``Session`` inside.

    Within the call that records (an act, a sweep, a recount), after its rows are written and before anybody commits; in
    the order written, which is by ``seq`` in each case. What it writes in the session commits with the act, and what it
    raises comes out of that call: roll back to before it, as after any refusal. It may not record acts (RuntimeError):
    for consequences of its own, poll. Sessions that were made before are not told.
    """
    _keep(sessions, (*_kept(sessions), subscriber))


def unsubscribe(sessions: Sessions, subscriber: Subscriber) -> None:
    """Call it no more. Raises ValueError when it was not subscribed there."""
    left = list(_kept(sessions))
    left.remove(subscriber)
    _keep(sessions, tuple(left))


def _kept(sessions: Sessions) -> tuple[Subscriber, ...]:
    info = _info(sessions)
    found: tuple[Subscriber, ...] = info.get(_KEY, ())
    return found


def _keep(sessions: Sessions, subscribers: tuple[Subscriber, ...]) -> None:
    """Always a new tuple: the sessions of a maker begin with its own, and add theirs to nobody else's."""
    maker: Any = _maker(sessions)
    if maker is not None:
        maker.configure(info={**_info(sessions), _KEY: subscribers})
    else:
        _info(sessions)[_KEY] = subscribers


def _info(sessions: Any) -> dict[Any, Any]:
    """Where the subscribers of a session are, or those with which the sessions of a maker begin."""
    maker = _maker(sessions)
    found: dict[Any, Any] = sessions.info if maker is None else maker.kw.get("info") or {}
    return found


def _maker(sessions: Any) -> Any:
    """What makes sessions; None when it is one session. A maker keeps the arguments of its sessions (``kw``)."""
    maker = sessions.session_factory if isinstance(sessions, scoped_session) else sessions
    return maker if hasattr(maker, "kw") and hasattr(maker, "configure") else None


@contextmanager
def telling(session: Session, cases: Sequence[Case]) -> Iterator[None]:
    """Around the writing of cases: afterwards their new acts are told. Raises RuntimeError inside a subscriber."""
    subscribers = _kept(session)
    if not subscribers:
        yield
        return
    if session.info.get(_BUSY):
        raise RuntimeError("a subscriber may not record acts: poll the events, or record them after this call")
    texts = [rows.event_text(case, act, str(act.at)) for case in cases for act in case.new_acts]
    yield
    with _busy(session):
        for text in texts:
            content = json.loads(text)
            for subscriber in subscribers:
                subscriber(session, Event(content["auto"], content["seq"], content))


@contextmanager
def _busy(session: Session) -> Iterator[None]:
    session.info[_BUSY] = True
    try:
        yield
    finally:
        del session.info[_BUSY]


@contextmanager
def untold(session: Session) -> Iterator[None]:
    """Nobody is told of what is written inside: it will be rolled back."""
    subscribers = session.info.pop(_KEY, ())
    try:
        yield
    finally:
        if subscribers:
            session.info[_KEY] = subscribers
