"""The shape of an act that comes in (spec 07): every field checked by name and kind, all defects at once.

``parse_act`` takes a mapping (a JSON object, a CSV row already nested, a host's dict) and gives an ``ActInput`` whose
``fields`` are JSON-able and normalised: amounts as text with two decimals, documents without punctuation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from calendars import Term
from legalbasis import ErrorGroup, InputError, PosturasError, Provision
from procedure.domain import taxpayer
from procedure.domain.instants import make_local
from procedure.domain.moment import Moment
from procedure.domain.vocabulary import ENGINE_ACTS, Act, Decision, Method, Role

MAX_TEXT = 20_000
MAX_CENTAVOS = 10**15
_MUNICIPALITY = re.compile(r"[0-9]{7}\Z")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}\Z")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?\Z")
_NOT_TEXT = re.compile("[\x00\ud800-\udfff]")


class EngineAct(InputError):
    """Este ato é do próprio sistema e não pode ser lançado."""

    code = "ato_do_sistema"


class UnknownField(InputError):
    """Há um campo que este ato não tem."""

    code = "campo_desconhecido"


class MissingField(InputError):
    """Falta um campo obrigatório."""

    code = "campo_ausente"


class InvalidField(InputError):
    """Um campo não tem a forma que devia."""

    code = "campo_invalido"


@dataclass(frozen=True, slots=True)
class ActInput:
    """One act as it came, checked. ``recorded_at`` is the sender's own instant of recording, if it gave one."""

    municipality: str
    auto: str
    kind: Act
    at: Moment
    actor: str
    role: Role
    fields: dict[str, Any]
    office: str | None = None
    key: str | None = None
    law: str | None = None
    recorded_at: Moment | None = None


Check = Callable[[Any, str], Any]


def _bad(name: str, reason: str, remedy: str | None = None) -> InvalidField:
    return InvalidField(f"{name}: {reason}.", field=name, remedy=remedy)


