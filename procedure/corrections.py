"""For a host whose past changes: a decree counts terms again, a law has a new text. All in the host's own session.

    from procedure import corrections

    corrections.recount_terms(session, "3204708", recorded_at=now, write=False)  # what would move, and by which decree

Looking back is ``procedure.show_case`` with ``as_of`` and ``known_at``.
"""

from __future__ import annotations

from procedure.domain.rulebook_reader import read_rulebook
from procedure.store.host import migrate_cases, recount_terms, replay_case

__all__ = ["migrate_cases", "read_rulebook", "recount_terms", "replay_case"]
