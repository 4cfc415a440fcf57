"""Staging: every line checked once and kept small, so that acts can be applied in legal order whatever theirs.

An item in memory is what ordering needs (some 400 bytes); the act itself waits in a temporary file.
"""

from __future__ import annotations

import hashlib
import marshal
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import IO, Any

from legalbasis import ErrorGroup, PosturasError
from procedure.domain.act_input import ActInput, municipality_code, parse_act
from procedure.domain.chain import canonical
from procedure.domain.moment import Moment, zone
from procedure.domain.vocabulary import Act, Role
from procedure.services.context import law_of, zone_of
from procedure.services.importing.errors import KeyWithOtherContent, OtherMunicipality
from procedure.services.importing.json_lines import json_records
from procedure.services.importing.lines import Line, LineReader
from procedure.services.importing.records import Record
from procedure.services.importing.table import looks_like_header, table_records

MAX_MESSAGE = 600
INTERNAL_ERROR = "erro_interno"


@dataclass(frozen=True, slots=True)
class Rejection:
    """A line that was not applied, and why. ``code`` is that of its first defect, ``message`` tells all of them."""

    line: int
    auto: str | None
    code: str
    message: str
    field: str | None

    @classmethod
    def of(cls, line: int, auto: str | None, error: PosturasError) -> Rejection:
        """The rejection that an error makes."""
        errors = error.errors if isinstance(error, ErrorGroup) and error.errors else (error,)
        message = " ".join(f"{e.message}{f' {e.remedy}' if e.remedy else ''}" for e in errors)
        if len(message) > MAX_MESSAGE:
            message = message[: MAX_MESSAGE - 1] + "…"
        return cls(line, auto, errors[0].error_code, message, next((e.field for e in errors if e.field), None))

    def to_dict(self) -> dict[str, Any]:
        """The contract's object."""
        return {
            "line": self.line,
            "auto": self.auto,
            "code": self.code,
            "message": self.message,
            "field": self.field,
        }


@dataclass(slots=True)
class Item:
    """One staged line. ``clock`` is the instant in seconds when the hour is known.

    A ``stone`` is a line already rejected: it stands in its place in legal time, and what comes after it in its auto is
    held. ``outcome`` and ``centavos`` are what the ordering of one day's acts asks.
    """

    municipality: str
    auto: str
    day: int
    clock: int | None
    kind: Act | None
    line: int
    outcome: str | None = None
    centavos: int = 0
    linked: str | None = None
    content: bytes = b""
    key: str | None = None
    offset: int = 0
    size: int = 0
    stone: bool = False


