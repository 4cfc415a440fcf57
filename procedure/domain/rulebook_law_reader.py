"""Reading what a law punishes, and by how much: penalties, infractions, what cannot be cited, what changes a fine."""

from __future__ import annotations

from typing import Any

from legalbasis import Citation, InputError, Provision, Status, TomlTable
from penalties import penalty_from_table
from procedure.domain.rulebook import Discount, Exclusion, ExOfficio, Infraction

_EXCLUSIONS = {
    "not_citable": ("nao_citavel", "reason"),
    "not_encoded": ("nao_codificado", "missing"),
    "other_consequence": ("outra_consequencia", "description"),
    "other_law": ("outra_lei", "reason"),
    "not_applied": ("nao_aplicar", "reason"),
    "no_penalty": ("sem_pena", "reason"),
}


class LawTables:
    """The part of a rulebook's reader that needs only the file and the law's own name."""

    root: TomlTable
    head: dict[str, str]

    def cite(self, table: TomlTable, key: str = "article") -> Citation:
        """The citation of a table: its article, with the status it says."""
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

    def _word(self, t: TomlTable, key: str, value: str, kind: Any) -> None:
        if value not in {m.value for m in kind}:
            t.defect(key, f"“{value}” não é um destes: {', '.join(sorted(m.value for m in kind))}")

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
        t.str("note", None)
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
            cancels_licence=self._cancelling(t),
        )
        notice.close()
        t.close()
        return infraction

    def _cancelling(self, t: TomlTable) -> Citation | None:
        """The article by which reincidência cancels the licence, where the law determines it."""
        article = t.str("cassacao_obrigatoria", None)
        if article is None:
            return None
        self._provision(t, "cassacao_obrigatoria", article)
        return Citation(self.head["urn"], self.head["norm"], article, Status.TEXTO)

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

    def _discount(self, t: TomlTable) -> Discount:
        found = Discount(
            percent=t.decimal("percent"),
            within=t.str("within", None),
            citation=self.cite(t),
            reincidente=t.bool("reincidente", True),
            until=t.date("until", None),
            when=t.str("when", None),
        )
        if not (found.within or found.until or found.when):
            t.defect("within", "falta dizer até quando: “within” (prazo ou estado), “until” (dia) ou “when” (fato)")
        t.close()
        return found

    def _ex_officio(self) -> ExOfficio | None:
        if "ex_officio" not in self.root:
            return None
        t = self.root.table("ex_officio")
        found = ExOfficio(t.str("act"), t.decimal("over"), self.cite(t))
        t.close()
        return found

    def _costs(self) -> tuple[Any, Citation] | None:
        if "costs" not in self.root:
            return None
        t = self.root.table("costs")
        found = (t.decimal("percent"), self.cite(t))
        t.close()
        return found

    def _recidivism(self) -> dict[str, Any]:
        t = self.root.table("reincidencia", optional=True)
        if not t.keys():
            return {}
        window = t.table("window", optional=True)
        found = {
            "citation": self.cite(t),
            "definition": t.str("definition"),
            "progressao": t.str("progressao"),
            "months": window.int("months", None),
            "anchor": window.str("from", "fato"),
            "same_day_excluded": t.bool("same_day_excluded", False),
            "same": t.str("same", "pessoa"),
        }
        window.close()
        t.close()
        return found

    def _surcharge(self) -> dict[str, Any] | None:
        if "surcharge" not in self.root:
            return None
        t = self.root.table("surcharge")
        found = {"rate": t.decimal("rate"), "deadline": t.str("deadline"), "citation": self.cite(t)}
        t.close()
        return found
