"""The keys of the HTTP interface, who they let in, and the record of what personal data they were shown.

A key is ``psk_<id>_<secret>``. The secret is shown when it is made; the database keeps its argon2id hash. What is
asked of the database at each request (revoked? expired?) is asked by the id, so that a revoked key stops at once;
only the hashing is spared, for tokens that this process has verified.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from hmac import compare_digest
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, insert, select, update

from legalbasis import InputError
from procedure.domain.act_input import municipality_code
from procedure.domain.key_roles import SWEEPING, UNMASKING, key_roles
from procedure.store.errors import StoreError
from procedure.store.tables import api_keys, reads

if TYPE_CHECKING:
    from argon2 import PasswordHasher
    from sqlalchemy import Connection, Row

ID_BYTES, SECRET_BYTES = 8, 32
KEPT = 4_096
LONGEST_NAME = 120
_TOKEN = re.compile(r"psk_([0-9a-f]{16})_([A-Za-z0-9_-]{43})")
# The secret is 256 random bits, which no hash makes easier to guess: the least that OWASP gives for argon2id is
# plenty, and a flood of wrong keys costs little memory.
_MEMORY_KIB, _PASSES, _LANES = 19 * 1024, 2, 1
_NOBODY = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
"""The hash of no secret: an id that does not exist costs what a wrong secret costs."""


class HashingMissing(StoreError):
    """Falta o que confere as chaves de acesso."""

    code = "argon2_ausente"
    default_remedy = "Instale com: pip install 'posturas[http]'"


class KeyUnknown(StoreError):
    """Não há esta chave de acesso."""

    code = "chave_de_acesso_desconhecida"
    default_remedy = "Veja as que há: posturas key list"


@dataclass(frozen=True, slots=True)
class Access:
    """What a key that stands may do."""

    key_id: str
    name: str
    municipalities: frozenset[str]
    roles: frozenset[str]

    def may_read(self, municipality: str) -> bool:
        """Whether the municipality is the key's."""
        return municipality in self.municipalities

    def may_record(self, role: str) -> bool:
        """Whether the key records acts done in this quality."""
        return role in self.roles

    @property
    def may_unmask(self) -> bool:
        """Whether documents, names and addresses are shown to it whole."""
        return UNMASKING in self.roles

    @property
    def may_sweep(self) -> bool:
        """Whether it runs the sweep."""
        return SWEEPING in self.roles


@dataclass(frozen=True, slots=True)
class Key:
    """A key as it is listed: never its secret, nor the hash. Instants are UTC."""

    key_id: str
    name: str
    municipalities: tuple[str, ...]
    roles: tuple[str, ...]
    created_at: str
    expires_at: str | None
    revoked_at: str | None

    def to_dict(self) -> dict[str, Any]:
        """The object of ``posturas key list --json``."""
        return {
            "id": self.key_id,
            "name": self.name,
            "municipalities": list(self.municipalities),
            "roles": list(self.roles),
            "created_at": self.created_at,
            "expires_at": self.expires_at,
            "revoked_at": self.revoked_at,
        }


