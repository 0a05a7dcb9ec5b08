"""Every overload of every device function that the tables carry over compiles for AMD GPUs.

The header sets stand in the folder that HIPIFY_PY_HEADER_SETS names: `cuda-13.5`, as `python -m tools.tables fetch`
writes it, and `rocm-7.1` and `rocm-6.4` with `include/` and `amdgcn/bitcode` in HIPIFY_PY_ROCM_TREES.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from hipify_py.core.targeting import Targeting
from tools.tables.surface import load_surface

ROOT = Path(__file__).parents[2]
SETS = Path(os.environ.get("HIPIFY_PY_HEADER_SETS", ""))
TREES = Path(os.environ.get("HIPIFY_PY_ROCM_TREES", ""))
CUDA = "13.5"


def _tool() -> ModuleType:
    path = ROOT / "tools" / "sweep_device_functions.py"
    spec = importlib.util.spec_from_file_location("sweep_device_functions", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.compiler
@pytest.mark.parametrize(("rocm", "arch"), [("7.1", "gfx942"), ("7.1", "gfx1100"), ("6.4", "gfx90a")])
def test_device_functions_compile(rocm: str, arch: str) -> None:
    tree, cuda = TREES / f"rocm-{rocm}", SETS / f"cuda-{CUDA}"
    if not (tree / "include").is_dir() or not cuda.is_dir():
        pytest.skip("NOT COMPILED: HIPIFY_PY_ROCM_TREES or HIPIFY_PY_HEADER_SETS names no folder with the headers")
    if shutil.which("clang++-22") is None:
        pytest.skip("NOT COMPILED: there is no clang++-22 on this machine")
    tool, targeting = _tool(), Targeting(rocm=rocm)
    symbols = load_surface(cuda, "cuda", CUDA).symbols
    calls = list(tool.calls(symbols, frozenset(tool.TABLES), targeting, images=not arch.startswith("gfx9")))
    assert len(calls) > 1400
    assert list(tool.failures(calls, targeting, tool.clang(tree, arch))) == []
