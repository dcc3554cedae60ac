"""What a collector is told when it starts."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

SHORTEST_ADMIN_TOKEN = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where reports are kept, who may administer, and how much is taken from whom.

    Args:
        database: ``sqlite:///file`` or ``postgresql://…``.
        admin_token: whoever has it may create, open, close and export campaigns; at least 32 characters.
        allow_origins: web origins whose pages may call the service; none by default.
        token_hook: ``module:function``, which says who a request is from; see :mod:`.hook`.
        token_days: how long a token that the hook gave is good for; None for as long as the campaign.
        largest_report, largest_batch, largest_terms: in bytes.
        body_bytes: of long reports, and of batches, that arrive or are worked on; a quarter of it for one
            token or, of batches, one address.
        body_seconds: how long a body may take to arrive.
        header_seconds: how long a request line and headers may take.
        send_seconds: how long a client may take to accept the next part of an answer.
        connections: how many there may be at a time.
        connections_of_one: how many of them from one address that is no trusted proxy.
        waiting_reports, waiting_bytes: how much may wait to be written before more is refused.
        requests, requests_a_second: of one person's token, at once and for long.
        failures, failures_a_second: wrong tokens from one address, at once and for long.
    """

    database: str = field(repr=False)
    admin_token: str = field(repr=False)
    allow_origins: tuple[str, ...] = ()
    token_hook: str | None = None
    token_days: float | None = None
    largest_report: int = 1 << 20
    largest_batch: int = 1 << 24
    largest_terms: int = 1 << 22
    body_bytes: int = 1 << 26
    body_seconds: float = 20.0
    header_seconds: float = 10.0
    send_seconds: float = 60.0
    connections: int = 1_000
    connections_of_one: int = 100
    waiting_reports: int = 50_000
    waiting_bytes: int = 1 << 26
    requests: int = 20
    requests_a_second: float = 1.0
    failures: int = 50
    failures_a_second: float = 2.0

    def __post_init__(self) -> None:
        if len(self.admin_token) < SHORTEST_ADMIN_TOKEN or not self.admin_token.isascii():
            raise ValueError(
                f"the admin token must have at least {SHORTEST_ADMIN_TOKEN} ASCII characters, "
                f"and has {len(self.admin_token)}"
            )
        if any(character.isspace() for character in self.admin_token):
            raise ValueError("the admin token must have no spaces")
        if "*" in self.allow_origins:
            raise ValueError("allow_origins must name the origins; '*' would let any page in")
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, int | float) and not 0 < value < float("inf"):
                raise ValueError(f"{one.name} must be above 0, got {value!r}")
