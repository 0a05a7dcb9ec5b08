#include "hipify_support.hpp"

#if defined(__NVCC__)
#define hipSuccess cudaSuccess
#define hipDeviceAttributeWarpSize cudaDevAttrWarpSize
#define hipDeviceAttributeMaxThreadsPerBlock cudaDevAttrMaxThreadsPerBlock
#endif

int lanes_and_threads(int device) {
    int lanes = 0, threads = 0;
    if (hipify::warp32::get_device_attribute(&lanes, hipDeviceAttributeWarpSize, device) != hipSuccess ||
        hipify::warp32::get_device_attribute(&threads, hipDeviceAttributeMaxThreadsPerBlock, device) != hipSuccess) {
        return -1;
    }
    return lanes + threads;
}
