"""The Termo de Inscrição em dívida ativa as it reads on paper, each legal element on a line of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from penalties.memoria import Line
from procedure.cli.plain import address_br, amount_br, article_br, day_br, folded, person_br
from procedure.domain.labels import INSCRIPTION_STATUSES

ADDITIONS = {
    "acrescimo": "Acréscimos",
}
Document = Mapping[str, Any]


def describe(doc: Document) -> str:
    """The whole Termo, from the document of ``posturas divida-ativa show --json``."""
    blocks = (_heading, _debtor, _debt, _amounts, _memory, _authority)
    return "\n\n".join("\n".join(block(doc)) for block in blocks)


def _heading(doc: Document) -> Iterator[str]:
    yield f"TERMO DE INSCRIÇÃO EM DÍVIDA ATIVA Nº {doc['number']}"
    yield f"Data da inscrição: {day_br(doc['date'])}"
    yield f"Livro {doc['livro']}, folha {doc['folha']}"
    yield f"Processo administrativo nº {doc['processo']}"
    yield f"Auto de infração nº {doc['auto']}"
    if doc["status"] != "inscrito":
        yield f"Situação: {INSCRIPTION_STATUSES.get(doc['status'], doc['status'])}"


def _debtor(doc: Document) -> Iterator[str]:
    yield f"Devedor: {person_br(doc['debtor'])}"
    yield f"Domicílio do devedor: {_domicile(doc['debtor'])}"
    if not doc["co_responsible"]:
        yield "Corresponsáveis: não há"
    for person in doc["co_responsible"]:
        yield f"Corresponsável: {person_br(person)}"
        yield f"Domicílio do corresponsável: {_domicile(person)}"


def _domicile(person: Document) -> str:
    return "dados pessoais apagados" if person["erased"] else address_br(person)


def _debt(doc: Document) -> Iterator[str]:
    yield f"Origem: {doc['origin']}"
    yield f"Natureza: {doc['nature']}"
    yield f"Lei: {doc['law_title']}"
    yield f"Infração: {', '.join(article_br(a) for a in doc['infraction_articles'])}"
    yield f"Penalidade: {', '.join(article_br(a) for a in doc['penalty_articles'])}"
    yield f"Data do fato: {day_br(doc['fact_date'])}"
    yield f"Decisão definitiva em: {day_br(doc['final_on'])}"
    yield "Fundamento legal:"
    for citation in doc["legal_basis"]:
        yield f"  {citation}"
    if doc["law_note"]:
        yield f"Observação: {doc['law_note']}"
    for alert in doc.get("alerts", ()):
        yield f"Alerta: {alert['reason']}"


def _amounts(doc: Document) -> Iterator[str]:
    yield f"Valor originário: {amount_br(doc['original_amount'])}"
    for item in doc["additions"]:
        yield f"{ADDITIONS[item['kind']]}: {amount_br(item['amount'])} ({item['basis']})"
    if not doc["additions"]:
        yield f"Acréscimos: {amount_br(doc['charges'])}"
    if Decimal(doc["discount"]):
        yield f"Desconto por pagamento antecipado: {amount_br(doc['discount'])}"
    if Decimal(doc["paid"]):
        yield f"Pago antes da inscrição: {amount_br(doc['paid'])}"
    yield f"Total inscrito: {amount_br(doc['total'])}"
    yield f"Exigível desde: {day_br(doc['exigivel_em'])}"
    since = f", desde {day_br(doc['interest']['from'])}" if doc["interest"]["from"] else ""
    yield f"Juros: {doc['interest']['manner']}{since}"
    update = doc["update"]
    if update["subject"]:
        yield f"Atualização monetária: {update['basis']}, desde {day_br(update['from'])}"
    else:
        yield f"Atualização monetária: {update['note']}"
    yield f"Prescreve em: {day_br(doc['prescribes_on'])}"


def _memory(doc: Document) -> Iterator[str]:
    yield "Memória de cálculo:"
    for line in doc["assessment"]["lines"]:
        yield from folded(f"{article_br(line['article'])}, punido pelo {article_br(line['penalty_article'])}")
        yield f"    {Line.from_dict(line).formula()}"
        if line["unit_act"]:
            yield f"    valor da {line['unit']}: {line['unit_act']}"
    surcharge = (doc["surcharge"] or {}).get("line")
    if surcharge:
        yield f"  {surcharge['description']} ({article_br(surcharge['penalty_article'])})"
        yield f"    {Line.from_dict(surcharge).formula()}"


def _authority(doc: Document) -> Iterator[str]:
    if doc["authority_to_supply"]:
        yield "Autoridade: a informar"
        yield from folded(doc["authority_to_supply"])
    else:
        yield f"Autoridade: {doc['authority']}"
        yield f"Cargo: {doc['authority_office']}"
        yield f"Ato de designação: {doc['authority_act']}"
    yield "Autenticada." if doc["authenticated"] else "Ainda não autenticada."
