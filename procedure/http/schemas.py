"""The shapes of the OpenAPI document: those of the command line's JSON, with an example of each.

Objects may gain members: a client ignores those it does not know.
"""

from __future__ import annotations

from typing import Any

from procedure.domain.labels import ACTS
from procedure.domain.vocabulary import ENGINE_ACTS, Act, DeadlineStatus, Role, State

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
MAYBE: Schema = {"type": ["string", "null"]}
FLAG: Schema = {"type": "boolean"}
NUMBER: Schema = {"type": "integer"}
AMOUNT: Schema = {"type": "string", "pattern": r"^-?[0-9]+\.[0-9]{2}$", "examples": ["363.00"]}
DAY: Schema = {"type": "string", "format": "date"}
MAYBE_DAY: Schema = {"type": ["string", "null"], "format": "date"}
ANY: Schema = {"type": "object"}
MAYBE_ANY: Schema = {"type": ["object", "null"]}


def _listed(items: Schema | str) -> Schema:
    return {"type": "array", "items": _ref(items) if isinstance(items, str) else items}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _object(about: str, optional: dict[str, Schema] | None = None, *, example: Any = None, **always: Schema) -> Schema:
    made: Schema = {
        "type": "object",
        "description": about,
        "properties": {**always, **(optional or {})},
        "required": list(always),
    }
    return {**made, "examples": [example]} if example is not None else made


def _page(about: str, items: str) -> Schema:
    more = {"type": ["string", "null"], "description": "O cursor da página seguinte; nulo na última."}
    return _object(about, items=_listed(items), next=more)


_PROBLEM = {
    "code": TEXT | {"description": "Estável: os programas decidem por ele.", "examples": ["ato_nao_permitido"]},
    "place": MAYBE,
    "remedy": MAYBE | {"description": "O que fazer."},
    "field": MAYBE,
}
_STATES = [state.value for state in State]
_ACT_NAMES = [act.value for act in Act if act not in ENGINE_ACTS]
_ACT_LIST = "; ".join(f"`{act}`: {ACTS[act]}" for act in Act if act not in ENGINE_ACTS and act in ACTS)

