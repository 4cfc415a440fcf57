"""For a host that must act at once, in the transaction that records: its subscriber is told of each act there.

    from procedure import hooks

    hooks.subscribe(Sessions, lambda session, event: ...)  # a sessionmaker, or one Session

It runs before the commit, by the night's ``sweep_cases`` too, and an exception of its own rolls the act back with it.
What may wait, or leaves the database (a message, another system), belongs after the commit: ``procedure.poll_events``.
The command line knows no subscriber: what ``posturas sweep`` writes is told by the outbox.
"""

from __future__ import annotations

from procedure.store.events import Event
from procedure.store.subscribers import Subscriber, subscribe, unsubscribe

__all__ = ["Event", "Subscriber", "subscribe", "unsubscribe"]
