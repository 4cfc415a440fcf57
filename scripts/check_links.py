"""Check that every relative link of the project's Markdown files leads to a file, and its #anchor to a heading."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)(?:\s+\"[^\"]*\")?\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
HEADING = re.compile(r"^#{1,6} +(?P<title>.+?) *#*$", re.MULTILINE)


def documents(root: Path) -> list[Path]:
    """The Markdown files of the top folder, of docs/ and of examples/."""
    return sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "examples").rglob("*.md")])


def broken_links(document: Path) -> list[str]:
    """Targets in a document that lead nowhere."""
    text = CODE.sub("", document.read_text(encoding="utf-8"))
    return [match["target"] for match in LINK.finditer(text) if not _leads_somewhere(document, match["target"])]


def _leads_somewhere(document: Path, target: str) -> bool:
    if re.match(r"[a-z]+:", target):
        return True  # another site: nothing is fetched here
    name, _, anchor = unquote(target).partition("#")
    path = document.parent / name if name else document
    if not path.exists():
        return False
    return not anchor or path.suffix != ".md" or anchor in _anchors(path)


def _anchors(path: Path) -> set[str]:
    titles = (match["title"] for match in HEADING.finditer(path.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def main() -> int:
    """Check all documents; print each broken link."""
    broken = [(document, target) for document in documents(ROOT) for target in broken_links(document)]
    for document, target in broken:
        print(f"{document.relative_to(ROOT)}: leads nowhere: {target}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
