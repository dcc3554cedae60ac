"""Prometheus metrics; labels are few and known beforehand."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

# Any other is counted as another, so that there are only so many labels.
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
REPORTS = (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)


class Metrics:
    """What one process counts."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "hushgraph_requests", "Requests.", ("route", "method", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "hushgraph_request_seconds",
            "How long they took.",
            ("route",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._reports = Counter(
            "hushgraph_reports",
            "Reports, by the status they were answered with.",
            ("status",),
            registry=self.registry,
        )
        self._round_reports = Histogram(
            "hushgraph_round_reports", "Reports in a transaction.", buckets=REPORTS, registry=self.registry
        )
        self._round_seconds = Histogram(
            "hushgraph_round_seconds", "How long a transaction took.", buckets=SECONDS, registry=self.registry
        )

    def request(self, route: str, method: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self._requests.labels(route, method, status).inc()
        self._seconds.labels(route).observe(seconds)

    def reports(self, status: int, count: int = 1) -> None:
        """Reports were decided about."""
        self._reports.labels(status).inc(count)

    def round(self, reports: int, seconds: float) -> None:
        """A transaction was written."""
        self._round_reports.observe(reports)
        self._round_seconds.observe(seconds)

    def gauge(self, name: str, what: str, value: Callable[[], float]) -> None:
        """Something that is looked at when it is asked for."""
        Gauge(f"hushgraph_{name}", what, registry=self.registry).set_function(value)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)
