"""``posturas rulebook new|diff|test|schema``: what who encodes a law does, before anybody uses it."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from legalbasis import InputError
from procedure.cli import output
from procedure.cli.actions import add_action

if TYPE_CHECKING:
    from procedure.domain.rulebook import Rulebook

_BOOK = "um arquivo TOML, ou o id de uma lei codificada"
_IDENTITY = (
    ("municipality", "IBGE", "código do município no IBGE, de 7 algarismos"),
    ("uf", "UF", "sigla do Estado"),
    ("name", "NOME", "nome do município"),
    ("norm", "NORMA", "a lei, como “Lei 100/2001”"),
)


class FileUnreadable(InputError):
    """Não foi possível ler ou gravar o arquivo."""

    code = "arquivo_inacessivel"


class FileExists(InputError):
    """O arquivo já existe e não será substituído."""

    code = "arquivo_ja_existe"
    default_remedy = "Diga outro nome, ou apague-o antes."


def add_author_actions(actions: Any) -> None:
    """The sub-commands of who encodes a law."""
    new = add_action(actions, "new", "escreve o esqueleto comentado de uma lei; pergunta o que faltar, em um terminal")
    for name, metavar, text in _IDENTITY:
        new.add_argument(f"--{name}", metavar=metavar, help=text)
    new.add_argument("--title", metavar="TÍTULO", help="o título da lei")
    new.add_argument(
        "--set", metavar="NOME=VALOR", action="append", default=[],
        help="preenche um campo, como DEFESA=42 (pode repetir-se); VALOR “cala” onde a lei nada diz; os nomes, abaixo",
    )  # fmt: skip
    _end_with(new, _names_of_fields())
    new.add_argument("--out", metavar="ARQUIVO", help="grava aqui, com calendario.toml e schema.json ao lado")
    diff = add_action(actions, "diff", "compara duas leis ou duas redações de uma: o que entrou, saiu e mudou")
    diff.add_argument("before", metavar="ANTES", help=_BOOK)
    diff.add_argument("after", metavar="DEPOIS", help=_BOOK)
    test = add_action(actions, "test", "corre casos de teste sobre a lei; código 1 se algum falha")
    test.add_argument("law", metavar="LEI", help=_BOOK)
    test.add_argument("cases", metavar="CASOS", help="o arquivo TOML dos casos")
    schema = add_action(actions, "schema", "o esquema JSON do formato das leis, para editores")
    schema.add_argument("--out", metavar="ARQUIVO", help="grava no arquivo em vez de imprimir")


def _end_with(parser: argparse.ArgumentParser, lines: str) -> None:
    """End the help with these lines, as they are."""
    from procedure.cli.main import Formatter

    class Listed(argparse.RawDescriptionHelpFormatter, Formatter):
        """The command's help, whose last lines are not filled."""

    parser.formatter_class, parser.epilog = Listed, lines


def _names_of_fields() -> str:
    """What ``--set`` may fill, one name and its meaning after another."""
    from procedure.services.rulebook_new import questions

    lines = ["nomes de --set:"]
    for asked in questions():
        silent = f"ou “cala” ({asked.basis})" if asked.basis else ""
        usual = f"em geral {asked.usual}" if asked.usual else ""
        told = "; ".join(part for part in (asked.text, silent, usual) if part)
        lines += textwrap.wrap(f"{asked.name:<16} {told}", 80, initial_indent="  ", subsequent_indent=" " * 19)
    return "\n".join(lines)


def read_text(path: Path) -> str:
    """The text of a file. Raises FileUnreadable."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FileUnreadable(f"não foi possível ler o arquivo: {error.strerror}.", place=str(path)) from error
    except UnicodeDecodeError as error:
        raise FileUnreadable("o arquivo não está em UTF-8.", place=str(path), remedy="Grave-o em UTF-8.") from error


def write_text(path: Path, text: str) -> None:
    """Write a file. Raises FileUnreadable."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise FileUnreadable(f"não foi possível gravar: {error.strerror}.", place=str(path)) from error


# ---------------------------------------------------------------- new


def _new(args: argparse.Namespace) -> int:
    from procedure.services import rulebook_new

    asking = sys.stdin.isatty() and sys.stderr.isatty() and not args.json
    known: dict[str, str] = {n: getattr(args, n) or (_ask(text) if asking else "") for n, _, text in _IDENTITY}
    missing = [f"--{name}" for name, value in known.items() if not value]
    if missing:
        from procedure.cli.main import UsageError

        raise UsageError(f"faltam argumentos: {', '.join(missing)}.", remedy="Veja: posturas rulebook new --help")
    law = rulebook_new.identity(**known, title=args.title)
    answers = _answers(args.set)
    if asking:
        _ask_rest(answers)
    text = rulebook_new.skeleton(law, answers)
    wrote: list[str] = []
    if args.out is not None:
        files = {args.out: text}
        beside = Path(args.out).parent
        extra = {"calendario.toml": rulebook_new.calendar_skeleton(law, answers), "schema.json": _schema_text()}
        files |= {str(beside / n): t for n, t in extra.items() if not (beside / n).exists()}
        if Path(args.out).exists():
            raise FileExists(place=args.out)
        beside.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            write_text(Path(name), content)
            wrote.append(name)
    if args.json:
        output.document({"law": law.law, "files": wrote, "text": text, "missing": _unfilled(text)})
    elif args.out is None:
        output.text(text.rstrip("\n"))
    else:
        output.text(_said(wrote, args.out, _unfilled(text)))
    return 0


