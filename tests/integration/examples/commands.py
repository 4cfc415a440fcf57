"""Command lines written in examples, as the program's own parser takes them."""

from __future__ import annotations

import argparse
import importlib
import re
import shlex

from procedure.cli.main import COMMANDS, build_parser

TODAY = re.compile(r'"?\$\(date \+%F\)"?')


def parsed(line: str) -> tuple[str, argparse.Namespace]:
    """The command and its options, of a shell line that begins with ``posturas``. UsageError when it takes them not."""
    words = shlex.split(TODAY.sub("2013-03-26", re.split(r"\s*(?:>>|2>|\|)", line)[0]))
    assert words[0] == "posturas", line
    module = importlib.import_module(f"procedure.cli.{COMMANDS[words[1]][0]}")
    parser = build_parser(f"posturas {words[1]}", "")
    module.add_arguments(parser)
    return words[1], parser.parse_args(words[2:])
