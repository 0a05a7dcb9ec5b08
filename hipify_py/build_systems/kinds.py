"""Which files are build files that can be translated, and which of those can have anything to do with CUDA."""

from __future__ import annotations

from os.path import basename

from hipify_py.source import CPP_SUFFIXES, CUDA_SUFFIXES, HIP_SUFFIXES, suffix_of

LIST_FILE, MODULE_ENDING = "CMakeLists.txt", ".cmake"
_SOURCES = CUDA_SUFFIXES | CPP_SUFFIXES | HIP_SUFFIXES
PRESETS = frozenset({"CMakePresets.json", "CMakeUserPresets.json"})

_CMAKES_OWN = frozenset({"FindCUDA.cmake", "FindCUDAToolkit.cmake"})

_HINTS = (
    b"cuda",
    b"nvcc",
    b".cu",
    b"nccl",
    b"cublas",
    b"cufft",
    b"cudnn",
    b"nvrtc",
    b"curand",
    b"cusparse",
    b"cusolver",
)


def is_list_file(path: str) -> bool:
    """CMake's language is in it; templates (`x.cmake.in`) and those of sources (`x.hpp.cmake`) are none."""
    name = basename(path)
    return name == LIST_FILE or (name.endswith(MODULE_ENDING) and suffix_of(name) not in _SOURCES)


def is_copy_of_cmakes(path: str) -> bool:
    """It is a copy of CMake's own module for CUDA, which nothing uses any more when it finds HIP."""
    parts = path.replace("\\", "/").split("/")
    return parts[-1] in _CMAKES_OWN or "FindCUDA" in parts[:-1]


def is_presets(path: str) -> bool:
    """It is one of CMake's files of presets."""
    return basename(path) in PRESETS


def is_build_file(path: str) -> bool:
    """True for the names of the build files that are translated."""
    return is_list_file(path) or is_presets(path)


def may_have_cuda(data: bytes) -> bool:
    """False only for a file that names nothing of CUDA's."""
    lower = data.lower()
    return any(hint in lower for hint in _HINTS)
