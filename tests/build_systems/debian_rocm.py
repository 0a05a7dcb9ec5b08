"""Debian's packages of HIP as a ROCm prefix: their files lie where Debian's do, and CMake looks for them in one folder.

Debian 12 has ROCm 5.2.3 with the HIP runtime, its CMake packages and the device libraries, and none of ROCm's libraries.
"""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path

ROCM = "5.2"
ARCHITECTURE = "gfx906"

_LIBRARIES = Path("/usr/lib") / (sysconfig.get_config_var("MULTIARCH") or "")
_PACKAGES = (
    *(_LIBRARIES / "cmake" / name for name in ("hip", "hip-lang", "amd_comgr", "hsa-runtime64")),
    Path("/usr/lib/cmake/AMDDeviceLibs"),
)
_DEVICE_LIBRARIES = _LIBRARIES / "amdgcn" / "bitcode"
_COMPILER = "clang++-15"


def what_is_missing() -> str:
    """What a build with Debian's packages would lack; empty where everything is there."""
    missing = [program for program in ("cmake", "make", "hipcc", _COMPILER) if shutil.which(program) is None]
    missing += [str(path) for path in (*_PACKAGES, _DEVICE_LIBRARIES) if not path.exists()]
    return ", ".join(missing)


def make_prefix(place: Path) -> None:
    """Make a folder that looks like an installation of ROCm."""
    packages = place / "lib" / "cmake"
    packages.mkdir(parents=True)
    for package in _PACKAGES:
        (packages / package.name).symlink_to(package)
    for name in ("bin", "include"):
        (place / name).symlink_to(Path("/usr") / name)


def environment(prefix: Path) -> dict[str, str]:
    """In which CMake and make find that prefix, and clang the device libraries."""
    return {
        **os.environ,
        "CMAKE_PREFIX_PATH": str(prefix),
        "HIP_DEVICE_LIB_PATH": str(_DEVICE_LIBRARIES),
        "HIP_PLATFORM": "amd",
        "ROCM_PATH": "/usr",
    }


def cmake_choices(prefix: Path) -> list[str]:
    """What CMake is to be told besides."""
    compiler = shutil.which(_COMPILER)
    return [
        f"-DCMAKE_HIP_COMPILER={compiler}",
        f"-DCMAKE_HIP_COMPILER_ROCM_ROOT={prefix}",
        f"-DCMAKE_HIP_ARCHITECTURES={ARCHITECTURE}",
    ]
