"""What the screens ask for: one request, one transaction."""

from datetime import UTC, date, datetime

from flask import Blueprint, current_app, jsonify, request
from sqlalchemy import select

from procedure import record_act, show_case
from revenue import cases, register
from revenue.tables import Credito, Pessoa, Processo

pages = Blueprint("pages", __name__)
CHANGEABLE = ("nome", "documento", "endereco")


def transaction():
    """A session that commits at the end of the `with`, or rolls everything back."""
    return current_app.extensions["revenue"]["sessions"].begin()


def municipality() -> str:
    """The municipality of this installation."""
    return current_app.extensions["revenue"]["municipality"]


@pages.post("/pessoas")
def new_person():
    """Register a person."""
    with transaction() as session:
        pessoa = Pessoa(**request.get_json())
        session.add(pessoa)
        session.flush()
        return jsonify(id=pessoa.id), 201


@pages.patch("/pessoas/<int:number>")
def change_person(number: int):
    """Change a person of the register; says which autos were mended by it."""
    sent = request.get_json()
    fields = {name: sent[name] for name in CHANGEABLE if name in sent}
    with transaction() as session:
        pessoa = session.get_one(Pessoa, number)
        on = date.fromisoformat(sent["em"])
        now = datetime.now(UTC)
        return jsonify(
            saneados=register.change(session, municipality(), pessoa, actor=sent["por"], on=on, now=now, **fields)
        )


@pages.post("/autos")
def new_auto():
    """Draw up an auto against a person of the register."""
    sent = request.get_json()
    with transaction() as session:
        pessoa = session.get_one(Pessoa, sent["pessoa_id"])
        auto = cases.draw_up(session, municipality(), pessoa, sent["protocolo"], sent["auto"], now=datetime.now(UTC))
        return jsonify(auto=auto), 201


@pages.post("/atos")
def new_act():
    """Any later act of a case."""
    with transaction() as session:
        act = {**request.get_json(), "municipality": municipality()}
        return jsonify(state=record_act(session, act, recorded_at=datetime.now(UTC)).state), 201


@pages.get("/autos/<path:auto>")
def one_auto(auto: str):
    """The case as Posturas tells it, with this backend's own row beside it."""
    with transaction() as session:
        processo = session.get_one(Processo, auto)
        row = {"protocolo": processo.protocolo, "ultimo_ato": processo.ultimo_ato, "pessoa_id": processo.pessoa_id}
        return jsonify({**row, "caso": show_case(session, municipality(), auto)})


@pages.get("/creditos")
def all_receivables():
    """The receivables."""
    with transaction() as session:
        rows = session.scalars(select(Credito).order_by(Credito.inscricao)).all()
        names = ("inscricao", "auto", "valor", "saldo", "situacao")
        return jsonify([{name: str(getattr(row, name)) for name in names} for row in rows])
