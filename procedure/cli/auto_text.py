"""A case told to people: who, what, where it stands and what comes next, terms day by day, the fine line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import groupby
from typing import Any

from calendars.days import WEEKDAYS
from procedure.cli.auto_tracks_text import tracks
from procedure.cli.plain import (
    address_br,
    amount_br,
    article_br,
    day_br,
    folded,
    moment_br,
    person_br,
    weekday_br,
)
from procedure.domain.amounts import amount
from procedure.domain.labels import (
    ACTS,
    COLLECTED,
    DEADLINE_STATUSES,
    GRADES,
    INSCRIPTION_STATUSES,
    OUTCOMES,
    ROLES,
    act_label,
    deadline_label,
    state_label,
)
from procedure.domain.readings import reading_br
from procedure.domain.vocabulary import ENDED_INSCRIPTION, Act, Collects, DeadlineStatus, Role
from procedure.services.showing import NOTHING_OWED

Document = Mapping[str, Any]
NOT_OWED = {state.value for state in NOTHING_OWED}
RECALCULATE = {
    True: "um antecedente que dobrou a multa deixou de valer; recalcule a multa.",
    False: "voltou a valer o antecedente cuja queda baixou a multa; anule o recálculo (annuls=recalculo_multa).",
}


def describe(doc: Document) -> str:
    """The whole case, from the document of ``posturas auto show --json``."""
    parts = (_heading, _facts, _standing, _deadlines, tracks, _fine, _antecedents, _inscription, _acts)
    blocks = ["\n".join(lines) for part in parts if (lines := list(part(doc)))]
    return "\n\n".join(blocks)


def _heading(doc: Document) -> Iterator[str]:
    yield f"AUTO DE INFRAÇÃO Nº {doc['auto']} – {doc['municipality_name']}"
    yield doc["law_title"]
    if doc["as_of"]:
        yield f"Posição em direito de {moment_br(doc['as_of'])}; o que a varredura ainda não concluiu se conclui aqui."
    if doc["known_at"]:
        yield f"Só o que estava lançado até {moment_br(doc['known_at'])}."
    if doc["law_note"]:
        yield f"Atenção: {doc['law_note']}."
    yield ""
    person = doc["infrator"]
    yield f"Autuado    {person_br(person)}"
    if person and not person["erased"]:
        yield f"Domicílio  {address_br(person)}"
    if doc["responsavel"]:
        yield f"Responsável  {person_br(doc['responsavel'])}"
    if doc["copy_to"]:
        yield f"Cópia a    {person_br(doc['copy_to'])}"
    collection = doc["collection"]
    if collection:
        what = COLLECTED[Collects(collection["collects"])]
        yield from folded(f"Cobra {what} no auto nº {collection['auto']}, {amount_br(collection['amount'])}", "")
    elif doc["linked_auto"]:
        yield f"Ligado ao auto nº {doc['linked_auto']}"
    if doc["reissues"]:
        yield f"Refaz o auto nº {doc['reissues']}, anulado"
    if doc["reissued_as"]:
        yield f"Refeito no auto nº {', '.join(doc['reissued_as'])}"


def _facts(doc: Document) -> Iterator[str]:
    for number, fact in enumerate(doc["infractions"]):
        if number == 0:
            yield "FATO" if len(doc["infractions"]) == 1 else "FATOS"
        until = f" até {moment_br(fact['until'])}" if fact["until"] else ""
        place = f", em {fact['place']}" if fact["place"] else ""
        yield f"  {moment_br(fact['date'])}{until}{place}"
        if fact["description"]:
            yield from folded(fact["description"])
        penalty = f", punido pelo {article_br(fact['penalty_article'])}" if fact["penalty_article"] else ""
        yield from folded(f"Infração: {article_br(fact['article'])}{penalty}. {fact['infraction'] or ''}".rstrip())


def _standing(doc: Document) -> Iterator[str]:
    yield "SITUAÇÃO"
    label = state_label(doc["state"])
    yield f"  {label[:1].upper()}{label[1:]}{' (revel)' if 'revel' in doc['flags'] else ''}"
    yield from _next(doc)
    if "restituir_cobranca" in doc["pending"]:
        yield from folded("Pendente: o auto caiu depois de paga a sua cobrança; restitua o que se pagou nela.", "  ")
    yield from _money(doc)
    for reason in doc["gate"]:
        yield from folded(f"Impede a inscrição: {reason['reason']}")
    for filing in doc["timeliness"]:
        if filing["timeliness"] != "tempestiva":
            decided = filing["decided"]
            after = (
                "a decidir"
                if decided is None
                else f"a decisão {'conheceu' if decided == 'conhecida' else 'não conheceu'}"
            )
            label = act_label(filing["act"]).capitalize()
            yield from folded(f"{label} de {day_br(filing['date'])}: {OUTCOMES[filing['timeliness']]} ({after})")
    for warned in doc["warnings"]:
        yield from folded(f"Aviso: {warned['message']}")


def _next(doc: Document) -> Iterator[str]:
    coming = doc["next_engine_act"]
    if coming:
        yield f"  Se nada acontecer: {act_label(coming['act'])} em {weekday_br(coming['date'])}"
    if doc["allowed_acts"]:
        yield from folded(f"Cabe agora: {'; '.join(ACTS[Act(name)] for name in doc['allowed_acts'])}")
    elif not coming:
        yield "  Processo encerrado."


def _is_cost(doc: Document) -> bool:
    return bool(doc["collection"]) and doc["collection"]["collects"] == Collects.CUSTOS


def _money(doc: Document) -> Iterator[str]:
    amounts = doc["amounts"]
    if Decimal(doc["deposit"]):
        yield f"  Depósito voluntário: {amount_br(doc['deposit'])}"
    if doc["state"] in NOT_OWED or not Decimal(amounts["arbitrada"]):
        if Decimal(doc["credit"]):
            yield f"  A restituir: {amount_br(doc['credit'])}"
        return
    named = (("custo" if _is_cost(doc) else "multa", "arbitrada"), ("acréscimo", "acrescimo"))
    parts = [f"{label} {amount_br(amounts[key])}" for label, key in named if Decimal(amounts[key])]
    less = (("desconto", "desconto"), ("pago", "pago"))
    parts += [f"{label} {amount_br(amounts[key])}" for label, key in less if Decimal(amounts[key])]
    yield from folded(f"A pagar: {amount_br(amounts['saldo'])} ({'; '.join(parts)})")
    if Decimal(doc["credit"]):
        yield f"  Crédito de quem pagou: {amount_br(doc['credit'])}"


def _deadlines(doc: Document) -> Iterator[str]:
    for number, item in enumerate(doc["deadlines"]):
        if number == 0:
            yield "PRAZOS"
        yield from _deadline(item)


def _deadline(item: Document) -> Iterator[str]:
    label = deadline_label(item["kind"])
    status = "desfeito" if item["undone"] else DEADLINE_STATUSES[DeadlineStatus(item["status"])]
    yield f"  {label[:1].upper()}{label[1:]}, {_term(item['term'])} ({article_br(item['article'])}): {status}"
    for step in item["steps"] or ():
        if step["kind"] == "vencimento":
            continue  # said below, with its hour
        when = day_br(step["from"]) if step["from"] == step["to"] else f"{day_br(step['from'])} a {day_br(step['to'])}"
        weekday = WEEKDAYS[date.fromisoformat(step["from"]).weekday()].removesuffix("-feira")
        named = weekday if step["from"] == step["to"] else ""
        cite = f"  [{step['citation']}]" if step["citation"] else ""
        yield f"    {when:<24} {named:<8} {step['reason']}{cite}".rstrip()
    yield f"    vence em {weekday_br(item['due'])}, às {item['due_at'][11:16]}"
    for other in item["alternatives"]:
        yield f"    outra leitura: {day_br(other['due'])} ({reading_br(other['reading'])})"
    if item["expires_on"] != item["due"]:
        yield f"    o município espera até {day_br(item['expires_on'])}, a leitura mais favorável"


def _term(term: str) -> str:
    from calendars import Term

    return Term.parse(term).label()


def _fine(doc: Document) -> Iterator[str]:
    if not doc["assessment"]:
        return
    yield "MULTA, LINHA A LINHA"
    for line in doc["assessment"]:
        yield from folded(f"{article_br(line['article'])}, punido pelo {article_br(line['penalty_article'])}")
        if line["grau"]:
            yield f"    grau {GRADES.get(line['grau'], line['grau'])}"
        if doc["collection"]:
            yield from folded(line["description"], "    ")
        yield f"    {line['formula']}"
        if line["unit_act"]:
            yield f"    valor da {line['unit']}: {line['unit_act']}"
        if line["factor"] != "1":
            yield f"    reincidência: × {line['factor']} ({article_br(line['factor_article'])})"
        if line["status"] != "texto":
            yield f"    base: {line['status']}"
    yield f"  {'Custo devido' if _is_cost(doc) else 'Multa arbitrada'}: {amount_br(doc['amounts']['arbitrada'])}"
    if Decimal(doc["amounts"]["acrescimo"]):
        line = (doc["surcharge"] or {}).get("line") or {}
        cited = f" ({article_br(line['penalty_article'])})" if line.get("penalty_article") else ""
        yield f"  {line.get('description', 'Acréscimo')}: {amount_br(doc['amounts']['acrescimo'])}{cited}"
        yield f"  Total: {amount_br(_total(doc))}"
    for other in doc["fine_alternatives"]:
        yield f"  Com {other['switch']} = {other['reading']}: {amount_br(other['amount'])}"


def _total(doc: Document) -> str:
    parts = ("arbitrada", "acrescimo")
    return str(sum((Decimal(doc["amounts"][part]) for part in parts), Decimal("0.00")))


def _antecedents(doc: Document) -> Iterator[str]:
    told = [item for examined in doc["evidence"] for item in examined["evidence"]]
    for number, item in enumerate(told):
        if number == 0:
            yield "ANTECEDENTES"
        verdict = "conta" if item["counted"] else "não conta"
        yield f"  Auto {item['auto']}, fato de {day_br(item['fact_day'])}: {verdict}"
        yield from folded(item["reason"], "    ")
    if "recalcular_multa" in doc["pending"]:
        yield from folded(f"Pendente: {RECALCULATE[any(item['counted'] for item in told)]}", "  ")


def _inscription(doc: Document) -> Iterator[str]:
    item = doc["inscricao"]
    if item is None:
        return
    yield "DÍVIDA ATIVA"
    if item["number"] is None:  # looked at as of a day: what a sweep would have inscribed has no number yet
        yield f"  Inscrição ainda sem número, de {day_br(item['date'])}"
    else:
        place = f"livro {item['livro']}, folha {item['folha']}"
        yield f"  Inscrição nº {item['number']}, de {day_br(item['date'])}, {place}"
    status = INSCRIPTION_STATUSES.get(item["status"], item["status"])
    until = f"; prescreve em {day_br(item['prescribes_on'])}" if item["prescribes_on"] else ""
    ended = item["status"] in ENDED_INSCRIPTION  # nothing is left to prescribe
    yield f"  Valor {amount_br(item['amount'])}; {status}{'' if ended else until}"


def _acts(doc: Document) -> Iterator[str]:
    yield "ATOS"
    for days, together in groupby(doc["acts"], key=lambda act: act["act"] == Act.DECURSO_MULTA_DIARIA):
        listed = list(together)
        yield from _days_of_fine(listed) if days and len(listed) > 1 else _each(listed)


def _days_of_fine(acts: Sequence[Document]) -> Iterator[str]:
    """Days of daily fine in a row, on one line."""
    first, last = acts[0], acts[-1]
    days = [day_br(act["details"]["accrues"]["day"]) for act in (first, last)]
    what = f"{len(acts)} dias de multa diária, de {days[0]} a {days[1]}"
    yield f"  {first['seq']:>3}. {day_br(first['date'])}  {what}, pelo sistema, até o ato {last['seq']}"


def _each(acts: Sequence[Document]) -> Iterator[str]:
    for act in acts:
        what = "; ".join([act_label(act["act"]), *_details(act)])
        who = "pelo sistema" if act["role"] == Role.SISTEMA else f"por {act['actor']} ({ROLES[Role(act['role'])]})"
        yield f"  {act['seq']:>3}. {day_br(act['date'])}  {what}, {who}"


def _recount(details: Document) -> Iterator[str]:
    """The term that a decree moved, from when to when, by which act."""
    told, cause = details["recount"], details["cause"]
    yield f"{deadline_label(told['kind'])}, de {day_br(told['from'])} para {day_br(told['to'])}"
    yield from dict.fromkeys(decree["act"] for decree in cause["decrees"] if decree["act"])
    if cause["decided_by"]:
        yield f"decisão de {cause['decided_by']}"


def _undoing(act: str, details: Document) -> Iterator[str]:
    """What an act undid, let fall or annulled; of one recorded again, which."""
    if details.get("undoes"):
        seqs = [str(item["seq"]) for item in details["undoes"]]
        yield f"desfaz o ato {seqs[0]}" if len(seqs) == 1 else f"desfaz os atos {', '.join(seqs)}"
        cause = details["cause"]
        yield f"por causa de {act_label(cause['act'])} de {day_br(cause['date'])}"
    if details.get("fell"):
        yield f"caem {', '.join(str(item['seq']) for item in details['fell'])}"
    if details.get("cancels"):
        yield f"cancela a inscrição {details['cancels']['inscription']}"
    if details.get("annulled"):
        yield f"anula {act_label(details['annulled']['act'])}, ato {details['annulled']['seq']}"
    elif act == Act.ANULACAO:
        yield "de todo o auto"
    if details.get("second_person"):
        yield f"com {details['second_person']}"
    if details.get("reapplies"):
        yield f"repete o ato {details['reapplies']}"


def _details(act: Document) -> Iterator[str]:
    details = act["details"]
    if details.get("method"):
        yield OUTCOMES[details["method"]]
    for name, label in (("received", "recebida em"), ("juntada", "juntada em"), ("publication", "publicada em")):
        if details.get(name):
            yield f"{label} {moment_br(details[name])}"
    if details.get("amount"):
        yield amount_br(details["amount"])
    if details.get("consolidated"):
        period = details["consolidated"]
        due = amount_br(amount(period["amount"]))
        yield f"{due}, {period['days']} dias, de {day_br(period['from'])} a {day_br(period['to'])}"
    if details.get("timeliness") and details["timeliness"] != "tempestiva":
        yield OUTCOMES[details["timeliness"]]
    if details.get("recount"):
        yield from _recount(details)
    if details.get("texts"):
        yield f"processo do texto {details['texts']['to'].split('|')[0]}"
    yield from _undoing(act["act"], details)
    if act["outcome"] in OUTCOMES:
        yield OUTCOMES[act["outcome"]]
    if details.get("number"):
        yield f"nº {details['number']}"
