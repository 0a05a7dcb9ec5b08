// What the host hears of a device whose warps the program keeps at 32 lanes.
// Source: HIP runtime API, hipDeviceGetAttribute, which stands for cudaDeviceGetAttribute and cuDeviceGetAttribute.
namespace hipify {
namespace warp32 {

/// hipDeviceGetAttribute, except that a warp has 32 lanes on every device.
#if defined(__NVCC__) && !defined(HIP_VERSION)
inline cudaError_t get_device_attribute(int* value, cudaDeviceAttr attribute, int device) {
    return cudaDeviceGetAttribute(value, attribute, device);
}
#else
inline hipError_t get_device_attribute(int* value, hipDeviceAttribute_t attribute, int device) {
    const hipError_t status = hipDeviceGetAttribute(value, attribute, device);
    if (status == hipSuccess && attribute == hipDeviceAttributeWarpSize) {
        *value = 32;
    }
    return status;
}
#endif

}  // namespace warp32
}  // namespace hipify
