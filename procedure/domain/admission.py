"""Questions of law about a fact and an act: is the law in force, may this provision be cited, by which penalty
(spec 01).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from legalbasis import (
    ArticleNotAnInfraction,
    LawEndUnknown,
    LawError,
    LawNotInForce,
    LawStartUnknown,
    NoPenaltyInLaw,
    NotEncoded,
    PenaltyArticleMismatch,
    Provision,
    ProvisionNotInForce,
    VersionDateUnknown,
)
from procedure.domain.rulebook import Exclusion, Infraction, Rulebook


class AmbiguousProvision(LawError):
    """O dispositivo citado abrange mais de uma infração."""

    code = "dispositivo_ambiguo"


@dataclass(frozen=True, slots=True)
class LawEnd:
    """The first day on which the law is no longer in force, and the act that says so."""

    day: date
    act: str


@dataclass(frozen=True, slots=True)
class LawStart:
    """The first day on which the law was in force, and the act that says so."""

    day: date
    act: str


def br(day: date) -> str:
    """A day as printed for people: 10/06/2013."""
    return day.strftime("%d/%m/%Y")


def end_of(book: Rulebook, supplied: LawEnd | None) -> LawEnd | None:
    """The end that is known: the municipality's, else the rulebook's own."""
    if supplied:
        return supplied
    return LawEnd(book.life.end, book.life.repealed_by or "") if book.life.end else None


def require_in_force(
    book: Rulebook, day: date, supplied: LawEnd | None, subject: str | None = None, start: LawStart | None = None
) -> str | None:
    """That the law holds on the day of the fact. Returns a note when only what the municipality supplied says so.

    Raises LawNotInForce (``lei_revogada``, ``lei_ainda_nao_vigente``), LawEndUnknown or LawStartUnknown.
    """
    life, end = book.life, end_of(book, supplied)
    note = _started(book, day, start)
    if life.grace_until and day <= life.grace_until and subject != life.grace_exempt:
        raise ProvisionNotInForce(
            f"a {book.norm} deu prazo até {br(life.grace_until)} a quem já existia; o fato é de {br(day)}.",
            field="fact.date",
            remedy=f'Se o estabelecimento é posterior à lei, diga fact.subject = "{life.grace_exempt}".',
        )
    if end and day >= end.day:
        raise LawNotInForce(
            f"a {book.norm} deixou de vigorar em {br(end.day)} ({end.act}); o fato é de {br(day)}.",
            remedy=f"Aplica-se a {life.repealed_by or 'lei posterior'}, que não está codificada.",
        )
    if end is None and life.certain_until and day > life.certain_until:
        raise LawEndUnknown(
            f"a {book.norm} foi revogada pela {life.repealed_by}, cujo primeiro dia de vigência não se conhece; "
            f"a vigência é certa só até {br(life.certain_until)}, e o fato é de {br(day)}.",
            remedy=f"Informe-o: posturas rulebook set-end --law {book.id} --date AAAA-MM-DD --act "
            f'"{life.repealed_by}, art. …".',
        )
    return note


def _started(book: Rulebook, day: date, start: LawStart | None) -> str | None:
    """That the law had begun; the act that says so, where the law's own text does not say the day."""
    life = book.life
    first, by = (start.day, f" ({start.act})") if start else (life.in_force_from, "")
    if day < first:
        raise LawNotInForce(
            f"a {book.norm} só vigora desde {br(first)}{by}; o fato é de {br(day)}.",
            code="lei_ainda_nao_vigente",
            remedy="Aplica-se a lei anterior, que não está codificada.",
        )
    if life.certain_from is None or day >= life.certain_from:
        return None
    if start is None:
        raise LawStartUnknown(
            f"não se sabe em que dia a {book.norm} entrou em vigor, de {br(life.in_force_from)} a "
            f"{br(life.certain_from)}; o fato é de {br(day)}.",
            remedy=f"Informe-o: posturas rulebook set-start --law {book.id} --date AAAA-MM-DD --act "
            '"o ato que o publicou".',
        )
    return f"a {book.norm} vigora desde {br(start.day)}, como o município informou ({start.act})"


def law_note(facts: Mapping[str, Any]) -> str | None:
    """What must be said of the law that governs a case: since when it held for its facts, and how it goes on."""
    notes = [fact["law_note"] for fact in facts.get("infractions", ()) if fact.get("law_note")]
    if facts.get("law_note"):
        notes.append(facts["law_note"])
    return "; ".join(dict.fromkeys(notes)) or None


