#include "hipify_support.hpp"

__global__ void use(const float4* in, float4* out, const ulonglong2* wide, ulonglong2* to) {
    hipify::store_volatile(out, hipify::load_volatile(in));
    hipify::store_volatile(to, hipify::load_volatile(wide));
}
