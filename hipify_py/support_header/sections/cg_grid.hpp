// Members of grid_group (and dim_threads, thread_index of thread_block) that HIP lacks, as functions of the group.
// Source: CUDA programming guide, cooperative groups, grid groups. HIP's grid_group::group_dim() is blockDim, not gridDim.
#if defined(HIPIFY_HAS_DEVICE_CODE)
#if defined(__NVCC__)
#include <cooperative_groups.h>
#elif !defined(__HIPCC_RTC__)  // hipRTC has it built in
#include <hip/hip_cooperative_groups.h>
#endif

namespace hipify {

/// grid_group::dim_blocks
__device__ inline dim3 dim_blocks(const cooperative_groups::grid_group&) {
    return dim3(gridDim.x, gridDim.y, gridDim.z);
}
/// grid_group::num_blocks
__device__ inline unsigned long long num_blocks(const cooperative_groups::grid_group&) {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
}
/// grid_group::block_index
__device__ inline dim3 block_index(const cooperative_groups::grid_group&) {
    return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
}
/// grid_group::block_rank
__device__ inline unsigned long long block_rank(const cooperative_groups::grid_group&) {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
/// grid_group::dim_threads
__device__ inline dim3 dim_threads(const cooperative_groups::grid_group&) {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
}
/// thread_block::dim_threads
__device__ inline dim3 dim_threads(const cooperative_groups::thread_block&) {
    return dim3(blockDim.x, blockDim.y, blockDim.z);
}
/// grid_group::thread_index
__device__ inline dim3 thread_index(const cooperative_groups::grid_group&) {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
}
/// thread_block::thread_index
__device__ inline dim3 thread_index(const cooperative_groups::thread_block&) {
    return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
}

}  // namespace hipify
#endif
