"""The pictures of a paper, as SVG text: QR codes and the coat of arms. The one door to ``segno``."""

from __future__ import annotations

import base64
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from procedure.documents.errors import CoatOfArmsUnreadable

MOST_BYTES = 2_000_000  # a coat of arms is repeated in every paper
QR_MASK = 3  # any mask is read alike; trying all eight takes longer than printing the rest of the page
_SIGNATURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}


def qr_code(text: str) -> str:
    """The QR code of a text, as SVG."""
    import segno

    out = BytesIO()
    segno.make(text, error="m", micro=False, mask=QR_MASK).save(out, kind="svg", xmldecl=False, border=2)
    return out.getvalue().decode()


@lru_cache(maxsize=8)
def coat_of_arms(path: str) -> str:
    """The file of a coat of arms as SVG: itself, or an SVG around the PNG or JPEG. Raises CoatOfArmsUnreadable."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise CoatOfArmsUnreadable(f"o arquivo do brasão, {path}, não pôde ser lido ({error.strerror}).") from error
    if len(content) > MOST_BYTES:
        raise CoatOfArmsUnreadable(f"o arquivo do brasão, {path}, passa de {MOST_BYTES // 1_000_000} MB.")
    for signature, kind in _SIGNATURES.items():
        if content.startswith(signature):
            return _framed(kind, content)
    if b"<svg" in content[:2000]:
        return content.decode("utf-8", errors="replace")
    raise CoatOfArmsUnreadable(f"o arquivo do brasão, {path}, não é SVG, PNG nem JPEG.")


def _framed(kind: str, content: bytes) -> str:
    data = base64.b64encode(content).decode()
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
        f'<image width="100" height="100" href="data:{kind};base64,{data}"/></svg>'
    )
