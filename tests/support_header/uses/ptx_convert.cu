#include "hipify_support.hpp"

__global__ void use(signed char* out, float x, long long y) {
    out[0] = hipify::saturate<signed char>(hipify::float2int_rni(x));
    out[1] = static_cast<signed char>(hipify::saturate<unsigned char>(y));
}
