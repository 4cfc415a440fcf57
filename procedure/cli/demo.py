"""``posturas demo``: a fresh database, the sample as time goes by, and what a Secretário would want to see."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Any

from legalbasis import InputError
from procedure.cli import output
from procedure.cli.progress import progress

DEFAULT_FOLDER = "posturas-demo"
DATABASE = "posturas.db"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``posturas demo``."""
    parser.add_argument(
        "--out",
        metavar="PASTA",
        help=f"pasta do banco e dos documentos da demonstração (padrão: {DEFAULT_FOLDER}, ou numerada se já existir)",
    )


def run(args: argparse.Namespace) -> int:
    """Make the database, let time go by, report. 0 done, 1 the record does not verify, 2 the folder cannot be used."""
    _refuse_database(args)
    folder = choose_folder(args.out)
    url = f"sqlite:///{(folder / DATABASE).as_posix()}"
    output.message(f"Banco novo em {folder / DATABASE}.")
    found = _demonstrate(url, folder)
    if args.json:
        output.document(found)
    else:
        _print(found)
    return 0 if all(told["verify"]["ok"] for told in found["municipalities"]) else 1


def _refuse_database(args: argparse.Namespace) -> None:
    """The demonstration makes its own database: one that was named would not be touched, so it is refused."""
    from procedure.cli.main import DEFAULT_DB

    if args.db != os.environ.get("POSTURAS_DB", DEFAULT_DB):
        raise InputError(
            "a demonstração cria o seu próprio banco.",
            field="--db",
            remedy="Diga em que pasta: posturas demo --out PASTA",
        )


def choose_folder(asked: str | None) -> Path:
    """The folder to fill: the one asked for, if it holds no database yet; else the first free default name."""
    if asked is None:
        folder = next(path for path in _candidates() if not path.exists())
    else:
        folder = Path(asked)
        if (folder / DATABASE).exists():
            raise InputError(
                f"já existe um banco em {folder / DATABASE}.",
                code="pasta_em_uso",
                field="--out",
                remedy="Escolha outra pasta, ou apague aquela.",
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"a pasta {folder} não pode ser criada ({error.strerror}).", code="pasta_inacessivel", field="--out"
        ) from error
    return folder


def _candidates() -> Iterator[Path]:
    yield Path(DEFAULT_FOLDER)
    for number in count(2):
        yield Path(f"{DEFAULT_FOLDER}-{number}")


def _demonstrate(url: str, folder: Path) -> dict[str, Any]:
    """Everything the command reports, as the document of ``--json``: ``municipalities``, and the first one's keys."""
    from procedure.cli.demo_pages import write_pages
    from procedure.cli.demo_papers import print_papers
    from procedure.cli.demo_play import play
    from procedure.cli.demo_report import report, verified
    from procedure.cli.demo_sample import load_samples
    from procedure.store.engine import open_engine
    from procedure.store.schema import upgrade

    samples = load_samples()
    engine = open_engine(url, create=True)
    try:
        upgrade(engine)
        with progress(sum(len(sample.days()) for sample in samples), "dia a dia") as shown:
            played = [play(engine, sample, shown) for sample in samples]
        told = [
            {**asdict(done), **report(engine, sample), "verify": verified(engine, sample)}
            for done, sample in zip(played, samples, strict=True)
        ]
        printed = {"documents": print_papers(engine, samples, folder), "pages": write_pages(engine, samples, folder)}
    finally:
        engine.dispose()
    return {"database": str(folder / DATABASE), "url": url, **told[0], "municipalities": told, **printed}


def _print(found: dict[str, Any]) -> None:
    from procedure.cli import demo_text

    output.text(demo_text.text_of(found))
    output.text(demo_text.closing(found, _own_name()))


def _own_name() -> str:
    """How to call this program again: its name when the shell finds it, else the path it was called by."""
    return "posturas" if shutil.which("posturas") else sys.argv[0]
