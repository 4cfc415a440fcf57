"""What came after an inscription, as people read it; the book of the register, the forecast."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from procedure.cli.plain import amount_br, article_br, day_br, doc_br, folded
from procedure.domain.labels import DEBT_PARTS, INSCRIPTION_STATUSES, STATES, act_label, ground_label

Document = Mapping[str, Any]


def after_inscription(doc: Document) -> Iterator[str]:
    """The blocks that follow the Termo; nothing of what there is not."""
    for block in (_history, _payments, _prescription, _balance):
        lines = list(block(doc))
        if lines:
            yield "\n".join(lines)


def note(entry: Document) -> str:
    """One line of the history: day, act, ground, reference, who."""
    ground = ground_label(entry["ground"]) if entry["ground"] else None
    second = f"segunda pessoa: {entry['second_person']}" if entry.get("second_person") else None
    said = "; ".join(filter(None, (ground, entry["legal_act"], entry["reference"], second)))
    by = f" – {entry['by']}" if entry["by"] else ""
    return f"{day_br(entry['date'][:10])}  {act_label(entry['act'])}{f' ({said})' if said else ''}{by}"


def _history(doc: Document) -> Iterator[str]:
    if doc["history"]:
        yield "Depois da inscrição:"
        for entry in doc["history"]:
            yield from folded(note(entry))


def _payments(doc: Document) -> Iterator[str]:
    for paid in doc["paid_after"]:
        shares = ", ".join(
            f"{DEBT_PARTS[part['key']]} {amount_br(part['paid'])}" for part in paid["parts"] if part["paid"] != "0.00"
        )
        yield f"Pago em {day_br(paid['date'][:10])}: {amount_br(paid['amount'])} ({shares}; {paid['order']})"
    if doc["paid_after"]:
        yield f"Resta do valor inscrito: {amount_br(doc['saldo'])}"


def _prescription(doc: Document) -> Iterator[str]:
    found = doc["prescription"]
    if found is None or doc["status"] in ("quitado", "cancelado"):
        return
    yield "Prescrição:"
    if found["in_court"]:
        yield "  em juízo: não se conta prazo até o fim da execução"
        return
    for reading in found["readings"]:
        day = day_br(reading["prescribes_on"]) if reading["prescribes_on"] else "o prazo não corre"
        yield from folded(f"{_ROLES[reading['role']]}: {day} – {reading['name']}")
        for step in reading["steps"]:
            yield from folded(f"{day_br(step['day'])}  {step['reason']} ({step['source']})", "      ")
    if found["warns_on"]:
        yield f"  Avisa-se pelo mais cedo: {day_br(found['warns_on'])}"


_ROLES = {"adotada": "Adotada", "cautela": "Por cautela", "alternativa": "Alternativa, em que não se confia"}


def _balance(doc: Document) -> Iterator[str]:
    found = doc["balance"]
    if found is None:
        return
    yield f"Valor em {day_br(found['on'])}: {amount_br(found['total'])}"
    for part, value in found["parts"].items():
        if value != "0.00":
            yield f"  {DEBT_PARTS[part]}: {amount_br(value)}"
    updated = found["updated"]
    if updated is None:
        yield "  sem atualização monetária nem juros: não há ato municipal informado"
        return
    yield from folded(f"por {updated['act']}, sobre {amount_br(updated['original'])}, desde {day_br(updated['due'])}")
    for step in updated["months"]:
        yield f"    {_month(step)}"
    counted = found["counted"]
    if counted:
        sums = " e ".join(f"{amount_br(counted[p])} de {DEBT_PARTS[p]}" for p in ("atualizacao", "juros"))
        yield from folded(f"já contados até o pagamento de {day_br(counted['until'])}, e abatidos: {sums}")
    if updated["capped"]:
        yield from folded(f"limitado à {updated['cap']}; sem o limite seriam {amount_br(updated['uncapped'])}")


def _month(step: Document) -> str:
    year, month = step["month"].split("-")
    parts = [f"{month}/{year}"]
    if step["index_percent"] is not None:
        parts.append(f"índice {_br(step['index_percent'])}%, fator {_br(step['factor'])}")
    if step["interest_percent"] is not None:
        parts.append(f"juros {_br(step['interest_percent'])}%, somados {_br(step['interest_total'])}%")
    if step["cap_total"] is not None:
        parts.append(f"limite {_br(step['cap_total'])}%")
    return "  ".join(parts)


def _br(number: str) -> str:
    return number.replace(".", ",")


def book_page(livro: int, folha: int, entries: Sequence[Document]) -> str:
    """A folha of the book."""
    lines = [f"LIVRO {livro}, FOLHA {folha}"]
    for entry in entries:
        status = INSCRIPTION_STATUSES.get(entry["status"], entry["status"])
        doc = f", {doc_br(entry['doc_masked'])}" if entry["doc_masked"] else ""
        lines += [
            f"Nº {entry['number']}, de {day_br(entry['date'])}, auto {entry['auto']}: {status}",
            *folded(f"Devedor: {entry['debtor'] or 'dados apagados'}{doc}"),
            *folded(f"Origem: {entry['origin']}"),
            *folded(
                f"Infração: {', '.join(map(article_br, entry['infraction_articles']))}; penalidade: "
                f"{', '.join(map(article_br, entry['penalty_articles']))}"
            ),
            *folded(
                f"Valor originário {amount_br(entry['original_amount'])}, acréscimos {amount_br(entry['charges'])}, "
                f"total {amount_br(entry['total'])}; exigível desde {day_br(entry['exigivel_em'])}"
            ),
            *(f"  Averbação: {note(item)}" for item in entry["notes"]),
        ]
    return "\n".join(lines)


def forecast_table(lines: Sequence[Document], within: int) -> str:
    """What prescribes, the first first."""
    if not lines:
        return f"Nada prescreve nos próximos {within} dias, por nenhuma das leituras que avisam."
    shown = []
    for line in lines:
        name = f"inscrição {line['number']}" if line["number"] else "não inscrito"
        left = f"faltam {line['days_left']} dias" if line["days_left"] >= 0 else f"há {-line['days_left']} dias"
        status = INSCRIPTION_STATUSES.get(line["status"]) or STATES.get(line["status"], line["status"])
        adopted = day_br(line["prescribes_on"]) if line["prescribes_on"] else "–"
        shown.append(
            f"{day_br(line['warns_on'])}  {left}; auto {line['auto']}, {name}, {status}, {amount_br(line['saldo'])}; "
            f"pela leitura adotada, {adopted}{' (PRESCRITA)' if line['prescribed'] else ''}"
            + (f"; alerta: {', '.join(line['alerts'])}" if line["alerts"] else "")
        )
    return "\n".join([*shown, f"{len(lines)} débito(s). O programa avisa, e não baixa nada."])
