"""Persons apart: versions, keyed digests, the key of antecedents, erasure."""

from __future__ import annotations

import hashlib
import hmac
import json

import pytest
from sqlalchemy import Engine, text

from procedure.store.engine import session_scope
from procedure.store.errors import PersonNotFound
from procedure.store.repository import SqlRepository
from tests.integration.store.samples import EVERY_ACCENT, IBGE

MATRIZ = {
    "name": f"Comércio {EVERY_ACCENT}",
    "doc": "11.222.333/0001-81",
    "kind": "pj",
    "address": {"city": "São Gabriel"},
}
CPF = {"name": "Fulano", "doc": "529.982.247-25", "kind": "pf", "address": None}


def test_a_new_version_only_when_the_fields_change(engine: Engine) -> None:
    with session_scope(engine) as session:
        repository = SqlRepository(session)
        first = repository.put_person(IBGE, CPF)
        assert repository.put_person(IBGE, dict(reversed(CPF.items()))) == first
        moved = repository.put_person(IBGE, {**CPF, "address": {"city": "Vitória"}})
        assert (first.version, moved.version, moved.id, moved.key) == (1, 2, first.id, first.key)
        assert moved.digest != first.digest
        assert repository.person(IBGE, first.id, 1) == CPF
        assert repository.person(IBGE, first.id, 2) == {**CPF, "address": {"city": "Vitória"}}
        assert repository.put_person(IBGE, CPF).version == 3


def test_digests_are_hmacs_under_the_installation_key(engine: Engine) -> None:
    with session_scope(engine) as session:
        person = SqlRepository(session).put_person(IBGE, CPF)
        key = bytes.fromhex(session.execute(text("SELECT value FROM posturas_settings")).scalar_one())
    assert len(key) == 32
    document = json.dumps(CPF, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    assert person.digest == hmac.new(key, document, hashlib.sha256).hexdigest()
    assert len(person.id) == 24
    identity = json.dumps([IBGE, "doc", "52998224725"], separators=(",", ":")).encode()
    assert person.id == hmac.new(key, identity, hashlib.sha256).hexdigest()[:24]


def test_the_key_of_antecedents(engine: Engine) -> None:
    """Branches of one firm share it, letters in a CNPJ count, a person without document has none."""
    with session_scope(engine) as session:
        repository = SqlRepository(session)

        def put(doc: str | None, name: str = "X") -> tuple[str, str | None]:
            person = repository.put_person(IBGE, {"name": name, "doc": doc, "kind": "pj"})
            return person.id, person.key

        matriz, filial = put("11.222.333/0001-81"), put("11222333000262")
        assert matriz[0] != filial[0]
        assert matriz[1] == filial[1] == repository.person_key_of(IBGE, "11222333/0001-81")
        alphanumeric, branch = put("12.ABC.345/01DE-35"), put("12abc34501df98")
        assert alphanumeric[1] == branch[1] != matriz[1]
        assert put("529.982.247-25") == put("52998224725", "Y")
        assert put(None, "José")[1] is None
        assert put(None, "José") == put(None, "  JOSÉ ")
        assert put(None, "José")[0] != put(None, "João")[0]
        elsewhere = repository.put_person("3100000", {"name": "X", "doc": "11.222.333/0001-81", "kind": "pj"})
        assert elsewhere.key != matriz[1]


def test_erasure_keeps_the_rows_and_empties_the_fields(engine: Engine) -> None:
    with session_scope(engine) as session:
        repository = SqlRepository(session)
        person = repository.put_person(IBGE, MATRIZ)
        repository.put_person(IBGE, {**MATRIZ, "name": "Outro"})
        assert repository.erase_person(IBGE, person.id, "2030-01-01T10:00:00-03:00") == 2
        assert repository.erase_person(IBGE, person.id, "2031-01-01T10:00:00-03:00") == 0
        assert repository.person(IBGE, person.id, 1) is None
        assert repository.person(IBGE, person.id, 2) is None
        row = session.execute(text("SELECT * FROM posturas_persons WHERE version = 1")).one()
        assert (row.name, row.doc, row.kind, row.fields, row.person_key) == (None,) * 5
        assert (row.digest, row.erased_at) == (person.digest, "2030-01-01T10:00:00-03:00")
        again = repository.put_person(IBGE, {**MATRIZ, "name": "Outro"})
        assert (again.id, again.version) == (person.id, 3), "an erased version never comes back to life"
        with pytest.raises(PersonNotFound):
            repository.person(IBGE, person.id, 9)
        with pytest.raises(PersonNotFound):
            repository.erase_person(IBGE, "nobody", "2030-01-01T10:00:00-03:00")
