"""What an act undoes, for people: used by ``auto act`` and ``import``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_AMOUNTS = {
    "arbitrada": "multa", "acrescimo": "acréscimo", "diaria": "multa diária", "custos": "despesas", "pago": "pago",
    "saldo": "a pagar",
}  # fmt: skip


def describe_reach(reach: Mapping[str, Any]) -> Iterator[str]:
    """One line for each thing: acts undone, fallen, recorded again; terms, amounts and inscriptions."""
    from procedure.cli.plain import amount_br, day_br
    from procedure.domain.labels import act_label, deadline_label, ground_label, state_label

    def acts(items: list[dict[str, Any]]) -> str:
        return "; ".join(f"{act_label(a['act'])}, de {day_br(a['date'])} (ato {a['seq']})" for a in items)

    was, now = reach["state"]["from"], reach["state"]["to"]
    if reach["undone"]:
        yield f"  desfaz: {acts(reach['undone'])}"
    if reach["fell"]:
        yield f"  cai e não volta: {acts(reach['fell'])}"
    if reach["reapplied"]:
        yield f"  repete, na sua data: {acts(reach['reapplied'])}"
    for term in reach["reopened"]:
        yield f"  reabre {deadline_label(term['kind'])}, com vencimento em {day_br(term['due'])}"
    for item in reach["inscriptions"]:
        yield f"  cancela a inscrição {item['inscription']} ({ground_label(item['ground'])})"
    before, after = reach["amounts"]["before"], reach["amounts"]["after"]
    for name in before:
        if before[name] != after[name]:
            yield f"  {_AMOUNTS[name]}: de {amount_br(before[name])} para {amount_br(after[name])}"
    if was != now:
        yield f"  estado: de {state_label(was)} para {state_label(now)}"
