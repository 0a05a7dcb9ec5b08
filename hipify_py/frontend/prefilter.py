"""Decides in one pass over the bytes whether a file can have anything CUDA in it."""

from __future__ import annotations

import re

# Stems, not whole names: every name of the tables that is not valid HIP as it stands holds one of them
# (tests/frontend/test_prefilter.py holds the tables to that), and so does every launch and CUDA keyword.
_CUDA = re.compile(
    rb"<<<|[Cc][Uu][Dd][Aa]|CUDA|\bcu[A-Z]\w|\bCU_?[A-Z]|cub(?:::|/|\b)|CUB_|cu(?:blas|fft|rand|sparse|solver|dnn|tensor|file)"
    rb"|CU(?:BLAS|FFT|RAND|SPARSE|SOLVER|DNN|TENSOR|FILE|BLASLT)|nvrtc|NVRTC|nv(?:tx|ml|jpeg|jitlink|JitLink|shmem|graph|vm|enc|cuvid)"
    rb"|NV(?:TX|ML|JPEG|JITLINK|SHMEM|GRAPH|ENC|_ENC|VM)|NvEnc|nccl|NCCL|npp|NPP|[Oo]pti[Xx]|OPTIX|cupti|CUPTI|cutlass|CUTLASS|cute(?:::|/)"
    rb"|nvcuda|mma\.h|__nv|nv_|nvfunctional|thrust|cooperative_groups|[Tt]exture|[Ss]urface|__(?:global|device|host|shared|constant|managed)__"
    rb"|__launch_bounds__|threadIdx|blockIdx|blockDim|gridDim|warpSize|__\w+_sync|__sync|__shfl|device_launch_parameters|vector_(?:types|functions)"
    rb"|(?:math|device|sm_\d+)_(?:functions|constants|intrinsics|atomic)|driver_types|library_types|host_defines|builtin_types|channel_descriptor"
)


def may_have_cuda(data: bytes) -> bool:
    """False only for a file in which no mapping table can have a say."""
    return _CUDA.search(data) is not None
