"""One case that stands for many: what a decision may look at of them, and nothing else.

A probe holds the values that a group of cases share. What differs between them and is only carried into the record (the
auto, the person, a day) it holds as a token, a text of private-use characters that the group's cases fill in
afterwards; what it does not hold cannot be read: reading it raises ``Unseen``, and the group is then told apart by it
too. So whatever a decision on the probe gives, it gives for each case of the group.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import Any, NoReturn

from procedure.domain.case import Case
from procedure.domain.chain import canonical

FIRST, ROOM, LAST = 0xF0000, 80, 0xFFFFD  # each token takes its own 80 characters of plane 15
TOKENS = re.compile(f"[{chr(FIRST)}-{chr(LAST)}]+")
WHOLE = 2  # length of a token that is carried whole or not at all
AMOUNTS = ("arbitrada", "acrescimo", "diaria", "custos", "pago")
HIDEABLE = frozenset({*AMOUNTS, "fact_date", "person_id", "person_key"})

Carried = tuple[str, ...]
Part = Any  # a hashable that tells groups apart
Token = Callable[[int], str]  # from a length to the next token


class Unseen(Exception):
    """The decision reads what the probe does not hold; ``name`` is a field of the case or ``facts.name``."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class NotShared(Exception):
    """The decision does with the probe what cannot be done for the whole group."""


def token(index: int, length: int = WHOLE) -> str:
    """The token of a carried value."""
    first = FIRST + index * ROOM
    if length > ROOM or first + ROOM > LAST:
        raise NotShared("no room for the token")
    return "".join(map(chr, range(first, first + length)))


