"""The book of the register: livro by livro, folha by folha, each inscription with what was noted beside it.

It is read page by page, in bounded memory. CPFs are masked: the book is not the certidão.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from procedure.domain.amounts import amount
from procedure.services.people import masked, masked_name
from procedure.services.register import Register
from procedure.services.register_showing import history

PAGE = 500
Row = Mapping[str, Any]


class Book(Register, Protocol):
    """What the book asks of the store beside the register."""

    def page_of_book(self, municipality: str, *, after: tuple[int, int, int, int], limit: int) -> list[dict[str, Any]]:
        """The inscriptions after (livro, folha, year, number), in that order."""
        ...


def entries(repo: Book, municipality: str, livro: int | None = None) -> Iterator[dict[str, Any]]:
    """Every entry of the book, or of one livro, in the order of the book."""
    after = (livro or 0, 0, 0, 0)
    while page := repo.page_of_book(municipality, after=after, limit=PAGE):
        people = repo.people(municipality, [_debtor(row) for row in page])
        for row in page:
            if livro is not None and row["livro"] != livro:
                return
            yield _entry(row, people.get(_debtor(row)))
        last = page[-1]
        after = (last["livro"], last["folha"], last["year"], last["number"])


def _debtor(row: Row) -> tuple[str, int]:
    return row["termo"]["debtor"]["person"], row["termo"]["debtor"]["version"]


def _entry(row: Row, person: Row | None) -> dict[str, Any]:
    termo, known = row["termo"], person or {}
    doc = known.get("doc")
    return {
        "livro": row["livro"],
        "folha": row["folha"],
        "number": f"{row['number']}/{row['year']}",
        "date": row["day"].isoformat(),
        "auto": row["auto"],
        "debtor": masked_name(known.get("name")),
        "doc_masked": masked(doc) if doc else None,
        "origin": termo["origin"],
        "infraction_articles": termo["infraction_articles"],
        "penalty_articles": termo["penalty_articles"],
        "original_amount": amount(row["original_amount"]),
        "charges": amount(row["charges"]),
        "total": termo["total"],
        "exigivel_em": termo["exigivel_em"],
        "status": row["status"],
        "notes": list(history(row["beside"])),
    }


def pages(listed: Sequence[Row]) -> Iterator[tuple[int, int, list[Row]]]:
    """The entries by (livro, folha)."""
    held: list[Row] = []
    for entry in listed:
        if held and (entry["livro"], entry["folha"]) != (held[0]["livro"], held[0]["folha"]):
            yield held[0]["livro"], held[0]["folha"], held
            held = []
        held.append(entry)
    if held:
        yield held[0]["livro"], held[0]["folha"], held