class Verified:
    """Tokens that this process has verified, by their SHA-256, with the hash that each answered to; the last used."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[bytes, str] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def holds(self, token: str, digest: str) -> bool:
        """Whether the token was verified against this very hash."""
        mark = sha256(token.encode()).digest()
        with self._lock:
            found = self._kept.get(mark)
            if found is not None:
                self._kept.move_to_end(mark)
        return found is not None and compare_digest(found, digest)

    def add(self, token: str, digest: str) -> None:
        """Keep one; the one unused for longest leaves."""
        with self._lock:
            self._kept[sha256(token.encode()).digest()] = digest
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)


_VERIFIED = Verified()


def create_key(
    connection: Connection,
    *,
    name: str,
    municipalities: Iterable[str],
    roles: Iterable[str],
    created_at: datetime,
    expires_at: datetime | None = None,
) -> tuple[Key, str]:
    """A new key, and its token, which nobody can show again.

    Raises InputError ``papel_da_chave_invalido``, ``nome_da_chave_invalido``, ``validade_da_chave_invalida``;
    InvalidField for a code that is not IBGE's; HashingMissing.
    """
    places = tuple(sorted({municipality_code(place) for place in municipalities}))
    if not places:
        raise InputError("a chave precisa de ao menos um município.", code="chave_sem_municipio", field="municipality")
    words = tuple(sorted(key_roles(roles)))
    if not 0 < len(name.strip()) <= LONGEST_NAME or not name.isprintable():
        raise InputError(
            f"o nome da chave tem de 1 a {LONGEST_NAME} caracteres, sem quebra de linha.",
            code="nome_da_chave_invalido",
            field="name",
            remedy="Diga de que sistema é a chave.",
        )
    if expires_at is not None and expires_at <= created_at:
        raise InputError("a validade já passou.", code="validade_da_chave_invalida", field="expires")
    key_id, secret = secrets.token_hex(ID_BYTES), secrets.token_urlsafe(SECRET_BYTES)
    shared = {
        "id": key_id,
        "name": name.strip(),
        "digest": _hasher().hash(secret),
        "roles": " ".join(words),
        "created_at": _instant(created_at),
        "expires_at": _instant(expires_at) if expires_at else None,
    }
    connection.execute(insert(api_keys), [{"municipality": place, **shared} for place in places])
    key = Key(key_id, name.strip(), places, words, _instant(created_at), shared["expires_at"], None)
    return key, f"psk_{key_id}_{secret}"


def authenticate(
    connection: Connection, token: str, now: datetime, verified: Verified = _VERIFIED
) -> Access | None:
    """What the key that comes with a request may do; None for none, for one that is wrong, revoked or expired.

    Reads only. Raises HashingMissing.
    """
    parts = _TOKEN.fullmatch(token)
    if parts is None:
        return None
    key_id, secret = parts.groups()
    rows = connection.execute(select(api_keys).where(api_keys.c.id == key_id)).all()
    digest = rows[0].digest if rows else _NOBODY
    if not verified.holds(token, digest):
        if not _answers(digest, secret):
            return None
        verified.add(token, digest)
    standing = [row for row in rows if row.revoked_at is None]
    if not standing or any(row.expires_at is not None and row.expires_at <= _instant(now) for row in standing):
        return None
    places = frozenset(row.municipality for row in standing)
    return Access(key_id, standing[0].name, places, frozenset(standing[0].roles.split()))


def list_keys(connection: Connection, municipality: str | None = None) -> list[Key]:
    """The keys, of all municipalities or those that reach one, in the order they were made."""
    query = select(api_keys).order_by(api_keys.c.created_at, api_keys.c.id, api_keys.c.municipality)
    if municipality is not None:
        here = select(api_keys.c.id).where(api_keys.c.municipality == municipality)
        query = query.where(api_keys.c.id.in_(here))
    by_id: dict[str, list[Row[Any]]] = {}
    for row in connection.execute(query):
        by_id.setdefault(row.id, []).append(row)
    return [_key(rows) for rows in by_id.values()]


def revoke_key(connection: Connection, key_id: str, at: datetime) -> Key:
    """Stop a key everywhere. One already revoked keeps its instant. Raises KeyUnknown."""
    ours = api_keys.c.id == key_id
    standing = update(api_keys).where(ours, api_keys.c.revoked_at.is_(None))
    connection.execute(standing.values(revoked_at=_instant(at)))
    rows = connection.execute(select(api_keys).where(ours).order_by(api_keys.c.municipality)).all()
    if not rows:
        raise KeyUnknown(f"não há a chave {key_id[:40]}.", field="id")
    return _key(rows)


def note_read(
    connection: Connection, access: Access, municipality: str, what: str, number: str, at: datetime
) -> None:
    """Record that the key was shown the personal data in ``what``: an auto, an inscription or a certidão, by number."""
    row: dict[str, Any] = {
        "municipality": municipality,
        "key_id": access.key_id,
        "what": what,
        "number": number,
        "at": _instant(at),
    }
    if connection.dialect.name != "postgresql":  # no identity column in a key of two: the writer holds the lock
        last = connection.scalar(select(func.max(reads.c.id)).where(reads.c.municipality == municipality))
        row["id"] = (last or 0) + 1
    connection.execute(insert(reads).values(row))


def list_reads(
    connection: Connection,
    municipality: str,
    *,
    first: datetime | None = None,
    before: datetime | None = None,
    number: str | None = None,
    key_id: str | None = None,
    limit: int = 1_000,
) -> list[dict[str, Any]]:
    """The last ``limit`` reads between two instants (the second outside), the latest first."""
    query = select(reads.c.at, reads.c.key_id, reads.c.what, reads.c.number)
    query = query.where(reads.c.municipality == municipality)
    if first is not None:
        query = query.where(reads.c.at >= _instant(first))
    if before is not None:
        query = query.where(reads.c.at < _instant(before))
    if number is not None:
        query = query.where(reads.c.number == number)
    if key_id is not None:
        query = query.where(reads.c.key_id == key_id)
    found = connection.execute(query.order_by(reads.c.at.desc(), reads.c.id.desc()).limit(limit))
    return [{"at": row.at, "key": row.key_id, "what": row.what, "number": row.number} for row in found]


def prune_reads(connection: Connection, municipality: str, before: datetime) -> int:
    """Delete the reads older than an instant, whose time of keeping is over; returns how many."""
    old = (reads.c.municipality == municipality, reads.c.at < _instant(before))
    gone: int = connection.execute(delete(reads).where(*old)).rowcount
    return gone


def _key(rows: Sequence[Row[Any]]) -> Key:
    first = rows[0]
    return Key(
        first.id,
        first.name,
        tuple(row.municipality for row in rows),
        tuple(first.roles.split()),
        first.created_at,
        first.expires_at,
        first.revoked_at,
    )


def _instant(moment: datetime) -> str:
    """UTC to the second, one length: the order of the texts is the order in time."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _hasher() -> PasswordHasher:
    try:
        from argon2 import PasswordHasher
    except ModuleNotFoundError as error:
        raise HashingMissing() from error
    return PasswordHasher(time_cost=_PASSES, memory_cost=_MEMORY_KIB, parallelism=_LANES)


def _answers(digest: str, secret: str) -> bool:
    hasher = _hasher()
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return hasher.verify(digest, secret)
    except (VerificationError, InvalidHashError):
        return False
