"""The weekly panel as a page: first what asks for somebody, then what is coming, then what came in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from procedure.domain.labels import INSCRIPTION_STATUSES, TRACK_STATES, deadline_label, state_label
from procedure.domain.vocabulary import TrackState
from procedure.domain.wording import amount_br, article_br, day_br, moment_br, weekday_br
from procedure.pages.frame import cards, page, sentence, table
from procedure.pages.markup import Child, Html, el
from procedure.services.documenting.months import MONTHS

Document = Mapping[str, Any]
RUNS = {"concluida": "concluída", "em_andamento": "em andamento", "interrompida": "interrompida"}


def panel_page(doc: Document) -> str:
    """The page of ``services.panel.panel``."""
    heading = f"Painel da semana, {day_br(doc['as_of'])}"
    intro = el("p", f"{_count(doc['cases'], 'processo')} no registro. Dia de referência: {weekday_br(doc['as_of'])}.")
    people = (_to_serve, _to_judge, _choices, _goods, _restitutions)
    parts = (_summary, _due, _prescribing, *people, _states, _money, _runs)
    body = [piece for part in parts for piece in part(doc)]
    foot = [
        el("p", "Sem nomes e sem documentos: cada processo aparece pelo número do auto (LGPD)."),
        el("p", "Cada lista mostra o começo; o total vem antes dela. Feito do registro como está, sem nada gravar."),
    ]
    place = doc["place"]
    return page(
        f"{heading}, {place}", place=place, heading=heading, intro=intro, body=body, foot=foot, sheets=["panel"]
    )


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{_grouped(number)} {one if number == 1 else many or one + 's'}"


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", ".")


def _summary(doc: Document) -> Iterator[Html]:
    judge, owed = doc["to_judge"], doc["restitutions"]
    oldest = next((item["days"] for item in judge["items"]), None)
    entries: list[tuple[str, Child, str | None]] = [
        ("Vencem em 15 dias", _count(doc["due"]["total"], "prazo"), None),
        ("Prescrevem em 180 dias", _count(doc["prescribing"]["total"], "dívida"), _past(doc)),
        ("À espera de julgamento", _count(judge["total"], "processo"), oldest and f"o mais antigo há {oldest} dias"),
        ("Ciências por juntar", _count(doc["to_serve"]["total"], "processo"), None),
        ("Escolhas da autoridade", _count(doc["choices"]["total"], "processo"), None),
        ("A restituir", amount_br(owed["amount"]), _count(owed["total"], "processo")),
    ]
    yield cards(entries)


def _past(doc: Document) -> str | None:
    past = doc["prescribing"]["past"]
    return f"e {_grouped(past)} cujo dia já passou" if past else None


def _list(
    title: str, told: Child, caption: str, heads: Sequence[str], rows: Sequence[Sequence[Child]], *numbers: int
) -> Iterator[Html]:
    """A section with its explanation, its table or the word that there is nothing."""
    yield el("h2", title)
    if told:
        yield el("p", told)
    yield table(caption, heads, rows, numbers=numbers) if rows else el("p", "Nada nesta lista.", class_="note")


def _head(total: int, shown: int) -> str:
    return "" if total <= shown else f" Aqui, os primeiros {shown} de {_grouped(total)}."


# ---------------------------------------------------------------- what is coming


def _due(doc: Document) -> Iterator[Html]:
    due = doc["due"]
    kinds = "; ".join(f"{deadline_label(k['kind'])}: {_grouped(k['deadlines'])}" for k in due["by_kind"])
    told = f"De {day_br(due['from'])} a {day_br(due['to'])}: {_count(due['total'], 'prazo')}"
    told = f"{told} ({kinds}).{_head(due['total'], len(due['items']))}" if kinds else f"{told}."
    rows = [
        [_auto(item), sentence(deadline_label(item["kind"])), article_br(item["article"]), day_br(item["expires_on"])]
        for item in due["items"]
    ]
    yield from _list("O que vence em 15 dias", told, "Prazos que correm", _TERM_HEADS, rows)


_TERM_HEADS = ("Auto", "Prazo", "Artigo", "Último dia")


def _auto(item: Document) -> str:
    return str(item["auto"])


def _prescribing(doc: Document) -> Iterator[Html]:
    found = doc["prescribing"]
    told = (
        f"Até {day_br(found['to'])}, pela leitura que acaba antes: {_count(found['total'], 'dívida')}."
        f"{_head(found['total'], len(found['items']))}"
    )
    rows: list[list[Child]] = [
        [
            _auto(item),
            f"Inscrição {item['inscription']}" if item["inscription"] else sentence(state_label(item["state"])),
            day_br(item["warns_on"]),
            day_br(item["prescribes_on"]),
            amount_br(item["amount"]),
        ]
        for item in found["items"]
    ]
    heads = ("Auto", "Situação", "Ajuizar até (cautela)", "Prescreve em (adotada)", "Valor")
    yield from _list("O que prescreve em 180 dias", told, "Dívidas ainda não ajuizadas", heads, rows, 4)
    if found["past"]:
        gone = f"De outras {_grouped(found['past'])} o dia da leitura de cautela já passou: {_see_forecast()}"
        yield el("p", gone, class_="alert")


def _see_forecast() -> str:
    return "veja cada uma com posturas divida-ativa forecast."


# ---------------------------------------------------------------- what waits for a person


def _to_serve(doc: Document) -> Iterator[Html]:
    told = (
        "Auto ou decisão de que não há prova de ciência no processo: a notificação assinada ou o AR ainda não foi "
        "juntado, e o prazo não corre. "
    )
    yield from _waiting(doc["to_serve"], "Ciências por juntar", told, "Do mais antigo ao mais novo")


def _to_judge(doc: Document) -> Iterator[Html]:
    told = "Em primeira instância ou em recurso. "
    yield from _waiting(doc["to_judge"], "Processos sem julgamento", told, "Os que esperam há mais tempo")


def _waiting(found: Document, title: str, told: str, caption: str) -> Iterator[Html]:
    late = ", ".join(f"{_grouped(late['cases'])} há mais de {late['days']}" for late in found["late"])
    told += f"{_count(found['total'], 'processo')}: {late} dias.{_head(found['total'], len(found['items']))}"
    rows: list[list[Child]] = [
        [_auto(i), sentence(state_label(i["state"])), day_br(i["since"]), _grouped(i["days"])] for i in found["items"]
    ]
    yield from _list(title, told, caption, _TRACK_HEADS, rows, 3)


def _choices(doc: Document) -> Iterator[Html]:
    told = (
        "A obrigação de fazer não foi cumprida no prazo: a autoridade escolhe entre a multa diária e a execução pela "
        f"Prefeitura à custa do infrator.{_head(doc['choices']['total'], len(doc['choices']['items']))}"
    )
    found = doc["choices"]["items"]
    rows = _tracks([i for i in found if i["article"] is None])
    yield from _list("Escolhas que a autoridade não fez", told, "Obrigações não cumpridas", _TRACK_HEADS, rows, 3)
    licences: list[list[Child]] = [
        [_auto(i), article_br(i["article"]), day_br(i["since"]), _grouped(i["days"])] for i in found if i["article"]
    ]
    if licences:
        yield el("p", "Na reincidência a lei determina a cassação da licença, e o processo terminou sem decisão:")
        yield table("Cassações a decidir", ("Auto", "Artigo", "Desde", "Dias"), licences, numbers=(3,))


_TRACK_HEADS = ("Auto", "Situação", "Desde", "Dias")


def _tracks(items: Sequence[Document]) -> list[list[Child]]:
    return [
        [_auto(item), sentence(TRACK_STATES[TrackState(item["state"])]), day_br(item["since"]), _grouped(item["days"])]
        for item in items
    ]


def _goods(doc: Document) -> Iterator[Html]:
    near, left = doc["goods"]["near"], doc["goods"]["unclaimed"]
    rows: list[list[Child]] = [
        [_auto(i), sentence(deadline_label(i["kind"])), article_br(i["article"]), day_br(i["expires_on"])]
        for i in near["items"]
    ]
    many = f"{_count(near['total'], 'processo')}.{_head(near['total'], len(rows))}"
    told = f"Prazo de retirada que acaba em 15 dias: {many}"
    yield from _list("Coisas apreendidas", told, "Perto do fim do prazo", _TERM_HEADS, rows)
    if left["items"]:
        many = f"{_count(left['total'], 'processo')}.{_head(left['total'], len(left['items']))}"
        yield el("p", f"Não reclamadas, sem destino: {many}")
        yield table("Não reclamadas no prazo", _TRACK_HEADS, _tracks(left["items"]), numbers=(3,))


def _restitutions(doc: Document) -> Iterator[Html]:
    found = doc["restitutions"]
    told = f"Pago além do devido: {amount_br(found['amount'])}.{_head(found['total'], len(found['items']))}"
    rows: list[list[Child]] = [
        [_auto(item), sentence(state_label(item["state"])), amount_br(item["amount"])] for item in found["items"]
    ]
    heads = ("Auto", "Situação", "A restituir")
    yield from _list("Restituições devidas", told, "Do maior ao menor", heads, rows, 2)


# ---------------------------------------------------------------- where everything stands


def _states(doc: Document) -> Iterator[Html]:
    most = max((item["cases"] for item in doc["states"]), default=1)
    rows: list[list[Child]] = [
        [sentence(state_label(item["state"])), _bar(item["cases"], most), _grouped(item["cases"])]
        for item in doc["states"]
    ]
    heads = ("Situação", "Parte", "Processos")
    yield from _list("Processos por situação", None, "Todos os processos", heads, rows, 2)


def _bar(value: int, most: int) -> Html:
    """As long as its share of the largest; the number stands beside it."""
    wide = max(1, 200 * value // most) if value else 0
    return el(
        "svg",
        el("rect", x=0, y=0, width=wide, height=10, class_="bar"),
        viewBox="0 0 200 10",
        preserveAspectRatio="none",
        class_="share",
        aria_hidden="true",
    )


def _money(doc: Document) -> Iterator[Html]:
    rows: list[list[Child]] = [
        [_month(m["month"]), _grouped(m["inscriptions"]), *(_reais(m[name]) for name in _MONEY)]
        for m in doc["months"]
    ]
    heads = ("Mês", "Inscrições", "Inscrito, R$", "Recolhido, R$", "Devolvido, R$")
    told = "O recolhido inclui depósitos; o mês do dia de referência vai até ele."
    yield from _list("Inscrições e arrecadação por mês", told, "Últimos doze meses", heads, rows, 1, 2, 3, 4)
    if doc["register"]:
        total = sum(Decimal(item["amount"]) for item in doc["register"])
        rows = [
            [_status(held["status"]), _grouped(held["inscriptions"]), amount_br(held["amount"])]
            for held in doc["register"]
        ]
        caption = f"Livro da dívida ativa: {amount_br(str(total))} inscritos"
        yield table(caption, ("Situação da inscrição", "Inscrições", "Valor inscrito"), rows, numbers=(1, 2))


_MONEY = ("inscribed", "collected", "returned")


def _status(word: str) -> str:
    return sentence(INSCRIPTION_STATUSES.get(word, word))


def _month(name: str) -> str:
    return f"{MONTHS[int(name[5:]) - 1][:3]}/{name[:4]}"


def _reais(text: str) -> str:
    """The figure alone, under a head that says the currency."""
    return amount_br(text).removeprefix("R$ ")


def _runs(doc: Document) -> Iterator[Html]:
    rows: list[list[Child]] = [
        [
            moment_br(run["as_of"]),
            RUNS.get(run["status"], run["status"]),
            *(_grouped(run[name]) for name in ("examined", "expired", "inscribed", "returned_to_origin", "failed")),
        ]
        for run in doc["sweeps"]
    ]
    heads = ("Até", "Varredura", "Examinados", "Vencidos", "Inscritos", "Devolvidos", "Com falha")
    yield from _list("Últimas varreduras", None, "A mais nova primeiro", heads, rows, 2, 3, 4, 5, 6)
