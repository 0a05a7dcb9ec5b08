#include "hipify_support.hpp"

template <class One, class Two, class Four>
__device__ void use_types(float* f, __half* h, double* d, int* i, hipify::bfloat16* b, float4* f4, __half2* h2) {
    One one(f[0]);
    One others[] = {One(h[0]), One(d[0]), One(i[0]), One(b[0])};
    one.__x ^= others[i[1] & 3].__x;
    f[0] = static_cast<float>(one) + static_cast<double>(one) + static_cast<int>(one) + static_cast<bool>(one);
    h[0] = static_cast<__half>(one);
    b[0] = static_cast<hipify::bfloat16>(one);
    Two two(make_float2(f[0], f[1]));
    h2[0] = static_cast<__half2>(two);
    f[2] = static_cast<float2>(Two(h2[1])).x + static_cast<float2>(Two(make_double2(d[0], d[1]))).y;
    f4[0] = static_cast<float4>(Four(f4[0]));
    f4[1] = static_cast<float4>(Four(h2[0], h2[1]));
}

__global__ void use(float* f, __half* h, double* d, int* i, hipify::bfloat16* b, float4* f4, __half2* h2) {
    use_types<hipify::fp8_e4m3, hipify::fp8x2_e4m3, hipify::fp8x4_e4m3>(f, h, d, i, b, f4, h2);
    use_types<hipify::fp8_e5m2, hipify::fp8x2_e5m2, hipify::fp8x4_e5m2>(f, h, d, i, b, f4, h2);
    i[2] = hipify::cvt_float_to_fp8(f[3], hipify::saturated, hipify::e4m3);
}

int main() { return static_cast<float>(hipify::fp8_e4m3(448.0)) == 448.0f ? 0 : 1; }
