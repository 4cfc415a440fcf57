"""What stands beside the fine, told to people: the obligation and its daily fine, costs, things seized, the licence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from procedure.cli.plain import amount_br, article_br, day_br, folded
from procedure.domain.labels import COLLECTED, STATES, TRACK_STATES, TRACKS, act_label
from procedure.domain.vocabulary import Collects, State, Track, TrackState

Document = Mapping[str, Any]
PENDING = {
    "escolha_da_autoridade": "Pendente: a autoridade escolhe entre impor multa diária e mandar executar à custa do "
    "infrator. Enquanto não escolhe, nada se acumula.",
}
SUPPLY = {"receipt": "recibo", "expenses": "despesas", "proceeds": "rendeu"}


def tracks(doc: Document) -> Iterator[str]:
    """The block of the side tracks; nothing when none began."""
    lines = [*_obligation(doc), *_daily(doc), *_costs(doc), *_collected(doc), *_goods(doc), *_licence(doc)]
    if lines:
        yield "AO LADO DA MULTA"
        yield from lines


def track_line(track: Track, state: str | None) -> str:
    """A track and where it stands: ``Obrigação de fazer: cumprida``."""
    label = TRACKS[track]
    told = TRACK_STATES[TrackState(state)] if state else "sem ato"
    return f"{label[:1].upper()}{label[1:]}: {told}"


def _obligation(doc: Document) -> Iterator[str]:
    order = doc["obligation"]
    if order is None:
        return
    yield f"  {track_line(Track.OBRIGACAO, order['state'])}"
    if order["description"]:
        yield from folded(order["description"], "    ")
    terms = [f"imposta em {day_br(order['imposed_on'])}"]
    for key, label in (("start_by", "começar até"), ("end_by", "acabar até")):
        if order[key]:
            terms.append(f"{label} {day_br(order[key])}")
    yield from folded("; ".join(terms), "    ")
    for name in doc["pending"]:
        if name in PENDING:
            yield from folded(PENDING[name], "    ")


def _daily(doc: Document) -> Iterator[str]:
    daily = doc["daily_fine"]
    if daily is None:
        return
    rate = amount_br(daily["rate"])
    yield from folded(f"Multa diária: {rate} por dia desde {day_br(daily['from'])} ({article_br(daily['article'])})")
    how = "corre" if daily["running"] else f"parou em {day_br(daily['ended'])}"
    yield f"    {how}; {daily['days']} dias, {amount_br(daily['accrued'])} acumulados"
    if Decimal(daily["consolidated"]):
        until = f", dias até {day_br(daily['consolidated_until'])}" if daily["consolidated_until"] else ""
        yield f"    consolidados {amount_br(daily['consolidated'])}{until}"
    else:
        yield "    nada consolidado: ainda não se cobra"


def _costs(doc: Document) -> Iterator[str]:
    costs = doc["costs"]
    if costs is None:
        return
    more = f" + {costs['percent']}%" if Decimal(costs["percent"]) else ""
    total = f" = {amount_br(costs['total'])}" if more else ""
    yield f"  Custos da execução: {amount_br(costs['cost'])}{more}{total}"


def _collected(doc: Document) -> Iterator[str]:
    """Where what is due beside the fine is collected, and what of it nobody collects yet."""
    for item in doc["collected"]:
        what = f"{COLLECTED[Collects(item['collects'])]}, {amount_br(item['amount'])}"
        state = STATES[State(item["state"])] if item["state"] else ""
        yield from folded(f"Cobra-se {what}, no auto nº {item['auto']}, de {day_br(item['date'])}: {state}")
    for kind, owed in doc["to_collect"].items():
        if Decimal(owed):
            yield from folded(f"A cobrar em auto próprio: {COLLECTED[Collects(kind)]}, {amount_br(owed)}")


def _goods(doc: Document) -> Iterator[str]:
    goods = doc["goods"]
    if goods is None:
        return
    yield f"  {track_line(Track.APREENSAO, goods['state'])}"
    for item in goods["items"]:
        nature = " (animal)" if item["animal"] else " (perecível)" if item["perishable"] else ""
        yield from folded(f"{item['quantity']} × {item['description']}{nature}", "    ")
    if "devolver_coisas" in doc["pending"]:
        yield from folded("Pendente: nada mais as retém; devolva-as a quem é de direito (devolucao).", "    ")
    if goods["expenses"]:
        yield f"    despesas da apreensão: {amount_br(goods['expenses'])}"
    gone = goods["destination"]
    if gone:
        said = [f"{act_label(gone['act'])} em {day_br(gone['date'])}"]
        for key, label in SUPPLY.items():
            if gone[key]:
                said.append(f"{label} {gone[key] if key == 'receipt' else amount_br(gone[key])}")
        yield from folded("; ".join(said), "    ")


def _licence(doc: Document) -> Iterator[str]:
    cited = doc["licence_to_decide"]
    if cited:
        said = f"{cited['norm']}, {article_br(cited['provision'])}"
        yield from folded(f"Pendente: na reincidência a lei cassa a licença ({said}); ninguém a decidiu.")
    if "cassacao_a_executar" in doc["pending"]:
        yield from folded("Pendente: a decisão cassou a licença; falta o ato de cassação que a executa.")
    if not doc["licence"]:
        return
    yield f"  {track_line(Track.LICENCA, doc['tracks'].get(Track.LICENCA))}"
    for act in doc["licence"]:
        what = f" ({act['licence']})" if act["licence"] else ""
        grounds = f": {act['grounds']}" if act["grounds"] else ""
        yield from folded(f"{act_label(act['act'])} em {day_br(act['date'])}{what}{grounds}", "    ")