def _text(value: Any, name: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise _bad(name, "deve ser texto")
    text = str(value).strip()
    if not text:
        raise _bad(name, "não pode ser vazio")
    if len(text) > MAX_TEXT:
        raise _bad(name, f"tem mais de {MAX_TEXT} caracteres")
    if _NOT_TEXT.search(text):
        raise _bad(name, "tem caractere que não é texto")
    return text


def _flag(value: Any, name: str) -> bool:
    if value in (True, "true", "sim", "1"):
        return True
    if value in (False, "false", "não", "nao", "0"):
        return False
    raise _bad(name, "deve ser true ou false")


def _when(value: Any, name: str) -> str:
    text = value.isoformat() if isinstance(value, date | datetime) else _text(value, name)
    Moment.parse(text, _UTC, field=name)
    return text


_UTC = ZoneInfo("UTC")


def _decimal(value: Any, name: str) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        raise _bad(name, "deve ser número exato, em texto", 'Escreva como "212.82".')
    text = str(value).strip()
    # Decimal itself reads 1_000, 1E3 and the digits of every script: an amount in text is written one way.
    number = Decimal(text if not isinstance(value, str) or _NUMBER.match(text) else "NaN")
    if not number.is_finite():
        raise _bad(name, f"“{str(value)[:24]}” não é número", 'Escreva como "212.82".')
    return number


def _amount(value: Any, name: str) -> str:
    number = _decimal(value, name)
    exponent = number.as_tuple().exponent
    if number <= 0 or (isinstance(exponent, int) and exponent < -2) or number > MAX_CENTAVOS // 100:
        raise _bad(name, "deve ser valor positivo, até 10 trilhões, com no máximo dois decimais")
    return f"{number:.2f}"


def _quantity(value: Any, name: str) -> str:
    number = _decimal(value, name)
    exponent = number.as_tuple().exponent
    if number <= 0 or (isinstance(exponent, int) and exponent < -4) or number > MAX_CENTAVOS:
        raise _bad(name, "deve ser quantidade positiva com no máximo quatro decimais")
    return format(number, "f")


def _parsed(parse: Callable[[str], object]) -> Check:
    """Text that ``parse`` takes; its error names this field."""

    def check(value: Any, name: str) -> str:
        text = _text(value, name)
        try:
            return str(parse(text))
        except PosturasError as error:
            error.field = name
            raise

    return check


_term, _provision, _document = _parsed(Term.parse), _parsed(Provision.parse), _parsed(taxpayer.normalise)


def _sha256(value: Any, name: str) -> str:
    text = _text(value, name)
    if not _SHA256.match(text):
        raise _bad(name, "deve ser SHA-256 em hexadecimal")
    return text.lower()


def _choice(*words: str) -> Check:
    def check(value: Any, name: str) -> str:
        if value not in words:
            raise _bad(name, f"“{str(value)[:40]}” não é um destes: {', '.join(words)}")
        return str(value)

    return check


def _list_of(check: Check, *, least: int = 1) -> Check:
    def checked(value: Any, name: str) -> list[Any]:
        if not isinstance(value, list | tuple) or len(value) < least or len(value) > 1000:
            raise _bad(name, f"deve ser lista com ao menos {least} item" if least else "deve ser lista")
        return _collect([partial(check, v, f"{name}[{i}]") for i, v in enumerate(value)])

    return checked


def _collect(calls: list[Callable[[], Any]]) -> list[Any]:
    found: list[Any] = []
    errors: list[PosturasError] = []
    for call in calls:
        try:
            found.append(call())
        except ErrorGroup as group:
            errors.extend(group.errors)
        except PosturasError as error:
            errors.append(error)
    if errors:
        raise errors[0] if len(errors) == 1 else ErrorGroup(errors)
    return found


@dataclass(frozen=True, slots=True)
class Shape:
    """The fields of an object: name to (check, required)."""

    fields: Mapping[str, tuple[Check, bool]]

    def __call__(self, value: Any, name: str) -> dict[str, Any]:
        """The object checked, its known fields only; raises every defect at once."""
        if not isinstance(value, Mapping):
            raise _bad(name, "deve ser objeto")
        prefix = f"{name}." if name else ""
        unknown = [
            UnknownField(f"{prefix}{k}: este ato não tem este campo.", field=f"{prefix}{k}", remedy=self._known(prefix))
            for k in value
            if k not in self.fields
        ]
        present = {k: v for k, v in value.items() if k in self.fields and v is not None}
        missing = [
            MissingField(f"{prefix}{k}: falta este campo.", field=f"{prefix}{k}")
            for k, (_, required) in self.fields.items()
            if required and k not in present
        ]
        calls: list[Callable[[], Any]] = [_raiser(e) for e in (*unknown, *missing)]
        calls += [partial(self.fields[k][0], v, f"{prefix}{k}") for k, v in present.items()]
        return dict(zip(present, _collect(calls), strict=True))

    def _known(self, prefix: str) -> str:
        return f"Campos conhecidos: {', '.join(prefix + k for k in self.fields)}."


def _raiser(error: PosturasError) -> Callable[[], Any]:
    def call() -> Any:
        raise error

    return call


def _shape(required: Mapping[str, Check] | None = None, **optional: Check) -> Shape:
    return Shape(
        {**{k: (c, True) for k, c in (required or {}).items()}, **{k: (c, False) for k, c in optional.items()}}
    )


ADDRESS = _shape({"street": _text}, number=_text, district=_text, city=_text, uf=_text, cep=_text)
PERSON = _shape(
    {"name": _text}, doc=_document, kind=_choice("pf", "pj"), address=ADDRESS, address_unknown=_text, reason=_text
)
FACT = _shape(
    {"date": _when, "article": _provision},
    until=_when, place=_text, penalty_article=_provision, description=_text, subject=_text, same_fact=_text,
    quantidade=_quantity, classe=_text, valor=_amount,
)  # fmt: skip
NOTICE: dict[str, Check] = {
    "received": _when, "juntada": _when, "publication": _when, "sent": _when, "read": _when,
    "signed_by": _choice("autuado", "representante", "funcionario", "recusa"), "registry_no": _text, "reason": _text,
}  # fmt: skip
_METHOD = _choice(*(m.value for m in Method))
SIGNATURE = _shape({"by": _choice("autuado", "recusa", "ausencia")}, witnesses=_list_of(_text, least=0))
EVIDENCE = _shape({"name": _text, "sha256": _sha256})
BY = _shape({"name": _text}, doc=_document, proof=_text)
GOODS = _shape({"description": _text, "quantity": _quantity}, perishable=_flag, animal=_flag)
_GRAU = _choice("minimo", "medio", "maximo")
_FILING = _shape(by=BY, deposit=_amount)
_TIMELINESS = _shape({"outcome": _choice("conhecida", "nao_conhecida")}, ground=_text)
_CHOSEN: dict[str, Check] = {"grau": _GRAU, "quantidade": _quantity, "classe": _text, "valor": _amount}
_DECISION: dict[str, Check] = {
    **_CHOSEN, "report": _text, "grounds": _text,
    "articles_infringed": _list_of(_provision), "articles_penalty": _list_of(_provision),
    "timeliness_decision": _TIMELINESS,
    "license": _choice("cassacao", "suspensao"), "daily_fine": _quantity, "notified_to_answer": _flag,
}  # fmt: skip
_GOODS_ACT = _shape(goods=_list_of(GOODS), expenses=_amount, proceeds=_amount, receipt=_text)
_ORDER: dict[str, Check] = {"term_start": _term, "term_end": _term, "cost": _amount}
_DAILY = _shape({"article": _provision, "from": _when}, to=_when, method=_METHOD, **NOTICE)
_LICENSE = _shape({"license": _text, "grounds": _text})
_REGISTER = _shape(
    inscription=_text, inscriptions=_list_of(_text), ground=_text, legal_act=_text, reference=_text,
    second_person=_text,
)  # fmt: skip


def _true_or_text(value: Any, name: str) -> Any:
    return True if value is True or value == "true" else _text(value, name)


_OUTCOME = _choice(*(d.value for d in Decision))
_ROLE = _choice(*(r.value for r in Role))
_CIENCIA = _shape({"method": _METHOD}, **NOTICE)
_NOTHING = _shape()

SHAPES: dict[Act, Shape] = {
    Act.NOTIFICACAO_PRELIMINAR: _shape(
        {"infrator": PERSON, "fact": FACT, "term": _term, "method": _METHOD}, property=_text, **NOTICE
    ),
    Act.PRORROGACAO: _shape({"term": _term}, reason=_text),
    Act.COMUNICACAO: _shape({"by": BY, "fact": FACT}, proof=_text, witnesses=_list_of(_text)),
    Act.NOTIFICACAO: _shape({"infrator": PERSON, "copy_to": PERSON, "fact": FACT}, goods=_list_of(GOODS)),
    Act.LAVRATURA: _shape(
        {"infrator": PERSON}, responsavel=PERSON, fact=FACT, infractions=_list_of(FACT), signature=SIGNATURE,
        **_CHOSEN, perigo_iminente=_true_or_text, linked_auto=_text, property=_text,
        evidence=_list_of(EVIDENCE, least=0), paper=_flag,
    ),
    Act.DEFESA: _FILING,
    Act.RECURSO: _FILING,
    Act.JULGAMENTO: _shape({"outcome": _OUTCOME}, **_DECISION),
    Act.RECONSIDERACAO: _shape({"outcome": _OUTCOME}, **_DECISION),
    Act.JULGAMENTO_RECURSO: _shape({"outcome": _OUTCOME}, **_DECISION),
    Act.PAGAMENTO: _shape({"amount": _amount}, channel=_text, pays=_text),
    Act.RESTITUICAO: _shape(
        {"amount": _amount, "of": _choice("deposito", "pagamento", "custos"), "grounds": _text, "second_person": _text}
    ),
    Act.REMESSA: _shape(timeliness_decision=_TIMELINESS),
    Act.SANEAMENTO: _shape(infrator=PERSON, responsavel=PERSON, confirmed=_list_of(_text), grounds=_text),
    Act.ANULACAO: _shape({"annuls": _text, "grounds": _text, "second_person": _text}),
    Act.CIENCIA: _shape({"method": _METHOD}, to=_choice("infrator", "copia"), **NOTICE),
    **dict.fromkeys((Act.CIENCIA_DECISAO, Act.INTIMACAO_PAGAMENTO, Act.INTIMACAO), _CIENCIA),
    Act.OBRIGACAO_IMPOSTA: _shape({"description": _text}, **_ORDER),
    **dict.fromkeys(
        (Act.OBRIGACAO_INICIADA, Act.OBRIGACAO_CUMPRIDA, Act.EXECUCAO_PELA_PREFEITURA),
        _shape(None, description=_text, **_ORDER),
    ),
    **dict.fromkeys((Act.MULTA_DIARIA_IMPOSTA, Act.MULTA_DIARIA_CESSADA, Act.MULTA_DIARIA_CONSOLIDADA), _DAILY),
    **dict.fromkeys(
        (Act.APREENSAO, Act.DEVOLUCAO, Act.DOACAO, Act.HASTA_PUBLICA, Act.RETIRADA, Act.SUSPENSAO_FORNECIMENTO),
        _GOODS_ACT,
    ),
    **dict.fromkeys((Act.INTERDICAO, Act.SUSPENSAO_LICENCA, Act.CASSACAO), _LICENSE),
    **dict.fromkeys(
        (
            Act.AUTENTICACAO, Act.CANCELAMENTO, Act.SUBSTITUICAO, Act.SUSPENSAO, Act.QUITACAO, Act.PARCELAMENTO,
            Act.PARCELAMENTO_ROMPIDO, Act.PROTESTO, Act.RETIRADA_PROTESTO, Act.AJUIZAMENTO, Act.RETORNO,
        ),
        _REGISTER,
    ),
    **dict.fromkeys((Act.REGULARIZACAO, Act.IMPUGNACAO, Act.RENUNCIA, Act.RECONHECIMENTO, Act.RATIFICACAO), _NOTHING),
}  # fmt: skip

_COMMON: dict[str, bool] = {
    "municipality": True, "auto": True, "act": True, "date": True, "actor": True, "role": True,
    "office": False, "recorded_at": False, "key": False, "law": False,
}  # fmt: skip


def municipality_code(value: Any) -> str:
    """The IBGE code as text of 7 digits. Raises InvalidField."""
    text = _text(value, "municipality")
    if not _MUNICIPALITY.match(text):
        raise _bad("municipality", f"“{text[:24]}” não é código do IBGE", "Escreva os 7 algarismos, como 3204708.")
    return text


def parse_act(data: Any, zone_of: Callable[[str], ZoneInfo]) -> ActInput:
    """Check one act. Raises EngineAct, UnknownField, MissingField, InvalidField, InvalidDocument, or an ErrorGroup."""
    if not isinstance(data, Mapping):
        raise InvalidField("a linha não é um objeto JSON.", remedy='Cada linha é um objeto: {"municipality": …}.')
    if not all(isinstance(k, str) for k in data):
        raise InvalidField("os nomes dos campos devem ser texto.")
    kind = _kind(data)
    tz = _UTC
    code: Any = data.get("municipality")
    if isinstance(code, str | int) and _MUNICIPALITY.match(str(code)):
        tz = zone_of(str(code))
    common = {k: v for k, v in data.items() if k in _COMMON and v is not None}
    calls: list[Callable[[], Any]] = [
        _raiser(MissingField(f"{k}: falta este campo.", field=k))
        for k, required in _COMMON.items()
        if required and k not in common
    ]
    checks: dict[str, Callable[[], Any]] = {
        "municipality": lambda: municipality_code(common["municipality"]),
        "auto": lambda: _auto(common["auto"]),
        "date": lambda: Moment.parse(_when(common["date"], "date"), tz),
        "actor": lambda: _text(common["actor"], "actor"),
        "role": lambda: Role(_ROLE(common["role"], "role")),
        "office": lambda: _text(common["office"], "office"),
        "key": lambda: _text(common["key"], "key"),
        "law": lambda: _text(common["law"], "law"),
        "recorded_at": lambda: Moment.parse(_when(common["recorded_at"], "recorded_at"), tz, field="recorded_at"),
    }
    named = [n for n in checks if n in common]
    own = {k: v for k, v in data.items() if k not in _COMMON}
    calls += [checks[n] for n in named]
    calls.append(partial(SHAPES[kind], own, ""))
    found = dict(zip([*named, "fields"], _collect(calls), strict=True))
    make_local(found["fields"], tz)
    return ActInput(kind=kind, at=found.pop("date"), **found)


def _auto(value: Any) -> str:
    text = _text(value, "auto")
    if len(text) > 60 or not text.isprintable():
        raise _bad("auto", "deve ter até 60 caracteres imprimíveis")
    return text


def _kind(data: Mapping[str, Any]) -> Act:
    if data.get("act") is None:
        raise MissingField("act: falta este campo.", field="act")
    value = data["act"]
    try:
        kind = Act(value)
    except ValueError:
        raise InvalidField(
            f"act: “{str(value)[:40]}” não é ato conhecido.", field="act", remedy="Veja os atos em docs/reference."
        ) from None
    if kind in ENGINE_ACTS:
        raise EngineAct(f"“{kind}” é ato do próprio sistema: quem o grava é a varredura.", field="act")
    return kind
