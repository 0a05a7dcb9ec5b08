"""What the classes and namespaces of a header mean by API names holds in the files that include it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import check, convert

CASES = {
    "member of a base": (
        "#pragma once\nstruct Base { void cudaFree(void *p); };\n",
        "struct D : Base { void f(void *p) { cudaFree(p); } };\nvoid g(void *p) { hipFree(p); }\n",
    ),
    "member of a base's base": (
        "struct A { void cudaFree(void *p); };\nstruct B : A {};\n",
        "struct D : B { void f(void *p) { cudaFree(p); } };\nvoid g(void *p) { hipFree(p); }\n",
    ),
    "function of a class that is defined here": (
        "class Pool { void cudaFree(void *p); void clear(); };\n",
        "void Pool::clear() { cudaFree(0); ::hipFree(0); }\n",
    ),
    "enumerator of a namespace": (
        "namespace mine { enum Status { cudaSuccess, Other }; }\n",
        "namespace mine { Status f() { return cudaSuccess; } }\nint g() { return hipSuccess + mine::cudaSuccess; }\n",
    ),
    "enumerator of a base": (
        "struct B { enum { cudaSuccess = 3 }; };\n",
        "struct D : public B { int f() { return cudaSuccess; } };\nint g() { return hipSuccess; }\n",
    ),
    "function of a namespace": (
        "namespace mine { void cudaFree(void *p); }\n",
        "namespace mine { void f(void *p) { cudaFree(p); } }\nvoid g(void *p) { hipFree(p); mine::cudaFree(p); }\n",
    ),
    "type of a namespace": (
        "namespace mine { struct cudaDeviceProp { int x; }; }\n",
        "namespace mine { void f(cudaDeviceProp p); }\nvoid g(hipDeviceProp_t p, mine::cudaDeviceProp q);\n",
    ),
    "name taken up": (
        "#include <hip/hip_runtime.h>\nnamespace gpu { using ::hipError_t; }\n",
        "gpu::hipError_t f() { return hipSuccess; }\nother::cudaError_t g();\n",
    ),
    "alias of the same name": (
        "namespace gpu { using hipError_t = ::hipError_t; }\n",
        "gpu::hipError_t f() { return hipSuccess; }\n",
    ),
    "name taken up by a class": (
        "struct Api { using hipStream_t = ::hipStream_t; };\n",
        "Api::hipStream_t f();\n",
    ),
    "function taken up": (
        "namespace gpu { using ::hipMalloc; using ::hipFree; }\n",
        "void f(void *p) { gpu::hipFree(p); }\n",
    ),
    "built-in variable of a namespace": (
        "namespace mine { constexpr auto warpSize = 32; }\n",
        "namespace mine { __device__ int a[64 / warpSize]; }\n__device__ int f() { return mine::warpSize; }\n",
    ),
}
"""A header and a source, as they are translated."""


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def cuda(text: str) -> str:
    """The text before translation."""
    return (
        text.replace("hip/hip_runtime.h", "cuda_runtime.h")
        .replace("hipDeviceProp_t", "cudaDeviceProp")
        .replace("hip", "cuda")
    )


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("between", ["", "between.h"])
def test_a_file_sees_what_its_headers_scopes_mean(tmp_path: Path, name: str, between: str) -> None:
    header, source = CASES[name]
    first = between or "own.h"
    write(tmp_path, {"include/own.h": cuda(header), "src/a.cu": f'#include "{first}"\n' + cuda(source)})
    if between:
        write(tmp_path, {"include/between.h": '#include "own.h"\n'})
    convert([tmp_path], in_place=True, force=True)
    assert (tmp_path / "src/a.cu").read_text().endswith(source)
    assert (tmp_path / "include/own.h").read_text().endswith(header)


@pytest.mark.parametrize("name", CASES)
def test_a_file_given_by_itself_sees_it_too(tmp_path: Path, name: str) -> None:
    header, source = CASES[name]
    write(tmp_path, {"include/own.h": cuda(header), "src/a.cu": '#include "own.h"\n' + cuda(source)})
    (tmp_path / ".git").mkdir()
    convert([tmp_path / "src/a.cu"], in_place=True, force=True)
    assert (tmp_path / "src/a.cu").read_text().endswith(source)


def test_an_unrelated_program_of_the_same_tree_sees_nothing(tmp_path: Path) -> None:
    source = "struct D : Base { void f(void *p) { cudaFree(p); } };\n"
    write(
        tmp_path,
        {
            "one/own.h": "struct Base { void cudaFree(void *p); };\n",
            "one/a.cu": '#include "own.h"\n' + source,
            "two/own.h": "struct Base { int size; };\n",
            "two/a.cu": '#include "own.h"\n' + source,
        },
    )
    convert([tmp_path], in_place=True, force=True)
    assert "cudaFree(p)" in (tmp_path / "one/a.cu").read_text()
    assert "hipFree(p)" in (tmp_path / "two/a.cu").read_text()


def test_an_alias_that_a_file_of_another_program_has_is_no_alias_here(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "one/own.h": "namespace gpu { using ::cudaError_t; }\n",
            "one/a.cu": '#include "own.h"\ngpu::cudaError_t f();\n',
            "two/own.h": "namespace gpu { enum cudaError_t { none }; }\n",
            "two/a.cu": '#include "own.h"\ngpu::cudaError_t f();\n',
        },
    )
    convert([tmp_path], in_place=True, force=True)
    assert "gpu::hipError_t f();" in (tmp_path / "one/a.cu").read_text()
    assert "gpu::cudaError_t f();" in (tmp_path / "two/a.cu").read_text()


CHAINS = {
    "members over three headers": (
        [
            "struct Base { void cudaFree(void *p); };\n",
            "struct Mid : Base { void g(void *p) { cudaFree(p); } };\n",
            "struct Derived : public Mid { void f(void *p); void h(void *p) { cudaFree(p); } };\n",
        ],
        "void Derived::f(void *p) { cudaFree(p); ::hipFree(p); }\n"
        "struct Own : Derived { void k(void *p) { cudaFree(p); } };\nvoid l(void *p) { hipFree(p); }\n",
    ),
    "an enumerator over two headers": (
        ["struct B { enum { cudaSuccess = 3 }; };\n", "class C : protected B { int f(); };\n"],
        "int C::f() { return cudaSuccess; }\nint g() { return hipSuccess; }\n",
    ),
    "a class template between": (
        [
            "class Pool { protected: void cudaFree(void *p); };\n",
            "template <class T> class Typed : Pool { void clear(T *p) { cudaFree(p); } };\n",
        ],
        "struct Ints : Typed<int> { void f(int *p) { cudaFree(p); } };\nvoid g(int *p) { hipFree(p); }\n",
    ),
    "two bases": (
        [
            "struct A { int x; };\nstruct B { void *cudaMalloc(int n); };\n",
            "struct C : A, virtual public B {};\n",
            "struct D : C { void *f(); };\n",
        ],
        "void *D::f() { return cudaMalloc(3); }\nvoid g(void **p) { hipMalloc(p, 3); }\n",
    ),
    "a name taken up twice": (
        [
            "#include <hip/hip_runtime.h>\nnamespace api { using ::hipError_t; }\n",
            "namespace gpu { using api::hipError_t; }\n",
            "namespace all { using gpu::hipError_t; }\n",
        ],
        "all::hipError_t f() { return hipSuccess; }\nother::cudaError_t g();\n",
    ),
}
"""Headers of which each includes the one before it, and a source, as they are translated."""


@pytest.mark.parametrize("given", ["tree", "file"])
@pytest.mark.parametrize("name", CHAINS)
def test_what_scopes_mean_goes_through_several_headers(tmp_path: Path, name: str, given: str) -> None:
    headers, source = CHAINS[name]
    files = {"src/h0.h": headers[0], "src/a.cu": f'#include "h{len(headers) - 1}.h"\n' + source}
    for number, header in enumerate(headers[1:], 1):
        files[f"src/h{number}.h"] = f'#include "h{number - 1}.h"\n' + header
    write(tmp_path, {path: cuda(text) for path, text in files.items()})
    convert([tmp_path if given == "tree" else tmp_path / "src/a.cu"], in_place=True, force=True)
    assert (tmp_path / "src/a.cu").read_text().endswith(source)
    for number, header in enumerate(headers if given == "tree" else ()):
        assert (tmp_path / f"src/h{number}.h").read_text().endswith(header)


def test_a_class_of_another_program_with_the_name_of_a_base_is_none(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "one/base.h": "struct Base { void cudaFree(void *p); };\n",
            "one/mid.h": '#include "base.h"\nstruct Mid : Base {};\n',
            "two/mid.h": "struct Mid { int x; };\n",
            "two/a.cu": '#include "mid.h"\nstruct D : Mid { void f(void *p) { cudaFree(p); } };\n',
        },
    )
    convert([tmp_path], in_place=True, force=True)
    assert "hipFree(p)" in (tmp_path / "two/a.cu").read_text()


NESTED = (
    "#pragma once\nnamespace lib { namespace cuda { template <int N> struct latch { int n; }; struct queue {}; } }\n"
)
OUTER = "#pragma once\nnamespace cuda { template <int N> struct latch { int n; }; struct queue {}; }\n"
SHORT = "#pragma once\nnamespace lib::cuda { template <int N> struct latch {}; struct stream_ref {}; }\n"


@pytest.mark.parametrize(
    ("header", "source"),
    [
        (NESTED, "namespace lib { void f(cuda::latch<4> &l, cuda::queue q); }\n"),
        (NESTED, "namespace lib::detail { void f(cuda::latch<4> &l); }\n"),
        (NESTED, "using namespace lib;\nvoid f(cuda::latch<4> &l, lib::cuda::latch<2> m, ::lib::cuda::queue q);\n"),
        (
            NESTED,
            "namespace lib { namespace c = cuda; void f() { using namespace cuda; c::latch<2> m; latch<3>{}; } }\n",
        ),
        (NESTED, "namespace lib { struct S { void run(); }; }\nvoid lib::S::run() { cuda::latch<4> l; }\n"),
        (NESTED, "namespace cuda = lib::cuda;\nvoid f(cuda::latch<4> &l, cuda::queue);\n"),
        (NESTED + "namespace cuda = lib::cuda;\n", "void f(cuda::latch<4> &l, cuda::queue);\n"),
        (OUTER, "void f(cuda::latch<4> &l, ::cuda::queue q);\nusing cuda::latch;\n"),
        (OUTER, "namespace c = cuda;\nvoid f(c::latch<4> &l) { using namespace cuda; latch<3>{}; }\n"),
        (SHORT, "namespace lib { void f(cuda::latch<4> &l, cuda::stream_ref s); }\n"),
        ("", SHORT.partition("\n")[2] + "namespace lib { void f(cuda::latch<4> &l, cuda::stream_ref s); }\n"),
    ],
)
def test_a_namespace_cuda_of_the_projects_own(tmp_path: Path, header: str, source: str) -> None:
    (tmp_path / "own.hpp").write_text(header)
    (tmp_path / "all.hpp").write_text('#include "own.hpp"\n')
    (tmp_path / "use.cpp").write_text('#include "all.hpp"\n' + source)
    for given in (tmp_path, tmp_path / "use.cpp"):
        report = check([given], jobs=1)
        assert [finding for result in report.results for finding in result.findings] == []
        assert {result.status for result in report.results} == {"unchanged"}


def test_the_librarys_namespace_beside_one_of_the_projects_own(tmp_path: Path) -> None:
    (tmp_path / "own.hpp").write_text(NESTED)
    source = '#include "own.hpp"\n#include <cuda/latch>\nvoid f(cuda::latch<4> &l, lib::cuda::latch<4> &m);\n'
    (tmp_path / "use.cu").write_text(source)
    convert([tmp_path], output=tmp_path / "out", jobs=1)
    assert "void f(hipify::latch<4> &l, lib::cuda::latch<4> &m);" in (tmp_path / "out" / "use.cu").read_text()


def test_what_a_project_adds_to_the_librarys_namespace(tmp_path: Path) -> None:
    (tmp_path / "own.hpp").write_text("#include <cuda/latch>\nnamespace cuda { struct queue {}; }\n")
    (tmp_path / "use.cu").write_text('#include "own.hpp"\nvoid f(cuda::latch<4> &l, cuda::queue q);\n')
    convert([tmp_path], output=tmp_path / "out", jobs=1)
    assert "void f(hipify::latch<4> &l, cuda::queue q);" in (tmp_path / "out" / "use.cu").read_text()
