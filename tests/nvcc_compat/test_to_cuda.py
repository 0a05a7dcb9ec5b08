"""HIP's headers for nvcc: the tables read backwards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from hipify_py.catalog import Targeting, load_catalog
from hipify_py.core.targeting import NEWEST_ROCM
from hipify_py.nvcc_compat.tree import header_tree, invert, renamed_members, table_names

TABLE = """\
library: ours
title: Ours
functions:
  cuOursA: hipOursA
  cuOursOld: {hip: hipOursB, cuda: {deprecated: "11.0"}}
  cuOursNewer: hipOursB
  cuOursC_v2: hipOursC
  cuOursC: hipOursC
  cuOursCast: {hip: hipOursCast, args: {'0': "reinterpret_cast<void**>({})"}}
  cuOursSwap: {hip: hipOursSwap, order: [1, 0, 2]}
  cuOursInsert: {hip: hipOursInsert, insert: {'1': "0, nullptr"}}
  cuOursDrop: {hip: hipOursDrop, args: {'1': null}}
  cuOursChange: {hip: hipOursChange, args: {'0': "({}).id"}}
  cuOursDiffers: {hip: hipOursDiffers, differs: everything is another}
  cuOursPart: {hip: "hipOursOnlyPart() + hipOursA"}
  cuOursForm: {hip: hipOursForm, by_arity: {'3': {hip: hipOursForm, args: {'0': "static_cast<hipOursKind>({})"}}}}
  cuOursNot: {unsupported: true, advice: Do without it.}
