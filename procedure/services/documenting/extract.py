"""The extrato: the whole case on paper."""

from __future__ import annotations

from collections.abc import Iterator

from legalbasis import Citation
from procedure.domain.amounts import amount
from procedure.domain.case import RecordedAct
from procedure.domain.document_kinds import TITLES, DocumentKind
from procedure.domain.fines import WARNINGS
from procedure.domain.labels import OUTCOMES, ROLES, TRACKS, act_label, state_label, track_state_label
from procedure.domain.vocabulary import Role, Track
from procedure.services.documenting.casefile import CaseFile
from procedure.services.documenting.memories import term_counted
from procedure.services.documenting.papers import Extrato
from procedure.services.documenting.pieces import Cited, Event
from procedure.services.showing import deadlines_shown
from procedure.services.showing_tracks import side_states


def extract(file: CaseFile) -> Extrato:
    """Where the case stands, its acts, its terms, its money."""
    case = file.case
    kind = DocumentKind.EXTRATO
    item = case.inscription
    return Extrato(
        **file.common(kind, TITLES[kind], file.request.issued_on.isoformat(), [file.issuer()]),
        basis=(),
        infrator=file.infrator,
        state=state_label(case.state),
        facts=file.facts(),
        events=tuple(_event(file, act) for act in file.acts),
        terms=tuple(term_counted(file, d) for d in deadlines_shown(case)),
        sums=file.sums(),
        paid=amount(case.pago),
        total=amount(case.saldo),
        inscription=f"{item.label}, livro {item.livro}, folha {item.folha}" if item else None,
        tracks=tuple(_tracks(file)),
        goods=file.goods(),
        warnings=tuple(_warnings(file)),
        head_hash=case.last_hash,
    )


def _event(file: CaseFile, act: RecordedAct) -> Event:
    outcome = act.payload.get("outcome")
    article = act.payload.get("article")
    return Event(
        seq=act.seq,
        date=str(act.at)[:16],
        act=act_label(act.kind),
        outcome=OUTCOMES.get(outcome) if outcome else None,
        state=state_label(act.payload.get("to")),
        by=(file.signer(act).name or act.actor) if act.role != Role.SISTEMA else ROLES[Role.SISTEMA],
        article=_cited(file, act) if article else None,
    )


def _cited(file: CaseFile, act: RecordedAct) -> Cited:
    """The article that the act rests on; of a law other than the case's, told with its name."""
    article, norm = act.payload["article"], act.payload.get("norm")
    if norm is None:
        return file.cite(article)
    text = str(Citation("", norm, article))
    return Cited(provision=article, label=text, text=text)


def _tracks(file: CaseFile) -> Iterator[str]:
    for track, state in side_states(file.case).items():
        yield f"{TRACKS[Track(track)]}: {track_state_label(state)}"


def _warnings(file: CaseFile) -> Iterator[str]:
    facts = file.case.facts
    codes = dict.fromkeys(code for fact in facts.get("infractions", ()) for code in fact.get("warnings", ()))
    yield from (WARNINGS.get(code, code) for code in codes)
    yield from (alert["reason"] for alert in facts.get("alerts", ()))
    yield from facts.get("defects", ())
