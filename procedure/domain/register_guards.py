"""What the acts of the register must satisfy beside competence: the inscription named, grounds, limits (spec 04)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from enum import StrEnum

from legalbasis import PosturasError
from penalties.money import from_centavos, money_br
from procedure.domain import errors, register_errors
from procedure.domain.act_input import ActInput
from procedure.domain.act_shapes import NOT_JUDGED
from procedure.domain.admission import br
from procedure.domain.case import Case
from procedure.domain.context import Context
from procedure.domain.ledger import balance_on
from procedure.domain.prescribing import filed_day
from procedure.domain.vocabulary import (
    Act,
    CancellationGround,
    State,
    SubstitutionGround,
    SuspensionGround,
    Track,
    TrackState,
)

REGISTER_ACTS = (
    Act.AUTENTICACAO, Act.CANCELAMENTO, Act.SUBSTITUICAO, Act.SUSPENSAO, Act.QUITACAO, Act.PARCELAMENTO,
    Act.PARCELAMENTO_ROMPIDO, Act.PROTESTO, Act.RETIRADA_PROTESTO, Act.AJUIZAMENTO, Act.RETORNO, Act.RECONHECIMENTO,
)  # fmt: skip
"""The acts that find their case by the number of the inscription."""
AUTHORITY = {"authority": "authority", "authority_office": "office", "authority_act": "act"}
"""Of the Termo's fields, the setting that gives each."""
_GROUNDS: dict[str, type[StrEnum]] = {
    Act.CANCELAMENTO: CancellationGround,
    Act.SUSPENSAO: SuspensionGround,
    Act.SUBSTITUICAO: SubstitutionGround,
}


def register_defects(case: Case, act: ActInput, ctx: Context) -> Iterator[PosturasError]:
    """Every defect of an act of the register, of the case as it stands."""
    yield from _number(case, act)
    yield from _ground(act)
    if act.kind == Act.AUTENTICACAO:
        yield from _authority(case, ctx)
    elif act.kind == Act.QUITACAO:
        yield from _settled(case, act, ctx)
    elif act.kind == Act.SUBSTITUICAO:
        yield from _substitution(case, act)


def _number(case: Case, act: ActInput) -> Iterator[PosturasError]:
    number = case.inscription.label if case.inscription else None
    named = act.fields.get("inscriptions") or [act.fields.get("inscription") or number]
    if any(n != number for n in named):
        yield errors.AnotherInscription(
            f"a inscrição deste auto é a {number}, e o ato cita {', '.join(map(str, named))}."
            if number
            else f"este auto não tem inscrição, e o ato cita {', '.join(map(str, named))}.",
            field="inscription",
        )


def _ground(act: ActInput) -> Iterator[PosturasError]:
    listed = _GROUNDS.get(act.kind)
    if listed is not None and act.fields.get("ground") not in {g.value for g in listed}:
        yield errors.GroundNotAllowed(
            f"“{act.kind}” exige um fundamento da lista.",
            field="ground",
            remedy=f"Fundamentos: {', '.join(g.value for g in listed)}.",
        )


def authority_of(case: Case, ctx: Context) -> dict[str, str | None]:
    """The authority in whose name the inscription was prepared, else the one that the municipality gave since."""
    termo = case.inscription.termo if case.inscription else {}
    if termo.get("authority"):
        return {name: termo.get(name) for name in AUTHORITY}
    return {name: ctx.settings.get(f"divida_ativa.{setting}") for name, setting in AUTHORITY.items()}


def _authority(case: Case, ctx: Context) -> Iterator[PosturasError]:
    if case.inscription is not None and not all(authority_of(case, ctx).values()):
        yield register_errors.AuthorityMissing(
            "a inscrição não pode ser autenticada: falta a autoridade da dívida ativa, o cargo ou o ato que a designou."
        )


def _settled(case: Case, act: ActInput, ctx: Context) -> Iterator[PosturasError]:
    """Nothing is open of what was inscribed; what update left open needs the act that settles it."""
    if case.state is not State.INSCRITO:
        return
    if case.saldo > 0:
        yield register_errors.BalanceOpen(f"restam {money_br(from_centavos(case.saldo))} do valor inscrito.")
        return
    left = balance_on(case, ctx.update, act.at.day).total
    if left and not act.fields.get("legal_act"):
        yield register_errors.BalanceOpen(
            f"restam {money_br(from_centavos(left))} de atualização e juros.",
            field="legal_act",
            remedy="Lance o pagamento, ou diga em legal_act o ato ou a decisão que dá a dívida por quitada.",
        )


def _substitution(case: Case, act: ActInput) -> Iterator[PosturasError]:
    fields = act.fields
    termo = case.inscription.termo if case.inscription else {}
    for said, kept in (("articles_infringed", "infraction_articles"), ("articles_penalty", "penalty_articles")):
        if fields.get(said) and list(fields[said]) != termo.get(kept):
            yield register_errors.LegalBasisSubstitution(field=said)
    if not any(fields.get(name) for name in ("infrator", "processo", "description")):
        yield register_errors.NothingToMend(field="description")
    filed = filed_day(case.inscription.beside) if case.inscription else None
    judgment = fields.get("judgment")
    if judgment is None and filed is not None:
        yield register_errors.JudgmentNotTold(field="judgment")
    elif judgment not in (None, NOT_JUDGED) and date.fromisoformat(judgment[:10]) <= act.at.day:
        yield register_errors.SubstitutionTooLate(
            f"a decisão de primeira instância é de {br(date.fromisoformat(judgment[:10]))}.", field="judgment"
        )


def returns_to(case: Case) -> str:
    """Where the collection goes back to when what had stopped or moved it ends."""
    beside = case.inscription.beside if case.inscription else {}
    if case.facts.get("tracks", {}).get(Track.REGISTRO) == TrackState.EM_EXECUCAO_FISCAL:
        return (TrackState.EM_PROTESTO if protested(beside) else TrackState.EM_COBRANCA).value
    left = beside.get("returns_to") or [TrackState.EM_COBRANCA.value]
    return str(left[-1])


def protested(beside: dict[str, object]) -> bool:
    """Whether a protest stands."""
    protests = beside.get("protests")
    return isinstance(protests, list) and any(not p["withdrawn"] for p in protests)