@dataclass(slots=True)
class Staging:
    """A whole file, checked. ``last_lines`` has the rows that span lines (CSV): first line to last."""

    read: int = 0
    already_known: int = 0
    items: list[Item] = field(default_factory=list)
    rejected: list[Rejection] = field(default_factory=list)
    last_lines: dict[int, int] = field(default_factory=dict)
    is_table: bool = False
    header_line: int = 0
    find: Callable[[str, str], str] | None = None
    """The auto of an inscription, by municipality and number; raises when there is none."""
    admit: Callable[[ActInput], None] | None = None
    """Called with each act, checked: what it raises rejects the line."""
    _spool: IO[bytes] = field(default_factory=tempfile.TemporaryFile)
    _position: int = 0
    _keys: dict[tuple[str, str], tuple[bytes, int]] = field(default_factory=dict)
    _contents: set[bytes] = field(default_factory=set)
    _autos: dict[str, str] = field(default_factory=dict)

    def close(self) -> None:
        """Drop the temporary file."""
        self._spool.close()

    def add(self, record: Record, municipality: str | None) -> None:
        """Check one record and keep it, as an item or as a rejection."""
        self.read += 1
        if record.last_line > record.line:
            self.last_lines[record.line] = record.last_line
        data = record.data
        try:
            if record.error is not None:
                raise record.error
            checked = _checked(data or {}, municipality)
            if self.admit is not None:
                self.admit(checked)
            for act in self._cases_of(checked):
                self._keep(act, record.line)
        except PosturasError as error:
            self._reject(record, error, municipality)
        except Exception as error:  # one odd line must not stop the file; its class is reported
            failure = PosturasError(f"{type(error).__name__} ao ler a linha.", code=INTERNAL_ERROR)
            self._reject(record, failure, municipality)

    def _cases_of(self, act: ActInput) -> list[ActInput]:
        """The act in each case that it is about: its auto's, else those of the inscriptions already in the register."""
        if act.auto or self.find is None:
            return [act]
        return [act.of_inscription(number, self.find(act.municipality, number)) for number in act.numbers]

    def _keep(self, act: ActInput, line: int) -> None:
        content = _content(act)
        if act.key is None:
            if content in self._contents:
                self.already_known += 1
                return
            self._contents.add(content)
        else:
            former = self._keys.setdefault((act.municipality, act.key), (content, line))
            if former != (content, line):
                if former[0] != content:
                    raise KeyWithOtherContent(f"a chave já está na linha {former[1]}, com outro conteúdo.", field="key")
                self.already_known += 1
                return
        body = marshal.dumps(_body(act))
        self._spool.write(body)
        self.items.append(
            Item(
                municipality=self._one(act.municipality),
                auto=self._one(act.auto),
                day=act.at.day.toordinal(),
                clock=act.at.epoch if act.at.has_hour else None,
                kind=act.kind,
                line=line,
                outcome=_outcome(act),
                centavos=_centavos(act),
                linked=act.fields.get("linked_auto"),
                content=content,
                key=act.key,
                offset=self._position,
                size=len(body),
            )
        )
        self._position += len(body)

    def _one(self, text: str) -> str:
        return self._autos.setdefault(text, text)

    def _reject(self, record: Record, error: PosturasError, municipality: str | None) -> None:
        seen = record.data if record.data is not None else record.hints
        auto = _seen_auto(seen)
        self.rejected.append(Rejection.of(record.line, auto, error))
        if auto is None:
            return
        place, day, clock = _seen_moment(seen, municipality)
        self.items.append(
            Item(place, self._one(auto), day, clock, _seen_kind(seen), record.line, _seen_outcome(seen), stone=True)
        )

    def act(self, item: Item, key: str | None = None) -> ActInput:
        """The act of an item, as it was checked; ``key`` is its key if it came without one."""
        self._spool.seek(item.offset)
        kind, at, actor, role, office, law, recorded_at, fields = marshal.loads(self._spool.read(item.size))
        tz = zone_of(item.municipality)
        return ActInput(
            municipality=item.municipality,
            auto=item.auto,
            kind=Act(kind),
            at=Moment.parse(at, tz),
            actor=actor,
            role=Role(role),
            fields=fields,
            office=office,
            key=item.key or key,
            law=law,
            recorded_at=Moment.parse(recorded_at, tz) if recorded_at else None,
        )


@lru_cache(maxsize=64)
def _law(municipality: str, named: str | None) -> str:
    return law_of(municipality, named)


def _checked(data: Mapping[str, Any], municipality: str | None) -> ActInput:
    if municipality is not None and data.get("municipality") in (None, ""):
        data = {**data, "municipality": municipality}
    act = parse_act(data, zone_of)
    if municipality is not None and act.municipality != municipality:
        raise OtherMunicipality(f"o ato é do município {act.municipality}.", field="municipality")
    if act.law is None:
        return _under(act, _law(act.municipality, None))
    _law(act.municipality, act.law)
    return act


def _under(act: ActInput, law: str) -> ActInput:
    """The act with its law; written out, since ``dataclasses.replace`` takes as long as half of the checks."""
    return ActInput(
        act.municipality, act.auto, act.kind, act.at, act.actor, act.role, act.fields, act.office, act.key, law,
        act.recorded_at,
    )  # fmt: skip


