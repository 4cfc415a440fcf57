"""A small revenue backend that embeds Posturas: its tables, its register of persons, its receivables, its night.

flask --app revenue …, with DATABASE_URL=postgresql+psycopg://…
"""

import os

import sqlalchemy as sa
from flask import Flask, jsonify
from sqlalchemy.orm import sessionmaker

from procedure import PosturasError, hooks
from revenue import cases, commands, web

MUNICIPALITY = "3204708"  # São Gabriel da Palha, by its IBGE code


def create_app(url: str | None = None) -> Flask:
    """The application on its database: one engine, and every session told to keep `processos` up to date."""
    app = Flask(__name__)
    app.json.ensure_ascii = False
    engine = sa.create_engine(url or os.environ["DATABASE_URL"])
    sessions = sessionmaker(engine)
    hooks.subscribe(sessions, cases.follow)
    app.extensions["revenue"] = {"engine": engine, "sessions": sessions, "municipality": MUNICIPALITY}
    app.register_error_handler(PosturasError, refused)
    app.register_error_handler(sa.exc.NoResultFound, lambda _: (jsonify(code="nao_encontrado"), 404))
    app.register_blueprint(web.pages)
    app.register_blueprint(commands.night)
    return app


def refused(error: PosturasError):
    """What the law refuses: the transaction is already rolled back; the code tells programs, the message people."""
    return jsonify(error.to_dict()), 422
