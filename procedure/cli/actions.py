"""The actions of a command (``posturas key create``): their help in Portuguese, and the options that all take."""

from __future__ import annotations

import argparse
from typing import Any


def add_action(actions: Any, name: str, text: str) -> argparse.ArgumentParser:
    """Add an action. ``text`` says what it does."""
    action: argparse.ArgumentParser = actions.add_parser(
        name,
        add_help=False,
        help=text,
        description=f"{text[0].upper()}{text[1:]}.",
    )
    action._positionals.title, action._optionals.title = "argumentos", "opções"
    action.add_argument("-h", "--help", action="help", help="mostra esta ajuda")
    # SUPPRESS: the option may come before or after the action without the latter undoing the former.
    action.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="um documento JSON")
    action.add_argument("--db", metavar="URL", default=argparse.SUPPRESS, help="banco de dados (ou POSTURAS_DB)")
    action.add_argument(
        "--rulebooks", metavar="PASTA", default=argparse.SUPPRESS, help="pasta com leis do próprio município"
    )
    return action