def _body(act: ActInput) -> tuple[Any, ...]:
    recorded = str(act.recorded_at) if act.recorded_at else None
    return (act.kind.value, str(act.at), act.actor, act.role.value, act.office, act.law, recorded, act.fields)


def _content(act: ActInput) -> bytes:
    """What the act says, without its key and the instant of recording: the same twice is one act."""
    said = [
        act.municipality, act.auto, act.kind, str(act.at), act.actor, act.role, act.office, act.law, act.fields,
    ]  # fmt: skip
    return hashlib.blake2b(canonical(said).encode(), digest_size=16).digest()


def _outcome(act: ActInput) -> str | None:
    """What the act itself says of its outcome, for the ordering of one day's acts."""
    if act.kind is Act.LAVRATURA:
        return "perigo_iminente" if act.fields.get("perigo_iminente") else "notificacao_encerrada"
    return act.fields.get("outcome")


def _centavos(act: ActInput) -> int:
    return int(act.fields["amount"].replace(".", "")) if act.kind is Act.PAGAMENTO else 0


def _seen_auto(seen: Mapping[str, Any]) -> str | None:
    auto = seen.get("auto")
    if isinstance(auto, bool) or not isinstance(auto, str | int):
        return None
    return str(auto).strip()[:60] or None


def _seen_moment(seen: Mapping[str, Any], municipality: str | None) -> tuple[str, int, int | None]:
    """Where a rejected line stands. Day 0 when it does not say: then nothing of its auto is surely before it."""
    place, tz = municipality or "", zone("UTC")
    try:
        place = municipality_code(seen.get("municipality") or place)
        tz = zone_of(place)
    except PosturasError:
        place = municipality or ""
    try:
        at = Moment.parse(str(seen.get("date")), tz)
    except PosturasError:
        return place, 0, None
    return place, at.day.toordinal(), at.epoch if at.has_hour else None


def _seen_kind(seen: Mapping[str, Any]) -> Act | None:
    try:
        return Act(str(seen.get("act")))
    except ValueError:
        return None


def _seen_outcome(seen: Mapping[str, Any]) -> str | None:
    outcome = seen.get("outcome")
    return outcome if isinstance(outcome, str) else None


def stage(reader: LineReader, staging: Staging, *, municipality: str | None = None, name: str = "") -> Iterator[int]:
    """Stage a file; after each line gives how many bytes were read, for a progress bar. Run it to its end.

    ``municipality`` is that of acts that do not say theirs. Raises WrongEncoding, UnknownHeader, RepeatedColumn.
    """
    place = 0

    def counted() -> Iterator[Line]:
        nonlocal place
        for line in reader:
            place = line.ends_at
            yield line

    for record in _records(counted(), staging, name):
        staging.add(record, municipality)
        yield place
    reader.judge_encoding()
    _place_stones(staging)


def _records(lines: Iterator[Line], staging: Staging, name: str) -> Iterator[Record]:
    first = next((line for line in lines if line.error is not None or (line.text or "").strip()), None)
    if first is None:
        return iter(())
    staging.is_table = name.lower().endswith(".csv") or (first.error is None and looks_like_header(first.text or ""))
    if staging.is_table:
        staging.header_line = first.number
        return table_records(first, lines)
    return json_records(chain([first], lines))


def _place_stones(staging: Staging) -> None:
    """A rejected line that does not say its municipality holds the auto of that number wherever the file has one."""
    places: dict[str, set[str]] = {}
    lost = [item for item in staging.items if item.stone and not item.municipality]
    if not lost:
        return
    for item in staging.items:
        if item.municipality:
            places.setdefault(item.auto, set()).add(item.municipality)
    for item in lost:
        for place in sorted(places.get(item.auto, ())):
            staging.items.append(
                Item(place, item.auto, item.day, item.clock, item.kind, item.line, item.outcome, stone=True)
            )
    staging.items = [item for item in staging.items if item.municipality]
