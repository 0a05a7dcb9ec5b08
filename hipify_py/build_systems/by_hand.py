"""Report build files that are not translated: a finding says what to change in them by hand."""

from __future__ import annotations

import re

from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.finishing import finished
from hipify_py.build_systems.kinds import COMPOSE, CONDA, SCONS, VISUAL_STUDIO, XMAKE, kind_of
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source
from hipify_py.core.translation import Translation

ADVICE = {
    XMAKE: (
        'compile .cu files as C++ with hipcc: set_toolset("cxx", "clang@hipcc"), set_toolset("ld", "clang++@hipcc") '
        'and add_files("*.cu", {sourcekind = "cxx", cxxflags = {"-x hip", "--offload-arch=gfx942"}}) instead of '
        "add_cuflags and add_cugencodes; link amdhip64, hipblas and the like instead of cudart and cublas"
    ),
    SCONS: (
        "use a builder that calls hipcc with --offload-arch=gfx942 instead of nvcc with -arch; link amdhip64, hipblas "
        "and the like instead of cudart and cublas, from /opt/rocm/lib; define __HIP_PLATFORM_AMD__ for the sources "
        "that other compilers compile"
    ),
    VISUAL_STUDIO: (
        "use the HIP SDK's build customization instead of CUDA's, or compile .cu files with its hipcc (-x hip "
        "--offload-arch=gfx1100); link amdhip64.lib, hipblas.lib and the like instead of cudart.lib and cublas.lib"
    ),
    CONDA: (
        "remove CUDA's packages; conda has none of ROCm, so install hipcc (for cuda-nvcc), hip-dev (cuda-cudart-dev), "
        "hipblas (libcublas), miopen-hip (cudnn) and the like from ROCm's own repositories, or use an image with ROCm"
    ),
    COMPOSE: (
        "use an image with ROCm (rocm/dev-ubuntu-24.04) instead of nvidia/cuda, and pass AMD GPUs to the container as "
        "devices (/dev/kfd and /dev/dri) instead of with the runtime or driver of NVIDIA; call hipcc instead of nvcc"
    ),
}
"""What to change in a file of each kind."""

_COMMENTS = {
    XMAKE: re.compile(rb"--(?:\[\[.*?(?:\]\]|\Z)|[^\n]*)", re.DOTALL),
    VISUAL_STUDIO: re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL),
}
_COMMENT = re.compile(rb"#[^\n]*")
"""The comments of the other kinds."""

_OF_CUDA = re.compile(
    rb"(?<![a-z])(?:lib)?(?:cuda|nvcc|nvidia|cu(?:blas|dnn|fft|rand|solver|sparse|tensor|flags|gencodes)|nccl|nvrtc)"
    rb"|\.cuh?\b",
    re.IGNORECASE,
)
_OF_ROCM = re.compile(rb"(?<![a-z])(?:hip(?:cc|config)?|rocm)(?![a-z])|amdclang|amdhip64|/dev/kfd", re.IGNORECASE)


def translate(data: bytes, path: str, options: Options, project: ProjectContext = NO_PROJECT) -> Translation:
    """Report the first place that names CUDA, unless the file also names ROCm; it does not use `project`."""
    kind = kind_of(path)
    comments = [match.span() for match in _COMMENTS.get(kind, _COMMENT).finditer(data)]
    file = BuildFile(Source(data, path), kind.lower(), options, comments)
    file.marks = b"#-<! \t"
    code = bytearray(data)
    for start, end in comments:
        code[start:end] = b" " * (end - start)
    match = _OF_CUDA.search(code)
    if match is not None and not _OF_ROCM.search(code):
        file.finding("HIP612", match.start(), kind, ADVICE[kind])
    return finished(file)
