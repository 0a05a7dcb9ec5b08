"""The session of one client: what it is told, and when."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from hipify_py.core.installation import VERSION
from hipify_py.core.terminal_escape import visible
from hipify_py.language_server import commands
from hipify_py.language_server.analysis import Analyses, Analysis, ContentModified
from hipify_py.language_server.code_actions import CodeActions
from hipify_py.language_server.diagnostics import Diagnostics, of_configuration
from hipify_py.language_server.documents import Document, Documents, uri_of
from hipify_py.language_server.explanations import Explanations
from hipify_py.language_server.protocol import Protocol, pulls_diagnostics
from hipify_py.language_server.settings import SECTION, Reader, editor_settings
from hipify_py.language_server.translations import DIFF, TEXT, virtual_uri

DEBOUNCE = 0.2
"""Seconds without an edit after which a document is examined."""


class Server(LanguageServer):
    """The language server of one client."""

    def __init__(self, read_settings: Reader) -> None:
        super().__init__("hipify-py", VERSION, protocol_cls=Protocol, max_workers=2)
        self.read_settings = read_settings
        self.explanations = Explanations()
        self.is_shut_down = False
        self.documents: Documents
        self.analyses: Analyses
        self.diagnostics: Diagnostics
        self.code_actions: CodeActions
        self._has_begun = False
        self._pulls = False
        self._tells_coverage = False
        self._settling: dict[str, asyncio.Task[None]] = {}
        """By document, what waits until no more edits come, and tells the client of the findings then."""
        self._rests_until: dict[str, float] = {}
        """By document, the time of the event loop from which on its text counts as settled."""
        self._refreshing: asyncio.Task[None] | None = None
        self._told: set[str] = set()
        """Messages that the client has been shown since everything was last made anew."""
        self._blamed: dict[str, str] = {}
        """By document, the configuration that is shown to be wrong."""
        self._shown: set[str] = set()
        """The documents whose translations the client has asked for as documents."""

    def begin(self, params: types.InitializeParams) -> None:
        """Prepare for a client."""
        client = params.capabilities
        encoding = self.workspace.position_encoding or types.PositionEncodingKind.Utf16
        self._pulls = pulls_diagnostics(client)
        self.documents = Documents(encoding, self.workspace.root_path or ".")
        self.analyses = Analyses(self.documents, self.read_settings)
        self.diagnostics = Diagnostics(client, encoding, self.explanations)
        self.code_actions = CodeActions(client, encoding, self.diagnostics)
        self._has_begun = True
        options = params.initialization_options
        if options is not None:
            self._tells_coverage = isinstance(options, dict) and options.get("coverage") is True
            self.take_settings(options)

    def end(self) -> None:
        """Stop working: the client has asked for it."""
        self.is_shut_down = True
        if self._has_begun:
            self.analyses.close()

    def can(self, capability: str) -> bool:
        """Whether the client has a capability, named as in `pygls.capabilities`."""
        return bool(get_capability(self.client_capabilities, capability))

    def hover_formats(self) -> Sequence[types.MarkupKind]:
        """The formats that the client shows, the best first."""
        formats = get_capability(self.client_capabilities, "text_document.hover.content_format")
        return formats or [types.MarkupKind.PlainText]

    # Settings.

    async def ask_to_watch(self, wanted: Sequence[types.Registration]) -> None:
        """Ask the client to tell of changes; one that refuses is only told of findings later than it could be."""
        if not wanted:
            return
        try:
            await self.client_register_capability_async(types.RegistrationParams(wanted))
        except JsonRpcException as error:
            self.log(f"the client does not tell of changed files and settings: {error}")

    async def ask_settings(self) -> None:
        """Ask the client for its settings, if it answers such questions."""
        if not self.can("workspace.configuration"):
            return
        asked = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
        try:
            (value,) = await self.workspace_configuration_async(asked)
        except (JsonRpcException, ValueError) as error:
            self.log(f"the client did not tell its settings: {error}")
            return
        if value is not None:
            self.take_settings(value)

    def take_settings(self, value: object) -> None:
        """Take settings from the client; if they are others than before, make everything anew with them."""
        settings, wrong = editor_settings(value)
        if settings != self.analyses.editor:
            self.analyses.editor = settings
            self.explanations.documentation = settings.documentation
            self.refresh_all()
        for message in wrong:
            self.tell(message)

    # Findings.

    def examine(self, document: Document, delay: float) -> None:
        """Tell the client of the findings of a document after some seconds, unless it changes in that time."""
        waiting = self._settling.pop(document.uri, None)
        if waiting is not None:
            waiting.cancel()
        self._rests_until[document.uri] = asyncio.get_running_loop().time() + delay
        if not self._pulls:
            self._settling[document.uri] = asyncio.ensure_future(self._settle(document, delay))

    def examined(self, analysis: Analysis) -> None:
        """Let the client know what it did not ask for, after it has got the findings that it has asked for."""
        document = analysis.document
        self._settling[document.uri] = asyncio.ensure_future(self._guarded(document, self._follow_up(analysis)))

    async def _settle(self, document: Document, delay: float) -> None:
        await asyncio.sleep(delay)
        await self._guarded(document, self._tell_findings(document))

    async def _tell_findings(self, document: Document) -> None:
        analysis = await self.analyses.of(document)
        if self.documents.get(document.uri) is document:
            self._publish(document.uri, self.shown_diagnostics(analysis), document.version)
            await self._follow_up(analysis)

    async def _guarded(self, document: Document, work: Coroutine[Any, Any, None]) -> None:
        """Do work about a document; an error of ours is shown, and ends nothing else."""
        try:
            await work
        except ContentModified:
            pass  # the examination of the newer text tells what is found in it
        except Exception as error:
            traceback.print_exc()
            self.tell(f"an internal error at {document.uri}; please report it: {type(error).__name__}: {error}")

    def rest(self, document: Document) -> float:
        """The seconds that are left until a document has not been edited for long enough."""
        return max(self._rests_until.get(document.uri, 0.0) - asyncio.get_running_loop().time(), 0.0)

    def shown_diagnostics(self, analysis: Analysis) -> list[types.Diagnostic]:
        """The diagnostics of an analysis that the user wants to see."""
        return self.diagnostics.of(analysis, self.analyses.editor.severity)

    async def _follow_up(self, analysis: Analysis) -> None:
        """What the client is to know of an analysis besides its findings."""
        document = analysis.document
        self._blame(analysis)
        for other in analysis.others:
            for finding in other.findings:
                self.tell(f"{finding.path}: {finding.message}")
        if self._tells_coverage and document.is_meant:
            told = {"uri": document.uri, "version": document.version, **analysis.coverage()}
            self.protocol.notify(commands.COVERAGE_NOTIFICATION, told)
        if document.uri in self._shown and self.can("workspace.text_document_content"):
            for kind in (TEXT, DIFF):
                shown = types.TextDocumentContentRefreshParams(virtual_uri(document.uri, kind))
                self.workspace_text_document_content_refresh(shown)
        ids = [finding.id for finding in analysis.findings]
        for problem in await self.analyses.run(partial(self.explanations.write, ids)):
            self.log(problem)

    def _blame(self, analysis: Analysis) -> None:
        """Show what is wrong with a configuration: at its file, and once as a message."""
        uri, problem = analysis.document.uri, analysis.problem
        before = self._blamed.pop(uri, None)
        if problem is not None:
            self.tell(str(problem))
            if problem.config:
                self._blamed[uri] = uri_of(problem.config)
                self._publish(uri_of(problem.config), [of_configuration(str(problem))])
        if before is not None and before not in self._blamed.values():
            self._publish(before, [])

    def _publish(self, uri: str, found: Sequence[types.Diagnostic], version: int | None = None) -> None:
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))

    def others_changed(self, path: str) -> None:
        """Examine again what has read a file."""
        dropped = self.analyses.drop_readers(path) if path else []
        for document in dropped:
            self.examine(document, DEBOUNCE)
        if dropped:
            self._ask_to_pull()

    def refresh_all(self) -> None:
        """Drop what is kept, and examine all documents."""
        self.analyses.drop_all()
        self._told.clear()
        for document in self.documents:
            self.examine(document, 0)
        self._ask_to_pull()

    def refresh_soon(self) -> None:
        """Do `refresh_all` once, however many files a build or a checkout writes meanwhile."""
        if self._refreshing is None:
            self._refreshing = asyncio.ensure_future(self._refresh())

    async def _refresh(self) -> None:
        await asyncio.sleep(DEBOUNCE)
        settling = [task for task in self._settling.values() if not task.done()]
        if settling:
            await asyncio.wait(settling)  # else files that are written all the time would call off all findings
        self._refreshing = None
        self.refresh_all()

    def _ask_to_pull(self) -> None:
        if self._pulls and any(self.documents) and self.can("workspace.diagnostics.refresh_support"):
            self.workspace_diagnostic_refresh(None)

    async def analysis_of(self, uri: str) -> Analysis | None:
        """The analysis of an open document in its present state; None for a document that is not for us."""
        document = self.documents.get(uri)
        return await self.analyses.of(document) if document is not None and document.is_meant else None

    def forget(self, document: Document) -> None:
        """Take back what was said of a document that is closed."""
        waiting = self._settling.pop(document.uri, None)
        if waiting is not None:
            waiting.cancel()
        self.analyses.drop(document.uri)
        self._shown.discard(document.uri)
        blamed = self._blamed.pop(document.uri, None)
        if blamed is not None and blamed not in self._blamed.values():
            self._publish(blamed, [])
        if not self._pulls and document.is_meant:
            self._publish(document.uri, [])

    def translation_is_shown(self, uri: str) -> None:
        """Note that the client shows the translation of a document, which it is to ask for again after a change."""
        self._shown.add(uri)

    # Messages.

    def tell(self, message: str) -> None:
        """Show a message to the user, once until it is settled."""
        if message not in self._told:
            self._told.add(message)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"hipify-py: {visible(message)}"))

    def log(self, message: str) -> None:
        """Write a message to the client's log."""
        self.window_log_message(types.LogMessageParams(types.MessageType.Warning, visible(message)))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Tell the user of an error of ours; requests have their own answers."""
        if not isinstance(error, ContentModified):
            sys.stderr.write(f"{source.__name__}: {error}\n")
