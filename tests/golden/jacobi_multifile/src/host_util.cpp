// Host-only part of the helpers; compiled as plain C++.
#include "cuda_helpers.h"

#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstdlib>

namespace cuda_helpers {

static std::size_t g_in_use = 0;

void fail(hipError_t status, const char *expression, const char *file, int line)
{
    std::fprintf(stderr, "%s:%d: %s returned %s (%s)\n", file, line, expression,
                 hipGetErrorName(status), hipGetErrorString(status));
    std::exit(1);
}

std::size_t device_bytes_in_use()
{
    return g_in_use;
}

void *device_allocate(std::size_t bytes)
{
    void *pointer = nullptr;
    CUDA_HELPERS_CHECK(hipMalloc(&pointer, bytes));
    CUDA_HELPERS_CHECK(hipMemset(pointer, 0, bytes));
    g_in_use += bytes;
    return pointer;
}

void device_release(void *pointer, std::size_t bytes)
{
    CUDA_HELPERS_CHECK(hipFree(pointer));
    g_in_use -= bytes;
}

} // namespace cuda_helpers
