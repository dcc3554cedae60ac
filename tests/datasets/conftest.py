"""What the tests of the datasets share."""

import csv
import io
import json
import os
import threading
import zipfile
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hushgraph.graph import Graph


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of the real graphs; tests that need it are skipped where there is none."""
    folder = os.environ.get("HUSHGRAPH_DATA")
    if not folder or not (Path(folder) / "cora.npz").exists():
        pytest.skip("the environment variable HUSHGRAPH_DATA names no folder with the real graphs")
    return Path(folder)


@pytest.fixture
def small_graph() -> Graph:
    """Four people in a line, with real-valued features and one label missing."""
    features = np.array([[0.5, 0, 0], [0, 2, 0], [0, 0, 0], [1, 1, 1]], np.float32)
    return Graph([[0, 1, 2], [1, 2, 3]], features, np.array([0, 2, -1, 1]), name="small")


@pytest.fixture(scope="session")
def snap_zip() -> Callable[..., bytes]:
    """Writes a graph back into SNAP's layout, with what the real archives have in them:
    self-loops, repeated features, names with commas, and the hidden files of a Mac.
    """

    def write(graph: Graph, label_column: str, class_names: tuple[str, ...] = ()) -> bytes:
        lists = np.split(graph.features.indices, graph.features.indptr[1:-1])
        features = {str(node): likes.tolist() for node, likes in reversed(list(enumerate(lists)))}
        features["0"] += features["0"][:1]
        words = [class_names[label] if class_names else label for label in graph.labels]
        people = [[node, f"Müller, {node}", word] for node, word in enumerate(words)]
        edges = [*graph.edges[::-1].T.tolist(), [0, 0], [2, 2]]
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as files:
            files.writestr("net/musae_features.json", json.dumps(features))
            files.writestr("net/musae_edges.csv", _csv([["id_1", "id_2"], *edges]))
            files.writestr("net/musae_target.csv", _csv([["id", "name", label_column], *people]))
            files.writestr("__MACOSX/net/._musae_edges.csv", b"\x00")
            files.writestr("net/README.txt", "")
        return archive.getvalue()

    return write


@pytest.fixture
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A real web server on this machine: its address, and the folder it serves.

    A file whose name ends in ``.short`` is announced longer than it is.
    """
    folder = tmp_path_factory.mktemp("web")

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(folder))

        def send_header(self, keyword: str, value: str) -> None:
            if keyword == "Content-Length" and self.path.endswith(".short"):
                value = str(int(value) + 1_000)
            super().send_header(keyword, value)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", folder
        server.shutdown()
        thread.join()


def _csv(rows: list[list[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()
