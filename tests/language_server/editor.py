"""An editor for the tests: a client that keeps its documents, applies edits, and waits for what the server tells."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types
from lsprotocol.types import Position, PositionEncodingKind, Range
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import register_lsp_features

from hipify_py.language_server.commands import COVERAGE_NOTIFICATION

CODECS = {
    PositionEncodingKind.Utf8: ("utf-8", 1),
    PositionEncodingKind.Utf16: ("utf-16-le", 2),
    PositionEncodingKind.Utf32: ("utf-32-le", 4),
}

PATIENCE = 60.0
"""Seconds after which a test that waits for a message has failed."""


class Editor(LanguageClient):
    """A client with documents; positions are worked out by means of its own."""

    def __init__(self) -> None:
        super().__init__(converter_factory=default_converter)
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.published: list[types.PublishDiagnosticsParams] = []
        self.registrations: list[types.Registration] = []
        self.coverage: list[Any] = []
        self.refreshed: list[str] = []
        self.encoding = PositionEncodingKind.Utf16
        self.server_capabilities = types.ServerCapabilities()
        self._news = asyncio.Event()

    async def begin(self, capabilities: types.ClientCapabilities | str, root: Path, **options: Any) -> None:
        """Start a session, as a client of that name or with those capabilities."""
        if isinstance(capabilities, str):
            capabilities = client_capabilities(capabilities)
        params = types.InitializeParams(
            capabilities=capabilities, root_uri=root.as_uri(), initialization_options=options or None
        )
        result = await self.initialize_session(params)
        self.server_capabilities = result.capabilities
        self.encoding = PositionEncodingKind(result.capabilities.position_encoding or "utf-16")

    @property
    def pulls(self) -> bool:
        """Whether it asks for diagnostics."""
        return self.server_capabilities.diagnostic_provider is not None

    def open(self, uri: str | Path, text: str, language: str = "cuda") -> str:
        """Open a document, and return its URI."""
        uri = uri.as_uri() if isinstance(uri, Path) else uri
        self.texts[uri], self.versions[uri] = text, 1
        item = types.TextDocumentItem(uri, language, 1, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def edit(self, uri: str, *edits: types.TextEdit) -> None:
        """Edit a document, each edit as it is after those before it."""
        self.versions[uri] += 1
        changes: list[types.TextDocumentContentChangeEvent] = []
        for edit in edits:
            self.texts[uri] = self.applied(self.texts[uri], [edit])
            changes.append(types.TextDocumentContentChangePartial(edit.range, edit.new_text))
        identifier = types.VersionedTextDocumentIdentifier(uri=uri, version=self.versions[uri])
        self.text_document_did_change(types.DidChangeTextDocumentParams(identifier, changes))

    def replace(self, uri: str, old: str, new: str) -> None:
        """Replace the one place of a text."""
        assert self.texts[uri].count(old) == 1, old
        self.edit(uri, types.TextEdit(self.range_of(uri, old), new))

    def close(self, uri: str) -> None:
        """Close a document."""
        self.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def apply(self, action: types.CodeAction) -> None:
        """Do what a code action says."""
        assert action.edit is not None
        for uri, edits in edits_by_document(action.edit).items():
            ends_first = sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character))
            self.edit(uri, *reversed(ends_first))

    def applied(self, text: str, edits: list[types.TextEdit]) -> str:
        """A text with edits, the last of them first."""
        for edit in edits:
            start, end = self.index(text, edit.range.start), self.index(text, edit.range.end)
            text = text[:start] + edit.new_text + text[end:]
        return text

    def range_of(self, uri: str, part: str) -> Range:
        """The range of the first place of a part of a text."""
        start = self.texts[uri].index(part)
        return Range(self.position(self.texts[uri], start), self.position(self.texts[uri], start + len(part)))

    def under(self, uri: str, range: Range) -> str:
        """The text in a range."""
        text = self.texts[uri]
        return text[self.index(text, range.start) : self.index(text, range.end)]

    def index(self, text: str, position: Position) -> int:
        """The index of a position, in characters; that of the end for one behind the text."""
        codec, width = CODECS[self.encoding]
        for number, (start, line) in enumerate(lines_of(text)):
            if number == position.line:
                before = line.encode(codec, "surrogatepass")[: position.character * width]
                return start + len(before.decode(codec, "surrogatepass"))
        return len(text)

    def position(self, text: str, index: int) -> Position:
        """The position of an index."""
        codec, width = CODECS[self.encoding]
        number, (start, _) = [entry for entry in enumerate(lines_of(text)) if entry[1][0] <= index][-1]
        return Position(number, len(text[start:index].encode(codec, "surrogatepass")) // width)

    async def findings(self, uri: str) -> list[types.Diagnostic]:
        """The diagnostics of the present version of a document, whether they are published or asked for."""
        wanted = self.versions[uri]
        if self.pulls:
            params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
            report = await self.text_document_diagnostic_async(params)
            assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
            self.diagnostics[uri] = report.items
            return [*report.items]

        def found() -> types.PublishDiagnosticsParams | None:
            return next((each for each in self.published if each.uri == uri and each.version == wanted), None)

        return [*(await self.until(found)).diagnostics]

    async def next_findings(self, uri: str, act: Callable[[], object]) -> list[types.Diagnostic]:
        """The diagnostics that are published for a document after something has been done."""
        before = len(self.published)
        act()
        if self.pulls:
            return await self.findings(uri)

        def found() -> types.PublishDiagnosticsParams | None:
            return next((each for each in self.published[before:] if each.uri == uri), None)

        return [*(await self.until(found)).diagnostics]

    async def until(self, found: Callable[[], Any]) -> Any:
        """Wait for messages until there is something."""
        while not (result := found()):
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), PATIENCE)
        return result

    async def actions(self, uri: str, range: Range, only: list[str] | None = None) -> dict[str, types.CodeAction]:
        """The code actions at a range, by title."""
        context = types.CodeActionContext(
            [found for found in self.diagnostics.get(uri, ()) if found.range == range], only=only
        )
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), range, context)
        found = await self.text_document_code_action_async(params)
        return {action.title: action for action in found or ()}  # type: ignore[misc]

    async def hover(self, uri: str, part: str) -> types.Hover | None:
        """The hover at the middle of the first place of a part of a text."""
        at = self.position(self.texts[uri], self.texts[uri].index(part) + len(part) // 2)
        return await self.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier(uri), at))

    async def run_command(self, command: str, *arguments: Any) -> Any:
        """The result of a command of the server, as plain data."""
        params = types.ExecuteCommandParams(command, [*arguments])
        return await self.workspace_execute_command_async(params)

    def watched(self, *changes: tuple[Path, types.FileChangeType]) -> None:
        """Tell the server of changes on the disk."""
        events = [types.FileEvent(path.as_uri(), kind) for path, kind in changes]
        self.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))

    def news(self) -> None:
        """Wake what waits for messages."""
        self._news.set()


def make_editor() -> Editor:
    """An editor that hears all that the server says."""
    editor = Editor()
    register_lsp_features(editor)

    def listen(method: str, note: Callable[[Any], object]) -> None:
        editor.protocol.fm.features.pop(method, None)

        @editor.feature(method)
        def heard(params: Any) -> None:
            note(params)
            editor.news()

    def publish(params: types.PublishDiagnosticsParams) -> None:
        editor.published.append(params)
        editor.diagnostics[params.uri] = params.diagnostics

    def refresh(params: Any) -> None:
        editor.diagnostic_refresh_count += 1

    listen(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, publish)
    listen(types.CLIENT_REGISTER_CAPABILITY, lambda params: editor.registrations.extend(params.registrations))
    listen(types.WINDOW_SHOW_MESSAGE, editor.messages.append)
    listen(types.WORKSPACE_DIAGNOSTIC_REFRESH, refresh)
    listen(types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH, lambda params: editor.refreshed.append(params.uri))
    listen(COVERAGE_NOTIFICATION, editor.coverage.append)
    return editor


def environment() -> Mapping[str, str]:
    """That of a server of this checkout."""
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


def edits_by_document(edit: types.WorkspaceEdit) -> dict[str, list[types.TextEdit]]:
    """The edits of a workspace, in either form of the protocol."""
    if edit.changes is not None:
        return {uri: [*edits] for uri, edits in edit.changes.items()}
    found: dict[str, list[types.TextEdit]] = {}
    for change in edit.document_changes or ():
        assert isinstance(change, types.TextDocumentEdit)
        found[change.text_document.uri] = [each for each in change.edits if isinstance(each, types.TextEdit)]
    return found


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text without their endings, with their indexes."""
    start = 0
    for match in re.finditer(r"\r\n|\n|\r|\Z", text):
        yield start, text[start : match.start()]
        start = match.end()
