"""What a step leaves out and the law asks of the piece, filled in so that a case says only what matters to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from procedure.domain.rulebook_reader import shipped_rulebook
from tests.cases.municipalities import Municipality

FACT_KEYS = ("article", "penalty_article", "until", "place", "description", "subject")
_EVENTS = {"publication_next_expediente": "publication", "receipt": "received"}
_FALLS = ("insubsistente", "nulo")


@dataclass(frozen=True, slots=True)
class Desk:
    """What filling needs to know: where, who the people are, and the articles of the auto that was drawn up."""

    municipality: Municipality
    people: Mapping[str, Any]
    articles: tuple[str, ...]
    fined: bool


Data = dict[str, Any]
Fill = Callable[[Desk, Data], None]


def filled(desk: Desk, act: str, data: Data) -> Data:
    """The act as the import format has it, its dates as text."""
    data = {name: iso(value) for name, value in data.items()}
    fill = _FILL.get(act)
    if fill is not None:
        fill(desk, data)
    return data


def iso(value: Any) -> Any:
    """Days and instants as text, inside lists and tables too."""
    if isinstance(value, dict):
        return {name: iso(item) for name, item in value.items()}
    if isinstance(value, list):
        return [iso(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value


def remove(data: Data, path: str) -> None:
    """Take out the field at a dotted path."""
    *outer, last = path.split(".")
    for name in outer:
        data = data[name]
    del data[last]


def _person(desk: Desk, data: Data) -> None:
    first = next(iter(desk.people))
    data.setdefault("infrator", dict(desk.people[data.pop("person", first)]))


def _fact(desk: Desk, data: Data) -> None:
    if "infractions" in data:
        return
    fact: Data = {"date": data.pop("fact"), "place": desk.municipality.place, "description": "Fato descrito."}
    fact.update({name: data.pop(name) for name in FACT_KEYS if name in data})
    data["fact"] = fact


def _served(desk: Desk, data: Data) -> None:
    method = data.setdefault("method", "pessoal")
    event = shipped_rulebook(desk.municipality.law).notice_rule[method]
    data.setdefault(_EVENTS.get(event, event), data["date"])
    if method == "edital":
        data.setdefault("reason", "Lugar incerto e não sabido.")


def _notice(desk: Desk, data: Data) -> None:
    _person(desk, data)
    _fact(desk, data)
    _served(desk, data)


def _communication(desk: Desk, data: Data) -> None:
    _fact(desk, data)
    data.setdefault("by", {"name": "Quem presenciou"})
    data.setdefault("witnesses", ["Ana Sá", "Rui Dó"])


def _place_noticed(desk: Desk, data: Data) -> None:
    _person(desk, data)
    _fact(desk, data)
    data.setdefault("copy_to", dict(desk.people["distribuidora"]))


def _lavratura(desk: Desk, data: Data) -> None:
    _person(desk, data)
    data.setdefault("signature", {"by": "autuado"})
    if "collects" in data:
        return  # the fact, the amount and the notice are the origin's
    _fact(desk, data)
    if data.get("perigo_iminente", "") is False:
        del data["perigo_iminente"]
    elif desk.municipality.asks_prior_notice:
        data.setdefault("perigo_iminente", "Risco às pessoas, como descrito.")


def _decision(desk: Desk, data: Data) -> None:
    outcome = data.setdefault("outcome", "subsistente")
    if data["act"] == "julgamento":
        data.setdefault("report", "Relatório.")
    data.setdefault("grounds", "Fundamentos.")
    if data["act"] != "reconsideracao" and outcome not in _FALLS and desk.municipality.decides:
        data.setdefault("articles_infringed", list(desk.articles))
        if desk.fined:
            data.setdefault("articles_penalty", [desk.municipality.decides])


def _four_eyes(desk: Desk, data: Data) -> None:
    data.setdefault("second_person", "segunda-pessoa")
    if data["act"] != "cancelamento":
        data.setdefault("grounds", "Fundamentos.")
    if data["act"] == "anulacao":
        data.setdefault("annuls", "lavratura")


def _order(desk: Desk, data: Data) -> None:
    data.setdefault("description", "Fazer o que a lei manda.")


def _daily(desk: Desk, data: Data) -> None:
    data.setdefault("article", desk.municipality.daily_article)
    data.setdefault("from", data["date"])
    if data["act"] != "multa_diaria_cessada":
        _served(desk, data)


def _license(desk: Desk, data: Data) -> None:
    data.setdefault("license", "Alvará de localização e funcionamento")
    data.setdefault("grounds", "Fundamentos.")


_FILL: dict[str, Fill] = {
    "notificacao_preliminar": _notice,
    "comunicacao": _communication,
    "notificacao": _place_noticed,
    "lavratura": _lavratura,
    **dict.fromkeys(("ciencia", "ciencia_decisao", "intimacao", "intimacao_pagamento"), _served),
    **dict.fromkeys(("julgamento", "reconsideracao", "julgamento_recurso"), _decision),
    **dict.fromkeys(("cancelamento", "anulacao", "restituicao"), _four_eyes),
    "obrigacao_imposta": _order,
    **dict.fromkeys(("multa_diaria_imposta", "multa_diaria_cessada", "multa_diaria_consolidada"), _daily),
    **dict.fromkeys(("interdicao", "suspensao_licenca", "cassacao"), _license),
}
