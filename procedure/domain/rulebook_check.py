"""What ``posturas rulebook check`` proves of a rulebook (spec 05), and the law's silences that it lists.

All defects come at once, each with file, line and key. Reading defects (a value without its article, an unknown word or
key) come from the reader; here is what needs the whole of the law.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

from calendars import Term
from legalbasis import Defect, InputError, Provision, Status, TomlDefects, load_toml
from penalties import BRL, AntecedentReading, Scope, SurchargeBase, UnitDay, shipped_units
from procedure.domain.admission import NO_PENALTY
from procedure.domain.counting_check import check_counting
from procedure.domain.decide import FOLLOWER_NAMES
from procedure.domain.machine_check import Machine, Note, check_machine, machine_from, tables_of, words
from procedure.domain.outcomes import OUTCOME_FUNCTIONS
from procedure.domain.register_rows import register_rows
from procedure.domain.requirements import REQUIREMENT_NAMES
from procedure.domain.rulebook_pairs import check_pairs
from procedure.domain.rulebook_reader import (
    EACH_DAY,
    FIXED_BY_ACT,
    NEXT_WORKING_DAY,
    defects_of,
    shipped_laws,
    shipped_rulebook,
)
from procedure.domain.rulebook_silences import Silence, cited, law_id, named, silences, sub
from procedure.domain.rulebook_words import check_words
from procedure.domain.vocabulary import ENGINE_ACTS, Act, Role

Table = Mapping[str, Any]
FOLDER = re.compile(r"[a-z]{2}-\d{7}")  # of one municipality
READINGS: dict[str, frozenset[str]] = {
    "antecedente": frozenset(AntecedentReading),
    "escopo": frozenset(Scope),
    "base_acrescimo": frozenset(SurchargeBase),
    "dia_da_unidade": frozenset(UnitDay),
    "mesma_pessoa": frozenset({"raiz_cnpj", "cnpj_inteiro"}),
    "ratificacao": frozenset({"exigir", "dispensar"}),
    "multa_distribuidora": frozenset({"aplicar", "nao_aplicar"}),
    "cassacao": frozenset({"art_7", "art_11"}),
    "apos_revogacao": frozenset({"ultima_redacao", "exigir_nova"}),
}
NO_FINE = "sem_multa"
_OF_REPETITION = ("antecedente", "escopo")
BEFORE = ("inexistente", "nao_codificado")
_EXCLUSIONS = ("not_citable", "not_encoded", "other_consequence", "other_law", "not_applied", "no_penalty")


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The answer of the check for one file."""

    file: str
    law: str
    defects: tuple[Defect, ...]
    silences: tuple[Silence, ...]
    counts: Mapping[str, int]


def shipped_text(law: str) -> str:
    """The text of a shipped rulebook, whatever is wrong in it. Raises InputError ``lei_desconhecida``."""
    if law not in shipped_laws():
        return shipped_rulebook(law).text  # raises, naming those there are
    return resources.files("procedure.rulebooks").joinpath(f"{law}.toml").read_text(encoding="utf-8")


def check_rulebook(text: str, *, file: str, in_place: bool = False) -> CheckReport:
    """Check the text of a rulebook; never raises for what is wrong in it.

    ``in_place``: also that a file in a municipality's folder has the place that the law's id says.
    """
    try:
        root = load_toml(text, file=file)
    except TomlDefects as error:
        return CheckReport(file, "", error.defects, (), {})
    data = {key: root.raw(key) for key in root.keys()}  # noqa: SIM118  # a TomlTable is no mapping
    machine = check_tables(data, root.defect)
    if in_place:
        _place(law_id(data), Path(file), root.defect)
    listed = [*defects_of(text, file=file), *root.defects]
    unique = sorted(dict.fromkeys(listed), key=lambda d: (d.line or 0, d.key, d.reason))
    return CheckReport(file, law_id(data), tuple(unique), tuple(silences(data, text, file)), _counts(data, machine))


def check_tables(data: Table, note: Note) -> Machine:
    """Note what does not agree between the tables of a file, whatever is wrong inside each; the machine they make."""
    machine = machine_from(data)
    check_machine(machine, note)
    for check in _CHECKS:
        check(data, machine, note)
    return machine


def _place(law: str, path: Path, note: Note) -> None:
    wanted = f"{path.parent.name}/{path.stem}"
    if FOLDER.fullmatch(path.parent.name) and law != wanted:
        note("law.id", f"é “{law}”, mas o arquivo está em {wanted}.toml: mude um ou o outro")


def _counts(data: Table, machine: Machine) -> dict[str, int]:
    return {
        "states": len(machine.states()),
        "rows": sum(len(m.moves) for m in (machine, *machine.side.values())),
        "deadlines": sum(len(m.deadlines) for m in (machine, *machine.side.values())),
        "penalties": len(tables_of(data, "penalty")),
        "infractions": len(tables_of(data, "infraction")),
    }


