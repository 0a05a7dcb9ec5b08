// The runtime of either compiler. The header is also for sources that g++ compiles: they see no device code.
#if defined(__NVCC__)
#include <cuda_runtime.h>
#elif !defined(__HIPCC_RTC__)  // hipRTC has it built in
#include <hip/hip_runtime.h>
#endif

#if defined(__HIPCC__) || defined(__HIP__) || defined(__CUDACC__)
#define HIPIFY_HAS_DEVICE_CODE 1
#endif
