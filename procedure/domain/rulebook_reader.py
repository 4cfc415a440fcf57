"""Reading a rulebook's TOML into a ``Rulebook``: strict, every defect at once. No third party is imported here."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import resources
from typing import Any

from legalbasis import Citation, Defect, InputError, PosturasError, Provision, Status, TomlDefects, TomlTable, load_toml
from penalties import penalty_from_table
from procedure.domain import vocabulary as words
from procedure.domain.rulebook import (
    Competence,
    Content,
    DeadlineRule,
    Exclusion,
    Infraction,
    Life,
    Outcome,
    Row,
    Rulebook,
    Switch,
)

SAME_STATE = "="
FIXED_BY_ACT = "fixado"
NEXT_WORKING_DAY = "proximo_expediente"
_EXCLUSIONS = {
    "not_citable": ("nao_citavel", "reason"),
    "not_encoded": ("nao_codificado", "missing"),
    "other_consequence": ("outra_consequencia", "description"),
    "other_law": ("outra_lei", "reason"),
    "not_applied": ("nao_aplicar", "reason"),
    "no_penalty": ("sem_pena", "reason"),
}


def read_rulebook(text: str, *, file: str) -> Rulebook:
    """Build the rulebook in ``text``. Raises TomlDefects with every defect (file, line, key, reason)."""
    root = load_toml(text, file=file)
    book = _Reader(root, text).read()
    root.close()
    if root.defects:
        raise TomlDefects(root.defects)
    return book


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


class _Reader:
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
        deadlines = {d.kind: d for d in (self._deadline(t) for t in root.tables("deadline"))}
        rows = tuple(row for t in root.tables("row") for row in self._rows(t, outcomes, deadlines, switches))
        competences: dict[str, Competence] = {}
        for table in root.tables("competence"):
            competences.update(self._competence(table))
        contents: dict[str, tuple[Content, ...]] = {}
        for table in root.tables("content"):
            act, content = self._content(table)
            contents[act] = (*contents.get(act, ()), content)
        notice_rule, notice_citation = self._notice(root.table("ciencia"))
        penalties, choices = self._penalties()
        units = root.table("units", optional=True)
        digest = hashlib.sha256(self.text.encode()).hexdigest()[:12]
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
            amendments=amendments,
            units={code: units.str(code) for code in units.keys()},  # noqa: SIM118  # a TomlTable is no mapping
            rows_by_origin=by_origin,
        )

    def cite(self, table: TomlTable, key: str = "article") -> Citation:
        text = table.str(key)
        status = table.enum("status", Status, Status.TEXTO)
        table.str("basis", None)  # the general rule that fills a silence: for readers and for `rulebook check`
        self._provision(table, key, text)
        return Citation(self.head["urn"], self.head["norm"], text, status)

    def _provision(self, table: TomlTable, key: str, text: str) -> None:
        try:
            Provision.parse(text)
        except InputError as error:
            table.defect(key, error.message)

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
        )
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

    def _word(self, t: TomlTable, key: str, value: str, kind: Any) -> None:
        if value not in {m.value for m in kind}:
            t.defect(key, f"“{value}” não é {kind.__name__}")

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
        )
        self._word(t, "expiry", rule.expiry, words.Act)
        t.close()
        return rule

    def _competence(self, t: TomlTable) -> dict[str, Competence]:
        roles, acts = t.strings("roles"), t.strings("acts")
        for role in roles:
            self._word(t, "roles", role, words.Role)
        for act in acts:
            self._word(t, "acts", act, words.Act)
        competence = Competence(roles, self.cite(t))
        t.close()
        return dict.fromkeys(acts, competence)

    def _content(self, t: TomlTable) -> tuple[str, Content]:
        act = t.str("act")
        self._word(t, "act", act, words.Act)
        content = Content(t.str("element"), t.str("label"), self.cite(t))
        t.close()
        return act, content

    def _notice(self, t: TomlTable) -> tuple[dict[str, str], Citation]:
        rule = {method.value: t.str(method.value) for method in words.Method}
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

    def _recidivism(self) -> dict[str, Any]:
        t = self.root.table("reincidencia", optional=True)
        if not t.keys():
            return {}
        found = {"citation": self.cite(t), "definition": t.str("definition"), "progressao": t.str("progressao")}
        t.close()
        return found

    def _surcharge(self) -> dict[str, Any] | None:
        if "surcharge" not in self.root:
            return None
        t = self.root.table("surcharge")
        found = {"rate": t.decimal("rate"), "deadline": t.str("deadline"), "citation": self.cite(t)}
        t.close()
        return found

    def _penalties(self) -> tuple[dict[str, tuple[Any, ...]], dict[str, tuple[str, dict[str, str]]]]:
        penalties: dict[str, tuple[Any, ...]] = {}
        for t in self.root.tables("penalty"):
            penalty = penalty_from_table(t)
            penalties[penalty.id] = (*penalties.get(penalty.id, ()), penalty)
        choices = {}
        for t in self.root.tables("penalty_choice"):
            options = t.table("options")
            name, switch = t.str("id"), t.str("switch")
            t.enum("status", Status, Status.TEXTO)
            t.str("note", None)
            choices[name] = (switch, {k: options.str(k) for k in options.keys()})  # noqa: SIM118  # no mapping
            t.close()
        return penalties, choices

    def _infractions(self, penalties: dict[str, Any], choices: dict[str, Any]) -> dict[str, Infraction]:
        found: dict[str, Infraction] = {}
        for t in self.root.tables("infraction"):
            infraction = self._infraction(t)
            if infraction.provision in found:
                t.defect("id", f"“{infraction.provision}” está repetido")
            for name in infraction.penalties:
                if name not in penalties and name not in choices:
                    t.defect("penalty", f"não há penalidade “{name}”")
            found[infraction.provision] = infraction
        return found

    def _infraction(self, t: TomlTable) -> Infraction:
        notice = t.table("notice", optional=True)
        subjects = t.table("penalty_subject", optional=True)
        t.str("chapter_status", None)
        notice.str("article", None)
        infraction = Infraction(
            provision=t.str("id"),
            description=t.str("description"),
            penalties=t.strings("penalty"),
            group=t.str("group"),
            chapter=t.str("chapter", ""),
            in_force_from=t.date("in_force_from", None),
            in_force_until=t.date("in_force_until", None),
            before=t.str("before", "inexistente"),
            unknown_years=tuple(t.raw("unknown_years", [])),
            warnings=t.strings("warnings", ()),
            notice_max=notice.str("max", None),
            subject=t.str("subject", None),
            penalty_subject={k: subjects.str(k) for k in subjects.keys()},  # noqa: SIM118  # no mapping
            condition=t.str("condition", None),
            special_over=t.strings("special_over", ()),
            effects=t.strings("effects", ()),
            effects_on_reincidencia=t.strings("effects_on_reincidencia", ()),
            citation=self.cite(t, "id"),
        )
        notice.close()
        t.close()
        return infraction

    def _exclusions(self) -> dict[str, Exclusion]:
        found: dict[str, Exclusion] = {}
        for key, (kind, reason_key) in _EXCLUSIONS.items():
            for t in self.root.tables(key):
                provision, reason = t.str("id"), t.str(reason_key)
                self._provision(t, "id", provision)
                detail = [t.str(k, None) for k in ("kind", "consequence", "law", "reason") if k != reason_key]
                t.bool("needs_confirmation", False)
                self._ignored_exclusion_keys(t)
                text = f"{next((d for d in detail if d), '')}: {reason}" if kind == "outra_lei" else reason
                partial = t.bool("partial", False)
                if not partial or provision not in found:  # what is lost in part does not hide what the whole is
                    found[provision] = Exclusion(provision, kind, text, partial)
                t.close()
        return found

    def _ignored_exclusion_keys(self, t: TomlTable) -> None:
        """Facts kept in the data for the side tracks and for readers; no refusal turns on them."""
        t.date("in_force_from", None)
        t.str("before", None)
        t.raw("unknown_years", None)
        t.enum("status", Status, Status.TEXTO)
        t.str("note", None)
        notice = t.table("notice", optional=True)
        notice.str("max", None)
        notice.str("article", None)
        notice.close()


def defects_of(text: str, *, file: str) -> tuple[Defect, ...]:
    """All the defects of a rulebook text; none when it reads clean."""
    try:
        read_rulebook(text, file=file)
    except TomlDefects as error:
        return error.defects
    except PosturasError as error:
        return (Defect(file, "", error.message),)
    return ()
