"""A citation: which provision of which law, where to read it, and how firm the text is."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    """How a rule stands in its source (spec 01)."""

    TEXTO = "texto"
    RECONSTRUCAO = "reconstrucao"
    SUBSIDIARIO = "subsidiario"
    NAO_APLICAR = "nao_aplicar"


LABELS = {
    Status.TEXTO: "texto",
    Status.RECONSTRUCAO: "reconstrução",
    Status.SUBSIDIARIO: "subsidiário",
    Status.NAO_APLICAR: "não se aplica",
}


@dataclass(frozen=True, slots=True)
class Citation:
    """One provision of one norm.

    ``urn`` is the LexML URN of the norm; ``norm`` its short name for people ("Lei 1.522/2005");
    ``provision`` the article notation ("35-B,pu"); ``address`` where the text can be read, or None.
    """

    urn: str
    norm: str
    provision: str
    status: Status = Status.TEXTO
    address: str | None = None
    _text: str | None = field(default=None, init=False, compare=False, repr=False)  # worked out once

    def __str__(self) -> str:
        if self._text is None:
            object.__setattr__(self, "_text", self._written())
        return self._text or ""

    def _written(self) -> str:
        from legalbasis.provision import Provision

        text = f"{self.norm}, {Provision.parse(self.provision).label()}" if self.provision else self.norm
        return text if self.status is Status.TEXTO else f"{text} ({LABELS[self.status]})"

    def to_dict(self) -> dict[str, str | None]:
        """Keys urn, norm, provision, status, address."""
        return {
            "urn": self.urn,
            "norm": self.norm,
            "provision": self.provision,
            "status": self.status.value,
            "address": self.address,
        }
