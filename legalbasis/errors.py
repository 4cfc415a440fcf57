"""The one exception root. Each class's docstring first line is its default message, in Portuguese.

``code`` is snake_case and stable: other programs branch on it. ``place`` says where (file, line, field, auto),
``remedy`` what to do. Both are Portuguese text for people, or None.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar


class PosturasError(Exception):
    """Erro do Posturas."""

    code: ClassVar[str] = "erro"
    default_remedy: ClassVar[str | None] = None

    def __init__(
        self,
        message: str | None = None,
        *,
        place: str | None = None,
        remedy: str | None = None,
        field: str | None = None,
        code: str | None = None,
    ) -> None:
        self.message = message or (type(self).__doc__ or "").strip().splitlines()[0]
        self.place = place
        self.remedy = remedy if remedy is not None else self.default_remedy
        self.field = field
        self.error_code = code or self.code
        super().__init__(self.message)

    def at(self, place: str) -> PosturasError:
        """The same error, its place filled in if it had none; returns self so that ``raise e.at(..)`` reads."""
        if self.place is None:
            self.place = place
        return self

    def to_dict(self) -> dict[str, Any]:
        """The contract's error object: code, class, message, place, remedy."""
        return {
            "code": self.error_code,
            "class": type(self).__name__,
            "message": self.message,
            "place": self.place,
            "remedy": self.remedy,
        }

    def __str__(self) -> str:
        text = f"{self.place}: {self.message}" if self.place else self.message
        if not self.remedy:
            return text
        stop = "" if text.endswith((".", "!", "?", ":", "…")) else "."
        return f"{text}{stop} {self.remedy}"


class ErrorGroup(PosturasError):
    """Há mais de um erro."""

    code = "varios_erros"

    def __init__(self, errors: Iterable[PosturasError], *, place: str | None = None) -> None:
        self.errors = tuple(errors)
        super().__init__("; ".join(str(e) for e in self.errors), place=place)

    def to_dict(self) -> dict[str, Any]:
        """The contract's error object, with each error under ``errors``."""
        return {**super().to_dict(), "errors": [e.to_dict() for e in self.errors]}


class InputError(PosturasError):
    """Entrada inválida."""

    code = "entrada_invalida"


class LawError(PosturasError):
    """A lei não permite responder."""

    code = "erro_de_lei"


class LawNotInForce(LawError):
    """A lei não estava em vigor nesse dia."""

    code = "lei_revogada"


class LawEndUnknown(LawError):
    """Não se sabe em que dia a lei deixou de vigorar."""

    code = "vigencia_incerta"


class LawStartUnknown(LawError):
    """Não se sabe em que dia a lei entrou em vigor."""

    code = "vigencia_incerta"


class ProvisionNotInForce(LawError):
    """O dispositivo não estava em vigor nesse dia."""

    code = "dispositivo_fora_de_vigor"


class VersionDateUnknown(LawError):
    """Só se conhece o ano da alteração deste dispositivo."""

    code = "data_da_redacao_desconhecida"


class NotEncoded(LawError):
    """O texto da lei de que isto depende falta na fonte."""

    code = "nao_codificado"


class NoPenaltyInLaw(LawError):
    """A lei não comina multa para este dispositivo."""

    code = "sem_pena_na_lei"


class ArticleNotAnInfraction(LawError):
    """O dispositivo não descreve uma infração."""

    code = "artigo_nao_e_infracao"


class PenaltyArticleMismatch(LawError):
    """O artigo da penalidade não é o que a lei comina para esta infração."""

    code = "penalidade_divergente"


class UnitValueUnknown(LawError):
    """Não se conhece o valor da unidade fiscal nesse dia."""

    code = "valor_da_unidade_desconhecido"


class PenaltyOutOfRange(LawError):
    """O valor da multa está fora dos limites da lei."""

    code = "multa_fora_dos_limites"
