"""Many municipalities, a database each, swept by a Dask cluster: one task per database, repeated if its machine dies.

pip install 'posturas[postgres,fleet]'
python examples/fleet_dask.py --as-of 2013-03-26 databases.txt                         a cluster on this machine
python examples/fleet_dask.py --as-of 2013-03-26 --scheduler tcp://host:8786 databases.txt

databases.txt has one URL per line. Repeating a task is safe: a sweep writes each consequence once, so what a dead
machine had committed stands and the next attempt goes on from there. Exit code 1: a database or a case failed.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from dask.distributed import Client, LocalCluster, as_completed


def sweep(url: str, as_of: str) -> dict:
    """Run on a worker: the command of the night's cron, its answer as a dict. The URL may hold a password: not argv."""
    command = [sys.executable, "-m", "procedure.cli.main", "sweep", "--as-of", as_of, "--json"]
    done = subprocess.run(
        command, env={**os.environ, "POSTURAS_DB": url}, capture_output=True, text=True, check=False
    )
    if not done.stdout:  # killed before it could answer: let Dask try again
        raise RuntimeError(f"exit {done.returncode}: {done.stderr[-300:]}")
    return {"exit": done.returncode, **json.loads(done.stdout)}


def line(number: int, answer: dict) -> str:
    """What is printed of a database: its place in the file, and what was done there."""
    if "error" in answer:
        return f"{number}: {answer['error']['code']}"
    failed = f", postos de lado {len(answer['failed'])}" if answer["failed"] else ""
    return f"{number}: prazos concluídos {answer['expired']}, inscrições {answer['inscribed']}{failed}"


def main() -> int:
    """Submit a task for each database and print each answer as it comes; 1 if anything failed."""
    parser = argparse.ArgumentParser(description="Varre muitos bancos num cluster Dask.")
    parser.add_argument("--as-of", required=True)
    parser.add_argument("--scheduler", help="endereço do cluster; sem ele, um cluster nesta máquina")
    parser.add_argument("--workers", type=int, default=2, help="processos do cluster desta máquina")
    parser.add_argument("databases", type=Path)
    asked = parser.parse_args()
    urls = [url for url in asked.databases.read_text(encoding="utf-8").splitlines() if url.strip()]
    cluster = asked.scheduler or LocalCluster(
        n_workers=asked.workers, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    )
    worst = 0
    with Client(cluster) as client:
        tasks = {client.submit(sweep, url, asked.as_of, retries=3, pure=False): n for n, url in enumerate(urls, 1)}
        for task in as_completed(tasks):
            if task.status == "error":
                answer = {"exit": 1, "error": {"code": f"sem resposta ({type(task.exception()).__name__})"}}
            else:
                answer = task.result()
            worst = max(worst, min(answer["exit"], 1))
            print(line(tasks[task], answer), flush=True)
    if not asked.scheduler:
        cluster.close()
    return worst


if __name__ == "__main__":
    sys.exit(main())
