#pragma once
#include "macros.h"
namespace native {
constexpr int kWarpReduceWidth = C10_WARP_SIZE;
struct Block1D {
    static __device__ int Tid() { return threadIdx.x; }
    static __device__ int Warps() { return blockDim.x / C10_WARP_SIZE; }
};
template <typename T, class ReduceOp> __inline__ __device__ T WarpReduce(T val, const ReduceOp &op) {
#pragma unroll
    for (int offset = (C10_WARP_SIZE >> 1); offset > 0; offset >>= 1) val = op.combine(val, op.warp_shfl_down(val, offset));
    return val;
}
template <typename T, class ReduceOp, typename B = Block1D>
__inline__ __device__ T BlockReduce(T val, const ReduceOp &op, const T &identity, T *shared) {
    const int lid = B::Tid() % C10_WARP_SIZE, wid = B::Tid() / C10_WARP_SIZE;
    val = WarpReduce(val, op);
    __syncthreads();
    if (lid == 0) shared[wid] = val;
    __syncthreads();
    val = (B::Tid() < B::Warps()) ? shared[lid] : identity;
    if (wid == 0) val = WarpReduce(val, op);
    return val;
}
}  // namespace native
