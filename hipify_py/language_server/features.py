"""The messages of the client, each with what the server does about it."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from hipify_py.language_server import commands
from hipify_py.language_server.analysis import Analysis, ContentModified
from hipify_py.language_server.code_actions import KINDS
from hipify_py.language_server.documents import Document, path_of
from hipify_py.language_server.hover import as_markdown, hovered
from hipify_py.language_server.server import DEBOUNCE, Server
from hipify_py.language_server.settings import SECTION, Reader
from hipify_py.language_server.translations import content, report, source_of, translation_document
from hipify_py.language_server.watching import is_configuration, registration
from hipify_py.report.explain import canonical, explain, near_ids, page


def serve(read_settings: Reader, stdin: BinaryIO, stdout: BinaryIO) -> bool:
    """Serve one client until it goes.

    Returns:
        Whether it has asked the server to shut down, as the protocol demands.
    """
    logging.getLogger("pygls").setLevel(logging.ERROR)
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_a_fault)
    server = create(read_settings)
    server.start_io(stdin, stdout)
    return server.is_shut_down


def _is_a_fault(record: logging.LogRecord) -> bool:
    """Whether a message of pygls is about a fault: a text that changes and a wrong request are answers like others."""
    return record.exc_info is None or not isinstance(record.exc_info[1], ContentModified | JsonRpcInvalidParams)


def create(read_settings: Reader) -> Server:
    """A server that answers."""
    server = Server(read_settings)
    for register in (_session, _documents, _workspace, _questions, _commands):
        register(server)
    return server


def _session(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.begin(params)

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        wanted = []
        if server.can("workspace.did_change_watched_files.dynamic_registration"):
            wanted.append(registration())
        if server.can("workspace.did_change_configuration.dynamic_registration"):
            options = types.DidChangeConfigurationRegistrationOptions(SECTION)
            method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
            wanted.append(types.Registration("hipify-py-settings", method, options))
        await server.ask_to_watch(wanted)
        await server.ask_settings()

    @server.feature(types.SHUTDOWN)
    def shutdown(*parameters: Any) -> None:
        server.end()


def _documents(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        document = server.documents.opened(params.text_document)
        if document.is_meant:
            server.examine(document, 0)
        server.others_changed(document.path)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        identifier = params.text_document
        document = server.documents.changed(identifier.uri, identifier.version, params.content_changes)
        if document is not None:
            server.analyses.drop(document.uri)
            if document.is_meant:
                server.examine(document, DEBOUNCE)
            server.others_changed(document.path)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        document = server.documents.closed(params.text_document.uri)
        if document is not None:
            server.forget(document)
            server.others_changed(document.path)


def _workspace(server: Server) -> None:
    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(params: types.DidChangeConfigurationParams) -> None:
        settings = params.settings
        server.refresh_all()
        if isinstance(settings, dict) and SECTION in settings:
            server.take_settings(settings)
        elif server.can("workspace.configuration"):
            await server.ask_settings()
        else:
            server.take_settings(settings or None)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(params: types.DidChangeWatchedFilesParams) -> None:
        open_paths = {document.path for document in server.documents}
        paths = {path_of(change.uri): change.type for change in params.changes}
        if any(is_configuration(path) or kind != types.FileChangeType.Changed for path, kind in paths.items()):
            server.refresh_soon()  # a new or missing file can change what any include means
            return
        for path in paths.keys() - open_paths:
            server.others_changed(path)

    @server.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    async def text_document_content(params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
        source = source_of(params.uri)
        analysis = None if source is None else await server.analysis_of(source[0])
        if source is None or analysis is None:
            raise JsonRpcInvalidParams(f"{params.uri} is not the translation of an open document")
        server.translation_is_shown(source[0])
        wanted = partial(content, analysis, source[1], server.documents.root)
        return types.TextDocumentContentResult(await server.analyses.run(wanted))


def _questions(server: Server) -> None:
    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=SECTION),
    )
    async def diagnostic(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        document = server.documents.get(params.text_document.uri)
        if document is None or not document.is_meant:
            return types.RelatedFullDocumentDiagnosticReport([])
        analysis = await _settled(server, document)
        server.examined(analysis)
        return types.RelatedFullDocumentDiagnosticReport(server.shown_diagnostics(analysis))

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([*KINDS]))
    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        analysis = await server.analysis_of(params.text_document.uri)
        if analysis is None:
            return []
        return await server.analyses.run(partial(server.code_actions.of, analysis, params))

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        analysis = await server.analysis_of(params.text_document.uri)
        if analysis is None:
            return None
        text, encoding = analysis.document.text, server.documents.encoding
        offset = text.offset(params.position, encoding)
        found = await server.analyses.run(partial(hovered, analysis, offset))
        if found is None:
            return None
        is_markdown = types.MarkupKind.Markdown in server.hover_formats()
        kind = types.MarkupKind.Markdown if is_markdown else types.MarkupKind.PlainText
        value = as_markdown(found.lines) if is_markdown else "\n".join(found.lines)
        return types.Hover(types.MarkupContent(kind, value), text.range(found.start, found.end, encoding))


async def _settled(server: Server, document: Document) -> Analysis:
    """The analysis of a document after the time in which another edit may come.

    Raises:
        ContentModified: if one comes.
    """
    await asyncio.sleep(server.rest(document))
    if server.documents.get(document.uri) is not document:
        raise ContentModified
    return await server.analyses.of(document)


def _commands(server: Server) -> None:
    @server.command(commands.SHOW_TRANSLATION)
    async def show_translation(*arguments: Any) -> dict[str, Any]:
        analysis = await _analysis(server, arguments)
        return await server.analyses.run(partial(translation_document, analysis, server.documents.root))

    @server.command(commands.COVERAGE)
    async def coverage(*arguments: Any) -> dict[str, Any]:
        analysis = await _analysis(server, arguments)
        return {"uri": analysis.document.uri, "version": analysis.document.version, **analysis.coverage()}

    @server.command(commands.REPORT)
    async def report_on(*arguments: Any) -> dict[str, str]:
        analysis = await _analysis(server, arguments)
        return {"uri": analysis.document.uri, "markdown": await server.analyses.run(partial(report, analysis))}

    @server.command(commands.EXPLAIN)
    async def explain_finding(*arguments: Any) -> dict[str, Any]:
        asked = _text(arguments, "the id of a finding")
        id = canonical(asked)
        if id is None:
            raise JsonRpcInvalidParams(f"{asked} is not a finding of hipify-py; near: {', '.join(near_ids(asked))}")
        for problem in await server.analyses.run(partial(server.explanations.write, [id])):
            server.log(problem)
        uri = server.explanations.address(id)
        is_shown = False
        if server.can("window.show_document.support"):
            is_on_the_web = bool(server.explanations.documentation)
            shown = await server.window_show_document_async(
                types.ShowDocumentParams(uri, external=is_on_the_web, take_focus=True)
            )
            is_shown = shown.success
        text = await server.analyses.run(lambda: page(explain(id)))
        return {"id": id, "uri": uri, "shown": is_shown, "markdown": text}


async def _analysis(server: Server, arguments: tuple[Any, ...]) -> Analysis:
    """The analysis of the document that a command is about.

    Raises:
        JsonRpcInvalidParams: if it is not an open document that we know.
    """
    uri = _text(arguments, "the URI of an open document")
    analysis = await server.analysis_of(uri)
    if analysis is None:
        raise JsonRpcInvalidParams(f"{uri} is not an open source or build file")
    if analysis.problem is not None:
        raise JsonRpcInvalidParams(str(analysis.problem))
    return analysis


def _text(arguments: tuple[Any, ...], what: str) -> str:
    """The one argument of a command, which is a text.

    Raises:
        JsonRpcInvalidParams: if it is anything else.
    """
    if len(arguments) != 1 or not isinstance(arguments[0], str):
        raise JsonRpcInvalidParams(f"the command takes one argument: {what}")
    return arguments[0]
