#include "hipify_support.hpp"

__global__ void use(const uint4* in, uint4* out, unsigned size) {
    __shared__ uint4 tile[64];
    hipify::copy_async<16>(&tile[threadIdx.x], &in[threadIdx.x]);
    hipify::copy_async<8>(&tile[threadIdx.x], &in[threadIdx.x], size);
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
