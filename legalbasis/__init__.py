"""Citations, dated values, strict TOML reading and the one root of all errors. No third party."""

from legalbasis.citation import Citation, Status
from legalbasis.dated import Dated, Period
from legalbasis.errors import (
    ArticleNotAnInfraction,
    ErrorGroup,
    InputError,
    LawEndUnknown,
    LawError,
    LawNotInForce,
    LawStartUnknown,
    NoPenaltyInLaw,
    NotEncoded,
    PenaltyArticleMismatch,
    PenaltyOutOfRange,
    PosturasError,
    ProvisionNotInForce,
    UnitValueUnknown,
    VersionDateUnknown,
)
from legalbasis.provision import Provision
from legalbasis.strict_toml import Defect, TomlDefects, TomlTable, load_toml, read_toml

__all__ = [
    "ArticleNotAnInfraction",
    "Citation",
    "Dated",
    "Defect",
    "ErrorGroup",
    "InputError",
    "LawEndUnknown",
    "LawError",
    "LawNotInForce",
    "LawStartUnknown",
    "NoPenaltyInLaw",
    "NotEncoded",
    "PenaltyArticleMismatch",
    "PenaltyOutOfRange",
    "Period",
    "PosturasError",
    "Provision",
    "ProvisionNotInForce",
    "Status",
    "TomlDefects",
    "TomlTable",
    "UnitValueUnknown",
    "VersionDateUnknown",
    "load_toml",
    "read_toml",
]
