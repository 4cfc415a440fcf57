"""What a rulebook says in one place and needs in another: one of the two alone would be read as something else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penalties.penalty_table import BaseKind
from procedure.domain.machine_check import Machine, Note, tables_of
from procedure.domain.rulebook_silences import named, sub
from procedure.domain.vocabulary import Act

Table = Mapping[str, Any]
_OF_REPETITION = ("antecedente", "escopo", "mesma_pessoa")


def check_pairs(data: Table, machine: Machine, note: Note) -> None:
    """Note what stands alone."""
    acts = machine.acts()
    second = sub(data, "second_instance")
    if second and second.get("act") not in acts:
        note("second_instance.act", f"“{second.get('act')}” não tem linha")
    if not second and Act.JULGAMENTO_RECURSO in acts:
        key = acts[Act.JULGAMENTO_RECURSO].key
        note(f"{key}.act", "há recurso, e [second_instance] não diz se ele pode agravar a multa")
    _surcharge(data, machine, note)
    _repetition(data, note)
    _daily(data, machine, note)


def _surcharge(data: Table, machine: Machine, note: Note) -> None:
    surcharge, acts = sub(data, "surcharge"), machine.acts()
    kinds = {table.get("kind") for _, table in machine.deadlines}
    if surcharge and surcharge.get("deadline") not in kinds:
        note("surcharge.deadline", f"não há o prazo “{surcharge.get('deadline')}”")
    if surcharge and Act.ACRESCIMO not in acts:
        note("surcharge", f"nenhuma linha de “{Act.ACRESCIMO}” o cobra")
    if not surcharge and Act.ACRESCIMO in acts:
        note(f"{acts[Act.ACRESCIMO].key}.act", f"[surcharge] não diz de quanto é o “{Act.ACRESCIMO}”")


def _repetition(data: Table, note: Note) -> None:
    if sub(data, "reincidencia"):
        return
    for name in _OF_REPETITION:
        if name in named(data, "switches"):
            note(f"switches.{name}", "a lei não tem [reincidencia]: nada lê esta chave")
    for index, table in tables_of(data, "penalty"):
        if "reincidencia" in table:
            note(f"penalty[{index}].reincidencia", "a lei não tem [reincidencia]: nada acha o reincidente")


def _daily(data: Table, machine: Machine, note: Note) -> None:
    imposed = machine.acts().get(Act.MULTA_DIARIA_IMPOSTA)
    if imposed and not any(table.get("base") == BaseKind.POR_DIA for _, table in tables_of(data, "penalty")):
        note(f"{imposed.key}.act", f"nenhuma penalidade tem base = “{BaseKind.POR_DIA}”: não há multa diária a impor")
