"""The gate of the dívida ativa: every reason why a debt may not be inscribed yet, at once (spec 04), and the Termo."""

from __future__ import annotations

from datetime import date
from typing import Any

from legalbasis import Provision
from procedure.domain.admission import br, law_note
from procedure.domain.amounts import amount
from procedure.domain.case import Case
from procedure.domain.context import Context
from procedure.domain.labels import DEBTS
from procedure.domain.prescribing import prescribes_on_inscription, prescription_of
from procedure.domain.update_rule import interest_told, update_told
from procedure.domain.vocabulary import Collects, Timeliness

PRESCRIPTION_YEARS = 5  # Decreto 20.910/1932, art. 1º; REsp 1.105.442; Súmula 467 STJ
LEF = "Lei 6.830/1980"


def inscription_gate(case: Case, ctx: Context, day: date) -> list[dict[str, str]]:
    """The reasons on ``day`` against inscribing, each ``{"code", "reason"}``; empty when the debt may be inscribed."""
    found: list[tuple[str, str]] = []
    found += _decision_reasons(case, ctx)
    found += _person_reasons(case)
    found += _basis_reasons(case, ctx)
    found += _prescribed(case, day)
    found += [("vicio_do_auto", f"defeito do auto em papel: {text}") for text in case.facts.get("defects", ())]
    return [{"code": code, "reason": reason} for code, reason in found]


def _decision_reasons(case: Case, ctx: Context) -> list[tuple[str, str]]:
    found = []
    if not case.facts.get("final_at"):
        found.append(("sem_decisao_definitiva", "não há decisão administrativa definitiva"))
    for filing in case.facts.get("filings", ()):
        if filing["timeliness"] == Timeliness.CONTROVERTIDA and filing["decided"] is None and not filing["moved"]:
            found.append(
                (
                    "tempestividade_a_decidir",
                    f"há {filing['act']} de {filing['date'][:10]} cuja tempestividade não foi decidida",
                )
            )
    served = {c["act"] for c in case.facts.get("ciencias", ())}
    for act in sorted(ctx.book.proofs - served):
        found.append(("sem_prova_de_ciencia", f"não há prova da ciência por “{act}”"))
    decisions = case.facts.get("decisions", ())
    if decisions and not any(d["notified"] for d in decisions) and not case.facts.get("revel"):
        found.append(("sem_prova_de_ciencia", "não há prova da ciência da decisão"))
    if case.saldo <= 0:
        found.append(("paga", "nada resta a pagar"))
    return found


def _prescribed(case: Case, day: date) -> list[tuple[str, str]]:
    """By the thesis adopted: the earlier readings are warned of by the forecast, and refuse nothing."""
    if case.facts.get("exigivel_em") is None:
        return []
    found = prescription_of(case)
    last = found.prescribes_on if found else None
    return [("prescrita", f"a cobrança prescreveu em {br(last)}")] if last and day > last else []


def _person_reasons(case: Case) -> list[tuple[str, str]]:
    person = case.facts.get("infrator") or {}
    found = []
    if not person:
        found.append(("sem_devedor", "não há devedor identificado"))
    elif not person.get("has_doc"):
        found.append(("sem_documento", "falta o CPF ou CNPJ do devedor"))
    if person and not person.get("has_domicile"):
        found.append(("sem_domicilio", "falta o domicílio do devedor, ou a razão de não ser conhecido"))
    return found


def _basis_reasons(case: Case, ctx: Context) -> list[tuple[str, str]]:
    found = []
    lines = (case.facts.get("assessment") or {}).get("lines", [])
    if not lines:
        found.append(("sem_memoria", "não há memória de cálculo"))
    confirmed = set(case.facts.get("confirmed", ()))
    for line in lines:
        for key in ("article", "penalty_article"):
            if not line.get(key):
                found.append(("sem_fundamento", "falta o artigo da infração ou o da penalidade (Tema 1350 STJ)"))
        for provision in sorted(_reconstructed(line, ctx) - confirmed):
            label = Provision.parse(provision).label()
            found.append(
                ("reconstrucao_a_confirmar", f"{label} é reconstrução do texto e não foi confirmado no original")
            )
    return found


