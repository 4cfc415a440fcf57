"""A remessa: the inscriptions that may go, what stands against the others, the file, an act of protest for each.

Everything happens in the caller's unit of work; the caller writes the files before it commits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from unicodedata import combining, normalize

from legalbasis import PosturasError
from procedure.domain.admission import br
from procedure.domain.case import Case
from procedure.domain.context import Context
from procedure.domain.ledger import balance_on
from procedure.domain.vocabulary import Act, InscriptionStatus, Role
from procedure.services.context import Contexts, laws_of
from procedure.services.ports import Repository
from procedure.services.protest.remessa import Block, as_text, as_xml, build, file_name, unwritable
from procedure.services.protest.settings import HOME, PLACE, presenter_of, sequence_of
from procedure.services.protest.titles import Address, Debtor, Objection, Presenter, Title, objections, own_number_of
from procedure.services.record import Recorder
from procedure.services.register import show_termo

TakeNumber = Callable[[str, int], int]
"""The next number of a counter of the municipality, by name and year."""
NUMBER, OF_THE_DAY = "protesto_remessa", "protesto_dia"


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends, when, and in what form."""

    municipality: str
    actor: str
    movement: date
    recorded_at: datetime
    xml: bool = False
    role: str = Role.DIVIDA_ATIVA


