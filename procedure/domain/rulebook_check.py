"""What ``posturas rulebook check`` proves of a rulebook (spec 05), and the law's silences that it lists.

All defects come at once, each with file, line and key. Reading defects (a value without its article, an unknown word or
key) come from the reader; here is what needs the whole of the law.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from itertools import pairwise
from typing import Any

from calendars import Term, law_counting
from legalbasis import Defect, InputError, Provision, Status, TomlDefects, TomlTable, load_toml
from penalties import BRL, AntecedentReading, Scope, SurchargeBase, UnitDay, shipped_units
from procedure.domain.decide import FOLLOWER_NAMES
from procedure.domain.machine_check import Machine, Note, check_machine, machine_from, tables_of, words
from procedure.domain.outcomes import OUTCOME_FUNCTIONS
from procedure.domain.requirements import REQUIREMENT_NAMES
from procedure.domain.rulebook_reader import (
    EACH_DAY,
    FIXED_BY_ACT,
    NEXT_WORKING_DAY,
    defects_of,
    shipped_laws,
    shipped_rulebook,
)
from procedure.domain.vocabulary import ENGINE_ACTS, Method, Role

Table = Mapping[str, Any]
_READINGS: dict[str, frozenset[str]] = {
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
_BEFORE = ("inexistente", "nao_codificado")
_EXCLUSIONS = ("not_citable", "not_encoded", "other_consequence", "other_law", "not_applied", "no_penalty")
_FILLED = (Status.SUBSIDIARIO, Status.RECONSTRUCAO)


@dataclass(frozen=True, slots=True)
class Silence:
    """Where the text is silent or damaged: what was put there, on what basis. ``key`` and ``line`` say where it is."""

    what: str
    article: str
    status: str
    basis: str | None
    key: str
    line: int | None


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


def check_rulebook(text: str, *, file: str) -> CheckReport:
    """Check the text of a rulebook; never raises for what is wrong in it."""
    try:
        root = load_toml(text, file=file)
    except TomlDefects as error:
        return CheckReport(file, "", error.defects, (), {})
    data = {key: root.raw(key) for key in root.keys()}  # noqa: SIM118  # a TomlTable is no mapping
    machine = machine_from(data)
    check_machine(machine, root.defect)
    for check in _CHECKS:
        check(data, machine, root.defect)
    listed = [*defects_of(text, file=file), *root.defects]
    unique = sorted(dict.fromkeys(listed), key=lambda d: (d.line or 0, d.key, d.reason))
    return CheckReport(file, _law_id(data), tuple(unique), tuple(_silences(data, text, file)), _counts(data, machine))


def _law_id(data: Table) -> str:
    return str(_sub(data, "law").get("id", ""))


def _sub(data: Table, key: str) -> Table:
    value = data.get(key)
    return value if isinstance(value, Mapping) else {}


def _named(data: Table, key: str) -> dict[str, Table]:
    return {name: table for name, table in _sub(data, key).items() if isinstance(table, Mapping)}


def _counts(data: Table, machine: Machine) -> dict[str, int]:
    return {
        "states": len(machine.states()),
        "rows": len(machine.moves),
        "deadlines": len(machine.deadlines),
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
            if act not in machine.acts():
                note(key, f"“{act}” não tem linha: a competência não serve")
            if (act in ENGINE_ACTS) != (roles == (Role.SISTEMA,)):
                note(key, f"“{act}”: os atos do sistema são só do sistema, e os outros não são dele")
        if not roles:
            note(f"competence[{index}].roles", "não diz quem pode")
    for act, move in machine.acts().items():
        if act not in may:
            note(f"{move.key}.act", f"não se diz quem pode praticar “{act}”")


def _pieces(data: Table, machine: Machine, note: Note) -> None:
    """Contents, impediment, second instance and surcharge speak of acts and terms that the law's rows have."""
    for index, table in tables_of(data, "content"):
        if table.get("act") not in machine.acts():
            note(f"content[{index}].act", f"“{table.get('act')}” não tem linha")
    for act in words(_sub(data, "impediment"), "acts"):
        if act not in machine.acts():
            note("impediment.acts", f"“{act}” não tem linha")
    second = _sub(data, "second_instance")
    if second and second.get("act") not in machine.acts():
        note("second_instance.act", f"“{second.get('act')}” não tem linha")
    surcharge, kinds = _sub(data, "surcharge"), {table.get("kind") for _, table in machine.deadlines}
    if surcharge and surcharge.get("deadline") not in kinds:
        note("surcharge.deadline", f"não há o prazo “{surcharge.get('deadline')}”")


