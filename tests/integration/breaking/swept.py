"""The command line with small chunks; workers, which import this file again, get them too."""

from __future__ import annotations

import os
import resource
import sys

from procedure.cli.main import main
from procedure.store import sweeping
from tests.integration.breaking.sizes import CHUNK, LARGEST

sweeping.CHUNK = CHUNK

if __name__ == "__main__":
    if LARGEST in os.environ:
        limit = int(os.environ[LARGEST])
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    sys.exit(main(sys.argv[1:]))