def _names(data: Table, machine: Machine, note: Note) -> None:
    """Functions, requirements and followers that rows name exist in the engine."""
    for act, rule in machine.outcomes.items():
        if rule.get("by") not in OUTCOME_FUNCTIONS:
            note(f"outcomes.{act}.by", f"não há a função “{rule.get('by')}”: {', '.join(sorted(OUTCOME_FUNCTIONS))}")
        if act not in machine.acts():
            note(f"outcomes.{act}", f"“{act}” não tem linha")
    known: tuple[tuple[str, frozenset[str]], ...] = (("requires", REQUIREMENT_NAMES), ("then", FOLLOWER_NAMES))
    for index, table in tables_of(data, "row"):
        for key, names in known:
            for name in words(table, key):
                if name not in names:
                    note(f"row[{index}].{key}", f"não há “{name}”: {', '.join(sorted(names))}")


def _competences(data: Table, machine: Machine, note: Note) -> None:
    """Every act that has a row has who may do it, once; the engine's acts are the system's alone."""
    may: dict[str, int] = {}
    for index, table in tables_of(data, "competence"):
        roles = words(table, "roles")
        for act in words(table, "acts"):
            key = f"competence[{index}].acts"
            if may.setdefault(act, index) != index:
                note(key, f"a competência de “{act}” já está em competence[{may[act]}]")
            if act not in {*machine.acts(), Act.DESFAZIMENTO} and act not in register_rows().competences:
                note(key, f"“{act}” não tem linha: a competência não serve")
            if (act in ENGINE_ACTS) != (roles == (Role.SISTEMA,)):
                note(key, f"“{act}”: os atos do sistema são só do sistema, e os outros não são dele")
        if not roles:
            note(f"competence[{index}].roles", "não diz quem pode")
    if Act.DESFAZIMENTO not in may:
        note("competence", f"falta “{Act.DESFAZIMENTO}”, do sistema, com o artigo por que se desfaz um ato")
    for act, move in machine.acts().items():
        if act not in may:
            note(f"{move.key}.act", f"não se diz quem pode praticar “{act}”")


def _pieces(data: Table, machine: Machine, note: Note) -> None:
    """Contents and impediment speak of acts that the law's rows have."""
    for index, table in tables_of(data, "content"):
        if table.get("act") not in machine.acts():
            note(f"content[{index}].act", f"“{table.get('act')}” não tem linha")
    for act in words(sub(data, "impediment"), "acts"):
        if act not in machine.acts():
            note("impediment.acts", f"“{act}” não tem linha")
def _terms(data: Table, machine: Machine, note: Note) -> None:
    for index, table in machine.deadlines:
        term = table.get("term")
        if term not in (FIXED_BY_ACT, NEXT_WORKING_DAY, EACH_DAY):
            _parse(note, f"deadline[{index}].term", term, Term.parse)
        if not table.get("internal") and not words(table, "answers"):
            note(f"deadline[{index}].answers", "nenhum ato responde a este prazo: o que se fizesse nele se perderia")
    for index, table in tables_of(data, "infraction"):
        limit = sub(table, "notice").get("max")
        if limit is not None:
            _parse(note, f"infraction[{index}].notice", limit, Term.parse)


def _parse(note: Note, key: str, value: object, read: Callable[[Any], object]) -> None:
    try:
        read(value)
    except InputError as error:
        note(key, error.message)


def _life(data: Table, machine: Machine, note: Note) -> None:
    life = sub(data, "life")
    start = life.get("in_force_from")
    if start is None:
        return
    for key in ("certain_until", "procedure_from", "end", "certain_from"):
        day = life.get(key)
        if day is not None and day < start:
            note(f"life.{key}", "é anterior ao primeiro dia da lei")
    for index, table in tables_of(data, "amendment"):
        day = table.get("in_force_from")
        if day is not None and day < start:
            note(f"amendment[{index}].in_force_from", "é anterior ao primeiro dia da lei")


def _switches(data: Table, machine: Machine, note: Note) -> None:
    """Switches are those that the engine reads or that rows and penalties name, with values it knows."""
    declared = named(data, "switches")
    used = {str(table.get("switch")) for _, table in tables_of(data, "penalty_choice")}
    used |= {name for _, table in tables_of(data, "row") for name in sub(table, "switch")}
    for name, table in declared.items():
        known = READINGS.get(name)
        if known is None and name not in used:
            note(f"switches.{name}", "nada lê esta chave")
        if name == "dia_da_unidade" and table.get("default") == UnitDay.PAGAMENTO:
            note(f"switches.{name}.default", "o valor no dia do pagamento não se conhece quando a multa se fixa")
        for value in words(table, "values"):
            if known is not None and value not in known:
                note(f"switches.{name}.values", f"“{value}” não é leitura conhecida: {', '.join(sorted(known))}")
    for name in _OF_REPETITION if "reincidencia" in data else ():
        if name not in declared:
            note("reincidencia", f"falta a chave switches.{name}")


