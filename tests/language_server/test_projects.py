"""What surrounds a document: configurations, headers on the disk and in other buffers, and the editor's settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from lsprotocol.types import DiagnosticSeverity, FileChangeType
from pytest_lsp import client_capabilities

from hipify_py.cli import main
from hipify_py.language_server import commands

from .editor import Editor

BAD = "void f(cublasHandle_t h) { cublasSetSmCountTarget(h, 1); }\n"
OWN = '#include "own.cuh"\nvoid f() { cudaOwnThing(); }\n'
DECLARED = "void cudaOwnThing();\n"

pytestmark = pytest.mark.asyncio


def _ids(found: list[types.Diagnostic]) -> list[object]:
    return [each.code for each in found]


async def test_an_unsaved_header_counts_for_what_includes_it(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / "own.cuh").write_text("")
    await editor.begin("visual-studio-code", tmp_path)
    source = editor.open(tmp_path / "a.cu", OWN)
    assert _ids(await editor.findings(source)) == ["HIP102"]
    header = ""

    def open_header() -> None:
        nonlocal header
        header = editor.open(tmp_path / "own.cuh", DECLARED)

    assert await editor.next_findings(source, open_header) == []
    assert _ids(await editor.next_findings(source, lambda: editor.replace(header, DECLARED, "\n"))) == ["HIP102"]
    assert await editor.next_findings(source, lambda: editor.replace(header, "\n", DECLARED)) == []
    assert _ids(await editor.next_findings(source, lambda: editor.close(header))) == ["HIP102"]


async def test_a_header_that_changes_on_the_disk(editor: Editor, tmp_path: Path) -> None:
    header = tmp_path / "own.cuh"
    await editor.begin("visual-studio-code", tmp_path)
    source = editor.open(tmp_path / "a.cu", OWN)
    assert _ids(await editor.findings(source)) == ["HIP102"]
    (watch,) = [each for each in editor.registrations if each.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES]
    assert "cuh" in str(watch.register_options)
    for text, kind, ids in (
        (DECLARED, FileChangeType.Created, []),
        ("\n", FileChangeType.Changed, ["HIP102"]),
        (DECLARED, FileChangeType.Changed, []),
        (None, FileChangeType.Deleted, ["HIP102"]),
    ):

        def change(text: str | None = text, kind: FileChangeType = kind) -> None:
            if text is None:
                header.unlink()
            else:
                header.write_text(text)
            editor.watched((header, kind))

        assert _ids(await editor.next_findings(source, change)) == ids


async def test_an_editor_that_watches_nothing_gets_the_present_files(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("neovim", tmp_path)
    source = editor.open(tmp_path / "a.cu", OWN)
    assert _ids(await editor.findings(source)) == ["HIP102"]
    (tmp_path / "own.cuh").write_text(DECLARED)
    (tmp_path / "hipify-py.toml").write_text('ignore = ["HIP101"]\n')
    editor.edit(source, types.TextEdit(types.Range(types.Position(0, 0), types.Position(0, 0)), BAD))
    assert await editor.findings(source) == []


async def test_the_nearest_configuration_counts(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.hipify-py.severity]\nHIP101 = 'note'\n")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "hipify-py.toml").write_text("[severity]\nHIP101 = 'warning'\n")
    await editor.begin("emacs", tmp_path)
    outer, inner = editor.open(tmp_path / "a.cu", BAD), editor.open(tmp_path / "inner" / "a.cu", BAD)
    assert [each.severity for each in await editor.findings(outer)] == [DiagnosticSeverity.Information]
    assert [each.severity for each in await editor.findings(inner)] == [DiagnosticSeverity.Warning]


async def test_excluded_files(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / "hipify-py.toml").write_text("exclude = ['left_out.cu']\n")
    await editor.begin("emacs", tmp_path)
    assert await editor.findings(editor.open(tmp_path / "left_out.cu", BAD)) == []
    assert _ids(await editor.findings(editor.open(tmp_path / "a.cu", BAD))) == ["HIP101"]


async def test_known_findings(editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A baseline that is written anew counts at once."""
    source, baseline = tmp_path / "a.cu", tmp_path / "known.jsonl"
    source.write_text(BAD)
    monkeypatch.chdir(tmp_path)
    assert main.run(["baseline", "create", "a.cu", "--baseline", "known.jsonl", "--quiet"]) == 0
    (tmp_path / "hipify-py.toml").write_text("baseline = 'known.jsonl'\n")
    await editor.begin("visual-studio-code", tmp_path)
    uri = editor.open(source, BAD)
    assert await editor.findings(uri) == []
    editor.replace(uri, "; }", "; cublasSetSmCountTarget(h, 2); }")
    assert _ids(await editor.findings(uri)) == ["HIP101"]

    def forget() -> None:
        baseline.write_text(baseline.read_text().splitlines()[0] + "\n")
        editor.watched((baseline, FileChangeType.Changed))

    assert len(await editor.next_findings(uri, forget)) == 2


