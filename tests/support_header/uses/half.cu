#include "hipify_support.hpp"

template <class T>
__global__ void use(T* t, __half2* h2) {
    t[0] = hipify::atomic_add(&t[1], t[2]);
    t[3] = hipify::hfma_relu(t[0], t[1], t[2]);
    h2[0] = hipify::hmax2_nan(h2[0], hipify::hmin2_nan(h2[1], h2[2]));
    h2[3] = hipify::hfma2_relu(h2[0], h2[1], h2[2]);
}
template __global__ void use<__half>(__half*, __half2*);
#if defined(__NVCC__)
template __global__ void use<__nv_bfloat16>(__nv_bfloat16*, __half2*);
#else
template __global__ void use<__hip_bfloat16>(__hip_bfloat16*, __half2*);
#endif

template <class T>
__device__ void add(T* to, const T* from) {
    to[0] = hipify::atomic_add(to + 1, from[0]);
}
__global__ void add_all(__half* h, __half2* h2, float* f, int* i, unsigned long long* l) {
    __shared__ __half local[2];
    add(h, h);
    add(h2, h2);
    add(f, f);
    add(i, i);
    add(l, l);
    hipify::atomic_add(&local[1], 1.0f);
    hipify::atomic_add(f, 1);
}
