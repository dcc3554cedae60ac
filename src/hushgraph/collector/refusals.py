"""What is answered to a request that is not granted: a status, and why, in words of ours alone."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response


class RefusedError(Exception):
    """Ends a request with a status and a reason; ``headers`` go with them."""

    def __init__(self, status: int, why: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(why)
        self.status, self.why, self.headers = status, why, dict(headers or {})


def unauthorized(why: str = "the token is missing, wrong or expired") -> RefusedError:
    """401: nothing says which of these it is."""
    return RefusedError(401, why, {"WWW-Authenticate": "Bearer"})


def busy(why: str, seconds: int = 1, status: int = 503) -> RefusedError:
    """503 (or 429): the same request may be granted later."""
    return RefusedError(status, why, {"Retry-After": str(seconds)})


def refusal(status: int, why: str, headers: Mapping[str, str] | None = None) -> Response:
    """The answer itself."""
    return JSONResponse({"why": why}, status, headers)


async def answer_refusal(_: Request, error: Exception) -> Response:
    """As an exception handler."""
    assert isinstance(error, RefusedError)
    return refusal(error.status, error.why, error.headers)