async def test_a_wrong_configuration_is_shown_and_forgotten(editor: Editor, tmp_path: Path) -> None:
    config = tmp_path / "hipify-py.toml"
    config.write_text("rocm = 7\n")
    await editor.begin("visual-studio-code", tmp_path)
    uri = editor.open(tmp_path / "a.cu", BAD)
    assert await editor.findings(uri) == []
    (shown,) = await editor.until(lambda: editor.diagnostics.get(config.as_uri()))
    assert "rocm must be" in shown.message
    assert shown.severity == DiagnosticSeverity.Error
    (message,) = editor.messages
    assert str(config) in message.message
    editor.replace(uri, "void", "static void")
    assert await editor.findings(uri) == []
    assert len(editor.messages) == 1, "it is said once"

    config.write_text("rocm = '7.0'\n")
    found = await editor.next_findings(uri, lambda: editor.watched((config, FileChangeType.Changed)))
    assert _ids(found) == ["HIP101"]
    await editor.until(lambda: editor.diagnostics[config.as_uri()] == [] or not editor.diagnostics[config.as_uri()])


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"arguments": ["--rocm", "99"]}, "--rocm"),
        ({"arguments": ["--frobnicate"]}, "--frobnicate"),
        ({"arguments": "x"}, "hipify-py.arguments must be a list of texts"),
        ({"severity": "fatal"}, "hipify-py.severity must be one of note, warning, error"),
        ({"rocm": 7}, "hipify-py.rocm must be a text"),
    ],
)
async def test_wrong_settings_of_the_editor(editor: Editor, settings: Any, says: str, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path, **settings)
    editor.open(tmp_path / "a.cu", BAD)
    (message,) = await editor.until(lambda: editor.messages)
    assert says in message.message


async def test_settings_of_the_editor(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path, arguments=["--ignore", "HIP101"])
    uri = editor.open(tmp_path / "a.cu", BAD)
    assert await editor.findings(uri) == []

    def take(**settings: object) -> None:
        editor.workspace_did_change_configuration(types.DidChangeConfigurationParams({"hipify-py": settings}))

    assert _ids(await editor.next_findings(uri, take)) == ["HIP101"]
    assert await editor.next_findings(uri, lambda: take(enable=False)) == []
    pages = "https://docs.example/site/"
    (found,) = await editor.next_findings(uri, lambda: take(documentation=pages))
    assert found.code_description == types.CodeDescription("https://docs.example/site/diagnostics/HIP101.html")
    told = await editor.run_command(commands.EXPLAIN, "HIP101")
    assert told["uri"] == found.code_description.href
    assert [each.external for each in editor.shown_documents] == [True]


async def test_settings_that_the_editor_is_asked_for(editor: Editor, tmp_path: Path) -> None:
    editor.set_configuration({"arguments": ["--ignore", "HIP101"]}, section="hipify-py")
    await editor.begin("visual-studio-code", tmp_path)
    uri = editor.open(tmp_path / "a.cu", BAD)
    await editor.until(lambda: any(each.uri == uri and each.diagnostics == () for each in editor.published))
    editor.set_configuration({}, section="hipify-py")
    changed = types.DidChangeConfigurationParams(None)
    editor.workspace_did_change_configuration(changed)
    await editor.until(lambda: _ids([*editor.diagnostics[uri]]) == ["HIP101"])


