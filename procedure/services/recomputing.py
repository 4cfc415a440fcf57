"""``verify --deep``: each act's effects computed again by the law's rules, under the versions it was recorded with.

What the record does not keep (the municipality's readings at that time, later unit values) is not held against it:
units come from the memória's own lines, and every value of a switch that chooses a penalty is tried.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from calendars import OfficeCalendar
from legalbasis import Dated, Period, PosturasError, Status
from penalties import Assessment, FiscalUnit, Recidivism, SurchargeBase, UnitValue
from penalties.money import amount_text, centavos
from penalties.units import BRL
from procedure.domain.case import Case, Deadline, RecordedAct
from procedure.domain.chain import canonical
from procedure.domain.collecting import assess_collection
from procedure.domain.context import Context
from procedure.domain.deadlines import held_over, open_deadline, recounted, start_of_notice
from procedure.domain.ex_officio import before_relief
from procedure.domain.fines import build_assessment
from procedure.domain.fold import deadline_document
from procedure.domain.gate import build_termo, inscription_gate
from procedure.domain.machine import TransitionTable
from procedure.domain.outcomes import discount_now
from procedure.domain.requirements import side_outcome
from procedure.domain.restoring import snapshot
from procedure.domain.rulebook import Rulebook
from procedure.domain.rulebook_reader import read_rulebook
from procedure.domain.rulebook_versions import compose, split
from procedure.domain.surcharges import surcharge_effects
from procedure.domain.track_fold import within_most
from procedure.domain.undoing import of_an_act, terms_changed, without
from procedure.domain.vocabulary import Act
from procedure.services.context import build_context
from procedure.services.ports import Repository

Found = Iterator[tuple[str, str]]
_OF_THE_RECORD = ("supersedes",)
NOT_OF_THE_ACTS = ("authority", "authority_office", "authority_act", "authenticated", "update", "interest")


class VersionMissing(PosturasError):
    """Falta no registro a versão da lei ou do calendário com que o ato foi gravado."""

    code = "versao_ausente"


class Recomputer:
    """Applies the rules again, act by act; contexts are built once per versions."""

    def __init__(self, repo: Repository, municipality: str) -> None:
        self._repo = repo
        self._data = repo.municipal_data(municipality)
        self._books: dict[str, Rulebook] = {}
        self._context = lru_cache(maxsize=64)(self._build)

    def check(self, case: Case, act: RecordedAct) -> Found:
        """(code, what) of everything that comes out otherwise. ``case`` is as it was before the act."""
        try:
            ctx = self._context(case.law, act.rulebook_version, act.calendar_version)
        except PosturasError as error:
            yield error.error_code, error.message
            return
        for one in (
            self._row, self._expiry, self._notice, self._deadlines, self._fine, self._discount, self._consolidated,
            self._collection, self._surcharge, self._termo, self._undoing, self._recount,
        ):  # fmt: skip
            try:
                yield from one(case, act, ctx)
            except PosturasError as error:
                yield "recalculo_recusado", f"a regra aplicada de novo recusa o ato: {error.message}"

    def _build(self, law: str, rulebook: str, calendar: str) -> Context:
        document = self._repo.calendar_document(calendar)
        if document is None:
            raise VersionMissing(f"falta o calendário {calendar[:12]}.")
        office = OfficeCalendar.from_document(document)
        if office.version != calendar:
            raise VersionMissing(f"os dias guardados do calendário {calendar[:12]} não conferem com a sua versão.")
        return build_context(self._book(law, rulebook), self._data, office)

    def _book(self, law: str, version: str) -> Rulebook:
        procedure, sanction = split(version)
        if procedure != sanction:
            return compose(self._book(law, procedure), self._book(law, sanction))
        if version not in self._books:
            text = self._repo.rulebook_text(version)
            if text is None:
                raise VersionMissing(f"falta o texto da lei {law}, versão {version}.")
            book = read_rulebook(text, file=version)
            if book.version != version or book.id != law:
                raise VersionMissing(f"o texto guardado não é o da lei {law}, versão {version}.")
            self._books[version] = book
        return self._books[version]

    def _row(self, case: Case, act: RecordedAct, ctx: Context) -> Found:
        if act.kind == Act.DESFAZIMENTO or of_an_act(act):  # no row: the acts that stand say where the case is
            return
        if act.kind in (Act.RECONTAGEM, Act.MIGRACAO):  # no row either: they leave the case where it is
            yield from _led(case.state, act.payload["to"])
            return
        if "filed_in" in act.payload:  # out of time and recorded late: it moved nothing where it belongs, nor here
            filed = act.payload["filed_in"]
            yield from _led(ctx.table.move(filed, act.kind, None, place=f"auto {case.auto}").target, filed)
            yield from _led(case.state, act.payload["to"])
            return
        tracks = act.payload.get("tracks", {})
        target: str | None = case.state  # an act of side tracks alone leaves the main one where it is
        if not tracks or ctx.table.knows(act.kind):
            target = ctx.table.move(case.state, act.kind, act.payload["outcome"], place=f"auto {case.auto}").target
        yield from _led(target, act.payload["to"])
        for track, found in tracks.items():
            yield from _led(_side_target(case, act, ctx.side[track], track), found)

    def _expiry(self, case: Case, act: RecordedAct, ctx: Context) -> Found:
        if act.deadline is None:
            return
        kind, number = act.deadline.split(":")
        expired = next((d for d in case.deadlines if d.kind == kind and d.number == int(number)), None)
        if expired is None:
            yield "decurso_sem_prazo", f"o ato conclui o prazo {act.deadline}, que o processo não tem"
            return
        if str(act.at) != str(expired.expires_at.next_second()):
            yield "decurso_fora_do_dia", f"o prazo acabou em {expired.expires_at} e o ato é de {act.at}"
        due = act.payload.get("exigivel_em")
        if due is not None and due != (expired.expires_on + timedelta(days=1)).isoformat():
            yield "exigibilidade_divergente", f"a dívida se tornou exigível no dia seguinte a {expired.expires_on}"

    def _notice(self, case: Case, act: RecordedAct, ctx: Context) -> Found:
        payload = act.payload
        if payload.get("method") and payload.get("start"):
            start = start_of_notice(ctx, payload).isoformat()
            if start != payload["start"]:
                yield "ciencia_divergente", f"a ciência é de {start} e o ato diz {payload['start']}"

    def _deadlines(self, case: Case, act: RecordedAct, ctx: Context) -> Found:
        if act.kind == Act.DESFAZIMENTO:  # it reopens a term already counted, under its own calendar
            return
        for opened in act.payload.get("opens", ()):
            rule = ctx.book.deadlines[opened["kind"]]
            counted = open_deadline(ctx, case, rule, act.at, act.payload, opened["supersedes"])
            again = deadline_document(counted) if counted else {}
            differing = [name for name in again if again[name] != opened.get(name)]
            if differing:
                yield "prazo_divergente", f"o prazo {rule.kind} contado de novo difere em: {', '.join(differing)}"

    def _fine(self, case: Case, act: RecordedAct, ctx: Context) -> Found:
        kept = act.payload.get("assessment")
        if kept is None:
            return
        assessment = Assessment.from_dict(kept)
        assessment.check()
        if centavos(assessment.amount) != act.payload["arbitrada"]:
            yield (
                "multa_divergente",
                f"a memória soma {kept['amount']} e o ato arbitra {act.payload['arbitrada']} centavos",
            )
        if kept == (case.facts.get("review") or {}).get("assessment"):
            return  # restored as it stood, and proved where it was fixed
        rebuilt = [self._rebuilt(case, act, ctx, assessment, switches) for switches in _readings(ctx)]
        same = [a for a in rebuilt if isinstance(a, Assessment) and _lines(a) == _lines(assessment)]
        if not same:
            first = rebuilt[0]
            found = amount_text(first.amount) if isinstance(first, Assessment) else first
            yield "multa_divergente", f"a memória diz {kept['amount']}; refeita pelas provas: {found}"

    def _rebuilt(
        self, case: Case, act: RecordedAct, ctx: Context, kept: Assessment, switches: Mapping[str, str]
    ) -> Assessment | str:
        """The fine fixed again from the evidence in the act; the refusal's message when the law now refuses."""
        collection = act.payload.get("collection") or case.facts.get("collection")
        if collection is not None:
            return assess_collection(act.payload, collection)
        evidence = [Recidivism.from_dict(r) for r in act.payload["recidivism"]]
        drawing = act.kind == Act.LAVRATURA
        drawn_up = before_relief(case) if "review" in case.facts else case.facts
        facts = act.payload["infractions"] if drawing else case.facts["infractions"]
        if len(facts) != len(evidence):
            wanted = [r.provisions[0] for r in evidence]
            facts = [f for f in facts if f["article"] in wanted]
        try:
            return build_assessment(
                ctx.book,
                _units_of_lines(ctx.units, kept),
                switches,
                facts,
                chosen=act.payload,
                drawn_up=drawn_up,
                drawn=act.at.day if drawing else date.fromisoformat(str(case.facts["drawn_at"])[:10]),
                decided=act.at.day,
                recidivism=evidence,
                proposal=drawing,
            )
        except PosturasError as error:
            return error.message

    def _discount(self, case: Case, act: RecordedAct, ctx: Context) -> Found:
        if act.kind != Act.PAGAMENTO:
            return
        found = discount_now(case, ctx, act.at.day) if act.payload["outcome"] == "integral" else None
        given = (act.payload.get("desconto") or {}).get("percent")
        if given != (str(found.percent) if found else None):
            yield "desconto_divergente", f"o ato desconta {given or 0}%; a lei, {found.percent if found else 0}%"

    def _consolidated(self, case: Case, act: RecordedAct, ctx: Context) -> Found:
        period = act.payload.get("consolidated")
        daily = case.facts.get("daily")
        if not period or not daily:
            return
        owed = within_most(daily, period["days"] * daily["rate"], daily.get("consolidated", 0))
        if owed != period["amount"]:
            yield "multa_diaria_divergente", f"o ato consolida {period['amount']} centavos; refeito: {owed}"

    def _collection(self, case: Case, act: RecordedAct, ctx: Context) -> Found:
        """What an auto says that it collects is what the origin's record has as due."""
        told = act.payload.get("collection")
        if told is None:
            return
        origin = self._repo.load(case.municipality, [told["auto"]], lock=False).get(told["auto"])
        due = origin.facts.get("due_beside", ()) if origin else ()
        if any(entry not in due for entry in told["entries"]):
            yield "cobranca_divergente", f"o que se cobra não é o que o auto {told['auto']} deixou devido"

    def _surcharge(self, case: Case, act: RecordedAct, ctx: Context) -> Found:
        if act.kind != Act.ACRESCIMO:
            return
        bases = [replace(ctx, switches={**ctx.switches, "base_acrescimo": base.value}) for base in SurchargeBase]
        possible = [surcharge_effects(case, one)["acrescimo"] for one in bases]
        if act.payload["acrescimo"] not in possible:
            yield "acrescimo_divergente", f"o acréscimo é de {act.payload['acrescimo']} centavos; refeito: {possible}"

    def _undoing(self, case: Case, act: RecordedAct, ctx: Context) -> Found:
        """The case that a desfazimento gives back is the one that the acts before it, but for those undone, make."""
        if act.kind != Act.DESFAZIMENTO:
            return
        before = [a for a in self._repo.acts(case.municipality, case.auto) if a.seq < act.seq]
        restored = without(case, before, {item["seq"] for item in act.payload["undoes"]})
        again = json.loads(canonical(snapshot(restored)))
        kept = act.payload["restores"]
        differing = sorted(name for name in {*kept, *again} if kept.get(name) != again.get(name))
        closes, opens = terms_changed(case, restored)
        differing += ["closes"] if closes != _in_order(act.payload["closes"]) else []
        differing += ["opens"] if opens != _in_order(act.payload["opens"], by="supersedes") else []
        differing += ["to"] if restored.state != act.payload["to"] else []
        if differing:
            yield "desfazimento_divergente", f"sem os atos desfeitos, o processo difere em: {', '.join(differing)}"

    def _recount(self, case: Case, act: RecordedAct, ctx: Context) -> Found:
        """A recontagem counts from the event that the former days counted from, and gives what the new days give."""
        if act.kind != Act.RECONTAGEM:
            return
        told = act.payload["recount"]
        item = next((d for d in case.deadlines if (d.kind, d.number) == (told["kind"], told["number"])), None)
        if item is None:
            yield "recontagem_divergente", f"o ato reconta o prazo {told['kind']}:{told['number']}, que não há"
            return
        former = self._context(case.law, act.rulebook_version, item.calendar_version)
        rolled = held_over(ctx, item) if told.get("kept") else recounted(ctx, item, told["start"])
        checks = [(rolled or item, told["opens"])]
        if not self._was_kept(case, item):  # which no count from the event gives
            checks.append((recounted(former, item, told["start"]), deadline_document(item)))
        for counted, kept in checks:
            again = deadline_document(counted)
            differing = [n for n in again if n not in _OF_THE_RECORD and again[n] != kept[n]]
            if differing:
                yield "recontagem_divergente", f"o prazo {item.kind} recontado difere em: {', '.join(differing)}"

    def _was_kept(self, case: Case, item: Deadline) -> bool:
        opener = next((a for a in self._repo.acts(case.municipality, case.auto) if a.seq == item.number), None)
        return opener is not None and bool(opener.payload.get("recount", {}).get("kept"))

    def _termo(self, case: Case, act: RecordedAct, ctx: Context) -> Found:
        if act.kind != Act.INSCRICAO:
            return
        reasons = inscription_gate(case, ctx, act.at.day)
        if reasons != act.payload["gate"]:
            codes = ", ".join(r["code"] for r in reasons) or "nenhum"
            yield "controle_divergente", f"o controle de legalidade, refeito, acha estes impedimentos: {codes}"
        kept = act.payload.get("termo")
        if kept is None:
            return
        again = build_termo(case, ctx, act.at.day)
        differing = [k for k in kept if k in again and k not in NOT_OF_THE_ACTS and again[k] != kept[k]]
        if differing:
            yield "termo_divergente", f"o Termo refeito difere em: {', '.join(differing)}"


