"""What happened in a case and what runs in it, in the words that a page or a screen puts beside a date."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from calendars import Term
from procedure.domain import taxpayer
from procedure.domain.labels import (
    DEADLINE_STATUSES,
    OUTCOMES,
    ROLES,
    TRACK_STATES,
    TRACKS,
    act_label,
    deadline_label,
)
from procedure.domain.vocabulary import Act, DeadlineStatus, Role, Track, TrackState
from procedure.domain.wording import amount_br, day_br

Document = Mapping[str, Any]
MONEY = {
    "arbitrada": "multa",
    "acrescimo": "acréscimo",
    "diaria": "multa diária devida",
    "custos": "custo da execução",
    "pago": "pago",
    "inscrito": "inscrito",
}

_FEMININE = (Role.DISTRIBUIDORA, Role.TESOURARIA, Role.DIVIDA_ATIVA, Role.PROCURADORIA)


def by_words(role: str) -> str:
    """Who did an act: ``pelo fiscal``, ``pela tesouraria``."""
    return f"{'pela' if role in _FEMININE else 'pelo'} {ROLES[Role(role)]}"


def event_label(event: Document) -> str:
    """The act, with its outcome; a run of days of daily fine as one."""
    if event["times"] > 1:
        return f"{event['times']} dias de multa diária, até {day_br(event['until'])}"
    label = act_label(event["act"])
    if event["act"] != Act.DESFAZIMENTO and event["outcome"] in OUTCOMES:
        outcome = OUTCOMES[event["outcome"]]
        label = outcome if outcome.startswith(label) else f"{label}: {outcome}"
    if event["number"]:
        label = f"{label}, nº {event['number']}"
    return label


def event_number(event: Document) -> str:
    """``3`` or ``5 a 9``."""
    return str(event["seq"]) if event["times"] == 1 else f"{event['seq']} a {event['last_seq']}"


def money_words(event: Document) -> Iterator[str]:
    """``multa R$ 330,00`` for each thing that the act moved; what went down, as such."""
    for moved in event["money"]:
        what, value = moved["what"], moved["amount"]
        if not value.startswith("-"):
            yield f"{MONEY[what]} {amount_br(value)}"
        elif what == "pago":
            yield f"devolvido {amount_br(value[1:])}"
        else:
            yield f"{MONEY[what]} reduzida em {amount_br(value[1:])}"


def tracks_words(event: Document) -> Iterator[str]:
    """What became of the obligation, of the goods, of the licence."""
    for track, state in event["tracks"].items():
        yield f"{TRACKS[Track(track)]}: {TRACK_STATES[TrackState(state)]}"


def term_label(item: Document) -> str:
    """``prazo de defesa, 15 dias``."""
    return f"{deadline_label(item['kind'])}, {Term.parse(item['term']).label()}"


def status_label(item: Document) -> str:
    """What became of the term."""
    return DEADLINE_STATUSES[DeadlineStatus(item["status"])]


def last_day_words(item: Document) -> str:
    """``até 25/03/2013``; of a term that ended before its last day, until when it would have run."""
    would = "até" if item["ended_on"] == item["expires_on"] else "iria até"
    return f"{would} {day_br(item['expires_on'])}"


def end_words(item: Document) -> str:
    """``acaba: prazo de defesa, 15 dias (vencido)``."""
    cut = "" if item["ended_on"] == item["expires_on"] else f"; {last_day_words(item)}"
    return f"acaba: {term_label(item)} ({status_label(item)}{cut})"


def gap_label(days: int) -> str:
    """``1 dia``, ``15 dias``."""
    return "1 dia" if days == 1 else f"{days} dias"


def doc_label(doc: str) -> str:
    """A CPF, masked, as it is (it is as long as a CNPJ); a CNPJ with its points and bar."""
    return doc if "*" in doc else taxpayer.punctuate(doc)
