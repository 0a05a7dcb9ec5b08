"""The host's warp size beside an author's own on the device."""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.analysis.warp.author_choices import author_choices, may_have_choices
from hipify_py.analysis.warp.census import warp_operations
from hipify_py.analysis.warp.decisions import KEPT
from hipify_py.core.findings import Finding
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.triggers import words


class HostSizes(Rule):
    """The device's warp size becomes 32 on the host, and some device code of the program has its author's size.

    It is not known which of the two a number is for that passes through members and other files. Met in faiss
    (`DeviceUtils.cu`) and llama.cpp (`ggml_cuda_init`), whose blocks are `warp_size` wide.
    """

    id = "HIP334"
    triggers = words("*warpSize*", "*WarpSize*", "*WARP_SIZE*")
    VALID = (
        Example("#include <hip/hip_runtime.h>\nint f(hipDeviceProp_t p) { return p.warpSize; }"),
        Example(
            "#ifdef __HIP_PLATFORM_AMD__\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
            "__global__ void k(int *o) { o[threadIdx.x / WARP_SIZE] = 1; }\n"
        ),
    )
    INVALID = (
        Example(
            "#ifdef __HIP_PLATFORM_AMD__\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
            "__global__ void k(int *o) { o[threadIdx.x / WARP_SIZE] = 1; }\n"
            "int size_of(const cudaDeviceProp &p) { return p.warpSize; }\n",
            "#ifdef __HIP_PLATFORM_AMD__\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
            "__global__ void k(int *o) { o[threadIdx.x / WARP_SIZE] = 1; }\n"
            "int size_of(const hipDeviceProp_t &p) { return 32; }\n",
            ("HIP334",),
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Finding]:
        own: frozenset[bytes] = author_choices(unit).sizes if may_have_choices(unit) else frozenset()
        sizes = sorted(own | unit.project.author_sizes)
        for operation in warp_operations(unit) if sizes else ():
            if operation.is_on_host and operation.outcome == KEPT:
                name = sizes[0].decode()
                yield unit.finding("HIP334", operation.offset, name=name, library="runtime")
