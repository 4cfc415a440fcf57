"""What an act must satisfy before it is recorded: who, what it contains, whether it may come now. All defects at
once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from calendars.notice import NoticeEvent
from legalbasis import PosturasError, Provision
from penalties import Antecedent
from procedure.domain import errors
from procedure.domain.act_input import ActInput
from procedure.domain.admission import br
from procedure.domain.case import Case
from procedure.domain.context import Context
from procedure.domain.deadlines import TACIT, start_of_notice
from procedure.domain.fold import standing_facts
from procedure.domain.forgiving import FOUR_EYES, GROUNDS
from procedure.domain.links import Linked, check_link
from procedure.domain.moment import Moment, before
from procedure.domain.register_guards import REGISTER_ACTS, register_defects
from procedure.domain.rulebook import Competence, Content
from procedure.domain.vocabulary import Act, Decision, Method, Role, Timeliness

_NOTICES = (
    Act.CIENCIA, Act.CIENCIA_DECISAO, Act.INTIMACAO_PAGAMENTO, Act.INTIMACAO, Act.NOTIFICACAO_PRELIMINAR,
    Act.MULTA_DIARIA_IMPOSTA,
)  # fmt: skip
_NOT_A_PERSON = ("posturas", Role.SISTEMA.value)  # whom the acts of the engine name
_EVENT_FIELDS = {
    NoticeEvent.RECEIPT: "received",
    NoticeEvent.JUNTADA: "juntada",
    NoticeEvent.PUBLICATION: "publication",
    NoticeEvent.PUBLICATION_NEXT_EXPEDIENTE: "publication",
}


@dataclass(frozen=True, slots=True)
class NoticeElsewhere:
    """A notificação preliminar to the same person in another number."""

    auto: str
    articles: tuple[str, ...]
    ended: bool
    ends_on: date | None


@dataclass(slots=True)
class Beside:
    """What a decision reads outside its case, gathered and locked by the service."""

    antecedents: list[Antecedent] = field(default_factory=list)
    notices: list[NoticeElsewhere] = field(default_factory=list)
    linked: Linked | None = None
    origin: Case | None = None  # of an auto that collects: the case in which it became due
    fallen_origin: str | None = None  # of a restituicao: the auto from which this one collected, where it fell
    fell: tuple[str, ...] = ()  # the autos that had collected from it and no longer stand
    decision_fell: bool = False  # what is recorded again rested on a decision that was annulled


def check(case: Case, act: ActInput, ctx: Context, beside: Beside) -> list[PosturasError]:
    """Every defect of the act, in the order of the rulebook; empty when it may be recorded."""
    found: list[PosturasError] = []
    for guard in (_competence, _impediment, _contents, _citizen, _notice, _four_eyes, _ground, _link, _specific):
        found.extend(guard(case, act, ctx, beside))
    return found


def same_actor(one: str, other: str) -> bool:
    """Whether two names of who acts have the same letters and digits: case, accents, spacing, punctuation, the
    surname said first (“REIS, S.”) and what cannot be seen make nobody another person.
    """
    return _letters(one) == _letters(other)


def _letters(name: str) -> str:
    surname, comma, given = name.partition(",")
    said = f"{given} {surname}" if comma else name
    return "".join(c for c in unicodedata.normalize("NFKD", said).casefold() if c.isalnum())


def _competence(case: Case, act: ActInput, ctx: Context, beside: Beside) -> Iterator[PosturasError]:
    competence = ctx.book.competences.get(act.kind)
    if competence is None:
        return
    named = ctx.settings.get(f"competencia.{act.kind}")
    roles = tuple(r.strip() for r in named.split(",")) if named else competence.roles
    if act.role not in roles and not _also(competence, act):
        yield errors.CompetenceError(
            f"“{act.role}” não pode praticar “{act.kind}” ({competence.citation}).",
            field="role",
            remedy=f"Podem: {', '.join(roles)}.",
        )


def _also(competence: Competence, act: ActInput) -> bool:
    """Whether a further role may do the act, all its facts being under the articles that let it."""
    articles = {Provision.parse(f["article"]).article for f in infractions_of(act.fields)}
    return any(act.role == role and articles and articles <= only for role, only in competence.also)


def _impediment(case: Case, act: ActInput, ctx: Context, beside: Beside) -> Iterator[PosturasError]:
    if ctx.book.impediment is None:
        return
    acts, citation = ctx.book.impediment
    opened_by = case.facts.get("drawn_by") or case.facts.get("noticed_by")
    if act.kind in acts and same_actor(str(opened_by or ""), act.actor):
        yield errors.JudgeImpeded(
            f"“{act.actor}” lavrou o auto e não pode julgá-lo ({citation}).",
            field="actor",
            remedy="Outra autoridade competente julga.",
        )


def _contents(case: Case, act: ActInput, ctx: Context, beside: Beside) -> Iterator[PosturasError]:
    if act.fields.get("paper"):
        return
    for content in ctx.book.contents.get(act.kind, ()):
        if act.fields.get("outcome") in (Decision.INSUBSISTENTE, Decision.NULO) and content.element.startswith(
            "articles_"
        ):
            continue
        if not has_element(act.fields, content.element):
            yield missing_content(content, act.fields)


def missing_content(content: Content, fields: Mapping[str, Any]) -> PosturasError:
    """The error for one element that is not there."""
    signature = fields.get("signature")
    if content.element == "signature" and signature:
        return errors.MissingWitnesses(
            f"o auto não assinado pelo autuado exige duas testemunhas; há {len(set(signature.get('witnesses', [])))} "
            f"({content.citation}).",
            field="signature.witnesses",
            remedy="Informe os nomes de duas pessoas diferentes.",
        )
    return errors.MissingContent(f"falta o elemento “{content.label}” ({content.citation}).", field=content.element)


def has_element(fields: Mapping[str, Any], element: str) -> bool:
    """Whether the act has the element that the law asks for."""
    special = _ELEMENTS.get(element)
    if special is not None:
        return special(fields)
    if element.startswith("fact."):
        return all(f.get(element.removeprefix("fact.")) for f in infractions_of(fields))
    return bool(fields.get(element))


def infractions_of(fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The facts of an auto: ``infractions``, or the one ``fact``."""
    listed = fields.get("infractions")
    return list(listed) if listed else [fields["fact"]] if fields.get("fact") else []


