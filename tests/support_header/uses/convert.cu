#include "hipify_support.hpp"

#if defined(__NVCC__)
using bfloat16 = __nv_bfloat16;
#else
using bfloat16 = __hip_bfloat16;
#endif

__global__ void use(__half* h, bfloat16* b, float* f) {
    h[0] = hipify::convert<__half>(b[0]);
    b[1] = hipify::convert<bfloat16>(h[1]);
    h[2] = hipify::convert<__half>(h[3]);
    f[0] = hipify::convert<float>(b[2]);
    f[1] = hipify::convert<float>(3);
}