def _led(target: str | None, found: str) -> Found:
    if target != found:
        yield "linha_divergente", f"a tabela leva a “{target}” e o ato foi a “{found}”"


def _side_target(case: Case, act: RecordedAct, table: TransitionTable, track: str) -> str:
    """Where the act leads a side track, by its own rows."""
    state = case.facts.get("tracks", {}).get(track)
    tells = any(row.outcome for row in table.rows if row.act == act.kind)
    outcome = side_outcome(case, act.kind, act.payload) if tells else None
    return table.move(state, act.kind, outcome, place=f"auto {case.auto}, {track}").target


def _lines(assessment: Assessment) -> list[dict[str, Any]]:
    """The lines but for their notes: what is said of a unit's value is not in the memória that gives the value back."""
    return [{key: value for key, value in line.to_dict().items() if key != "notes"} for line in assessment.lines]


def _readings(ctx: Context) -> list[dict[str, str]]:
    """The switches as they are now, then with every value of those that choose a penalty or the unit's day."""
    found = [dict(ctx.switches)]
    names = {switch for switch, _ in ctx.book.penalty_choices.values()} | ({"dia_da_unidade"} & set(ctx.switches))
    for name in sorted(names):
        found += [
            {**reading, name: value}
            for reading in list(found)
            for value in ctx.book.switches[name].values
            if value != reading[name]
        ]
    return found


def _units_of_lines(units: Mapping[str, FiscalUnit], kept: Assessment) -> dict[str, FiscalUnit]:
    """The units, each worth what the memória's own lines say: a later correction by decree does not touch a fine."""
    found = dict(units)
    for code in {line.unit for line in kept.lines} - {BRL}:
        values = {_value(line) for line in kept.lines if line.unit == code}
        if len(values) == 1 and code in found:
            found[code] = replace(found[code], values=Dated((Period(date.min, None, values.pop()),)))
    return found


def _value(line: Any) -> UnitValue:
    status: Status = line.unit_status
    return UnitValue(Decimal(line.unit_value), line.unit_act, line.unit_act_date, status)


def _in_order(terms: Sequence[Mapping[str, Any]], by: str = "number") -> list[Mapping[str, Any]]:
    """Terms as payloads carry them, by number and kind."""
    return sorted(terms, key=lambda term: (term[by], term["kind"]))