def _has_address(fields: Mapping[str, Any]) -> bool:
    person = fields["infrator"]
    return bool(person.get("address") or person.get("address_unknown"))


def _is_signed(fields: Mapping[str, Any]) -> bool:
    signature = fields.get("signature")
    if not signature:
        return False
    return signature["by"] == "autuado" or len(set(signature.get("witnesses", []))) >= 2


_ELEMENTS: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "infrator.name": lambda fields: bool(fields["infrator"].get("name")),
    "infrator.address": _has_address,
    "signature": _is_signed,
    "fact.hour": lambda fields: all(len(str(f["date"])) > 10 for f in infractions_of(fields)),
}


def _citizen(case: Case, act: ActInput, ctx: Context, beside: Beside) -> Iterator[PosturasError]:
    """The auto of somebody who is no servant is signed by two witnesses, even when the autuado signs it."""
    if act.kind != Act.LAVRATURA or act.role != Role.CIDADAO:
        return
    signature = act.fields.get("signature") or {}
    if signature.get("by") == "autuado" and len(set(signature.get("witnesses", []))) < 2:
        yield errors.MissingWitnesses(
            f"o auto de quem não é servidor exige duas testemunhas ({ctx.book.competences[act.kind].citation}).",
            field="signature.witnesses",
        )