"""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    table = tmp_path_factory.mktemp("tables") / "ours.yaml"
    table.write_text(TABLE)
    found = invert(load_catalog(Targeting(tables=(str(table),))))
    ours = {one.hip: one.line for one in found.defined if one.row.library == "ours"}
    return {**ours, **{hip: why for hip, row, why in found.without_definition if row.library == "ours"}}


@pytest.mark.parametrize(
    ("hip", "line"),
    [
        ("hipOursA", "#define hipOursA cuOursA"),
        ("hipOursB", "#define hipOursB cuOursNewer"),
        ("hipOursC", "#define hipOursC cuOursC"),
        ("hipOursCast", "#define hipOursCast cuOursCast"),
        ("hipOursSwap", "#define hipOursSwap(a0, a1, a2) cuOursSwap(a1, a0, a2)"),
        ("hipOursInsert", "#define hipOursInsert(a0, a1, a2, ...) cuOursInsert(a0, ##__VA_ARGS__)"),
        ("hipOursDrop", "an argument is replaced or left out on the way to HIP"),
        ("hipOursChange", "an argument is replaced or left out on the way to HIP"),
        ("hipOursDiffers", "the arguments differ"),
        ("hipOursOnlyPart", "it is a part of what replaces this name"),
        ("hipOursForm", "#define hipOursForm cuOursForm"),
        ("hipOursKind", "it is a part of what replaces this name"),
    ],
)
def test_a_name_goes_back_to_the_one_that_it_came_from(lines: dict[str, str], hip: str, line: str) -> None:
    assert lines[hip] == line


def test_every_name_is_defined_once_and_leads_to_a_name_of_cuda() -> None:
    catalog = load_catalog()
    files = header_tree(catalog)
    text = "\n".join(files[path] for path in files if path.startswith("hipify_to_cuda/"))
    pairs = re.findall(r"^#define (\w+) (cu\w+|CU\w+|__nv_(?!atomic)\w+|nv\w+)$", text, re.MULTILINE)
    assert len(pairs) > 3000
    doubled = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    assert set(doubled) <= {"hipMemPrefetchAsync_v2", "hipMemAdvise_v2"}  # one for each CUDA, in an #if
    fields = {cuda for _, cuda in renamed_members(catalog)}
    own = {"cudaMemPrefetchAsync_v2", "cudaMemAdvise_v2", *fields}
    assert [cuda for _, cuda in pairs if catalog.row(cuda.encode()) is None and cuda not in own] == []


@pytest.mark.parametrize(
    ("hip", "cuda"),
    [
        ("hipMalloc", "cudaMalloc"),
        ("hipError_t", "cudaError_t"),
        ("hipSuccess", "cudaSuccess"),
        ("hipStreamNonBlocking", "cudaStreamNonBlocking"),
        ("hipblasStatus_t", "cublasStatus_t"),
        ("hipblasCgemm", "cublasCgemm"),
        ("hipfftExecC2C", "cufftExecC2C"),
        ("__hip_bfloat16", "__nv_bfloat16"),
    ],
)
def test_of_several_names_the_plain_one_is_taken(hip: str, cuda: str) -> None:
    (line,) = [one.line for one in invert(load_catalog()).defined if one.hip == hip]
    assert line == f"#define {hip} {cuda}"


def test_a_part_of_the_tree_has_what_it_includes() -> None:
    files = header_tree(load_catalog(), ("cublaslt",))
    assert "hipblaslt/hipblaslt.h" in files
    assert "hipfft/hipfft.h" not in files
    for path, text in files.items():
        for include in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE):
            assert str(Path("/x", path).parent.joinpath(include).resolve().relative_to("/x")) in files


def test_every_header_that_sources_are_translated_to_is_there() -> None:
    catalog = load_catalog()
    files = header_tree(catalog)
    targets = {row.hip for row in catalog.rows() if row.kind == "header" and row.hip and "/" in row.hip}
    missing = {path for path in targets - files.keys() if catalog.row(path.encode()) is None}
    assert missing <= {"miopen/miopen.h", "miopen/version.h", "rocshmem/rocshmem.hpp"}  # other libraries, not names
    assert "runtime" in table_names(catalog)


VERSIONS = ("5.2", "6.0", "6.4", "7.1", "")


@cache
def _tree(rocm: str) -> dict[str, str]:
    return header_tree(load_catalog(Targeting(rocm=rocm)))


@pytest.fixture(scope="module", params=VERSIONS)
def by_rocm(request: pytest.FixtureRequest) -> tuple[Targeting, dict[str, str]]:
    return Targeting(rocm=request.param), _tree(request.param)


@pytest.mark.parametrize("rocm", VERSIONS)
def test_headers_of_one_rocm_serve_sources_that_were_converted_for_another(
    rocm: str, by_rocm: tuple[Targeting, dict[str, str]]
) -> None:
    _, files = by_rocm
    other = load_catalog(Targeting(rocm=rocm))
    rows = [row for row in other.rows() if row.hip]
    paths = {row.hip for row in rows if row.kind == "header" and "/" in str(row.hip)}
    missing = {path for path in paths - files.keys() if other.row(str(path).encode()) is None}
    assert missing <= {"miopen/miopen.h", "miopen/version.h", "rocshmem/rocshmem.hpp"}
    wanted = _defined(_tree(rocm))
    assert len(wanted) > 3000
    # ROCm 5.2 had it with other arguments
    assert wanted - _defined(files) <= {"hipblasLtMatmulAlgoGetHeuristic"}


def _defined(files: dict[str, str]) -> set[str]:
    """The names that headers define."""
    return {name for text in files.values() for name in re.findall(r"^#define (\w+)", text, re.MULTILINE)}


@pytest.mark.parametrize("name", ["hipblasCgemm", "hipblasCgemm_v2"])
def test_names_that_went_are_there_beside_those_that_came(name: str, by_rocm: tuple[Targeting, dict[str, str]]) -> None:
    _, files = by_rocm
    assert re.search(rf"#define {name}\b", files["hipify_to_cuda/cublas.h"])


def test_the_version_is_that_of_the_chosen_rocm(by_rocm: tuple[Targeting, dict[str, str]]) -> None:
    targeting, files = by_rocm
    major = (targeting.rocm or NEWEST_ROCM).partition(".")[0]
    assert f"#define HIP_VERSION_MAJOR {major}\n" in files["hipify_to_cuda/runtime.h"]


def test_a_header_with_the_path_of_cudas_own_goes_on_to_that(by_rocm: tuple[Targeting, dict[str, str]]) -> None:
    _, tree = by_rocm
    assert [path for path, text in tree.items() if f"#include <{path}>" in text] == []
    assert "#include_next <thrust/iterator/tabulate_output_iterator.h>" in "".join(tree.values())


@pytest.mark.parametrize("name", ["HIP_R_16F", "HIPBLAS_R_16F"])
def test_a_name_that_cuda_dropped_is_not_taken(name: str, by_rocm: tuple[Targeting, dict[str, str]]) -> None:
    _, files = by_rocm
    assert re.findall(rf"^#define {name} (\w+)", "".join(files.values()), re.MULTILINE) == ["CUDA_R_16F"]


_MADE = re.compile(r"^#\s*define\s+(\w+)|^(?:static )?inline .*?(\w+)\(|^using (\w+)|^// defines: (.*)$", re.MULTILINE)
_MISSING = re.compile(r"^//   (\w+) \(", re.MULTILINE)


def _texts(fields: object) -> Iterator[str]:
    """Every text in a row that a translation for HIP may write."""
    if isinstance(fields, str):
        yield fields
    elif isinstance(fields, Mapping):
        for key, value in fields.items():
            if key not in _REMARKS:
                yield from _texts(value)


_REMARKS = frozenset(
    {"advice", "note", "agrees", "differs", "roc", "support", "later", "rocm", "cuda", "enums", "include", "switch"}
)


@cache
def _defined_or_listed() -> frozenset[str]:
    text = "\n".join(header_tree(load_catalog(Targeting(rocm=NEWEST_ROCM))).values())
    made = {name for names in _MADE.findall(text) for some in names for name in some.split()}
    return frozenset({*made, *_MISSING.findall(text), "HIP_VERSION", "HIP_SYMBOL", "HIP_KERNEL_NAME"})


def test_the_tables_without_a_header_are_known() -> None:
    """Their libraries have another interface than CUDA's, or no folder of their own among HIP's headers."""
    catalog = load_catalog(Targeting(rocm=NEWEST_ROCM))
    written = {row.library for row in catalog.rows() if row.hip and re.fullmatch(r"(?:hip|miopen)\w+", row.hip)}
    assert written - set(table_names(catalog)) == {"cudnn", "cufile", "nvshmem"}


@pytest.mark.parametrize("library", table_names(load_catalog(Targeting(rocm=NEWEST_ROCM))))
def test_every_name_that_a_translation_writes_is_defined_or_listed(library: str) -> None:
    catalog, there = load_catalog(Targeting(rocm=NEWEST_ROCM)), _defined_or_listed()
    for row in catalog.rows():
        if row.library == library and row.kind not in ("header", "namespace", "member") and row.hip:
            fields = {key: row.details.get(key) for key in ("args", "insert", "by_type", "by_arity", "by_library")}
            code = re.sub(r'"[^"]*"', "", " ".join([row.hip, *_texts(fields)]))
            written = re.findall(r"(?<![\w:.>])(?:hip|HIP|roctx|rccl|miopen|MIOPEN)\w*(?![\w{]|::)", code)
            native = {name for name in written if (known := catalog.row(name.encode())) is not None and known.is_native}
            assert set(written) - native <= there, row.name


@pytest.mark.parametrize(("name", "cuda"), [("Name", "Name"), ("String", "String")])
def test_a_name_with_hips_spelling_is_taken_from_another_rocm(name: str, cuda: str) -> None:
    """Before ROCm 6.0 only cuSPARSELt's function had the counterpart, which programs with cuSPARSE cannot link."""
    tree = header_tree(load_catalog(Targeting(rocm="5.7")))
    assert f"#define hipsparseGetError{name} cusparseGetError{cuda}\n" in tree["hipify_to_cuda/cusparse.h"]
