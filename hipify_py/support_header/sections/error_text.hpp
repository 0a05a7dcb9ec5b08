// cudaGetErrorName and cudaGetErrorString in device code, where HIP's runtime has no functions: on the device both give
// the enumerator's name.
// Source: CUDA device runtime (cuda_device_runtime_api.h); HIP header hip_runtime_api.h, hipError_t.
namespace hipify {

#if defined(__NVCC__)
__host__ __device__ inline const char* get_error_name(cudaError_t error) { return cudaGetErrorName(error); }
__host__ __device__ inline const char* get_error_string(cudaError_t error) { return cudaGetErrorString(error); }
#elif defined(__HIPCC__)
__device__ inline const char* device_error_name(hipError_t error) {
    switch (error) {
#define HIPIFY_ERROR(name) \
    case name:             \
        return #name;
        HIPIFY_ERROR(hipSuccess)
        HIPIFY_ERROR(hipErrorInvalidValue)
        HIPIFY_ERROR(hipErrorOutOfMemory)
        HIPIFY_ERROR(hipErrorNotInitialized)
        HIPIFY_ERROR(hipErrorDeinitialized)
        HIPIFY_ERROR(hipErrorProfilerDisabled)
        HIPIFY_ERROR(hipErrorProfilerNotInitialized)
        HIPIFY_ERROR(hipErrorProfilerAlreadyStarted)
        HIPIFY_ERROR(hipErrorProfilerAlreadyStopped)
        HIPIFY_ERROR(hipErrorInvalidConfiguration)
        HIPIFY_ERROR(hipErrorInvalidPitchValue)
        HIPIFY_ERROR(hipErrorInvalidSymbol)
        HIPIFY_ERROR(hipErrorInvalidDevicePointer)
        HIPIFY_ERROR(hipErrorInvalidMemcpyDirection)
        HIPIFY_ERROR(hipErrorInsufficientDriver)
        HIPIFY_ERROR(hipErrorMissingConfiguration)
        HIPIFY_ERROR(hipErrorPriorLaunchFailure)
        HIPIFY_ERROR(hipErrorInvalidDeviceFunction)
        HIPIFY_ERROR(hipErrorNoDevice)
        HIPIFY_ERROR(hipErrorInvalidDevice)
        HIPIFY_ERROR(hipErrorInvalidImage)
        HIPIFY_ERROR(hipErrorInvalidContext)
        HIPIFY_ERROR(hipErrorContextAlreadyCurrent)
        HIPIFY_ERROR(hipErrorMapFailed)
        HIPIFY_ERROR(hipErrorUnmapFailed)
        HIPIFY_ERROR(hipErrorArrayIsMapped)
        HIPIFY_ERROR(hipErrorAlreadyMapped)
        HIPIFY_ERROR(hipErrorNoBinaryForGpu)
        HIPIFY_ERROR(hipErrorAlreadyAcquired)
        HIPIFY_ERROR(hipErrorNotMapped)
        HIPIFY_ERROR(hipErrorNotMappedAsArray)
        HIPIFY_ERROR(hipErrorNotMappedAsPointer)
        HIPIFY_ERROR(hipErrorECCNotCorrectable)
        HIPIFY_ERROR(hipErrorUnsupportedLimit)
        HIPIFY_ERROR(hipErrorContextAlreadyInUse)
        HIPIFY_ERROR(hipErrorPeerAccessUnsupported)
        HIPIFY_ERROR(hipErrorInvalidKernelFile)
        HIPIFY_ERROR(hipErrorInvalidGraphicsContext)
        HIPIFY_ERROR(hipErrorInvalidSource)
        HIPIFY_ERROR(hipErrorFileNotFound)
        HIPIFY_ERROR(hipErrorSharedObjectSymbolNotFound)
        HIPIFY_ERROR(hipErrorSharedObjectInitFailed)
        HIPIFY_ERROR(hipErrorOperatingSystem)
        HIPIFY_ERROR(hipErrorInvalidHandle)
        HIPIFY_ERROR(hipErrorIllegalState)
        HIPIFY_ERROR(hipErrorNotFound)
        HIPIFY_ERROR(hipErrorNotReady)
        HIPIFY_ERROR(hipErrorIllegalAddress)
        HIPIFY_ERROR(hipErrorLaunchOutOfResources)
        HIPIFY_ERROR(hipErrorLaunchTimeOut)
        HIPIFY_ERROR(hipErrorPeerAccessAlreadyEnabled)
        HIPIFY_ERROR(hipErrorPeerAccessNotEnabled)
        HIPIFY_ERROR(hipErrorSetOnActiveProcess)
        HIPIFY_ERROR(hipErrorContextIsDestroyed)
        HIPIFY_ERROR(hipErrorAssert)
        HIPIFY_ERROR(hipErrorHostMemoryAlreadyRegistered)
        HIPIFY_ERROR(hipErrorHostMemoryNotRegistered)
        HIPIFY_ERROR(hipErrorLaunchFailure)
        HIPIFY_ERROR(hipErrorCooperativeLaunchTooLarge)
        HIPIFY_ERROR(hipErrorNotSupported)
        HIPIFY_ERROR(hipErrorStreamCaptureUnsupported)
        HIPIFY_ERROR(hipErrorStreamCaptureInvalidated)
        HIPIFY_ERROR(hipErrorStreamCaptureMerge)
        HIPIFY_ERROR(hipErrorStreamCaptureUnmatched)
        HIPIFY_ERROR(hipErrorStreamCaptureUnjoined)
        HIPIFY_ERROR(hipErrorStreamCaptureIsolation)
        HIPIFY_ERROR(hipErrorStreamCaptureImplicit)
        HIPIFY_ERROR(hipErrorCapturedEvent)
        HIPIFY_ERROR(hipErrorStreamCaptureWrongThread)
        HIPIFY_ERROR(hipErrorGraphExecUpdateFailure)
        HIPIFY_ERROR(hipErrorUnknown)
#undef HIPIFY_ERROR
    default:
        return "hipErrorUnknown";
    }
}

__host__ __device__ inline const char* get_error_name(hipError_t error) {
#if defined(__HIP_DEVICE_COMPILE__)
    return device_error_name(error);
#else
    return hipGetErrorName(error);
#endif
}

__host__ __device__ inline const char* get_error_string(hipError_t error) {
#if defined(__HIP_DEVICE_COMPILE__)
    return device_error_name(error);
#else
    return hipGetErrorString(error);
#endif
}
#else
inline const char* get_error_name(hipError_t error) { return hipGetErrorName(error); }
inline const char* get_error_string(hipError_t error) { return hipGetErrorString(error); }
#endif

}  // namespace hipify