def procedure_note(book: Rulebook, day: date, supplied: LawEnd | None, switch: str) -> str | None:
    """Under which text an act of that day is done, when it is not simply the law in force; None when it is.

    Raises NotEncoded before the encoded procedure, and after the repeal when ``apos_revogacao`` is ``exigir_nova``.
    """
    life, end = book.life, end_of(book, supplied)
    if day < life.procedure_from:
        raise NotEncoded(
            f"o processo da {book.norm} anterior a {br(life.procedure_from)} não consta da fonte; "
            f"o ato é de {br(day)}.",
            field="date",
            remedy="Quem tem o texto anterior pode codificá-lo como outra versão da lei.",
        )
    last = end.day - timedelta(days=1) if end else life.certain_until
    if last is None or day <= last:
        return None
    if switch == "exigir_nova":
        raise NotEncoded(
            f"o processo da {life.repealed_by} não está codificado e a opção apos_revogacao exige a lei nova.",
            remedy="Codifique a lei nova, ou escolha apos_revogacao = ultima_redacao.",
        )
    when = (
        f"revogada em {br(end.day)} ({end.act})" if end else f"revogada pela {life.repealed_by}, em dia não conhecido"
    )
    return f"segue pela última redação da {book.norm}, {when} (subsidiário)"


def find_infraction(book: Rulebook, cited: str, day: date) -> Infraction:
    """The infraction a citation names, on the day of the fact.

    Raises NotEncoded, ArticleNotAnInfraction, NoPenaltyInLaw, AmbiguousProvision, ProvisionNotInForce,
    VersionDateUnknown.
    """
    infraction = book.infractions.get(cited)
    if infraction is None:
        excluded = _exclusion(book, cited)
        if excluded is not None:
            raise _refusal(book, cited, excluded)
        infraction = _inside(book, cited)
    _require_wording(book, infraction, day)
    return infraction


def _exclusion(book: Rulebook, cited: str) -> Exclusion | None:
    """The entry for the citation itself, or for what contains it unless that entry is partial or holds infractions."""
    own = book.exclusions.get(cited)
    if own is not None:
        return None if own.partial and _within(book, cited) else own
    provision = Provision.parse(cited)
    for depth in range(len(provision.path) - 1, -1, -1):
        outer = str(Provision(provision.article, provision.path[:depth]))
        found = book.exclusions.get(outer)
        if found is not None and not found.partial and not _within(book, outer):
            return found
    return None


def _within(book: Rulebook, cited: str) -> list[Infraction]:
    outer = Provision.parse(cited)
    return [i for name, i in book.infractions.items() if Provision.parse(name).within(outer)]


def _inside(book: Rulebook, cited: str) -> Infraction:
    found = _within(book, cited)
    if len(found) == 1:
        return found[0]
    label = Provision.parse(cited).label()
    if found:
        raise AmbiguousProvision(
            f"{label} da {book.norm} abrange {len(found)} infrações.",
            field="article",
            remedy=f"Cite uma delas: {', '.join(i.provision for i in found[:12])}.",
        )
    outer = _covering(book, cited)
    if outer is not None:
        return outer
    raise ArticleNotAnInfraction(
        f"{label} não é infração da {book.norm}.",
        field="article",
        remedy=f"Veja as que são: posturas rulebook show --law {book.id}.",
    )


def _covering(book: Rulebook, cited: str) -> Infraction | None:
    """The infraction of which the citation is an item (64-K cited as ``64-K,pu``, say), when the law lists no other."""
    provision = Provision.parse(cited)
    for depth in range(len(provision.path) - 1, -1, -1):
        found = book.infractions.get(str(Provision(provision.article, provision.path[:depth])))
        if found is not None:
            return found
    return None


def _refusal(book: Rulebook, cited: str, excluded: Exclusion) -> LawError:
    label = f"{Provision.parse(cited).label()} da {book.norm}"
    kinds: Mapping[str, tuple[type[LawError], str]] = {
        "nao_citavel": (ArticleNotAnInfraction, f"{label} não descreve infração: {excluded.reason}."),
        "nao_codificado": (NotEncoded, f"{label} não consta legível da fonte: falta {excluded.reason}."),
        "outra_lei": (NotEncoded, f"{label} remete a outra lei, não codificada: {excluded.reason}."),
        "outra_consequencia": (NoPenaltyInLaw, f"{label} não comina multa: {excluded.reason}."),
        "sem_pena": (NoPenaltyInLaw, f"{label} não comina multa: {excluded.reason}."),
        "nao_aplicar": (ArticleNotAnInfraction, f"{label} não se aplica: {excluded.reason}."),
    }
    error, message = kinds[excluded.kind]
    return error(message.replace("..", "."), field="article")


