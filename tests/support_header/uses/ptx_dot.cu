#include "hipify_support.hpp"

__global__ void use(unsigned* out, unsigned a, unsigned b) {
    out[0] = hipify::dp4a<int, unsigned>(a, b, 1) + hipify::dp2a_lo<int, int>(a, b, 1);
    out[1] = hipify::dp2a_hi<unsigned, unsigned>(a, b, 1);
}
