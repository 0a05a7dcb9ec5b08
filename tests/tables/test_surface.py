"""What header sets declare: C headers, C++ headers, bindings, and the cache of all that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.tables.surface import Surface, load_surface, read_surface
from tools.tables.symbols import SurfaceError, Symbol, is_public, merge

pytest.importorskip("clang.cindex", exc_type=ImportError)

RUNTIME = """\
#ifndef CUDA_RUNTIME_API_H_
#define CUDA_RUNTIME_API_H_
#include <stddef.h>
#include <stdint.h>
#define CUDART_VERSION 99000
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
/* cudaInAComment */
typedef enum cudaError { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorLast } cudaError_t;
typedef struct CUstream_st *cudaStream_t;
struct cudaExtent { size_t width; size_t height; };
typedef struct { int x; } cudaUnnamed_t;
extern "C" {
cudaError_t cudaMemThing_v2(void **pointer, size_t size, const struct cudaExtent *extents, cudaStream_t stream);
#define cudaMemThing cudaMemThing_v2
__attribute__((deprecated)) cudaError_t cudaOld(void);
cudaError_t cudaUnreadable(NoSuchType argument);
}
template <class T> cudaError_t cudaThing(T *pointer, int count = 1);
cudaError_t cudaWithDefault(int first, uint32_t flags = 0);
namespace wonders { inline namespace v1 { __device__ int magic(int); enum class Color { red = 4 }; } }
#endif
"""
CUB = """\
#pragma once
#define CUB_SOMETHING 7
CUB_NAMESPACE_BEGIN
template <typename T, int N = 4> class BlockThing : Base<T> { void method(); struct Inner {}; };
template <typename T> struct BlockThing<T, 1> {};
struct Forward;
using Alias = int;
using detail::imported;
enum Algorithm { FIRST_WAY, SECOND_WAY = 3, };
namespace detail { struct Hidden {}; }
template <typename T> __device__ __forceinline__ T BlockReduceIt(T value, int (&array)[4]) { if (value) { return f(value); } }
#if defined(THIS)
template <typename T> struct Branch {
#else
template <typename T> struct Branch : Other {
#endif
};
_CCCL_DEVICE unsigned BFE(unsigned source) { return source; }
inline constexpr bool is_thing_v = true;
struct _Reserved {};
CUB_NAMESPACE_END
struct outside {};
"""
BINDINGS = """\
# A licence; hipInAComment
from libc.stdint cimport *
cdef extern from "hip/hip_runtime.h":

    cdef int HIP_VERSION_MAJOR

    cdef enum hipThing_t:
        hipThingOne
        hipThingTwo = 0x10

    cdef enum:
        HIP_ANONYMOUS

    cdef struct hipProp_t "hipProp_tR0600":
        char name[256]
        int[3] sizes
        void * pointer

    ctypedef hipThing_t hipOther_t
    ctypedef unsigned int[32] hipVectors_t
    ctypedef void (*hipCallback_t) (hipThing_t,void *)

cdef hipThing_t hipDo(void * dst,const void * src,size_t sizeBytes,hipThing_t kind) except? hipThingOne nogil


cdef hipThing_t hipVectors(unsigned int (**vectors)[32],int sizes[2]) except? hipThingOne nogil
cdef const char * hipName(hipThing_t thing) noexcept nogil
"""


def cuda_set(folder: Path) -> Path:
    include = folder / "include"
    (include / "cccl/cub/block").mkdir(parents=True)
    (include / "cuda_runtime_api.h").write_text(RUNTIME)
    (include / "cccl/cub/block/block_thing.cuh").write_text(CUB)
    return folder


@pytest.fixture(scope="module")
def cuda(tmp_path_factory: pytest.TempPathFactory) -> Surface:
    return read_surface(cuda_set(tmp_path_factory.mktemp("set")), "cuda", "99.0")


@pytest.fixture
def bindings(tmp_path: Path) -> Surface:
    (tmp_path / "pxd").mkdir()
    (tmp_path / "pxd/cyhip.pxd").write_text(BINDINGS)
    (tmp_path / "pxd/hip.pxd").write_text("cdef class PythonOnly:\n    pass\n")
    return read_surface(tmp_path, "rocm", "10.0")


def test_functions_have_signatures_and_libraries(cuda: Surface) -> None:
    function = cuda.symbols["cudaMemThing_v2"]
    assert (function.kind, function.library, function.header) == ("function", "runtime", "cuda_runtime_api.h")
    assert function.signatures == ("cudaError_t (void **, size_t, const struct cudaExtent *, cudaStream_t)",)


def test_a_macro_that_renames_a_function_is_that_function(cuda: Surface) -> None:
    function = cuda.symbols["cudaMemThing"]
    assert (function.kind, function.alias_of) == ("function", "cudaMemThing_v2")
    assert function.signatures == cuda.symbols["cudaMemThing_v2"].signatures


def test_types_enumerators_and_macros(cuda: Surface) -> None:
    assert cuda.symbols["cudaError"].fields == ("cudaSuccess", "cudaErrorInvalidValue", "cudaErrorLast")
    assert cuda.symbols["cudaErrorLast"].value == "2"
    assert cuda.symbols["cudaStream_t"].alias_of == "struct CUstream_st *"
    assert cuda.symbols["cudaExtent"].fields == ("width", "height")
    assert cuda.symbols["cudaUnnamed_t"].fields == ("x",)
    assert cuda.symbols["CUDART_VERSION"].value == "99000"


def test_what_is_deprecated_is_told(cuda: Surface) -> None:
    assert cuda.symbols["cudaOld"].deprecated
    assert not cuda.symbols["cudaMemThing_v2"].deprecated


def test_templates_and_defaults_are_marked(cuda: Surface) -> None:
    assert cuda.symbols["cudaThing"].signatures == ("template cudaError_t (T *, int =)",)
    assert cuda.symbols["cudaWithDefault"].signatures == ("cudaError_t (int, uint32_t =)",)


def test_device_functions_and_inline_namespaces(cuda: Surface) -> None:
    assert cuda.symbols["wonders::magic"].kind == "device function"
    assert cuda.symbols["wonders::Color::red"].value == "4"


def test_guards_and_comments_are_no_symbols(cuda: Surface) -> None:
    assert "CUDA_RUNTIME_API_H_" not in cuda.symbols
    assert not cuda.declares("cudaInAComment")
    assert cuda.declares("cudaUnreadable"), "a declaration that cannot be parsed is still a word of the header"


def test_names_of_cpp_libraries_carry_their_namespace(cuda: Surface) -> None:
    found = {name: symbol.kind for name, symbol in cuda.symbols.items() if symbol.library == "cub"}
    assert found == {
        "CUB_SOMETHING": "macro",
        "cub": "namespace",
        "cub::detail": "namespace",
        "cub::BlockThing": "type",
        "cub::Forward": "type",
        "cub::Alias": "type",
        "cub::imported": "function",
        "cub::Algorithm": "type",
        "cub::FIRST_WAY": "enumerator",
        "cub::SECOND_WAY": "enumerator",
        "cub::BlockReduceIt": "function",
        "cub::Branch": "type",
        "cub::BFE": "function",
        "cub::is_thing_v": "variable",
        "outside": "type",
    }
    assert "cub/block/block_thing.cuh" in cuda.headers


def test_bindings(bindings: Surface) -> None:
    symbols = bindings.symbols
    assert symbols["hipDo"].signatures == ("hipThing_t (void *, const void *, size_t, hipThing_t)",)
    assert symbols["hipVectors"].signatures == ("hipThing_t (unsigned int (**)[32], int[2])",)
    assert symbols["hipName"].signatures == ("const char * (hipThing_t)",)
    assert symbols["hipThingTwo"].value == "16"
    assert symbols["hipThing_t"].fields == ("hipThingOne", "hipThingTwo")
    assert symbols["HIP_ANONYMOUS"].kind == "enumerator"
    assert symbols["hipProp_t"].fields == ("name", "sizes", "pointer")
    assert symbols["hipOther_t"].alias_of == "hipThing_t"
    assert symbols["hipVectors_t"].alias_of == "unsigned int[32]"
    assert symbols["hipCallback_t"].alias_of == "void (*)(hipThing_t, void *)"
    assert symbols["HIP_VERSION_MAJOR"].kind == "macro"
    assert bindings.bound == {"hip"}
    assert bindings.headers == {"hip/hip_runtime.h"}
    assert not bindings.declares("hipInAComment")
    assert not bindings.declares("PythonOnly")


def test_the_cache_holds_until_the_set_changes(tmp_path: Path) -> None:
    cuda_set(tmp_path)
    first = load_surface(tmp_path, "cuda", "99.0")
    assert load_surface(tmp_path, "cuda", "99.0") == first
    (tmp_path / "include/cuda_runtime_api.h").write_text("void cudaNew(int);\n")
    assert "cudaNew" in load_surface(tmp_path, "cuda", "99.0").symbols


def test_a_damaged_cache_is_read_past(tmp_path: Path) -> None:
    cuda_set(tmp_path)
    first = load_surface(tmp_path, "cuda", "99.0")
    (tmp_path / ".surface.json.gz").write_bytes(b"no cache")
    assert load_surface(tmp_path, "cuda", "99.0") == first


def test_a_folder_without_a_set_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SurfaceError, match="no such header set"):
        load_surface(tmp_path / "nowhere", "cuda", "99.0")
    with pytest.raises(SurfaceError, match="neither headers nor bindings"):
        load_surface(tmp_path, "cuda", "99.0")


def test_bindings_that_are_no_text_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "cyhip.pxd").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SurfaceError, match=r"cyhip\.pxd"):
        load_surface(tmp_path, "rocm", "10.0")
    (tmp_path / "cyhip.pxd").write_text("# nothing\n")
    with pytest.raises(SurfaceError, match="no declarations"):
        load_surface(tmp_path, "rocm", "10.0")


def test_a_broken_header_is_named(tmp_path: Path) -> None:
    (tmp_path / "cuda_runtime_api.h").write_text("void cudaBefore(int);\n}} struct (((\n")
    (tmp_path / "cufft.h").write_text("void cufftFine(int);\n")
    with pytest.raises(SurfaceError, match=r"cuda_runtime_api\.h:2: "):
        load_surface(tmp_path, "cuda", "99.0")


def test_what_a_header_lacks_costs_only_what_needs_it(tmp_path: Path) -> None:
    text = "#include <nowhere.h>\nvoid cudaLost(Nothing);\nvoid cudaKept(int);\n"
    (tmp_path / "cuda_runtime_api.h").write_text(text)
    symbols = load_surface(tmp_path, "cuda", "99.0").symbols
    assert symbols["cudaKept"].signatures == ("void (int)",)


@pytest.mark.parametrize(
    ("symbol", "public"),
    [
        (Symbol("cudaFree", "function", header="cuda_runtime_api.h"), True),
        (Symbol("_cudaFree", "function", header="cuda_runtime_api.h"), False),
        (Symbol("__shfl", "device function", header="sm_30_intrinsics.h"), True),
        (Symbol("__internal_thing", "device function", header="cuda_fp16.hpp"), False),
        (Symbol("__SOME_MACRO", "macro", header="cuda_fp16.h"), False),
        (Symbol("cub::Thing", "type", header="cub/detail/thing.cuh"), False),
        (Symbol("nvcuda::_hidden::f", "function", header="crt/mma.h"), False),
    ],
)
def test_public_names(symbol: Symbol, public: bool) -> None:
    assert is_public(symbol) is public


def test_the_macro_of_a_newer_interface_wins_over_the_older_function() -> None:
    old = Symbol("cublasSaxpy", "function", header="cublas.h", signatures=("void (int)",))
    new = Symbol("cublasSaxpy_v2", "function", header="cublas_v2.h", signatures=("int (void *, int)",))
    macro = Symbol("cublasSaxpy", "macro", header="cublas_v2.h", value="cublasSaxpy_v2")
    assert merge([macro, new, old], "cuda")["cublasSaxpy"].signatures == new.signatures
