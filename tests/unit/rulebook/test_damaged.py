"""`rulebook check` on damaged copies of each shipped law: one row or term left out, or every citation, is told.

The rows a law may well do without are listed by hand, each group with its reason: no check of the file alone could miss
them. Their own cases hold them (``tests/structure/test_rules_used.py``).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from procedure.domain.rulebook_check import check_rulebook, check_tables
from procedure.domain.rulebook_reader import shipped_laws, shipped_rulebook

LAWS = sorted(shipped_laws())
MAY_BE_LEFT_OUT = {
    # another way to the same state stays
    "regularizacao: notificacao_vencida",
    "lavratura: notificado",
    "lavratura: notificacao_vencida",
    "lavratura: comunicado, notificado, notificacao_vencida",
    "lavratura: ",
    "notificacao_preliminar: ",
    "notificacao_preliminar: comunicado",
    "renuncia: em_recurso",
    "hasta_publica (vendida): nao_reclamado, em_hasta_publica",
    # what a law may not provide for: a filing out of time, a cure after the end, goods taken on the same act
    "defesa: em_julgamento",
    "defesa: vencido",
    "recurso: definitivo, aguardando_pagamento, vencido, devolvido_a_origem",
    "reconsideracao (subsistente): definitivo, aguardando_pagamento, vencido, devolvido_a_origem",
    "regularizacao: definitivo",
    "ciencia (infrator): notificado",
    "notificacao: ",
    # a licence that may or may not be interdicted first
    "cassacao: ",
    "cassacao: interditada, suspensa",
    "julgamento: ",
    "julgamento: interditada",
    # a term that ends with its state where it has no row of its own there
    "decurso_inicio_obrigacao: iniciada, nao_concluida",
}


def told(data: dict[str, Any]) -> list[str]:
    found: list[str] = []
    check_tables(data, lambda key, reason: found.append(f"{key}: {reason}"))
    return found


def without_one(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The law with each row, and then each term, left out in turn."""
    for array in ("row", "track_row", "deadline"):
        for index, table in enumerate(data[array]):
            outcome = f" ({', '.join(table['outcome'])})" if len(table.get("outcome", ())) == 1 else ""
            name = f"{table.get('act', table.get('kind'))}{outcome}: {', '.join(table.get('from', ()))}"
            left = [other for at, other in enumerate(data[array]) if at != index]
            yield name.replace("lavratura (perigo_iminente)", "lavratura"), {**data, array: left}


@pytest.mark.parametrize("law", LAWS)
def test_a_row_or_a_term_left_out_is_told(law: str) -> None:
    data = tomllib.loads(shipped_rulebook(law).text)
    assert told(data) == []
    untold = {name for name, damaged in without_one(data) if not told(damaged)}
    assert untold - MAY_BE_LEFT_OUT == set()


def test_no_row_is_excused_in_vain() -> None:
    laws = [tomllib.loads(shipped_rulebook(law).text) for law in LAWS]
    assert {name for law in laws for name, _ in without_one(law)} >= MAY_BE_LEFT_OUT


def test_a_daily_fine_that_no_article_lays_down_is_told() -> None:
    data = tomllib.loads(shipped_rulebook("mg-3129509/lei-1355-1990").text)
    penalties = [p for p in data["penalty"] if p["id"] != "132,I"]
    (said,) = told({**data, "penalty": penalties})
    assert "não há multa diária a impor" in said


@pytest.mark.parametrize("law", LAWS)
def test_every_citation_left_out_is_told_at_once(law: str) -> None:
    """An infraction is cited by its own name, and a choice of penalties by its switch."""
    text = shipped_rulebook(law).text
    bare = re.sub(r'(?m)^article = "[^"]*".*$', "", text)
    defects = {(d.line or 0, d.key) for d in check_rulebook(bare, file="lei.toml").defects}
    lost = [number for number, line in enumerate(text.splitlines(), 1) if line.startswith('article = "')]
    assert len(lost) > 50
    assert len([key for _, key in defects if key.endswith("article")]) == len(lost)