def _notice(case: Case, act: ActInput, ctx: Context, beside: Beside) -> Iterator[PosturasError]:
    if act.kind not in _NOTICES:
        return
    fields, citation = act.fields, ctx.book.notice_citation
    method = fields.get("method")
    if method is None:
        yield errors.IncompleteNotice(f"falta dizer por que via foi a ciência ({citation}).", field="method")
        return
    rule = ctx.book.notice_rule.get(method)
    if rule is None:
        yield errors.IncompleteNotice(f"a lei não prevê ciência por via {method} ({citation}).", field="method")
        return
    if rule.startswith(TACIT):
        yield from _electronic(act, ctx)
        return
    needed = _EVENT_FIELDS[NoticeEvent(rule)]
    if not fields.get(needed):
        yield errors.IncompleteNotice(
            f"a ciência por via {method} exige a data de “{needed}” ({citation}).", field=needed
        )
    if method == Method.PESSOAL:
        yield from _signature(case, act, ctx)
    if method == Method.EDITAL and not fields.get("reason"):
        yield errors.IncompleteNotice(
            f"o edital só vale quando o lugar da pessoa é incerto ou não sabido ({citation}).",
            field="reason",
            remedy="Diga em “reason” por que o lugar é incerto ou não sabido.",
        )
    yield from _notice_order(case, act, ctx)
    event = fields.get(needed)
    if event and act.at.day > date.fromisoformat(event[:10]):
        yield errors.IncompleteNotice(
            f"a data do ato ({br(act.at.day)}) é posterior à de “{needed}”, da qual o prazo corre.",
            field="date",
            remedy="A data do ato é a do recebimento ou a da juntada; quando foi lançado vai em “recorded_at”.",
        )


def _electronic(act: ActInput, ctx: Context) -> Iterator[PosturasError]:
    """An electronic notice has the day of its sending, and is dated at the latest when it is made."""
    sent, read = act.fields.get("sent"), act.fields.get("read")
    citation = ctx.book.notice_citation
    if not sent:
        yield errors.IncompleteNotice(f"a ciência eletrônica exige a data do envio ({citation}).", field="sent")
        return
    if read and read[:10] < sent[:10]:
        yield errors.IncompleteNotice("a leitura é anterior ao envio.", field="read")
        return
    made = start_of_notice(ctx, act.fields).isoformat()[:10]
    if act.at.day > date.fromisoformat(made):
        yield errors.IncompleteNotice(
            f"a data do ato ({br(act.at.day)}) é posterior à da ciência ({br(date.fromisoformat(made))}), da qual o "
            "prazo corre.",
            field="date",
            remedy="A data do ato é a da leitura ou a do envio; quando foi lançado vai em “recorded_at”.",
        )


def _notice_order(case: Case, act: ActInput, ctx: Context) -> Iterator[PosturasError]:
    """Received after what it makes known was done, and joined after it was received."""
    moments = {n: Moment.parse(act.fields[n], ctx.tz) for n in ("received", "juntada") if act.fields.get(n)}
    received = moments.get("received")
    if received is None:
        return
    if "juntada" in moments and before(moments["juntada"], received):
        yield errors.IncompleteNotice("a juntada é anterior ao recebimento.", field="juntada")
    decisions = case.facts.get("decisions")
    known = decisions[-1]["date"] if decisions else case.facts.get("drawn_at")
    if known and before(received, Moment.parse(known, ctx.tz)):
        yield errors.ActOutOfOrder(
            f"a ciência foi recebida em {br(received.day)}, antes do ato que dá a conhecer.", field="received"
        )


def _signature(case: Case, act: ActInput, ctx: Context) -> Iterator[PosturasError]:
    signed_by = act.fields.get("signed_by", "autuado")
    if signed_by == "recusa":
        yield errors.NoticeNotSigned(
            f"a recusa de assinar não é ciência ({ctx.book.notice_citation}).",
            field="signed_by",
            remedy="Dê ciência por via postal com AR ou, se o lugar for incerto, por edital.",
        )
    kind = (act.fields.get("infrator") or case.facts.get("infrator") or {}).get("kind")
    if signed_by == "funcionario" and kind != "pj":
        yield errors.NoticeNotSigned(
            "só a pessoa jurídica recebe ciência por funcionário.",
            field="signed_by",
            remedy="Assine o autuado ou procurador.",
        )


