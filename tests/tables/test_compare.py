"""Does a call with CUDA's types, translated, compile against HIP's signature?"""

from __future__ import annotations

import pytest

from tools.tables.compare import Sides, Type, difference, parse_type
from tools.tables.signatures import split_arguments, split_signature
from tools.tables.symbols import Symbol

CUDA = {
    symbol.name: symbol
    for symbol in (
        Symbol("cudaStream_t", "type", alias_of="struct CUstream_st *"),
        Symbol("cuComplex", "type", alias_of="cuFloatComplex"),
        Symbol("CUdevice", "type", alias_of="int"),
        Symbol("cudaKind", "type", value="enum"),
        Symbol("cudaLonely", "type", value="struct"),
    )
}
HIP = {
    symbol.name: symbol
    for symbol in (
        Symbol("hipStream_t", "type", alias_of="ihipStream_t *"),
        Symbol("hipComplex", "type", alias_of="hipFloatComplex"),
        Symbol("hipFloatComplex", "type", alias_of="float2"),
        Symbol("hipKind", "type", value="enum"),
        Symbol("hipHandle_t", "type", alias_of="void *"),
        Symbol("hipCallback_t", "type", alias_of="void (*)(hipStream_t, void *)"),
    )
}
NAMES = {
    "cudaStream_t": "hipStream_t",
    "cuComplex": "hipComplex",
    "cudaKind": "hipKind",
    "cudaError_t": "hipError_t",
    "cublasHandle_t": "hipHandle_t",
    "cudaCallback_t": "hipCallback_t",
}
SIDES = Sides(CUDA.get, HIP.get, NAMES)


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("cudaError_t (void *, size_t)", "hipError_t (void *, unsigned long)"),
        ("cudaError_t (cudaStream_t)", "hipError_t (ihipStream_t *)"),
        ("cudaError_t (struct CUstream_st *)", "hipError_t (struct CUstream_st *)"),
        ("cudaError_t (cuComplex *)", "hipError_t (const float2 *)"),
        ("cudaError_t (CUdevice)", "hipError_t (int)"),
        ("cudaError_t (int)", "hipError_t (size_t)"),
        ("cudaError_t (double)", "hipError_t (float)"),
        ("cudaError_t (cudaKind)", "hipError_t (unsigned int)"),
        ("cudaError_t (float *)", "hipError_t (void *)"),
        ("cudaError_t (float **)", "hipError_t (const void *)"),
        ("cudaError_t (float **)", "hipError_t (const float *const *)"),
        ("cudaError_t (const float *const[])", "hipError_t (const float *const *)"),
        ("cudaError_t (cublasHandle_t)", "hipError_t (void *)"),
        ("cudaError_t (int)", "hipError_t (int, unsigned int =)"),
        ("cudaError_t (void)", "hipError_t ()"),
        ("cudaError_t (cudaCallback_t)", "hipError_t (void (*)(ihipStream_t*, void*))"),
        ("cudaError_t (const char *, ...)", "hipError_t (const char *, ...)"),
        ("void (int)", "hipError_t (int)"),
        ("template cudaError_t (T *)", "hipError_t (int)"),
    ],
)
def test_what_agrees(cuda: str, hip: str) -> None:
    assert difference([cuda], [hip], SIDES) == ""


@pytest.mark.parametrize(
    ("cuda", "hip", "told"),
    [
        ("cudaError_t (int)", "hipError_t (int, int)", "1 arguments, HIP takes 2"),
        ("cudaError_t (int, int)", "hipError_t (int)", "2 arguments, HIP takes 1"),
        ("cudaError_t (const void *)", "hipError_t (void *)", "argument 1 is void *, CUDA has const void *"),
        ("cudaError_t (int, int *)", "hipError_t (int, size_t *)", "argument 2 is size_t *, CUDA has int *"),
        ("cudaError_t (unsigned int)", "hipError_t (hipKind)", "argument 1 is hipKind, CUDA has unsigned int"),
        ("cudaError_t (float **)", "hipError_t (const float **)", "argument 1 is const float **, CUDA has float **"),
        ("cudaError_t (float **)", "hipError_t (void **)", "argument 1 is void **, CUDA has float **"),
        ("cudaError_t (int)", "hipError_t (int *)", "argument 1 is int *, CUDA has int"),
        ("cudaError_t (cudaLonely)", "hipError_t (int)", "argument 1 is int, CUDA has cudaLonely"),
        ("cudaError_t (int *, float *)", "hipError_t (float *, int *)", "the same arguments in another order"),
        ("int (int)", "void (int)", "the result is void, CUDA has int"),
        ("cudaError_t (long long *)", "hipError_t (int64_t *)", "argument 1 is int64_t *, CUDA has long long *"),
    ],
)
def test_what_differs(cuda: str, hip: str, told: str) -> None:
    assert difference([cuda], [hip], SIDES) == told


def test_the_first_argument_out_of_place_is_named() -> None:
    what = difference(["cudaError_t (int, void *)"], ["hipError_t (int, int *, void *)"], SIDES)
    assert what == "2 arguments, HIP takes 3 (the first that differs is argument 2: int *, CUDA has void *)"


def test_each_overload_needs_a_counterpart() -> None:
    cuda = ["void (int *)", "void (float *)"]
    assert difference(cuda, ["void (float *)", "void (int *)"], SIDES) == ""
    assert difference(cuda, ["void (int *)"], SIDES) == "argument 1 is int *, CUDA has float *"


def test_parts_of_types_and_signatures() -> None:
    assert parse_type("const struct thing *const *") == Type("thing", True, (True, False))
    assert parse_type("unsigned int[4]") == Type("unsigned int", False, (False,))
    assert split_arguments("a<b, c>, void (*)(int, int), d") == ["a<b, c>", "void (*)(int, int)", "d"]
    assert split_signature("void (*(int))(float, char)") == ("void (*(int))", ["float", "char"])
