#include "hipify_support.hpp"

#include <cstdio>

#if defined(__NVCC__)
using error = cudaError_t;
#else
using error = hipError_t;
#endif

__global__ void use(int* out, error given) {
    printf("%s %s\n", hipify::get_error_name(given), hipify::get_error_string(given));
    out[0] = hipify::get_error_name(given)[0];
}

const char* on_the_host(error given) { return hipify::get_error_string(given); }
