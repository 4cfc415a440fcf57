"""Named checks that a row asks of the case before it applies (``requires``, ``switch``, ``when`` in a rulebook)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from legalbasis import PosturasError
from penalties.money import money_br
from procedure.domain import errors, register_errors
from procedure.domain.case import Case
from procedure.domain.context import Context
from procedure.domain.register_guards import protested, returns_to
from procedure.domain.rulebook import Row
from procedure.domain.vocabulary import OF_OFFICE, Act, Decision, Role, State

Fields = Mapping[str, Any]
_PENDING = (State.AGUARDANDO_DEFESA, State.EM_JULGAMENTO, State.AGUARDANDO_RECURSO, State.EM_RECURSO,
            State.EM_SEGUNDA_INSTANCIA, State.JULGADO_EM_SEGUNDA_INSTANCIA, State.AGUARDANDO_ULTIMO_RECURSO,
            State.EM_TERCEIRA_INSTANCIA, State.LAVRADO, State.JULGADO)  # fmt: skip


def case_place(case: Case) -> str:
    """How messages name the case."""
    return f"auto {case.auto}"


def require_row(case: Case, fields: Fields, row: Row, ctx: Context) -> None:
    """That the reading a row needs is the one in use, and that what it requires holds. Raises typed errors."""
    if row.switch and ctx.switches.get(row.switch[0]) != row.switch[1]:
        raise errors.SwitchNeeded(
            f"“{row.act}” no estado “{row.origin}” só existe com {row.switch[0]} = {row.switch[1]} ({row.citation}).",
            place=case_place(case),
            remedy=f"A leitura em uso é {row.switch[0]} = {ctx.switches.get(row.switch[0])}.",
        )
    for name in row.requires:
        _REQUIREMENTS[name](case, fields, ctx)


def row_is_open(case: Case, row: Row, ctx: Context) -> bool:
    """Whether the row's own conditions hold for an act that carries nothing yet."""
    try:
        require_row(case, {}, row, ctx)
    except errors.IncompleteGoods:
        return True
    except PosturasError:
        return False
    return True


def _second_instance_notified(case: Case, fields: Fields, ctx: Context) -> None:
    decisions = case.facts.get("decisions") or []
    if decisions and decisions[-1]["act"] == Act.JULGAMENTO_RECURSO and not decisions[-1]["notified"]:
        raise errors.DecisionNotNotified(
            place=case_place(case), remedy="Registre a ciencia_decisao antes, ou no mesmo dia, da intimação para pagar."
        )


def _has_second_instance(case: Case, fields: Fields, ctx: Context) -> None:
    decisions = case.facts.get("decisions") or []
    if not decisions or decisions[-1]["act"] != Act.JULGAMENTO_RECURSO or decisions[-1]["notified"]:
        raise errors.DecisionNotNotified(
            "não há decisão de segunda instância à espera de ciência.", place=case_place(case)
        )


def _late_appeal(case: Case, fields: Fields, ctx: Context) -> None:
    if not pending_appeal(case):
        raise errors.TimelinessUndecided(
            "não há recurso tardio a decidir: a reconsideração só cabe sobre recurso.", place=case_place(case)
        )


def pending_appeal(case: Case) -> bool:
    """Whether a recurso filed after its term is on record and was not yet decided."""
    return any(
        f["act"] == Act.RECURSO and not f["moved"] and f["decided"] is None for f in case.facts.get("filings", ())
    )


def _is_revel(case: Case, fields: Fields, ctx: Context) -> None:
    if not case.facts.get("revel"):
        raise errors.SwitchNeeded("só o revel é intimado a pagar sem abrir recurso.", place=case_place(case))


def _is_ratified(case: Case, fields: Fields, ctx: Context) -> None:
    by_citizen = case.facts.get("drawn_role") == Role.CIDADAO and ctx.switches.get("ratificacao") != "dispensar"
    if by_citizen and not case.facts.get("ratified"):
        raise errors.NotRatified(place=case_place(case), remedy="Registre antes a ratificacao por um fiscal.")


def _has_fine(case: Case, fields: Fields, ctx: Context) -> None:
    if case.arbitrada <= 0:
        raise errors.NoFine(place=case_place(case))


def _nothing_pending(case: Case, fields: Fields, ctx: Context) -> None:
    """No public auction while the person may still win, but for what would not wait (animals, perishables)."""
    goods = case.facts.get("goods", {}).get("items", [])
    waits = [g for g in goods if not (g.get("animal") or g.get("perishable"))]
    if waits and case.state in _PENDING:
        raise errors.DefencePending(place=case_place(case), remedy="Espere a decisão definitiva.")


def _perishable(case: Case, fields: Fields, ctx: Context) -> None:
    goods = case.facts.get("goods", {}).get("items", [])
    if not goods or not all(g.get("perishable") for g in goods):
        raise errors.NotPerishable(place=case_place(case))


def _receipt(case: Case, fields: Fields, ctx: Context) -> None:
    if not fields.get("receipt"):
        raise errors.IncompleteGoods(
            "falta o recibo, ou a prova da propriedade.", place=case_place(case), field="receipt"
        )


