"""Recording an act in a case: idempotence, what had expired by then, late filings, other autos of the person (spec 05).

Everything happens in the caller's unit of work; nothing here commits, reads a clock or opens a transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from legalbasis import InputError, PosturasError, Provision
from penalties import Antecedent, PersonMatch
from penalties.money import from_centavos
from procedure.domain import errors
from procedure.domain.act_input import ActInput, parse_act
from procedure.domain.admission import br
from procedure.domain.case import Case
from procedure.domain.chain import seal
from procedure.domain.context import Context
from procedure.domain.deadlines import tacit_notice
from procedure.domain.decide import Stamp, conclude, decide
from procedure.domain.fold import fold, standing_facts
from procedure.domain.guards import Beside, NoticeElsewhere, same_actor
from procedure.domain.links import Linked
from procedure.domain.moment import Moment, before
from procedure.domain.numbering import number_inscriptions
from procedure.domain.register_errors import DebtorSubstitution
from procedure.domain.rulebook_versions import version_on
from procedure.domain.rulebooks import rulebook_of
from procedure.domain.vocabulary import Act, State
from procedure.services.annulling import annul_act, annulled_act
from procedure.services.collecting import (
    autos_of_collection,
    fallen,
    fallen_origin,
    origin_of,
    require_nothing_collected,
    tell_origin,
)
from procedure.services.context import Contexts, law_of, zone_of
from procedure.services.late import LateActs
from procedure.services.persons import person_references, property_key
from procedure.services.ports import Repository
from procedure.services.reach import reach_of, where_it_stands
from procedure.services.register import auto_of_inscription
from procedure.services.reissuing import require_annulled

_OPENING = (Act.NOTIFICACAO_PRELIMINAR, Act.LAVRATURA, Act.COMUNICACAO, Act.NOTIFICACAO)


@dataclass(frozen=True, slots=True)
class Recorded:
    """What recording an act did. ``known``: its key was already recorded, nothing was written."""

    municipality: str
    auto: str
    known: bool
    state: str | None
    seqs: tuple[int, ...]
    reach: dict[str, Any] | None = None  # what it undid (``services.reach``); None when nothing


class Recorder:
    """Records acts over one repository (one session). Reuse it for many acts of a unit of work."""

    def __init__(self, repo: Repository) -> None:
        self.repo = repo
        self.contexts = Contexts(repo)
        self.late = LateActs(repo)

    def record(self, data: Mapping[str, Any] | ActInput, *, recorded_at: datetime) -> Recorded:
        """Record one act as spec 07 writes it. ``recorded_at`` is the aware instant of recording.

        Of an act that names several inscriptions, what is told is the first. Raises typed errors (an ErrorGroup when
        there are several); the caller rolls back to before the call.
        """
        return self.record_each(data, recorded_at=recorded_at)[0]

    def record_each(self, data: Mapping[str, Any] | ActInput, *, recorded_at: datetime) -> list[Recorded]:
        """As ``record``; what was done in each case, where one act covers several inscriptions."""
        if recorded_at.tzinfo is None:
            raise ValueError("recorded_at must be aware")
        act = data if isinstance(data, ActInput) else parse_act(data, zone_of)
        done = []
        for each in self._cases_of(act):
            try:
                done.append(self._record(each, recorded_at))
            except PosturasError as error:
                raise error.at(f"auto {each.auto}") from None
        return done

    def _cases_of(self, act: ActInput) -> list[ActInput]:
        """The act in each case that it is about: its auto's, else those of its inscriptions, in key order."""
        if act.auto:
            return [act]
        found = [act.of_inscription(n, auto_of_inscription(self.repo, act.municipality, n)) for n in act.numbers]
        return sorted(found, key=lambda each: each.auto)

    def _record(self, act: ActInput, recorded_at: datetime) -> Recorded:
        law = law_of(act.municipality, act.law)
        if (known := self._known(act)) is not None:
            return known
        cases = self._load(act)
        # Sent twice at once, the same act may have come in since: the lock on its case waited for it.
        if act.auto in cases and (known := self._known(act)) is not None:
            return known
        case = cases.get(act.auto) or Case(act.municipality, act.auto, law=law)
        if case.law != law:
            raise errors.LawMismatch(f"o auto é da lei {case.law}, e o ato cita {law}.", field="law")
        ctx = self.contexts.of(act.municipality, law, version_on(case.rulebook_version, case.facts, act.at.day))
        self._require_possible(case, act, recorded_at, ctx)
        stamp = Stamp(act.actor, act.role, _stamp_text(act, recorded_at, ctx), act.office, act.key)
        others = [c for c in cases.values() if c.auto != act.auto]
        before = where_it_stands(case)
        self._conclude(case, others, act, ctx, stamp)
        first = case.last_seq - len(case.new_acts) + 1
        beside = self._beside(case, others, act, ctx)
        place = act.fields.get("property") or case.facts.get("property") if ctx.book.counts_by_property else None
        references = person_references(self.repo, act, place=place)
        _require_same_debtor(case, act, references)
        _require_same_notified(case, act, references)
        case.rulebook_version = case.rulebook_version or ctx.book.version
        case.timezone = ctx.book.timezone
        annulled = annulled_act(self.repo, case, act)
        if annulled is not None:
            annul_act(self.repo, case, act, annulled, ctx, beside, stamp)
        else:
            self._decide(case, act, ctx, stamp, beside, references)
        if beside.origin is not None:
            tell_origin(self.contexts, beside.origin, case, act, stamp)
        require_nothing_collected(self.repo, case)
        changed = [c for c in (case, *others) if c.new_acts]
        number_inscriptions(changed, self.repo.take_numbers, ctx.settings)
        reach = reach_of(before, case, case.new_acts)
        for item in changed:
            seal(item)
        self.repo.save(changed)
        return Recorded(act.municipality, act.auto, False, case.state, tuple(range(first, case.last_seq + 1)), reach)

    def _decide(  # everything that deciding asks
        self, case: Case, act: ActInput, ctx: Context, stamp: Stamp, beside: Beside, references: Mapping[str, Any]
    ) -> None:
        """Decide the act at its own date: what it undoes before it, what comes again after it."""
        late = self.late.settle(case, act, ctx, stamp, beside, references)
        self.late.admit_appeal(case, act, ctx, stamp)
        if late.kept is None:
            decide(case, act, ctx, beside, stamp, references)
        else:
            fold(case, late.kept)
        self.late.resume(case, late, ctx, beside, stamp)

    def _known(self, act: ActInput) -> Recorded | None:
        """What is told of an act whose key is on record."""
        found = self.repo.auto_of_key(act.municipality, act.key) if act.key is not None else None
        return self._already(act, found) if found is not None else None

    def _already(self, act: ActInput, auto: str) -> Recorded:
        if auto != act.auto:
            raise InputError(
                f"a chave “{act.key}” já é de um ato do auto {auto}.", code="chave_de_outro_auto", field="key"
            )
        case = self.repo.load(act.municipality, [auto], lock=False)[auto]
        return Recorded(act.municipality, auto, True, case.state, ())

    def _load(self, act: ActInput) -> dict[str, Case]:
        """The case, locked; for acts that look at the person's other autos, all of them, locked in key order."""
        autos = {act.auto, *autos_of_collection(self.repo, act)}
        if self._looks_beside(act):
            key = self._person_key(act)
            if key:
                autos.update(self.repo.autos_of_person(act.municipality, key))
        return self.repo.load(act.municipality, sorted(autos), lock=True)

    def _looks_beside(self, act: ActInput) -> bool:
        """Whether the act reads the person's other autos: an auto (notices elsewhere), or one that fixes a fine."""
        book = rulebook_of(law_of(act.municipality, act.law))
        return act.kind == Act.LAVRATURA or book.looks_at_others(act.kind)

    def _person_key(self, act: ActInput) -> str | None:
        if act.kind == Act.LAVRATURA:
            place = act.fields.get("property")
            if place and rulebook_of(law_of(act.municipality, act.law)).counts_by_property:
                return property_key(place)
            doc = act.fields["infrator"].get("doc")
            return self.repo.person_key_of(act.municipality, doc) if doc else None
        case = self.repo.load(act.municipality, [act.auto], lock=False).get(act.auto)
        return case.person_key if case else None

    def _require_possible(self, case: Case, act: ActInput, recorded_at: datetime, ctx: Context) -> None:
        now = recorded_at.astimezone(ctx.tz)
        stamp = act.recorded_at.instant if act.recorded_at else now
        if stamp > now:
            raise errors.ActInFuture("recorded_at está no futuro.", field="recorded_at", remedy="Confira o relógio.")
        today = stamp.astimezone(ctx.tz).date()
        for text in (str(act.at), *_event_texts(act), *tacit_notice(ctx, act.fields)):
            day = date.fromisoformat(text[:10])
            if day > today:
                raise errors.ActInFuture(
                    f"há data no futuro: {br(day)}; o lançamento é de {br(today)}.",
                    field="date",
                    remedy="Lance o ato depois que ele acontecer.",
                )
        if act.at.has_hour and act.at.instant > stamp:
            raise errors.ActInFuture(f"o ato é de {act.at}, depois do lançamento.", field="date")
        if case.state is None and act.kind not in _OPENING:
            raise errors.UnknownAuto(
                f"não existe o auto {act.auto}: falta a lavratura ou a notificação.",
                field="auto",
                remedy="Lance antes o ato que o abre.",
            )
        if act.kind == Act.LAVRATURA and "drawn_by" in case.facts:
            raise errors.DuplicateAuto(f"o auto {act.auto} já foi lavrado.", field="auto", remedy="Use outro número.")

    def _conclude(self, case: Case, others: Sequence[Case], act: ActInput, ctx: Context, stamp: Stamp) -> None:
        """What had expired before the act, by the acts a sweep would have written; then the person's other autos
        too.
        """
        conclude(case, act.at.epoch, ctx, stamp.recorded_at)
        if not self._looks_beside(act):
            return
        for other in others:
            other_ctx = self.contexts.of(other.municipality, other.law, other.rulebook_version)
            conclude(other, act.at.epoch, other_ctx, stamp.recorded_at)

    def _beside(self, case: Case, others: Sequence[Case], act: ActInput, ctx: Context) -> Beside:
        beside = Beside()
        if act.kind == Act.LAVRATURA:
            beside.notices = [_notice(o) for o in others if o.facts.get("notice")]
            beside.linked = self._linked(act)
            require_annulled(self.repo, act)
            beside.origin = origin_of(act, others)
            beside.fell = fallen(beside.origin, others)
            self._require_debtor(act, beside.origin)
        if act.kind == Act.RESTITUICAO:
            beside.fallen_origin = fallen_origin(self.repo, case)
        if ctx.book.looks_at_others(act.kind):
            doc = act.fields["infrator"].get("doc") if act.kind == Act.LAVRATURA else self._document(case)
            found = (self._antecedent(o, doc, act.at, ctx) for o in others)
            beside.antecedents = [a for a in found if a is not None]
        return beside

    def _linked(self, act: ActInput) -> Linked | None:
        """The case that the auto names, as it stands; nothing is written in it."""
        named = act.fields.get("linked_auto")
        other = self.repo.load(act.municipality, [named], lock=False).get(named) if named else None
        if other is None:
            return None
        return Linked(other, self._same_person(act, other.facts.get("copy_to")))

    def _require_debtor(self, act: ActInput, origin: Case | None) -> None:
        """An auto that collects is against who owes in the origin. Raises AnotherDebtor."""
        if origin is not None and not self._same_person(act, origin.facts.get("infrator")):
            raise errors.AnotherDebtor(f"quem deve no auto {origin.auto} é outra pessoa.", field="infrator")

    def _same_person(self, act: ActInput, reference: Mapping[str, Any] | None) -> bool:
        """Whether the person charged is the one of the reference: by document, else by name."""
        if not reference:
            return False
        infrator = act.fields["infrator"]
        key = self.repo.person_key_of(act.municipality, infrator["doc"]) if infrator.get("doc") else None
        if key and reference.get("key"):
            return bool(key == reference["key"])
        known = self.repo.person(act.municipality, reference["person"], reference["version"]) or {}
        return same_actor(infrator.get("name") or "", known.get("name") or "")

    def _document(self, case: Case) -> str | None:
        person = case.facts.get("infrator") or {}
        if not person:
            return None
        return (self.repo.person(case.municipality, person["person"], person["version"]) or {}).get("doc")

    def _antecedent(self, other: Case, doc: str | None, at: Moment, ctx: Context) -> Antecedent | None:
        """Another auto of the person as it stood in law at ``at``; None when it is only a notice."""
        match = PersonMatch.MESMO_IMOVEL if ctx.book.counts_by_property else self._match(other, doc)
        if not other.facts.get("infractions") or match is None or "collection" in other.facts:
            return None  # what is collected is no new infraction
        decisions = [d for d in other.facts.get("decisions", ()) if not before(at, _moment(d["date"], at))]
        infractions = standing_facts(other) if decisions else other.facts["infractions"]
        final = other.facts.get("final_at")
        return Antecedent(
            auto=other.auto,
            provisions=tuple(Provision.parse(f["article"]) for f in infractions),
            fact_at=_event(infractions[0]["date"]),
            match=match,
            final_at=_event(final) if final and not before(at, _moment(final, at)) else None,
            ciencia_at=_first_notice(other, at),
            lavratura_at=_event(other.facts["drawn_at"]),
            decided_at=_event(decisions[-1]["date"]) if decisions else None,
            outcome=decisions[-1]["outcome"] if decisions else None,
            annulled=other.state is State.ANULADO,
            law=other.law,
            amount=from_centavos(other.arbitrada) if other.arbitrada else None,
        )

    def _match(self, other: Case, doc: str | None) -> PersonMatch | None:
        """Why the other auto is of the same person: its CPF, its CNPJ or the root of it."""
        if not doc:
            return None
        if len(doc) == 11:
            return PersonMatch.MESMO_CPF
        return PersonMatch.MESMO_CNPJ if self._document(other) == doc else PersonMatch.MESMA_RAIZ_CNPJ


