"""``posturas auto act``: one act, from a file, the standard input or the command line, recorded."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from legalbasis import InputError
from procedure.cli.scope import Scope

COMMON = ("act", "auto", "date", "actor", "role", "office", "key", "law")


class ActFileUnreadable(InputError):
    """O arquivo do ato não pode ser lido."""

    code = "arquivo_do_ato_ilegivel"
    default_remedy = "O arquivo deve ter um objeto JSON, em UTF-8, com os campos do ato."


class FieldNotWritten(InputError):
    """Um campo não foi escrito como campo=valor."""

    code = "campo_mal_escrito"
    default_remedy = "Escreva campo=valor, como infrator.name=Fulano; um valor em JSON começa por [ ou {."


def act_of(args: argparse.Namespace, scope: Scope) -> dict[str, Any]:
    """The act as spec 07 writes it; the municipality is the database's only one unless it is named."""
    options = {name: getattr(args, name) for name in COMMON if getattr(args, name) is not None}
    if args.act is None:
        data = {**_read(args.targets), **options}
    else:
        data = {**_fields([*args.targets, *args.set]), **options}
    if args.municipality is not None or "municipality" not in data:
        municipality = scope.one()
        if municipality is not None:
            data["municipality"] = municipality
    return data


def _read(targets: list[str]) -> dict[str, Any]:
    from procedure.cli.main import UsageError

    if len(targets) != 1:
        raise UsageError("diga um arquivo, - ou --act ATO.", remedy="Veja: posturas auto --help")
    try:
        content = sys.stdin.buffer.read() if targets[0] == "-" else Path(targets[0]).read_bytes()
        data = json.loads(content.decode("utf-8-sig"), parse_float=Decimal)
    except OSError as error:
        raise ActFileUnreadable(f"{targets[0]}: {error.strerror}.") from error
    except (ValueError, ArithmeticError, RecursionError) as error:  # 1e99999999999999999999 is no Decimal
        raise ActFileUnreadable(f"{targets[0]}: não é um objeto JSON em UTF-8.") from error
    if not isinstance(data, dict):
        raise ActFileUnreadable(f"{targets[0]}: deve ser um objeto JSON, e só um.")
    return data


def _fields(pairs: list[str]) -> dict[str, Any]:
    """``infrator.name=X`` nested by its dots; a list if named twice, ending in ``[]``, or of a field of words."""
    data: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name.strip("[]."):
            raise FieldNotWritten(f"“{pair[:60]}” não é campo=valor.")
        _put(data, name, _value(text, name))
    return data


def _value(text: str, name: str) -> Any:
    if not text.startswith(("[", "{")):
        return text
    try:
        return json.loads(text, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise FieldNotWritten(f"{name}: o valor começa como JSON, mas não é.", field=name) from error


def _put(data: dict[str, Any], name: str, value: Any) -> None:
    from procedure.services.importing.fields import WORD_LISTS

    *outer, last = name.removesuffix("[]").split(".")
    inner = data
    for part in outer:
        inner = inner.setdefault(part, {})
        if not isinstance(inner, dict):
            raise FieldNotWritten(f"{name}: “{part}” já tem um valor.", field=name)
    if name.endswith("[]") or last in inner or (name in WORD_LISTS and isinstance(value, str)):
        former = inner.get(last, [])
        inner[last] = [*(former if isinstance(former, list) else [former]), value]
    else:
        inner[last] = value


def record(scope: Scope, data: Mapping[str, Any], recorded_at: datetime, *, rehearse: bool = False) -> dict[str, Any]:
    """Record the act in one transaction and say what it did; to ``rehearse`` is to say it and write nothing.

    Raises one typed error, or an ErrorGroup with all.
    """
    from procedure.store.recording import record_one

    return record_one(scope.engine, data, recorded_at, rehearse=rehearse)


def describe(doc: Mapping[str, Any]) -> str:
    """The same for people."""
    from procedure.cli.plain import article_br, day_br, weekday_br
    from procedure.cli.reach_text import describe_reach
    from procedure.domain.labels import act_label, deadline_label, state_label

    if doc["known"]:
        return f"Este ato já estava registrado no auto {doc['auto']}: {state_label(doc['state'])}."
    lines = [f"Auto {doc['auto']}: {state_label(doc['state'])}"]
    if doc["dry_run"]:
        lines.insert(0, "Ensaio: nada foi gravado.")
    if doc["reach"]:
        lines += describe_reach(doc["reach"])
    lines += [f"  ato {a['seq']}: {act_label(a['act'])}, de {day_br(a['date'])}" for a in doc["acts"]]
    for item in doc["deadlines"]:
        first = f", 1º dia {day_br(item['first_counted'])}" if item["first_counted"] else ""
        lines.append(
            f"  abre {deadline_label(item['kind'])} ({article_br(item['article'])}){first}: "
            f"vence em {weekday_br(item['due'])}, às {item['due_at'][11:16]}"
        )
    return "\n".join(lines)
