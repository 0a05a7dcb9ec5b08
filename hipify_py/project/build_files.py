"""The build files of a tree that name CUDA's tools or libraries: what is left to change besides its sources.

They are told apart by their names, found by the walk that finds the sources, and searched by bytes without their
comments. What is found is worth a look, and no more is said of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from hipify_py import witness
from hipify_py.build_systems.kinds import (
    AUTOCONF,
    BAZEL,
    CMAKE,
    DOCKER,
    MAKE,
    MESON,
    PYPROJECT,
    PYTHON,
    SCONS,
    VISUAL_STUDIO,
    XMAKE,
    kind_of,
)
from hipify_py.patterns import lazy
from hipify_py.project.discovery import OTHER, SOURCE, Discovery, Entry
from hipify_py.records import NamedTuple

_LARGEST = 1 << 20
"""Bytes of a build file that is looked at."""

_LIBRARIES = rb"(?:cudart|cublas|cufft|curand|cusolver|cusparse|cudnn|nvrtc)"
_CUDA = {
    CMAKE: lazy(
        rb"enable_language\s*\(\s*CUDA\b|find_package\s*\(\s*CUDA|cuda_add_\w+\s*\(|\bCUDA::\w|\bCMAKE_CUDA_\w"
        rb"|\bCUDA_(?:ARCHITECTURES|STANDARD|SEPARABLE|TOOLKIT|NVCC|LIBRARIES|INCLUDE)|\bnvcc\b"
        rb"|(?:project\s*\(|\bLANGUAGES\s)[^()]{0,400}?\bCUDA\b",
        re.IGNORECASE,
    ),
    MAKE: lazy(
        rb"\bnvcc\b|-l" + _LIBRARIES + rb"\b|\bCUDA_?(?:HOME|PATH|ROOT|DIR|INC\w*|LIB\w*)\b|-gencode\b", re.IGNORECASE
    ),
    PYTHON: lazy(rb"\bCUDAExtension\b|\bnvcc\b|\bCUDA_(?:HOME|PATH|ROOT)\b|[\"']-?l?" + _LIBRARIES + rb"[\"']"),
    PYPROJECT: lazy(rb"\bCMAKE_CUDA_\w|\bnvcc\b|\bCUDA_(?:HOME|PATH|ROOT)\b|[\"']" + _LIBRARIES + rb"[\"']"),
    SCONS: lazy(rb"\bnvcc\b|\bNVCC|\bCUDA_(?:HOME|PATH|ROOT)\b|[\"']" + _LIBRARIES + rb"[\"']"),
    XMAKE: lazy(rb"[\"']cuda[\"']|\badd_cu\w+|\bnvcc\b|[\"']" + _LIBRARIES + rb"[\"']"),
    MESON: lazy(rb"'cuda'|\bnvcc\b|'cu(?:dart|blas|fft|rand|solver|sparse|dnn)'"),
    BAZEL: lazy(
        rb"\brules_cuda\b|\bcuda_(?:library|binary|objects|test)\b|@(?:local_config_)?cuda\b|\bif_cuda\b|\bnvcc\b"
    ),
    DOCKER: lazy(rb"\bnvidia/cuda\b|\bnvcr\.io/|\bcuda-(?:toolkit|runtime|nvcc)\b|\bnvidia-cuda-\w|\bnvcc\b"),
    AUTOCONF: lazy(
        rb"\bnvcc\b|\bCUDA_(?:HOME|PATH|ROOT|CFLAGS|LIBS)\b|-l" + _LIBRARIES + rb"\b|\bcudart\b", re.IGNORECASE
    ),
    VISUAL_STUDIO: lazy(rb"<CudaCompile\b|\bCUDA \d+\.\d+\.(?:props|targets)\b"),
}
_HIP = lazy(
    rb"\bhipcc\b|enable_language\s*\(\s*HIP\b|find_package\s*\(\s*hip\b|\bhip::\w|\bamdhip64\b|\brocm/|\b(?:ROCM|HIP)_(?:HOME|PATH)\b",
    re.IGNORECASE,
)
_COMMENT = lazy(rb"(?:(?<=\s)|^)(?:#|dnl\b)[^\n]*", re.MULTILINE)


class BuildFile(NamedTuple):
    """A build file that names CUDA.

    Attributes:
        kind: what reads it (`CMAKE`, `MAKE` ...).
        line: the first line that does.
    """

    path: str
    kind: str
    line: int


def build_files(found: Iterable[Discovery]) -> list[BuildFile]:
    """Those of a run's trees, in the order of the walk, that name CUDA and not HIP."""
    named = []
    for discovery in found:
        for entry in discovery.entries:
            kind = kind_of(entry.relative) if entry.kind in (OTHER, SOURCE) else ""
            if kind in _CUDA and discovery.roots[entry.root].is_tree and entry.size <= _LARGEST:
                line = _line_with_cuda(entry, kind)
                if line:
                    named.append(BuildFile(entry.path, kind, line))
    return named


def line_with_cuda(data: bytes, kind: str) -> int:
    """The first line that names CUDA; 0 for a file that does not, or that knows HIP already."""
    code = _COMMENT.sub(b"", data)
    match = _CUDA[kind].search(code)
    if match is None or _HIP.search(code) is not None:
        return 0
    return code.count(b"\n", 0, match.start()) + 1


def _line_with_cuda(entry: Entry, kind: str) -> int:
    witness.saw(entry.path)
    try:
        with open(entry.path, "rb") as file:
            data = file.read(_LARGEST)
    except OSError:  # it is not the run's to do, and not its to fail by
        return 0
    return line_with_cuda(data, kind)
