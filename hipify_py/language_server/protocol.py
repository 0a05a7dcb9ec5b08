"""The parts of the protocol that pygls does otherwise than this server needs."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.protocol import LanguageServerProtocol, lsp_method

from hipify_py.language_server.commands import SCHEME


class Protocol(LanguageServerProtocol):
    """The protocol with documents of our own, and with capabilities that follow the client's.

    The documents of pygls (2.1) end lines where Python does, at form feeds as well, which CUDA sources have.
    """

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Answer with the server's capabilities."""
        result = yield from super().lsp_initialize(params)
        capabilities = result.capabilities
        if not pulls_diagnostics(params.capabilities):
            capabilities.diagnostic_provider = None
        if get_capability(params.capabilities, "workspace.text_document_content") is not None:
            workspace = capabilities.workspace or types.WorkspaceOptions()
            workspace.text_document_content = types.TextDocumentContentOptions([SCHEME])
            capabilities.workspace = workspace
        return result

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        """Pass the message on."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """Pass the message on."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        """Pass the message on."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None


def pulls_diagnostics(capabilities: types.ClientCapabilities) -> bool:
    """Whether a client asks for diagnostics; it is not sent any then."""
    return get_capability(capabilities, "text_document.diagnostic") is not None
