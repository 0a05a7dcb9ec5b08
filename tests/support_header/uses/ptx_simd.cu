#include "hipify_support.hpp"

__global__ void use(unsigned* out, unsigned a, unsigned b) {
    out[0] = hipify::packed<4, unsigned, unsigned, unsigned>(hipify::packed_add(), a, b);
    out[1] = hipify::packed_saturated<2, int, int, int>(hipify::packed_sub(), a, b);
    out[2] = hipify::packed_sum<4, unsigned, unsigned>(hipify::packed_absdiff(), a, b, 1);
}
