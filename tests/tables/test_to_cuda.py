"""The check that compiles what `header --to-cuda` defines."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.catalog import Targeting, load_catalog
from hipify_py.catalog.declarations import Parameter, Signature
from hipify_py.headers.fetch import is_complete
from hipify_py.headers.sets import header_sets
from tools.tables import to_cuda, to_cuda_page

ROOT = Path(__file__).parents[2]


def _function(*types: str, table: str = "runtime", optional: int = 0, result: str = "hipError_t") -> to_cuda.Mapped:
    least = len(types) - optional
    parameters = tuple(Parameter(type, "", place >= least) for place, type in enumerate(types))
    return to_cuda.Mapped("hipF", table, "cudaF", False, (Signature(result, parameters, False, ()),))


@pytest.mark.parametrize(
    ("function", "line"),
    [
        (_function("void *", "size_t"), "hipError_t call_0_hipF(void * a0, size_t a1) { return hipF(a0, a1); }"),
        (_function("void (*)(int)"), "hipError_t call_0_hipF(void (*a0)(int)) { return hipF(a0); }"),
        (_function("int[3]"), "hipError_t call_0_hipF(int a0[3]) { return hipF(a0); }"),
        (_function("void *", table="cublas"), "hipError_t call_0_hipF(any_handle a0) { return hipF(a0); }"),
        (_function("const textureReference *"), "hipError_t call_0_hipF(const hipTexRef a0) { return hipF(a0); }"),
        (_function("int", "hipStream_t", optional=1), "call_1_hipF(int a0, hipStream_t a1) { return hipF(a0); }"),
    ],
)
def test_a_call_has_the_signature_of_hip(function: to_cuda.Mapped, line: str) -> None:
    text = to_cuda.unit(["hip/hip_runtime.h"], [function])
    assert text.startswith("#include <hip/hip_runtime.h>\n")
    assert '#line 1 "hipF"\n' in text
    assert line in text


def test_a_function_without_a_signature_is_named() -> None:
    function = _function()._replace(signatures=())
    assert "{ using ::hipF; }" in to_cuda.unit([], [function])


def test_functions_of_tables_and_of_written_parts_are_compiled() -> None:
    functions = {one.name: one for one in to_cuda.mapped_functions(load_catalog(Targeting(cuda="13.5")))}
    assert functions["hipMalloc"].cuda == "cudaMalloc"
    assert functions["hipGraphAddDependencies"].table == "runtime"  # by a part
    assert functions["hipblasHgemm"].table == "cublas"
    assert len(functions) > 2000
    assert not any(name.startswith("__builtin_") for name in functions)


def test_the_page_is_fresh() -> None:
    page = (ROOT / to_cuda_page.PAGE).read_text(encoding="utf-8")
    assert to_cuda_page.stamp() in page, "`python -m tools.tables to-cuda` writes the page anew"


@pytest.mark.compiler
@pytest.mark.parametrize("version", to_cuda_page.VERSIONS)
def test_the_page_tells_what_clang_says(version: str) -> None:
    from tools.tables.commands.headers import default_folder

    compiler = to_cuda.clang()
    (wanted,) = [one for one in header_sets() if one.name == f"cuda-{version}"]
    folder = default_folder() / wanted.name
    if compiler is None or not is_complete(wanted, folder):
        pytest.skip(f"NOT COMPILED: there is no clang++, or no header set {wanted.name}")
    compiled = to_cuda_page.compile_with(version, folder / "include", compiler)
    page = (ROOT / to_cuda_page.PAGE).read_text(encoding="utf-8")
    assert [name for name in compiled.errors if f"`{name}`" not in page] == []


def test_an_error_in_a_header_belongs_to_the_call_that_needs_it() -> None:
    text = "inc/driver.h:5:1: error: no matching function\nhipF:1:50: note: in instantiation of function\nhipG:1:3: error: x\n"
    assert dict(to_cuda._errors(text, {"hipF", "hipG"})).keys() == {"hipF", "hipG"}
    with pytest.raises(to_cuda.CompilerError):
        list(to_cuda._errors("inc/driver.h:5:1: error: wrong\n", {"hipF"}))
