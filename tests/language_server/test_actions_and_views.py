"""Fixes, hovers, translations, explanations and coverage."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pytest_lsp import client_capabilities

from hipify_py.language_server import commands
from hipify_py.language_server.code_actions import FIX_ALL

from .editor import Editor

UNUSED = "int 漢 = 1; /* 😀 */ int b;  // hipify: ignore[HIP101]\n"
NUMBERS = "/* 😀 */ auto a = (curandRngType_t)100; auto b = (curandRngType_t)100;\nauto c = (curandRngType_t)100;\n"
ASM = """\
__device__ unsigned f(unsigned a, unsigned b) {
    unsigned d, lop3;
    asm volatile("{ // 漢字\\n\\t"
                 "lop3.b32 %0, %1, %2, %1, 0x1f; mov.u32 %0, %%smid;\\n"
                 "}" : "=r"(d) : "r"(a), "r"(b));
    return d + cudaUnheardOf + lop3;
}
"""

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("client", ["visual-studio-code", "neovim", "emacs"])
async def test_a_fix(editor: Editor, client: str, tmp_path: Path) -> None:
    await editor.begin(client, tmp_path)
    uri = editor.open(tmp_path / "a.cu", UNUSED)
    (found,) = await editor.findings(uri)
    if client != "emacs":
        assert [*(found.tags or ())] == [types.DiagnosticTag.Unnecessary]
    actions = await editor.actions(uri, found.range)
    fix = actions["Remove the unused suppression"]
    assert fix.is_preferred
    assert fix.kind == types.CodeActionKind.QuickFix
    assert [each.code for each in fix.diagnostics or ()] == ["HIP907"]
    assert {*actions} == {"Remove the unused suppression", "Explain HIP907"}
    editor.apply(fix)
    assert editor.texts[uri] == "int 漢 = 1; /* 😀 */ int b;\n"
    assert await editor.findings(uri) == []


async def test_all_fixes_of_one_kind(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    uri = editor.open(tmp_path / "a.cu", NUMBERS)
    found = await editor.findings(uri)
    assert [each.code for each in found] == ["HIP114"] * 3
    actions = await editor.actions(uri, found[0].range)
    editor.apply(actions["Fix all 3 HIP114 in this file"])
    assert editor.texts[uri].count("100") == 0
    assert editor.texts[uri].count("CURAND_RNG_PSEUDO_DEFAULT") == 3
    assert await editor.findings(uri) == []


async def test_other_places_of_a_finding(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    text = "float f(cuComplex 漢) {\n    return cuCabsf(漢)\n        /* 😀 */ + cuCabsf(漢);\n}\n"
    uri = editor.open(tmp_path / "a.cu", text)
    (found,) = await editor.findings(uri)
    (other,) = found.related_information or ()
    assert (found.code, other.location.uri) == ("HIP103", uri)
    assert editor.under(uri, other.location.range) == editor.under(uri, found.range) == "cuCabsf"
    assert other.location.range.start.line == 2
    editor.apply((await editor.actions(uri, found.range))["Suppress HIP103 at its 2 places"])
    assert await editor.findings(uri) == []


async def test_all_fixes_on_save(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    uri = editor.open(tmp_path / "a.cu", UNUSED + UNUSED.replace("漢", "字").replace("b;", "c;"))
    await editor.findings(uri)
    whole = types.Range(types.Position(0, 0), types.Position(2, 0))
    for only in (["source.fixAll"], [FIX_ALL]):
        (action,) = (await editor.actions(uri, whole, only)).values()
        assert action.kind == FIX_ALL
    assert await editor.actions(uri, whole, ["refactor"]) == {}
    editor.apply(action)
    assert "hipify" not in editor.texts[uri]


async def test_hovers(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("neovim", tmp_path)
    text = "#include <cufft.h>\nvoid f() { cudaMallocAsync(0, 0, 0); hipFree(0); cub::DeviceReduce::Sum(); int i; }\n"
    uri = editor.open(tmp_path / "a.cu", text)

    async def told(part: str) -> str:
        found = await editor.hover(uri, part)
        assert found is not None
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    asynchronous = await told("cudaMallocAsync")
    assert asynchronous.startswith("**cudaMallocAsync: converted -> hipMallocAsync**")
    assert "CUDA versions: added in 11.2" in asynchronous
    assert "ROCm versions: added in 5.2" in asynchronous
    assert "```cpp\n  hipError_t hipMallocAsync(" in asynchronous
    assert "hipfft" in await told("cufft.h")
    assert (await told("hipFree")).startswith("**hipFree: HIP**")
    assert "cub::DeviceReduce" in await told("DeviceReduce")
    assert await editor.hover(uri, "int i") is None


async def test_hovers_in_assembler(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    uri = editor.open(tmp_path / "a.cu", ASM)
    for name, title in (("lop3.b32", "**lop3.b32: PTX instruction"), ("%%smid", "**%smid: PTX special register")):
        found = await editor.hover(uri, name)
        assert found is not None
        assert found.range is not None
        assert editor.under(uri, found.range) == name
        assert isinstance(found.contents, types.MarkupContent)
        assert found.contents.value.startswith(title)
    assert await editor.hover(uri, "+ lop3") is None, "it is a variable there"
    assert await editor.hover(uri, "cudaUnheardOf") is None


async def test_a_translation_as_a_document(editor: Editor, tmp_path: Path) -> None:
    capabilities = client_capabilities("visual-studio-code")
    assert capabilities.workspace is not None
    capabilities.workspace.text_document_content = types.TextDocumentContentClientCapabilities()
    await editor.begin(capabilities, tmp_path)
    workspace = editor.server_capabilities.workspace
    assert workspace is not None
    assert workspace.text_document_content is not None
    assert [*workspace.text_document_content.schemes] == [commands.SCHEME]  # type: ignore[union-attr]
    uri = editor.open(tmp_path / "漢 字.cu", "void f(void *p) { cudaFree(p); }\n")
    shown = await editor.run_command(commands.SHOW_TRANSLATION, uri)
    for kind in ("translation", "diff"):
        params = types.TextDocumentContentParams(shown[f"{kind}Uri"])
        assert (await editor.workspace_text_document_content_async(params)).text == shown[kind]
    editor.replace(uri, "(p);", "(p ); ")
    await editor.until(lambda: {shown["translationUri"], shown["diffUri"]} <= {*editor.refreshed})
    again = await editor.workspace_text_document_content_async(types.TextDocumentContentParams(shown["translationUri"]))
    assert "hipFree(p ); " in again.text
    with pytest.raises(JsonRpcInvalidParams):
        await editor.workspace_text_document_content_async(types.TextDocumentContentParams("hipify-py:/nothing"))


async def test_coverage_and_report(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path, coverage=True)
    text = "void f(cublasHandle_t h, void *p) { cudaFree(p); cublasSetSmCountTarget(h, 1); cudaUnheardOf(); }\n"
    uri = editor.open(tmp_path / "a.cu", text)
    (told,) = await editor.until(lambda: editor.coverage)
    counts = {"converted": 2, "native": 0, "unsupported": 1, "unknown": 1, "inactive": 0, "total": 4}
    asked = await editor.run_command(commands.COVERAGE, uri)
    assert {key: asked[key] for key in counts} == counts
    assert (asked["coverage"], asked["version"]) == (0.5, 1)
    assert sum(asked["findings"].values()) == 2
    assert told.converted == 2
    report = await editor.run_command(commands.REPORT, uri)
    assert "50.0 % of 4 CUDA references" in report["markdown"]


WRONG: list[tuple[str, list[object]]] = [
    (commands.SHOW_TRANSLATION, []),
    (commands.SHOW_TRANSLATION, ["file:///not/open.cu"]),
    (commands.COVERAGE, [1]),
    (commands.EXPLAIN, ["HIP999"]),
    (commands.EXPLAIN, ["HIP301", "HIP302"]),
    ("hipify-py.unheardOf", []),
]


async def test_wrong_commands(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    for command, arguments in WRONG:
        with pytest.raises(JsonRpcInvalidParams):
            await editor.run_command(command, *arguments)
    assert editor.messages == []


async def test_commands_are_those_that_are_named(editor: Editor, tmp_path: Path) -> None:
    await editor.begin("visual-studio-code", tmp_path)
    provider = editor.server_capabilities.execute_command_provider
    assert provider is not None
    assert {*provider.commands} == {*commands.COMMANDS}