def _require_wording(book: Rulebook, infraction: Infraction, day: date) -> None:
    label = f"{Provision.parse(infraction.provision).label()} da {book.norm}"
    if day.year in infraction.unknown_years:
        raise VersionDateUnknown(
            f"{label} mudou em {day.year}, em dia que não se conhece; o fato é de {br(day)}.",
            field="fact.date",
            remedy="Informe o dia da lei que o alterou, para que a redação se possa escolher.",
        )
    start = infraction.in_force_from
    if start and day < start:
        if infraction.before == "nao_codificado":
            raise NotEncoded(f"a redação de {label} anterior a {br(start)} não consta da fonte; o fato é de {br(day)}.")
        raise ProvisionNotInForce(f"{label} só vigora desde {br(start)}; o fato é de {br(day)}.", field="fact.date")
    if infraction.in_force_until and day >= infraction.in_force_until:
        raise ProvisionNotInForce(
            f"{label} vigorou só até {br(infraction.in_force_until)}; o fato é de {br(day)}.", field="fact.date"
        )


NO_PENALTY = "nenhuma"
"""The option of a choice between readings under which the law imposes no fine."""


def resolve_penalty(book: Rulebook, name: str, switches: Mapping[str, str]) -> str:
    """The penalty id behind a choice between readings (``sem_cominacao``), or the id itself; ``nenhuma`` for none."""
    if name in book.penalty_choices:
        switch, options = book.penalty_choices[name]
        return options[switches.get(switch, book.switches[switch].default)]
    return name


def _no_penalty_read(book: Rulebook, infraction: Infraction, switches: Mapping[str, str]) -> NoPenaltyInLaw:
    chosen = [book.penalty_choices[name][0] for name in infraction.penalties if name in book.penalty_choices]
    readings = ", ".join(f"{name} = {switches.get(name, book.switches[name].default)}" for name in chosen)
    return NoPenaltyInLaw(
        f"pela leitura {readings}, a {book.norm} não comina multa para "
        f"{Provision.parse(infraction.provision).label()}.",
        field="fact.article",
        remedy=" ".join(book.switches[name].note for name in chosen),
    )


def penalty_for(
    book: Rulebook,
    infraction: Infraction,
    day: date,
    switches: Mapping[str, str],
    printed: str | None,
    subject: str | None,
) -> str:
    """The id of the penalty that punishes the infraction. Raises PenaltyArticleMismatch when the auto prints
    another.
    """
    allowed = [resolve_penalty(book, name, switches) for name in infraction.penalties]
    if NO_PENALTY in allowed:
        raise _no_penalty_read(book, infraction, switches)
    if not allowed:
        raise NoPenaltyInLaw(f"a {book.norm} não comina multa para {Provision.parse(infraction.provision).label()}.")
    if infraction.subject not in (None, subject):
        raise ArticleNotAnInfraction(
            f"{Provision.parse(infraction.provision).label()} da {book.norm} só se pune em quem seja "
            f"{infraction.subject}.",
            field="fact.subject",
            remedy=f'Diga fact.subject = "{infraction.subject}" se for o caso.',
        )
    open_to = [p for p in allowed if infraction.penalty_subject.get(p) in (None, subject)]
    if printed is None:
        if not open_to:
            raise PenaltyArticleMismatch(
                f"{Provision.parse(infraction.provision).label()} só é punido, pelo art. {allowed[0]}, em quem seja "
                f"{infraction.penalty_subject[allowed[0]]}.",
                field="fact.subject",
                remedy=f'Diga fact.subject = "{infraction.penalty_subject[allowed[0]]}" se for o caso.',
            )
        special = [p for p in open_to if infraction.penalty_subject.get(p) == subject and subject]
        return (special or open_to)[0]
    for name in allowed:
        if printed == name or any(p.article == printed for p in book.penalties.get(name, ())):
            return name
    raise PenaltyArticleMismatch(
        f"{Provision.parse(infraction.provision).label()} da {book.norm} é punido por "
        f"{', '.join(Provision.parse(p).label() for p in allowed)}, não por {Provision.parse(printed).label()}.",
        field="fact.penalty_article",
        remedy="Corrija o artigo da penalidade, ou deixe-o de fora para usar o da lei.",
    )
