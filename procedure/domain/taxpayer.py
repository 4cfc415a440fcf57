"""CPF and CNPJ, numeric or alphanumeric, checked by their digits alone (never by the date of an act)."""

from __future__ import annotations

import re

from stdnum.br import cnpj, cpf

from legalbasis import InputError

_CPF = re.compile(r"(?<![0-9])[0-9]{3}\.?[0-9]{3}\.?[0-9]{3}[-/.]?[0-9]{2}(?![0-9])")


class InvalidDocument(InputError):
    """O CPF ou CNPJ não confere com os seus dígitos verificadores."""

    code = "documento_invalido"


def normalise(document: str) -> str:
    """The document without punctuation, upper case: 11 digits (CPF) or 14 characters (CNPJ). Raises InvalidDocument."""
    compact = "".join(c for c in document if c.isalnum()).upper()
    if len(compact) == 11 and cpf.is_valid(compact) and len(set(compact)) > 1:
        return compact
    if len(compact) == 14 and cnpj.is_valid(compact) and set(compact) != {"0"}:
        return compact
    raise InvalidDocument(
        f"“{mask(compact) if len(compact) in (11, 14) else document[:24]}” não é CPF nem CNPJ válido.",
        field="doc",
        remedy="Confira os dígitos: CPF tem 11 algarismos; CNPJ, 14 caracteres (números ou letras nos 12 primeiros).",
    )


def kind_of(document: str) -> str:
    """``pf`` for a CPF, ``pj`` for a CNPJ (normalised)."""
    return "pf" if len(document) == 11 else "pj"


def root(document: str) -> str:
    """What branches share: the first 8 characters of a CNPJ; the whole CPF."""
    return document if len(document) == 11 else document[:8]


def mask(document: str) -> str:
    """For listings: ``***.456.789-**``; of a CNPJ, public by law, nothing is hidden but it is punctuated."""
    if len(document) == 11:
        return f"***.{document[3:6]}.{document[6:9]}-**"
    return punctuate(document)


def mask_in(text: str) -> str:
    """A text with every CPF in it masked: one-man firms have theirs in the name, and a description may quote one."""

    def hidden(found: re.Match[str]) -> str:
        try:
            return mask(normalise(found.group()))
        except InvalidDocument:
            return found.group()  # some other number of eleven digits

    return _CPF.sub(hidden, text)


def punctuate(document: str) -> str:
    """As printed: ``529.982.247-25``, ``12.ABC.345/01DE-35``; anything else as it is."""
    if len(document) == 11:
        return f"{document[:3]}.{document[3:6]}.{document[6:9]}-{document[9:]}"
    if len(document) == 14:
        return f"{document[:2]}.{document[2:5]}.{document[5:8]}/{document[8:12]}-{document[12:]}"
    return document
