"""The laws known to this process: those shipped, and those of a folder that the host adds.

A folder has one sub-folder per municipality, ``<uf>-<ibge>/``, with a file ``<law>.toml`` for each law and, where the
municipality's calendar does not ship, ``calendario.toml`` (the format of ``calendars/data``).
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from calendars import CountingRule, Espera, LawCounting, rule_from_mapping
from calendars.laws import add_law
from calendars.notice import METHODS, NoticeEvent
from calendars.shipped import add_calendar, known_calendar_ids
from legalbasis import Defect, InputError, TomlDefects
from procedure.domain.rulebook import Rulebook
from procedure.domain.rulebook_reader import read_rulebook, shipped_laws, shipped_rulebook

CALENDAR_FILE = "calendario.toml"
_PLACE = re.compile(r"[a-z]{2}-\d{7}")
_added: dict[str, Rulebook] = {}
_folders: list[Path] = []


class RulebookFolder(InputError):
    """A pasta de leis não está como deve."""

    code = "pasta_de_leis"
    default_remedy = "A pasta tem uma subpasta por município, como sp-3522307, com um arquivo TOML por lei."


def known_laws() -> tuple[str, ...]:
    """The ids of the laws shipped and added, in order."""
    return _sorted(shipped_laws(), tuple(_added)) if _added else shipped_laws()


@lru_cache(maxsize=4)
def _sorted(shipped: tuple[str, ...], added: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted((*shipped, *added)))


def rulebook_of(law: str) -> Rulebook:
    """The rulebook of a law, shipped or added. Raises InputError ``lei_desconhecida`` naming those that are known."""
    added = _added.get(law)
    if added is not None:
        return added
    if law not in shipped_laws():
        raise InputError(
            f"não há lei codificada com o id “{law}”.",
            code="lei_desconhecida",
            field="law",
            remedy=f"Codificadas: {', '.join(known_laws())}.",
        )
    return shipped_rulebook(law)


def added_folders() -> tuple[Path, ...]:
    """The folders added, for a process that must know the same laws."""
    return tuple(_folders)


def add_rulebooks(folder: Path | str) -> tuple[str, ...]:
    """Add the laws and calendars of a folder, all or none; the ids of its laws, in order.

    A folder added again is read again: a law then has the text of now. Cases keep the text under which they were
    opened. Raises TomlDefects with every defect of every file, RulebookFolder when the folder is not as it should be.
    """
    from procedure.domain.rulebook_check import check_rulebook

    root = Path(folder)
    books, defects = [], list[Defect]()
    for path in law_files(root):
        text = _text(path)
        report = check_rulebook(text, file=str(path))
        defects += report.defects
        if not report.defects:
            books.append(_in_its_place(read_rulebook(text, file=str(path)), path))
    if defects:
        raise TomlDefects(defects)
    for path in sorted(root.glob(f"*/{CALENDAR_FILE}")):
        add_calendar(path, calendar_id=path.parent.name)
    for book in books:
        _require_calendar(book, root / book.calendar / CALENDAR_FILE)
    for book in books:
        _added[book.id] = book
        add_law(counting_of(book))
    if root not in _folders:
        _folders.append(root)
    return tuple(book.id for book in books)


def add_rulebook(path: Path | str) -> Rulebook:
    """Add the law of one file, wherever it is, with the ``calendario.toml`` beside it; the law.

    For trying a law out. Raises as ``add_rulebooks``, except about the file's place.
    """
    from procedure.domain.rulebook_check import check_rulebook

    file = Path(path)
    text = _text(file)
    defects = check_rulebook(text, file=str(file)).defects
    if defects:
        raise TomlDefects(list(defects))
    book = _not_shipped(read_rulebook(text, file=str(file)), file)
    beside = file.parent / CALENDAR_FILE
    if beside.exists():
        add_calendar(beside, calendar_id=f"{book.uf.lower()}-{book.municipality}")
    _require_calendar(book, beside)
    _added[book.id] = book
    add_law(counting_of(book))
    return book


def law_files(root: Path) -> list[Path]:
    """The files of laws of a folder, in order. Raises RulebookFolder when there is none."""
    if not root.is_dir():
        raise RulebookFolder("não existe a pasta de leis.", place=str(root))
    found = [p for p in sorted(root.glob("*/*.toml")) if _PLACE.fullmatch(p.parent.name) and p.name != CALENDAR_FILE]
    if not found:
        raise RulebookFolder("não há nenhuma lei na pasta.", place=str(root))
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise RulebookFolder(f"não foi possível ler o arquivo: {error.strerror}.", place=str(path)) from error
    except UnicodeDecodeError as error:
        raise RulebookFolder("o arquivo não está em UTF-8.", place=str(path), remedy="Grave-o em UTF-8.") from error


def _in_its_place(book: Rulebook, path: Path) -> Rulebook:
    """The law is where its id says, and is not one that ships."""
    wanted = f"{path.parent.name}/{path.stem}"
    if book.id != wanted:
        raise RulebookFolder(
            f"law.id é “{book.id}”, mas o arquivo está em {wanted}.toml.",
            place=str(path),
            remedy=f"Escreva id = “{wanted}”, ou grave o arquivo em {book.id}.toml.",
        )
    return _not_shipped(book, path)


def _not_shipped(book: Rulebook, path: Path) -> Rulebook:
    if book.id in shipped_laws():
        raise RulebookFolder(
            f"a lei “{book.id}” já vem com o programa.", place=str(path), remedy="Dê outro nome ao arquivo e outro id."
        )
    return book


def _require_calendar(book: Rulebook, path: Path) -> None:
    if book.calendar not in known_calendar_ids():
        raise RulebookFolder(
            f"não há o calendário “{book.calendar}” da {book.norm}.",
            place=str(path),
            remedy="Crie esse arquivo com os dias da repartição: posturas rulebook new o escreve ao lado da lei.",
        )


def counting_rule(book: Rulebook) -> CountingRule:
    """The rule by which the law's terms are counted, with what the law changes in it."""
    return rule_from_mapping(book.counting, book.counting_options)


def counting_of(book: Rulebook) -> LawCounting:
    """How a law counts, from its own rulebook: what ``calendars`` must know to count a term outside any case."""
    outside = [d for d in book.deadlines.values() if not d.internal]
    paid = [d for d in outside if d.payment]
    plain = [d.places for d in outside if not d.payment] or [("reparticao",)]
    notice = {m: book.notice_rule[m] for m in METHODS if book.notice_rule.get(m) in list(NoticeEvent)}
    life, since = book.life, f"{book.life.procedure_from:%d/%m/%Y}"
    return LawCounting(
        law=book.id,
        name=book.norm,
        municipality=book.municipality,
        place_name=f"{book.municipality_name}/{book.uf}",
        calendar=book.calendar,
        counting=book.counting,
        options=book.counting_options,
        espera=Espera(book.espera),
        places=plain[0],
        payment_places=(paid[0].alternative_places or paid[0].places) if paid else plain[0],
        notice=notice,
        notice_citations=dict.fromkeys(notice, book.notice_citation),
        citations=(book.counting_citation,) if book.counting_citation else (),
        in_force_from=life.procedure_from,
        before=f"o processo da {book.norm} só está codificado desde {since}",
        certain_to=life.certain_until,
        after=f"revogada pela {life.repealed_by}, cujo primeiro dia não se conhece" if life.certain_until else None,
    )
