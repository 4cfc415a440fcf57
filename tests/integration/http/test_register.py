"""``/divida-ativa`` and ``/certidoes``: the issue's inscription, 330,00 + 33,00, and its papers."""

from __future__ import annotations

from tests.integration.cli.scenes import Cli, record, to_payment
from tests.integration.http.clients import OFFICE, Client, problem


def authenticate(cli: Cli) -> None:
    record(
        cli.url,
        [
            {
                "auto": "1/2013",
                "act": "autenticacao",
                "date": "2013-05-06",
                "actor": "Maria Prado",
                "role": "divida_ativa",
                "inscription": "1/2013",
                "office": "Chefe da Dívida Ativa",
                "authority_act": "Portaria 1/2013",
            }
        ],
    )


def test_the_list_is_the_command_lines(inscribed: Client, cli: Cli) -> None:
    listed = inscribed.get(f"{OFFICE}/divida-ativa").json()
    assert listed == {"items": cli.json("divida-ativa", "list"), "next": None}
    assert (listed["items"][0]["original_amount"], listed["items"][0]["total"]) == ("330.00", "363.00")
    before = inscribed.get(f"{OFFICE}/divida-ativa?as_of=2013-04-01").json()
    assert before["items"] == []


def test_pages_go_by_number(inscribed: Client, cli: Cli) -> None:
    from datetime import date

    for number in (2, 3):
        record(cli.url, to_payment(f"{number}/2013", date(2013, 3, 1)))
    assert cli.json("sweep", "--as-of", "2013-07-01")["inscribed"] == 2
    page = inscribed.get(f"{OFFICE}/divida-ativa?limit=2").json()
    assert [item["number"] for item in page["items"]] == ["1/2013", "2/2013"]
    rest = inscribed.get(f"{OFFICE}/divida-ativa?limit=2&cursor={page['next']}").json()
    assert ([item["number"] for item in rest["items"]], rest["next"]) == (["3/2013"], None)


def test_an_inscription_is_shown_and_printed(inscribed: Client, cli: Cli) -> None:
    assert inscribed.get(f"{OFFICE}/divida-ativa/1/2013").json() == cli.json("divida-ativa", "show", "1/2013")
    printed = inscribed.get(f"{OFFICE}/divida-ativa/1%2F2013/termo")
    assert printed.content.startswith(b"%PDF-")
    problem(inscribed.get(f"{OFFICE}/divida-ativa/1/2013/cda"), 422, "inscricao_nao_autenticada")
    for path in ("7/2013", "7/2013/termo", "7/2013/cda", "x", "x/cda"):
        problem(inscribed.get(f"{OFFICE}/divida-ativa/{path}"), 404, "inscricao_desconhecida")


def test_a_clearance_says_what_the_register_has(inscribed: Client) -> None:
    asked = f"{OFFICE}/certidoes?doc=11.222.333/0001-81&issued=2013-06-01"
    found = inscribed.get(asked, headers={"Accept": "application/json"}).json()
    assert (found["result"], found["total"]) == ("positiva", "363.00")
    assert inscribed.get(asked).headers["content-type"] == "application/pdf"
    problem(inscribed.get(f"{OFFICE}/certidoes?doc=123"), 400, "documento_invalido")
    problem(inscribed.get(f"{OFFICE}/certidoes"), 400, "parametro_invalido")


def test_a_made_up_code_is_not_recognised(inscribed: Client) -> None:
    problem(inscribed.get(f"{OFFICE}/divida-ativa/codes/1/2013-AAAA-AAAA-AAAA-AAAA"), 404, "codigo_nao_confere")
