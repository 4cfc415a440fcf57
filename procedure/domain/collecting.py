"""An auto that collects what another's obligation left due: the daily fine consolidated there, or the costs (spec 01).

Its amount is what the acts of the origin fixed. It is no new infraction: no prior notice, no antecedent, no doubling;
from its ciência on it is notified, defended, judged, paid and inscribed by the rows of any auto.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from legalbasis import Citation, PenaltyOutOfRange, Status
from penalties import Assessment
from penalties.memoria import Line
from penalties.money import centavos, from_centavos, money_br
from penalties.units import BRL
from procedure.domain import errors
from procedure.domain.act_input import ActInput
from procedure.domain.admission import br
from procedure.domain.amounts import amount, to_centavos
from procedure.domain.case import Case
from procedure.domain.context import Context
from procedure.domain.labels import COLLECTED
from procedure.domain.vocabulary import OF_OFFICE, Collects, Decision, State

Entry = Mapping[str, Any]


def collection_of(case: Case, act: ActInput, origin: Case | None, ctx: Context, fell: Sequence[str]) -> dict[str, Any]:
    """What an auto that collects is about: the facts it takes from the origin, and what is due there.

    ``fell`` are the autos that had collected from the origin and no longer stand. Raises MissingContent,
    LawMismatch, DefencePending, NothingToCollect.
    """
    kind = Collects(act.fields["collects"])
    if origin is None:
        raise errors.MissingContent("a cobrança não diz em que auto se consolidou o que cobra.", field="linked_auto")
    _require_new(case, act)
    if origin.law != case.law:
        raise errors.LawMismatch(f"o auto {origin.auto} é da lei {origin.law}.", field="linked_auto")
    if "final_at" not in origin.facts:
        raise errors.DefencePending(
            f"o auto {origin.auto} ainda não tem decisão definitiva: nada se cobra do que corre ao lado dele.",
            field="linked_auto",
            remedy="Espere a decisão definitiva do auto de origem.",
        )
    entries = uncollected(origin, kind, fell, until=act.at.day)
    if not entries:
        raise errors.NothingToCollect(_why_nothing(origin, kind, fell), field="collects")
    owed = sum(entry["amount"] for entry in entries)
    basis = _basis(entries[-1], ctx)
    found = {
        "kind": kind.value,
        "auto": origin.auto,
        "entries": [dict(entry) for entry in entries],
        "amount": owed,
        "article": origin.facts["infractions"][0]["article"],
        "basis": basis.provision,
        "basis_status": basis.status.value,
    }
    return {"infractions": [_fact(origin, found)], "fact": None, "collection": found}


def _require_new(case: Case, act: ActInput) -> None:
    if case.state is not None:
        raise errors.DuplicateAuto(
            f"o auto {case.auto} já existe: a cobrança se lavra em número novo.",
            field="auto",
            remedy="Use outro número.",
        )
    for name in ("fact", "infractions", "quantidade", "grau", "classe", "valor"):
        if act.fields.get(name):
            raise errors.CollectsAsConsolidated(field=name)


def uncollected(origin: Case, kind: Collects, fell: Sequence[str] = (), *, until: date | None = None) -> list[Entry]:
    """What is due in the origin, of one kind, and no standing auto collects; ``until`` leaves out later acts."""
    taken = {
        seq for item in origin.facts.get("collected", ()) if item["auto"] not in fell for seq in item["entries"]
    }
    due = [e for e in origin.facts.get("due_beside", ()) if e["kind"] == kind and e["seq"] not in taken]
    return [e for e in due if until is None or date.fromisoformat(e["on"][:10]) <= until]


def no_longer_stands(collecting: Case) -> bool:
    """Whether what an auto collected may be collected again: it was annulled, or judged void for its form."""
    decisions = collecting.facts.get("decisions") or [{}]
    void = collecting.state is State.INSUBSISTENTE and decisions[-1].get("outcome") == Decision.NULO
    return void or collecting.state is State.ANULADO


def _why_nothing(origin: Case, kind: Collects, fell: Sequence[str]) -> str:
    standing = [
        item["auto"] for item in origin.facts.get("collected", ()) if item["kind"] == kind and item["auto"] not in fell
    ]
    if standing:
        return f"{COLLECTED[kind]} do auto {origin.auto} já se cobra no auto {', '.join(standing)}."
    return f"no auto {origin.auto} nada há a cobrar de {COLLECTED[kind]}."


def _basis(entry: Entry, ctx: Context) -> Citation:
    """What imposes it: of costs the law's own article on them, else the one that the act cites."""
    if entry["kind"] == Collects.CUSTOS and ctx.book.costs_percent is not None:
        found: Citation = ctx.book.costs_percent[1]
        return found
    return ctx.book.cite(entry["article"], Status(entry["status"]))


