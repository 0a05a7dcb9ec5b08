"""`hipify-py lsp` as a command: its streams, its statuses, and what it says where pygls is not installed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from hipify_py.cli import main

from .editor import environment

NOISY = """
import os, subprocess, sys
from hipify_py.cli.lsp import _streams
stdin, stdout = _streams()
print("from Python")
os.write(1, b"from below\\n")
subprocess.run([sys.executable, "-c", "print('from a child')"], check=True)
assert sys.stdin.read() == ""
stdout.write(b"protocol: " + stdin.read())
stdout.close()
"""


def _message(**content: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def _serve(*messages: bytes) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "hipify_py", "lsp", "--stdio"]
    return subprocess.run(command, input=b"".join(messages), capture_output=True, env={**environment()}, timeout=60)


INITIALIZE = _message(id=1, method="initialize", params={"capabilities": {}, "processId": None, "rootUri": None})


def test_only_the_protocol_is_on_standard_output() -> None:
    done = subprocess.run([sys.executable, "-c", NOISY], input=b"in", capture_output=True, env={**environment()})
    assert done.stdout == b"protocol: in"
    assert sorted(done.stderr.decode().splitlines()) == ["from Python", "from a child", "from below"]


def test_a_session_that_ends_as_it_should() -> None:
    done = _serve(INITIALIZE, _message(id=2, method="shutdown"), _message(method="exit"))
    assert done.returncode == 0
    assert done.stdout.count(b"Content-Length: ") == 2
    assert done.stderr == b""


@pytest.mark.parametrize("messages", [(INITIALIZE,), (INITIALIZE, _message(method="exit")), ()])
def test_a_client_that_goes(messages: tuple[bytes, ...]) -> None:
    assert _serve(*messages).returncode == 1


@pytest.mark.parametrize("message", [b"Content-Length: 3\r\n\r\n{}}", _message(id=1, method="unheardOf")])
def test_what_is_not_understood_does_no_harm(message: bytes) -> None:
    done = _serve(INITIALIZE, message, _message(id=2, method="shutdown"), _message(method="exit"))
    assert done.returncode == 0
    assert b'"id": 2' in done.stdout or b'"id":2' in done.stdout


def test_a_session_that_ends_while_documents_wait() -> None:
    """The first document keeps the server busy; the second and a question about it are still waiting."""

    def opened(name: str, text: str) -> bytes:
        document = {"uri": f"file:///p/{name}", "languageId": "cuda", "version": 1, "text": text}
        return _message(method="textDocument/didOpen", params={"textDocument": document})

    place = {"textDocument": {"uri": "file:///p/b.cu"}, "position": {"line": 0, "character": 1}}
    hover = _message(id=2, method="textDocument/hover", params=place)
    busy = opened("a.cu", "void f() { cudaMalloc(0, 0); }\n" * 3000)
    end = (_message(id=3, method="shutdown"), _message(method="exit"))
    assert _serve(INITIALIZE, busy, opened("b.cu", "int a;\n"), hover, *end).returncode == 0


def test_without_pygls(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "pygls", None)
    assert main.run(["lsp"]) == 2
    assert "pip install 'hipify-py[lsp]'" in capfd.readouterr().err


def test_a_start_of_another_command_loads_none_of_it() -> None:
    code = "import sys; from hipify_py.cli import main; main.run(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**environment()})
    loaded = done.stderr.split()
    assert "hipify_py.cli.main" in loaded
    assert not [name for name in loaded if name.startswith(("pygls", "lsprotocol", "hipify_py.language_server"))]
