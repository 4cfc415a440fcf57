"""``/autos``: the list in pages, the case with its ETag, its timeline and its papers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.cli.scenes import CPF, CPF_MASKED, IBGE, PERSON, Cli, lavratura, record, served
from tests.integration.http.clients import OFFICE, Client, problem


def numbers(page: dict[str, Any]) -> list[str]:
    return [item["auto"] for item in page["items"]]


def test_a_case_is_what_the_command_line_shows(inscribed: Client, cli: Cli) -> None:
    shown = inscribed.get(f"{OFFICE}/autos/1/2013?unmask=true")
    assert shown.status_code == 200
    assert shown.json() == cli.json("auto", "show", "1/2013")
    assert shown.json()["amounts"]["arbitrada"] == "330.00"
    assert shown.json()["inscricao"]["number"] == "1/2013"


@pytest.mark.parametrize("number", ["1/2013", "1%2F2013"])
def test_a_number_goes_in_the_address_with_its_slash_or_escaped(inscribed: Client, number: str) -> None:
    assert inscribed.get(f"{OFFICE}/autos/{number}").json()["auto"] == "1/2013"
    assert len(inscribed.get(f"{OFFICE}/autos/{number}/acts").json()["items"]) >= 5


def test_a_number_may_have_a_series_spaces_and_accents(http: Client) -> None:
    number = "A-Série 7/2013"
    act = {**lavratura(number, "2013-03-01", fact="2013-02-20T22:00"), "auto": number}
    made = http.record("A-S%C3%A9rie%207%2F2013", act)
    assert made.status_code == 201, made.text
    assert http.get(made.headers["location"]).json()["auto"] == number


def test_the_etag_is_the_version_and_moves_with_each_act(http: Client, cli: Cli) -> None:
    record(cli.url, [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00")])
    first = http.get(f"{OFFICE}/autos/1/2013").headers["etag"]
    assert http.get(f"{OFFICE}/autos/1/2013").headers["etag"] == first
    record(cli.url, [served("1/2013", "ciencia", "2013-03-04")])
    assert http.get(f"{OFFICE}/autos/1/2013").headers["etag"] != first
    assert "etag" not in http.get(f"{OFFICE}/autos/1/2013?as_of=2013-03-02").headers


def test_the_past_is_shown_as_it_was(inscribed: Client) -> None:
    assert inscribed.get(f"{OFFICE}/autos/1/2013?as_of=2013-03-15").json()["state"] == "aguardando_defesa"
    problem(inscribed.get(f"{OFFICE}/autos/1/2013?as_of=2013-02-28"), 404, "auto_desconhecido")
    problem(inscribed.get(f"{OFFICE}/autos/1/2013?as_of=ontem"), 400, "data_invalida")


def test_pages_are_stable_under_inserts(http: Client, cli: Cli) -> None:
    def drawn(number: int) -> dict[str, object]:
        return lavratura(f"{number:03}/2013", "2013-03-01", fact="2013-02-20T22:00")

    record(cli.url, [drawn(number) for number in (10, 20, 30, 40, 50)])
    page = http.get(f"{OFFICE}/autos?limit=2").json()
    assert numbers(page) == ["010/2013", "020/2013"]
    record(cli.url, [drawn(15), drawn(35)])  # before the cursor, and after it
    seen = numbers(page)
    while page["next"]:
        page = http.get(f"{OFFICE}/autos?limit=2&cursor={page['next']}").json()
        seen += numbers(page)
    assert seen == ["010/2013", "020/2013", "030/2013", "035/2013", "040/2013", "050/2013"]


def test_a_list_is_filtered_as_the_command_line_filters(inscribed: Client, cli: Cli) -> None:
    record(cli.url, [lavratura("2/2013", "2013-03-01", fact="2013-02-20T22:00")])
    assert numbers(inscribed.get(f"{OFFICE}/autos?state=inscrito").json()) == ["1/2013"]
    assert numbers(inscribed.get(f"{OFFICE}/autos?state=inscrito&state=lavrado").json()) == ["1/2013", "2/2013"]
    assert numbers(inscribed.get(f"{OFFICE}/autos?due_until=2013-12-31").json()) == []
    for chosen, options in (("state=lavrado", ["--state", "lavrado"]), ("", [])):
        mine = inscribed.get(f"{OFFICE}/autos?{chosen}").json()["items"]
        assert mine == cli.json("auto", "list", *options)


def test_a_cpf_is_masked_unless_asked_for(http: Client, cli: Cli) -> None:
    record(cli.url, [lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00", person=PERSON)])
    masked = http.get(f"{OFFICE}/autos")
    assert masked.json()["items"][0]["doc_masked"] == CPF_MASKED
    for path in ("autos", "autos/1/2013", "autos/1/2013/timeline", "autos/1/2013/acts", "events"):
        assert CPF not in http.get(f"{OFFICE}/{path}").text, path
    assert http.get(f"{OFFICE}/autos?unmask=true").json()["items"][0]["doc"] == CPF
    assert http.get(f"{OFFICE}/autos/1/2013?unmask=true").json()["infrator"]["doc"] == CPF


def test_a_timeline_is_json_or_a_page(inscribed: Client, cli: Cli) -> None:
    asked = f"{OFFICE}/autos/1/2013/timeline"
    assert inscribed.get(asked).json() == cli.json("auto", "timeline", "1/2013")
    shown = inscribed.get(asked, headers={"Accept": "text/html, application/json;q=0.5"})
    assert shown.headers["content-type"] == "text/html; charset=utf-8"
    assert shown.text.startswith("<!DOCTYPE html>")
    problem(inscribed.get(asked, headers={"Accept": "application/pdf"}), 406, "forma_nao_disponivel")
    problem(inscribed.get(asked, headers={"Accept": "application/json;q=0"}), 406, "forma_nao_disponivel")


def test_a_paper_is_a_pdf_or_what_it_prints(inscribed: Client, cli: Cli) -> None:
    asked = f"{OFFICE}/autos/1/2013/documents/auto_de_infracao?issued=2013-03-01"
    printed = inscribed.get(asked)
    assert printed.headers["content-type"] == "application/pdf"
    assert printed.content.startswith(b"%PDF-1.7")
    same = cli.json(
        "auto", "document", "1/2013", "--kind", "auto_de_infracao", "--format", "json", "--issued", "2013-03-01"
    )
    assert inscribed.get(asked, headers={"Accept": "application/json"}).json() == same
    problem(inscribed.get(f"{OFFICE}/autos/1/2013/documents/termo_apreensao"), 404, "documento_sem_ato")
    unknown = problem(inscribed.get(f"{OFFICE}/autos/1/2013/documents/nenhum"), 400, "parametro_invalido")
    assert {"auto_de_infracao", "cda", "extrato"} <= set(unknown["remedy"].removeprefix("Há: ").rstrip(".").split(", "))


def test_what_is_not_there_is_a_404(http: Client) -> None:
    for path in ("autos/9/2013", "autos/9/2013/timeline", "autos/9/2013/acts", "autos/9/2013/documents/extrato"):
        found = problem(http.get(f"{OFFICE}/{path}"), 404, "auto_desconhecido")
        assert "9/2013" in found["detail"]
    assert http.get(f"/v1/municipalities/{IBGE}/autos").json() == {"items": [], "next": None}
