"""Which files of other languages than C++ may have GPU code or call CUDA: Python, notebooks and Cython."""

from __future__ import annotations

import re
from os.path import splitext

from hipify_py.core.patterns import lazy_pattern

PYTHON, NOTEBOOK, CYTHON = "Python", "notebook", "Cython"

_KINDS = {".py": PYTHON, ".ipynb": NOTEBOOK, ".pyx": CYTHON, ".pxd": CYTHON, ".pxi": CYTHON}

LARGEST = 4 << 20
"""Bytes of a file that is read; notebooks with pictures are larger, and their code is not."""

_HINT = lazy_pattern(
    rb"__global__|__device__|\bRaw(?:Kernel|Module)\b|SourceModule\b|\bload_inline\b|\b(?:Elementwise|Reduction)Kernel\b|"
    rb"\bnvrtc|\bcuda\.jit\b|\bpycuda\b|\bskcuda\b|\bcuda\.(?:core|bindings|tile|cooperative)\b|\binline_asm|"
    rb"\bextra\.cuda\b|\bjitify\b|\bcutensor\b|\bcusparselt\b|\bnvmath\b|\bcuquantum\b|"
    rb"\bcpp_extension\b|^\s*(?:import|from)\s+(?:cutlass|tensorrt|nvidia\.dali|cudf|cuml|cugraph)\b|"
    rb"\bfrom\s+(?:cuda|numba)\s+import\b|^\s*(?:import|from)\s+numba\.cuda\b|\b(?:compile_with_cache|tune_kernel|run_kernel)\b",
    re.MULTILINE,
)
_OF_CUPY = lazy_pattern(
    rb"\bMemoryAsync|\bmalloc_async\b|\bset_cufft_|\buse_multi_gpus\b|\beig(?:vals)?\b|\blsqr\b|\btexture_memory\b"
)
"""Names that CuPy lacks on AMD GPUs."""
_CYTHON = lazy_pattern(rb"(?i)\bcu(?:da|blas|fft|rand|sparse|solver|dnn)|\bnv(?:rtc|cc|ml)|\bnccl|\bcu[A-Z]")
_MAGIC = lazy_pattern(
    rb"%%(?:cu|cuda|nvcc|cuda_\w+|gpu_\w+)\b|(?:\b|\\n)nvcc|%%(?:writefile|file)[^\"\\]*(?:\.cuh?|CMakeLists\.txt|Makefile)\b"
)


def kind_of_host(path: str) -> str:
    """The kind of a file of another language (`PYTHON`, `NOTEBOOK`, `CYTHON`); empty for all others."""
    return _KINDS.get(splitext(path)[1].lower(), "")


def may_embed(data: bytes, kind: str) -> bool:
    """Whether a file of a kind may have GPU code or call CUDA: false only for one that has none."""
    if kind == CYTHON:
        return _CYTHON.search(data) is not None
    if _HINT.search(data) is not None or (b"cupy" in data and _OF_CUPY.search(data) is not None):
        return True
    return kind == NOTEBOOK and _MAGIC.search(data) is not None
