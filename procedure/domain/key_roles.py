"""The words with which a key of the HTTP interface says what it may do: the qualities of acts, and two of its own."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from legalbasis import InputError
from procedure.domain.vocabulary import Role


class KeyRole(StrEnum):
    """What a key may do beside recording acts in somebody's quality."""

    LEITURA = "leitura"
    DADOS_PESSOAIS = "dados_pessoais"


READING, UNMASKING, SWEEPING = KeyRole.LEITURA.value, KeyRole.DADOS_PESSOAIS.value, Role.SISTEMA.value
"""Every key reads, masked. Whole documents and the sweep, the system's own acts, take their word."""

WORDS = (READING, UNMASKING, *(role.value for role in Role))


def key_roles(words: Iterable[str]) -> frozenset[str]:
    """The roles of a key. Raises InputError ``papel_da_chave_invalido``."""
    found = frozenset(word.strip() for word in words if word.strip())
    wrong = sorted(found.difference(WORDS))
    if wrong or not found:
        told = f"“{wrong[0][:40]}” não é papel de uma chave." if wrong else "a chave precisa de ao menos um papel."
        raise InputError(told, code="papel_da_chave_invalido", field="role", remedy=f"Há: {', '.join(WORDS)}.")
    return found
