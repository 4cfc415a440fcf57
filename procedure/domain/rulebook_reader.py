"""Reading a rulebook's TOML into a ``Rulebook``: strict, every defect at once. No third party is imported here."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import resources
from typing import Any

from calendars.rules import PARAMETERS
from legalbasis import Citation, Defect, InputError, PosturasError, TomlDefects, TomlTable, load_toml
from procedure.domain import vocabulary as words
from procedure.domain.document_kinds import DocumentKind
from procedure.domain.register_rows import with_register_competences, with_register_rows, with_register_track
from procedure.domain.rulebook import (
    Competence,
    Content,
    DeadlineRule,
    Life,
    Outcome,
    Row,
    Rulebook,
    Switch,
)
from procedure.domain.rulebook_law_reader import LawTables

SAME_STATE = "="
FIXED_BY_ACT = "fixado"
NEXT_WORKING_DAY = "proximo_expediente"
SIDE_OUTCOMES = {words.Act.HASTA_PUBLICA.value: frozenset({"marcada", "vendida"})}
EACH_DAY = "diaria"


def read_rulebook(text: str, *, file: str) -> Rulebook:
    """Build the rulebook in ``text``. Raises TomlDefects with every defect (file, line, key, reason)."""
    root = load_toml(text, file=file)
    book = read_table(root, text)
    root.close()
    if root.defects:
        raise TomlDefects(root.defects)
    return book


def read_table(root: TomlTable, text: str) -> Rulebook:
    """Build the rulebook of a table already parsed from ``text``; its defects are noted in ``root``."""
    return _Reader(root, text).read()


@lru_cache(maxsize=16)
def shipped_rulebook(law: str) -> Rulebook:
    """The rulebook shipped for a law id. Raises InputError ``lei_desconhecida`` naming those that are."""
    place = resources.files("procedure.rulebooks").joinpath(f"{law}.toml")
    if law not in shipped_laws():
        raise InputError(
            f"não há lei codificada com o id “{law}”.",
            code="lei_desconhecida",
            field="law",
            remedy=f"Codificadas: {', '.join(shipped_laws())}.",
        )
    return read_rulebook(place.read_text(encoding="utf-8"), file=f"procedure/rulebooks/{law}.toml")


@lru_cache(maxsize=1)
def shipped_laws() -> tuple[str, ...]:
    """The ids of the shipped rulebooks, in order."""
    found = [
        f"{folder.name}/{item.name.removesuffix('.toml')}"
        for folder in resources.files("procedure.rulebooks").iterdir()
        if folder.is_dir()
        for item in folder.iterdir()
        if item.name.endswith(".toml")
    ]
    return tuple(sorted(found))


class _Reader(LawTables):
    def __init__(self, root: TomlTable, text: str) -> None:
        self.root = root
        self.text = text
        law = root.table("law")
        self.head: dict[str, str] = {
            key: law.str(key)
            for key in (
                "id", "norm", "title", "urn", "municipality", "municipality_name", "uf", "calendar", "counting",
                "espera", "timezone",
            )
        }  # fmt: skip
        law.close()

    def read(self) -> Rulebook:
        root = self.root
        life = self._life(root.table("life"))
        amendments = tuple(self._amendment(t) for t in root.tables("amendment"))
        switches = {name: self._switch(name, t) for name, t in self._named("switches")}
        outcomes = {act: self._outcome(act, t) for act, t in self._named("outcomes")}
        fixed_by, costs = self._fine(), self._costs()
        counting_options, counting_citation = self._counting()
        deadlines = {d.kind: d for d in (self._deadline(t) for t in root.tables("deadline"))}
        rows = tuple(row for t in root.tables("row") for row in self._rows(t, outcomes, deadlines, switches))
        competences: dict[str, Competence] = {}
        for table in root.tables("competence"):
            competences.update(self._competence(table))
        contents: dict[str, tuple[Content, ...]] = {}
        for table in root.tables("content"):
            act, content = self._content(table)
            contents[act] = (*contents.get(act, ()), content)
        documents: dict[str, tuple[Content, ...]] = {}
        for table in root.tables("document"):
            kind, content = self._document(table)
            documents[kind] = (*documents.get(kind, ()), content)
        notice_rule, notice_citation = self._notice(root.table("ciencia"))
        penalties, choices = self._penalties()
        units = root.table("units", optional=True)
        digest = hashlib.sha256(self.text.encode()).hexdigest()[:12]
        tracks = with_register_track(rows, self._track_rows(deadlines))
        competences = with_register_competences(rows, competences)
        rows = with_register_rows(rows)
        by_origin: dict[str | None, tuple[Row, ...]] = {}
        for row in rows:
            by_origin[row.origin] = (*by_origin.get(row.origin, ()), row)
        return Rulebook(
            **self.head,
            version=f"{life.procedure_from}+{digest}",
            text=self.text,
            life=life,
            switches=switches,
            outcomes=outcomes,
            rows=rows,
            deadlines=deadlines,
            competences=competences,
            contents=contents,
            documents=documents,
            impediment=self._impediment(),
            second_instance=self._second_instance(),
            notice_rule=notice_rule,
            notice_citation=notice_citation,
            recidivism=self._recidivism(),
            surcharge=self._surcharge(),
            penalties=penalties,
            penalty_choices=choices,
            infractions=self._infractions(penalties, choices),
            exclusions=self._exclusions(),
            fine_fixed_by=fixed_by,
            proofs=self._proofs(),
            discounts=tuple(self._discount(t) for t in root.tables("discount")),
            ex_officio=self._ex_officio(),
            costs_percent=costs,
            counting_options=counting_options,
            counting_citation=counting_citation,
            amendments=amendments,
            track_rows=tracks,
            units={code: units.str(code) for code in units.keys()},  # noqa: SIM118  # a TomlTable is no mapping
            rows_by_origin=by_origin,
        )

    def _named(self, key: str) -> list[tuple[str, TomlTable]]:
        parent = self.root.table(key, optional=True)
        return [(name, parent.table(name)) for name in parent.keys()]  # noqa: SIM118  # no mapping

    def _life(self, t: TomlTable) -> Life:
        life = Life(
            in_force_from=t.date("in_force_from"),
            certain_until=t.date("certain_until", None),
            repealed_by=t.str("repealed_by", None),
            procedure_from=t.date("procedure_from"),
            end=t.date("end", None),
            certain_from=t.date("certain_from", None),
            citation=self.cite(t),
            grace_until=t.date("grace_until", None),
            grace_exempt=t.str("grace_exempt", None),
        )
        t.str("grace_article", None)
        t.str("note", None)
        t.close()
        return life

    def _amendment(self, t: TomlTable) -> tuple[str, Any]:
        found = (t.str("norm"), t.date("in_force_from"))
        t.close()
        return found

    def _switch(self, name: str, t: TomlTable) -> Switch:
        switch = Switch(name, t.str("default"), t.strings("values"), t.str("note"), self.cite(t))
        if switch.default not in switch.values:
            t.defect("default", "não está entre os valores")
        t.close()
        return switch

    def _outcome(self, act: str, t: TomlTable) -> Outcome:
        self._word(t, "", act, words.Act)
        outcome = Outcome(act, t.str("by"), t.strings("values"))
        t.close()
        return outcome

    def _rows(
        self,
        t: TomlTable,
        outcomes: dict[str, Outcome],
        deadlines: dict[str, DeadlineRule],
        switches: dict[str, Switch],
    ) -> list[Row]:
        origins: list[str | None] = list(t.strings("from", ())) or [None]
        act, target = t.str("act"), t.str("to")
        wanted = t.strings("outcome", ())
        opens, then = t.strings("opens", ()), t.strings("then", ())
        switch_table = t.table("switch", optional=True)
        switch = next(((k, switch_table.str(k)) for k in switch_table.keys()), None)  # noqa: SIM118  # no mapping
        self._check_row(t, act, target, wanted, outcomes)
        for kind in opens:
            if kind not in deadlines:
                t.defect("opens", f"não há prazo “{kind}”")
        if switch and (switch[0] not in switches or switch[1] not in switches[switch[0]].values):
            t.defect("switch", "chave ou valor desconhecido")
        for origin in origins:
            if origin is not None:
                self._word(t, "from", origin, words.State)
        requires, citation = t.strings("requires", ()), self.cite(t)
        t.close()
        return [
            Row(o, act, w, (o or "") if target == SAME_STATE else target, opens, then, requires, switch, citation)
            for o in origins
            for w in (wanted or (None,))
        ]

    def _track_rows(self, deadlines: dict[str, DeadlineRule]) -> dict[str, tuple[Row, ...]]:
        found: dict[str, tuple[Row, ...]] = {}
        for t in self.root.tables("track_row"):
            track = t.enum("track", words.Track).value
            origins: list[str | None] = list(t.strings("from", ())) or [None]
            act, target = t.str("act"), t.str("to")
            self._word(t, "act", act, words.Act)
            for state in (*(o for o in origins if o), *(() if target == SAME_STATE else (target,))):
                self._word(t, "to", state, words.TrackState)
            opens, wanted = t.strings("opens", ()), t.strings("outcome", ())
            for value in wanted:
                if value not in SIDE_OUTCOMES.get(act, frozenset()):
                    t.defect("outcome", f"“{value}” não é resultado de {act} numa trilha")
            for kind in opens:
                if kind not in deadlines:
                    t.defect("opens", f"não há prazo “{kind}”")
            requires, when, citation = t.strings("requires", ()), t.str("when", None), self.cite(t)
            t.close()
            found[track] = (
                *found.get(track, ()),
                *(
                    Row(
                        o, act, w, (o or "") if target == SAME_STATE else target, opens, (), requires, None, citation,
                        track, when,
                    )
                    for o in origins
                    for w in (wanted or (None,))
                ),
            )  # fmt: skip
        return found

    def _counting(self) -> tuple[dict[str, str], Citation | None]:
        """What the law changes in the rule that it names, and its own article on counting."""
        if "counting" not in self.root:
            return {}, None
        t = self.root.table("counting")
        options = t.table("options", optional=True)
        found = {name: options.str(name) for name in options.keys()}  # noqa: SIM118  # no mapping
        for name, value in found.items():
            if name not in PARAMETERS or value not in list(PARAMETERS[name]):
                options.defect(name, f"“{name} = {value}” não existe")
        citation = self.cite(t)
        t.close()
        return found, citation

    def _fine(self) -> frozenset[str]:
        t = self.root.table("fine")
        acts = t.strings("fixed_by")
        for act in acts:
            self._word(t, "fixed_by", act, words.Act)
        self.cite(t)
        t.close()
        return frozenset(acts)

    def _proofs(self) -> frozenset[str]:
        """The notices that must have been served before a debt is inscribed."""
        t = self.root.table("gate")
        acts = t.strings("proof_of_notice")
        for act in acts:
            self._word(t, "proof_of_notice", act, words.Act)
        self.cite(t)
        t.close()
        return frozenset(acts)

    def _check_row(
        self, t: TomlTable, act: str, target: str, wanted: tuple[str, ...], outcomes: dict[str, Outcome]
    ) -> None:
        self._word(t, "act", act, words.Act)
        if target != SAME_STATE:
            self._word(t, "to", target, words.State)
        known = outcomes[act].values if act in outcomes else ()
        for value in wanted:
            if value not in known:
                t.defect("outcome", f"“{value}” não é resultado de {act}")
        if known and not wanted:
            t.defect("outcome", f"{act} tem resultados: diga qual")

    def _deadline(self, t: TomlTable) -> DeadlineRule:
        rule = DeadlineRule(
            kind=t.str("kind"),
            term=t.str("term"),
            starts=t.str("starts"),
            expiry=t.str("expiry"),
            answers=t.strings("answers", ()),
            places=t.strings("places"),
            alternative_places=t.strings("alternative_places", ()),
            payment=t.bool("payment", False),
            internal=t.bool("internal", False),
            citation=self.cite(t),
            track=t.str("track", words.MAIN_TRACK),
            term_field=t.str("term_field", "term"),
            default_term=t.str("default_term", None),
            animal_term=t.str("animal_term", None),
            counting=t.str("counting", None),
            again=t.str("again", None),
        )
        t.str("note", None)
        self._word(t, "expiry", rule.expiry, words.Act)
        t.close()
        return rule

    def _competence(self, t: TomlTable) -> dict[str, Competence]:
        roles, acts = t.strings("roles"), t.strings("acts")
        for role in roles:
            self._word(t, "roles", role, words.Role)
        for act in acts:
            self._word(t, "acts", act, words.Act)
        also = []
        for extra in t.tables("also"):
            also.append((extra.str("role"), frozenset(extra.strings("articles"))))
            extra.close()
        competence = Competence(roles, self.cite(t), tuple(also))
        t.close()
        return dict.fromkeys(acts, competence)

    def _content(self, t: TomlTable) -> tuple[str, Content]:
        act = t.str("act")
        self._word(t, "act", act, words.Act)
        content = Content(t.str("element"), t.str("label"), self.cite(t))
        t.close()
        return act, content

    def _document(self, t: TomlTable) -> tuple[str, Content]:
        kind = t.enum("document", DocumentKind).value
        content = Content(t.str("element"), t.str("label"), self.cite(t))
        t.close()
        return kind, content

    def _notice(self, t: TomlTable) -> tuple[dict[str, str], Citation]:
        rule = {method.value: t.str(method.value) for method in words.Method if method.value in t}
        citation = self.cite(t)
        t.close()
        return rule, citation

    def _impediment(self) -> tuple[frozenset[str], Citation] | None:
        if "impediment" not in self.root:
            return None
        t = self.root.table("impediment")
        found = (frozenset(t.strings("acts")), self.cite(t))
        t.close()
        return found

    def _second_instance(self) -> tuple[str, bool, Citation] | None:
        if "second_instance" not in self.root:
            return None
        t = self.root.table("second_instance")
        found = (t.str("act"), t.bool("may_worsen"), self.cite(t))
        t.close()
        return found


def defects_of(text: str, *, file: str) -> tuple[Defect, ...]:
    """All the defects of a rulebook text; none when it reads clean."""
    try:
        read_rulebook(text, file=file)
    except TomlDefects as error:
        return error.defects
    except PosturasError as error:
        return (Defect(file, "", error.message),)
    return ()
