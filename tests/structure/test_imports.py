"""What light commands load: a test on `sys.modules`, since milliseconds depend on the machine."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {
    "alembic", "argon2", "dateutil", "fastapi", "holidays", "icalendar", "numpy", "prometheus_client", "psycopg",
    "pydantic", "rich", "segno", "sqlalchemy", "starlette", "stdnum", "transitions", "typst", "uvicorn",
}  # fmt: skip


def modules_after(statement: str) -> set[str]:
    """The modules that a fresh interpreter holds after a statement."""
    program = f"{statement}\nimport json, sys\nsys.stderr.write(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr))


@pytest.mark.parametrize(
    "statement",
    [
        "from procedure.cli.main import main; main(['--help'])",
        "import legalbasis, calendars, penalties",
        "import procedure",
    ],
)
def test_light_paths_load_nothing_heavy(statement: str) -> None:
    assert HEAVY & {name.split(".")[0] for name in modules_after(statement)} == set()


def test_the_library_loads_no_command_line() -> None:
    loaded = modules_after("import procedure")
    assert "procedure" in loaded
    printers = ("procedure.cli", "procedure.documents", "procedure.http", "procedure.pages")
    assert {name for name in loaded if name.startswith(printers)} == set()


def test_the_check_sees_a_heavy_import() -> None:
    assert "sqlalchemy" in modules_after("import sqlalchemy")