def _said(wrote: list[str], out: str, missing: list[str]) -> str:
    lines = [f"Gravado: {', '.join(wrote)}."]
    if missing:
        lines.append(f"Falta preencher: {', '.join(missing)}.")
    return "\n".join([*lines, f"Depois: posturas rulebook check {out}"])


def _unfilled(text: str) -> list[str]:
    from procedure.services.rulebook_new import questions

    return [q.name for q in questions() if f'"?{q.name}"' in text]


def _answers(given: list[str]) -> dict[str, str]:
    answers = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals:
            from procedure.cli.main import UsageError

            raise UsageError(f"“{pair[:40]}” não está escrito como NOME=VALOR.", remedy="Escreva como --set DEFESA=42.")
        answers[name.strip()] = value.strip()
    return answers


def _ask(text: str) -> str:
    sys.stderr.write(f"{text}: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def _ask_rest(answers: dict[str, str]) -> None:
    """Ask what the flags left open; an empty answer is the usual one, or leaves it to be filled by hand."""
    from procedure.services.rulebook_new import SILENT, questions

    output.message("Enter deixa para depois (ou o valor entre colchetes); “cala” onde a lei nada diz.")
    for question in questions():
        if question.name in answers:
            continue
        hint = f" [{question.usual}]" if question.usual else f" (ou {SILENT})" if question.basis else ""
        answer = _ask(f"{question.text}{hint}") or question.usual
        if answer:
            answers[question.name] = answer


# ---------------------------------------------------------------- diff


def _diff(args: argparse.Namespace) -> int:
    from procedure.cli.rulebook_diff_text import describe_changes
    from procedure.services.rulebook_diff import compare

    before, after = _book(args, args.before), _book(args, args.after)
    changes = compare(before, after)
    if args.json:
        names = {"section": "section", "key": "key", "kind": "change", "before": "before", "after": "after"}
        listed = [{shown: getattr(change, name) for name, shown in names.items()} for change in changes]
        output.document({"before": before.version, "after": after.version, "changes": listed})
    else:
        output.text(describe_changes(changes))
    return 0


def _book(args: argparse.Namespace, named: str) -> Rulebook:
    """The law of a file, or of an id (of --rulebooks too)."""
    from procedure.domain.rulebook_reader import read_rulebook
    from procedure.domain.rulebooks import add_rulebooks, rulebook_of

    if Path(named).is_file() or named.endswith(".toml"):
        return read_rulebook(read_text(Path(named)), file=named)
    if args.rulebooks:
        add_rulebooks(args.rulebooks)
    return rulebook_of(named)


# ---------------------------------------------------------------- test


def _test(args: argparse.Namespace) -> int:
    from procedure.services.rulebook_testing import read_cases, run_cases
    from procedure.testing import MemoryRepository

    cases = read_cases(read_text(Path(args.cases)), file=args.cases)
    outcomes = run_cases(_to_test(args), cases, MemoryRepository)
    failed = sum(bool(o.failures) for o in outcomes)
    if args.json:
        output.document({"passed": len(outcomes) - failed, "failed": failed, "cases": [_case(o) for o in outcomes]})
    else:
        output.text("\n".join([*(_told(o) for o in outcomes), f"{len(outcomes)} casos, {failed} com falha."]))
    return 1 if failed else 0


def _to_test(args: argparse.Namespace) -> Rulebook:
    from procedure.domain.rulebooks import add_rulebook

    if Path(args.law).is_file() or args.law.endswith(".toml"):
        return add_rulebook(args.law)
    return _book(args, args.law)


def _told(outcome: Any) -> str:
    mark = "FALHA" if outcome.failures else "certo"
    lines = [f"{mark}  {outcome.case.id}: {outcome.case.sentence}"]
    return "\n".join([*lines, *(f"       {failure}" for failure in outcome.failures)])


def _case(outcome: Any) -> Mapping[str, Any]:
    failures = [
        {"step": f.step, "at": f.said, "what": f.what, "expected": f.expected, "found": f.found}
        for f in outcome.failures
    ]
    case = outcome.case
    return {"id": case.id, "sentence": case.sentence, "ok": not outcome.failures, "failures": failures}


# ---------------------------------------------------------------- schema


def _schema_text() -> str:
    from procedure.services.rulebook_new import schema_text

    return schema_text()


def _schema(args: argparse.Namespace) -> int:
    text = _schema_text()
    if args.out is not None:
        write_text(Path(args.out), text)
        if args.json:
            output.document({"file": args.out})
        else:
            output.text(f"Esquema gravado em {args.out}.")
        return 0
    output.text(text.rstrip("\n"))
    return 0


AUTHOR_ACTIONS: dict[str, Callable[[argparse.Namespace], int]] = {
    "new": _new,
    "diff": _diff,
    "test": _test,
    "schema": _schema,
}
