#include "hipify_support.hpp"

template <typename T>
__device__ void copy(T* to, const T* from) {
    hipify::store_streaming(to, hipify::load_streaming(from));
}

__global__ void use(float4* f, double2* d, char* c, short2* s, unsigned long long* u, uchar4* v, float3* t) {
    copy(f, f + 1);
    copy(d, d + 1);
    copy(c, c + 1);
    copy(s, s + 1);
    copy(u, u + 1);
    copy(v, v + 1);
#if !defined(__NVCC__)
    copy(t, t + 1);
#endif
    hipify::store_streaming(u, 3);
}
