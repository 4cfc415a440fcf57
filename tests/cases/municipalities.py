"""The three municipalities of the legal cases: their law, the units they supply, and who does each act there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo

from procedure.services.context import zone_of

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, eq=False)
class Municipality:
    """Where a folder of cases happens.

    ``units`` are supplied from ``since``, all at the case's ``unit_value`` (default ``value``). ``who`` is the role
    that usually does an act. ``daily_article`` imposes a daily fine; ``decides`` is what a judgment cites as penalty
    when the case does not say: None where the judgment fixes no fine.
    """

    name: str
    code: str
    law: str
    units: tuple[str, ...]
    value: str
    since: date
    first_auto: str
    who: Mapping[str, str]
    place: str
    decides: str | None
    daily_article: str | None = None
    asks_prior_notice: bool = False

    @property
    def folder(self) -> Path:
        return HERE / self.name

    @property
    def zone(self) -> ZoneInfo:
        return zone_of(self.code)


_EVERYWHERE = {
    "lavratura": "fiscal", "ciencia": "fiscal", "ciencia_decisao": "fiscal", "regularizacao": "autuado",
    "defesa": "autuado", "recurso": "autuado", "renuncia": "autuado", "pagamento": "tesouraria",
    "saneamento": "divida_ativa", "apreensao": "fiscal", "devolucao": "fiscal", "doacao": "fiscal",
    "hasta_publica": "fiscal", "obrigacao_imposta": "fiscal", "obrigacao_iniciada": "fiscal",
    "obrigacao_cumprida": "fiscal",
}  # fmt: skip
_JUDGE = (
    "julgamento", "interdicao", "suspensao_licenca", "cassacao", "multa_diaria_imposta", "multa_diaria_cessada",
    "multa_diaria_consolidada", "restituicao", "anulacao", "recalculo_multa",
)  # fmt: skip

SAO_GABRIEL = Municipality(
    name="sao_gabriel",
    code="3204708",
    law="es-3204708/lei-1522-2005",
    units=("VRSGP", "UPFM"),
    value="30.00",
    since=date(2010, 1, 1),
    first_auto="1/2013",
    who={
        **_EVERYWHERE,
        **dict.fromkeys((*_JUDGE, "reconsideracao", "remessa"), "secretario"),
        "notificacao_preliminar": "fiscal", "prorrogacao": "fiscal", "impugnacao": "fiscal",
        "intimacao_pagamento": "tesouraria", "julgamento_recurso": "prefeito", "cancelamento": "procuradoria",
        "execucao_pela_prefeitura": "secretario",
    },
    place="Praça Vicente Glazar",
    decides="64-T",
    daily_article="64-S,§3",
    asks_prior_notice=True,
)  # fmt: skip
IBIA = Municipality(
    name="ibia",
    code="3129509",
    law="mg-3129509/lei-1355-1990",
    units=("UF",),
    value="50.00",
    since=date(1990, 1, 1),
    first_auto="1/2024",
    who={
        **_EVERYWHERE,
        **dict.fromkeys((*_JUDGE, "cancelamento", "execucao_pela_prefeitura"), "prefeito"),
        "comunicacao": "cidadao", "notificacao_preliminar": "fiscal", "prorrogacao": "fiscal",
        "ratificacao": "fiscal", "intimacao": "setor_cadastro", "ciencia_decisao": "setor_cadastro",
    },
    place="Praça Tiradentes",
    decides=None,
    daily_article="132,I",
)  # fmt: skip
CRUZILIA = Municipality(
    name="cruzilia",
    code="3120805",
    law="mg-3120805/lei-1220-1996",
    units=(),
    value="",
    since=date(1996, 12, 10),
    first_auto="1/2024",
    who={
        **_EVERYWHERE,
        **dict.fromkeys((*_JUDGE, "julgamento_recurso", "cancelamento"), "prefeito"),
        "notificacao": "fiscal", "intimacao_pagamento": "tesouraria", "retirada": "distribuidora",
        "suspensao_fornecimento": "distribuidora",
    },
    place="Depósito da Rua Direita",
    decides="8,pu",
)  # fmt: skip

MUNICIPALITIES = (SAO_GABRIEL, IBIA, CRUZILIA)
