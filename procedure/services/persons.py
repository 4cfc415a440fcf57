"""Personal fields leave the act before it is recorded: the store keeps them, the payload names them (spec 05, LGPD)."""

from __future__ import annotations

import hashlib
from typing import Any

from legalbasis import InputError
from procedure.domain import taxpayer
from procedure.domain.act_input import ActInput
from procedure.services.ports import Repository

PROPERTY = "imovel:"
PERSON_FIELDS = ("infrator", "responsavel", "copy_to")


def property_key(place: str) -> str:
    """The key under which autos about the same property are looked for, where the law counts by property.

    A digest: an address may be long, and is told to nobody who only reads keys. Case and spacing do not count.
    """
    return PROPERTY + hashlib.sha256(" ".join(place.casefold().split()).encode()).hexdigest()[:40]


def person_references(repo: Repository, act: ActInput, *, place: str | None = None) -> dict[str, Any]:
    """What replaces the act's personal fields in the payload: person id, version, keyed digest, and what the gate
    asks. ``place`` is the property, where the law counts reincidência by it.
    """
    found: dict[str, Any] = {}
    for name in PERSON_FIELDS:
        if act.fields.get(name):
            found[name] = _reference(repo, act, dict(act.fields[name]))
    if place and "infrator" in found:
        found["infrator"]["key"] = property_key(place)
    if act.fields.get("by"):
        found["by"] = _plain(repo, act, {**act.fields["by"], "kind": "pf"})
    signature = act.fields.get("signature")
    if signature:
        witnesses = [_plain(repo, act, {"name": w, "kind": "pf"}) for w in signature.get("witnesses", [])]
        found["signature"] = {"by": signature["by"], "witnesses": witnesses}
    if act.fields.get("witnesses"):
        found["witnesses"] = [_plain(repo, act, {"name": w, "kind": "pf"}) for w in act.fields["witnesses"]]
    return found


def _reference(repo: Repository, act: ActInput, person: dict[str, Any]) -> dict[str, Any]:
    document = person.get("doc")
    kind = person.get("kind") or (taxpayer.kind_of(document) if document else None)
    if kind is None:
        raise InputError(
            "não se sabe se é pessoa física ou jurídica.",
            field="infrator.kind",
            remedy='Diga kind = "pf" ou "pj", ou o doc.',
        )
    if document and taxpayer.kind_of(document) != kind:
        raise InputError(f"o documento não é de {kind}.", field="infrator.kind", remedy="pf tem CPF; pj tem CNPJ.")
    ref = repo.put_person(act.municipality, {**person, "kind": kind, "auto": act.auto})
    return {
        "person": ref.id,
        "version": ref.version,
        "digest": ref.digest,
        "key": ref.key,
        "kind": kind,
        "has_doc": bool(document),
        "has_domicile": bool(person.get("address") or person.get("address_unknown")),
    }


def _plain(repo: Repository, act: ActInput, person: dict[str, Any]) -> dict[str, Any]:
    ref = repo.put_person(act.municipality, {**person, "auto": act.auto})
    return {"person": ref.id, "version": ref.version, "digest": ref.digest}
