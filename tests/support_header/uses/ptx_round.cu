#include "hipify_support.hpp"

__global__ void use(float* out, float a, float b) {
    out[0] = hipify::add_rz(a, b) + hipify::sub_rm(a, b) + hipify::mul_rp(a, b);
    out[1] = hipify::fma_rz(a, b, 1.0f) + hipify::fma_rm(a, b, 1.0f) + hipify::fma_rp(a, b, 1.0f);
}
