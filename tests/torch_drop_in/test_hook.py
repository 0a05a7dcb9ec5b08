"""PyTorch's builder uses the drop-in, in a package `torch` that has no more than the place where it imports it."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import hipify_py.torch
from hipify_py.torch import hipify_python

HIPIFY = "def hipify(**arguments):\n    return 'original'\n\n\nclass GeneratedFileCleaner:\n    pass\n"
BUILDER = """\
import os


def CUDAExtension(name, sources):
    from .hipify import hipify_python

    folder = os.getcwd()
    results = hipify_python.hipify(
        project_directory=folder,
        output_directory=folder,
        includes=[os.path.join(folder, "*")],
        extra_files=[os.path.abspath(each) for each in sources],
        is_pytorch_extension=True,
        hipify_extra_files_only=True,
    )
    if results == "original":
        return [results]
    return [os.path.relpath(results[os.path.abspath(each)].hipified_path, folder) for each in sources]
"""
OLDER_BUILDER = "from .hipify import hipify_python\nfrom .hipify.hipify_python import GeneratedFileCleaner\n" + BUILDER
SETUP = """\
import sys

from torch.utils.cpp_extension import CUDAExtension

print(CUDAExtension("x", sys.argv[1:]))
"""


def make_torch(folder: Path, builder: str = BUILDER) -> Path:
    """Write a package `torch` whose translator is of version 1.0.0."""
    utils = folder / "site" / "torch" / "utils"
    (utils / "hipify").mkdir(parents=True)
    for package in (utils.parent, utils, utils / "hipify"):
        (package / "__init__.py").touch()
    (utils / "hipify" / "version.py").write_text("__version__ = '1.0.0'\n")
    (utils / "hipify" / "hipify_python.py").write_text(HIPIFY)
    (utils / "cpp_extension.py").write_text(builder)
    return folder / "site"


@pytest.fixture
def cuda(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder with a source, and no trace of any PyTorch in this process before and after."""
    (tmp_path / "a.cu").write_text("void f() { cudaFree(0); }\n")
    monkeypatch.chdir(tmp_path)
    kept = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "torch"}
    for name in kept:
        del sys.modules[name]
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "torch"]:
        del sys.modules[name]
    sys.modules.update(kept)


def sources() -> list[str]:
    """What PyTorch's builder would compile."""
    builder = importlib.import_module("torch.utils.cpp_extension")
    found: list[str] = builder.CUDAExtension("x", ["a.cu"])
    return found


@pytest.mark.usefixtures("cuda")
@pytest.mark.parametrize("builder", [BUILDER, OLDER_BUILDER], ids=["2.11", "2.1"])
@pytest.mark.parametrize("is_first", [True, False])
def test_the_builder_uses_it_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, builder: str, is_first: bool
) -> None:
    monkeypatch.syspath_prepend(make_torch(tmp_path, builder))
    if not is_first:
        assert sources() == ["original"]
    hipify_py.torch.install()
    hipify_py.torch.install()
    assert sources() == ["a.hip"]
    assert importlib.import_module("torch.utils.hipify.hipify_python") is hipify_python
    hipify_py.torch.uninstall()
    assert sources() == ["original"]
    hipify_py.torch.uninstall()
    assert sources() == ["original"]


@pytest.mark.usefixtures("cuda")
def test_what_wraps_the_function_still_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """gsplat and others replace `hipify_python.hipify` by a function that adds arguments."""
    monkeypatch.syspath_prepend(make_torch(tmp_path))
    hipify_py.torch.install()
    module = importlib.import_module("torch.utils.hipify.hipify_python")
    calls = []

    def wrapped(*args: object, **others: object) -> object:
        calls.append(others)
        return original(*args, **others)

    original = module.hipify
    monkeypatch.setattr(module, "hipify", wrapped)
    assert sources() == ["a.hip"]
    assert len(calls) == 1


def run_script(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with PyTorch on its path."""
    root = Path(hipify_py.torch.__file__).parents[2]
    environment = {key: value for key, value in os.environ.items() if key != "HIPIFY_PY_PYTORCH"}
    environment["PYTHONPATH"] = os.pathsep.join([str(make_torch(folder)), str(root)])
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_a_script_is_run_with_it(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("#include <c10/cuda/CUDAGuard.h>\n")
    (tmp_path / "setup.py").write_text(SETUP)
    done = run_script(tmp_path, "-m", "hipify_py.torch", "setup.py", "a.cu")
    assert done.stdout.splitlines()[-1] == "['a.hip']", done.stderr
    assert "MasqueradingAsCUDA" in (tmp_path / "a.hip").read_text()  # as the version of PyTorch's translator tells


def test_a_script_can_ask_for_it(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("void f() { cudaFree(0); }\n")
    (tmp_path / "setup.py").write_text(f"import hipify_py.torch; hipify_py.torch.install()\n{SETUP}")
    done = run_script(tmp_path, "setup.py", "a.cu")
    assert done.stdout.splitlines()[-1] == "['a.hip']", done.stderr


@pytest.mark.parametrize(("arguments", "status"), [((), 2), (("--help",), 0), (("--wrong",), 2), (("missing.py",), 2)])
def test_wrong_usage(tmp_path: Path, arguments: tuple[str, ...], status: int) -> None:
    done = run_script(tmp_path, "-m", "hipify_py.torch", *arguments)
    assert (done.returncode, done.stdout) == (status, "")
    assert "Usage" in done.stderr or "is not a file" in done.stderr
