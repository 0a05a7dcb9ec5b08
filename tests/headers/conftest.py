"""A package index on this machine, with wheels made on the spot. It serves parts of files, as real ones do."""

from __future__ import annotations

import io
import threading
import zipfile
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hipify_py.headers.index import Index


class LocalIndex:
    """The index.

    Attributes:
        files: what it serves, by path.
        asked: the paths that were asked for, each with its `Authorization` or nothing.
        serves_parts: whether it knows ranges.
        answers: what to answer in place of what is asked, by path: a status.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.asked: list[tuple[str, str]] = []
        self.serves_parts = True
        self.answers: dict[str, int] = {}
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.server.daemon_threads = True

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server.server_address[1]}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/simple/"

    @property
    def index(self) -> Index:
        return Index((self.url,), patience=10)

    def add(self, project: str, version: str, members: Mapping[str, bytes | str]) -> str:
        """Add a wheel, and return its path."""
        name = f"{project.replace('-', '_')}-{version}-py3-none-any.whl"
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
            for member, content in members.items():
                file.writestr(zipfile.ZipInfo(member), content, zipfile.ZIP_DEFLATED)
        self.files[f"/files/{name}"] = buffer.getvalue()
        page = f"/simple/{project}/"
        self.files[page] = self.files.get(page, b"") + f'<a href="/files/{name}">{name}</a>\n'.encode()
        return f"/files/{name}"


def _handler(index: LocalIndex) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            index.asked.append((self.path, self.headers.get("Authorization", "")))
            data = index.files.get(self.path)
            status = index.answers.get(self.path, 404 if data is None else 200)
            if data is None or status != 200:
                self._send(status, b"")
                return
            wanted = self.headers.get("Range", "")
            if not wanted or not index.serves_parts:
                self._send(200, data)
                return
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            start = int(first) if first else max(0, len(data) - int(last))
            end = min(int(last) + 1, len(data)) if first and last else len(data)
            self._send(206, data[start:end], {"Content-Range": f"bytes {start}-{end - 1}/{len(data)}"})

        def _send(self, status: int, data: bytes, more: Mapping[str, str] | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "text/html" if self.path.endswith("/") else "application/octet-stream")
            self.send_header("Content-Length", str(len(data)))
            for name, value in (more or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *arguments: object) -> None:
            """Tests read `asked`."""

    return Handler


@pytest.fixture
def index() -> Iterator[LocalIndex]:
    pytest.importorskip("pypi_simple")
    pytest.importorskip("remotezip")
    local = LocalIndex()
    thread = threading.Thread(target=local.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield local
    local.server.shutdown()
    local.server.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither proxies nor accounts of this machine."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("NETRC", "/nowhere")
