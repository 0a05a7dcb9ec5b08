#include "hipify_support.hpp"

struct Block {
    __device__ unsigned thread_rank() const { return threadIdx.x; }
    __device__ unsigned size() const { return blockDim.x; }
    __device__ void sync() const { __syncthreads(); }
};

__global__ void use(float* out, const float* in) {
    __shared__ float shared[256];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ hipify::pipeline_shared_state<hipify::thread_scope_block, 2> state;
    auto stages = hipify::make_pipeline(Block(), &state);
    stages.producer_acquire();
    hipify::memcpy_async(Block(), shared, in, sizeof(float) * blockDim.x, stages);
    stages.producer_commit();
    stages.consumer_wait();
    out[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
    stages.consumer_release();
    hipify::pipeline<hipify::thread_scope_thread> own = hipify::make_pipeline();
    own.producer_acquire();
    hipify::memcpy_async(shared + threadIdx.x, in + threadIdx.x, sizeof(float), own);
    own.producer_commit();
    hipify::pipeline_consumer_wait_prior<0>(own);
    own.consumer_release();
}