def _terms(data: Table, machine: Machine, note: Note) -> None:
    for index, table in machine.deadlines:
        term = table.get("term")
        if term not in (FIXED_BY_ACT, NEXT_WORKING_DAY, EACH_DAY):
            _parse(note, f"deadline[{index}].term", term, Term.parse)
    for index, table in tables_of(data, "infraction"):
        limit = _sub(table, "notice").get("max")
        if limit is not None:
            _parse(note, f"infraction[{index}].notice", limit, Term.parse)


def _parse(note: Note, key: str, value: object, read: Callable[[Any], object]) -> None:
    try:
        read(value)
    except InputError as error:
        note(key, error.message)


def _life(data: Table, machine: Machine, note: Note) -> None:
    life = _sub(data, "life")
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
    declared = _named(data, "switches")
    used = {str(table.get("switch")) for _, table in tables_of(data, "penalty_choice")}
    used |= {name for _, table in tables_of(data, "row") for name in _sub(table, "switch")}
    for name, table in declared.items():
        known = _READINGS.get(name)
        if known is None and name not in used:
            note(f"switches.{name}", "nada lê esta chave")
        for value in words(table, "values"):
            if known is not None and value not in known:
                note(f"switches.{name}.values", f"“{value}” não é leitura conhecida: {', '.join(sorted(known))}")
    for name in _OF_REPETITION if "reincidencia" in data else ():
        if name not in declared:
            note("reincidencia", f"falta a chave switches.{name}")


def _penalties(data: Table, machine: Machine, note: Note) -> None:
    """Units have a name, wordings of one penalty do not overlap, choices cover their switch, references resolve."""
    units = {*_sub(data, "units"), *shipped_units(), BRL}
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
    switches = _named(data, "switches")
    for index, table in tables_of(data, "penalty_choice"):
        key, options = f"penalty_choice[{index}]", _sub(table, "options")
        switch = switches.get(str(table.get("switch")))
        if switch is None:
            note(f"{key}.switch", f"não há a chave “{table.get('switch')}”")
        elif set(options) != set(words(switch, "values")):
            note(f"{key}.options", "as opções não são os valores da chave")
        for penalty in options.values():
            if penalty not in penalties:
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
    units = _sub(data, "units")
    for index, table in listed:
        key = f"infraction[{index}]"
        for other in words(table, "special_over"):
            if other not in known:
                note(f"{key}.special_over", f"“{other}” não é infração desta lei")
        for penalty in _sub(table, "penalty_subject"):
            if penalty not in words(table, "penalty"):
                note(f"{key}.penalty_subject", f"“{penalty}” não está entre as penalidades da infração")
        if table.get("before", _BEFORE[0]) not in _BEFORE:
            note(f"{key}.before", f"deve ser um destes: {', '.join(_BEFORE)}")
        if not table.get("chapter"):
            note(f"{key}.chapter", "falta o capítulo, de que depende a leitura mesmo_capitulo")
        if not words(table, "penalty") and table.get("group") != NO_FINE:
            note(f"{key}.penalty", "não diz a penalidade")
    if listed and not units:
        note("units", "faltam os nomes das unidades fiscais")


