"""Whole sessions, as VS Code, Neovim and Emacs hold them."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types
from lsprotocol.types import DiagnosticSeverity, PositionEncodingKind

from hipify_py.language_server import commands

from .editor import Editor

CLIENTS = {"visual-studio-code": "utf-16", "neovim": "utf-8", "emacs": "utf-32"}
"""The clients, with the encoding that each prefers."""

SOURCE = """\
// 线程束 😀 e\u0301
__global__ void scale(float *p) { p[threadIdx.x] *= 2; }

void prepare(cublasHandle_t blas, cudaStream_t stream) {
    /* 𝔘𝔫𝔦 漢字 */ cublasSetStream(blas, stream); // 😀
    /* 😀😀 é */\tcublasSetSmCountTarget(blas, 16);  // 🎉
}
"""
UNSUPPORTED = "cublasSetSmCountTarget"

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("client", CLIENTS)
async def test_a_session(editor: Editor, client: str, tmp_path: Path) -> None:
    await editor.begin(client, tmp_path)
    assert editor.encoding == CLIENTS[client]
    watches = {each.method for each in editor.registrations}
    assert (types.WORKSPACE_DID_CHANGE_WATCHED_FILES in watches) <= (client != "neovim")

    uri = editor.open(tmp_path / "漢字 a.cu", SOURCE)
    (found,) = await editor.findings(uri)
    assert editor.under(uri, found.range) == UNSUPPORTED
    assert (found.code, found.source, found.severity) == ("HIP101", "hipify-py", DiagnosticSeverity.Error)
    assert found.message.startswith(f"{UNSUPPORTED} (cublas) has no HIP counterpart")
    assert editor.pulls is (client == "neovim")
    if client == "visual-studio-code":
        assert found.code_description is not None
        assert found.code_description.href.endswith("/HIP101.md")
    else:
        assert found.code_description is None, "the client does not show it"

    editor.replace(uri, "cublasSetStream(blas, stream);", "cublasSetStream(blas, stream); // 変更 🎉\n\n")
    (moved,) = await editor.findings(uri)
    assert (moved.range.start.line, editor.under(uri, moved.range)) == (found.range.start.line + 2, UNSUPPORTED)

    hover = await editor.hover(uri, UNSUPPORTED)
    assert hover is not None
    assert hover.range is not None
    assert editor.under(uri, hover.range) == UNSUPPORTED
    assert isinstance(hover.contents, types.MarkupContent)
    assert hover.contents.kind == types.MarkupKind.Markdown
    assert hover.contents.value.startswith(f"**{UNSUPPORTED}: unsupported")

    actions = await editor.actions(uri, moved.range)
    assert {*actions} == {"Suppress HIP101 here", "Explain HIP101"}
    editor.apply(actions["Suppress HIP101 here"])
    assert editor.texts[uri].count("// 🎉  // hipify: ignore[HIP101]\n") == 1
    assert await editor.findings(uri) == []

    shown = await editor.run_command(commands.SHOW_TRANSLATION, uri)
    assert "hipblasSetStream(blas, stream); // 変更 🎉\n" in shown["translation"]
    assert "+    /* 𝔘𝔫𝔦 漢字 */ hipblasSetStream(blas, stream); // 変更 🎉\n" in shown["diff"]
    assert shown["version"] == editor.versions[uri]

    told = await editor.run_command(commands.EXPLAIN, "HIP101")
    assert told["markdown"].startswith("# HIP101: ")
    assert told["shown"] is (client != "emacs")
    assert [each.uri for each in editor.shown_documents] == ([told["uri"]] if told["shown"] else [])

    (tmp_path / "hipify-py.toml").write_text('ignore = ["HIP907"]\n[severity]\nHIP101 = "note"\n')
    assert await editor.next_findings(uri, lambda: editor.watched(_created(tmp_path / "hipify-py.toml"))) == []
    editor.replace(uri, "hipify: ignore[HIP101]", "")
    (note,) = await editor.findings(uri)
    assert note.severity == DiagnosticSeverity.Information

    editor.set_configuration({"severity": "warning"}, section="hipify-py")
    changed = types.DidChangeConfigurationParams({"hipify-py": {"severity": "warning"}})
    hidden = await editor.next_findings(uri, lambda: editor.workspace_did_change_configuration(changed))
    assert hidden == []

    if not editor.pulls:
        assert await editor.next_findings(uri, lambda: editor.close(uri)) == []
    assert bool(editor.published) is not editor.pulls, "one way for one client"
    assert editor.messages == []


async def test_the_client_chooses_the_encoding(editor: Editor, tmp_path: Path) -> None:
    general = types.GeneralClientCapabilities(
        position_encodings=[PositionEncodingKind.Utf32, PositionEncodingKind.Utf8, PositionEncodingKind.Utf16]
    )
    await editor.begin(types.ClientCapabilities(general=general), tmp_path)
    assert editor.encoding == PositionEncodingKind.Utf32


async def test_a_client_that_can_do_nothing(editor: Editor, tmp_path: Path) -> None:
    await editor.begin(types.ClientCapabilities(), tmp_path)
    uri = editor.open(tmp_path / "a.cu", SOURCE)
    (found,) = await editor.findings(uri)
    assert (found.code_description, found.data, found.tags) == (None, None, None)
    assert await editor.actions(uri, found.range) == {}
    hover = await editor.hover(uri, UNSUPPORTED)
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert hover.contents.kind == types.MarkupKind.PlainText
    assert hover.contents.value.startswith(f"{UNSUPPORTED}: unsupported")
    told = await editor.run_command(commands.EXPLAIN, "301")
    assert (told["id"], told["shown"]) == ("HIP301", False)


def _created(path: Path) -> tuple[Path, types.FileChangeType]:
    return path, types.FileChangeType.Created
