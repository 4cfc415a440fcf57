"""The register of dívida ativa: the list of inscriptions, and each Termo de Inscrição with every element of the law.

Elements: LEF (Lei 6.830/1980) art. 2º §§ 5º-6º and CTN art. 202. One that is missing is an error that names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from legalbasis import ErrorGroup, PosturasError
from procedure.domain.amounts import amount
from procedure.services.people import masked, masked_name, person_document
from procedure.services.ports import Repository

PersonVersion = tuple[str, int]
AUTHORITY = ("authority", "authority_office", "authority_act")
SUPPLY_AUTHORITY = (
    "Falta a autoridade da dívida ativa, o cargo ou o ato que a designou; sem os três a inscrição não pode ser "
    "autenticada. Informe-os com posturas rulebook option set: divida_ativa.authority, divida_ativa.office e "
    "divida_ativa.act."
)
ELEMENTS: tuple[tuple[str, str], ...] = (
    ("number", "número da inscrição"),
    ("date", "data da inscrição"),
    ("livro", "livro"),
    ("folha", "folha"),
    ("processo", "número do processo administrativo"),
    ("auto", "número do auto de infração"),
    ("origin", "origem da dívida"),
    ("nature", "natureza da dívida"),
    ("infraction_articles", "artigo da infração"),
    ("penalty_articles", "artigo da penalidade"),
    ("legal_basis", "fundamento legal"),
    ("original_amount", "valor originário"),
    ("exigivel_em", "dia em que a dívida se tornou exigível"),
    ("interest.manner", "modo de calcular os juros"),
    ("update.subject", "se há atualização monetária"),
    ("assessment", "memória de cálculo"),
)


class UnknownInscription(PosturasError):
    """Não existe esta inscrição em dívida ativa."""

    code = "inscricao_desconhecida"
    default_remedy = "Veja as que existem: posturas divida-ativa list"


def auto_of_inscription(repo: Repository, municipality: str, number: str) -> str:
    """The auto of an inscription ``N/AAAA``. Raises UnknownInscription, InputError ``numero_invalido``."""
    found = repo.inscriptions(municipality, number=number)
    if not found:
        raise UnknownInscription(f"não existe a inscrição {number[:40]}.", field="inscription")
    return str(found[0]["auto"])


class TermoElementMissing(PosturasError):
    """Falta ao Termo de Inscrição um elemento que a lei exige."""

    code = "elemento_do_termo_ausente"
    default_remedy = "Lei 6.830/1980, art. 2º, §§ 5º e 6º; CTN, art. 202. Confira o registro: posturas verify --deep"


class Register(Repository, Protocol):
    """What the register asks of the store beside the repository."""

    def people(self, municipality: str, wanted: Iterable[PersonVersion]) -> dict[PersonVersion, dict[str, Any] | None]:
        """The fields of many versions of persons, None for the erased."""
        ...


class Book(Register, Protocol):
    """What a page of the register asks of the store."""

    def page_of_register(self, municipality: str, *, after: tuple[int, int], limit: int) -> list[dict[str, Any]]:
        """The inscriptions after (year, number), in that order."""
        ...


def page_of_inscriptions(
    repo: Book, municipality: str, *, after: tuple[int, int], limit: int, unmask: bool = False
) -> list[dict[str, Any]]:
    """Up to ``limit`` of the lines of ``list_inscriptions``, those after (year, number)."""
    return _lines(repo, municipality, repo.page_of_register(municipality, after=after, limit=limit), unmask=unmask)


def list_inscriptions(repo: Register, municipality: str, *, unmask: bool = False) -> list[dict[str, Any]]:
    """The register by (year, number), one short object each (spec 07). ``unmask`` adds ``doc``."""
    return _lines(repo, municipality, repo.inscriptions(municipality), unmask=unmask)


def _lines(repo: Register, municipality: str, rows: list[dict[str, Any]], *, unmask: bool) -> list[dict[str, Any]]:
    people = repo.people(municipality, [_reference(row["termo"]) for row in rows])
    return [_line(row, people.get(_reference(row["termo"])), unmask=unmask) for row in rows]


def _reference(termo: Mapping[str, Any]) -> PersonVersion:
    return termo["debtor"]["person"], termo["debtor"]["version"]


def _line(row: Mapping[str, Any], person: Mapping[str, Any] | None, *, unmask: bool) -> dict[str, Any]:
    termo, known = row["termo"], person or {}
    name, doc = known.get("name"), known.get("doc")
    listed = {
        "number": f"{row['number']}/{row['year']}",
        "date": row["day"].isoformat(),
        "livro": row["livro"],
        "folha": row["folha"],
        "auto": row["auto"],
        "debtor": name if unmask else masked_name(name),
        "doc_masked": masked(doc) if doc else None,
        "original_amount": amount(row["original_amount"]),
        "charges": amount(row["charges"]),
        "total": termo["total"],
        "legal_basis": termo["legal_basis"],
        "status": row["status"],
        "prescribes_on": row["prescribes_on"].isoformat() if row["prescribes_on"] else None,
        "paid": termo["paid"],
    }
    return {**listed, "doc": doc} if unmask else listed


def show_termo(repo: Repository, municipality: str | None, number: str) -> dict[str, Any]:
    """The Termo de Inscrição ``N/AAAA``, with names and domiciles joined: the one paper that shows the whole CPF.

    Raises UnknownInscription, InputError ``numero_invalido``, TermoElementMissing (an ErrorGroup when several are).
    """
    rows = repo.inscriptions(municipality, number=number) if municipality else []
    if not rows:
        raise UnknownInscription(f"não existe a inscrição {number[:40]}.", field="inscription")
    row = rows[0]
    doc = _termo(repo, str(municipality), row)
    missing = [
        TermoElementMissing(f"falta ao Termo: {label}.", place=f"inscrição {doc['number']}", field=key)
        for key, label in missing_elements(doc)
    ]
    if missing:
        raise missing[0] if len(missing) == 1 else ErrorGroup(missing, place=f"inscrição {doc['number']}")
    return doc


def _termo(repo: Repository, municipality: str, row: Mapping[str, Any]) -> dict[str, Any]:
    kept = {**row["termo"], **_authority(repo, municipality, row["termo"]), **_after(row["beside"])}
    to_supply = None if all(kept.get(key) for key in AUTHORITY) else SUPPLY_AUTHORITY
    return {
        **kept,
        "number": f"{row['number']}/{row['year']}",
        "date": row["day"].isoformat(),
        "livro": row["livro"],
        "folha": row["folha"],
        "municipality": municipality,
        "status": row["status"],
        "collection": row["beside"],
        "current": {
            "prescribes_on": row["prescribes_on"].isoformat() if row["prescribes_on"] else None,
            "warns_on": row["warns_on"].isoformat() if row["warns_on"] else None,
        },
        "debtor": person_document(repo, municipality, kept["debtor"], unmask=True),
        "co_responsible": [
            person_document(repo, municipality, reference, unmask=True) for reference in kept["co_responsible"]
        ],
        "authority_to_supply": to_supply,
    }


def _after(beside: Mapping[str, Any]) -> dict[str, Any]:
    """What the acts after the inscription say of the paper: who authenticated it, what a substitution mended."""
    found: dict[str, Any] = {}
    given = beside.get("authentication")
    if given:
        found = {"authenticated": True, **{key: given[key] for key in AUTHORITY}}
    for entry in beside.get("substitutions", ()):
        mended = entry["mended"]
        found.update({paper: mended[name] for name, paper in _MENDED.items() if name in mended})
    return found


_MENDED = {"infrator": "debtor", "processo": "processo"}


def _authority(repo: Repository, municipality: str, termo: Mapping[str, Any]) -> dict[str, str | None]:
    """The authority of a Termo not yet authenticated: the one it was prepared for, else the one supplied since."""
    if termo.get("authority") or termo.get("authenticated"):
        return {}
    supplied = repo.municipal_data(municipality).options.get(termo["law"], {})
    names = {"authority": "authority", "authority_office": "office", "authority_act": "act"}
    return {key: supplied.get(f"divida_ativa.{name}") for key, name in names.items()}


def missing_elements(doc: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The elements that the law asks and the Termo does not have, as (key, label).

    A debtor whose data were erased by a recorded act is not missing: the Termo says so.
    """
    for key, label in ELEMENTS:
        value: Any = doc
        for part in key.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        if not value and value is not False:  # that there is no update is an element too
            yield key, label
    yield from _charges(doc)
    everyone = [("debtor", doc.get("debtor")), *(("co_responsible", p) for p in doc.get("co_responsible", ()))]
    for key, person in everyone:
        yield from _person(key, person)


def _charges(doc: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if doc.get("charges") not in (None, "0.00") and not doc.get("charges_basis"):
        yield "charges_basis", "fundamento dos acréscimos"
    update = doc.get("update") or {}
    if update.get("subject") and not (update.get("basis") and update.get("from")):
        yield "update.basis", "fundamento e início da atualização monetária"


def _person(key: str, person: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    who = "devedor" if key == "debtor" else "corresponsável"
    if person is None:
        yield key, who
    elif not person["erased"]:
        if not person["name"]:
            yield f"{key}.name", f"nome do {who}"
        if not (person["address"] or person["address_unknown"]):
            yield f"{key}.address", f"domicílio do {who}"
        if key == "debtor" and not person["doc"]:
            yield f"{key}.doc", "CPF ou CNPJ do devedor"
