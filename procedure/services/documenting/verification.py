"""The code on a CDA: what it is made of, and the check against the register."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Mapping
from typing import Any

from procedure.domain.chain import canonical
from procedure.domain.vocabulary import Act
from procedure.services.documenting.errors import CodeNotRecognised
from procedure.services.ports import Repository
from procedure.services.register import UnknownInscription, show_termo

_CODE = re.compile(r"([0-9]{1,9}/[0-9]{4})-([A-Z2-7]{4}(?:-[A-Z2-7]{4}){3})")
_BYTES = 10  # 80 bits: sixteen letters
_PRINTED = ("number", "date", "livro", "folha", "auto", "original_amount", "charges", "total", "exigivel_em")


def code_of(repo: Repository, municipality: str, document: Mapping[str, Any]) -> str:
    """The code of an inscription (``show_termo``): its number and a digest of what the CDA prints and of the record.

    The digest covers the hash of the act of inscription, or of the last substitution, which no paper shows: a code
    cannot be made up, and that of a certidão replaced is no longer recognised.
    """
    acts = repo.acts(municipality, document["auto"])
    sealed = [
        act.hash
        for act in acts
        if act.kind == Act.SUBSTITUICAO or (act.kind == Act.INSCRICAO and act.payload.get("outcome") == "apta")
    ]
    content = {"municipality": municipality, "act": sealed[-1], **{name: document[name] for name in _PRINTED}}
    digest = hashlib.sha256(canonical(content).encode()).digest()[:_BYTES]
    letters = base64.b32encode(digest).decode()
    return f"{document['number']}-{'-'.join(letters[i : i + 4] for i in range(0, len(letters), 4))}"


def verify_code(repo: Repository, municipality: str, code: str) -> dict[str, Any]:
    """The Termo that a code was printed for, with its status today. Raises CodeNotRecognised."""
    found = _CODE.fullmatch("".join(code.split()).upper())
    if found is None:
        raise CodeNotRecognised(
            "o código não tem a forma N/AAAA-XXXX-XXXX-XXXX-XXXX.",
            field="code",
            remedy="Copie-o como está na certidão.",
        )
    try:
        document = show_termo(repo, municipality, found.group(1))
    except UnknownInscription as error:
        raise CodeNotRecognised(f"não existe a inscrição {found.group(1)}.", field="code") from error
    if not hmac.compare_digest(code_of(repo, municipality, document), found.group(0)):
        raise CodeNotRecognised(
            f"o código não é o da inscrição {found.group(1)}.", field="code",
            remedy="A certidão foi alterada, ou substituída por outra.",
        )  # fmt: skip
    return document
