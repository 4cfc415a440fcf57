"""The ``posturas`` command: finds the command asked for, imports only that module, turns errors into exit codes.

A command module has ``add_arguments(parser)`` and ``run(args) -> int`` and prints through ``procedure.cli.output``.
Exit codes: 0 done, 1 some items failed (they are listed), 2 usage or bad input.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from legalbasis import PosturasError
from procedure.cli import output

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("demo", "roda o trabalho todo sobre a amostra embutida"),
    "import": ("import_", "lê autos e atos exportados por um ERP"),
    "sweep": ("sweep", "varredura: dá a cada prazo vencido a sua consequência"),
    "prazo": ("prazo", "conta um prazo e explica cada dia"),
    "multa": ("multa", "calcula uma multa e explica cada linha"),
    "auto": ("auto", "mostra, lista e movimenta autos"),
    "divida-ativa": ("divida_ativa", "inscrições em dívida ativa"),
    "indice": ("indice", "as séries por que se atualiza a dívida"),
    "agenda": ("agenda", "leva os prazos em aberto a uma agenda (.ics)"),
    "painel": ("painel", "a página da semana: o que corre, o que prescreve, o que ninguém viu"),
    "rulebook": ("rulebook", "as leis codificadas"),
    "calendar": ("calendar", "os dias da repartição"),
    "key": ("key", "as chaves de acesso do servidor HTTP"),
    "db": ("db", "cria, atualiza e confere as tabelas"),
    "verify": ("verify", "confere a cadeia de atos"),
    "serve": ("serve", "as mesmas operações por HTTP, para sistemas em outras linguagens"),
    "audit": ("audit", "quem perdoou ou apagou o quê, com quem e por quê"),
}
DEFAULT_DB = "sqlite:///posturas.db"


class Formatter(argparse.HelpFormatter):
    """argparse's help with its one English heading in Portuguese."""

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        """As argparse does, under “uso:”."""
        super().add_usage(usage, actions, groups, "uso: " if prefix is None else prefix)


class Parser(argparse.ArgumentParser):
    """argparse with its messages in Portuguese and usage errors as typed errors; its actions' too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("formatter_class", Formatter)
        super().__init__(*args, **kwargs)

    def error(self, message: str) -> NoReturn:
        """Raise UsageError with argparse's message in Portuguese."""
        raise UsageError(_translate(message), remedy=f"Veja: {self.prog} --help")


class UsageError(PosturasError):
    """O comando não foi escrito como devia."""

    code = "uso"


class InternalError(PosturasError):
    """Erro interno: o programa não previu esta situação."""

    code = "erro_interno"
    default_remedy = "Nada foi gravado por este comando. Repita com POSTURAS_TRACE=1 e envie o que aparecer."


_WORDS = (
    ("the following arguments are required:", "faltam argumentos:"),
    ("unrecognized arguments:", "argumentos desconhecidos:"),
    ("expected one argument", "espera um valor"),
    ("expected at least one argument", "espera ao menos um valor"),
    ("invalid choice:", "opção inválida:"),
    ("choose from", "escolha entre"),
    ("argument ", "argumento "),
    ("invalid int value:", "número inteiro inválido:"),
    ("not allowed with argument", "não pode vir com"),
    ("ambiguous option:", "opção ambígua:"),
    ("could match", "pode ser"),
    ("ignored explicit argument", "não aceita valor"),
)


def _translate(message: str) -> str:
    for english, portuguese in _WORDS:
        message = message.replace(english, portuguese)
    return message


def build_parser(prog: str, description: str) -> Parser:
    """A parser with the options that every command takes."""
    parser = Parser(prog=prog, description=description, add_help=False, allow_abbrev=False)
    parser._positionals.title = "argumentos"
    parser._optionals.title = "opções"
    parser.add_argument("-h", "--help", action="help", help="mostra esta ajuda")
    parser.add_argument("--json", action="store_true", help="um documento JSON na saída padrão")
    parser.add_argument(
        "--db",
        metavar="URL",
        default=os.environ.get("POSTURAS_DB", DEFAULT_DB),
        help="banco de dados (ou POSTURAS_DB; padrão: %(default)s)",
    )
    parser.add_argument(
        "--rulebooks",
        metavar="PASTA",
        default=os.environ.get("POSTURAS_RULEBOOKS") or None,
        help="pasta com leis e calendários do próprio município (ou POSTURAS_RULEBOOKS)",
    )
    return parser


def _help() -> str:
    width = max(map(len, COMMANDS))
    lines = [
        "uso: posturas COMANDO [opções]",
        "",
        "Processos de penalidade administrativa municipal, do auto de infração à dívida ativa,",
        "como manda a lei do município.",
        "",
        "comandos:",
        *(f"  {name:<{width}}  {text}" for name, (_, text) in COMMANDS.items()),
        "",
        "Cada comando tem a sua ajuda: posturas COMANDO --help. Todos aceitam --json, --db URL",
        "e --rulebooks PASTA (leis do próprio município).",
        "Código de saída: 0 feito, 1 alguns itens falharam (são listados), 2 uso ou entrada inválida.",
    ]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; never a traceback."""
    args = list(sys.argv[1:] if argv is None else argv)
    as_json = "--json" in args
    output.prepare()
    try:
        return _dispatch(args)
    except PosturasError as error:
        output.error(error, as_json=as_json)
        return 2
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # stays open: the interpreter flushes it at exit
        return 1
    except KeyboardInterrupt:
        output.message("interrompido.")
        return 130
    except Exception as error:
        if os.environ.get("POSTURAS_TRACE"):
            raise
        message = f"erro interno ({type(error).__name__}): o programa não previu esta situação."
        output.error(InternalError(message), as_json=as_json)
        return 2


def _dispatch(args: list[str]) -> int:
    if not args or args[0] in ("-h", "--help"):
        output.text(_help())
        return 0 if args else 2
    if args[0] == "--version":
        output.text(f"posturas {_version()}")
        return 0
    name = args.pop(0)
    if name.startswith("-"):
        raise UsageError(
            f"“{name[:40]}” veio antes do comando.", remedy="As opções vêm depois dele: posturas COMANDO [opções]"
        )
    if name not in COMMANDS:
        raise UsageError(f"não existe o comando “{name}”.", remedy="Veja os comandos: posturas --help")
    module_name, text = COMMANDS[name]
    module = importlib.import_module(f"procedure.cli.{module_name}")
    parser = build_parser(f"posturas {name}", text[0].upper() + text[1:] + ".")
    module.add_arguments(parser)
    mixed = getattr(module, "NUMBERS_AFTER_OPTIONS", False)
    parsed = parser.parse_intermixed_args(args) if mixed else parser.parse_args(args)
    if parsed.rulebooks and not getattr(module, "ADDS_RULEBOOKS", False):
        from procedure.domain.rulebooks import add_rulebooks

        add_rulebooks(parsed.rulebooks)
    code: int = module.run(parsed)
    return code


def _version() -> str:
    from importlib.metadata import version

    return version("posturas")


if __name__ == "__main__":
    sys.exit(main())
