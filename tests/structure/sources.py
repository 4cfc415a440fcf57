"""The project's source files, as the structure tests see them."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("legalbasis", "calendars", "penalties", "procedure", "migrations")


def modules(*folders: str) -> list[Path]:
    """The Python files under the folders (all packages if none), relative to the project's root."""
    found = [
        path.relative_to(ROOT)
        for folder in folders or PACKAGES
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "__pycache__" not in path.parts
    ]
    assert found, folders
    return found


def shipped_name(path: Path) -> Path:
    """Where a file of a package lies once installed."""
    return Path("procedure", path) if path.parts[0] == "migrations" else path
