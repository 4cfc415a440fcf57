"""How a case would have gone under another text of its law: its acts decided again in memory, nothing written.

The acts of people that stand are recorded again, in legal order, over an empty case: once under the texts that the case
was under, once under the other as if its procedure had always been in force, both with the days, units and readings of
now. What differs between the two is the text's doing. Where one text refuses an act, the replay says so and goes on
without it.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Protocol, cast

from legalbasis import ErrorGroup, PenaltyArticleMismatch, PosturasError
from procedure.domain.act_input import ActInput
from procedure.domain.act_shapes import FACT, SHAPES
from procedure.domain.amounts import amount
from procedure.domain.case import Case, RecordedAct
from procedure.domain.chain import canonical
from procedure.domain.context import Context
from procedure.domain.decide import conclude
from procedure.domain.fold import fold
from procedure.domain.moment import Moment, before
from procedure.domain.rulebook import Rulebook
from procedure.domain.undoing import in_legal_order, standing
from procedure.domain.vocabulary import ENGINE_ACTS, Act, Role
from procedure.services.context import Contexts, build_context
from procedure.services.ports import PersonRef, Repository
from procedure.services.record import Recorder
from procedure.services.showing import amounts, deadlines_shown
from procedure.services.showing_tracks import track_states

_PEOPLE = ("infrator", "responsavel", "copy_to", "by")
_NUMBERS = ("inscription", "inscriptions")  # of the register, which is not lived again: the act is in its own case
_ERASED = {"name": "pessoa apagada"}
_TOLD = ("to", "outcome", "tracks", "arbitrada", "acrescimo", "desconto", "timeliness", "moved")


class People(Repository, Protocol):
    """What a replay asks of the store beside the repository."""

    def reference_of(self, municipality: str, fields: dict[str, Any]) -> PersonRef:
        """How payloads would name a person, who is not written."""
        ...


@dataclass(slots=True)
class Replay:
    """One run: the case at the end, its acts in legal order, and the acts that the text refused (act, message)."""

    case: Case | None
    acts: list[RecordedAct] = field(default_factory=list)
    refused: list[tuple[RecordedAct, str]] = field(default_factory=list)


class _Overlay:
    """The record with one auto taken out of it, to be lived again; what is written stays here."""

    def __init__(self, repo: People, auto: str) -> None:
        self._repo = repo
        self._auto = auto
        self._case: Case | None = None
        self._acts: list[RecordedAct] = []
        self._numbers = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._repo, name)

    def load(
        self, municipality: str, autos: Sequence[str], *, lock: bool, skip_locked: bool = False
    ) -> dict[str, Case]:
        """The other cases as they are, unlocked; the replayed one as it was lived so far."""
        found = self._repo.load(municipality, [a for a in autos if a != self._auto], lock=False)
        if self._auto in autos and self._case is not None:
            found[self._auto] = copy.deepcopy(self._case)
        return found

    def acts(self, municipality: str, auto: str) -> list[RecordedAct]:
        """The acts lived so far, or those on record of another case."""
        return list(self._acts) if auto == self._auto else self._repo.acts(municipality, auto)

    def auto_of_key(self, municipality: str, key: str) -> str | None:
        """None: every act is new here."""
        return None

    def put_person(self, municipality: str, fields: dict[str, Any]) -> PersonRef:
        """How the person is named; nobody is written."""
        return self._repo.reference_of(municipality, fields)

    def take_numbers(self, municipality: str, year: int, count: int) -> int:
        """Numbers of no register."""
        self._numbers += count
        return self._numbers - count + 1

    def save(self, cases: Sequence[Case]) -> None:
        """Keep the replayed case; what the acts did to others is dropped."""
        for case in cases:
            if case.auto == self._auto:
                self._acts += case.new_acts
                kept = copy.deepcopy(case)
                kept.new_acts, kept.former = [], []
                kept.version += 1
                kept.facts = json.loads(canonical(kept.facts))
                self._case = kept

    def keep_calendar(self, version: str, document: dict[str, Any]) -> None:
        """Nothing."""

    def keep_rulebook(self, version: str, law: str, text: str) -> None:
        """Nothing."""


class _UnderText(Contexts):
    """Contexts in which the replayed case is under a given text of its law."""

    def __init__(self, repo: Repository, book: Rulebook) -> None:
        super().__init__(repo)
        self._book_given = book
        self._given: Context | None = None

    def of(self, municipality: str, law: str, version: str | None = None) -> Context:
        """The given text for a case that is under it or is not yet under any."""
        if law != self._book_given.id or version not in (None, "", self._book_given.version):
            return super().of(municipality, law, version)
        if self._given is None:
            self._given = build_context(
                self._book_given, self.data(municipality), texts=lambda other: self.of(municipality, law, other)
            )
        return self._given


def replay(repo: People, case: Case, acts: Sequence[RecordedAct], book: Rulebook, as_of: Moment) -> Replay:
    """Live the case again under ``book`` until ``as_of``, its procedure in force from the case's first act on. ``acts``
    are those on record.
    """
    first = min((act.at.day for act in acts), default=book.life.procedure_from)
    since = min(first, book.life.procedure_from)
    tried = replace(book, life=replace(book.life, procedure_from=since))
    return _lived(repo, case, acts, tried, as_of, passages=())


def relive(repo: People, case: Case, acts: Sequence[RecordedAct], as_of: Moment) -> Replay:
    """Live the case again until ``as_of`` under the text that it began under, and those that it passed to."""
    begun = Contexts(repo).of(case.municipality, case.law, acts[0].rulebook_version).book
    passages = [a for a in standing(acts) if a.kind == Act.MIGRACAO and a.at.epoch <= as_of.epoch]
    return _lived(repo, case, acts, begun, as_of, passages=passages)


def _lived(
    repo: People,
    case: Case,
    acts: Sequence[RecordedAct],
    book: Rulebook,
    as_of: Moment,
    *,
    passages: Sequence[RecordedAct],
) -> Replay:
    overlay = _Overlay(repo, case.auto)
    recorder = Recorder(cast("Repository", overlay))
    recorder.contexts = _UnderText(cast("Repository", overlay), book)
    done: list[tuple[RecordedAct, str]] = []
    last = max((datetime.fromisoformat(a.recorded_at) for a in acts), default=as_of.instant)
    ahead = list(passages)
    for act in in_legal_order(standing(acts)):
        if act.kind in ENGINE_ACTS or act.at.epoch > as_of.epoch:
            continue
        while ahead and act.seq > ahead[0].seq and not before(act.at, ahead[0].at):
            _pass(recorder, overlay, case, ahead.pop(0))
        refused = _live(recorder, repo, case, act, last)
        if refused is not None:
            done.append((act, refused))
    for passage in ahead:
        _pass(recorder, overlay, case, passage)
    ended = overlay.load(case.municipality, [case.auto], lock=False).get(case.auto)
    if ended is None:
        return Replay(None, refused=done)
    ctx = recorder.contexts.of(case.municipality, case.law, ended.rulebook_version)
    conclude(ended, as_of.epoch, ctx, "")
    lived = [a for a in (*overlay.acts(case.municipality, case.auto), *ended.new_acts) if a.kind != Act.MIGRACAO]
    return Replay(ended, in_legal_order(standing(lived)), done)


def _pass(recorder: Recorder, overlay: _Overlay, case: Case, passage: RecordedAct) -> None:
    """Pass the case as lived so far to another text, as it did; what had ended by then is concluded first."""
    lived = overlay.load(case.municipality, [case.auto], lock=False).get(case.auto)
    if lived is None:
        return
    ctx = recorder.contexts.of(case.municipality, case.law, lived.rulebook_version)
    conclude(lived, passage.at.epoch, ctx, passage.recorded_at)
    fold(lived, replace(passage, payload=copy.deepcopy(passage.payload)))
    overlay.save([lived])


def _live(recorder: Recorder, repo: People, case: Case, act: RecordedAct, typed: datetime) -> str | None:
    """Record one act again; the message when it is refused."""
    given = _input(repo, case, act)
    try:
        recorder.record(given, recorded_at=typed)
    except PenaltyArticleMismatch:  # the article printed may be the former text's: let this one choose its own
        return _without_penalty(recorder, given, typed)
    except (PosturasError, ErrorGroup) as error:
        return str(error)
    return None


def _without_penalty(recorder: Recorder, given: ActInput, typed: datetime) -> str | None:
    facts = [{k: v for k, v in f.items() if k != "penalty_article"} for f in given.fields.get("infractions", ())]
    try:
        recorder.record(replace(given, fields={**given.fields, "infractions": facts}), recorded_at=typed)
    except (PosturasError, ErrorGroup) as error:
        return str(error)
    return None


def _input(repo: People, case: Case, act: RecordedAct) -> ActInput:
    """The act as it came in, from what the record keeps of it."""
    payload, names = act.payload, SHAPES[Act(act.kind)].fields
    told = [name for name in names if name not in _NUMBERS and payload.get(name) is not None]
    fields = {name: copy.deepcopy(payload[name]) for name in told}
    for name in _PEOPLE:
        if name in fields:
            fields[name] = _person(repo, case.municipality, fields[name])
    if "signature" in fields:
        signed = fields["signature"]
        fields["signature"] = {**signed, "witnesses": _names(repo, case.municipality, signed.get("witnesses", ()))}
    if "witnesses" in fields:
        fields["witnesses"] = _names(repo, case.municipality, fields["witnesses"])
    if payload.get("infractions"):
        facts = [{k: v for k, v in f.items() if k in FACT.fields and v is not None} for f in payload["infractions"]]
        if "infractions" in names:
            fields["infractions"] = facts
            fields.pop("fact", None)
        else:
            fields["fact"] = facts[0]
    return ActInput(
        municipality=case.municipality, auto=case.auto, kind=Act(act.kind), at=act.at, actor=act.actor,
        role=Role(act.role), fields=fields, office=act.office, law=case.law,
    )  # fmt: skip


def _person(repo: People, municipality: str, reference: Mapping[str, Any]) -> dict[str, Any]:
    known = repo.person(municipality, reference["person"], reference["version"]) or _ERASED
    kind = {"kind": reference["kind"]} if reference.get("kind") else {}
    return {**{k: v for k, v in known.items() if k not in ("auto", "kind")}, **kind}


def _names(repo: People, municipality: str, references: Sequence[Mapping[str, Any]]) -> list[str]:
    return [str(_person(repo, municipality, r).get("name")) for r in references]


def compare(case: Case, own: Replay, other: Replay) -> dict[str, Any]:
    """Two replays side by side: the first act that differs and how, what each refused, the end of each."""
    divergence = _divergence(own, other)
    return {
        "auto": case.auto,
        "same": divergence is None and not other.refused,
        "divergence": divergence,
        "refused": [_refusal(act, text) for act, text in other.refused],
        "refused_by_own": [_refusal(act, text) for act, text in own.refused],
        "own": _end(own.case),
        "other": _end(other.case),
    }


def _divergence(own: Replay, other: Replay) -> dict[str, Any] | None:
    for index in range(max(len(own.acts), len(other.acts))):
        mine = own.acts[index] if index < len(own.acts) else None
        theirs = other.acts[index] if index < len(other.acts) else None
        told_mine, told_theirs = _told(mine), _told(theirs)
        if told_mine == told_theirs:
            continue
        names = [n for n in dict.fromkeys((*told_mine, *told_theirs)) if told_mine.get(n) != told_theirs.get(n)]
        refused = next((t for a, t in other.refused if mine and (a.kind, str(a.at)) == (mine.kind, str(mine.at))), None)
        return {
            "position": index + 1,
            "differs_in": names,
            "own": told_mine or None,
            "other": told_theirs or None,
            "reason": refused or _why(mine, theirs),
        }
    return None


def _why(mine: RecordedAct | None, theirs: RecordedAct | None) -> str:
    """The article by which each text acts, where the dates or the amounts are what differs."""
    cited = [f"{a.kind}: art. {a.payload.get('article')}" if a else "nenhum ato" for a in (mine, theirs)]
    return f"{cited[0]} / {cited[1]}"


def _told(act: RecordedAct | None) -> dict[str, Any]:
    if act is None:
        return {}
    p = act.payload
    return {
        "act": act.kind,
        "date": str(act.at),
        **{name: p.get(name) for name in _TOLD},
        "opens": sorted([o["kind"], o["term"], o["due"], o["expires_on"]] for o in p["opens"] if not o["internal"]),
        "gate": [reason["code"] for reason in p.get("gate", ())],
    }


def _refusal(act: RecordedAct, text: str) -> dict[str, Any]:
    return {"seq": act.seq, "act": act.kind, "date": str(act.at), "message": text}


def _end(case: Case | None) -> dict[str, Any] | None:
    """Where a replay ends: state, tracks, terms in force, amounts, the day of the inscription."""
    if case is None:
        return None
    item = case.inscription
    return {
        "rulebook_version": case.rulebook_version,
        "state": case.state.value if case.state else None,
        "tracks": track_states(case),
        "deadlines": [
            {"kind": d.kind, "status": d.status.value, "due": d.due.isoformat(), "expires_on": d.expires_on.isoformat()}
            for d in deadlines_shown(case)
        ],
        "amounts": amounts(case),
        "inscription": {"date": item.day.isoformat(), "amount": amount(item.original_amount + item.charges)}
        if item and item.status != "cancelado"
        else None,
    }
