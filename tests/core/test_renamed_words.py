"""Words in the names of files."""

from __future__ import annotations

import pytest

from hipify_py.core.renamed_words import RenamedWords


@pytest.mark.parametrize(
    ("name", "new"),
    [
        ("x_cuda_kernel.cuh", "x_hip_kernel.cuh"),
        ("CudaUtil.h", "HipUtil.h"),
        ("CUDAStream.cpp", "HIPStream.cpp"),
        ("CUDA_STREAM.cpp", "HIP_STREAM.cpp"),
        ("util2cuda.cu", "util2hip.cu"),
        ("myCuda.h", "myHip.h"),
        ("cudaKernel.cu", "hipKernel.cu"),
        ("cuda1.cu", "hip1.cu"),
        ("cuda/cuda-x/*_cuda.cu", "hip/hip-x/*_hip.cu"),
        ("barracuda.cu", "barracuda.cu"),
        ("cudart.h", "cudart.h"),
        ("CUDAX.h", "CUDAX.h"),
        ("libCUDAs.h", "libCUDAs.h"),
        ("", ""),
    ],
)
def test_words(name: str, new: str) -> None:
    assert RenamedWords({"cuda": "hip"}).renamed(name) == new


def test_several_words_the_longest_first() -> None:
    words = RenamedWords({"cu": "hip", "cuda": "hip", "nvidia": "amd"})
    assert words.renamed("nvidia/cu_cuda.h") == "amd/hip_hip.h"


def test_no_words() -> None:
    assert RenamedWords({}).renamed("cuda.cu") == "cuda.cu"
