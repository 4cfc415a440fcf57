"""Progress bars: on stderr, on a terminal, and nowhere else."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest

from procedure.cli.progress import Silent, progress
from tests.integration.cli.scenes import Cli


class Terminal(io.StringIO):
    """What says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_the_bar_is_on_stderr(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with progress(3, "varredura") as bar:
        bar.advance(2)
    assert "varredura" in terminal.getvalue()
    assert "2/3" in terminal.getvalue()
    assert capsys.readouterr().out == ""


def test_elsewhere_it_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    with progress(None, "varredura") as bar:
        assert isinstance(bar, Silent)
        bar.advance()
    assert stream.getvalue() == ""


def test_rich_is_imported_only_where_a_bar_is_shown() -> None:
    script = (
        "import sys\nfrom procedure.cli.progress import progress\n"
        "with progress(1, 'x') as bar: bar.advance()\n"
        "sys.exit('rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "command", [("sweep", "--as-of", "2014-01-01"), ("verify", "--deep"), ("auto", "list"), ("divida-ativa", "list")]
)
def test_json_is_one_document_and_stderr_stays_empty(sao_gabriel: Cli, command: tuple[str, ...]) -> None:
    sao_gabriel.json(*command)  # which asserts both
