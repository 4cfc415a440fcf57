"""Persons, apart from the acts: versioned fields, keyed digests, erasure.

The keyed digests (HMAC-SHA256 under the installation's key) let acts name a person without holding personal data:
without the key a digest cannot be compared with a list of CPFs.
"""

from __future__ import annotations

import hmac
import json
import re
from typing import Any

from sqlalchemy import Connection, func, select, update
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from procedure.domain.chain import canonical
from procedure.services.ports import PersonRef
from procedure.store.errors import PersonNotFound, SchemaMissing, StoreError
from procedure.store.tables import persons, settings

PERSON_KEY = "person_key"
CPF_LENGTH = 11
CNPJ_LENGTH = 14
CNPJ_ROOT = 8
ID_LENGTH = 24
ATTEMPTS = 1_000  # each that is lost is another transaction's commit: a crowd at one firm gets through, one by one


def secret(connection: Connection) -> bytes:
    """The installation's key, made by the first upgrade. Raises SchemaMissing when it is not there."""
    query = select(settings.c.value).where(settings.c.municipality == "", settings.c.name == PERSON_KEY)
    value = connection.scalar(query)
    if not value:
        raise SchemaMissing("Falta a chave das pessoas no banco de dados.")
    return bytes.fromhex(value)


def keyed(key: bytes, value: Any) -> str:
    """The HMAC-SHA256, in hex, of the value's canonical JSON."""
    return digest_of(key, canonical(value))


def digest_of(key: bytes, text: str) -> str:
    """The HMAC-SHA256, in hex, of a text that is canonical JSON."""
    return hmac.digest(key, text.encode(), "sha256").hex()


def normalised_doc(fields: dict[str, Any]) -> str | None:
    """The CPF or CNPJ without punctuation, letters in capitals (a CNPJ may have them), None when there is none."""
    return re.sub(r"[^0-9A-Za-z]", "", str(fields.get("doc") or "")).upper() or None


def person_key(key: bytes, municipality: str, doc: str | None) -> str | None:
    """Under what antecedents are looked for: the CPF, or the first 8 characters of a CNPJ, which branches share."""
    if doc is None or len(doc) not in (CPF_LENGTH, CNPJ_LENGTH):
        return None
    return keyed(key, [municipality, "cpf", doc] if len(doc) == CPF_LENGTH else [municipality, "cnpj", doc[:CNPJ_ROOT]])


def person_id(key: bytes, municipality: str, fields: dict[str, Any]) -> str:
    """A person is one document; with none, one name at one address."""
    doc = normalised_doc(fields)
    name = " ".join(str(fields.get("name") or "").split()).casefold()
    identity = [municipality, "doc", doc] if doc else [municipality, "name", name, fields.get("address")]
    return keyed(key, identity)[:ID_LENGTH]


def put(connection: Connection, key: bytes, municipality: str, fields: dict[str, Any]) -> PersonRef:
    """Store the person; a new version when the fields are not those of the last one, or that one was erased."""
    identity = person_id(key, municipality, fields)
    digest = keyed(key, fields)
    searched = person_key(key, municipality, normalised_doc(fields))
    for _ in range(ATTEMPTS):
        last = _last(connection, municipality, identity)
        if last is not None and last.digest == digest and last.erased_at is None:
            return PersonRef(identity, last.version, digest, searched)
        version = last.version + 1 if last is not None else 1
        values = {
            "municipality": municipality,
            "id": identity,
            "version": version,
            "digest": digest,
            "person_key": searched,
            "kind": fields.get("kind"),
            "name": fields.get("name"),
            "doc": normalised_doc(fields),
            "fields": canonical(fields),
        }
        insert = postgresql_insert if connection.dialect.name == "postgresql" else sqlite_insert
        statement = insert(persons).values(values).on_conflict_do_nothing().returning(persons.c.version)
        if connection.execute(statement).scalar_one_or_none() is not None:
            return PersonRef(identity, version, digest, searched)
    raise StoreError("Outra gravação altera esta pessoa ao mesmo tempo.", remedy="Repita o ato.")


def _last(connection: Connection, municipality: str, identity: str) -> Any:
    query = (
        select(persons.c.version, persons.c.digest, persons.c.erased_at)
        .where(persons.c.municipality == municipality, persons.c.id == identity)
        .order_by(persons.c.version.desc())
        .limit(1)
    )
    return connection.execute(query).one_or_none()


def fields_of(connection: Connection, municipality: str, identity: str, version: int) -> dict[str, Any] | None:
    """The fields of that version, None when erased. Raises PersonNotFound."""
    query = select(persons.c.fields).where(
        persons.c.municipality == municipality, persons.c.id == identity, persons.c.version == version
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        raise PersonNotFound(place=f"município {municipality}, pessoa {identity}, versão {version}")
    fields: dict[str, Any] | None = json.loads(row.fields) if row.fields is not None else None
    return fields


def erase(connection: Connection, municipality: str, identity: str, erased_at: str) -> int:
    """Empty the fields of every version of the person, keeping rows and digests. Returns how many were emptied.

    ``erased_at`` is the instant of the act that erases, ISO 8601. Raises PersonNotFound.
    """
    theirs = (persons.c.municipality == municipality) & (persons.c.id == identity)
    if not connection.scalar(select(func.count()).select_from(persons).where(theirs)):
        raise PersonNotFound(place=f"município {municipality}, pessoa {identity}")
    statement = (
        update(persons)
        .where(theirs, persons.c.erased_at.is_(None))
        .values(kind=None, name=None, doc=None, fields=None, person_key=None, erased_at=erased_at)
    )
    return connection.execute(statement).rowcount
