"""Whole projects: their build files as they come out, and that they configure, compile and link.

The builds need a ROCm prefix with CMake packages and a `hipcc`, named by `HIPIFY_PY_ROCM_SDK`, and CMake 3.21 or later.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hipify_py.core.options import Options
from hipify_py.project.api import convert
from tests.build_systems.projects_of import NAMES, PROJECTS, converted, expected

LASTING = frozenset({"HIP630", "HIP631"})
"""Findings that tell what PyTorch will do to a converted project, which is as true of it as of the first one."""

SDK = os.environ.get("HIPIFY_PY_ROCM_SDK", "")


@pytest.mark.parametrize("name", NAMES)
def test_build_files_come_out_as_expected(name: str, tmp_path: Path) -> None:
    assert converted(name, tmp_path / "out") == expected(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_second_pass_changes_nothing_and_finds_nothing(name: str, tmp_path: Path) -> None:
    options = Options(ci_files=True)
    convert([PROJECTS / name], output=tmp_path / "once", options=options)
    again = convert([tmp_path / "once"], output=tmp_path / "twice", options=options)
    first = {path.relative_to(tmp_path / "once"): path for path in (tmp_path / "once").rglob("*") if path.is_file()}
    for relative, path in first.items():
        assert (tmp_path / "twice" / relative).read_bytes() == path.read_bytes(), relative
    found = [finding for result in again.results for finding in result.findings if finding.id.startswith("HIP6")]
    assert [finding for finding in found if finding.id not in LASTING] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_accounted_for(name: str) -> None:
    report = convert([PROJECTS / name])
    for result in report.results:
        counts = result.counts
        assert counts.total == counts.converted + counts.native + counts.unsupported + counts.unknown + counts.inactive
        assert counts.unsupported + counts.unknown <= len(result.findings)


def test_no_build_files_leaves_them(tmp_path: Path) -> None:
    for name in NAMES:
        report = convert([PROJECTS / name], output=tmp_path / name, build_files=False)
        assert not [finding for result in report.results for finding in result.findings if "HIP6" in finding.id]
        for path in (PROJECTS / name).rglob("CMakeLists.txt"):
            assert (tmp_path / name / path.relative_to(PROJECTS / name)).read_bytes() == path.read_bytes()


ENVIRONMENT = {
    **os.environ,
    "PATH": f"{SDK}/bin{os.pathsep}{os.environ['PATH']}",
    "ROCM_PATH": SDK,
    "HIP_ARCH": "gfx942",
    "CCC_OVERRIDE_OPTIONS": f"^-isystem{SDK}/include",  # before another HIP's headers in /usr/include
}
MAKEFILES = ("Makefile", "makefile", "GNUmakefile", "src/Makefile")


def commands_of(name: str, source: Path, build: Path) -> list[list[str]]:
    """How a converted project is built; a test is skipped where what it needs is not installed."""
    if name.startswith("setup_torch"):
        pytest.skip("PyTorch for ROCm is no dependency of the tests")
    # The needs of another HIP's libraries, which the linker may come upon, are no matter.
    choices = [f"-DCMAKE_PREFIX_PATH={SDK}", "-DCMAKE_HIP_ARCHITECTURES=gfx942"]
    choices.append("-DCMAKE_EXE_LINKER_FLAGS=-Wl,--allow-shlib-undefined")
    if (source / "build.sh").is_file():
        return [["bash", "build.sh"]]
    if (source / "setup.py").is_file():
        pytest.importorskip("setuptools", reason="there are no setuptools")
        ENVIRONMENT["CMAKE_ARGS"] = " ".join(choices)
        return [
            [sys.executable, "setup.py", "build_ext", "--build-lib", str(build), "--build-temp", f"{build}-objects"]
        ]
    if (source / "meson.build").is_file():
        if not shutil.which("meson") or not shutil.which("ninja"):
            pytest.skip("there is no meson, or no ninja")
        return [["meson", "setup", str(build), f"-Dcmake_prefix_path={SDK}"], ["ninja", "-C", str(build)]]
    if name.startswith("bazel"):
        pytest.skip("Bazel and its rules are no dependency of the tests")
    if (source / "configure.ac").is_file():
        if shutil.which("autoreconf") is None:
            pytest.skip("there is no autoreconf")
        return [["autoreconf", "-fi"], ["./configure"], ["make"]]
    place = next((source / name for name in MAKEFILES if (source / name).is_file()), None)
    if place is not None:
        return [["make", "-C", str(place.parent)]]
    if shutil.which("cmake") is None:
        pytest.skip("there is no cmake")
    preset = ["--preset", "default"] if (source / "CMakePresets.json").is_file() else []
    return [["cmake", *preset, "-S", ".", "-B", str(build), *choices], ["cmake", "--build", str(build)]]


@pytest.mark.compiler
@pytest.mark.skipif(not SDK, reason="HIPIFY_PY_ROCM_SDK names no ROCm prefix to build in")
@pytest.mark.parametrize("rename", [False, True], ids=["same_names", "renamed"])
@pytest.mark.parametrize("name", NAMES)
def test_a_converted_project_builds_to_the_end(name: str, rename: bool, tmp_path: Path) -> None:
    if rename and not (PROJECTS / name / "CMakeLists.txt").is_file():
        pytest.skip("other build systems have tests of their own for renamed files")
    source, build = tmp_path / "source", tmp_path / "build"
    convert([PROJECTS / name], output=source, rename=rename)
    for command in commands_of(name, source, build):
        done = subprocess.run(command, cwd=source, env=ENVIRONMENT, capture_output=True, text=True, errors="replace")
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
