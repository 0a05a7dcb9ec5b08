#include "hipify_support.hpp"

#define ROUNDED(mode) \
    d[0] = hipify::dadd_##mode(d[1], d[2]) + hipify::dsub_##mode(d[1], d[2]) + hipify::dmul_##mode(d[1], d[2]); \
    d[3] = hipify::fma_##mode(d[1], d[2], d[3]) + hipify::ddiv_##mode(d[1], d[2]) + hipify::drcp_##mode(d[1]); \
    d[4] = hipify::dsqrt_##mode(d[4]); \
    f[0] = hipify::fdiv_##mode(f[1], f[2]) + hipify::frcp_##mode(f[1]) + hipify::fsqrt_##mode(f[2]);

__global__ void use(double* d, float* f) {
    ROUNDED(rd)
    ROUNDED(ru)
    ROUNDED(rz)
}
