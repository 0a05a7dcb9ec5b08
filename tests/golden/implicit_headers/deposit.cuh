#pragma once
// No CUDA header here: nvcc brings its own.
#include <hip/hip_runtime.h>

struct Particle { float3 x; float q; };

__forceinline__ __device__ __host__ int cell_of(float3 x, int3 dims)
{
    const int i = min(max(int(x.x * dims.x), 0), dims.x - 1);
    const int j = min(max(int(x.y * dims.y), 0), dims.y - 1);
    const int k = min(max(int(x.z * dims.z), 0), dims.z - 1);
    return (k * dims.y + j) * dims.x + i;
}

inline void must(hipError_t e, const char *what)
{
    if (e != hipSuccess) {
        printf("%s: %s\n", what, hipGetErrorString(e));
        exit(EXIT_FAILURE);
    }
}