def _four_eyes(case: Case, act: ActInput, ctx: Context, beside: Beside) -> Iterator[PosturasError]:
    if act.kind not in FOUR_EYES:
        return
    second = act.fields.get("second_person")
    if not second or any(same_actor(second, nobody) for nobody in (act.actor, *_NOT_A_PERSON)):
        yield errors.SecondPersonRequired(
            f"“{act.kind}” exige uma segunda pessoa, diferente de “{act.actor}”.", field="second_person"
        )


def _link(case: Case, act: ActInput, ctx: Context, beside: Beside) -> Iterator[PosturasError]:
    yield from check_link(case, act, ctx, beside.linked, infractions_of(act.fields))


def _specific(case: Case, act: ActInput, ctx: Context, beside: Beside) -> Iterator[PosturasError]:
    special = _SPECIFIC.get(act.kind)
    if special is not None:
        yield from special(case, act, ctx)


def _decision(case: Case, act: ActInput, ctx: Context) -> Iterator[PosturasError]:
    if undecided(case) and not act.fields.get("timeliness_decision"):
        yield errors.TimelinessUndecided(
            "há petição de tempestividade controvertida: a decisão deve dizer se a conhece.",
            field="timeliness_decision",
            remedy='Acrescente timeliness_decision = {"outcome": "conhecida" ou "nao_conhecida", "ground": …}.',
        )
    whole = "review" in case.facts  # of office, what the first decision took off is decided again
    known = [f["article"] for f in (case.facts["infractions"] if whole else standing_facts(case))]
    why = "que a decisão anterior não manteve" if case.facts.get("decisions") else "que o auto não menciona"
    cited = act.fields.get("articles_infringed", [])
    for provision in cited:
        if not any(_same(provision, k) for k in known):
            yield errors.MissingContent(
                f"a decisão cita {Provision.parse(provision).label()}, {why}.", field="articles_infringed"
            )


def _same(cited: str, known: str) -> bool:
    a, b = Provision.parse(cited), Provision.parse(known)
    return a.within(b) or b.within(a)


def undecided(case: Case) -> list[dict[str, Any]]:
    """Filings that moved nothing and whose timeliness is disputed and not yet decided."""
    return [
        f
        for f in case.facts.get("filings", ())
        if f["timeliness"] == Timeliness.CONTROVERTIDA and f["decided"] is None and not f.get("moved")
    ]


def _answer(case: Case, act: ActInput, ctx: Context) -> Iterator[PosturasError]:
    """The fiscal answers a defesa that is in."""
    defences = [f["date"] for f in case.facts.get("filings", ()) if f["act"] == Act.DEFESA]
    if all(before(act.at, Moment.parse(filed, ctx.tz)) for filed in defences):
        yield errors.ActOutOfOrder(
            "a impugnação é anterior à defesa a que responde." if defences else "não há defesa a impugnar.",
            field="date",
            remedy="Lance antes a defesa." if not defences else None,
        )


def _ground(case: Case, act: ActInput, ctx: Context, beside: Beside) -> Iterator[PosturasError]:
    """A ground, where it is said, is one of the closed list of the act."""
    said = act.fields.get("ground")
    if said and act.kind in GROUNDS and said not in GROUNDS[act.kind]:
        yield _not_of_the_list(act)


def _not_of_the_list(act: ActInput) -> PosturasError:
    return errors.GroundNotAllowed(
        f"“{act.kind}” exige um fundamento da lista.",
        field="ground",
        remedy=f"Fundamentos: {', '.join(GROUNDS[act.kind])}.",
    )


_SPECIFIC: dict[str, Callable[[Case, ActInput, Context], Iterator[PosturasError]]] = {
    Act.JULGAMENTO: _decision,
    Act.RECONSIDERACAO: _decision,
    Act.JULGAMENTO_RECURSO: _decision,
    Act.IMPUGNACAO: _answer,
    **dict.fromkeys(REGISTER_ACTS, register_defects),
}


def defects_on_paper(act: ActInput, ctx: Context) -> list[str]:
    """The missing elements of a paper auto, as sentences kept in the case and shown by the gate."""
    return [
        missing_content(content, act.fields).message
        for content in ctx.book.contents.get(act.kind, ())
        if not has_element(act.fields, content.element)
    ]
