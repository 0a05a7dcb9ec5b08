"""Meson, scikit-build-core and setuptools, as docs/howto/convert-in-the-build.md shows them."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from pathlib import Path

import pytest

from tests.builds.projects import run, run_well, write

PAGE = Path(__file__).parents[2] / "docs/howto/convert-in-the-build.md"
MODULE = """\
#include <cuda_runtime.h>
#include "lib/sum.cuh"
#include <Python.h>
static PyObject *twice(PyObject *, PyObject *) { float p[1] = {2}; sum(p, 1); return PyFloat_FromDouble(p[0]); }
static PyMethodDef methods[] = {{"twice", twice, METH_NOARGS, ""}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "sums", "", -1, methods};
PyMODINIT_FUNC PyInit_sums() { return PyModule_Create(&module); }
"""

needs_compiler = pytest.mark.skipif(shutil.which("c++") is None, reason="NOT BUILT: there is no compiler")


def shown(title: str) -> str:
    """A file that the page shows."""
    found = re.search(rf'^```\w+ title="{re.escape(title)}"\n(.*?)^```$', PAGE.read_text(), re.M | re.S)
    assert found is not None, title
    return found[1]


@needs_compiler
def test_meson(tmp_path: Path) -> None:
    meson = Path(sys.executable).with_name("meson")
    if not meson.exists() or shutil.which("ninja") is None:
        pytest.skip("NOT BUILT: there is no meson, or no ninja")
    tree = write(tmp_path / "p", {"meson.build": shown("meson.build")})
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    run_well([str(meson), "setup", "build"], tree, PATH=path)
    run_well(["ninja", "-C", "build"], tree, PATH=path)
    assert run(["build/app"], tree).returncode == 0
    assert "no work to do" in run_well(["ninja", "-C", "build"], tree, PATH=path)


@needs_compiler
def test_make(tmp_path: Path) -> None:
    if shutil.which("make") is None:
        pytest.skip("NOT BUILT: there is no make")
    tree = write(tmp_path / "p", {"Makefile": shown("Makefile")})
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    run_well(["make", "app"], tree, PATH=path)
    assert run(["./app"], tree).returncode == 0
    assert "up to date" in run_well(["make", "app"], tree, PATH=path)
    later = time.time() + 2
    os.utime(tree / "include/lib/depth.h", (later, later))
    assert "build-sources" in run_well(["make", "app"], tree, PATH=path)
    (tree / "include/lib/depth.h").rename(tree / "include/lib/other.h")
    header = tree / "include/lib/sum.cuh"
    header.write_text(header.read_text().replace("depth.h", "other.h"))
    run_well(["make", "app"], tree, PATH=path)  # which the removed header does not stop


@needs_compiler
def test_setuptools_uses_the_chosen_rocm_and_the_configuration(tmp_path: Path) -> None:
    pytest.importorskip("setuptools")
    files = {"setup.py": shown("setup.py"), "src/module.cu": MODULE, "hipify-py.toml": 'rocm = "nonsense"\n'}
    tree = write(tmp_path / "p", files)
    result = run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], tree, CXX="c++", CC="c++")
    assert result.returncode != 0
    assert "nonsense" in result.stderr


@needs_compiler
def test_setuptools(tmp_path: Path) -> None:
    pytest.importorskip("setuptools")
    tree = write(tmp_path / "p", {"setup.py": shown("setup.py"), "src/module.cu": MODULE})
    run_well([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], tree, CXX="c++", CC="c++")
    assert run_well([sys.executable, "-c", "import sums; print(sums.twice())"], tree).strip() == "4.0"


@needs_compiler
def test_setuptools_with_a_source_that_cannot_be_read(tmp_path: Path) -> None:
    pytest.importorskip("setuptools")
    tree = write(tmp_path / "p", {"setup.py": shown("setup.py"), "src/module.cu": MODULE})
    (tree / "src/sum.cu").write_bytes("__global__ void k();".encode("utf-16"))
    result = run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], tree, CXX="c++", CC="c++")
    assert result.returncode != 0
    assert "sums: the sources could not be converted to HIP" in result.stderr


@needs_compiler
def test_scikit_build_core(tmp_path: Path) -> None:
    pytest.importorskip("scikit_build_core", reason="NOT BUILT: there is no scikit-build-core")
    if shutil.which("cmake") is None:
        pytest.skip("NOT BUILT: there is no cmake")
    files = {
        "pyproject.toml": shown("pyproject.toml"),
        "CMakeLists.txt": shown("CMakeLists.txt of the package"),
        "src/module.cu": MODULE,
    }
    tree = write(tmp_path / "p", files)
    run_well(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "-w", "wheels", "."], tree
    )
    (wheel,) = (tree / "wheels").glob("*.whl")
    run_well([sys.executable, "-m", "zipfile", "-e", str(wheel), "there"], tree)
    code = "import sys; sys.path.insert(0, 'there'); import sums; print(sums.twice())"
    assert run_well([sys.executable, "-c", code], tree).strip() == "4.0"
