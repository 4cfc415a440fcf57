"""The errors of printing a paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from legalbasis import PosturasError


class NothingToPrint(PosturasError):
    """O processo ainda não tem o ato que este documento põe por escrito."""

    code = "documento_sem_ato"


@dataclass(frozen=True, slots=True)
class Missing:
    """An element that is not there: its key, its name for people, the article that asks for it."""

    element: str
    label: str
    basis: str


class DocumentIncomplete(PosturasError):
    """Faltam ao documento elementos que a lei exige."""

    code = "documento_incompleto"
    default_remedy = "Complete o registro do processo, ou informe os dados do município, e imprima de novo."

    def __init__(self, title: str, missing: Sequence[Missing], *, place: str | None = None) -> None:
        self.missing = tuple(missing)
        listed = "; ".join(f"{item.label} ({item.basis})" for item in self.missing)
        verb = "falta" if len(self.missing) == 1 else "faltam"
        super().__init__(f"{title}: {verb} {listed}.", place=place, field=self.missing[0].element)

    def to_dict(self) -> dict[str, Any]:
        """The contract's error object, with each element under ``missing``."""
        listed = [{"element": m.element, "label": m.label, "basis": m.basis} for m in self.missing]
        return {**super().to_dict(), "missing": listed}


class CertificateOfEndedDebt(PosturasError):
    """A inscrição já não está em aberto: não há dívida a certificar."""

    code = "inscricao_encerrada"


class CodeNotRecognised(PosturasError):
    """O código de verificação não confere com o registro."""

    code = "codigo_nao_confere"
