"""cuBLAS's first interface, whose functions take no handle: the support header keeps one for them."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.targeting import Targeting

CALLS = [
    "float s = cublasSdot(4, x, 1, y, 1);",
    "int i = cublasIdamax(n, x, 1);",
    "cublasCsscal(n, a, z, 1);",
    "cublasDgemm('n', 't', m, n, k, 1.0, a, m, b, n, 0.0, c, m);",
    "cublasStrmm('L', 'U', 'N', 'N', m, n, alpha, a, lda, b, ldb);",
    "double r = cublasDznrm2(n, z, 1);",
    "cublasZherk('U', 'N', n, k, a, z, n, b, c, n);",
    "cublasScopy(n, x, 1, y, 1);",
    "cublasCscal(n, a, z, 1);",
    "cublasCswap(n, z, 1, w, 1);",
    "cublasCsyrk('U', 'N', n, k, a, z, n, b, c, n);",
    "auto d = cublasZdotu(n, z, 1, w, 1);",
]


def outcome(source: str, path: str = "a.cpp", options: Options = DEFAULT_OPTIONS) -> tuple[str, list[str]]:
    result = translate(source, path=path, options=options)
    return result.output.decode(), [finding.id for finding in result.findings]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "include",
    ["#include <cublas.h>\n", '#include "cublas.h"\n', '#include "ours.h"\n', "#include <hipblas/hipblas.h>\n"],
)
def test_a_call_without_a_handle_is_one_of_the_support_header(call: str, include: str) -> None:
    source = f"{include}void f(cublasStatus_t s) {{ {call} }}\n"
    once, found = outcome(source)
    assert call.replace("cublas", "hipify::blas::") in once
    assert "hipblasStatus_t s" in once
    assert '#include "hipify_support.hpp"' in once
    assert "cublas.h" not in once
    assert found == []
    assert outcome(once) == (once, found)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("a.c", Options()),
        ("a.cpp", Options(support=False)),
        ("a.cpp", Options(targeting=Targeting(target="roc"))),
    ],
)
def test_without_the_support_header_it_stays_and_is_reported_in_every_pass(
    call: str, path: str, options: Options
) -> None:
    source = f"#include <cublas.h>\nvoid f() {{ {call} }}\n"
    once, found = outcome(source, path, options)
    assert call in once
    assert "<cublas.h>" in once
    assert found == ["HIP107", "HIP501"]
    assert outcome(once, path, options) == (once, found)


def test_an_address_is_that_of_no_function() -> None:
    source = "#include <cublas.h>\nauto f = &cublasSdot;\n"
    once, found = outcome(source)
    assert once == source
    assert found == ["HIP107", "HIP501"]
    assert outcome(once) == (once, found)


def test_a_macro_stands_for_the_support_headers_function() -> None:
    source = "#include <cublas.h>\n#define DOT cublasSdot\n#define AXPY(...) cublasSaxpy(__VA_ARGS__)\n"
    once, found = outcome(source)
    assert once.endswith("#define DOT hipify::blas::Sdot\n#define AXPY(...) hipify::blas::Saxpy(__VA_ARGS__)\n")
    assert found == []


def test_the_library_is_started_and_asked_for_errors_by_the_support_header() -> None:
    names = ["Init()", "Shutdown()", "GetError()", "Alloc(4, 4, &p)", "Free(p)", "SetKernelStream(0)"]
    once, found = outcome("".join(f"auto a{n} = cublas{name};\n" for n, name in enumerate(names)))
    assert [f"= hipify::blas::{name};" in once for name in names] == [True] * len(names)
    assert found == []


@pytest.mark.parametrize("include", ["", "#include <cublas.h>\n", "#include <cuda_runtime.h>\n#include <vector>\n"])
@pytest.mark.parametrize("call", ["cublasInit();", "cublasFree(p);", "if (cublasAlloc(n, 4, &p)) cublasShutdown();"])
def test_the_librarys_functions_are_called_in_statements(include: str, call: str) -> None:
    once, found = outcome(f"{include}void f(int n, void *p) {{ {call} }}\n")
    assert call.replace("cublas", "hipify::blas::") in once
    assert found == []
    assert outcome(once) == (once, found)


OWN = {
    "declared": "#include <cublas_v2.h>\nvoid cublasInit();\nint main() { cublasInit(); }\n",
    "of the same signature": '#include <cublas_v2.h>\nextern "C" int cublasFree(const void *);\nint f() { return cublasFree(0); }\n',
    "of another header": '#include <cublas_v2.h>\n#include "ours/blas.h"\nvoid f() { cublasInit(); cublasShutdown(); }\n',
    "of a header alone": '#include "ours/blas.h"\nvoid f() { cublasInit(); cublasShutdown(); }\n',
    "beside cublasXt": "#include <cublasXt.h>\nvoid f() { cublasSetKernelStream(0); }\n",
    "declared without a header": "void cublasShutdown(int device);\nvoid f() { cublasShutdown(0); }\n",
    "in a macro": "#include <cublas_v2.h>\n#define START() cublasInit()\n",
    "of a template": "#include <cublas_v2.h>\ntemplate <class T> void cublasAlloc(T **p);\nvoid f(int *p) { cublasAlloc(&p); }\n",
    "under the name of a routine": "#include <cublas_v2.h>\nvoid cublasSscal(int n, float a, float *x, int incx);\n",
}


@pytest.mark.parametrize("source", OWN.values(), ids=OWN)
def test_a_function_that_may_be_the_projects_is_not_that_of_the_support_header(source: str) -> None:
    once, found = outcome(source)
    assert "hipify::" not in once
    assert "hipify_support" not in once
    assert set(found) <= {"HIP101", "HIP107", "HIP501"}
    assert outcome(once) == (once, found)


@pytest.mark.parametrize("name", ["cublasInit", "cublasFree"])
def test_what_the_source_defines_is_its_own(name: str) -> None:
    source = f"#include <cublas_v2.h>\nstatic void {name}(Ctx &c) {{}}\nint main() {{ Ctx c; {name}(c); }}\n"
    assert outcome(source) == (source.replace("cublas_v2.h", "hipblas/hipblas.h"), [])


def test_in_c_the_library_is_not_started() -> None:
    once, found = outcome("int f() { return cublasInit(); }\n", "a.c")
    assert "cublasInit()" in once
    assert found == ["HIP101"]


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("cublasSaxpy(h, n, &a, x, 1, y, 1);", "hipblasSaxpy(h, n, &a, x, 1, y, 1);"),
        ("cublasIsamax(h, n, x, 1, &i);", "hipblasIsamax(h, n, x, 1, &i);"),
        ("cublasSdot(h, n, x, 1, y, 1, &s);", "hipblasSdot(h, n, x, 1, y, 1, &s);"),
        ("auto f = &cublasSdot;", "auto f = &hipblasSdot;"),
        ("call(cublasSdot, 4, x, 1, y, 1);", "call(hipblasSdot, 4, x, 1, y, 1);"),
        ("cublasSdot(args...);", "hipblasSdot(args...);"),
    ],
)
def test_with_a_handle_or_without_a_sign_of_the_header_it_is_renamed(source: str, output: str) -> None:
    assert outcome(source) == (output, [])


def test_what_both_interfaces_share_without_a_handle_is_renamed() -> None:
    source = "#include <cublas.h>\nvoid f() { cublasSetVector(4, 4, x, 1, d, 1); cublasStatus s; }\n"
    once, found = outcome(source)
    assert once == "#include <hipblas/hipblas.h>\nvoid f() { hipblasSetVector(4, 4, x, 1, d, 1); hipblasStatus_t s; }\n"
    assert found == []
    assert outcome(once) == (once, [])
