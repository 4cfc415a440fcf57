"""For a host that must act at once, in the transaction that records: its subscriber is told of each act there.

    from procedure import hooks

    hooks.subscribe(Sessions, lambda session, event: ...)  # a sessionmaker, or one Session

It runs before the commit, in the host's own ``sweep_cases`` too, and an exception of its own undoes the act with it.
What may wait, or leaves the database (a message, another system), belongs after the commit: ``procedure.poll_events``,
whose ``Batch`` has the ``Position`` to keep, and ``prune_events`` once every reader has passed one. The command line
knows no subscriber: what ``posturas sweep`` writes is told by the outbox.
"""

from __future__ import annotations

from procedure.store.events import START, Batch, Event, Position
from procedure.store.events import prune as prune_events
from procedure.store.subscribers import Subscriber, subscribe, unsubscribe

__all__ = ["START", "Batch", "Event", "Position", "Subscriber", "prune_events", "subscribe", "unsubscribe"]
