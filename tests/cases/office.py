"""The runner of legal cases: reads a case written as data, does its steps over a store, compares without tolerance.

A folder holds the cases of one municipality. A case file holds `[person.<name>]` tables, the first of which is the
person of a piece that names none, and `[[case]]` tables. A case has `id`, `sentence` (what a caseworker reads), `why`
(how the expected values follow from the law), `provisions` (of the rulebook), `steps`, and what the municipality
supplies: `options`, `unit_value` (or `unit_values`, pairs of a first day and the value), `end`, `closed`. `rulebook`
replaces text of the shipped rulebook: pairs of what stands there and what is put in its place. A step is one of

- an act: `act`, `date` and the fields of the import format; actor, role, and what the law asks of each piece are filled
  in when left out, and `without` takes out what would be filled in;
- `sweep`: the moment of a sweep;

with what must be so afterwards (`EXPECTATIONS`). An unknown name anywhere is an error. At the end of every case its
record must replay to the same, every term counted and every fine worked out again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from unittest.mock import patch

from legalbasis import ErrorGroup, PosturasError
from procedure.domain.case import Case
from procedure.domain.moment import Moment
from procedure.domain.rulebook import Rulebook
from procedure.domain.rulebook_reader import read_rulebook, shipped_rulebook
from procedure.services.record import Recorder
from procedure.services.showing import show_case
from tests.cases.filling import Desk, filled, iso, remove
from tests.cases.found import EXPECTATIONS, NOT_COMPARED, found
from tests.cases.municipalities import MUNICIPALITIES, Municipality
from tests.cases.places import Place, municipal_data

CASE_KEYS = {
    "id", "sentence", "why", "provisions", "steps", "options", "unit_value", "start", "end", "closed", "both_databases",
    "rulebook", "unit_values",
}  # fmt: skip


@dataclass(frozen=True)
class LegalCase:
    """One case as it is written."""

    municipality: Municipality
    file: str
    data: Mapping[str, Any]
    people: Mapping[str, Any]

    @property
    def id(self) -> str:
        return str(self.data["id"])


def read_cases() -> list[LegalCase]:
    """Every case of every folder; a name that is not known is refused here."""
    return [case for municipality in MUNICIPALITIES for case in read_folder(municipality, municipality.folder)]


def read_folder(municipality: Municipality, folder: Path) -> list[LegalCase]:
    """The cases of one folder."""
    cases = []
    for path in sorted(folder.glob("*.toml")):
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        assert set(document) <= {"person", "case"}, (path.name, set(document))
        for data in document["case"]:
            assert set(data) <= CASE_KEYS, (path.name, data.get("id"), set(data) - CASE_KEYS)
            assert {"id", "sentence", "why", "provisions", "steps"} <= set(data), (path.name, data.get("id"))
            cases.append(LegalCase(municipality, f"{municipality.name}/{path.name}", data, document["person"]))
    return cases


class Office:
    """A municipality's office over one store, in which a case happens."""

    def __init__(self, place: Place, case: LegalCase) -> None:
        self.place = place
        self.case = case
        self.here = here = case.municipality
        self.drawn: dict[str, tuple[tuple[str, ...], bool]] = {}
        priced = {"unit_value": here.value, **case.data}
        place.supply(municipal_data(here.code, here.law, here.units, here.since, priced))

    def run(self) -> None:
        with ExitStack() as patched:
            if "rulebook" in self.case.data:
                book = _rewritten(self.here.law, self.case.data["rulebook"])
                shipped = "procedure.domain.rulebooks.shipped_rulebook"
                patched.enter_context(patch(shipped, lambda law: book if law == book.id else shipped_rulebook(law)))
            for number, step in enumerate(self.case.data["steps"], start=1):
                with _told(f"{self.case.file}: {self.case.id}: step {number}"):
                    self._step(dict(step))

    def _step(self, step: dict[str, Any]) -> None:
        expected = {name: step.pop(name) for name in list(step) if name in EXPECTATIONS}
        auto = str(step.pop("auto", self.here.first_auto))
        before = self._written(auto)
        failed = self._sweep(step) if "sweep" in step else self._act(auto, step)
        wanted = [expected.pop("error")] if "error" in expected else sorted(expected.pop("errors", []))
        assert sorted(e.error_code for e in failed) == wanted, [f"{e.error_code}: {e}" for e in failed]
        if failed:
            assert self._written(auto) == before, "a refused act left something behind"
            text = " ".join(str(e) for e in failed)
            assert expected.pop("says", "") in text, text
        assert expected or failed, "a step without expectation proves nothing: say at least the state"
        if expected:
            self._compare(auto, expected, before)

    def _sweep(self, step: dict[str, Any]) -> list[PosturasError]:
        assert set(step) == {"sweep"}, set(step)
        as_of = Moment.parse(iso(step["sweep"]), self.here.zone)
        assert self.place.sweep(self.here.code, as_of) == {}
        return []

    def _act(self, auto: str, step: dict[str, Any]) -> list[PosturasError]:
        recorded = step.pop("recorded", None)
        data = self._filled(auto, step)
        instant = self._instant(recorded) if recorded else self._last_instant(data)
        try:
            with self.place.unit() as repository:
                Recorder(repository).record(data, recorded_at=instant)
        except ErrorGroup as group:
            return list(group.errors)
        except PosturasError as error:
            return [error]
        if data["act"] in ("lavratura", "notificacao"):
            if "collects" in data:
                self.drawn[auto] = self.drawn[data["linked_auto"]]
                return []
            facts = data.get("infractions") or [data["fact"]]
            self.drawn[auto] = (tuple(f["article"] for f in facts), data["act"] == "lavratura")
        return []

    def _filled(self, auto: str, step: dict[str, Any]) -> dict[str, Any]:
        act = step["act"]
        role = step.pop("role", self.here.who.get(act, "fiscal"))
        without = step.pop("without", [])
        actor = step.pop("actor", f"{role}-1")
        articles, fined = self.drawn.get(auto, (("64-I",), True))
        desk = Desk(self.here, self.case.people, articles, fined)
        data = {"municipality": self.here.code, "auto": auto, "role": role, "actor": actor, **step}
        data = filled(desk, act, data)
        for path in without:
            remove(data, path)
        return data

    def _written(self, auto: str) -> list[str]:
        with self.place.unit(read_only=True) as repository:
            return [act.kind for act in repository.acts(self.here.code, auto)]

    def _compare(self, auto: str, expected: dict[str, Any], before: list[str]) -> None:
        with self.place.unit(read_only=True) as repository:
            doc = show_case(repository, self.here.code, auto)
            case: Case = repository.load(self.here.code, [auto], lock=False)[auto]
        assert not set(expected) & NOT_COMPARED, "nothing was refused"
        wrote = self._written(auto)[len(before) :]
        assert {name: found(name, doc, case, wrote, asked) for name, asked in expected.items()} == iso(expected)

    def _instant(self, moment: date | datetime) -> datetime:
        naive = moment if isinstance(moment, datetime) else datetime.combine(moment, time(18))
        return naive.replace(tzinfo=self.here.zone)

    def _last_instant(self, data: Mapping[str, Any]) -> datetime:
        """The end of the last day that the act speaks of, but never of its fact's: an act comes after its fact."""
        names = ("date", "received", "juntada", "publication", "recorded_at")
        days = [str(data[name])[:10] for name in names if data.get(name)]
        return datetime.combine(date.fromisoformat(max(days)), time(23, 59), self.here.zone)


@contextmanager
def _told(place: str) -> Iterator[None]:
    try:
        yield
    except (AssertionError, PosturasError) as error:
        raise AssertionError(f"{place}: {error}") from error


def _rewritten(law: str, changes: list[list[str]]) -> Rulebook:
    """The shipped rulebook with its text changed: what is replaced must stand there once."""
    text = shipped_rulebook(law).text
    for old, new in changes:
        assert text.count(old) == 1, (old, text.count(old))
        text = text.replace(old, new)
    return read_rulebook(text, file=law)
