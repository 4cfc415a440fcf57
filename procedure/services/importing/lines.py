"""Physical lines of a file of acts, in bounded memory: at most 1 MiB of any line is held, whatever its length."""

from __future__ import annotations

import codecs
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from legalbasis import InputError
from procedure.services.importing.errors import (
    FileUnreadable,
    LineEncoding,
    LineTooLong,
    UnknownEncoding,
    WrongEncoding,
)

MAX_LINE = 1 << 20
_HEAD = 4_096
_BOM = codecs.BOM_UTF8
_ENCODINGS = {"utf-8": "utf-8", "iso8859-1": "iso8859-1", "cp1252": "cp1252"}


def encoding_named(name: str) -> str:
    """The codec of an encoding's name. Raises UnknownEncoding for those that are not taken."""
    try:
        return _ENCODINGS[codecs.lookup(name).name]
    except (LookupError, ValueError, KeyError):  # ValueError: a NUL in the name
        raise UnknownEncoding(f"“{name[:40]}” não é codificação aceita.") from None


def open_acts(path: str) -> IO[bytes]:
    """The file's bytes, at their start and seekable; ``-`` is stdin, copied to a temporary file as pipes are.

    Raises FileUnreadable.
    """
    try:
        if path == "-":
            return _spooled(sys.stdin.buffer)
        source = Path(path).open("rb")  # noqa: SIM115  # the caller closes it
        if source.seekable():
            return source
        with source:
            return _spooled(source)
    except FileNotFoundError as error:
        raise FileUnreadable(f"não existe o arquivo {path}.") from error
    except IsADirectoryError as error:
        raise FileUnreadable(f"{path} é uma pasta, não um arquivo.") from error
    except (OSError, ValueError) as error:
        raise FileUnreadable(f"o arquivo {path} não pode ser lido: {_reason(error)}.") from error


def _spooled(source: IO[bytes]) -> IO[bytes]:
    spool = tempfile.TemporaryFile()  # noqa: SIM115  # the caller closes it
    shutil.copyfileobj(source, spool, MAX_LINE)
    spool.seek(0)
    return spool


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or type(error).__name__


@dataclass(frozen=True, slots=True)
class Line:
    """One line as it came. ``text`` is None when ``error`` says why; ``head`` is its start, for naming the auto."""

    number: int
    text: str | None
    head: str
    error: InputError | None = None
    ends_at: int = 0


class LineReader:
    """The lines of a file, decoded one by one; what was seen of its encoding is judged at the end."""

    def __init__(self, file: IO[bytes], encoding: str) -> None:
        self.file = file
        self.encoding = encoding_named(encoding)
        self._multibyte = False
        self._invalid: tuple[int, int] | None = None
        self._refuse_utf16()

    def _refuse_utf16(self) -> None:
        head = self.file.read(_HEAD)
        self.file.seek(0)
        nuls = head.count(0)
        if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) or nuls * 4 > max(len(head), 4):
            raise WrongEncoding(
                "o arquivo está em UTF-16, ou não é texto.", place="linha 1", remedy="Exporte em UTF-8."
            )

    def __iter__(self) -> Iterator[Line]:
        """The lines, numbered from 1, without their ends; the UTF-8 mark at the start is dropped."""
        position = 0
        for number, (raw, length, whole) in enumerate(self._raw(), start=1):
            position += length
            yield self._line(number, raw.removeprefix(_BOM) if number == 1 else raw, whole, position)

    def _raw(self) -> Iterator[tuple[bytes, int, bool]]:
        while chunk := self.file.readline(MAX_LINE + 1):
            length = len(chunk)
            whole = length <= MAX_LINE or chunk.endswith(b"\n")
            if not whole:
                while rest := self.file.readline(MAX_LINE):
                    length += len(rest)
                    if rest.endswith(b"\n"):
                        break
                chunk = chunk[:_HEAD]
            yield chunk, length, whole

    def _line(self, number: int, raw: bytes, whole: bool, ends_at: int) -> Line:
        if not whole:
            error: InputError = LineTooLong(f"a linha tem mais de {MAX_LINE} bytes.")
            return Line(number, None, raw.decode("latin-1"), error, ends_at)
        raw = raw.rstrip(b"\r\n")
        try:
            text = raw.decode("utf-8")
            self._multibyte = self._multibyte or not raw.isascii()
        except UnicodeDecodeError as failure:
            self._invalid = self._invalid or (number, failure.start + 1)
            if self.encoding == "utf-8":
                error = LineEncoding(
                    f"o byte {failure.start + 1} da linha (0x{raw[failure.start]:02x}) não é UTF-8.",
                    remedy="Se o arquivo está em latin-1, importe com --encoding latin-1.",
                )
                return Line(number, None, raw[:_HEAD].decode("latin-1"), error, ends_at)
        if self.encoding != "utf-8":
            try:
                text = raw.decode(self.encoding)
            except UnicodeDecodeError as failure:
                error = LineEncoding(f"o byte {failure.start + 1} da linha não é {self.encoding}.")
                return Line(number, None, raw[:_HEAD].decode("latin-1"), error, ends_at)
        return Line(number, text, text[:_HEAD], None, ends_at)

    def judge_encoding(self) -> None:
        """Refuse the whole file when every accent in it is of another encoding. Raises WrongEncoding."""
        if self.encoding == "utf-8" and self._invalid and not self._multibyte:
            line, byte = self._invalid
            raise WrongEncoding(
                f"o arquivo não está em UTF-8: o byte {byte} da linha {line} não é.",
                place=f"linha {line}, byte {byte}",
                remedy="Se está em latin-1, importe com --encoding latin-1.",
            )
        if self.encoding != "utf-8" and self._multibyte and not self._invalid:
            raise WrongEncoding("o arquivo está em UTF-8, não em latin-1.", remedy="Importe sem --encoding.")
