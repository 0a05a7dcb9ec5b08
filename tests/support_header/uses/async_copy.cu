#include "hipify_support.hpp"

__global__ void use(float4* out, const float4* in, const char* bytes, int count) {
    __shared__ float4 shared[256];
    struct Group {
        __device__ unsigned thread_rank() const { return threadIdx.x; }
        __device__ unsigned size() const { return blockDim.x; }
        __device__ void sync() const { __syncthreads(); }
    } block;
    int stages = 0;
    hipify::memcpy_async(block, shared, in, sizeof(float4) * count);
    hipify::memcpy_async(block, shared, in, hipify::aligned_size_t<16>(64));
    hipify::memcpy_async(block, shared, 256, in, count);
    hipify::memcpy_async(block, reinterpret_cast<char*>(shared), bytes, 3, stages);
    hipify::memcpy_async(shared + threadIdx.x, in + threadIdx.x, sizeof(float4), stages);
    hipify::pipeline_memcpy_async(shared, in, 16);
    hipify::pipeline_memcpy_async(shared, in, 16, 4);
    hipify::wait_prior<1>(block);
    out[threadIdx.x] = shared[threadIdx.x];
}
