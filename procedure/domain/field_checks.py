"""Checks of the fields of an act: text, dates, amounts, documents, objects; every defect of an object at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from calendars import Term
from legalbasis import ErrorGroup, InputError, PosturasError, Provision
from procedure.domain import taxpayer
from procedure.domain.moment import Moment

MAX_TEXT = 20_000
MAX_CENTAVOS = 10**15
_SHA256 = re.compile(r"[0-9a-fA-F]{64}\Z")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?\Z")
_NOT_TEXT = re.compile("[\x00\ud800-\udfff]")
_NOT_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class UnknownField(InputError):
    """Há um campo que este ato não tem."""

    code = "campo_desconhecido"


class MissingField(InputError):
    """Falta um campo obrigatório."""

    code = "campo_ausente"


class InvalidField(InputError):
    """Um campo não tem a forma que devia."""

    code = "campo_invalido"


Check = Callable[[Any, str], Any]


def bad_field(name: str, reason: str, remedy: str | None = None) -> InvalidField:
    """The error of a field: its name, what is wrong, what to write instead."""
    return InvalidField(f"{name}: {reason}.", field=name, remedy=remedy)


def read_text(value: Any, name: str) -> str:
    """A non-empty text, trimmed; numbers are taken as their digits. Raises InvalidField."""
    if not isinstance(value, str):
        if isinstance(value, bool) or not isinstance(value, int):
            raise bad_field(name, "deve ser texto")
        value = str(value)
    text: str = value.strip()
    if not text:
        raise bad_field(name, "não pode ser vazio")
    if len(text) > MAX_TEXT:
        raise bad_field(name, f"tem mais de {MAX_TEXT} caracteres")
    if not text.isprintable() and _NOT_TEXT.search(text):  # what prints has neither NUL nor surrogates
        raise bad_field(name, "tem caractere que não é texto")
    return text


def read_line(value: Any, name: str) -> str:
    """A text of one line, its spaces single: a name or an address must not write a line of a certidão. Raises
    InvalidField, for what steers a terminal or turns the direction of writing too.
    """
    text = " ".join(read_text(value, name).split())
    if _NOT_LINE.search(text):
        raise bad_field(name, "tem caractere de controle")
    return text


def read_flag(value: Any, name: str) -> bool:
    """true or false, also in words. Raises InvalidField."""
    if value in (True, "true", "sim", "1"):
        return True
    if value in (False, "false", "não", "nao", "0"):
        return False
    raise bad_field(name, "deve ser true ou false")


def read_when(value: Any, name: str) -> str:
    """A date or date-time in ISO 8601, as text. Raises InputError ``data_invalida``."""
    text = value.isoformat() if isinstance(value, date | datetime) else read_text(value, name)
    Moment.parse(text, UTC_ZONE, field=name)
    return text


UTC_ZONE = ZoneInfo("UTC")


def read_decimal(value: Any, name: str) -> Decimal:
    """An exact number. Raises InvalidField."""
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        raise bad_field(name, "deve ser número exato, em texto", 'Escreva como "212.82".')
    text = str(value).strip()
    # Decimal itself reads 1_000, 1E3 and the digits of every script: an amount in text is written one way.
    number = Decimal(text if not isinstance(value, str) or _NUMBER.match(text) else "NaN")
    if not number.is_finite():
        raise bad_field(name, f"“{str(value)[:24]}” não é número", 'Escreva como "212.82".')
    return number


def read_amount(value: Any, name: str) -> str:
    """A positive amount in reais with at most two decimals, as the contract writes it. Raises InvalidField."""
    number = read_decimal(value, name)
    exponent = number.as_tuple().exponent
    if number <= 0 or (isinstance(exponent, int) and exponent < -2) or number > MAX_CENTAVOS // 100:
        raise bad_field(name, "deve ser valor positivo, até 10 trilhões, com no máximo dois decimais")
    return f"{number:.2f}"


def read_quantity(value: Any, name: str) -> str:
    """A positive quantity with at most four decimals. Raises InvalidField."""
    number = read_decimal(value, name)
    exponent = number.as_tuple().exponent
    if number <= 0 or (isinstance(exponent, int) and exponent < -4) or number > MAX_CENTAVOS:
        raise bad_field(name, "deve ser quantidade positiva com no máximo quatro decimais")
    return format(number, "f")


def read_by(parse: Callable[[str], object]) -> Check:
    """Text that ``parse`` takes; its error names this field."""

    def check(value: Any, name: str) -> str:
        text = read_text(value, name)
        try:
            return str(parse(text))
        except PosturasError as error:
            error.field = name
            raise

    return check


read_term, read_provision, read_document = read_by(Term.parse), read_by(Provision.parse), read_by(taxpayer.normalise)


def read_sha256(value: Any, name: str) -> str:
    """A SHA-256 in hexadecimal, lower case. Raises InvalidField."""
    text = read_text(value, name)
    if not _SHA256.match(text):
        raise bad_field(name, "deve ser SHA-256 em hexadecimal")
    return text.lower()


def choice_of(*words: str) -> Check:
    """A check that takes one of ``words``."""
    def check(value: Any, name: str) -> str:
        if value not in words:
            raise bad_field(name, f"“{str(value)[:40]}” não é um destes: {', '.join(words)}")
        return str(value)

    return check


def list_of(check: Check, *, least: int = 1) -> Check:
    """A check that takes a list of at least ``least`` items, each checked."""
    def checked(value: Any, name: str) -> list[Any]:
        if not isinstance(value, list | tuple) or len(value) < least or len(value) > 1000:
            raise bad_field(name, f"deve ser lista com ao menos {least} item" if least else "deve ser lista")
        try:
            return [check(v, f"{name}[{i}]") for i, v in enumerate(value)]
        except PosturasError:  # once more, for all the defects
            return collected([partial(check, v, f"{name}[{i}]") for i, v in enumerate(value)])

    return checked


def collected(calls: list[Callable[[], Any]]) -> list[Any]:
    """The results of all the calls, or every error they raised at once."""
    found: list[Any] = []
    errors: list[PosturasError] = []
    for call in calls:
        try:
            found.append(call())
        except ErrorGroup as group:
            errors.extend(group.errors)
        except PosturasError as error:
            errors.append(error)
    if errors:
        raise errors[0] if len(errors) == 1 else ErrorGroup(errors)
    return found


class _Unsound(Exception):
    """Something is wrong with an object; what, is found out apart."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The fields of an object: name to (check, required)."""

    fields: Mapping[str, tuple[Check, bool]]
    required: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "required", tuple(k for k, (_, required) in self.fields.items() if required))

    def __call__(self, value: Any, name: str) -> dict[str, Any]:
        """The object checked, its known fields only; raises every defect at once."""
        if not isinstance(value, Mapping):
            raise bad_field(name, "deve ser objeto")
        try:
            return self._sound(value, f"{name}." if name else "")
        except (PosturasError, _Unsound):
            return self._judged(value, name)

    def _sound(self, value: Mapping[str, Any], prefix: str) -> dict[str, Any]:
        """The object checked as if nothing were wrong with it. Raises at the first thing that is."""
        known = self.fields
        found = {}
        for key, given in value.items():
            if key not in known:
                raise _Unsound
            if given is not None:
                found[key] = known[key][0](given, f"{prefix}{key}")
        for key in self.required:
            if key not in found:
                raise _Unsound
        return found

    def _judged(self, value: Mapping[str, Any], name: str) -> dict[str, Any]:
        """As ``__call__``, gathering all the defects of an object that has some."""
        prefix = f"{name}." if name else ""
        unknown = [
            UnknownField(f"{prefix}{k}: este ato não tem este campo.", field=f"{prefix}{k}", remedy=self._known(prefix))
            for k in value
            if k not in self.fields
        ]
        present = {k: v for k, v in value.items() if k in self.fields and v is not None}
        missing = [
            MissingField(f"{prefix}{k}: falta este campo.", field=f"{prefix}{k}")
            for k, (_, required) in self.fields.items()
            if required and k not in present
        ]
        calls: list[Callable[[], Any]] = [raising(e) for e in (*unknown, *missing)]
        calls += [partial(self.fields[k][0], v, f"{prefix}{k}") for k, v in present.items()]
        return dict(zip(present, collected(calls), strict=True))

    def _known(self, prefix: str) -> str:
        return f"Campos conhecidos: {', '.join(prefix + k for k in self.fields)}."


def raising(error: PosturasError) -> Callable[[], Any]:
    """A call that raises ``error``: a defect known before the calls are made."""
    def call() -> Any:
        raise error

    return call


def shape_of(required: Mapping[str, Check] | None = None, **optional: Check) -> Shape:
    """A shape with its required fields and its optional ones."""
    return Shape(
        {**{k: (c, True) for k, c in (required or {}).items()}, **{k: (c, False) for k, c in optional.items()}}
    )
