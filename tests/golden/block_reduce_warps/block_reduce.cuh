#ifndef BLOCK_REDUCE_CUH
#define BLOCK_REDUCE_CUH

// Sum over the thread block: each warp on its own, then the first warp over the warps' sums.
#include <hip/hip_runtime.h>

template <typename T>
__inline__ __device__ T warpReduceSum(T val)
{
    #pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1)
        val += __shfl_down(val, offset, 32);
    return val;
}

template <typename T>
__inline__ __device__ T blockReduceSum(T val)
{
    static __shared__ T shared[32];
    int lane = threadIdx.x & 0x1f;
    int wid = threadIdx.x >> 5;

    val = warpReduceSum(val);
    if (lane == 0)
        shared[wid] = val;
    __syncthreads();

    // only the warps that exist count
    val = (threadIdx.x < blockDim.x / 32.f) ? shared[lane] : (T)0;
    if (wid == 0)
        val = warpReduceSum(val);
    return val;
}

#endif
