"""What arrives in hipBLAS when functions without a handle are called, as their prototypes in cublas.h convert it.

The section is compiled against a stand-in for hipBLAS that prints the arguments, and run.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hipify_py.support_header import HEADER
from hipify_py.support_header.header import render

pytestmark = pytest.mark.compiler

# hipBLAS's parameters behind the handle: `i` for int, `o`, `f`, `s` and `d` for enumerators (operation, fill, side,
# diagonal), `t` and `r` for pointers to constant numbers and constant real ones, `T`, `R` and `I` for pointers to others.
OF_ALL = {
    "{T}axpy": "i t ti Ti",
    "{T}copy": "i ti Ti",
    "{T}scal": "i t Ti",
    "{T}swap": "i Ti Ti",
    "{T}rot": "i Ti Ti r t",
    "{T}rotg": "T T R T",
    "I{t}amax": "i ti I",
    "I{t}amin": "i ti I",
    "{T}gbmv": "o iiii t ti ti t Ti",
    "{T}gemv": "o ii t ti ti t Ti",
    "{T}tbmv": "fod ii ti Ti",
    "{T}tbsv": "fod ii ti Ti",
    "{T}tpmv": "fod i t Ti",
    "{T}tpsv": "fod i t Ti",
    "{T}trmv": "fod i ti Ti",
    "{T}trsv": "fod i ti Ti",
    "{T}gemm": "oo iii t ti ti t Ti",
    "{T}symm": "sf ii t ti ti t Ti",
    "{T}syrk": "fo ii t ti t Ti",
    "{T}syr2k": "fo ii t ti ti t Ti",
    "{T}trmm": "sfod ii t ti ti Ti",
    "{T}trsm": "sfod ii t ti Ti",
}
OF_REAL = {
    "{T}rotm": "i Ti Ti t",
    "{T}rotmg": "T T T t T",
    "{T}asum": "i ti R",
    "{T}nrm2": "i ti R",
    "{T}dot": "i ti ti T",
    "{T}sbmv": "f ii t ti ti t Ti",
    "{T}spmv": "f i t t ti t Ti",
    "{T}symv": "f i t ti ti t Ti",
    "{T}ger": "ii t ti ti Ti",
    "{T}spr": "f i t ti T",
    "{T}spr2": "f i t ti ti T",
    "{T}syr": "f i t ti Ti",
    "{T}syr2": "f i t ti ti Ti",
}
OF_COMPLEX = {
    "{T}{r}rot": "i Ti Ti r r",
    "{T}{r}scal": "i r Ti",
    "{R}{t}asum": "i ti R",
    "{R}{t}nrm2": "i ti R",
    "{T}dotc": "i ti ti T",
    "{T}dotu": "i ti ti T",
    "{T}hbmv": "f ii t ti ti t Ti",
    "{T}hpmv": "f i t t ti t Ti",
    "{T}hemv": "f i t ti ti t Ti",
    "{T}gerc": "ii t ti ti Ti",
    "{T}geru": "ii t ti ti Ti",
    "{T}hpr": "f i r ti T",
    "{T}hpr2": "f i t ti ti T",
    "{T}her": "f i r ti Ti",
    "{T}her2": "f i t ti ti Ti",
    "{T}hemm": "sf ii t ti ti t Ti",
    "{T}herk": "fo ii r ti r Ti",
    "{T}her2k": "fo ii t ti ti r Ti",
}
NUMBERS = (
    ("S", "S", "float", "float", {**OF_ALL, **OF_REAL}),
    ("D", "D", "double", "double", {**OF_ALL, **OF_REAL}),
    ("C", "S", "hipblasComplex", "float", {**OF_ALL, **OF_COMPLEX}),
    ("Z", "D", "hipblasDoubleComplex", "double", {**OF_ALL, **OF_COMPLEX}),
)
ENUMERATIONS = {
    "o": ("hipblasOperation_t", ("HIPBLAS_OP_N = 111", "HIPBLAS_OP_T", "HIPBLAS_OP_C")),
    "f": ("hipblasFillMode_t", ("HIPBLAS_FILL_MODE_UPPER = 121", "HIPBLAS_FILL_MODE_LOWER")),
    "s": ("hipblasSideMode_t", ("HIPBLAS_SIDE_LEFT = 141", "HIPBLAS_SIDE_RIGHT")),
    "d": ("hipblasDiagType_t", ("HIPBLAS_DIAG_NON_UNIT = 131", "HIPBLAS_DIAG_UNIT")),
}
RESULTS = ("asum", "nrm2", "dot", "dotc", "dotu", "amax", "amin")

RUNTIME = """#pragma once
#include <cstddef>
#include <cstdio>
typedef void* hipStream_t;
enum hipError_t { hipSuccess };
inline hipError_t hipMalloc(void**, size_t) { return hipSuccess; }
inline hipError_t hipFree(void*) { return hipSuccess; }
"""
COMPLEX = """#pragma once
struct hipFloatComplex { float x, y; };
struct hipDoubleComplex { double x, y; };
"""
SHARED_TYPES = "typedef hipFloatComplex hipblasComplex;\ntypedef hipDoubleComplex hipblasDoubleComplex;\n"
OWN_TYPES = "struct hipblasComplex { float x, y; };\nstruct hipblasDoubleComplex { double x, y; };\n"
LIBRARY = """
typedef int* hipblasHandle_t;
enum hipblasStatus_t {
    HIPBLAS_STATUS_SUCCESS, HIPBLAS_STATUS_NOT_INITIALIZED, HIPBLAS_STATUS_INVALID_VALUE, HIPBLAS_STATUS_ALLOC_FAILED,
    HIPBLAS_STATUS_INTERNAL_ERROR
};
inline hipblasStatus_t hipblasCreate(hipblasHandle_t* handle) { *handle = new int; return HIPBLAS_STATUS_SUCCESS; }
inline hipblasStatus_t hipblasDestroy(hipblasHandle_t handle) { delete handle; return HIPBLAS_STATUS_SUCCESS; }
inline hipblasStatus_t hipblasSetStream(hipblasHandle_t, hipStream_t) { return HIPBLAS_STATUS_SUCCESS; }
inline void show(int value) { printf(" %d", value); }
inline void show(double value) { printf(" %g", value); }
inline void show(hipblasComplex value) { printf(" (%g,%g)", value.x, value.y); }
inline void show(hipblasDoubleComplex value) { printf(" (%g,%g)", value.x, value.y); }
template <class Number> void show(const Number* number) { number == nullptr ? (void)printf(" null") : show(*number); }
template <class Number> void show(Number* number) { show(static_cast<const Number*>(number)); }
template <class... Arguments> hipblasStatus_t record(const char* name, Arguments... arguments) {
    printf("%s", name);
    int shown[] = {(show(arguments), 0)...};
    (void)shown;
    printf("\\n");
    return HIPBLAS_STATUS_SUCCESS;
}
"""
VARIABLES = """
    float x[] = {3}, y[] = {4}, a[] = {5}, b[] = {6};
    double dx[] = {3}, dy[] = {4};
    hipFloatComplex z[] = {{1, 2}}, c = {8, 9};
    hipDoubleComplex w[] = {{1, 2}}, dc = {8, 9};
    const float* constant = x;
    const double scale = 0.5;
    int transposed = 'T';
    const long conjugate = 'c';
    unsigned char upper = 'U';
    struct { operator float() const { return 1.5f; } } wrapped;
    size_t n = 1;
