"""How `make docs` builds these pages with Sphinx: the Markdown as it stands, every warning an error."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

project = "Posturas"
author = "Posturas contributors"
html_show_copyright = False
extensions = ["myst_parser"]
root_doc = "index"
exclude_patterns = ["README.md"]  # index.md is README.md with the list of pages
myst_heading_anchors = 6
html_theme = "alabaster"
html_theme_options = {
    "description": "Processos de posturas municipais, do auto à dívida ativa",
    "fixed_sidebar": True,
    "page_width": "1140px",
    "sidebar_width": "260px",
}
DOCS = Path(__file__).resolve().parent
LINK = re.compile(r"\[(?P<text>[^\]]+)\]\((?P<target>[^)#:\s]+)(?P<anchor>#[^)]*)?\)")


def _without_what_is_beside(app: Any, page: str, source: list[str]) -> None:
    """Links to files of the checkout outside docs/ lead somewhere in the checkout only: their text and path stay."""
    folder = (DOCS / page).parent

    def kept(found: re.Match[str]) -> str:
        target = (folder / found["target"]).resolve()
        if target.is_relative_to(DOCS):
            return found[0]
        path = str(target.relative_to(DOCS.parent))
        return found["text"] if path.endswith(found["text"].strip("`")) else f"{found['text']} (`{path}`)"

    source[0] = LINK.sub(kept, source[0])


def setup(app: Any) -> None:
    """Sphinx asks this of every conf.py."""
    app.connect("source-read", _without_what_is_beside)
    app.connect("include-read", lambda app, path, page, source: _without_what_is_beside(app, page, source))
