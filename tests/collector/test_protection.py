"""Headers that protect, who may call from a browser, and what logs and metrics say."""

from __future__ import annotations

import json
import logging

import pytest
from tests.collector.playing import Admin, campaign, report, running

import hushgraph as hg
from hushgraph.collector import logs
from hushgraph.collector.settings import Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def test_every_answer_has_the_headers_that_protect(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    for answer in (
        admin.http.get(f"{admin.address}/healthz"),
        admin.http.get(f"{admin.address}/nowhere"),
        admin.http.get(f"/{asked.id}/terms"),
        admin.send(asked, tokens[0], report(asked, 0)),
        admin.send(asked, tokens[0], b"x"),
        admin.get(asked, "/export"),
    ):
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "server" not in answer.headers
        private = not answer.url.path.endswith("/terms")
        assert answer.headers["cache-control"] == ("no-store" if private else "no-cache")


def test_no_page_of_another_origin_may_call_unless_it_is_named(on_sqlite: str) -> None:
    preflight = {"Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization"}
    named, other = {"Origin": "https://ours.example"}, {"Origin": "https://theirs.example"}
    place = f"/{'0' * 64}/report"
    with running(on_sqlite) as admin:
        for origin in (named, other):
            answer = admin.http.options(place, headers=origin | preflight)
            assert answer.status_code == 405
            assert "access-control-allow-origin" not in answer.headers
    with running(on_sqlite, allow_origins=("https://ours.example",)) as admin:
        assert admin.http.options(place, headers=other | preflight).status_code == 400
        allowed = admin.http.options(place, headers=named | preflight)
        assert allowed.status_code == 200
        assert allowed.headers["access-control-allow-origin"] == "https://ours.example"
        assert "access-control-allow-credentials" not in allowed.headers
        assert "access-control-allow-origin" not in admin.http.get("/x/terms", headers=other).headers


def test_documentation_that_loads_scripts_from_elsewhere_is_not_served(admin: Admin) -> None:
    for place in ("/docs", "/redoc", "/docs/oauth2-redirect"):
        assert admin.http.get(f"{admin.address}{place}").status_code == 404


def test_metrics_count_by_a_few_words_that_are_known_beforehand(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    admin.send(asked, tokens[0], report(asked, 0))
    for odd in range(50):
        admin.http.get(f"{admin.address}/odd/{odd}")
        admin.http.request(f"ODD{odd}", f"{admin.address}/healthz")
    text = admin.http.get(f"{admin.address}/metrics").text
    assert 'hushgraph_reports_total{status="201"}' in text
    assert "odd" not in text.lower().replace("method", "")
    assert asked.id not in text
    assert 'hushgraph_requests_total{method="PUT",route="/v1/campaigns/{id}/report",status="201"}' in text


def test_a_log_line_says_what_was_asked_and_nothing_else(
    caplog: pytest.LogCaptureFixture, on_sqlite: str
) -> None:
    asked = campaign()
    formatter = logs._OneLine()
    with caplog.at_level(logging.INFO), running(on_sqlite) as admin:
        tokens = admin.started(asked)
        admin.send(asked, tokens[7], report(asked, 7))
        admin.http.get(f"{admin.address}/odd/thing?x=SECRET", headers={"Cookie": "SECRET"})
    lines = [
        json.loads(formatter.format(record)) for record in caplog.records if record.name == logs.logger.name
    ]
    asked_for = [line for line in lines if line["what"] == "request"]
    assert [(line["method"], line["route"], line["status"]) for line in asked_for][-2:] == [
        ("PUT", "/v1/campaigns/{id}/report", 201),
        ("GET", "(none)", 404),
    ]
    assert set(asked_for[0]) == {"time", "level", "what", "method", "route", "status", "ms"}
    assert "SECRET" not in json.dumps(lines)


def test_an_error_is_logged_by_its_type_and_place_alone() -> None:
    formatter = logs._OneLine()

    def logged(error: BaseException) -> str:
        record = logging.LogRecord("other", logging.ERROR, "x", 1, "broke for %s", ("SECRET",), None)
        record.exc_info = (type(error), error, error.__traceback__)
        return formatter.format(record)

    try:
        Settings(database="SECRET", admin_token="SECRET")
    except ValueError as error:
        line = logged(error)
    assert "SECRET" not in line
    told = json.loads(line)
    assert told["what"] == "broke for %s"
    assert told["error"] == "ValueError"
    assert told["at"][-1].startswith("collector/settings.py:")


@pytest.mark.parametrize("token", ["", "short", "x" * 31, "with a space in the middle of it all", "é" * 40])
def test_an_admin_token_must_be_long(token: str) -> None:
    with pytest.raises(ValueError, match="the admin token must"):
        Settings(database="sqlite:///x", admin_token=token)


def test_settings_say_what_they_take() -> None:
    given = {"database": "sqlite:///x", "admin_token": "x" * 32}
    assert "x" * 32 not in repr(Settings(**given))
    with pytest.raises(ValueError, match="name the origins"):
        Settings(**given, allow_origins=("*",))
    with pytest.raises(ValueError, match="connections must be above 0"):
        Settings(**given, connections=0)
