"""The elements that the law asks of each paper, and the check that a paper has them all.

Three sources, each with its article: the rulebook's ``[[document]]`` tables, its ``[[content]]`` tables for the act
that the paper puts in writing, and ``data/elements.toml`` for what general law asks of every municipality.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from legalbasis import load_toml
from procedure.domain.document_kinds import ACT_OF, DocumentKind
from procedure.domain.rulebook import Rulebook
from procedure.domain.vocabulary import Decision
from procedure.services.documenting.errors import DocumentIncomplete, Missing
from procedure.services.documenting.papers import AutoDeInfracao, Decisao, Paper
from procedure.services.documenting.pieces import to_json

_FREES = (Decision.INSUBSISTENTE, Decision.NULO)
# Elements of an act's content under the name that the paper gives them.
_NAMES = {
    "infrator.address": "infrator.domicile",
    "fact.place": "facts.place",
    "fact.hour": "facts.hour",
    "fact.description": "facts.description",
    "signature": "signature",
}


@dataclass(frozen=True, slots=True)
class Element:
    """One element: the path in the paper (``debtor.name``; ``facts.place``: of every fact), its name, its article."""

    path: str
    label: str
    basis: str


def required(kind: DocumentKind, book: Rulebook) -> tuple[Element, ...]:
    """Every element asked of a paper of this kind under this law, the law's own first."""
    own = [Element(c.element, c.label, str(c.citation)) for c in book.documents.get(kind.value, ())]
    act = ACT_OF.get(kind)
    contents = book.contents.get(act.value, ()) if act else ()
    own += [Element(_NAMES.get(c.element, c.element), c.label, str(c.citation)) for c in contents]
    found: dict[str, Element] = {}
    for element in (*own, *general().get(kind.value, ())):
        found.setdefault(element.path, element)
    return tuple(found.values())


@lru_cache(maxsize=1)
def general() -> Mapping[str, tuple[Element, ...]]:
    """What general law asks, by kind of paper."""
    name = "elements.toml"
    text = files("procedure.services.documenting").joinpath("data", name).read_text(encoding="utf-8")
    table = load_toml(text, file=name)
    found: dict[str, tuple[Element, ...]] = {}
    for item in table.tables("element"):
        for kind in item.strings("documents"):
            element = Element(item.str("element"), item.str("label"), item.str("basis"))
            found[DocumentKind(kind).value] = (*found.get(kind, ()), element)
        item.close()
    table.close()
    return found


def require_elements(paper: Paper, book: Rulebook) -> None:
    """That the paper has every element. Raises DocumentIncomplete naming all those missing, each with its article."""
    document = to_json(paper)
    missing = [
        Missing(element.path, element.label, element.basis)
        for element in required(DocumentKind(paper.kind), book)
        if not _not_asked(paper, element.path) and not _has(document, element.path)
    ]
    if missing:
        raise DocumentIncomplete(paper.title, missing, place=_place(paper))


def _not_asked(paper: Paper, path: str) -> bool:
    """A decision that frees the autuado cites no articles as infringed; an auto that collects was seen at no hour."""
    if isinstance(paper, Decisao):
        return paper.outcome in _FREES and path.startswith("articles_")
    return isinstance(paper, AutoDeInfracao) and paper.collected is not None and path == "facts.hour"


def _place(paper: Paper) -> str | None:
    number = getattr(paper, "number", None)
    return f"inscrição {number}" if number else f"auto {paper.auto}" if paper.auto else None


def _has(document: Mapping[str, Any], path: str) -> bool:
    special = _SPECIAL.get(path.rsplit(".", maxsplit=1)[-1])
    if special is not None:
        holder = document
        for part in path.split(".")[:-1]:
            holder = holder[part]
        return special(holder)
    values = list(_values(document, path.split(".")))
    return bool(values) and all(value or value is False for value in values)


def _values(value: Any, path: list[str]) -> Iterator[Any]:
    """What stands at the end of the path; of a list, what stands there in each item."""
    if isinstance(value, list) and path:
        if not value:
            yield None
        for item in value:
            yield from _values(item, path)
    elif not path:
        yield value
    elif isinstance(value, Mapping):
        if value.get("erased"):
            yield "erased"  # a recorded act erased the person's data: the paper says so
        else:
            yield from _values(value.get(path[0]), path[1:])
    else:
        yield None


def _domicile(person: Mapping[str, Any]) -> bool:
    return bool(person["address"] or person["address_unknown"] or person["erased"])


def _signature(paper: Mapping[str, Any]) -> bool:
    return paper["signed_by"] == "autuado" or len(set(paper["witnesses"])) >= 2


_SPECIAL = {"domicile": _domicile, "signature": _signature}
