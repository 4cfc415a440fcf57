"""schemathesis over the whole OpenAPI document: no fault, no answer that the document does not tell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from procedure.http.app import create_app, openapi_document
from procedure.http.settings import Settings
from procedure.store.engine import open_engine
from tests.integration.cli.scenes import inscribed_case, supply_unit
from tests.integration.http.clients import NOW, make_key

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
EXAMPLES = 10
DOCUMENT = openapi_document()
OPERATIONS = sorted((path, method.upper()) for path, methods in DOCUMENT["paths"].items() for method in methods)


@schemathesis.serializer("application/x-ndjson", "text/csv")
def as_lines(_context: Any, value: Any) -> bytes:
    """A body of lines, of which any text is one."""
    return value if isinstance(value, bytes) else json.dumps(value).encode()


@pytest.fixture(scope="module")
def answering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, str]]:
    """The application over a database with one case, as schemathesis knows it, and a key that may do all."""
    from procedure.cli.main import main

    url = f"sqlite:///{tmp_path_factory.mktemp('schema')}/posturas.db"
    assert main(["db", "upgrade", "--db", url]) == 0
    supply_unit(url)
    inscribed_case(url)
    engine = open_engine(url)
    app = create_app(engine, lambda: NOW, Settings(rate=10**6, burst=10**6))
    try:
        yield schemathesis.openapi.from_asgi("/openapi.json", app), make_key(url)[1]
    finally:
        engine.dispose()


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize(("path", "method"), OPERATIONS, ids=str)
def test_schemathesis_finds_nothing(answering: tuple[Any, str], path: str, method: str, mode: GenerationMode) -> None:
    schema, token = answering
    headers = {"Authorization": f"Bearer {token}"}
    operation = schema[path][method]

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def run(case: Any) -> None:
        # Mostly in the key's own municipality: elsewhere all is a 404.
        if mode is GenerationMode.POSITIVE and "ibge" in (case.path_parameters or {}):
            case.path_parameters["ibge"] = "3204708"
        case.call_and_validate(headers=headers, checks=CHECKS)

    run()


def test_every_operation_is_described_for_people_and_programs() -> None:
    ids = []
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            where = f"{method} {path}"
            assert operation["summary"], where
            assert operation["description"], where
            assert operation["security"] == [{"chave": []}] or not path.startswith("/v1"), where
            answers = operation["responses"]
            assert {"400", "401", "403", "404", "406", "422", "429", "503"} <= answers.keys(), where
            for status, answer in answers.items():
                expected = status.startswith("2")
                assert ("application/problem+json" in answer["content"]) is not expected, (where, status)
            ids.append(operation["operationId"])
    assert len(ids) == len(set(ids)) == len(OPERATIONS)
    assert DOCUMENT["openapi"] == "3.1.0"
