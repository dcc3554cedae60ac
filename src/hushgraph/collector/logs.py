"""Logs: one JSON object a line on standard error.

They say what was asked (a route's template, never an address with ids in it), how it was answered and how
long it took. Of an error they say its type and the places in the code: never its message, which may hold a
value.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

logger = logging.getLogger("hushgraph.collector")
_HOME = str(Path(__file__).parents[1])


class _OneLine(logging.Formatter):
    """Of other libraries' records only the template is kept, without what was put into it."""

    def format(self, record: logging.LogRecord) -> str:
        facts = {"time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")}
        facts["level"] = record.levelname.lower()
        if record.name == logger.name:
            facts |= getattr(record, "facts", {})
        else:
            facts |= {"from": record.name, "what": str(record.msg).strip()}
        if record.exc_info and record.exc_info[1] is not None:
            facts |= _described(record.exc_info[1])
        return json.dumps(facts, ensure_ascii=False, separators=(",", ":"))


def set_up(level: str = "info") -> None:
    """Sends everything that this process logs to standard error, in this form."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneLine())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logger.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        other = logging.getLogger(name)
        other.handlers[:] = []
        other.propagate = name != "uvicorn.access"
        other.setLevel(logging.ERROR)


def event(what: str, **facts: Any) -> None:
    """Something that happened."""
    logger.info(what, extra={"facts": {"what": what, **facts}})


def warn(what: str, **facts: Any) -> None:
    """Something that whoever runs the collector should know."""
    logger.warning(what, extra={"facts": {"what": what, **facts}})


def problem(what: str, error: BaseException) -> None:
    """Something that went wrong in here."""
    logger.error(what, extra={"facts": {"what": what, **_described(error)}})


def _described(error: BaseException) -> dict[str, Any]:
    """The type of an error, and where in hushgraph it came by; neither its message nor any value."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [
        f"{Path(frame.filename).relative_to(_HOME)}:{frame.lineno} {frame.name}"
        for frame in frames
        if frame.filename.startswith(_HOME)
    ]
    return {"error": type(error).__name__, "at": places}
