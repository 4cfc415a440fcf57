"""Provisions in one notation: ``64-I`` an article, ``71,IV`` an inciso, ``64,I,a`` an alinea, ``64-S,§3``, ``8,pu``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from legalbasis.errors import InputError

_ARTICLE = re.compile(r"\d{1,4}(-[A-Z]{1,2})?\Z")
_PART = re.compile(r"(§\d{1,3}(-[A-Z])?|pu|caput|[IVXLCDM]+(-[A-Z])?|[a-z]|\d{1,3})\Z")


@dataclass(frozen=True, slots=True, order=True)
class Provision:
    """An article and the path inside it. ``str()`` gives the notation back; ``label()`` the text for people."""

    article: str
    path: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Provision:
        """Read the notation. Raises InputError (``dispositivo_invalido``) on anything else."""
        return _parse(text)

    @classmethod
    def _read(cls, text: str) -> Provision:
        parts = [p.strip() for p in text.strip().split(",")]
        if not _ARTICLE.match(parts[0]) or not all(_PART.match(p) for p in parts[1:]):
            raise InputError(
                f"“{text}” não é um dispositivo.",
                code="dispositivo_invalido",
                remedy="Escreva como 64-I, 71,IV, 64,I,a, 64-S,§3 ou 8,pu.",
            )
        return cls(parts[0], tuple(p for p in parts[1:] if p != "caput"))

    def __str__(self) -> str:
        return ",".join((self.article, *self.path))

    def label(self) -> str:
        """Text for people: ``art. 64, I, a``, ``art. 64-S, § 3º``, ``art. 8º, parágrafo único``."""
        number = int(re.match(r"\d+", self.article).group())  # type: ignore[union-attr]  # _ARTICLE starts with digits
        head = f"art. {self.article}º" if number < 10 and "-" not in self.article else f"art. {self.article}"
        return ", ".join((head, *(_part_label(p) for p in self.path)))

    def within(self, other: Provision) -> bool:
        """Whether this provision is ``other`` or lies inside it."""
        return self.article == other.article and self.path[: len(other.path)] == other.path


@lru_cache(maxsize=4096)
def _parse(text: str) -> Provision:
    return Provision._read(text)


def _part_label(part: str) -> str:
    if part == "pu":
        return "parágrafo único"
    if part.startswith("§"):
        number = part[1:].split("-", 1)[0]
        return f"§ {part[1:]}º" if int(number) < 10 and "-" not in part else f"§ {part[1:]}"
    return part
