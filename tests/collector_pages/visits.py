"""What people do on the pages, and what their browsers sent and said meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

HEX = "#report-bytes"


@dataclass
class Sent:
    """One request, all of it."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes

    def holds(self, word: str) -> bool:
        written = word.encode()
        return any(written in part for part in (self.url.encode(), repr(self.headers).encode(), self.body))


@dataclass
class Visits:
    """Devices, their pages, and all that left them."""

    browser: Any
    address: str
    requests: list[Sent] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    devices: list[Any] = field(default_factory=list)

    @property
    def urls(self) -> list[str]:
        return [sent.url for sent in self.requests if not sent.url.startswith(("data:", "blob:"))]

    def device(self, width: int = 1280, **options: Any) -> Any:
        """A browser with nothing kept yet."""
        device = self.browser.new_context(viewport={"width": width, "height": 900}, **options)
        device.set_default_timeout(15_000)
        self.devices.append(device)
        device.on("request", self._requested)
        device.on("weberror", lambda error: self.complaints.append(str(error.error)))
        device.on("console", self._said)
        return device

    def participant(self, link: str, device: Any = None, **options: Any) -> Any:
        """A page of somebody who is asked."""
        page = (device or self.device(**options)).new_page()
        page.goto(link)
        page.locator("main[aria-busy=false]").wait_for()
        return page

    def dashboard(self, asked: Any, device: Any = None, **options: Any) -> Any:
        """A dashboard, of whoever has the administrator token."""
        page = (device or self.device(**options)).new_page()
        page.goto(asked.dashboard)
        sign_in(page, asked.collector.admin)
        page.locator(".board").wait_for()
        return page

    def close(self) -> None:
        for device in self.devices:
            device.close()

    def _requested(self, request: Any) -> None:
        body = request.post_data_buffer or b""
        self.requests.append(Sent(request.method, request.url, request.all_headers(), body))

    def _said(self, message: Any) -> None:
        # That a request was refused is no complaint: a page asks whether there is a report already.
        if "Failed to load resource" not in message.text:
            self.complaints.append(message.text)


def sign_in(page: Any, token: str) -> None:
    page.get_by_label("Administrator token").fill(token)
    page.get_by_role("button", name="Show the dashboard").click()


def randomise(page: Any, label: str = "Xylophone") -> bytes:
    """Fills in the least that is needed, and returns the bytes that are shown."""
    page.get_by_label(label, exact=True).check()
    page.get_by_role("button", name="Randomise my answer").click()
    return shown_bytes(page)


def shown_bytes(page: Any) -> bytes:
    return bytes.fromhex(page.locator(HEX).inner_text())


def send(page: Any) -> None:
    page.get_by_role("button", name="Send").click()
    page.get_by_role("heading", name="Your answer is sent").wait_for()


def press(page: Any, name: str, then: str) -> None:
    """A button and the one that confirms it."""
    page.get_by_role("button", name=name).click()
    page.get_by_role("dialog").get_by_role("button", name=then).click()