def _expenses(case: Case, fields: Fields, ctx: Context) -> None:
    owed = Decimal(case.facts.get("goods", {}).get("expenses") or "0")
    paid = Decimal(fields.get("expenses") or "0")
    if paid < owed:
        raise errors.IncompleteGoods(
            f"a devolução exige as despesas da apreensão, de {money_br(owed)}; informaram-se {money_br(paid)}.",
            place=case_place(case),
            field="expenses",
            remedy="Tributos não se exigem (Súmula 323 do STF); multas, só as já devidas.",
        )


def _decided(case: Case, fields: Fields, ctx: Context) -> None:
    decisions = case.facts.get("decisions", ())
    if fields.get("outcome") in (Decision.SUBSISTENTE, Decision.PARCIALMENTE_SUBSISTENTE):
        return
    upholding = (Decision.SUBSISTENTE, Decision.PARCIALMENTE_SUBSISTENTE)
    if not any(d["outcome"].removesuffix(OF_OFFICE) in upholding for d in decisions):
        raise errors.NotDecided(place=case_place(case), remedy="A cassação vem depois de decisão neste processo.")


def _term_over(case: Case, fields: Fields, ctx: Context) -> None:
    if case.facts.get("daily", {}).get("ended", True) is None:
        raise errors.DailyFineRunning(place=case_place(case), remedy="Cesse a multa em curso antes de impor outra.")


def _notified_place(case: Case, fields: Fields, ctx: Context) -> None:
    if "drawn_by" in case.facts:
        raise errors.NotAnEstablishment(place=case_place(case))


def _cured(case: Case, fields: Fields, ctx: Context) -> None:
    if case.state not in (State.REGULARIZADO, State.INSUBSISTENTE, State.ANULADO) and not case.facts.get("cured"):
        raise errors.NotCured(place=case_place(case), remedy="Registre antes a regularizacao, ou espere a decisão.")


def _daily(case: Case, fields: Fields, ctx: Context) -> None:
    if not case.facts.get("daily"):
        raise errors.NoDailyFine(place=case_place(case))


def _doubled(case: Case, fields: Fields, ctx: Context) -> None:
    if not any(found["counted"] for found in case.facts.get("recidivism", ())):
        raise errors.NothingToLower("nenhum antecedente dobrou esta multa.", place=case_place(case))
def _inscribed(case: Case, fields: Fields, ctx: Context) -> None:
    if case.state is not State.INSCRITO:
        raise register_errors.NotInscribed(
            f"o processo está no estado “{case.state}”, e o ato é de inscrição em cobrança.", place=case_place(case)
        )


def _authentication(case: Case) -> Any:
    return case.inscription.beside.get("authentication") if case.inscription else None


def _authenticated(case: Case, fields: Fields, ctx: Context) -> None:
    if not _authentication(case):
        raise register_errors.NotAuthenticated(place=case_place(case))


def _to_authenticate(case: Case, fields: Fields, ctx: Context) -> None:
    if _authentication(case):
        raise register_errors.AlreadyAuthenticated(place=case_place(case))


def _open(case: Case, fields: Fields, ctx: Context) -> None:
    if case.saldo <= 0:
        raise register_errors.NothingOpen(place=case_place(case))


def _protested(case: Case, fields: Fields, ctx: Context) -> None:
    if case.inscription is None or not protested(case.inscription.beside):
        raise register_errors.NotProtested(place=case_place(case))


def _not_protested(case: Case, fields: Fields, ctx: Context) -> None:
    if case.inscription is not None and protested(case.inscription.beside):
        raise register_errors.AlreadyProtested(place=case_place(case))


_REQUIREMENTS: Mapping[str, Callable[[Case, Fields, Context], None]] = {
    "decisao_notificada": _second_instance_notified,
    "decisao_de_segunda_instancia": _has_second_instance,
    "revel_sem_recurso": _is_revel,
    "recurso_tardio": _late_appeal,
    "ratificado": _is_ratified,
    "ha_multa": _has_fine,
    "nada_pendente": _nothing_pending,
    "perecivel": _perishable,
    "recibo": _receipt,
    "despesas": _expenses,
    "decidida": _decided,
    "notificacao_a_estabelecimento": _notified_place,
    "sanado": _cured,
    "sem_multa_diaria_em_curso": _term_over,
    "com_multa_diaria": _daily,
    "multa_dobrada": _doubled,
    "inscrita": _inscribed,
    "autenticada": _authenticated,
    "por_autenticar": _to_authenticate,
    "em_aberto": _open,
    "protestada": _protested,
    "sem_protesto": _not_protested,
}
REQUIREMENT_NAMES = frozenset(_REQUIREMENTS)

WHEN: Mapping[str, Callable[[Fields], bool]] = {
    "goods": lambda fields: bool(fields.get("goods")),
    "cassacao": lambda fields: fields.get("license") == "cassacao",
    "suspensao": lambda fields: fields.get("license") == "suspensao",
}


def side_outcome(case: Case, kind: str, fields: Fields) -> str:
    """The outcome of an act of a side track: an auction is held (with what it brought) or only set; what was undone;
    where the collection goes back to.
    """
    if kind in (Act.DESFAZIMENTO, Act.INSCRICAO):
        return str(fields["outcome"])
    if kind in (Act.RETORNO, Act.PARCELAMENTO_ROMPIDO):
        return returns_to(case)
    return "vendida" if kind == Act.HASTA_PUBLICA and fields.get("proceeds") else "marcada"
