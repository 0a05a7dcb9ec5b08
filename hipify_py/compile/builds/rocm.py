"""The ROCm that a project is built with: where it is, and the environment that it needs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from hipify_py.build_systems.make.rules.options import VARIABLE as MAKES_VARIABLE
from hipify_py.catalog.installed import prefixes
from hipify_py.compile.driver import find_hipcc

NO_ROCM = (
    "no ROCm found: no bin/hipcc in --rocm-path, ROCM_PATH, HIP_PATH, /opt/rocm* or /usr, nor on PATH.\n"
    "Building needs no GPU, but it needs ROCm's compiler, headers and libraries. To get them: AMD's ROCm packages\n"
    "(https://rocm.docs.amd.com), the image rocm/dev-ubuntu-24.04:*-complete, or `apt-get install hipcc`\n"
    "with the libraries' -dev packages on Debian and Ubuntu."
)

DEFAULT_ARCH = "gfx942"
"""The default GPU target if there is no GPU."""

_DRIVER = "/dev/kfd"
_SYSTEM = ("/usr", "/")


def find_rocm(environment: Mapping[str, str], given: str | None = None) -> str | None:
    """The folder of the ROCm to build with: the given one or none, else the likeliest; None where there is none."""
    if given is not None:
        return os.path.abspath(given) if _has_hipcc(given) else None
    for prefix in prefixes(environment):
        if _has_hipcc(prefix):
            return os.path.abspath(prefix)
    hipcc = find_hipcc(environment)
    return None if hipcc is None else os.path.dirname(os.path.dirname(os.path.realpath(hipcc)))


def _has_hipcc(prefix: str) -> bool:
    return any(os.access(os.path.join(prefix, "bin", name), os.X_OK) for name in ("hipcc", "hipcc.exe"))


def has_gpu() -> bool:
    """The kernel has a driver for an AMD GPU, so compilers can detect it."""
    return os.path.exists(_DRIVER)


def building_environment(environment: Mapping[str, str], rocm: str, arch: Sequence[str], jobs: int) -> dict[str, str]:
    """The variables of a build: ROCm's programs and packages are found first, and messages are English."""
    made = dict(environment)
    made["ROCM_PATH"] = made["HIP_PATH"] = rocm
    made["HIP_PLATFORM"] = "amd"
    if rocm not in _SYSTEM:
        made["PATH"] = os.pathsep.join(filter(None, (os.path.join(rocm, "bin"), made.get("PATH", ""))))
        made["CMAKE_PREFIX_PATH"] = os.pathsep.join(filter(None, (rocm, made.get("CMAKE_PREFIX_PATH", ""))))
    if arch:
        made[MAKES_VARIABLE] = " ".join(arch)  # heeded by makefiles as the conversion writes them
        made["HCC_AMDGPU_TARGET"] = ",".join(arch)  # by hipcc
        made["PYTORCH_ROCM_ARCH"] = ";".join(arch)  # by PyTorch's extensions
    made.setdefault("MAX_JOBS", str(jobs))
    made.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(jobs))
    everything = made.pop("LC_ALL", "")
    if everything:
        made["LANG"] = everything
    made["LC_MESSAGES"] = "C"
    made.pop("LANGUAGE", None)
    return made