def _citations(data: Table, machine: Machine, note: Note) -> None:
    """What general law fills has that law named; the definition of reincidência is a provision."""
    definition = _sub(data, "reincidencia").get("definition")
    if definition is not None:
        _parse(note, "reincidencia.definition", str(definition), Provision.parse)
    for key, table in _cited(data):
        if table.get("status") == Status.SUBSIDIARIO and not (table.get("basis") or table.get("note")):
            note(key, "é subsidiário e não diz em que regra geral se apoia (basis)")


def _counting(data: Table, machine: Machine, note: Note) -> None:
    """The law counts as ``calendars`` says it does."""
    law = _sub(data, "law")
    try:
        counting = law_counting(_law_id(data))
    except InputError as error:
        note("law.id", f"calendars/data/laws.toml: {error.message}")
        return
    expected = {
        "norm": counting.name,
        "municipality": counting.municipality,
        "calendar": counting.calendar,
        "counting": counting.counting,
        "espera": counting.espera.value,
    }
    for key, value in expected.items():
        if law.get(key) != value:
            note(f"law.{key}", f"é “{law.get(key)}”, mas calendars/data/laws.toml diz “{value}”")
    for method in Method:
        told, known = _sub(data, "ciencia").get(method), counting.notice.get(method)
        if told != known:
            note(f"ciencia.{method}", f"é “{told}”, mas calendars/data/laws.toml diz “{known}”")
    for index, table in machine.deadlines:
        if words(table, "places") != counting.places:
            note(f"deadline[{index}].places", f"calendars/data/laws.toml diz {', '.join(counting.places)}")


_CHECKS: tuple[Callable[[Table, Machine, Note], None], ...] = (
    _names, _competences, _pieces, _terms, _life, _switches, _penalties, _classified, _infractions, _citations,
    _counting,
)  # fmt: skip
_SINGLE = ("life", "reincidencia", "fine", "gate", "costs", "ex_officio", "surcharge", "ciencia", "impediment", "second_instance")
_LISTED = ("row", "track_row", "deadline", "discount", "competence", "content", "penalty", "penalty_choice", "infraction")


def _cited(data: Table) -> Iterator[tuple[str, Table]]:
    """Every table that carries a status, with its key."""
    for name, table in _named(data, "switches").items():
        yield f"switches.{name}", table
    for name in _SINGLE:
        if _sub(data, name):
            yield name, _sub(data, name)
    for name in _LISTED:
        for index, table in tables_of(data, name):
            yield f"{name}[{index}]", table


def _silences(data: Table, text: str, file: str) -> Iterator[Silence]:
    """Every value that does not stand in the text: what it is, its article, the rule that fills it."""
    places = TomlTable({}, file=file, text=text)
    for key, table in _cited(data):
        status = table.get("status")
        if status not in _FILLED:
            continue
        places.defect(key, "")
        basis = table.get("basis") or table.get("note")
        article = str(table.get("article") or _article_of_choice(data, table) or table.get("id") or "")
        yield Silence(_what(key, table), article, str(status), basis, key, places.defects[-1].line)


def _article_of_choice(data: Table, table: Table) -> object:
    """A choice of penalties stands on its switch's article."""
    return _sub(_sub(data, "switches"), str(table.get("switch"))).get("article")


def _what(key: str, table: Table) -> str:
    name = key.split("[", maxsplit=1)[0]
    if name in ("row", "track_row"):
        origins = ", ".join(words(table, "from")) or "início"
        outcome = f" ({', '.join(words(table, 'outcome'))})" if words(table, "outcome") else ""
        return f"{table.get('act')}{outcome}: de {origins} a {table.get('to')}"
    if name == "competence":
        return f"competência para {', '.join(words(table, 'acts'))}: {', '.join(words(table, 'roles'))}"
    labels = {"deadline": ("prazo", "kind"), "penalty": ("penalidade", "id"), "infraction": ("infração", "id")}
    if name in labels:
        word, field = labels[name]
        return f"{word} {table.get(field)}"
    return key if name != "content" else f"elemento {table.get('element')} de {table.get('act')}"
