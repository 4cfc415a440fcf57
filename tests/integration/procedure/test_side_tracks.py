"""Side tracks over a database: what is refused, and what ``verify --deep`` finds."""

from __future__ import annotations

import pytest

from procedure.domain.case import Case
from procedure.domain.errors import ActOutOfOrder
from procedure.domain.fold import fold
from procedure.services.recomputing import Recomputer
from procedure.store.engine import session_scope
from procedure.store.repository import SqlRepository
from tests.integration.procedure.conftest import FIRM, LAW, MUNICIPALITY, Office


def test_a_daily_fine_asks_for_an_auto(office: Office) -> None:
    """On a notice alone there is no fact whose day picks the unit's value."""
    fact = {"date": "2013-02-20T22:00", "place": "Praça", "article": "64-I", "description": "Som alto"}
    notice = {"method": "pessoal", "received": "2013-03-01", "juntada": "2013-03-01", "signed_by": "funcionario"}
    office.record("1", "notificacao_preliminar", "2013-03-01", infrator=FIRM, fact=fact, term="30d", **notice)
    office.record("1", "obrigacao_imposta", "2013-03-02", description="Isolar o salão.", term_start="2d")
    imposed = {"article": "64-S,§3", "from": "2013-03-08", "role": "secretario"}
    served = {**notice, "received": "2013-03-07", "juntada": "2013-03-07"}
    with pytest.raises(ActOutOfOrder) as refused:
        office.record("1", "multa_diaria_imposta", "2013-03-07", **imposed, **served)
    assert "auto lavrado" in refused.value.message


@pytest.mark.parametrize(("led", "codes"), [("apreendido", []), ("vendido", ["linha_divergente"])])
def test_a_side_track_led_elsewhere_is_found(office: Office, led: str, codes: list[str]) -> None:
    office.draw("1")
    office.record("1", "apreensao", "2013-03-02", goods=[{"description": "caixa de som", "quantity": "1"}])
    with session_scope(office.engine, read_only=True) as session:
        repo = SqlRepository(session)
        drawn, seized = repo.acts(MUNICIPALITY, "1")
        case = Case(MUNICIPALITY, "1", law=LAW, rulebook_version=drawn.rulebook_version)
        fold(case, drawn)
        seized.payload["tracks"] = {"apreensao": led}
        assert [code for code, _ in Recomputer(repo, MUNICIPALITY).check(case, seized)] == codes
