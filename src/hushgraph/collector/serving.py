"""Runs a collector until it is told to stop."""

from __future__ import annotations

import gc
import signal
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import uvicorn
from uvicorn.middleware.proxy_headers import _TrustedHosts

from hushgraph.collector import logs
from hushgraph.collector.app import make_app
from hushgraph.collector.connections import GuardedProtocol
from hushgraph.collector.settings import Settings
from hushgraph.collector.stores import Store, open_store

TO_FINISH = 30
"""Seconds that requests in progress have after SIGTERM."""


@dataclass(frozen=True, slots=True)
class Collector:
    """A collector that listens, and answers once it runs."""

    address: str
    store: Store
    server: uvicorn.Server
    listening: socket.socket

    def run(self) -> None:
        """Serves until SIGTERM, Ctrl-C or :meth:`stop`; what waits to be written then is written first."""
        try:
            self.server.run(sockets=[self.listening])
        finally:
            self.listening.close()
            self.store.engine.dispose()

    def stop(self) -> None:
        """Ends :meth:`run`, from another thread."""
        self.server.should_exit = True


def listen(
    settings: Settings, host: str = "127.0.0.1", port: int = 8000, trusted_proxies: str | None = None
) -> Collector:
    """Opens the database and a port; 0 takes a free one."""
    store = open_store(settings.database)
    try:
        limits = {
            "header_seconds": settings.header_seconds,
            "message_seconds": settings.body_seconds + settings.header_seconds,
            "send_seconds": settings.send_seconds,
            "most": settings.connections,
            "most_of_one": settings.connections_of_one,
            "proxies": _TrustedHosts(trusted_proxies or []),
            "of_each": Counter(),
        }
        config = uvicorn.Config(
            make_app(settings, store),
            http=type("Guarded", (GuardedProtocol,), limits),
            ws="none",
            loop="auto",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=trusted_proxies is not None,
            forwarded_allow_ips=trusted_proxies,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=TO_FINISH,
        )
        listening = _bound(host, port)
    except BaseException:
        store.engine.dispose()
        raise
    name = f"[{host}]" if ":" in host else host
    return Collector(f"http://{name}:{listening.getsockname()[1]}", store, uvicorn.Server(config), listening)


def serve(
    settings: Settings,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    trusted_proxies: str | None = None,
    log_level: str = "info",
    on_start: Callable[[str], None] = lambda address: None,
) -> None:
    """Serves until it is told to stop.

    Args:
        settings: what it is told.
        host, port: where it listens; port 0 takes a free one.
        trusted_proxies: addresses whose X-Forwarded-For is believed, with commas between them.
        log_level: of the logs on standard error.
        on_start: told the address once it listens.
    """
    logs.set_up(log_level)
    # uvicorn finishes what it has, and then raises the signal again.
    signal.signal(signal.SIGTERM, _leave)
    collector = listen(settings, host, port, trusted_proxies)
    on_start(collector.address)
    # What is there now stays: to look through it for garbage again and again would hold up every request.
    gc.freeze()
    with suppress(KeyboardInterrupt):
        collector.run()


def _leave(*_: object) -> None:
    raise SystemExit(0)


def _bound(host: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise OSError(f"cannot listen on {host}:{port}: {error.strerror}") from None
    listening.listen(2048)
    return listening
