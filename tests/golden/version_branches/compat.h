#pragma once
// What changed from one CUDA to the next, in one place.
#include <hip/hip_runtime.h>
#include <hip/hip_runtime_api.h>

#if 0 /* defined(CUDA_VERSION) && CUDA_VERSION < 9000 */
#error "this code wants CUDA 9 or newer"
#endif

#if !defined(HIP_VERSION)
#error "CUDART_VERSION is not defined"
#endif

#if HIP_VERSION >= 11020
#define HAVE_ASYNC_ALLOC 1
#endif

#if HIP_VERSION >= 10000
#define HAVE_GRAPHS 1
#else
#define HAVE_GRAPHS 0
#endif

// The capture mode became an argument with CUDA 10.1.
inline hipError_t begin_capture(hipStream_t stream)
{
#if HIP_VERSION >= 10010
    return hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal);
#else
    return hipStreamBeginCapture(stream);
#endif
}

inline hipError_t instantiate(hipGraphExec_t* exec, hipGraph_t graph)
{
#if HIP_VERSION >= 12000
    return hipGraphInstantiateWithFlags(exec, graph, 0);
#else
    return hipGraphInstantiate(exec, graph, nullptr, nullptr, 0);
#endif
}

inline hipError_t allocate(void** p, size_t bytes, hipStream_t stream)
{
#ifdef HAVE_ASYNC_ALLOC
    return hipMallocAsync(p, bytes, stream);
#else
    (void)stream;
    return hipMalloc(p, bytes);
#endif
}

inline hipError_t release(void* p, hipStream_t stream)
{
#ifdef HAVE_ASYNC_ALLOC
    return hipFreeAsync(p, stream);
#else
    (void)stream;
    return hipFree(p);
#endif
}
