"""JSON with no spaces and no escapes but those it needs, written by an encoder that is made once.

``json.JSONEncoder`` makes its C encoder anew for each value, which for the small values of the record takes as long as
the encoding.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from json import encoder as _json
from typing import Any


def encoder(*, sort_keys: bool) -> Callable[[Any], str]:
    """A function that encodes one value. It raises ValueError for NaN and infinities, TypeError for other objects."""
    plain = json.JSONEncoder(ensure_ascii=False, sort_keys=sort_keys, separators=(",", ":"), allow_nan=False)
    make: Any = getattr(_json, "c_make_encoder", None)
    if make is None:
        return plain.encode
    # No memory of the containers above a value: a value that holds itself would end in RecursionError.
    chunks = make(None, plain.default, _json.encode_basestring, None, ":", ",", sort_keys, False, False)

    def encode(value: Any) -> str:
        return "".join(chunks(value, 0))

    return encode


quoted: Callable[[str], str] = _json.encode_basestring
"""The JSON text of a plain ``str``, as the encoders here write it."""
