#include "hipify_support.hpp"

__global__ void use(hipify::lane_mask* masks) {
    __shared__ float partial[1024 / hipify::warp_size];
    partial[threadIdx.x / hipify::warp_size] = 0;
    masks[threadIdx.x] = hipify::all_lanes >> (sizeof(hipify::lane_mask) * 8 - hipify::warp_size);
}