def _reconstructed(line: dict[str, Any], ctx: Context) -> set[str]:
    """Provisions of a line whose own text was reconstructed (not the mere choice of a reading)."""
    rebuilt = set()
    infraction = ctx.book.infractions.get(line.get("article") or "")
    if infraction and infraction.citation.status == "reconstrucao":
        rebuilt.add(infraction.provision)
    if line.get("status") == "reconstrucao" and line.get("penalty_article"):
        rebuilt.add(str(line["penalty_article"]))
    return rebuilt


def build_termo(case: Case, ctx: Context, day: date) -> dict[str, Any]:
    """The Termo de Inscrição as data (LEF art. 2º §§ 5º-6º, CTN art. 202), without number, livro, folha and names.

    Names and domiciles are joined from the persons when the Termo is shown. Amounts are contract texts.
    """
    facts = case.facts
    assessment = facts["assessment"]
    due = facts.get("exigivel_em")
    exigivel = date.fromisoformat(due) if due else day
    settings = ctx.settings
    added = additions(case, ctx)
    return {
        "date": day.isoformat(),
        "auto": case.auto,
        "processo": facts.get("processo") or case.auto,
        "law": ctx.book.id,
        "law_title": f"{ctx.book.norm} ({ctx.book.title})",
        "debtor": {k: facts["infrator"][k] for k in ("person", "version", "digest")},
        "co_responsible": _co_responsible(case),
        "nature": "dívida ativa não tributária",
        "origin": _origin(case),
        "infraction_articles": _unique(line["article"] for line in assessment["lines"]),
        "penalty_articles": _unique(line["penalty_article"] for line in assessment["lines"]),
        "fact_date": case.fact_date.isoformat() if case.fact_date else None,
        "final_on": str(facts["final_at"])[:10],
        "legal_basis": _legal_basis(case, ctx),
        "original_amount": amount(case.arbitrada),
        "charges": amount(case.acrescimo),
        "charges_basis": "; ".join(item["basis"] for item in added) or None,
        "additions": added,
        "discount": amount(case.desconto),
        "paid": amount(case.pago),
        "total": amount(case.saldo),
        "exigivel_em": exigivel.isoformat(),
        "interest": interest_told(ctx.update, exigivel),
        "update": update_told(ctx.update, exigivel),
        "prescribes_on": prescribes_on_inscription(case, day),
        "law_note": law_note(facts),
        "alerts": facts.get("alerts", []),
        "assessment": assessment,
        "surcharge": facts.get("surcharge"),
        "authority": settings.get("divida_ativa.authority"),
        "authority_office": settings.get("divida_ativa.office"),
        "authority_act": settings.get("divida_ativa.act"),
        "authenticated": False,
    }


def additions(case: Case, ctx: Context) -> list[dict[str, str]]:
    """What is added to what was fixed, each part with its basis: the surcharge."""
    if not case.acrescimo:
        return []
    basis = ctx.book.surcharge["citation"] if ctx.book.surcharge else ctx.book.norm
    return [{"kind": "acrescimo", "amount": amount(case.acrescimo), "basis": str(basis)}]


def _origin(case: Case) -> str:
    """Where the debt comes from: the auto's own infraction, or what it collects of another."""
    collection = case.facts.get("collection")
    if collection is None:
        return f"multa por infração administrativa (auto de infração nº {case.auto})"
    return f"{DEBTS[Collects(collection['kind'])]} nº {collection['auto']}, por cobrança no auto nº {case.auto}"


def _unique(values: Any) -> list[str]:
    return list(dict.fromkeys(v for v in values if v))


def _co_responsible(case: Case) -> list[dict[str, Any]]:
    person = case.facts.get("responsavel")
    return [{k: person[k] for k in ("person", "version", "digest")}] if person else []


def _legal_basis(case: Case, ctx: Context) -> list[str]:
    cited = [
        ctx.book.cite(a)
        for line in case.facts["assessment"]["lines"]
        for a in (line["article"], line["penalty_article"])
    ]
    beside = [item["basis"] for item in additions(case, ctx)]
    own = str(ctx.book.deadlines["inscricao"].citation)
    general = ("Lei 4.320/1964, art. 39, § 2º", f"{LEF}, art. 2º, §§ 3º, 5º e 6º")
    return _unique([*(str(c) for c in cited), *beside, own, *general])