async def test_diagnostics_that_are_asked_for(editor: Editor, tmp_path: Path) -> None:
    capabilities = client_capabilities("visual-studio-code")
    assert capabilities.text_document is not None
    assert capabilities.workspace is not None
    capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities(dynamic_registration=True)
    capabilities.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    await editor.begin(capabilities, tmp_path)
    uri = editor.open(tmp_path / "a.cu", OWN)
    (found,) = await editor.findings(uri)
    assert found.code_description is not None
    before = editor.diagnostic_refresh_count
    (tmp_path / "own.cuh").write_text(DECLARED)
    editor.watched((tmp_path / "own.cuh", FileChangeType.Created))
    await editor.until(lambda: editor.diagnostic_refresh_count > before)
    assert await editor.findings(uri) == []
    assert editor.published == []


NOT_CUDA = {
    ("a.cpp", "cpp"): "int main() { return 0; }\n",
    ("a.py", "python"): "import torch\ncudaMalloc\n",
    ("a.md", "markdown"): BAD,
}


async def test_what_is_not_cuda(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    others = [editor.open(tmp_path / name, text, language) for (name, language), text in NOT_CUDA.items()]
    assert len(await editor.findings(editor.open(tmp_path / "z.cu", BAD))) == 1
    for other in others:
        assert not editor.diagnostics.get(other)
        assert await editor.actions(other, types.Range(types.Position(0, 0), types.Position(0, 3))) == {}
        assert await editor.hover(other, "a") is None


KERNEL = (
    'import cupy\nk = cupy.RawKernel(r"""\n__global__ void k() {\n  /* 漢😀 */ asm("bar.sync 1, 64;");\n}\n""", "k")\n'
)


async def test_a_kernel_in_python(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    uri = editor.open(tmp_path / "a.py", KERNEL, "python")
    (found,) = await editor.findings(uri)
    assert (found.code, editor.under(uri, found.range)) == ("HIP218", "asm")
    assert {*await editor.actions(uri, found.range)} == {"Explain HIP218"}
    editor.edit(uri, types.TextEdit(types.Range(types.Position(0, 0), types.Position(9, 0)), "import os\n"))
    assert await editor.findings(uri) == []


async def test_untitled_documents(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / "hipify-py.toml").write_text("[severity]\nHIP101 = 'note'\n")
    await editor.begin("visual-studio-code", tmp_path)
    for uri in ("untitled:Untitled-1", "untitled:/p/x.cu"):
        editor.open(uri, BAD, "cuda-cpp")
        assert [each.severity for each in await editor.findings(uri)] == [DiagnosticSeverity.Information]
        shown = await editor.run_command(commands.SHOW_TRANSLATION, uri)
        assert "hipblasHandle_t" in shown["translation"]


BROKEN = ("\0\0\0", "void f() {" * 3000, '"', "/*", "#if 1\n", "\ud83d cudaMalloc(", "<<<" * 500, 'R"(', "\ufeff")


async def test_broken_buffers(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    uri = editor.open(tmp_path / "a.cu", "")
    everything = types.Range(types.Position(0, 0), types.Position(999, 0))
    for text in BROKEN:
        editor.edit(uri, types.TextEdit(everything, text))
        await editor.findings(uri)
    editor.edit(uri, types.TextEdit(everything, BAD))
    assert _ids(await editor.findings(uri)) == ["HIP101"]
    assert editor.messages == []


async def test_a_build_file(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    text = "cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES CXX CUDA)\nadd_executable(漢字 a.cu)\n"
    uri = editor.open(tmp_path / "CMakeLists.txt", text, "cmake")
    await editor.findings(uri)
    shown = await editor.run_command(commands.SHOW_TRANSLATION, uri)
    assert "LANGUAGES CXX HIP" in shown["translation"]
    assert "--- a/CMakeLists.txt\n" in shown["diff"]
