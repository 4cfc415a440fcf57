"""How much is broken: a little in every run of the tests, much with POSTURAS_SOAK=1 (`make soak`)."""

from __future__ import annotations

import os

SOAK = os.environ.get("POSTURAS_SOAK") == "1"
CASES = 20_000 if SOAK else 400
KILLS = 200 if SOAK else 2
CUTS = 20 if SOAK else 1
IDLE_SWEEPS = 1_000 if SOAK else 12
KEPT_RUNS = 400 if SOAK else 5
HELD_SECONDS = 60 if SOAK else 1
CHUNK = 2_000 if SOAK else 20  # cases of a chunk of the sweep: several chunks at either size
LARGEST = "LARGEST_FILE"  # environment variable: how large a file may get, in bytes (a full disk)