"""

CALLS = {
    # Numbers of other types than the parameter's are converted.
    "Saxpy(1, 2.0, x, 1, y, 1)": "Saxpy 1 2 3 1 4 1",
    "Saxpy(n, 2, constant, 1, y, 1)": "Saxpy 1 2 3 1 4 1",
    "Saxpy(1, wrapped, x, 1, y, 1)": "Saxpy 1 1.5 3 1 4 1",
    "Daxpy(1, 2.0f, dx, 1, dy, 1)": "Daxpy 1 2 3 1 4 1",
    "Sscal(1, scale, x, 1)": "Sscal 1 0.5 3 1",
    "Sscal(1, 1.0 / n, x, 1)": "Sscal 1 1 3 1",
    "Dscal(1, 'a', dx, 1)": "Dscal 1 97 3 1",
    "Sgemm('n', 't', 1, 1, 1, 1.0, a, 1, b, 1, 0, y, 1)": "Sgemm 111 112 1 1 1 1 5 1 6 1 0 4 1",
    "Srot(1, x, 1, y, 1, 0.5, -0.25)": "Srot 1 3 1 4 1 0.5 -0.25",
    "Sger(1, 1, 2.0, x, 1, y, 1, a, 1)": "Sger 1 1 2 3 1 4 1 5 1",
    "Sspmv('l', 1, 2, a, x, 1, 0.5, y, 1)": "Sspmv 122 1 2 5 3 1 0.5 4 1",
    # Letters come in any integral type.
    "Sgemm(transposed, conjugate, 1, 1, 1, 1, a, 1, b, 1, 0, y, 1)": "Sgemm 112 113 1 1 1 1 5 1 6 1 0 4 1",
    "Dsyrk(upper, transposed, 1, 1, 2, dx, 1, 3, dy, 1)": "Dsyrk 121 112 1 1 2 3 1 3 4 1",
    "Stpsv('L', 'N', upper, 1, a, x, 1)": "Stpsv 122 111 132 1 5 3 1",
    # Triangular products overwrite an operand; a number need not be of the matrices' type.
    "Strmm('L', 'U', 'N', 'U', 1, 1, 1.0, a, 1, b, 1)": "Strmm 141 121 111 132 1 1 1 5 1 6 1 6 1",
    "Dtrmm('r', 'l', 'c', 'n', 1, 1, 2, dx, 1, dy, 1)": "Dtrmm 142 122 113 131 1 1 2 3 1 4 1 4 1",
    "Strsm('R', 'L', 'T', 'N', 1, 1, 2.0, constant, 1, b, 1)": "Strsm 142 122 112 131 1 1 2 3 1 6 1",
    # Pointers that are null stay so.
    "Sgemm('n', 'n', 0, 0, 0, 1, NULL, 1, nullptr, 1, 0.0, 0, 1)": "Sgemm 111 111 0 0 0 1 null 1 null 1 0 null 1",
    "Strmm('L', 'U', 'N', 'N', 0, 0, 1, NULL, 1, NULL, 1)": "Strmm 141 121 111 131 0 0 1 null 1 null 1 null 1",
    "Cscal(0, c, NULL, 1)": "Cscal 0 (8,9) null 1",
    # Complex numbers, and real ones among them.
    "Caxpy(1, c, z, 1, z, 1)": "Caxpy 1 (8,9) (1,2) 1 (1,2) 1",
    "Zgemv('C', 1, 1, dc, w, 1, w, 1, dc, w, 1)": "Zgemv 113 1 1 (8,9) (1,2) 1 (1,2) 1 (8,9) (1,2) 1",
    "Csscal(1, 2.0, z, 1)": "Csscal 1 2 (1,2) 1",
    "Zdscal(1, 2.0f, w, 1)": "Zdscal 1 2 (1,2) 1",
    "Crot(1, z, 1, z, 1, 0.5, c)": "Crot 1 (1,2) 1 (1,2) 1 0.5 (8,9)",
    "Csrot(1, z, 1, z, 1, 0.5, 2)": "Csrot 1 (1,2) 1 (1,2) 1 0.5 2",
    "Crotg(z, c, x, z)": "Crotg (1,2) (8,9) 3 (1,2)",
    "Cherk('U', 'N', 1, 1, 2.0, z, 1, 0, z, 1)": "Cherk 121 111 1 1 2 (1,2) 1 0 (1,2) 1",
    "Zher2k('U', 'C', 1, 1, dc, w, 1, w, 1, 2.0f, w, 1)": "Zher2k 121 113 1 1 (8,9) (1,2) 1 (1,2) 1 2 (1,2) 1",
    "Cher('L', 1, 2, z, 1, z, 1)": "Cher 122 1 2 (1,2) 1 (1,2) 1",
    # What is computed comes back.
    "show(Sdot(1, x, 1, y, 1))": "Sdot 1 3 1 4 1 0\n 7",
    "show(Dznrm2(1, w, 1))": "Dznrm2 1 (1,2) 1 0\n 7",
    "show(Scasum(1, z, 1))": "Scasum 1 (1,2) 1 0\n 7",
    "show(Izamin(1, w, 1))": "Izamin 1 (1,2) 1 0\n 7",
    "auto s = Cdotc(1, z, 1, z, 1); show(s.x)": "Cdotc 1 (1,2) 1 (1,2) 1 (0,0)\n 7",
}


def _functions() -> Iterator[str]:
    for letter, real_letter, number, real, routines in NUMBERS:
        types = {"i": "int", "t": f"const {number}*", "r": f"const {real}*", "T": f"{number}*", "R": f"{real}*"}
        types |= {"I": "int*", **{code: type for code, (type, _) in ENUMERATIONS.items()}}
        for name, codes in routines.items():
            routine = name.format(T=letter, t=letter.lower(), R=real_letter, r=real_letter.lower())
            parameters = [types[code] for code in codes.replace(" ", "")]
            names = [f"p{place}" for place in range(len(parameters))]
            declared = ", ".join(f"{type} {name}" for type, name in zip(parameters, names, strict=True))
            yield f"inline hipblasStatus_t hipblas{routine}(hipblasHandle_t, {declared}) {{"
            yield f'    hipblasStatus_t status = record("{routine}", {", ".join(names)});'
            if name.rpartition("}")[2] in RESULTS:
                yield f"    *{names[-1]} = {{7}};"
            yield "    return status;\n}"


def _write_stand_ins(folder: Path, complex_types: str) -> None:
    (folder / "hip").mkdir()
    (folder / "hipblas").mkdir()
    for name in ("hip_runtime.h", "hip_runtime_api.h"):
        (folder / "hip" / name).write_text(
            RUNTIME if name == "hip_runtime_api.h" else "#include <hip/hip_runtime_api.h>\n"
        )
    (folder / "hip" / "hip_complex.h").write_text(COMPLEX)
    enumerations = "".join(f"enum {type} {{ {', '.join(values)} }};\n" for type, values in ENUMERATIONS.values())
    parts = ["#pragma once\n#include <hip/hip_complex.h>\n", complex_types, enumerations, LIBRARY, *_functions(), ""]
    (folder / "hipblas" / "hipblas.h").write_text("\n".join(parts))


@pytest.fixture(scope="module", params=[SHARED_TYPES, OWN_TYPES], ids=["shared types", "own types"])
def arrived(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each call printed; hipBLAS has HIP's complex types, or some of its own."""
    compiler = shutil.which("g++") or shutil.which("clang++") or shutil.which("clang++-22")
    if compiler is None:
        pytest.skip("NOT COMPILED AND RUN: there is neither g++ nor clang++ on this machine")
    folder = tmp_path_factory.mktemp("legacy_blas")
    _write_stand_ins(folder, request.param)
    (folder / HEADER).write_bytes(render(["legacy_blas"]))
    calls = "".join(f'    {{ {call}; }}\n    printf("--\\n");\n' for call in CALLS)
    program = f'#include "{HEADER}"\nusing namespace hipify::blas;\nint main() {{{VARIABLES}{calls}}}\n'
    (folder / "program.cpp").write_text(program)
    command = [compiler, "-std=c++14", "-Wall", "-I", str(folder), "program.cpp", "-o", "program"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    assert run.returncode == 0, run.stderr[:4000]
    assert HEADER not in run.stderr, run.stderr[:4000]
    printed = subprocess.run([folder / "program"], capture_output=True, text=True, check=True).stdout
    return dict(zip(CALLS, (lines.strip("\n") for lines in printed.split("--\n")), strict=False))


@pytest.mark.parametrize("call", CALLS)
def test_arguments_arrive_as_the_prototypes_convert_them(call: str, arrived: dict[str, str]) -> None:
    assert arrived[call] == CALLS[call]
