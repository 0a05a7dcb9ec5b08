"""What is told of a name of either side."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hipify_py import Options, translate
from hipify_py.catalog import Catalog, load_catalog
from hipify_py.catalog.declarations import CUDA, Parameter, Signature, load_declarations
from hipify_py.core.targeting import ROC, Targeting
from hipify_py.ptx.catalog import load_ptx_catalog
from hipify_py.report.query import account, lines
from hipify_py.report.query import document as documents
from hipify_py.report.query.account import examples
from hipify_py.report.query.arguments import Argument, argument_lines, arguments, declared
from hipify_py.report.query.origins import origins, targets
from hipify_py.report.query.ptx import ask_ptx

SCHEMA = json.loads((Path(account.__file__).parent / "query.schema.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def told(catalog: Catalog, name: str) -> list[str]:
    return list(lines.found_lines(catalog, account.ask(catalog, name)))


def document(catalog: Catalog, name: str) -> dict[str, Any]:
    found: dict[str, Any] = documents.found_document(catalog, account.ask(catalog, name))
    return found


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "cudaMalloc",
            [
                "cudaMalloc: converted -> hipMalloc",
                "  CUDA: in cuda_runtime_api.h",
                "    cudaError_t cudaMalloc(void **devPtr, size_t size)",
                "    hipError_t hipMalloc(void **ptr, size_t size)",
                "  example: return cudaMalloc(devPtr, size);",
                "  becomes: return hipMalloc(devPtr, size);",
            ],
        ),
        (
            "hipMalloc",
            [
                "hipMalloc: HIP",
                "    hipError_t hipMalloc(void **ptr, size_t size)",
                "  comes from: cudaMalloc, cuMemAlloc, cuMemAlloc_v2",
                "      cudaError_t cudaMalloc(void **devPtr, size_t size)",
                "    becomes: return hipMalloc(devPtr, size);",
            ],
        ),
        (
            "cuCtxCreate",
            [
                "  arguments: ctxCreateParams goes",
                "    CUresult cuCtxCreate(CUcontext *pctx, unsigned int flags, CUdevice dev)  // CUDA 11.8, 12.9",
                "  becomes: return hipCtxCreate(pctx, flags, dev);",
                "  example: return cuCtxCreate(pctx, flags, dev);",
                "  HIP103: Mapped symbol that behaves differently (hipify-py explain HIP103)",
            ],
        ),
        (
            "cudaErrorInvalidValue",
            ["  CUDA: in driver_types.h, is 1", "  becomes: auto example = hipErrorInvalidValue;"],
        ),
        ("cudaMemcpyKind", ["  CUDA: in driver_types.h, is enum", "  becomes: hipMemcpyKind example;"]),
        ("<cufft.h>", ["  becomes: #include <hipfft/hipfft.h>"]),
        ("__syncthreads", ["  example (unchanged): __syncthreads();"]),
        ("warpSize", ["  with warps kept at 32 lanes: 32", "  becomes: auto example = 32;"]),
        ("__shfl_sync", ["  with warps kept at 32 lanes: __shfl or hipify::warp32::shfl_sync"]),
        ("hipExtMallocWithFlags", ["hipExtMallocWithFlags: HIP only; no CUDA name becomes it"]),
        ("hipMaloc", ["hipMaloc: unknown", "  did you mean: hipMalloc"]),
        (
            "cudaGraphConditionalHandleCreate",
            [
                "cudaGraphConditionalHandleCreate: unsupported",
                "  HIP101: CUDA symbol without a HIP counterpart (hipify-py explain HIP101)",
            ],
        ),
        ("optixLaunch", ["optixLaunch: unsupported"]),
        (
            "__shfl_sync",
            [
                "    and 12 more",
            ],
        ),
    ],
)
def test_lines(catalog: Catalog, name: str, lines: list[str]) -> None:
    shown = told(catalog, name)
    assert [line for line in lines if line not in shown] == [], "\n".join(shown)


def test_what_becomes_of_rocms_own_libraries_is_shown_as_it_does(catalog: Catalog) -> None:
    shown = told(catalog, "rocblas_sgemm")
    assert "  comes from: cublasSgemm (with --target roc), cublasSgemm_v2 (with --target roc)" in shown
    assert any(line.startswith("    becomes: return rocblas_sgemm(handle") for line in shown)
    roc = load_catalog(Targeting(target=ROC))
    assert "cublasSgemm: converted -> rocblas_sgemm" in told(roc, "cublasSgemm")


def test_what_an_older_rocm_lacks_is_unsupported_there(catalog: Catalog) -> None:
    shown = told(catalog, "cooperative_groups/reduce.h")
    (before,) = (line for line in shown if line.startswith("  before ROCm 7.13: "))
    assert before.startswith("  before ROCm 7.13: unsupported: Write the reduction with ")


def test_a_cuda_name_that_others_become_says_so(catalog: Catalog) -> None:
    assert "  also becomes __shfl: __shfl_sync (before ROCm 6.2)" in told(catalog, "__shfl")


@pytest.mark.parametrize(
    "name", ["cudaThreadSynchronize", "cuMemAlloc", "__nv_bfloat16", "curand_kernel.h", "cub::Sum"]
)
def test_every_origin_leads_back(catalog: Catalog, name: str) -> None:
    row = catalog.row(name.encode())
    assert row is not None
    for target, _ in targets(row):
        assert name in [origin.row.name for origin in origins(catalog, target)]


def test_origins_are_those_that_a_walk_through_all_rows_finds(catalog: Catalog) -> None:
    wanted = ["hipSuccess", "hipblasGemmEx", "hipcub::BlockReduce", "hipfft/hipfft.h", "hipError_t", "hip"]
    for name in wanted:
        walked = {
            row.name
            for row in catalog.rows()
            if any(target == name for target, _ in targets(row))
            and row.name != name
            and not (row.kind == "member" and row.name.endswith(f".{name}"))
        }
        assert {origin.row.name for origin in origins(catalog, name)} == walked


def test_examples_are_what_a_translation_makes_of_them(catalog: Catalog) -> None:
    """Of every tenth function: the call that is shown is in the output of a source that has it, in every version."""
    options = Options(targeting=catalog.targeting)
    found = 0
    for row in [row for row in catalog.rows() if row.kind in ("function", "device function")][::10]:
        for example in examples(row, load_declarations(CUDA).find(row.name), options):
            device = "__device__ " if row.kind == "device function" else ""
            source = f"{device}auto f() {{\n    {example.cuda}\n}}\n"
            output = translate(source, path="a.cu", options=options).output.decode()
            name = (row.hip or "").partition("<")[0]
            if example.cuda != example.hip and name and name in example.hip:
                found += name in output
    assert found > 100


def test_documents_are_as_their_schema_says(catalog: Catalog) -> None:
    names = [row.name for row in catalog.rows()][::150]
    names += [
        "cudaMaloc",
        "hipMalloc",
        "hipExtMallocWithFlags",
        "maxTexture1D",
        "optixLaunch",
        "cuCtxCreate",
        "",
        "\n",
        "*",
    ]
    symbols = [document(catalog, name) for name in names]
    symbols += [documents.brief_document(catalog, name) for name in ("cudaMalloc", "hipMalloc", "optixLaunch")]
    whole = json.loads(json.dumps(documents.document(catalog, symbols)))
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(whole)] == []
    Draft202012Validator.check_schema(SCHEMA)


def test_documents_have_arguments_examples_and_findings(catalog: Catalog) -> None:
    found = document(catalog, "cuCtxCreate")
    assert [(argument["position"], argument["written"]) for argument in found["arguments"]] == [
        (0, "pctx"),
        (2, "flags"),
        (3, "dev"),
        (1, None),
    ]
    assert found["declared"]["cuda"]["signatures"][1]["versions"] == ["11.8", "12.9"]
    assert found["declared"]["hip"]["signatures"][0]["parameters"][0] == {
        "type": "hipCtx_t *",
        "name": "ctx",
        "is_optional": False,
    }
    assert [example["hip"] for example in found["examples"]] == [
        "return hipCtxCreate(pctx, flags, dev);",
        "return hipCtxCreate(pctx, flags, dev);",
    ]
    assert [(finding["id"], finding["in_example"]) for finding in found["findings"]] == [("HIP103", True)]
    assert document(catalog, "hipMalloc")["comes_from"][0]["name"] == "cudaMalloc"


def test_patterns(catalog: Catalog) -> None:
    assert account.is_pattern("cublas*gemm*")
    assert not account.is_pattern("cub::BlockReduce")
    names = account.matches(catalog, "*MemAlloc_v2").names
    assert names == ["cuMemAlloc_v2"]
    both = account.matches(catalog, "*MemsetD32").names
    assert both == ["cuMemsetD32", "hipMemsetD32"]
    assert [lines.line(catalog, name) for name in both] == [
        "cuMemsetD32: converted -> hipMemsetD32",
        "hipMemsetD32: HIP",
    ]
    assert not account.matches(catalog, "cuda" + "*a" * 150 + "!").is_known


@pytest.mark.parametrize(
    "name", ["", " ", "\n", "\t", "a\tb", "\0", "[", "*" * 300, "x" * 100_000, "\udcff", "::", ".", "a.b.c", "{}", "<>"]
)
def test_strange_names_are_unknown_and_nothing_more(catalog: Catalog, name: str) -> None:
    if account.is_pattern(name):
        assert isinstance(account.matches(catalog, name).names, list)
    else:
        assert not account.ask(catalog, name).is_known


SIGNATURE = Signature(
    "int",
    (Parameter("void (*)(int)", "f", False), Parameter("const float *", "a", False), Parameter("int[3]", "", True)),
    False,
    (),
)


def test_functions_are_written_as_headers_do() -> None:
    assert declared("g", SIGNATURE) == "int g(void (*f)(int), const float *a, int[3] = ...)"
    assert declared("g", Signature("void *", (Parameter("const void *const[]", "p", False),), True, ())) == (
        "template <...> void *g(const void *const p[])"
    )


@pytest.mark.parametrize(
    ("details", "lines", "positions"),
    [
        ({}, [], [0, 1, 2]),
        ({"args": {"1": "(void*){}"}}, ["a becomes (void*)a"], [0, 1, 2]),
        ({"args": {"0": None}}, ["f goes"], [1, 2, 0]),
        (
            {"insert": {"1": "0", "3": "{0}"}},
            ["0 is inserted as argument 1", "f is inserted as argument 4"],
            [0, None, 1, 2, None],
        ),
        ({"order": [1, 0]}, ["in the order a, f", "argument2 goes"], [1, 0, 2]),
    ],
)
def test_arguments(details: dict[str, Any], lines: list[str], positions: list[int | None]) -> None:
    found = arguments(SIGNATURE.parameters, details)
    assert list(argument_lines(found)) == lines
    assert [argument.position for argument in found] == positions
    assert all(isinstance(argument, Argument) for argument in found)


PTX_LINES = {
    "lop3.b32": [
        "lop3.b32: PTX instruction, converted",
        "  lop3.b32 d, a, b, c, e if e is a constant: "
        "(the shortest expression of &, |, ^ and ~ for a truth table of three inputs)",
        "  lop3.b32 d, a, b, c, e: d = hipify::lop3<e>(a, b, c)",
        "    support header: section ptx_bits",
    ],
    "atom.global.add.f32": ["  atom.global.add.f32 d, [a], b: d = atomicAdd(a, b)"],
    "setp.lt.s32": ["  setp.lt.s32 p|q, a, b: p = a < b; q = !(a < b)"],
    "bar.sync": ["  bar.sync a if a is 0: __syncthreads()"],
    "shfl.sync": ["  shfl.sync.{idx|up|down|bfly}.b32 d, a, b, c, m: d = hipify::shuffle_{mode}(a, b, c)"],
    "shfl.sync.up.b32": [
        "  shfl.sync.up.b32 d, a, b, c, m if b is a constant from 0 to 31 and c is 0: d = __shfl_up(a, b, 32)"
    ],
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32": [
        "  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32: HIP210, Matrix instruction in inline PTX"
    ],
    "exit": [
        "  exit: HIP220, Control flow in inline PTX: it ends the thread: let the function tell the kernel to return"
    ],
    "%laneid": [
        "%laneid: PTX special register, converted",
        "    with warps kept at 32 lanes: (__lane_id() & 31)",
        "  becomes: d = __lane_id() & 31;",
    ],
    "%clusterid.x": ["%clusterid.x: PTX special register, unsupported"],
    "WARP_SZ": ["  becomes: d = 32;"],
}


@pytest.mark.parametrize("name", PTX_LINES)
def test_ptx(catalog: Catalog, name: str) -> None:
    shown = told(catalog, name)
    assert [line for line in PTX_LINES[name] if line not in shown] == []
    assert account.ask(catalog, name).is_known


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("LOP3.B32", "lop3.b32"),
        ("Min.NAN.F32", "min.NaN.f32"),
        ("bar.sync 0", "bar.sync"),
        ("@!%p1 ld.global.u32 %0, [%1];", "ld.global.u32"),
        ("%%laneid", "%laneid"),
        ("%TID.X,", "%tid.x"),
    ],
)
def test_names_as_people_write_them(catalog: Catalog, written: str, name: str) -> None:
    assert not account.is_pattern(written)
    assert told(catalog, written) == told(catalog, name)
    assert document(catalog, written) == document(catalog, name)
    assert told(catalog, name)[0].startswith(f"{name}: PTX ")


@pytest.mark.parametrize(
    ("written", "first"),
    [
        ("laneid", "%laneid"),
        ("%tid", "%tid.x"),
        ("%lanid", "%laneid"),
        ("shfl.synk", "shfl.sync"),
        ("SHFL.SYNK.B32", "shfl.sync.b32"),
        ("nope.b32", "not.b32"),
        ("lop3.b33", "lop3.b32"),
        ("bfinf.u32", "bfind.u32"),
    ],
)
def test_near_names_of_ptx(catalog: Catalog, written: str, first: str) -> None:
    found = account.ask(catalog, written)
    assert not found.is_known
    assert found.answer.suggestions[0] == first
    assert len(found.answer.suggestions) <= 5
    assert all(account.ask(catalog, each).is_known for each in found.answer.suggestions)


@pytest.mark.parametrize("name", ["cufft.hh", "cub/cubb.cuh", "cudaMaloc", "cudaDeviceProp.nothing"])
def test_cuda_names_do_not_suggest_ptx(catalog: Catalog, name: str) -> None:
    assert not any(
        each.startswith("%") or account.ask(catalog, each).ptx for each in account.ask(catalog, name).answer.suggestions
    )


def test_patterns_match_ptx(catalog: Catalog) -> None:
    lop3, lanes, up, mma = (
        account.matches(catalog, text) for text in ("lop3.*", "%lane*", "shfl.sync.up.*", "mma.sync.*f32")
    )
    assert [line for each in lop3.ptx for line in lines.entry_lines(catalog, each)][1:] == [
        "lop3.b32 d, a, b, c, e: d = hipify::lop3<e>(a, b, c)"
    ]
    assert [each.name for each in lanes.ptx][:2] == ["%laneid", "%lanemask_eq"]
    assert "shfl.sync.{idx|up|down|bfly}.b32" in [each.name for each in up.ptx]
    assert [each.outcome for each in mma.ptx] == ["unsupported"]
    assert not any(each.names for each in (lop3, lanes, up, mma))
    assert not account.matches(catalog, "lop4.*").is_known


def test_forms_without_a_counterpart_come_last(catalog: Catalog) -> None:
    tables = load_ptx_catalog()
    for name in sorted({re.split(r"[. *\[{]", row.ptx)[0] for row in tables.rows()}):
        answer = ask_ptx(name)
        assert answer is not None
        missing = [form.hip is None for form in answer.forms]
        assert missing == sorted(missing)
        assert len(set(answer.forms)) == len(answer.forms)


@pytest.mark.parametrize("name", ["frobnicate.b32", "lop3.b33", "%nothing", "laneid", "shfl.never"])
def test_what_is_not_ptx(catalog: Catalog, name: str) -> None:
    assert account.ask(catalog, name).ptx is None


def test_a_cuda_name_comes_before_an_instruction(catalog: Catalog) -> None:
    """`min` is a function of CUDA's and an instruction."""
    assert account.ask(catalog, "min").ptx is None


def test_every_entry_and_register_answers(catalog: Catalog) -> None:
    """Each has a line, and each example converts or says why it does not."""
    tables = load_ptx_catalog()
    names = {re.split(r"[. *\[{]", row.ptx)[0] for row in tables.rows()}
    for name in [*sorted(names), *(f"%{name}" for name in tables.registers() if not name.isupper())]:
        found = account.ask(catalog, name)
        assert found.is_known
        assert told(catalog, name)
        Draft202012Validator(SCHEMA).validate(documents.document(catalog, [document(catalog, name)]))