def _require_same_debtor(case: Case, act: ActInput, references: Mapping[str, Any]) -> None:
    """A saneamento may give the document that was missing; the person heard in the case stays the same.

    So does the debtor of a certidão that is replaced. Raises DebtorChanged, DebtorSubstitution.
    """
    if act.kind not in (Act.SANEAMENTO, Act.SUBSTITUICAO) or "infrator" not in references:
        return
    former, mended = case.facts.get("infrator") or {}, references["infrator"]
    known = ("kind", "key") if former.get("has_doc") else ("kind",)
    if any(former.get(name) != mended[name] for name in known):
        raise (errors.DebtorChanged if act.kind == Act.SANEAMENTO else DebtorSubstitution)(field="infrator")


def _require_same_notified(case: Case, act: ActInput, references: Mapping[str, Any]) -> None:
    """The notice of the auto's own number was to the person now charged, or the danger is imminent."""
    if act.kind != Act.LAVRATURA or not case.facts.get("notice") or act.fields.get("perigo_iminente"):
        return
    notified, charged = case.facts["infrator"], references["infrator"]
    known = ("kind", "key") if notified.get("has_doc") else ("kind",)
    if any(notified.get(name) != charged[name] for name in known):
        raise errors.PriorNoticeMissing(
            f"a notificação do nº {case.auto} foi a outra pessoa.",
            field="infrator",
            remedy="Notifique quem se vai autuar, ou declare o perigo iminente com os fatos.",
        )


