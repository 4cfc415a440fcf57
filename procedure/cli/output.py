"""What commands print: results on stdout (text or one JSON document), messages and errors on stderr."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

from legalbasis import ErrorGroup, PosturasError


def text(content: str) -> None:
    """A result for people, on stdout."""
    sys.stdout.write(content + "\n")


def prepare() -> None:
    """Let a terminal or a pipe that cannot show a character show “?”: printing never stops a command halfway."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="replace")


def document(content: Any) -> None:
    """The one JSON document of ``--json``, on stdout; in ASCII where stdout is not UTF-8, so that nothing is lost."""
    plain = (sys.stdout.encoding or "utf-8").lower().replace("-", "") != "utf8"
    sys.stdout.write(json.dumps(content, ensure_ascii=plain, indent=2) + "\n")


def page(content: str, file: str) -> None:
    """A page into a file, whole or not at all, and the word of it on stderr. Raises FolderUnusable."""
    from procedure.documents.files import write_whole

    write_whole(Path(file), content.encode())
    message(f"Página escrita: {file}")


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
