"""What the headers declare, as it is written beside the tables and read from there."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.catalog.declarations import CUDA, HIP, Declarations, Parameter, load_declarations
from hipify_py.catalog.packing import read_table
from hipify_py.catalog.places import mappings_dir
from tools.tables.declarations import declarations
from tools.tables.surface import Surface
from tools.tables.symbols import Symbol, merge

TABLE = """\
library: runtime
title: Runtime
functions:
  cudaBoth: hipBoth
  cudaChanged: hipChanged
  cudaNowhere: hipNowhere
types:
  cudaThing_t: hipThing_t
enumerators:
  cudaOne: hipOne
"""


def surface(side: str, version: str, *symbols: Symbol) -> Surface:
    header = frozenset(symbol.header for symbol in symbols)
    library = frozenset({"hip"} if side == "rocm" else {"runtime"})
    merged = merge(symbols, side)
    return Surface(side, version, merged, dict.fromkeys(merged, ""), library, headers=header)


def function(name: str, signature: str, names: str, header: str = "cuda_runtime_api.h", **more: bool) -> Symbol:
    return Symbol(name, "function", header=header, signatures=(signature,), parameters=(names,), **more)


HIP_HEADER = "hip/hip_runtime_api.h"
LEAST = {"runtime": 0.75, "driver": 0.9, "cublas": 0.95, "cusparse": 0.75, "device": 0.95, "curand": 1, "cusolver": 1}
OLD = surface(
    "cuda",
    "12.9",
    function("cudaBoth", "cudaError_t (void **, size_t)", "p,n"),
    function("cudaBoth", "template cudaError_t (T **, size_t =)", "p,n"),
    function("cudaChanged", "void (int)", "a"),
    Symbol("cudaOne", "enumerator", header="driver_types.h", value="1"),
)
NEW = surface(
    "cuda",
    "13.5",
    function("cudaBoth", "cudaError_t (void **, size_t)", "p,n"),
    function("cudaChanged", "void (int, enum cudaThing_t, const int, void *const)", "a,,c,d"),
    Symbol("cudaThing_t", "type", header="driver_types.h", value="enum"),
    Symbol("cudaOne", "enumerator", header="driver_types.h", value="1"),
)
BEFORE = surface("rocm", "7.1", function("hipGone", "int (void)", "", HIP_HEADER))
AFTER = surface(
    "rocm",
    "10.0",
    function("hipBoth", "hipError_t (void **, size_t)", "ptr,size", HIP_HEADER),
    function("hipOnly", "void (int (*)(int))", "callback", HIP_HEADER),
)


@pytest.fixture
def texts(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "runtime.yaml").write_text(TABLE)
    return declarations(tmp_path, [NEW, OLD, AFTER, BEFORE])


def test_functions_of_cuda_have_their_versions(texts: dict[str, str]) -> None:
    cuda = Declarations(texts["declarations/cuda.tsv"].encode())
    assert cuda.versions == ("12.9", "13.5")
    both = cuda.find("cudaBoth")
    assert both is not None
    assert [(s.is_template, s.result, s.versions) for s in both.signatures] == [
        (False, "cudaError_t", ("12.9", "13.5")),
        (True, "cudaError_t", ("12.9",)),
    ]
    assert both.signatures[1].parameters == (Parameter("T **", "p", False), Parameter("size_t", "n", True))
    changed = cuda.find("cudaChanged")
    assert changed is not None
    assert [s.versions for s in changed.signatures] == [("13.5",), ("12.9",)]
    assert changed.signatures[0].parameters == (
        Parameter("int", "a", False),
        Parameter("cudaThing_t", "", False),
        Parameter("int", "c", False),
        Parameter("void *", "d", False),
    )
    assert cuda.find("cudaNowhere") is None


def test_numbers_and_types(texts: dict[str, str]) -> None:
    cuda = Declarations(texts["declarations/cuda.tsv"].encode())
    one, thing = cuda.find("cudaOne"), cuda.find("cudaThing_t")
    assert one is not None
    assert thing is not None
    assert (one.kind, one.value, one.header) == ("enumerator", "1", "driver_types.h")
    assert (thing.kind, thing.value) == ("type", "enum")


def test_hips_own_names_are_there_too(texts: dict[str, str]) -> None:
    hip = Declarations(texts["declarations/hip.tsv"].encode())
    assert list(hip.names()) == ["hipBoth", "hipOnly"]
    only, both = hip.find("hipOnly"), hip.find("hipBoth")
    assert only is not None
    assert both is not None
    assert only.signatures[0].parameters == (Parameter("int (*)(int)", "callback", False),)
    assert (both.since, both.gone) == ("10.0", "")


@pytest.mark.parametrize(
    "name", ["", "hip", "hipBot", "hipBoth\t", "hipBoth\tfunction", "\nhipBoth", "ipBoth", "\udcff"]
)
def test_only_whole_names_are_found(texts: dict[str, str], name: str) -> None:
    assert Declarations(texts["declarations/hip.tsv"].encode()).find(name) is None


@pytest.mark.parametrize("side", [CUDA, HIP])
def test_every_line_that_is_shipped_can_be_read(side: str) -> None:
    known = load_declarations(side)
    names = list(known.names())
    assert names == sorted(set(names))
    count = 0
    for name in names[::7]:
        found = known.find(name)
        assert found is not None
        assert found.name == name
        count += len(found.signatures)
        for signature in found.signatures:
            assert all(parameter.type for parameter in signature.parameters), name
    assert count > 300


def test_most_functions_of_the_tables_have_their_arguments() -> None:
    """C++ libraries, whose headers are read as text, have none; neither has what went before CUDA 11.8."""
    known = load_declarations(CUDA)
    for library, least in LEAST.items():
        rows = read_table(Path(mappings_dir()) / f"{library}.yaml").rows
        functions = [row.name for row in rows if row.kind in ("function", "device function")]
        found = [name for name in functions if (there := known.find(name)) is not None and there.signatures]
        assert len(found) >= least * len(functions), library
