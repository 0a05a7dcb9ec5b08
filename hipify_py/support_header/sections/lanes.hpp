// Lane masks and the wavefront's width: 64 lanes on gfx9 (CDNA, GCN), 32 on gfx10 and newer (RDNA) and in CUDA.
namespace hipify {

/// A set of lanes. CUDA's masks have 32 bits; HIP's `_sync` built-ins take 64 whatever the width.
#if defined(__NVCC__)
using lane_mask = unsigned int;
#else
using lane_mask = unsigned long long;
#endif

/// All lanes that a wavefront can have.
constexpr lane_mask all_lanes = ~lane_mask(0);

/// Lanes of a wavefront as a constant: exact in device code; in host code, where the GPU is not known while
/// compiling, the most that there can be, for sizes of arrays and the like (`hipDeviceProp_t::warpSize` is exact).
#if defined(__NVCC__)
constexpr int warp_size = 32;
#elif defined(__HIP_DEVICE_COMPILE__) && !defined(__GFX9__) && !defined(__GFX8__)
constexpr int warp_size = 32;
#else
constexpr int warp_size = 64;
#endif

}  // namespace hipify
