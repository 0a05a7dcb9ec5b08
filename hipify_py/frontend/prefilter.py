"""Decides in one pass over the bytes whether a file can have anything CUDA in it."""

from __future__ import annotations

import re

# Stems, not whole names: every name of the tables that is not valid HIP as it stands holds one of them
# (tests/frontend/test_prefilter.py holds the tables to that), and so does every launch and CUDA keyword.
# Each begins with a plain letter, so that the engine looks at few bytes twice.
_STEMS = (
    r"<<<",
    r"cuda|Cuda|CUDA|cu[A-Z]\w|CU[a-z_]|CUFile|CUG[LP]|CUI|CUCore|cuuint|atomic[A-Z]",
    r"cub(?:::|/|\b)|CUB_|Cub[VD]",
    r"cublas|cufft|curand|cusparse|cusolver|cudnn|cutensor|cufile|CUBLAS|CUFFT|CURAND|CUSPARSE|CUSOLVER|CUDNN|CUTENSOR|CUFILE",
    r"csr(?:chol|lu|qr)Info|gesvdjInfo|syevjInfo|libraryPropertyType|CIG_DATA",
    r"nv(?:rtc|tx|ml|blas|perf|jpeg|[jJ]it[lL]ink|shmem|graph|vm|enc|Enc|cuvid|cuda|PTX|Tools|_|functional|/target|::)",
    r"NV(?:RTC|TX|ML|JPEG|JITLINK|SHMEM|GRAPH|ENC|VM|PTX|_)|NvEnc|cuvid",
    r"nccl|NCCL|npp|Npp|NPP|OptiX|optix|Optix|OPTIX|cupti|CUPTI|cutlass|CUTLASS|cute\b",
    r"thrust|THRUST_|cooperative_groups|texture|Texture|surface|Surface|mma\.h",
    r"threadIdx|blockIdx|blockDim|gridDim|warpSize|bfloat16|half2|h2?tanh",
    r"__(?!attribute|inline|builtin|restrict|asm|func|cplusplus|has_|typeof|extension|declspec)[a-z]|__NV",
    r"device_(?:launch|types|functions|double|atomic)|vector_(?:types|functions)|math_(?:functions|constants)|sm_\d+_",
    r"driver_(?:types|functions)|library_types|host_(?:defines|config)|builtin_types|channel_desc|common_functions|fatbinary|crt/",
    r"(?:double|long|ulong)4_\d+a|longlong4_|ulonglong4_",
)
_CUDA = re.compile("|".join(_STEMS).encode())


def may_have_cuda(data: bytes) -> bool:
    """False only for a file in which no mapping table can have a say."""
    return _CUDA.search(data) is not None
