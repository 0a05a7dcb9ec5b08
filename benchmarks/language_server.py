"""What an editor waits for: the answers of `hipify-py lsp` about one CUDA file, over its standard streams.

The server is a process of this interpreter, as an editor starts it. It opens the file, and then the file is edited
again and again: a character is typed at its middle, a line at its beginning. CPU is the user and system time of the
server for one answer, its threads and what it starts included, read from /proc before and after; the pauses in which
the server waits for further edits cost none. Each figure is also set against one translation of the same text by
`translate` in this process, which knows no project.

An edit is to take at most 150 ms of CPU for a file of 2,000 lines.
"""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from measure import argument_parser, environment_with_cache, goal, show_table
from pygls.lsp.client import LanguageClient

import hipify_py

_WANTED = 150.0
"""Milliseconds of CPU that an edit may take, for each 2,000 lines."""

_LINES = 2000

_CALL = re.compile(r"\b(?:cuda(?:Malloc|Free|Memcpy|Memset|GetLastError|DeviceSynchronize)|__syncthreads) *\(")
"""A call that most files have."""


class Editor(LanguageClient):
    """A client that waits for diagnostics."""

    def __init__(self) -> None:
        super().__init__("benchmark", "1")
        self.seen: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.seen.put_nowait(params)

        @self.feature(types.WINDOW_LOG_MESSAGE)
        @self.feature(types.WINDOW_SHOW_MESSAGE)
        def told(params: Any) -> None:
            print(params.message, file=sys.stderr)

    def cpu(self) -> float:
        """The seconds of user and system time of the server, and of the processes that it has waited for."""
        assert self._server is not None
        words = Path(f"/proc/{self._server.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")

    async def findings(self, version: int) -> int:
        """Wait for the diagnostics of a version; their number."""
        while (params := await self.seen.get()).version != version:
            pass
        return len(params.diagnostics)


async def measured(editor: Editor, repeats: int, work: Callable[[], Awaitable[object]]) -> float:
    """The milliseconds of CPU of one answer, the mean of several: the system counts in steps of 10 ms."""
    before = editor.cpu()
    for _ in range(repeats):
        await work()
    return (editor.cpu() - before) * 1000 / repeats


async def session(path: Path, repeats: int, environment: dict[str, str]) -> dict[str, float]:
    """The milliseconds of CPU of each kind of answer, in one session."""
    editor = Editor()
    await editor.start_io(sys.executable, "-m", "hipify_py", "lsp", env=environment)
    await editor.initialize_async(types.InitializeParams(types.ClientCapabilities(), root_uri=path.parent.as_uri()))
    editor.initialized(types.InitializedParams())
    text, uri, version = path.read_text(encoding="utf-8", errors="replace"), path.as_uri(), 1
    identifier = types.TextDocumentIdentifier(uri)
    lines = text.split("\n")
    middle = next(number for number, line in enumerate(lines) if number >= len(lines) // 2 and line.startswith("    "))
    name = next((number, call.start()) for number, line in enumerate(lines) if (call := _CALL.search(line)))

    async def open_file() -> None:
        editor.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "cuda", version, text))
        )
        await editor.findings(version)

    async def edit(line: int, new: str) -> None:
        nonlocal version
        version += 1
        start = types.Position(line, 0)
        change = types.TextDocumentContentChangePartial(types.Range(start, start), new)
        changed = types.VersionedTextDocumentIdentifier(uri=uri, version=version)
        editor.text_document_did_change(types.DidChangeTextDocumentParams(changed, [change]))
        await editor.findings(version)

    async def hover() -> None:
        place = types.Position(name[0] + (version - 1 - typed), name[1] + 5)
        found = await editor.text_document_hover_async(types.HoverParams(identifier, place))
        assert found is not None, "nothing is known of the name"

    async def act() -> None:
        whole = types.Range(types.Position(0, 0), types.Position(len(lines), 0))
        await editor.text_document_code_action_async(
            types.CodeActionParams(identifier, whole, types.CodeActionContext([]))
        )

    async def show() -> None:
        await editor.workspace_execute_command_async(types.ExecuteCommandParams("hipify-py.showTranslation", [uri]))

    found = {"start": editor.cpu() * 1000, "first open": await measured(editor, 1, open_file)}
    typed = repeats
    found["a character"] = await measured(editor, repeats, lambda: edit(middle, " "))
    found["a line before all others"] = await measured(editor, repeats, lambda: edit(0, "\n"))
    found["hover, the first"] = await measured(editor, 1, hover)
    found["hover"] = await measured(editor, 4 * repeats, hover)
    found["code actions"] = await measured(editor, 4 * repeats, act)
    found["show translation"] = await measured(editor, 4 * repeats, show)
    await editor.shutdown_async(None)
    editor.exit(None)
    await editor.stop()
    return found


def bare(path: Path, repeats: int) -> float:
    """The milliseconds of CPU of a translation of a file's text alone, once everything is loaded."""
    data = path.read_bytes()
    hipify_py.translate(data, path=str(path))
    before = time.process_time()
    for _ in range(repeats):
        hipify_py.translate(data, path=str(path))
    return (time.process_time() - before) * 1000 / repeats


def main() -> None:
    parser = argument_parser(__doc__, rounds=3)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="CUDA files in their trees")
    parser.add_argument("--edits", type=int, default=20, metavar="N", help="edits in a round, %(default)s by default")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = environment_with_cache(folder)
        os.environ.update(environment)
        for path in options.files:
            path = path.resolve()
            lines = path.read_bytes().count(b"\n")
            alone = statistics.median(bare(path, options.edits) for _ in range(options.rounds))
            rounds = [asyncio.run(session(path, options.edits, environment)) for _ in range(options.rounds)]
            figures = {key: statistics.median(each[key] for each in rounds) for key in rounds[0]}
            print(f"{path.name}, {lines} lines; translate: {alone:.0f} ms")
            show_table(
                ["answer", "CPU ms", "times translate"],
                [[key, f"{value:.1f}", f"{value / alone:.2f}"] for key, value in figures.items()],
            )
            worst = max(figures["a character"], figures["a line before all others"])
            wanted = _WANTED * max(lines / _LINES, 1.0)
            print(goal("an edit", f"{worst:.0f} ms", f"{wanted:.0f} ms", worst <= wanted))
            print()


if __name__ == "__main__":
    main()
