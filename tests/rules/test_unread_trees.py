"""Where words and their neighbours show that a rule has nothing to say, it asks neither the tree nor its index."""

from __future__ import annotations

import pytest

from hipify_py import translate
from hipify_py.frontend.node_index import NodeIndex


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An entry for each index that is made of a tree."""
    made: list[str] = []
    monkeypatch.setattr(NodeIndex, "read", lambda *given: made.append("read"))
    return made


@pytest.mark.parametrize(
    ("sign", "evidence"),
    [
        ("+", ("lexical",)),
        ("==", ("lexical",)),
        ("()", ("lexical",)),
        (" /* of */ -", ("lexical",)),
        ("*", ("lexical", "tree-sitter")),
        (" /* of */ %=", ("lexical", "tree-sitter")),
        ("<<  =", ("lexical", "tree-sitter")),
    ],
)
def test_operators_that_hips_vector_types_lack_need_no_tree(sign: str, evidence: tuple[str, ...]) -> None:
    source = f"struct S {{ S operator{sign}(S other); }};\nvoid f(void *p) {{ cudaFree(p); }}"
    assert translate(source, path="a.cu").evidence == evidence


def test_numbers_beside_no_comparison_need_no_index(reads: list[str]) -> None:
    translate("void f(cudaError_t e, int n) { e = run(); n = e == cudaSuccess ? 16 : n + 16; }", path="a.cpp")
    assert not reads


@pytest.mark.parametrize(
    ("source", "is_parsed"),
    [
        ("void f(void **handle) { if (cublasXtCreate(handle) != 0) { cublasXtCreate(handle); } }", False),
        ("int cublasXtCreate(void **handle) noexcept { return 0; }", True),
        ("int cublasXtCreate(\n#if OTHERS\nint a\n#endif\n) { return 0; }", True),
    ],
)
def test_calls_are_no_definitions_of_what_hip_lacks(source: str, is_parsed: bool) -> None:
    done = translate(f"#ifdef OWN\n{source}\n#endif\n", path="a.cpp")
    assert ("tree-sitter" in done.evidence) == is_parsed


@pytest.mark.parametrize(
    ("declaration", "evidence"),
    [
        ("__shared__ float x[32];", ("lexical",)),
        ("__shared__ volatile unsigned x;", ("lexical",)),
        ("extern __shared__ Item x[];", ("lexical",)),
        ("__shared__ Item x[32];", ("lexical", "tree-sitter")),
    ],
)
def test_shared_variables_of_built_in_types_need_no_tree(declaration: str, evidence: tuple[str, ...]) -> None:
    assert translate(f"__global__ void k() {{ {declaration} }}", path="a.cu").evidence == evidence


@pytest.mark.parametrize(
    ("source", "evidence"),
    [
        ("namespace cg = cooperative_groups;\n__device__ void f(cg::thread_block b) { b.sync(); }", ("lexical",)),
        ("namespace cub { int a; }\ncub::CachingDeviceAllocator b;", ("lexical",)),
        ("using namespace cub;\nint a;", ("lexical",)),
        (
            "using namespace cooperative_groups;\n__device__ int f(tile t) { return reduce(t); }",
            ("lexical", "tree-sitter"),
        ),
    ],
)
def test_namespaces_are_opened_and_renamed_without_a_tree(source: str, evidence: tuple[str, ...]) -> None:
    assert translate(source, path="a.cu").evidence == evidence


def test_declarations_with_other_attributes_need_no_index(reads: list[str]) -> None:
    done = translate("__device__ int f(int);\nint f(int a) { int g(int); return a; }", path="a.cu")
    assert b"__device__ int f(int);\n__device__ int f(int a)" in done.output
    assert not reads
