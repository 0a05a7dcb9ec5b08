"""When symbols came, changed and went, from header sets of several versions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tools.tables.surface import Surface
from tools.tables.symbols import Symbol
from tools.tables.versions import derive

RUNTIME = frozenset({"runtime"})


def function(name: str, *signatures: str) -> Symbol:
    return Symbol(name, "function", "runtime", "cuda_runtime_api.h", signatures or ("cudaError_t (int)",))


def cuda(version: str, *symbols: Symbol, libraries: frozenset[str] = RUNTIME) -> Surface:
    declared = {symbol.name: symbol for symbol in symbols}
    return Surface("cuda", version, declared, dict.fromkeys(declared, ""), libraries)


def derived(tmp_path: Path, row: Any, *sets: Surface, table: str = "runtime") -> Any:
    document = {"library": table, "title": "T", "functions": {"cudaX": row}}
    (tmp_path / f"{table}.yaml").write_text(yaml.safe_dump(document))
    patch = derive(tmp_path, sets)
    return patch.get(table, {}).get("functions", {}).get("cudaX", {}).get("cuda", "nothing")


X, Y = function("cudaX"), function("cudaY")


@pytest.mark.parametrize(
    ("row", "sets", "versions"),
    [
        ("hipX", (cuda("12.2", Y), cuda("12.3", X)), {"added": "12.3"}),
        ("hipX", (cuda("12.2", X), cuda("12.3", X)), "nothing"),
        ("hipX", (cuda("12.0", Y), cuda("12.9", X)), "nothing"),  # which of 12.1 to 12.9 brought it is not known
        ({"hip": "hipX", "cuda": {"added": "12.4"}}, (cuda("12.0", Y), cuda("12.9", X)), "nothing"),
        ({"hip": "hipX", "cuda": {"added": "11.2"}}, (cuda("12.2", Y), cuda("12.3", X)), {"added": "12.3"}),
        ({"hip": "hipX", "cuda": {"added": "11.2"}}, (cuda("12.2", X), cuda("12.3", X)), "nothing"),
        ("hipX", (cuda("11.8", X), cuda("12.0", Y)), {"removed": "12.0"}),
        ("hipX", (cuda("12.9", X), cuda("13.5", Y)), {"removed": "13.0"}),
        ({"hip": "hipX", "cuda": {"removed": "13.0"}}, (cuda("12.9", X), cuda("13.5", X)), None),
        ("hipX", (cuda("12.6", Y), cuda("12.8", X)), {"added": "12.8"}),
        (
            "hipX",
            (cuda("12.9", X), cuda("13.0", function("cudaX", "cudaError_t (int, int)"))),
            {"changed": "13.0"},
        ),
        ("hipX", (cuda("12.9", X), cuda("13.0", function("cudaX", "cudaError_t (const int)"))), "nothing"),
        ("hipX", (cuda("12.9", X), cuda("13.0", Y, libraries=frozenset({"nvml"}))), "nothing"),
    ],
)
def test_versions_of_a_cuda_symbol(tmp_path: Path, row: Any, sets: tuple[Surface, ...], versions: Any) -> None:
    assert derived(tmp_path, row, *sets) == versions


def test_libraries_with_versions_of_their_own_are_left_alone(tmp_path: Path) -> None:
    assert derived(tmp_path, "hipX", cuda("12.2", Y), cuda("12.3", X), table="nccl") == "nothing"


@pytest.mark.parametrize(
    ("claimed", "newest", "versions"), [("13.0", X, None), ("13.0", Y, "nothing"), (None, Y, "nothing")]
)
def test_of_headers_read_by_their_tokens_only_presence_proves_something(
    tmp_path: Path, claimed: str | None, newest: Symbol, versions: Any
) -> None:
    row = {"hip": "hipX", "cuda": {"removed": claimed}} if claimed else "hipX"
    assert derived(tmp_path, row, cuda("12.9", X), cuda("13.0", newest), table="cub") == versions
