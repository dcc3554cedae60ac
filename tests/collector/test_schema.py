"""The OpenAPI document says what the collector does: schemathesis asks all that is in it, and more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from tests.collector.playing import ADMIN, Admin, bearer, campaign, running

schemathesis = pytest.importorskip("schemathesis")

from schemathesis import GenerationMode  # noqa: E402
from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

ASKED = campaign()
ROUTES = {
    "POST /v1/campaigns", "GET /v1/campaigns", "GET /v1/campaigns/{id}", "GET /v1/campaigns/{id}/terms",
    "POST /v1/campaigns/{id}/open", "POST /v1/campaigns/{id}/close", "POST /v1/campaigns/{id}/tokens",
    "POST /v1/campaigns/{id}/token", "PUT /v1/campaigns/{id}/report", "GET /v1/campaigns/{id}/report",
    "DELETE /v1/campaigns/{id}/report", "POST /v1/campaigns/{id}/reports", "GET /v1/campaigns/{id}/export",
    "GET /v1/campaigns/{id}/statistics", "GET /healthz", "GET /readyz", "GET /metrics",
}  # fmt: skip
CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance,
    unsupported_method,
]  # fmt: skip
LIMITS = settings(
    max_examples=20, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)  # fmt: skip


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Admin]:
    with running(f"sqlite:///{tmp_path_factory.mktemp('schema')}/collector.db", failures=1e9) as one:
        one.started(ASKED)
        yield one


def test_every_route_is_in_the_document(attacked: Admin) -> None:
    document = attacked.http.get(f"{attacked.address}/openapi.json").json()
    found = {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}
    assert found == ROUTES


@pytest.mark.parametrize("route", sorted(ROUTES))
def test_a_route_does_what_the_document_says(attacked: Admin, route: str) -> None:
    """With the id of a campaign that there is and with any; as administrator, as a person and as nobody."""
    method, _, path = route.partition(" ")
    document = schemathesis.openapi.from_url(f"{attacked.address}/openapi.json")
    operation = document[path][method]
    person = sorted(ROUTES).index(route)
    token = attacked.tokens(ASKED, 1, first=person)[person]
    turn = 0

    def ask(case: Any) -> None:
        nonlocal turn
        turn += 1
        # Closing would leave little to be found.
        if turn % 4 and "id" in (case.path_parameters or {}) and not path.endswith("/close"):
            case.path_parameters["id"] = ASKED.id
        headers = (bearer(ADMIN), bearer(token), {})[turn % 3]
        case.call_and_validate(checks=CHECKS, headers=headers)

    for mode in GenerationMode.POSITIVE, GenerationMode.NEGATIVE:
        # Where nothing is given, nothing can be given wrongly.
        with suppress(Unsatisfiable):
            LIMITS(given(operation.as_strategy(generation_mode=mode))(ask))()
    assert turn > 0