def _moment(text: str, like: Moment) -> Moment:
    tz = like.instant.tzinfo
    return Moment.parse(text, tz)  # type: ignore[arg-type]  # instants here carry a ZoneInfo


def _event(text: str) -> date | datetime:
    return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)


def _first_notice(other: Case, at: Moment) -> date | datetime | None:
    for served in other.facts.get("ciencias", ()):
        of_the_auto = served["act"] in (Act.CIENCIA, Act.INTIMACAO) and not served.get("copy")
        if of_the_auto and not before(at, _moment(served["start"], at)):
            return _event(served["start"])
    return None


def _notice(other: Case) -> NoticeElsewhere:
    running = other.deadline("regularizacao")
    return NoticeElsewhere(
        auto=other.auto,
        articles=tuple(other.facts["notice"]["articles"]),
        ended=other.state is State.NOTIFICACAO_VENCIDA,
        ends_on=running.due if running else None,
    )


def _event_texts(act: ActInput) -> list[str]:
    fields = act.fields
    texts = [fields[k] for k in ("received", "juntada", "publication", "sent", "read") if fields.get(k)]
    facts = [fields["fact"]] if fields.get("fact") else fields.get("infractions", [])
    return [*texts, *(f["date"] for f in facts)]


def _stamp_text(act: ActInput, recorded_at: datetime, ctx: Context) -> str:
    instant = act.recorded_at.instant if act.recorded_at else recorded_at
    return instant.astimezone(ctx.tz).isoformat(timespec="seconds")
