"""For a host that prints the papers of a case, in its own session; nothing is written.

    from procedure import papers

    pdf = papers.print_paper(session, "3204708", "115/2013", "auto_de_infracao", issued_on=today)
"""

from __future__ import annotations

from procedure.documents.host import print_paper, show_paper

__all__ = ["print_paper", "show_paper"]
