"""How command lines name CUDA's toolkit, its compiler and ROCm."""

from __future__ import annotations

import re

from hipify_py.build_systems.toolkit_folder import PLACES, WITHIN

ROCM_PATH, ROCM = "ROCM_PATH", "/opt/rocm"
NVCC, HIPCC = "nvcc", "hipcc"

TOOLKIT = re.compile(
    rb"(?:(?<![\w.])|(?<=-[IL])|(?<=-isystem)|(?<=-B))" + PLACES + rb"(?:-(?:\d+(?:\.[\dxX]+)*|\$\{\w+\}|\$\w+|\*))?"
    rb"(?:/targets/[\w-]+|" + WITHIN + rb")(?![\w.-])"
)
"""The folder in which the toolkit is installed, of any version."""

_HIPS = re.compile(
    r"\b(?:hipcc|amdclang\+\+|hipconfig)\b|\bROCM_(?:PATH|HOME)\b|\bHIP_PATH\b|(?:^|[/=:])rocm(?:[-/]|$)"
)


_ON_WINDOWS = re.compile(r"[\"']?(?:[A-Za-z]:[\\/]|.*\bNVIDIA\b)")


def is_windows_path(value: str) -> bool:
    """Whether a variable's value is a folder on Windows: the toolkit's there has no counterpart in ROCm's paths."""
    return _ON_WINDOWS.match(value) is not None


def is_nvcc(text: str) -> bool:
    """Whether a text is the compiler's name or a path of it."""
    return text == NVCC or text.endswith(f"/{NVCC}")


def holds_nvcc(value: str) -> bool:
    """Whether a variable of this value holds the compiler, if only as its default: `${NVCC:-nvcc}`."""
    return is_nvcc(value) or value.endswith(f"-{NVCC}}}")


def knows_rocm(text: str) -> bool:
    """Whether a text names ROCm, HIP's compiler or one of AMD's images."""
    return _HIPS.search(text) is not None
