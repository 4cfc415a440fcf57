"""The documents say what the program does: commands and snippets run, quotes are exact, pages are current."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from procedure.cli.main import COMMANDS, main
from scripts import reference
from tests.structure.sources import ROOT

BLOCK = re.compile(r"^```(?P<kind>\w+)(?: file=(?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
HOWTOS = (
    "embed", "import", "sweep", "operate", "supply", "calendario", "documentos", "paginas", "divida-ativa",
    "past-changes", "corrections",
)  # fmt: skip
GUIDES = ["docs/quickstart.md", *(f"docs/howto/{name}.md" for name in HOWTOS)]
READMES = ["README.md", "LEIAME.md"]
WHYS = [f"docs/explanation/{name}.md" for name in ("limits", "record", "terms", "undoing")]
DOCUMENTS = [*READMES, "docs/README.md", *GUIDES, *WHYS]


def blocks(document: str) -> list[tuple[str, str | None, str]]:
    found = BLOCK.finditer((ROOT / document).read_text(encoding="utf-8"))
    return [(m["kind"], m["file"], m["text"]) for m in found]


@pytest.mark.parametrize("document", GUIDES)
def test_every_command_and_snippet_of_a_guide_runs(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("POSTURAS_DB", raising=False)
    names: dict[str, object] = {}
    ran = 0
    for kind, file, text in blocks(document):
        if file:
            (tmp_path / file).write_text(text, encoding="utf-8")
        elif kind == "sh":
            for line in text.splitlines():
                run_line(line, monkeypatch, capsys)
                ran += 1
        elif kind == "python":
            exec(compile(text, document, "exec"), names)
            ran += 1
    assert ran
    for value in names.values():
        if hasattr(value, "dispose"):
            value.dispose()


def run_line(line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(line)
    if words[0] == "export":
        name, _, value = words[1].partition("=")
        monkeypatch.setenv(name, value)
        return
    assert words[0] == "posturas", line
    code = main(words[1:])
    said = capsys.readouterr()
    assert code == 0, (line, said.out, said.err)


@pytest.mark.parametrize("document", READMES)
def test_the_readme_quotes_the_example_exactly(document: str) -> None:
    quoted = [text for kind, _, text in blocks(document) if kind == "python"]
    assert quoted == [(ROOT / "examples" / "embed.py").read_text(encoding="utf-8")]


@pytest.mark.parametrize("document", READMES)
def test_what_the_readme_says_the_example_prints_is_what_it_prints(document: str, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "examples" / "embed.py"), f"sqlite:///{tmp_path}/erp.db"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env={"PYTHONPATH": str(ROOT)})
    text = (ROOT / document).read_text(encoding="utf-8")
    lines = ran.stdout.splitlines()
    assert lines
    assert [line for line in lines if f"`{line}`" not in text] == []


@pytest.mark.parametrize("document", READMES)
def test_the_commands_of_the_readme_are_those_of_the_program(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `posturas ([a-z-]+)", text, re.MULTILINE)) == set(COMMANDS)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_command_named_in_passing_is_one_that_the_program_takes(document: str) -> None:
    text = BLOCK.sub("", (ROOT / document).read_text(encoding="utf-8"))
    named = [line for line in re.findall(r"`posturas ([a-z][^`]*)`", text) if not re.search(r"\b[A-Z]+\b|[\[|…]", line)]
    for line in named:
        words = shlex.split(line)
        assert words[0] in COMMANDS, line
        told = reference.commands().split(f"## posturas {words[0]}\n")[1].split("\n## ")[0]
        for word in words[1:]:
            assert not re.fullmatch(r"--?[a-z-]+|[a-z-]+", word) or word in told, (line, word)


def test_the_commands_of_the_leiame_that_need_no_database_run(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "LEIAME.md").read_text(encoding="utf-8")
    lines = re.findall(r"^    (posturas .+)$", text, re.MULTILINE)
    assert len(lines) == 2
    for line in lines:
        assert main(shlex.split(line)[1:]) == 0, capsys.readouterr().err


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="argparse words its help by the version; pages are of 3.11")
@pytest.mark.parametrize("page", reference.pages(), ids=str)
def test_the_reference_is_what_the_program_says(page: str) -> None:
    """To bring it up to date: python scripts/reference.py, and review the diff."""
    assert (reference.FOLDER / page).read_text(encoding="utf-8") == reference.pages()[page]
