"""What commands print: results on stdout (text or one JSON document), messages and errors on stderr."""

from __future__ import annotations

import json
import sys
from typing import Any

from legalbasis import ErrorGroup, PosturasError


def text(content: str) -> None:
    """A result for people, on stdout."""
    sys.stdout.write(content + "\n")


def document(content: Any) -> None:
    """The one JSON document of ``--json``, on stdout."""
    sys.stdout.write(json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def message(content: str) -> None:
    """A message beside the result, on stderr."""
    sys.stderr.write(content + "\n")


def error(failure: PosturasError, *, as_json: bool) -> None:
    """An error: as the contract's JSON object on stdout, else as text on stderr, a line for each one of a group."""
    if as_json:
        document({"error": failure.to_dict()})
    elif isinstance(failure, ErrorGroup):
        for one in failure.errors:
            error(one, as_json=False)
    else:
        message(f"erro: {failure}")
