"""The distribution as a host gets it: built, installed away from the checkout, its tables made from its own files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.structure.sources import PACKAGES, ROOT, shipped_name

pytestmark = pytest.mark.xdist_group("wheel")  # one build for all of them

UNSHIPPED = ("__pycache__", ".*", "*.egg-info", "build", "dist", "*.db")


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "HOME": str(cwd), "LANG": "C.UTF-8"}
    return subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def packaged_files(root: Path) -> set[str]:
    """Every file of the packages, by the path it must have in the wheel."""
    return {
        shipped_name(path.relative_to(root)).as_posix()
        for package in PACKAGES
        for path in (root / package).rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project, so that a build leaves nothing in the checkout and takes nothing stale from it."""
    copy = tmp_path_factory.mktemp("wheel") / "source"
    for name in ("pyproject.toml", "README.md", "LICENSE", *PACKAGES):
        origin = ROOT / name
        if origin.is_dir():
            shutil.copytree(origin, copy / name, ignore=shutil.ignore_patterns(*UNSHIPPED))
        else:
            copy.mkdir(exist_ok=True)
            shutil.copy(origin, copy / name)
    return copy


@pytest.fixture(scope="module")
def dist(source: Path) -> Path:
    """The folder with the sdist, and the wheel built from that sdist."""
    built = run(sys.executable, "-m", "build", "--no-isolation", "--outdir", source.parent / "dist", ".", cwd=source)
    assert built.returncode == 0, built.stdout + built.stderr
    return source.parent / "dist"


@pytest.fixture(scope="module")
def host(dist: Path) -> Path:
    """The bin folder of another environment that has the wheel, and our dependencies without our checkout."""
    home = dist.parent / "host"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    wheel = next(dist.glob("*.whl"))
    installed = run(
        sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "install", "--no-index",
        "--no-deps", wheel, cwd=dist,
    )  # fmt: skip
    assert installed.returncode == 0, installed.stdout + installed.stderr
    # A path file's own path files are not read, so the editable install of the checkout does not follow.
    packages = next((home / "lib").glob("python*/site-packages"))
    (packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    return home / "bin"


def test_the_wheel_holds_every_file_of_the_packages_and_no_other(dist: Path, source: Path) -> None:
    with zipfile.ZipFile(next(dist.glob("*.whl"))) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert held == packaged_files(source)
    assert "procedure/migrations/script.py.mako" in held
    assert any(name.startswith("procedure/rulebooks/") and name.endswith(".toml") for name in held)
    assert any(name.startswith("calendars/data/") and name.endswith(".toml") for name in held)


def test_the_sdist_holds_every_file_of_the_packages(dist: Path, source: Path) -> None:
    with tarfile.open(next(dist.glob("*.tar.gz"))) as sdist:
        held = {shipped_name(Path(*Path(name).parts[1:])).as_posix() for name in sdist.getnames() if "/" in name}
    assert packaged_files(source) - held == set()
    assert {"LICENSE", "pyproject.toml"} <= held


def test_the_installed_packages_are_not_the_checkout(host: Path) -> None:
    told = run(host / "python", "-c", "import procedure.migrations as m; print(m.__file__)", cwd=host.parent)
    assert told.returncode == 0, told.stderr
    assert Path(told.stdout.strip()).is_relative_to(host.parent)


def test_no_top_level_package_called_migrations_is_installed(host: Path) -> None:
    told = run(host / "python", "-c", "import migrations", cwd=host.parent)
    assert "No module named 'migrations'" in told.stderr


def test_the_installed_command_helps_in_portuguese(host: Path) -> None:
    told = run(host / "posturas", "--help", cwd=host.parent)
    assert told.returncode == 0, told.stderr
    assert "uso: posturas COMANDO" in told.stdout
    assert told.stderr == ""


def tables(url: str) -> set[str]:
    engine = sa.create_engine(url)
    try:
        return set(sa.inspect(engine).get_table_names())
    finally:
        engine.dispose()


def test_the_installed_command_makes_the_tables(host: Path, tmp_path: Path) -> None:
    for arguments in (("db", "upgrade"), ("db", "check")):
        told = run(host / "posturas", *arguments, "--db", "sqlite:///fresh.db", cwd=tmp_path)
        assert told.returncode == 0, told.stdout + told.stderr
    made = tables(f"sqlite:///{tmp_path}/fresh.db")
    assert "posturas_alembic_version" in made
    assert len(made) > 1
    # A host's own tables stand beside ours.
    assert {name for name in made if not name.startswith("posturas_")} == set()


def test_the_installed_command_makes_the_same_tables_on_postgresql(
    host: Path, pg_create: Callable[..., str], tmp_path: Path
) -> None:
    server = pg_create()
    for url in (server, "sqlite:///fresh.db"):
        told = run(host / "posturas", "db", "upgrade", "--db", url, cwd=tmp_path)
        assert told.returncode == 0, told.stdout + told.stderr
    assert tables(server) == tables(f"sqlite:///{tmp_path}/fresh.db")


def test_the_installed_command_plays_the_demo(host: Path, tmp_path: Path) -> None:
    told = run(host / "posturas", "demo", "--out", "demo", "--json", cwd=tmp_path)
    assert told.returncode == 0, told.stdout + told.stderr
    assert (tmp_path / "demo" / "posturas.db").stat().st_size > 0
    assert len(list((tmp_path / "demo").rglob("*.pdf"))) == 30  # as the README says
    checked = run(host / "posturas", "verify", "--deep", "--db", "sqlite:///demo/posturas.db", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    for name in ("legalbasis", "calendars", "penalties", "procedure"):
        assert list((host.parent / "lib").glob(f"python*/site-packages/{name}/py.typed")), name
