"""The examples of the OpenAPI document that name a law or a municipality: data, as these are everywhere."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

EXAMPLES: dict[str, Any] = json.loads(
    files("procedure.http").joinpath("data/examples.json").read_text(encoding="utf-8")
)
