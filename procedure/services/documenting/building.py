"""One door to every paper: from what is asked to the typed object, with all its elements or an error naming them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from legalbasis import PosturasError
from procedure.domain.document_kinds import DocumentKind
from procedure.domain.rulebooks import rulebook_of
from procedure.domain.vocabulary import Method
from procedure.services.context import Contexts
from procedure.services.documenting import certificates, debts, decisions, extract, holdings, memories, notices
from procedure.services.documenting.casefile import CaseFile, Request
from procedure.services.documenting.elements import require_elements
from procedure.services.documenting.errors import NothingToPrint
from procedure.services.documenting.papers import Paper
from procedure.services.ports import Repository

BUILDERS: dict[DocumentKind, Callable[[CaseFile], Paper]] = {
    DocumentKind.NOTIFICACAO_PRELIMINAR: notices.preliminary,
    DocumentKind.AUTO_DE_INFRACAO: decisions.auto,
    DocumentKind.NOTIFICACAO_AUTO: notices.of_auto,
    DocumentKind.NOTIFICACAO_ESTABELECIMENTO: notices.of_establishment,
    DocumentKind.NOTIFICACAO_DECISAO: notices.of_decision,
    DocumentKind.INTIMACAO_CADASTRO: notices.of_amount,
    DocumentKind.INTIMACAO_PAGAMENTO: notices.to_pay,
    DocumentKind.EDITAL: notices.edital,
    DocumentKind.DECISAO: decisions.first,
    DocumentKind.DECISAO_RECONSIDERACAO: decisions.reconsideration,
    DocumentKind.DECISAO_RECURSO: decisions.on_appeal,
    DocumentKind.MEMORIA_CALCULO: memories.calculation,
    DocumentKind.MEMORIA_PRAZO: memories.counting,
    DocumentKind.GUIA: debts.slip,
    DocumentKind.CERTIDAO_DECURSO: certificates.lapse,
    DocumentKind.CERTIDAO_DEFINITIVIDADE: certificates.finality,
    DocumentKind.TERMO_APREENSAO: holdings.seizure,
    DocumentKind.TERMO_DOACAO: holdings.donation,
    DocumentKind.EDITAL_HASTA_PUBLICA: holdings.auction,
    DocumentKind.TERMO_INTERDICAO: holdings.closing,
    DocumentKind.EXTRATO: extract.extract,
}
OF_REGISTER = (DocumentKind.TERMO_INSCRICAO, DocumentKind.CDA)
KINDS_OF_CASE = (*BUILDERS, *OF_REGISTER)


def paper_of_case(repo: Repository, municipality: str | None, auto: str, kind: DocumentKind, request: Request) -> Paper:
    """The paper of a case, complete.

    Raises UnknownAuto, NothingToPrint when the case has not come to it, DocumentIncomplete naming every element that
    the law asks and the record lacks, and for the papers of the register what ``paper_of_inscription`` raises.
    """
    file = CaseFile(repo, municipality, auto, request)
    if kind in OF_REGISTER:
        if file.case.inscription is None:
            raise NothingToPrint("este processo não foi inscrito em dívida ativa.", place=file.place)
        return paper_of_inscription(repo, file.case.municipality, file.case.inscription.label, kind, request)
    paper = BUILDERS[kind](file)
    require_elements(paper, rulebook_of(file.case.law))
    return paper


def paper_of_inscription(
    repo: Repository,
    municipality: str,
    number: str,
    kind: DocumentKind,
    request: Request,
    contexts: Contexts | None = None,
) -> Paper:
    """The Termo or the CDA of an inscription; ``contexts`` are shared by the papers of one batch.

    Raises UnknownInscription, TermoElementMissing, NotAuthenticated, CertificateOfEndedDebt, DocumentIncomplete.
    """
    register = debts.Register(repo, municipality)
    paper, book = debts.debt(kind, contexts or Contexts(repo), register, number, request)
    require_elements(paper, book)
    return paper


def papers_of_inscriptions(
    repo: Repository, municipality: str, numbers: Iterable[str], kind: DocumentKind, request: Request
) -> Iterator[tuple[str, Paper | PosturasError]]:
    """Each number with its paper, or with the error that keeps it from being printed; one in memory at a time."""
    contexts = Contexts(repo)
    for number in numbers:
        try:
            yield number, paper_of_inscription(repo, municipality, number, kind, request, contexts)
        except PosturasError as error:
            yield number, error


def papers_that_can_be_printed(
    repo: Repository, municipality: str, auto: str, request: Request
) -> Iterator[tuple[DocumentKind, Paper]]:
    """Every paper that the case has come to; an edital only where one was published."""
    by_edital = any(act.payload.get("method") == Method.EDITAL for act in repo.acts(municipality, auto))
    for kind in KINDS_OF_CASE:
        if kind is DocumentKind.EDITAL and not by_edital:
            continue
        try:
            yield kind, paper_of_case(repo, municipality, auto, kind, request)
        except PosturasError:
            continue
