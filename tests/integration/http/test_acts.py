"""``POST …/acts`` and ``POST …/import``: roles, idempotency, versions, rehearsals, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.cli.scenes import PERSON, Cli, judged, lavratura, record, served
from tests.integration.http.clients import OFFICE, Client, lines_of, make_key, problem

AUTO = lavratura("1/2013", "2013-03-01", fact="2013-02-20T22:00", person=PERSON)
KEYED = {"Idempotency-Key": "erp-1"}


def acts(client: Client, auto: str = "1/2013") -> list[str]:
    return [item["act"] for item in client.get(f"{OFFICE}/autos/{auto}/acts").json()["items"]]


def test_an_act_is_recorded_and_told_as_the_command_line_tells_it(http: Client) -> None:
    made = http.record("1/2013", AUTO)
    assert made.status_code == 201, made.text
    assert made.headers["location"] == f"{OFFICE}/autos/1/2013"
    assert made.headers["etag"] == http.get(made.headers["location"]).headers["etag"]
    told = made.json()
    assert (told["auto"], told["known"], told["state"], told["dry_run"]) == ("1/2013", False, "lavrado", False)
    assert [(act["seq"], act["act"]) for act in told["acts"]] == [(1, "lavratura")]
    served_on = http.record("1/2013", served("1/2013", "ciencia", "2013-03-08")).json()
    opened = next(item for item in served_on["deadlines"] if item["kind"] == "defesa")
    assert (opened["first_counted"], opened["due"]) == ("2013-03-11", "2013-03-25")  # issue 1's right answer


def test_the_same_key_and_body_is_the_same_act(http: Client) -> None:
    first = http.record("1/2013", AUTO, headers=KEYED)
    again = http.record("1/2013", AUTO, headers=KEYED)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == {**first.json(), "known": True}
    assert again.headers["etag"] == first.headers["etag"]
    assert acts(http) == ["lavratura"]


@pytest.mark.parametrize(
    "changed",
    [
        {"actor": "Outro Fiscal"},
        {"date": "2013-03-02"},
        {"infrator": {**PERSON, "name": "Ana Maria Souza"}},
        {"infrator": {**PERSON, "doc": "111.444.777-35"}},
        {"fact": {**AUTO["fact"], "place": "Rua 2"}},
        {"perigo_iminente": "outro perigo"},
        {"office": "Fiscalização"},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_the_same_key_with_another_body_is_a_conflict(http: Client, changed: dict[str, Any]) -> None:
    assert http.record("1/2013", AUTO, headers=KEYED).status_code == 201
    problem(http.record("1/2013", {**AUTO, **changed}, headers=KEYED), 409, "chave_com_outro_conteudo")
    assert acts(http) == ["lavratura"]


def test_a_key_of_another_auto_is_a_conflict(http: Client) -> None:
    assert http.record("1/2013", AUTO, headers=KEYED).status_code == 201
    other = {**AUTO, "auto": "2/2013"}
    problem(http.record("2/2013", other, headers=KEYED), 409, "chave_de_outro_auto")


def test_the_key_may_come_in_the_body_but_not_as_two(http: Client) -> None:
    assert http.record("1/2013", {**AUTO, "key": "erp-1"}).status_code == 201
    assert http.record("1/2013", AUTO, headers=KEYED).json()["known"] is True
    problem(http.record("1/2013", {**AUTO, "key": "outra"}, headers=KEYED), 400, "parametro_invalido")


def test_if_match_keeps_an_act_from_a_case_that_moved(http: Client, cli: Cli) -> None:
    read = http.record("1/2013", AUTO).headers["etag"]
    record(cli.url, [served("1/2013", "ciencia", "2013-03-08")])
    late = judged("1/2013", "2013-04-01")
    problem(http.record("1/2013", late, headers={"If-Match": read}), 412, "versao_divergente")
    now = http.get(f"{OFFICE}/autos/1/2013").headers["etag"]
    assert http.record("1/2013", late, headers={"If-Match": f'"x", {now}'}).status_code == 201
    problem(http.record("9/2013", {**AUTO, "auto": "9/2013"}, headers={"If-Match": "*"}), 412, "versao_divergente")


def test_a_retry_is_known_though_the_case_moved_since(http: Client) -> None:
    """What answers a lost answer is the key: the version read then is the one before the act itself."""
    read = http.record("1/2013", AUTO).headers["etag"]
    given = {"If-Match": read, "Idempotency-Key": "erp-2"}
    act = served("1/2013", "ciencia", "2013-03-08")
    assert http.record("1/2013", act, headers=given).status_code == 201
    assert http.record("1/2013", act, headers=given).status_code == 200


def test_a_rehearsal_writes_nothing(http: Client) -> None:
    tried = http("POST", f"{OFFICE}/autos/1/2013/acts?dry_run=true", json=AUTO)
    assert (tried.status_code, tried.json()["dry_run"], tried.json()["state"]) == (200, True, "lavrado")
    problem(http.get(f"{OFFICE}/autos/1/2013"), 404, "auto_desconhecido")


def test_the_body_must_be_of_the_address(http: Client) -> None:
    problem(http.record("2/2013", AUTO), 400, "parametro_invalido")
    problem(http.record("1/2013", {**AUTO, "municipality": "3129509"}), 400, "parametro_invalido")


def test_what_the_law_refuses_is_a_422_with_its_code(http: Client) -> None:
    http.record("1/2013", AUTO)
    found = problem(http.record("1/2013", served("1/2013", "ciencia_decisao", "2013-04-02")), 422, "ato_nao_permitido")
    assert found["place"] == "auto 1/2013"
    problem(
        http.record(
            "2/2013",
            {**AUTO, "auto": "2/2013", "role": "cidadao"},
        ),
        403,
        "papel_nao_autorizado",
    )


def test_defects_of_form_come_all_at_once(http: Client) -> None:
    found = problem(http.record("1/2013", {"act": "lavratura", "auto": "1/2013", "surpresa": 1}), 400, "varios_erros")
    said = {(item["code"], item["field"]) for item in found["errors"]}
    assert {("campo_ausente", "date"), ("campo_ausente", "role"), ("campo_desconhecido", "surpresa")} <= said
    problem(http.record("1/2013", {**AUTO, "act": "inscricao"}), 400, "ato_do_sistema")


def test_a_file_is_imported_in_legal_order_and_only_once(http: Client) -> None:
    body = lines_of(served("1/2013", "ciencia", "2013-03-08"), {**AUTO, "municipality": "3204708"}, {"act": "nada"})
    done = http.post(f"{OFFICE}/import", content=body, headers={"Content-Type": "application/x-ndjson"})
    assert done.status_code == 200, done.text
    told = done.json()
    assert (told["read"], told["applied"], [item["line"] for item in told["rejected"]]) == (3, 2, [3])
    again = http.post(f"{OFFICE}/import", content=body).json()
    assert (again["applied"], again["already_known"]) == (0, 2)
    assert acts(http) == ["lavratura", "ciencia"]


def test_a_line_of_another_municipality_or_role_is_rejected(http: Client, cli: Cli) -> None:
    fiscal = http.at(make_key(cli.url, roles="fiscal,leitura")[1])
    body = lines_of(AUTO, judged("1/2013", "2013-04-01"), {**AUTO, "auto": "2/2013", "municipality": "3129509"})
    told = fiscal.post(f"{OFFICE}/import", content=body).json()
    assert told["applied"] == 1
    assert {item["line"]: item["code"] for item in told["rejected"]} == {
        2: "papel_nao_autorizado",
        3: "municipio_divergente",
    }


def test_a_strict_import_applies_all_or_nothing(http: Client) -> None:
    body = lines_of(AUTO, {"act": "nada"})
    told = http.post(f"{OFFICE}/import?strict=true", content=body).json()
    assert (told["applied"], len(told["rejected"])) == (0, 1)
    assert http.post(f"{OFFICE}/import?dry_run=true", content=lines_of(AUTO)).json()["dry_run"] is True
    assert http.get(f"{OFFICE}/autos").json()["items"] == []


@pytest.mark.parametrize(
    "added",
    [
        {"linked_auto": "9/2012"},
        {"signature": {"by": "autuado"}},
        {"signature": {"by": "recusa", "witnesses": ["Um da Silva", "Outra Pessoa"]}},
    ],
    ids=["one more field", "who signed", "another witness"],
)
def test_a_key_that_comes_with_more_or_other_words_is_a_conflict(http: Client, added: dict[str, Any]) -> None:
    """Answered with ``known``, what it says would be lost and the client would believe it recorded."""
    assert http.record("1/2013", AUTO, headers=KEYED).status_code == 201
    problem(http.record("1/2013", {**AUTO, **added}, headers=KEYED), 409, "chave_com_outro_conteudo")


def test_who_acted_for_the_autuado_is_part_of_the_act(http: Client) -> None:
    http.record("1/2013", AUTO)
    http.record("1/2013", served("1/2013", "ciencia", "2013-03-08"))
    said = {"act": "defesa", "date": "2013-03-20", "actor": "Ana Souza", "role": "autuado"}
    defence = {**said, "by": {"name": "José Luz"}}
    assert http.record("1/2013", defence, headers=KEYED).status_code == 201
    assert http.record("1/2013", defence, headers=KEYED).status_code == 200
    other = {**defence, "by": {"name": "Maria Luz"}}
    problem(http.record("1/2013", other, headers=KEYED), 409, "chave_com_outro_conteudo")


@pytest.mark.parametrize("number", ["x/acts", "x/2013/timeline", "x/documents/extrato"])
def test_no_auto_is_drawn_up_where_it_could_not_be_read(http: Client, number: str) -> None:
    http.record("x", {**AUTO, "auto": "x"})
    found = problem(http.record(number, {**AUTO, "auto": number}), 400, "parametro_invalido")
    assert found["field"] == "auto"
    assert [item["auto"] for item in http.get(f"{OFFICE}/autos").json()["items"]] == ["x"]
