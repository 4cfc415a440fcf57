"""The timeline of a case as a page: where it stands, the line, day by day, each term as it was counted, the money."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from procedure.domain.labels import INSCRIPTION_STATUSES, OUTCOMES, act_label, state_label
from procedure.domain.readings import reading_br
from procedure.domain.telling import (
    by_words,
    doc_label,
    end_words,
    event_label,
    event_number,
    money_words,
    status_label,
    term_label,
    tracks_words,
)
from procedure.domain.vocabulary import ENDED_INSCRIPTION
from procedure.domain.wording import amount_br, article_br, cited_br, day_br, weekday_br
from procedure.pages.frame import cards, page, sentence, table
from procedure.pages.markup import Html, el, join, name_of
from procedure.pages.months import months
from procedure.pages.timeline_picture import picture

Document = Mapping[str, Any]


def timeline_page(doc: Document) -> str:
    """The page of ``services.timeline.timeline``."""
    heading = f"Auto de infração nº {doc['auto']}"
    person = doc["infrator"]
    intro = join(
        el("p", doc["law_title"], class_="sub"),
        el("p", "Autuado: ", name_of(person["name"]), f" ({doc_label(person['doc'])})" if person["doc"] else None)
        if person and person["name"]
        else None,
    )
    line = el("section", el("h2", "Linha do tempo"), picture(doc), class_="line")
    body = [_summary(doc), line, el("h2", "Dia a dia"), _days(doc)]
    if doc["deadlines"]:
        body += [el("h2", "Prazos, dia contado por dia contado"), *(_term(item) for item in doc["deadlines"])]
    if any(event["money"] for event in doc["events"]):
        body += [el("h2", "Dinheiro"), _money(doc)]
    foot = [
        el("p", "Feita a partir dos atos registrados. O CPF aparece encoberto (LGPD)."),
        el("p", f"Último elo da cadeia de atos: {doc['head_hash'][:16]}."),
    ]
    place = doc["municipality_name"]
    return page(
        f"{heading}, {place}", place=place, heading=heading, intro=intro, body=body, foot=foot, sheets=["timeline"]
    )


def _summary(doc: Document) -> Html:
    coming = doc["next_engine_act"]
    running = [item for item in doc["deadlines"] if item["status"] == "aberto"]
    entries: list[tuple[str, Html | str, str | None]] = [("Situação", sentence(state_label(doc["state"])), None)]
    entries.append(("A pagar", amount_br(doc["amounts"]["saldo"]), _of_what(doc)))
    if doc["inscription"]:
        entries.append(_debt(doc["inscription"]))
    for item in running[:2]:
        ends = item["expires_on"]
        entries.append((f"Corre: {term_label(item)}", f"até {day_br(ends)}", weekday_br(ends)))
    if coming:
        entries.append(("Se nada acontecer", sentence(act_label(coming["act"])), f"em {weekday_br(coming['date'])}"))
    return cards(entries)


def _debt(item: Document) -> tuple[str, str, str | None]:
    """The inscription, with the last day to file it: the adopted one, and the one that comes earlier."""
    status = INSCRIPTION_STATUSES[item["status"]]
    standing = item["status"] not in ENDED_INSCRIPTION and item["prescribes_on"]
    last = f"prescreve em {day_br(item['prescribes_on'])}" if standing else None
    if last and item["warns_on"] != item["prescribes_on"]:
        last = f"{last}; por cautela, ajuizar até {day_br(item['warns_on'])}"
    return f"Inscrição nº {item['number']}", sentence(status), last


def _of_what(doc: Document) -> str | None:
    named = (("arbitrada", "multa"), ("acrescimo", "acréscimo"), ("pago", "pago"))
    parts = [f"{label} {amount_br(doc['amounts'][key])}" for key, label in named if doc["amounts"][key] != "0.00"]
    return "; ".join(parts) or None


# ---------------------------------------------------------------- day by day


def _days(doc: Document) -> Html:
    return el("ol", [el("li", el("h3", weekday_br(day["date"])), _day(doc, day)) for day in doc["days"]], class_="days")


def _day(doc: Document, day: Document) -> Html:
    lines = [el("li", _event(doc["events"][at]), class_="act") for at in day["events"]]
    lines += [el("li", _start(doc["deadlines"][at]), class_="runs") for at in day["starts"]]
    lines += [el("li", sentence(end_words(doc["deadlines"][at])), class_="runs") for at in day["ends"]]
    return el("ul", lines)


def _event(event: Document) -> Iterator[Html]:
    said = [sentence(event_label(event))]
    if event["method"]:
        said.append(OUTCOMES[event["method"]])
    if event["article"]:
        said.append(cited_br(event["article"], event["norm"]))
    said.append(by_words(event["role"]))
    yield el("span", f"{event_number(event)}. {', '.join(said)}", [f"; {t}" for t in tracks_words(event)])
    money = [*money_words(event)]
    if money:
        yield el("span", "; ".join(money), class_="money")


def _start(item: Document) -> str:
    return f"Começa: {term_label(item)} ({article_br(item['article'])}), até {day_br(item['expires_on'])}"


# ---------------------------------------------------------------- terms and money


def _term(item: Document) -> Html:
    """A term with its months and its steps."""
    said = f"{sentence(term_label(item))}: {status_label(item)}"
    first = f", contado desde {day_br(item['first_counted'])}" if item["first_counted"] else ""
    ends = f"Início em {day_br(item['starts_on'])}{first}; vence em {weekday_br(item['due'])}."
    parts: list[Html] = [el("h3", said), el("p", f"{sentence(article_br(item['article']))}. {ends}")]
    if item["expires_on"] != item["due"]:
        parts.append(el("p", f"O município espera até {weekday_br(item['expires_on'])}, pela leitura mais favorável."))
    if item["months"]:
        parts.append(months(item["months"]))
    if item["steps"]:
        rows = [(_when(s), s["reason"], s["citation"] or "—") for s in item["steps"]]
        heads = ("Dias", "O que houve", "Fundamento")
        parts.append(table("O que se contou e o que se pulou, com a razão", heads, rows))
    parts += [
        el("p", f"Outra leitura: {day_br(other['due'])} ({reading_br(other['reading'])}).", class_="note")
        for other in item["alternatives"]
    ]
    return el("section", parts)


def _when(step: Document) -> Html:
    first, last = day_br(step["from"]), day_br(step["to"])
    return el("span", first if first == last else f"{first} a {last}", class_=None if first != last else "nowrap")


def _money(doc: Document) -> Html:
    rows = [
        (day_br(event["date"]), event_label(event), "; ".join(money_words(event)), amount_br(event["balance"]))
        for event in doc["events"]
        if event["money"]
    ]
    heads = ("Dia", "Ato", "O que moveu", "A pagar depois dele")
    return table("O que cada ato fixou, acresceu ou pagou", heads, rows, numbers=(3,))
