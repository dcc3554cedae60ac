"""Runs a collector until it is told to stop."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from hushgraph.collector import logs
from hushgraph.collector.app import make_app
from hushgraph.collector.connections import GuardedProtocol
from hushgraph.collector.settings import Settings
from hushgraph.collector.stores import open_store

TO_FINISH = 30
"""Seconds that requests in progress have after SIGTERM."""


def serve(
    settings: Settings,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    trusted_proxies: str | None = None,
    log_level: str = "info",
    on_start: Callable[[str], None] = lambda address: None,
) -> None:
    """Serves until SIGTERM or Ctrl-C; what waits to be written then is written first.

    Args:
        settings: what it is told.
        host, port: where it listens; port 0 takes a free one.
        trusted_proxies: addresses whose X-Forwarded-For is believed, with commas between them.
        log_level: of the logs on standard error.
        on_start: told the address once it listens.
    """
    logs.set_up(log_level)
    store = open_store(settings.database)
    guarded = type(
        "Guarded",
        (GuardedProtocol,),
        {
            "header_seconds": settings.header_seconds,
            "message_seconds": settings.body_seconds + settings.header_seconds,
            "most": settings.connections,
        },
    )
    try:
        listening = _listen(host, port)
        config = uvicorn.Config(
            make_app(settings, store),
            http=guarded,
            ws="none",
            loop="auto",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=trusted_proxies is not None,
            forwarded_allow_ips=trusted_proxies,
            backlog=2048,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=TO_FINISH,
        )
        name = f"[{host}]" if ":" in host else host
        on_start(f"http://{name}:{listening.getsockname()[1]}")
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        store.engine.dispose()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise OSError(f"cannot listen on {host}:{port}: {error.strerror}") from None
    listening.listen(2048)
    return listening
