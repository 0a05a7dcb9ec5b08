#pragma once
// What changed from one CUDA to the next, in one place.
#include <cuda.h>
#include <cuda_runtime_api.h>

#if defined(CUDA_VERSION) && CUDA_VERSION < 9000
#error "this code wants CUDA 9 or newer"
#endif

#if !defined(CUDART_VERSION)
#error "CUDART_VERSION is not defined"
#endif

#if CUDART_VERSION >= 11020
#define HAVE_ASYNC_ALLOC 1
#endif

#if CUDA_VERSION >= 10000
#define HAVE_GRAPHS 1
#else
#define HAVE_GRAPHS 0
#endif

// The capture mode became an argument with CUDA 10.1.
inline cudaError_t begin_capture(cudaStream_t stream)
{
#if CUDART_VERSION >= 10010
    return cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
#else
    return cudaStreamBeginCapture(stream);
#endif
}

inline cudaError_t instantiate(cudaGraphExec_t* exec, cudaGraph_t graph)
{
#if CUDART_VERSION >= 12000
    return cudaGraphInstantiate(exec, graph, 0);
#else
    return cudaGraphInstantiate(exec, graph, nullptr, nullptr, 0);
#endif
}

inline cudaError_t allocate(void** p, size_t bytes, cudaStream_t stream)
{
#ifdef HAVE_ASYNC_ALLOC
    return cudaMallocAsync(p, bytes, stream);
#else
    (void)stream;
    return cudaMalloc(p, bytes);
#endif
}

inline cudaError_t release(void* p, cudaStream_t stream)
{
#ifdef HAVE_ASYNC_ALLOC
    return cudaFreeAsync(p, stream);
#else
    (void)stream;
    return cudaFree(p);
#endif
}
