"""Projects that need no more than the HIP runtime build to the end with what Debian packages."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hipify_py.build_systems.facts import facts
from hipify_py.build_systems.kinds import is_build_file
from hipify_py.catalog import Targeting
from hipify_py.core.options import Options
from hipify_py.project.api import convert
from tests.build_systems.debian_rocm import ROCM, cmake_choices, environment, make_prefix, what_is_missing
from tests.build_systems.projects_of import NAMES, PROJECTS

MISSING = what_is_missing()
LIBRARIES = {found.library for found in facts().libraries.values()} - {"", "amdhip64"}
TAKES_DEVICE_CODE_FROM_ARCHIVES = {"separable_below"}
"""Projects whose program has no device code of its own: Debian's clang 15 links none that is only in a static library."""
OF_CMAKE = [name for name in NAMES if (PROJECTS / name / "CMakeLists.txt").is_file()]


def build_files(source: Path) -> list[str]:
    """What the build files of a tree say."""
    return [
        path.read_text(encoding="utf-8") for path in source.rglob("*") if path.is_file() and is_build_file(path.name)
    ]


@pytest.mark.compiler
@pytest.mark.skipif(bool(MISSING), reason=f"NOT BUILT: Debian's HIP is not whole: no {MISSING}")
@pytest.mark.parametrize("name", OF_CMAKE)
def test_a_converted_project_builds_with_debians_hip(name: str, tmp_path: Path) -> None:
    if name in TAKES_DEVICE_CODE_FROM_ARCHIVES:
        pytest.skip("NOT BUILT: Debian's clang takes no device code from static libraries alone")
    source, build, prefix = tmp_path / "source", tmp_path / "build", tmp_path / "rocm"
    convert([PROJECTS / name], output=source, options=Options(targeting=Targeting(rocm=ROCM)))
    wanted = sorted(name for name in LIBRARIES if any(name in text for text in build_files(source)))
    if any(b"<thrust/" in path.read_bytes() for path in source.rglob("*") if path.is_file()):
        wanted.append("rocThrust")
    if wanted:
        pytest.skip(f"NOT BUILT: Debian has no {', '.join(wanted)}")
    make_prefix(prefix)
    preset = ["--preset", "default"] if (source / "CMakePresets.json").is_file() else []
    configure = ["cmake", *preset, "-S", ".", "-B", str(build), *cmake_choices(prefix)]
    for command in (configure, ["cmake", "--build", str(build)]):
        done = subprocess.run(
            command, cwd=source, env=environment(prefix), capture_output=True, text=True, errors="replace", check=False
        )
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
