"""The pages and the browser's SDK, as files; a page gets its token in the fragment, which is not sent."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from hushgraph.collector import service
from hushgraph.collector.refusals import RefusedError

HERE = Path(__file__).parent
PAGES = HERE / "pages"
# In an installed package; in a checkout the SDK lies where it is made.
SDK = (HERE / "sdk", HERE.parents[2] / "clients" / "js" / "src")
# Asked again each time, answered with 304 where nothing changed.
FRESH = {"Cache-Control": "no-cache"}


class _Files(StaticFiles):
    def file_response(self, *given: object, **named: object) -> Response:
        """A file that browsers ask for again."""
        response = super().file_response(*given, **named)  # type: ignore[arg-type]
        response.headers.update(FRESH)
        return response

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file; what is no address of one is not there either."""
        try:
            return await super().get_response(path, scope)
        except ValueError:
            raise RefusedError(404, "there is nothing here") from None


def mount(app: FastAPI) -> None:
    """Adds the pages, as far as they are there."""
    for path, file in (
        ("/", "index.html"),
        ("/participate/{id}", "participate.html"),
        ("/dashboard/{id}", "dashboard.html"),
    ):
        _page(app, path, PAGES / file)
    for folder in SDK:
        if folder.is_dir():
            app.mount("/static/sdk", _Files(directory=folder), name="sdk")
            break
    if PAGES.is_dir():
        app.mount("/static", _Files(directory=PAGES), name="static")


def _page(app: FastAPI, path: str, file: Path) -> None:
    async def page(request: Request) -> Response:
        if "id" in request.path_params:
            await service.of(request).campaign(request.path_params["id"])
        if not file.is_file():
            raise RefusedError(404, "this collector has no pages")
        return FileResponse(file, media_type="text/html", headers=FRESH)

    app.add_route(path, page, methods=["GET"], include_in_schema=False)