def _penalties(data: Table, machine: Machine, note: Note) -> None:
    """Units have a name, wordings of one penalty do not overlap, choices cover their switch, references resolve."""
    units = {*sub(data, "units"), *shipped_units(), BRL}
    wordings: dict[str, list[tuple[int, Table]]] = {}
    for index, table in tables_of(data, "penalty"):
        unit = table.get("unit", BRL)
        if unit not in units:
            note(f"penalty[{index}].unit", f"a unidade “{unit}” não tem nome em [units]")
        wordings.setdefault(str(table.get("id")), []).append((index, table))
    for index, table in tables_of(data, "penalty"):
        for other in words(table, "prevalece_sobre"):
            if other not in wordings:
                note(f"penalty[{index}].prevalece_sobre", f"não há penalidade “{other}”")
    for same in wordings.values():
        _no_overlap(same, note)
    _choices(data, set(wordings), note)


def _no_overlap(wordings: list[tuple[int, Table]], note: Note) -> None:
    ordered = sorted(wordings, key=lambda pair: str(pair[1].get("in_force_from", "")))
    for (_, before), (index, after) in pairwise(ordered):
        end, start = before.get("in_force_until"), after.get("in_force_from")
        if end is None or start is None or end > start:
            note(f"penalty[{index}].in_force_from", f"há duas redações da penalidade “{after.get('id')}” no mesmo dia")


def _choices(data: Table, penalties: set[str], note: Note) -> None:
    switches = named(data, "switches")
    for index, table in tables_of(data, "penalty_choice"):
        key, options = f"penalty_choice[{index}]", sub(table, "options")
        switch = switches.get(str(table.get("switch")))
        if switch is None:
            note(f"{key}.switch", f"não há a chave “{table.get('switch')}”")
        elif set(options) != set(words(switch, "values")):
            note(f"{key}.options", "as opções não são os valores da chave")
        for penalty in options.values():
            if penalty not in penalties and penalty != NO_PENALTY:
                note(f"{key}.options", f"não há penalidade “{penalty}”")


def _classified(data: Table, machine: Machine, note: Note) -> None:
    """A provision is in one list: an infraction, or why it is none. What is lost in part stands beside the rest."""
    seen: dict[object, str] = {}
    for name in ("infraction", *_EXCLUSIONS):
        for index, table in tables_of(data, name):
            key, provision = f"{name}[{index}]", table.get("id")
            if provision is None or table.get("partial"):
                continue
            if seen.setdefault(provision, key) != key:
                note(f"{key}.id", f"“{provision}” já está em {seen[provision]}")


def _infractions(data: Table, machine: Machine, note: Note) -> None:
    listed = tables_of(data, "infraction")
    known = {table.get("id") for _, table in listed}
    for index, table in listed:
        key = f"infraction[{index}]"
        for other in words(table, "special_over"):
            if other not in known:
                note(f"{key}.special_over", f"“{other}” não é infração desta lei")
        for penalty in sub(table, "penalty_subject"):
            if penalty not in words(table, "penalty"):
                note(f"{key}.penalty_subject", f"“{penalty}” não está entre as penalidades da infração")
        if table.get("before", BEFORE[0]) not in BEFORE:
            note(f"{key}.before", f"deve ser um destes: {', '.join(BEFORE)}")
        if not table.get("chapter"):
            note(f"{key}.chapter", "falta o capítulo, de que depende a leitura mesmo_capitulo")
        if not words(table, "penalty") and table.get("group") != NO_FINE:
            note(f"{key}.penalty", "não diz a penalidade")


def _citations(data: Table, machine: Machine, note: Note) -> None:
    """What general law fills has that law named; the definition of reincidência is a provision."""
    definition = sub(data, "reincidencia").get("definition")
    if definition is not None:
        _parse(note, "reincidencia.definition", str(definition), Provision.parse)
    for key, table in cited(data):
        if table.get("basis") and table.get("status", Status.TEXTO) == Status.TEXTO:
            note(key, "diz em que se apoia (basis), e não o que é (status): subsidiario ou reconstrucao")
        if table.get("status") == Status.SUBSIDIARIO and not (table.get("basis") or table.get("note")):
            note(key, "é subsidiário e não diz em que regra geral se apoia (basis)")


_CHECKS: tuple[Callable[[Table, Machine, Note], None], ...] = (
    _names, _competences, _pieces, _terms, _life, _switches, _penalties, _classified, _infractions, _citations,
    check_words, check_counting, check_pairs,
)  # fmt: skip
