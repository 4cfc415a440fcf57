"""What the acts of side tracks add to their payloads: the rate of a daily fine, its days, costs with their
percentage.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from penalties.money import amount_text, centavos, to_cents
from procedure.domain import errors
from procedure.domain.act_input import ActInput
from procedure.domain.admission import br
from procedure.domain.case import Case
from procedure.domain.context import Context
from procedure.domain.deadlines import start_of_notice
from procedure.domain.fines import assess_daily
from procedure.domain.track_fold import within_most
from procedure.domain.vocabulary import Act, DeadlineStatus

ONE_DAY = timedelta(days=1)
_ORDER_TERMS = ("inicio_obrigacao", "termino_obrigacao")
_NOT_KEPT = (DeadlineStatus.ABERTO, DeadlineStatus.VENCIDO)


def _imposed(case: Case, act: ActInput, ctx: Context) -> dict[str, Any]:
    """The daily fine: one day's memória, and the first day it runs: after its ciência and the end of the term."""
    if "drawn_at" not in case.facts:
        raise errors.ActOutOfOrder(
            "a multa diária pede auto lavrado; só há notificação.", field="act", remedy="Lavre antes o auto."
        )
    started = start_of_notice(ctx, act.fields)
    served = date(started.year, started.month, started.day)
    ended = _term_end(case)
    first = max(served, ended or served) + ONE_DAY
    first = max(first, date.fromisoformat(act.fields["from"][:10]))
    assessment, most = assess_daily(ctx, case, act.fields["article"], act.at.day)
    daily = {
        "article": act.fields["article"],
        "rate": centavos(assessment.amount),
        "from": first.isoformat(),
        "assessment": assessment.to_dict(),
        "most": most,
    }
    return {"daily": daily, "start": started.isoformat()}


def _term_end(case: Case) -> date | None:
    """The last day of the first term that was not kept, or still runs."""
    terms = [case.deadline(kind) for kind in _ORDER_TERMS]
    return min((t.expires_on for t in terms if t is not None and t.status in _NOT_KEPT), default=None)


def _stopped(case: Case, act: ActInput, ctx: Context) -> dict[str, Any]:
    return days_run(case, act.at.day)


def days_run(case: Case, end: date) -> dict[str, Any]:
    """How many days a daily fine ran before the day of the act that ends it; nothing when none runs."""
    daily = case.facts.get("daily")
    if not daily or daily["ended"] is not None:
        return {}
    return {"daily_days": max(0, (end - date.fromisoformat(daily["from"])).days)}


def _executed(case: Case, act: ActInput, ctx: Context) -> dict[str, Any]:
    found = _stopped(case, act, ctx)
    cost = act.fields.get("cost")
    if not cost:
        return found
    percent = ctx.book.costs_percent[0] if ctx.book.costs_percent else Decimal(0)
    total = to_cents(Decimal(cost) * (100 + percent) / 100)
    memo = {"cost": cost, "percent": str(percent), "total": amount_text(total)}
    return {**found, "custos": centavos(total), "costs": memo}


def _consolidated(case: Case, act: ActInput, ctx: Context) -> dict[str, Any]:
    """The days that become due: inside what accrued, and none twice. Raises ActOutOfOrder."""
    daily = case.facts["daily"]
    first = date.fromisoformat(daily["from"])
    last = first + ONE_DAY * (daily["days"] - 1)
    asked_from = date.fromisoformat(act.fields["from"][:10])
    asked_to = date.fromisoformat((act.fields.get("to") or last.isoformat())[:10])
    done = daily["consolidated_until"]
    if asked_from < first or asked_to > last or asked_to < asked_from:
        raise errors.ActOutOfOrder(
            f"o período de {br(asked_from)} a {br(asked_to)} não cabe no que se acumulou, de {br(first)} a {br(last)}.",
            field="from",
        )
    if done and asked_from <= date.fromisoformat(done):
        raise errors.ActOutOfOrder(f"os dias até {br(date.fromisoformat(done))} já foram consolidados.", field="from")
    days = (asked_to - asked_from).days + 1
    period = {"from": asked_from.isoformat(), "to": asked_to.isoformat(), "days": days}
    started = start_of_notice(ctx, act.fields) if act.fields.get("method") else act.at.day
    owed = within_most(daily, days * daily["rate"], daily.get("consolidated", 0))
    return {"consolidated": {**period, "amount": owed}, "start": started.isoformat()}


TRACK_COMPUTE: dict[Act, Callable[[Case, ActInput, Context], dict[str, Any]]] = {
    Act.MULTA_DIARIA_IMPOSTA: _imposed,
    Act.MULTA_DIARIA_CESSADA: _stopped,
    Act.OBRIGACAO_CUMPRIDA: _stopped,
    Act.EXECUCAO_PELA_PREFEITURA: _executed,
    Act.MULTA_DIARIA_CONSOLIDADA: _consolidated,
}
