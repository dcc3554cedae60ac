"""What answers look like, for the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Security
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field

CampaignId = Annotated[
    str,
    Path(
        alias="id",
        description="The SHA-256 of the campaign's terms, 64 hexadecimal digits.",
        json_schema_extra={"pattern": "^[0-9a-f]{64}$"},
    ),
]
BYTES = "application/octet-stream"
ADMIN = [Security(HTTPBearer(scheme_name="admin", description="The admin token.", auto_error=False))]
PERSON = [
    Security(
        HTTPBearer(scheme_name="person", description="A person's token of a campaign.", auto_error=False)
    )
]


class Why(BaseModel):
    """Why something was refused."""

    why: str


class CampaignStatus(BaseModel):
    """A campaign and its counts; times are seconds since 1970."""

    id: str
    name: str
    state: str
    num_people: int | None
    reports: int
    withdrawn: int
    tokens: int
    created: int
    opened: int | None
    closed: int | None


class Kept(BaseModel):
    """What became of a report."""

    state: str


class Refused(BaseModel):
    """An entry of a batch that was not kept."""

    entry: int
    status: int
    why: str


class BatchResult(BaseModel):
    """What became of a batch; entries that are not named are kept."""

    kept: int
    again: int
    refused: list[Refused]


class TokensAsked(BaseModel):
    """Whose tokens to make."""

    model_config = ConfigDict(extra="forbid", strict=True)

    first: int = Field(0, ge=0, lt=1 << 63)
    count: int = Field(ge=1, le=100_000_000)
    days: float | None = Field(None, gt=0, le=36_500)


class TokenGiven(BaseModel):
    """A token that the hook's owner vouched for."""

    person: int
    token: str


WORDS = {
    400: "Not understood.",
    401: "The token is missing, wrong, expired, or of another campaign.",
    403: "Not allowed.",
    404: "There is none.",
    405: "Not with this method.",
    408: "The body came too slowly.",
    409: "It contradicts what is there.",
    410: "Withdrawn, for good.",
    413: "Too large.",
    422: "Malformed; says why, and repeats nothing.",
    429: "Too many requests; Retry-After says when to come again.",
    503: "Not now; Retry-After says when to come again.",
}


Answers = dict[int | str, dict[str, Any]]


def answers(*statuses: int, ok: dict[str, Any] | None = None) -> Answers:
    """The refusals of a route, and what it answers with 200 where its type does not say so."""
    granted: Answers = {} if ok is None else {200: ok}
    refused: Answers = {
        status: {"model": Why, "description": WORDS[status]} for status in sorted({*statuses, 400, 503})
    }
    return granted | refused


def body(kind: str, what: str, schema: dict[str, Any] | None = None) -> dict[str, Any]:
    """A request body that a route reads by itself."""
    content = {kind: {"schema": schema or {"type": "string", "format": "binary"}}}
    return {"requestBody": {"required": True, "description": what, "content": content}}
