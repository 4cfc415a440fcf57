"""Histories of one auto, walked through the acts that each law allows, and the same acts recorded in any order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from legalbasis import ErrorGroup, PosturasError
from penalties.money import from_centavos
from procedure.domain.case import Case
from procedure.services.ports import MunicipalData
from procedure.services.showing import deadlines_shown
from procedure.testing import FixedClock, MemoryOffice, acts_of

Fields = dict[str, Any]
Draw = Callable[[int], int]  # a number from 0 up to the given one
NOW = "2019-01-07T12:00-03:00"
AUTO = "1/A"
_PERSON: Fields = {
    "name": "Pessoa de Teste Ltda.", "doc": "11.222.333/0001-81", "kind": "pj",
    "address": {"street": "Rua de Teste", "number": "1"},
}  # fmt: skip


@dataclass(frozen=True)
class Law:
    """A municipality, where its histories begin, and what acts say there."""

    municipality: str
    law: str
    start: date
    opening: Sequence[str]
    article: str
    cites: Sequence[str]
    judge: str
    served: Sequence[str]
    extra: Fields = field(default_factory=dict)
    unit: tuple[str, str] | None = None
    before: Sequence[Fields] = ()  # acts of another auto, on record in every office

    def office(self) -> MemoryOffice:
        """A fresh office of the municipality."""
        office = MemoryOffice(self.municipality, FixedClock(NOW))
        if self.unit:
            name, value = self.unit
            office.supply_unit_value(self.law, name, start=date(2012, 9, 18), value=Decimal(value), act="inventado")
        office.repository.data.setdefault(self.municipality, MunicipalData(self.municipality))
        for act in self.before:
            office.record(act)
        return office


SAO_GABRIEL = Law(
    "3204708", "es-3204708/lei-1522-2005", date(2013, 3, 1), ("lavratura", "notificacao_preliminar"), "64-I", ("64-T",),
    "secretario", ("ciencia", "ciencia_decisao", "intimacao_pagamento"), {"perigo_iminente": "risco"},
    ("VRSGP", "30.00"),
)  # fmt: skip
IBIA = Law(
    "3129509", "mg-3129509/lei-1355-1990", date(2014, 5, 5), ("lavratura", "notificacao_preliminar"), "47", ("61",),
    "prefeito", ("intimacao", "ciencia_decisao"), {}, ("UF", "50.00"),
)  # fmt: skip
_SUPPLIER: Fields = {**_PERSON, "name": "Distribuidora de Teste", "doc": "11.444.777/0001-61"}
_NOTICED = (
    acts_of("3120805", "E-1")
    .act("notificacao", "2014-04-01", infrator=_PERSON, copy_to=_SUPPLIER,
         fact={"date": "2014-03-31T10:00", "place": "lugar", "article": "2,I", "description": "x"})
    .ciencia("2014-04-02")
    .ciencia("2014-04-02", to="copia")
    .acts
)  # fmt: skip
CRUZILIA = Law(
    "3120805", "mg-3120805/lei-1220-1996", date(2014, 5, 5), ("notificacao",), "2,I", (),
    "prefeito", ("ciencia", "ciencia_decisao", "intimacao_pagamento"),
)  # fmt: skip
SUPPLIER = Law(
    "3120805", "mg-3120805/lei-1220-1996", date(2014, 5, 5), ("lavratura",), "8", ("8,pu",),
    "prefeito", ("ciencia", "ciencia_decisao", "intimacao_pagamento"),
    {"linked_auto": "E-1", "quantidade": "1", "infrator": _SUPPLIER}, None, tuple(_NOTICED),
)  # fmt: skip
LAWS = (SAO_GABRIEL, IBIA, CRUZILIA, SUPPLIER)

_BY = {"defesa": "autuado", "recurso": "autuado", "renuncia": "autuado", "regularizacao": "autuado",
       "pagamento": "tesouraria", "julgamento_recurso": "prefeito", "saneamento": "divida_ativa",
       "restituicao": "prefeito", "cancelamento": "procuradoria"}  # fmt: skip
_JUDGES = ("julgamento", "reconsideracao", "remessa", "multa_diaria_imposta", "multa_diaria_cessada", "restituicao",
           "anulacao")  # fmt: skip
_SERVED = ("ciencia", "ciencia_decisao", "intimacao_pagamento", "intimacao")
SIDE = ("obrigacao_imposta", "obrigacao_iniciada", "obrigacao_cumprida", "apreensao", "devolucao")
DECIDES = ("julgamento", "reconsideracao", "julgamento_recurso", "remessa", "restituicao", "lavratura")
LEFT_OUT = ("anulacao", "cancelamento", "prorrogacao", "saneamento", "comunicacao", "ratificacao", "cassacao",
            "interdicao", "suspensao_licenca", "hasta_publica", "doacao", "restituicao", "multa_diaria_imposta",
            "multa_diaria_cessada", "multa_diaria_consolidada", "execucao_pela_prefeitura", "suspensao_fornecimento",
            "retirada", "cobranca", "notificacao_preliminar", "recalculo_multa", "lavratura")  # fmt: skip


def act_on(law: Law, kind: str, day: date, draw: Draw, case: Case | None) -> Fields:
    """An act of that kind on that day, with everything it must say; what it chooses is drawn."""
    on = day.isoformat()
    made = acts_of(law.municipality, AUTO)
    role = _BY.get(kind) or (law.judge if kind in _JUDGES else "fiscal")
    if kind == "intimacao_pagamento" and law is not SAO_GABRIEL:
        role = "setor_cadastro"
    if kind == "intimacao":
        role = "setor_cadastro"
    said = {**_opening(law, kind, day), **_decision(law, kind, draw), **_PLAIN.get(kind, {})}
    if kind in _SERVED or kind == "notificacao_preliminar":
        said |= {"method": "postal", "received": on, "juntada": on}
    if kind == "pagamento":
        owed = case.saldo if case and case.saldo else 100_00
        said = {"amount": str(from_centavos((owed, owed // 2, 10_00, owed)[draw(3)]))}
    return made.act(kind, on, role=role, **said).acts[0]


_PLAIN: dict[str, Fields] = {
    "obrigacao_imposta": {"description": "murar", "term_start": "5d", "term_end": "15d"},
    "apreensao": {"goods": [{"description": "caixa", "quantity": "1"}]},
    "devolucao": {"receipt": "recibo 1"},
}


def _opening(law: Law, kind: str, day: date) -> Fields:
    if kind not in ("notificacao_preliminar", "lavratura", "notificacao"):
        return {}
    when = f"{day - timedelta(days=1)}T10:00"
    fields: Fields = {
        "infrator": _PERSON, "fact": {"date": when, "place": "lugar", "article": law.article, "description": "x"},
    }  # fmt: skip
    if kind == "lavratura":
        return {**fields, "signature": {"by": "recusa", "witnesses": ["Primeira", "Segunda"]}, **law.extra}
    if kind == "notificacao":
        return {**fields, "copy_to": {**_PERSON, "name": "Outra", "doc": "11.444.777/0001-61"}}
    return {**fields, "term": "10d"}


def _decision(law: Law, kind: str, draw: Draw) -> Fields:
    if kind not in ("julgamento", "reconsideracao", "julgamento_recurso"):
        return {}
    found = ("subsistente", "subsistente", "subsistente", "insubsistente")[draw(3)]
    cited: Fields = {"articles_infringed": [law.article]} if found == "subsistente" else {}
    if cited and law.cites:
        cited["articles_penalty"] = list(law.cites)
    return {"outcome": found, "report": "relatório", "grounds": "fundamentos", **cited}


def walk(law: Law, draw: Draw, steps: int) -> tuple[MemoryOffice, list[Fields]]:
    """A history in legal order, as the law allowed it: the office that recorded it, and its acts."""
    office, told, day = law.office(), [], law.start
    for step in range(steps):
        case = office.case(AUTO) if told else None
        kinds = list(law.opening) if case is None else _allowed(office)
        kind = kinds[draw(len(kinds) - 1)]
        day += timedelta(days=1 + draw(12)) if step else timedelta(0)
        act = act_on(law, kind, day, draw, case)
        try:
            office.record(act)
        except (PosturasError, ErrorGroup):
            continue
        told.append(act)
    return office, told


def _allowed(office: MemoryOffice) -> list[str]:
    shown = office.show(AUTO)
    side = [kind for kind in SIDE if kind in shown["allowed_acts"]]
    openers = [k for k, track in (("obrigacao_imposta", "obrigacao"), ("apreensao", "apreensao"))
               if track not in shown["tracks"]]  # fmt: skip
    left_out = {*LEFT_OUT, *(("pagamento",) if shown["law"] == CRUZILIA.law and not shown["linked_auto"] else ())}
    main = [kind for kind in shown["allowed_acts"] if kind not in left_out and kind not in side]
    # what moves the case comes more often than what stands beside it
    found = [*main, *main, *side, *openers]
    if shown["state"] == "notificacao_vencida":
        found.append("lavratura")
    return found or ["regularizacao"]


def record_in_any_order(law: Law, told: Sequence[Fields], draw: Draw) -> MemoryOffice:
    """The same acts, late at will, but never before one they answer; sweeps of any day between.

    An act that answers another is refused until that one is recorded: it is held and sent again, as an office would.
    A decision comes after everything done before it: it answers the case as it was.
    """
    office, waiting = law.office(), list(enumerate(told))
    days = [date.fromisoformat(act["date"][:10]) for act in told]
    idle = 0
    while waiting:
        index, act = waiting[min(draw(2) + idle, len(waiting) - 1)]
        if act["act"] in DECIDES and waiting[0][0] != index:
            index, act = waiting[0]
        try:
            office.record(act)
        except (PosturasError, ErrorGroup):
            idle = 0 if (index, act) == waiting[-1] else idle + 1
            if idle > len(waiting) or (index, act) == waiting[0]:
                first = waiting[0]
                office.record(first[1])  # nothing is left that could come before it: a refusal is a failure
                waiting.remove(first)
                idle = 0
            continue
        idle = 0
        waiting.remove((index, act))
        if draw(2) == 0:
            office.sweep(days[draw(len(days) - 1)] + timedelta(days=draw(40)))
    return office


def outcome(office: MemoryOffice) -> Fields:
    """What must be the same whatever the order of recording."""
    case = office.case(AUTO)
    facts = case.facts
    return {
        "state": case.state,
        "tracks": facts.get("tracks", {}),
        "deadlines": sorted(
            (d.kind, d.status.value, d.starts_on, d.due, d.expires_on) for d in deadlines_shown(case)
        ),
        "running": sorted((d.kind, d.due) for d in case.open_deadlines()),
        "amounts": (case.arbitrada, case.acrescimo, case.diaria, case.custos, case.pago, case.saldo),
        "facts": {name: facts.get(name) for name in ("revel", "final_at", "exigivel_em")},
        "filings": sorted((f["act"], f["date"], f["timeliness"], f["moved"]) for f in facts.get("filings", ())),
        "register": sorted(
            (row["day"], row["termo"]["total"], row["status"])
            for row in office.repository.inscriptions(office.municipality)
            if row["status"] != "cancelado"
        ),
    }
