"""The answer of ``rulebook check``: text for people and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from legalbasis import InputError, Provision

if TYPE_CHECKING:
    from procedure.domain.rulebook_check import CheckReport


def check_document(report: CheckReport) -> dict[str, Any]:
    """The answer of the check."""
    return {
        "file": report.file,
        "law": report.law or None,
        "ok": not report.defects,
        "counts": dict(report.counts),
        "defects": [{"file": d.file, "line": d.line, "key": d.key, "reason": d.reason} for d in report.defects],
        "silences": [
            {"what": s.what, "article": s.article, "status": s.status, "basis": s.basis, "key": s.key, "line": s.line}
            for s in report.silences
        ],
    }


def describe_check(report: CheckReport) -> str:
    """The answer of the check, for people."""
    counts = report.counts
    lines = [report.file]
    if counts:
        lines.append(
            f"  {counts['states']} estados, {counts['rows']} linhas, {counts['deadlines']} prazos, "
            f"{counts['penalties']} penalidades, {counts['infractions']} infrações"
        )
    if report.defects:
        lines += [f"  {len(report.defects)} defeitos:", *(f"    {defect}" for defect in report.defects)]
    else:
        lines.append(
            "  Sem defeitos: todo estado é alcançável e tem saída ou é final; nenhuma linha se repete; todo resultado\n"
            "  tem linha; todo prazo é aberto e tem decurso; todo ato tem quem o pratique; tudo cita o seu artigo."
        )
    if report.silences:
        lines.append(f"  Onde a lei cala ou a fonte se perdeu ({len(report.silences)}), e o que supre:")
    for silence in report.silences:
        basis = f": {silence.basis}" if silence.basis else ""
        lines.append(f"    {_provision(silence.article)} [{silence.status}] {silence.what}{basis}")
    return "\n".join(lines)


def _provision(article: str) -> str:
    try:
        return Provision.parse(article).label() if article else "—"
    except InputError:  # itself a defect, and told as one
        return article
