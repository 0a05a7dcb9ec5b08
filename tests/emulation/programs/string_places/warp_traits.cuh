#pragma once
#include <cuda_runtime.h>
#include <cstdint>

namespace device {
template <int LogLanes> struct WarpTraits {
    static constexpr int kLanes = 1 << LogLanes;
    using Mask = uint32_t;
    static constexpr Mask kAll = static_cast<Mask>(-1);
};
using Warp = WarpTraits<5>;

template <typename W = Warp> __device__ inline int lane() { return threadIdx.x & (W::kLanes - 1); }
template <typename W = Warp> __device__ inline int warp_index() { return threadIdx.x / W::kLanes; }

template <typename T, typename W = Warp> __device__ inline T broadcast(T v, int source = W::kLanes - 1) {
    return __shfl_sync(W::kAll, v, source, W::kLanes);
}
template <typename T, typename W = Warp> __device__ inline T prefix_sum(T v) {
    for (int d = 1; d < W::kLanes; d += d) {
        const T o = __shfl_up_sync(W::kAll, v, d, W::kLanes);
        if (lane<W>() >= d) v += o;
    }
    return v;
}
template <typename W = Warp> __device__ inline typename W::Mask votes(bool p) { return __ballot_sync(W::kAll, p); }
}  // namespace device
