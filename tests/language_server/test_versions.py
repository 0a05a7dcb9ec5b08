"""Only what is found in the present text is ever told; what is asked about an older one is called off."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from hipify_py.language_server.analysis import ContentModified

from .editor import Editor

LINE = "void f{}(cublasHandle_t h) {{ cublasSetSmCountTarget(h, {}); }}\n"
CANCELLED = -32800
"""The protocol's `RequestCancelled`."""

pytestmark = pytest.mark.asyncio


async def test_findings_are_those_of_their_version(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    uri = editor.open(tmp_path / "a.cu", "")
    texts = {1: ""}
    for number in range(30):
        start = types.Position(0, 0)
        editor.edit(uri, types.TextEdit(types.Range(start, start), LINE.format(number, number)))
        texts[editor.versions[uri]] = editor.texts[uri]
    await editor.findings(uri)
    versions = [each.version for each in editor.published]
    assert versions == sorted(versions, key=lambda version: version or 0)
    for each in editor.published:
        assert each.version is not None
        assert len(each.diagnostics) == texts[each.version].count("cublasSetSmCountTarget")
    assert len(editor.published) < 30, "most versions are older than the newest before they are examined"


async def test_edits_in_one_message_are_applied_one_after_the_other(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    uri = editor.open(tmp_path / "a.cu", "漢😀\r\nb\r\n")
    at = types.Position
    editor.edit(
        uri,
        types.TextEdit(types.Range(at(0, 1), at(0, 3)), "\n"),
        types.TextEdit(types.Range(at(1, 0), at(1, 0)), LINE.format(1, 2)),
        types.TextEdit(types.Range(at(0, 1), at(1, 0)), "/* 🎉 */ "),
    )
    (found,) = await editor.findings(uri)
    assert editor.under(uri, found.range) == "cublasSetSmCountTarget"


async def test_a_whole_new_text(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    uri = editor.open(tmp_path / "a.cu", "int a;")
    editor.versions[uri], editor.texts[uri] = 2, LINE.format(1, 1)
    change = types.TextDocumentContentChangeWholeDocument(editor.texts[uri])
    identifier = types.VersionedTextDocumentIdentifier(uri=uri, version=2)
    editor.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
    assert len(await editor.findings(uri)) == 1


def _ask_hover(editor: Editor, uri: str, id: str) -> Awaitable[object]:
    params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(0, 1))
    return asyncio.wrap_future(editor.protocol.send_request(types.TEXT_DOCUMENT_HOVER, params, msg_id=id))


async def test_a_request_can_be_cancelled(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    uri = editor.open(tmp_path / "a.cu", LINE.format(1, 1) * 3000)
    asked = _ask_hover(editor, uri, "mine")
    editor.cancel_request(types.CancelParams("mine"))
    with pytest.raises(JsonRpcException) as error:
        await asked
    assert error.value.code == CANCELLED
    assert await editor.findings(uri), "the work itself goes on, for the findings"


async def test_a_change_of_settings_calls_nothing_off(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    uri = editor.open(tmp_path / "a.cu", ("cudaError_t e;\n" + LINE.format(1, 1)) * 3000)
    asked = _ask_hover(editor, uri, "mine")
    editor.workspace_did_change_configuration(types.DidChangeConfigurationParams({"hipify-py": {"rocm": "6.4"}}))
    assert await asked is not None


async def test_an_answer_about_an_older_text_is_called_off(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    uri = editor.open(tmp_path / "a.cu", LINE.format(1, 1) * 3000)
    asked = _ask_hover(editor, uri, "mine")
    start = types.Position(0, 0)
    editor.edit(uri, types.TextEdit(types.Range(start, start), "// newer\n"))
    with pytest.raises(JsonRpcException) as error:
        await asked
    assert error.value.code == ContentModified.CODE
    assert editor.messages == []
