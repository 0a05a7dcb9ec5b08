#include "hipify_support.hpp"

__global__ void use(unsigned* out, unsigned a, unsigned b, float x) {
    out[0] = hipify::fma_f16x2(a, b, hipify::add_f16x2(a, b)) + hipify::pack_f16x2(x, 2 * x);
    out[1] = hipify::fma_bf16x2(a, b, hipify::mul_bf16x2(a, b)) + hipify::pack_bf16x2(x, 2 * x);
}