def _fact(origin: Case, collection: Mapping[str, Any]) -> dict[str, Any]:
    """The origin's infraction, dated by what is collected."""
    first, last = collection["entries"][0], collection["entries"][-1]
    told = "; ".join(_told(entry) for entry in collection["entries"])
    days = {"date": first.get("from", first["on"]), "until": last.get("to")}
    own = {"penalty_article": collection["basis"], "description": f"{told}, no auto nº {origin.auto}"}
    return {**origin.facts["infractions"][0], **days, **own}


def _told(entry: Entry) -> str:
    if entry["kind"] == Collects.CUSTOS:
        return f"custo do que a Prefeitura fez em {br(date.fromisoformat(entry['on'][:10]))}"
    first, last = (br(date.fromisoformat(entry[name])) for name in ("from", "to"))
    return f"multa diária de {first} a {last}"


def fixed_collection(act_fields: Mapping[str, Any], collection: Mapping[str, Any]) -> dict[str, Any]:
    """The amount as an act fixes it: what the origin fixed, or the lower ``valor`` that a decision upholds in part.

    Raises MissingContent, PenaltyOutOfRange.
    """
    assessment = assess_collection(act_fields, collection)
    return {"assessment": assessment.to_dict(), "arbitrada": centavos(assessment.amount)}


def assess_collection(act_fields: Mapping[str, Any], collection: Mapping[str, Any]) -> Assessment:
    """The memória de cálculo of a collection."""
    common = {
        "unit": BRL,
        "article": collection["article"],
        "penalty_article": collection["basis"],
        "penalty_id": collection["basis"],
        "status": Status(collection["basis_status"]),
    }
    lines = [line for entry in collection["entries"] for line in _lines(entry, common)]
    outcome = str(act_fields.get("outcome")).removesuffix(OF_OFFICE)
    if outcome == Decision.PARCIALMENTE_SUBSISTENTE:
        lines.append(_reduction(act_fields, collection["amount"], common))
    return Assessment(tuple(lines), sum((line.amount for line in lines), Decimal("0.00")))


def _lines(entry: Entry, common: Mapping[str, Any]) -> list[Line]:
    one = {**common, "quantity": Decimal(1)}
    if entry["kind"] == Collects.CUSTOS:
        cost = {**one, "unit_value": Decimal(entry["cost"]), "surcharge": False}  # a cost repaid, not a fine
        lines = [Line(description=_told(entry), **cost).with_amount()]
        if Decimal(entry["percent"]):
            share = Line(description="administração", percent=Decimal(entry["percent"]), **cost)
            lines.append(share.with_amount())
        return lines
    rate = {**one, "unit_value": from_centavos(entry["rate"]), "times": Decimal(entry["days"]), "times_of": "dia"}
    day = Line.from_dict(entry["day"])
    line = Line(description=_told(entry), notes=(f"Um dia: {day.formula()}",), **rate).with_amount()
    capped = entry["amount"] - centavos(line.amount)
    return [line] if capped == 0 else [line, _less(capped, "redução ao máximo da multa diária", common)]


def _reduction(act_fields: Mapping[str, Any], whole: int, common: Mapping[str, Any]) -> Line:
    valor = act_fields.get("valor")
    if valor is None:
        raise errors.MissingContent("a decisão mantém em parte e não diz quanto.", field="valor")
    less = to_centavos(valor) - whole
    if less >= 0:
        raise PenaltyOutOfRange(
            f"o que se mantém em parte é menos que {money_br(from_centavos(whole))}.", field="valor"
        )
    return _less(less, "o que a decisão não manteve", {**common, "reason": act_fields.get("grounds")})


def _less(centavos_off: int, description: str, common: Mapping[str, Any]) -> Line:
    less = {**common, "quantity": Decimal(-1), "unit_value": from_centavos(-centavos_off)}
    return Line(description=description, **less).with_amount()


def collected_mark(collecting: Case) -> dict[str, Any]:
    """What the origin's record says of being collected elsewhere."""
    found = collecting.facts["collection"]
    entries = [entry["seq"] for entry in found["entries"]]
    return {"collects": found["kind"], "in": collecting.auto, "amount": amount(found["amount"]), "entries": entries}


def to_collect(case: Case, fell: Sequence[str] = ()) -> dict[str, int]:
    """What is due beside the fine of a case and no standing auto collects, in centavos, by kind."""
    left = {kind.value: sum(e["amount"] for e in uncollected(case, kind, fell)) for kind in Collects}
    return {kind: owed for kind, owed in left.items() if owed}


def costs_are_no_fine(case: Case) -> bool:
    """Whether what is charged bears no increase for late payment: a cost that is repaid."""
    collection = case.facts.get("collection")
    return collection is not None and collection["kind"] == Collects.CUSTOS
