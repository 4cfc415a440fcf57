"""Files written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from legalbasis import InputError


class FolderUnusable(InputError):
    """A pasta ou o arquivo de saída não pode ser escrito."""

    code = "saida_inacessivel"


def write_whole(file: Path, content: bytes) -> int:
    """Write a file whole or not at all; how many bytes. Raises FolderUnusable."""
    return write_parts(file, [content])


def write_parts(file: Path, parts: Iterable[bytes]) -> int:
    """The same from parts that never stand in memory together. Raises FolderUnusable, and what making a part raises."""
    beside = file.with_name(f".{file.name}.novo")
    written = 0
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("wb") as out:
            for part in parts:
                written += out.write(part)
        beside.replace(file)
    except OSError as error:
        raise FolderUnusable(f"não foi possível escrever {file} ({error.strerror}).", field="--out") from error
    finally:
        with suppress(OSError):  # there may be no folder to hold it
            beside.unlink(missing_ok=True)
    return written
