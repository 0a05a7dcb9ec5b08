"""The drop-in beside the translator of the installed PyTorch: the same names, files and results.

Every build of PyTorch has it. Where PyTorch is not installed, these tests are skipped.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from hipify_py.catalog.pytorch import VARIABLE, installed_generation
from hipify_py.torch import file_names, hipify_python
from tests.torch_drop_in.conftest import Write

KERNEL = "#include <cuda_runtime.h>\n__global__ void k(float *p) { p[0] = 1; }\n"
FILES: dict[str, str | bytes] = {
    "csrc/cuda/a.cu": f'#include "b.cuh"\n#include "../c.h"\n{KERNEL}void f(float *p) {{ k<<<1, 32>>>(p); }}\n',
    "csrc/cuda/b.cuh": KERNEL,
    "csrc/c.h": "#include <cuda_runtime.h>\n",
    "csrc/ops.cpp": "#include <torch/extension.h>\n",
    "csrc/ops_cuda.cpp": "#include <ATen/cuda/CUDAContext.h>\nauto s = at::cuda::getCurrentCUDAStream();\n",
    "csrc/unreached.cu": KERNEL,
}


@pytest.fixture(scope="module")
def original() -> ModuleType:
    if importlib.util.find_spec("torch") is None:
        pytest.skip("NOT COMPARED: PyTorch, with its translator, is not installed")
    return importlib.import_module("torch.utils.hipify.hipify_python")


def outcome(module: ModuleType, folder: Path, *, is_pytorch_extension: bool) -> dict[str, tuple[str, str]]:
    """Where the files are and what became of them, by paths below the folder."""
    module.HIPIFY_FINAL_RESULT.clear()
    results = module.hipify(
        project_directory=str(folder),
        output_directory=str(folder),
        includes=[os.path.join(folder, "*")],
        extra_files=[
            str(folder / name) for name in FILES if name.endswith((".cu", ".cpp")) and "unreached" not in name
        ],
        is_pytorch_extension=is_pytorch_extension,
        hipify_extra_files_only=is_pytorch_extension,
        show_progress=False,
    )
    return {
        os.path.relpath(path, folder): (os.path.relpath(result.hipified_path, folder), result.status)
        for path, result in results.items()
        if result.hipified_path is not None
    }


def test_the_parameters_are_the_same(original: ModuleType) -> None:
    theirs, ours = (inspect.signature(module.hipify).parameters for module in (original, hipify_python))
    assert {name: each.default for name, each in theirs.items()} == {
        name: each.default for name, each in ours.items() if each.kind is not each.KEYWORD_ONLY
    }


def test_the_original_has_the_public_names(original: ModuleType) -> None:
    assert [name for name in hipify_python.__all__ if not hasattr(original, name)] == []


@pytest.mark.parametrize("name", [*FILES, "a.cu", "hip/a.h", "x/CUDAThing.cc", "torch/csrc/a.cpp"])
def test_files_have_the_same_names(original: ModuleType, name: str) -> None:
    for is_extension in (False, True):
        assert file_names.get_hip_file_path(name, is_extension) == original.get_hip_file_path(name, is_extension)


@pytest.mark.parametrize("is_extension", [True, False])
def test_the_results_are_the_same(
    original: ModuleType, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_extension: bool
) -> None:
    monkeypatch.setenv(VARIABLE, installed_generation())
    folder = write(FILES)
    shutil.copytree(folder, tmp_path / "theirs")
    theirs = outcome(original, tmp_path / "theirs", is_pytorch_extension=is_extension)
    assert outcome(hipify_python, folder, is_pytorch_extension=is_extension) == theirs