SCHEMAS: dict[str, Schema] = {
    "Problema": _object(
        "Uma recusa (RFC 9457).",
        {"errors": _listed(_object("Um dos erros.", message=TEXT, **_PROBLEM))},
        example={
            "type": "urn:posturas:erro:auto_desconhecido",
            "title": "Não existe este auto.",
            "status": 404,
            "detail": "não existe o auto 9/2013.",
            "code": "auto_desconhecido",
            "place": None,
            "remedy": "Veja os que existem: posturas auto list",
            "field": "auto",
        },
        type=TEXT,
        title=TEXT,
        status=NUMBER,
        detail=TEXT,
        **_PROBLEM,
    ),
    "Prazo": _object(
        "Um prazo do processo.",
        {"term": MAYBE, "first_counted": MAYBE_DAY, "expires_on": DAY, "article": TEXT},
        kind=TEXT,
        starts_on=DAY,
        due=DAY,
        due_at=TEXT,
        status={"type": "string", "enum": [status.value for status in DeadlineStatus]},
    ),
    "Pessoa": _object("Uma pessoa do processo.", {"kind": MAYBE, "erased": FLAG}, name=MAYBE, doc=MAYBE),
    "AtoRegistrado": _object(
        "Um ato do processo.",
        {"recorded_at": MAYBE, "actor": MAYBE, "role": MAYBE},
        seq=NUMBER,
        act=TEXT,
        date=TEXT,
        hash=MAYBE,
    ),
    "Processo": _object(
        "Um processo, como em `posturas auto show --json`.",
        {
            "rulebook_version": TEXT,
            "tracks": ANY,
            "fact": MAYBE_ANY,
            "assessment": {"type": ["array", "null"]},
            "inscricao": MAYBE_ANY,
            "pending": _listed(TEXT),
            "as_of": MAYBE,
            "known_at": MAYBE,
        },
        auto=TEXT,
        municipality=TEXT,
        law=TEXT,
        state={"type": ["string", "null"], "enum": [*_STATES, None]},
        infrator={"anyOf": [_ref("Pessoa"), {"type": "null"}]},
        deadlines=_listed("Prazo"),
        amounts={"type": "object", "additionalProperties": AMOUNT},
        acts=_listed("AtoRegistrado"),
        allowed_acts=_listed(TEXT),
    ),
    "LinhaDeAuto": _object(
        "Um auto na lista.",
        {"doc": MAYBE, "fact_date": MAYBE_DAY, "articles": _listed(TEXT), "inscricao": MAYBE},
        auto=TEXT,
        municipality=TEXT,
        law=TEXT,
        state=MAYBE,
        infrator=MAYBE,
        doc_masked=MAYBE,
        saldo=AMOUNT,
        next_deadline=MAYBE_ANY,
        pending=_listed(TEXT),
    ),
    "PaginaDeAutos": _page("Autos, pela ordem do número.", "LinhaDeAuto"),
    "Ato": {
        "type": "object",
        "description": f"Um ato, como em `posturas import`. Os demais campos são os de cada ato: {_ACT_LIST}.",
        "properties": {
            "act": {"type": "string", "enum": _ACT_NAMES},
            "date": TEXT | {"description": "AAAA-MM-DD, ou AAAA-MM-DDTHH:MM quando a hora importa."},
            "actor": TEXT | {"description": "Quem praticou o ato."},
            "role": {"type": "string", "enum": [role.value for role in Role], "description": "Em que qualidade."},
            "office": MAYBE,
            "law": MAYBE,
            "key": MAYBE | {"description": "A chave de idempotência; pode vir no cabeçalho Idempotency-Key."},
            "auto": MAYBE | {"description": "Se vier, é o do endereço."},
            "municipality": MAYBE | {"description": "Se vier, é o do endereço."},
        },
        "required": ["act", "date", "actor", "role"],
        "additionalProperties": True,
    },
    "Registrado": _object(
        "O que o registro do ato fez, como em `posturas auto act --json`.",
        auto=TEXT,
        municipality=TEXT,
        known=FLAG | {"description": "O ato já estava registrado com esta chave: nada foi gravado."},
        reach=MAYBE_ANY,
        state=MAYBE,
        acts=_listed(_object("Um ato gravado.", seq=NUMBER, act=TEXT, date=TEXT, hash=TEXT)),
        deadlines=_listed(_object("Um prazo aberto.", kind=TEXT, due=DAY, due_at=TEXT, article=TEXT)),
        dry_run=FLAG,
    ),
    "LinhaDoTempo": _object(
        "O processo dia a dia.",
        auto=TEXT,
        municipality=TEXT,
        events=_listed(ANY),
        deadlines=_listed(ANY),
        days=_listed(ANY),
    ),
    "Agenda": _object(
        "Os prazos em aberto, sem nada das pessoas.",
        name=TEXT,
        items=_listed(
            _object("O último dia de um prazo.", uid=TEXT, day=DAY, summary=TEXT, description=TEXT, category=TEXT)
        ),
    ),
    "Painel": _object("A semana do município, como em `posturas painel --json`."),
    "PrazoQueVence": _object(
        "Um prazo em aberto.", auto=TEXT, state=MAYBE, kind=TEXT, due=DAY, due_at=TEXT, article=TEXT
    ),
    "PaginaDePrazos": _page("Prazos em aberto, pelo último dia.", "PrazoQueVence"),
    "Inscricao": _object(
        "Uma inscrição na lista.",
        {"doc": MAYBE, "legal_basis": {}, "paid": {}},
        number=TEXT,
        date=DAY,
        livro=NUMBER,
        folha=NUMBER,
        auto=TEXT,
        debtor=MAYBE,
        doc_masked=MAYBE,
        original_amount=AMOUNT,
        charges=AMOUNT,
        total=AMOUNT,
        status=TEXT,
        prescribes_on=MAYBE_DAY,
    ),
    "PaginaDeInscricoes": _page("Inscrições, pela ordem do número.", "Inscricao"),
    "Termo": _object(
        "O Termo de Inscrição e o que veio depois, como em `posturas divida-ativa show --json`.",
        number=TEXT,
        date=DAY,
        auto=TEXT,
        status=TEXT,
        total=AMOUNT,
        saldo=AMOUNT,
        debtor=MAYBE_ANY,
    ),
    "Papel": _object("O mesmo objeto que o PDF imprime."),
    "Evento": _object("Um ato, como na caixa de saída.", municipality=TEXT, auto=TEXT, act=TEXT, seq=NUMBER, hash=TEXT),
    "PaginaDeEventos": _object(
        "Eventos, ao menos uma vez cada um, por processo na ordem de `seq`. `next` é a posição depois do último.",
        items=_listed("Evento"),
        next=TEXT,
    ),
    "Importado": _object(
        "O que a importação fez, como em `posturas import --json`.",
        read=NUMBER,
        applied=NUMBER,
        already_known=NUMBER,
        rejected=_listed(
            _object("Uma linha rejeitada.", line=NUMBER, auto=MAYBE, code=TEXT, message=TEXT, field=MAYBE)
        ),
        cases=NUMBER,
        undone=_listed(ANY),
        dry_run=FLAG,
    ),
    "PedidoDeVarredura": {
        "type": "object",
        "properties": {
            "as_of": TEXT | {"description": "Conclui os prazos que acabaram antes: AAAA-MM-DD ou AAAA-MM-DDTHH:MM."},
            "dry_run": {"type": "boolean", "default": False},
            "limit": {"type": "integer", "minimum": 1, "maximum": 1_000_000},
        },
        "required": ["as_of"],
        "additionalProperties": False,
    },
    "Varredura": _object(
        "O que a varredura fez, como em `posturas sweep --json`.",
        {"by_kind": ANY, "seconds": {"type": "number"}, "interrupted": FLAG},
        run_id={"type": ["integer", "null"]},
        as_of=TEXT,
        examined=NUMBER,
        expired=NUMBER,
        inscribed=NUMBER,
        failed=_listed(ANY),
    ),
    "VarreduraRegistrada": _object(
        "A prova de uma varredura.",
        {"finished_at": MAYBE, "head": MAYBE, "by_kind": ANY},
        run_id=NUMBER,
        as_of=TEXT,
        started_at=TEXT,
        status=TEXT,
        examined=NUMBER,
        expired=NUMBER,
        inscribed=NUMBER,
        failed=NUMBER,
    ),
    "Varreduras": _object("As varreduras guardadas, a mais nova primeiro.", items=_listed("VarreduraRegistrada")),
    "Conferencia": _object(
        "O que a conferência achou, como em `posturas verify --json`.",
        ok=FLAG,
        deep=FLAG,
        cases=NUMBER,
        acts=NUMBER,
        municipalities=_listed(ANY),
        defects=_listed(ANY),
    ),
    "PedidoDePrazo": {
        "type": "object",
        "properties": {
            "law": {"type": "string", "minLength": 1},
            "start": {"type": "string", "minLength": 10},
            "term": {"type": "string", "minLength": 2},
            "method": {"type": ["string", "null"], "enum": ["pessoal", "postal", "edital", None]},
        },
        "required": ["law", "start", "term"],
        "additionalProperties": False,
    },
    "PrazoContado": _object(
        "Um prazo contado e explicado, como em `posturas prazo --json`.",
        {
            "note": MAYBE,
            "method": MAYBE,
            "last_counted": MAYBE_DAY,
            "first_counted": MAYBE_DAY,
            "alternatives": _listed(ANY),
        },
        law=TEXT,
        start=TEXT,
        term=TEXT,
        counting=TEXT,
        starts_on=DAY,
        due=DAY,
        due_at=TEXT,
        expires_on=DAY,
        legal_basis=_listed(TEXT),
        steps=_listed(ANY),
        readings=_listed(ANY),
        calendar=TEXT,
    ),
    "PedidoDeMulta": {
        "type": "object",
        "properties": {
            "law": {"type": "string", "minLength": 1},
            "article": {"type": "string", "minLength": 1},
            "fact_date": {"type": "string", "minLength": 10},
            "grau": {"type": ["string", "null"], "enum": ["minimo", "medio", "maximo", None]},
            "quantidade": MAYBE,
            "reincidente": {"type": "boolean", "default": False},
            "unit_value": MAYBE | {"description": "Em reais, com ponto: 30.00."},
            "unit_day": MAYBE,
            "penalty_article": MAYBE,
            "subject": MAYBE,
            "switches": {"type": ["object", "null"], "additionalProperties": TEXT},
        },
        "required": ["law", "article", "fact_date"],
        "additionalProperties": False,
    },
    "Multa": _object(
        "Uma multa e cada linha da sua memória, como em `posturas multa --json`.",
        amount=AMOUNT,
        lines=_listed(ANY),
        law=TEXT,
        article=TEXT,
        legal_basis=_listed(TEXT),
        warnings=_listed(ANY),
    ),
    "LinhaDeLei": _object("Uma lei codificada.", law=TEXT, norm=TEXT, title=TEXT, municipality=TEXT, version=TEXT),
    "Leis": _object("As leis codificadas.", items=_listed("LinhaDeLei")),
    "Lei": _object("Uma lei inteira, como em `posturas rulebook show --json`.", law=TEXT, norm=TEXT, title=TEXT),
    "Ano": _object(
        "Os dias que não são normais, como em `posturas calendar show --json`.",
        municipality=TEXT,
        calendar=TEXT,
        year=NUMBER,
        version=TEXT,
        days=_listed(ANY),
    ),
    "Saude": _object("Se o servidor e o banco respondem.", status=TEXT, database=TEXT, version=TEXT),
}
