"""What general law says of the register reaches every law that inscribes, and a law's own word holds instead."""

from __future__ import annotations

import pytest

from procedure.domain.register_guards import REGISTER_ACTS
from procedure.domain.register_rows import register_rows, with_register_competences, with_register_rows
from procedure.domain.requirements import REQUIREMENT_NAMES
from procedure.domain.rulebook import Competence
from procedure.domain.rulebook_reader import shipped_laws, shipped_rulebook
from procedure.domain.vocabulary import Act, State


@pytest.mark.parametrize("law", shipped_laws())
def test_every_act_of_the_register_has_a_row_and_who_may_do_it(law: str) -> None:
    book = shipped_rulebook(law)
    walked = {row.act for row in (*book.rows, *book.track_rows["registro"])}
    assert set(REGISTER_ACTS) <= walked
    assert set(REGISTER_ACTS) <= set(book.competences)


def test_each_row_rests_on_a_norm_and_asks_what_the_engine_knows() -> None:
    rows = (*register_rows().main, *register_rows().track)
    assert all(":federal:" in row.citation.urn and row.citation.norm for row in rows)
    assert {name for row in rows for name in row.requires} <= REQUIREMENT_NAMES


def test_the_law_s_own_row_and_competence_hold_instead() -> None:
    book = shipped_rulebook(shipped_laws()[0])
    (own,) = [row for row in register_rows().main if row.act == Act.QUITACAO]
    rows = tuple(row for row in book.rows if row.act != Act.QUITACAO)
    assert [r for r in with_register_rows((*rows, own)) if r.act == Act.QUITACAO] == [own]
    mine = Competence(("prefeito",), own.citation)
    assert with_register_competences(book.rows, {Act.AUTENTICACAO: mine})[Act.AUTENTICACAO] is mine


def test_a_law_that_does_not_inscribe_has_no_register() -> None:
    rows = tuple(row for row in shipped_rulebook(shipped_laws()[0]).rows if row.target != State.INSCRITO)
    assert with_register_rows(rows) == rows
    assert with_register_competences(rows, {}) == {}