@dataclass(slots=True)
class Sent:
    """What a remessa did: the titles that went, the objections to the others, the files (name and content)."""

    name: str | None = None
    number: int | None = None
    titles: list[str] = field(default_factory=list)
    refused: list[Objection] = field(default_factory=list)
    files: list[tuple[str, bytes]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """JSON-able; every key always there."""
        return {
            "name": self.name,
            "number": self.number,
            "titles": self.titles,
            "files": [name for name, _ in self.files],
            "refused": [objection.to_dict() for objection in self.refused],
        }


def send(
    repo: Repository,
    numbers: Iterable[str],
    sender: Sender,
    take: TakeNumber,
    apart: Callable[[], AbstractContextManager[Any]],
) -> Sent:
    """Send the titles that nothing stands against; each act of protest is recorded ``apart``, so that one refused
    takes nothing with it.

    Raises PresenterIncomplete, RemessaTooLong.
    """
    sent, contexts = Sent(), Contexts(repo)
    ctx = contexts.of(sender.municipality, laws_of(sender.municipality)[0])
    presenter = presenter_of(ctx.settings, ctx.book.municipality_name, ctx.book.uf)
    presenter.check()
    titles = _titles(repo, contexts, numbers, sender, sent)
    against = objections(titles, presenter, sender.movement, lambda day: ctx.calendar.next_expediente(day) == day)
    sent.refused += [objection for found in against.values() for objection in found]
    going = [title for title in titles if title.number not in against]
    against = unwritable(going, presenter)
    sent.refused += [objection for found in against.values() for objection in found]
    going = [title for title in going if title.number not in against]
    if not going:
        return sent
    sent.number = take(NUMBER, 0)
    of_the_day = take(f"{OF_THE_DAY}_{sender.movement:%m%d}", sender.movement.year)
    sent.name = file_name(presenter, sender.movement, of_the_day)
    recorded = [title for title in going if _recorded(repo, title, sender, sent, apart)]
    if recorded:
        _write(recorded, presenter, sender, sent, ctx)
    return sent


def _write(titles: Sequence[Title], presenter: Presenter, sender: Sender, sent: Sent, ctx: Context) -> None:
    blocks: list[Block] = build(
        titles, presenter, sender.movement, number=sent.number or 1, sequence=sequence_of(ctx.settings)
    )
    name = str(sent.name)
    sent.titles = [title.number for title in titles]
    if sender.xml:
        sent.files = [(f"{name}.{ibge}.xml", content) for ibge, content in as_xml(blocks)]
    else:
        sent.files = [(name, as_text(blocks))]


def _recorded(
    repo: Repository, title: Title, sender: Sender, sent: Sent, apart: Callable[[], AbstractContextManager[Any]]
) -> bool:
    act = {
        "municipality": sender.municipality,
        "act": Act.PROTESTO.value,
        "date": sender.movement.isoformat(),
        "actor": sender.actor,
        "role": sender.role,
        "inscription": title.number,
        "reference": sent.name,
        "key": f"protesto:{sent.number}:{title.number}",
    }
    try:
        with apart():
            Recorder(repo).record(act, recorded_at=sender.recorded_at)
    except PosturasError as error:
        sent.refused.append(Objection(title.number, error.error_code, error.message))
        return False
    return True


def _titles(
    repo: Repository, contexts: Contexts, numbers: Iterable[str], sender: Sender, sent: Sent
) -> list[Title]:
    found = []
    for number in dict.fromkeys(numbers):
        try:
            document = show_termo(repo, sender.municipality, number)
        except PosturasError as error:
            sent.refused.append(Objection(number, error.error_code, error.message))
            continue
        case = repo.load(sender.municipality, [document["auto"]], lock=True)[document["auto"]]
        ctx = contexts.of(sender.municipality, case.law, case.rulebook_version)
        stands = _stands(document, sender.movement)
        if stands is not None:
            sent.refused.append(stands)
            continue
        title = _title(case, document, ctx, sender)
        found.append(title) if isinstance(title, Title) else sent.refused.append(title)
    return found


def _stands(document: dict[str, Any], movement: date) -> Objection | None:
    """Why the inscription is not one to protest now; None when it is."""
    number, status = document["number"], document["status"]
    if not document["authenticated"]:
        return Objection(number, "inscricao_nao_autenticada", "a inscrição ainda não foi autenticada")
    if status != InscriptionStatus.INSCRITO:
        return Objection(number, "situacao", f"a inscrição está na situação “{status}”")
    last = document["current"]["prescribes_on"]
    if last is not None and date.fromisoformat(last) < movement:
        return Objection(number, "prescrita", f"a cobrança prescreveu em {br(date.fromisoformat(last))}")
    return None


def _title(case: Case, document: dict[str, Any], ctx: Context, sender: Sender) -> Title | Objection:
    number = document["number"]
    try:
        balance = balance_on(case, ctx.update, sender.movement).total
    except PosturasError as error:
        return Objection(number, error.error_code, error.message)
    people = [document["debtor"], *document["co_responsible"]]
    if any(person["erased"] for person in people):
        return Objection(number, "dados_apagados", "os dados do devedor foram apagados")
    debtors = tuple(_debtor(person, ctx) for person in people)
    at_home = ctx.settings.get(PLACE, HOME) == HOME
    if at_home and not _same_city(debtors[0].address.city, ctx.book.municipality_name):
        return Objection(
            number, "praca_de_outro_municipio",
            f"o domicílio do devedor é {debtors[0].address.city or 'lugar não informado'}, de outro cartório",
        )  # fmt: skip
    authenticated = document["collection"].get("authentication", {}).get("date", document["date"])
    inscribed = int(document["total"].replace(".", ""))
    return Title(
        number=number,
        own_number=own_number_of(number),
        issued=date.fromisoformat(authenticated[:10]),
        amount=max(inscribed, balance),
        balance=balance,
        ibge=sender.municipality,
        debtors=debtors,
    )


def _debtor(person: dict[str, Any], ctx: Context) -> Debtor:
    home = person.get("address") or {}
    street = ", ".join(filter(None, (home.get("street"), home.get("number"))))
    return Debtor(
        name=person["name"] or "",
        doc=person["doc"] or "",
        address=Address(
            street=street,
            district=home.get("district") or "",
            cep="".join(c for c in home.get("cep") or "" if c.isdigit()),
            city=home.get("city") or "",
            uf=home.get("uf") or "",
        ),
    )


def _same_city(one: str, other: str) -> bool:
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    return " ".join("".join(c for c in normalize("NFKD", text.casefold()) if not combining(c)).split())
