"""What an agenda says of a term that runs: number of the auto, kind of term, article. Nothing about persons (LGPD)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from urllib.parse import quote

from calendars import Term
from procedure.domain.labels import deadline_label
from procedure.domain.rulebooks import rulebook_of
from procedure.domain.wording import article_br
from procedure.services.context import Contexts, laws_of
from procedure.services.ports import Repository

END_OF_DAY = "23:59:59"


@dataclass(frozen=True, slots=True)
class OpenTerm:
    """A term of law that runs, as the store gives it; ``recorded_at`` is the instant of the act that opened it."""

    auto: str
    number: int
    kind: str
    term: str
    article: str
    first_counted: date | None
    due: date
    due_at: str
    expires_on: date
    law: str
    rulebook_version: str
    recorded_at: str


@dataclass(frozen=True, slots=True)
class Appointment:
    """An entry of an agenda: a whole day. ``uid`` is the same at every export, so that a calendar updates it."""

    uid: str
    day: date
    stamp: datetime
    summary: str
    description: str
    category: str


def appointments(repo: Repository, municipality: str, terms: Iterable[OpenTerm]) -> Iterator[Appointment]:
    """The last day of each term. The stamp is the record's own, so the same record gives the same file."""
    contexts, norms = Contexts(repo), dict[str, str]()
    for item in terms:
        if item.law not in norms:
            norms[item.law] = contexts.of(municipality, item.law, item.rulebook_version).book.norm
        yield _appointment(municipality, item, norms[item.law])


def place_of(municipality: str) -> str:
    """``Ibiá/MG``, from the municipality's law. Raises InputError ``municipio_desconhecido``."""
    book = rulebook_of(laws_of(municipality)[0])
    return f"{book.municipality_name}/{book.uf}"


def _appointment(municipality: str, item: OpenTerm, norm: str) -> Appointment:
    kind = deadline_label(item.kind)
    clock = item.due_at[11:19]
    until = "" if clock == END_OF_DAY else f", às {clock[:5]}"
    told = [f"{kind[:1].upper()}{kind[1:]}, {Term.parse(item.term).label()}: {norm}, {article_br(item.article)}."]
    if item.first_counted:
        told.append(f"Contado desde {item.first_counted:%d/%m/%Y}.")
    if item.expires_on != item.due:
        told.append(f"O município espera até {item.expires_on:%d/%m/%Y}, pela leitura mais favorável.")
    return Appointment(
        uid=f"{municipality}-{quote(item.auto, safe='')}-{item.number}-{item.kind}@posturas",
        day=item.due,
        stamp=datetime.fromisoformat(item.recorded_at).astimezone(UTC),
        summary=f"Auto {item.auto}: último dia, {kind}{until}",
        description=" ".join(told),
        category=kind,
    )