class ProbeFacts(dict[str, Any]):
    """The members that the group shares. ``written`` are those that the decision set, or took out (None)."""

    def __init__(self, known: dict[str, Any], names: frozenset[str]) -> None:
        super().__init__(known)
        self._names = names
        self.written: set[str] = set()

    def _look(self, name: str) -> None:
        if name not in self._names and name not in self.written:
            raise Unseen(f"facts.{name}")

    def __getitem__(self, name: str) -> Any:
        self._look(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """The member's value. Raises Unseen."""
        self._look(name)
        return super().get(name, default)

    def __contains__(self, name: object) -> bool:
        self._look(str(name))
        return super().__contains__(name)

    def __setitem__(self, name: str, value: Any) -> None:
        self.written.add(name)
        super().__setitem__(name, value)

    def pop(self, name: str, *default: Any) -> Any:
        """Take the member out. Raises Unseen."""
        self._look(name)
        self.written.add(name)
        return super().pop(name, *default)

    def _whole(self, *_: Any, **__: Any) -> NoReturn:
        raise NotShared("all of the facts are read")

    __iter__ = keys = items = values = __len__ = update = copy = setdefault = __or__ = __eq__ = _whole

    def stored(self, name: str) -> Any:
        """The value after the decision; None when there is none."""
        return dict.get(self, name)


class Narrow(dict[str, Any]):
    """Some members of a JSON object: the others cannot be read, and it cannot be written as it stands.

    With a ``token`` it is written as ``{"token":0}``, for which each case has its own text.
    """

    def __init__(self, seen: dict[str, Any], named: str | None = None) -> None:
        super().__init__({named: 0} if named else {"": object()})
        self._seen = seen

    def __getitem__(self, name: str) -> Any:
        if name not in self._seen:
            raise NotShared(name)
        return self._seen[name]

    def get(self, name: str, default: Any = None) -> Any:
        """The member's value. Raises NotShared."""
        return self[name]

    def __contains__(self, name: object) -> bool:
        return self[str(name)] is not None

    def _whole(self, *_: Any, **__: Any) -> NoReturn:
        raise NotShared("all of an object is read")

    keys = values = update = copy = pop = setdefault = __or__ = __eq__ = _whole


class ProbeCase(Case):
    """A case of which only the fields named in ``visible`` may be read, and those that the decision wrote."""

    __slots__ = ("visible",)

    def __getattribute__(self, name: str) -> Any:
        if name in HIDEABLE and name not in object.__getattribute__(self, "visible"):
            raise Unseen(name)
        return object.__getattribute__(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in HIDEABLE:
            self.visible.add(name)
        object.__setattr__(self, name, value)


# What the group shares of a stored value, and what each case carries; then the value that the probe holds for it.


def _plain(text: str) -> tuple[Part, Carried]:
    return text, ()


def _plain_value(part: Part, _next: Token) -> Any:
    return json.loads(part)


_MOMENT = re.compile(r'"([0-9T:+Z-]{10,30})"\Z')


def _moment(text: str) -> tuple[Part, Carried]:
    found = _MOMENT.match(text)
    return (len(found[1]), (found[1],)) if found else (text, ())


def _moment_value(part: Part, following: Token) -> Any:
    return following(part) if isinstance(part, int) else json.loads(part)


def _text(text: str) -> tuple[Part, Carried]:
    return (True, (text[1:-1],)) if text[:1] == '"' and len(text) > 2 else (text, ())


def _text_value(part: Part, following: Token) -> Any:
    return following(WHOLE) if part is True else json.loads(part)


_PERSONAL = re.compile(r'"(digest|key|person)":"([^"\\]+)"')


def _person(text: str) -> tuple[Part, Carried]:
    return _PERSONAL.sub(r'"\1":"\\u0000"', text), tuple([found[1] for found in _PERSONAL.findall(text)])


def _person_value(part: Part, following: Token) -> Any:
    person = json.loads(part)
    if not person:
        return person
    return {name: following(WHOLE) if value == "\x00" else value for name, value in person.items()}


def _notices(text: str) -> tuple[Part, Carried]:
    return tuple([item["act"] for item in json.loads(text)]), ()


def _notices_value(part: Part, _next: Token) -> Any:
    return [Narrow({"act": act}) for act in part]


def _decisions(text: str) -> tuple[Part, Carried]:
    return tuple([bool(item["notified"]) for item in json.loads(text)]), ()


def _decisions_value(part: Part, _next: Token) -> Any:
    return [Narrow({"notified": notified}) for notified in part]


_OF_FILING = ("act", "timeliness", "decided", "moved")


def _filings(text: str) -> tuple[Part, Carried]:
    filings = json.loads(text)
    part = tuple([(len(item["date"]), *(item[name] for name in _OF_FILING)) for item in filings])
    return part, tuple([item["date"] for item in filings])


def _filings_value(part: Part, following: Token) -> Any:
    return [Narrow({"date": following(item[0]), **dict(zip(_OF_FILING, item[1:], strict=True))}) for item in part]


def _facts_told(text: str) -> tuple[Part, Carried]:
    return tuple([fact.get("law_note") for fact in json.loads(text)]), ()


def _facts_told_value(part: Part, _next: Token) -> Any:
    return [Narrow({"law_note": note}) for note in part]


_OF_LINE = ("article", "penalty_article", "status")


@lru_cache(maxsize=1_024)
def _lines(text: str) -> Part:
    memo = json.loads(text)
    if not memo:
        return text
    return tuple([tuple([line.get(name) for name in _OF_LINE]) for line in memo.get("lines", ())])


def _memo(text: str) -> tuple[Part, Carried]:
    part = _lines(text)
    return part, (() if isinstance(part, str) else (text,))


def _memo_value(part: Part, following: Token) -> Any:
    if isinstance(part, str):
        return json.loads(part)
    lines = [Narrow(dict(zip(_OF_LINE, line, strict=True))) for line in part]
    return Narrow({"lines": lines}, following(WHOLE))


VIEWS: dict[str, tuple[Callable[[str], tuple[Part, Carried]], Callable[[Part, Token], Any]]] = {
    "final_at": (_moment, _moment_value),
    "processo": (_text, _text_value),
    "infrator": (_person, _person_value),
    "responsavel": (_person, _person_value),
    "ciencias": (_notices, _notices_value),
    "decisions": (_decisions, _decisions_value),
    "filings": (_filings, _filings_value),
    "infractions": (_facts_told, _facts_told_value),
    "assessment": (_memo, _memo_value),
}
PLAIN = (_plain, _plain_value)


def carried_day(day: date | str | None) -> tuple[Part, Carried]:
    """How a day that is only written tells groups apart: by its being there."""
    return (True, (str(day),)) if day else (None, ())


def json_inside(text: str) -> str:
    """A text as it stands between the quotes of a JSON string."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return text
    return canonical(text)[1:-1]
