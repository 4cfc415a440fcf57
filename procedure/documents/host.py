"""What a host calls for the papers of a case, with its own session: nothing is written."""

from __future__ import annotations

from datetime import date
from typing import Any

from procedure.documents.typesetting import Typesetter
from procedure.domain.document_kinds import DocumentKind
from procedure.services.documenting.building import paper_of_case
from procedure.services.documenting.casefile import Request
from procedure.services.documenting.papers import Paper
from procedure.services.documenting.pieces import to_json
from procedure.store.archive import Archive


def show_paper(
    session: Any, municipality: str, auto: str, kind: str, *, issued_on: date, **asked: Any
) -> dict[str, Any]:
    """The object that a paper prints, JSON-able. ``session`` is the host's SQLAlchemy ``Session``.

    ``kind`` is a word of ``DocumentKind``; ``issued_on`` the day printed on what is issued now; ``asked`` the other
    fields of ``Request`` (``seq``, ``term``, ``about``, ``due``, ``payment_code``, ``pix``, ``depositary``). Raises
    UnknownAuto, NothingToPrint, DocumentIncomplete naming every element that the law asks and the record lacks, and
    for a CDA NotAuthenticated and CertificateOfEndedDebt.
    """
    found: dict[str, Any] = to_json(_paper(session, municipality, auto, kind, Request(issued_on, **asked)))
    return found


def print_paper(session: Any, municipality: str, auto: str, kind: str, *, issued_on: date, **asked: Any) -> bytes:
    """The same paper as PDF. Raises what ``show_paper`` raises, CharacterNotDrawn, CoatOfArmsUnreadable."""
    paper = _paper(session, municipality, auto, kind, Request(issued_on, **asked))
    with Typesetter() as typesetter:
        return typesetter.pdf(paper)


def _paper(session: Any, municipality: str, auto: str, kind: str, request: Request) -> Paper:
    return paper_of_case(Archive(session), municipality, auto, DocumentKind(kind), request)
