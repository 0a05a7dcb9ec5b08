// What no table tells: the macros of HIP's own, and calls whose forms CUDA has changed.
#define __HIP_PLATFORM_NVIDIA__ 1
#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH)
// The macros of HIP's compiler stay undefined, so that nvcc skips branches for AMD GPUs; sources that `convert --dual`
// wrote ask for nvcc as well. Those converted without --dual ask for HIP's compiler alone and need -DHIPIFY_AS_HIPCC.
// defines: __HIP__ __HIPCC__ __HIPCC_RTC__ __HIP_DEVICE_COMPILE__
#if defined(HIPIFY_AS_HIPCC)
#if defined(__CUDACC__)
#define __HIPCC__ 1
#endif
#if defined(__CUDACC_RTC__)
#define __HIPCC_RTC__ 1
#endif
#if defined(__CUDA_ARCH__)
#define __HIP_DEVICE_COMPILE__ 1
#endif
#endif
// defines: HIP_API_PER_THREAD_DEFAULT_STREAM
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) && !defined(HIP_API_PER_THREAD_DEFAULT_STREAM)
#define HIP_API_PER_THREAD_DEFAULT_STREAM 1
#endif

#define HIP_SYMBOL(x) x
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, var) extern __shared__ type var[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE
#define HIP_LAUNCH_PARAM_BUFFER_POINTER CU_LAUNCH_PARAM_BUFFER_POINTER
#define HIP_LAUNCH_PARAM_BUFFER_SIZE CU_LAUNCH_PARAM_BUFFER_SIZE
#define HIP_LAUNCH_PARAM_END CU_LAUNCH_PARAM_END
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) \
    kernel<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__)

#if defined(__cplusplus)
// One name for cudaMallocHost and cudaHostAlloc, with flags or without.
#define hipHostMalloc cudaMallocHost
#define hipHostMallocDefault cudaHostAllocDefault
#define hipHostMallocPortable cudaHostAllocPortable
#define hipHostMallocMapped cudaHostAllocMapped
#define hipHostMallocWriteCombined cudaHostAllocWriteCombined

static inline cudaMemLocation hipify_location(int device) {
    cudaMemLocation location;
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return location;
}
// defines: hipGraphAddDependencies hipGraphRemoveDependencies hipGraphGetEdges hipGraphAddNode
// defines: hipGraphNodeGetDependencies hipGraphNodeGetDependentNodes
// defines: hipStreamUpdateCaptureDependencies hipStreamGetCaptureInfo hipStreamGetCaptureInfo_v2
#if CUDART_VERSION >= 13000  // edges carry data: without, they are plain dependencies, as HIP's are
#define HIPIFY_PLAIN_EDGES nullptr,
#else
#define HIPIFY_PLAIN_EDGES
#endif
static inline cudaError_t hipGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                  const cudaGraphNode_t *to, size_t count) {
    return cudaGraphAddDependencies(graph, from, to, HIPIFY_PLAIN_EDGES count);
}
static inline cudaError_t hipGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                     const cudaGraphNode_t *to, size_t count) {
    return cudaGraphRemoveDependencies(graph, from, to, HIPIFY_PLAIN_EDGES count);
}
static inline cudaError_t hipGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                           size_t *count) {
    return cudaGraphGetEdges(graph, from, to, HIPIFY_PLAIN_EDGES count);
}
static inline cudaError_t hipGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *before, size_t *count) {
    return cudaGraphNodeGetDependencies(node, before, HIPIFY_PLAIN_EDGES count);
}
static inline cudaError_t hipGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *after, size_t *count) {
    return cudaGraphNodeGetDependentNodes(node, after, HIPIFY_PLAIN_EDGES count);
}
static inline cudaError_t hipStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes, size_t count,
                                                             unsigned int flags = 0) {
    return cudaStreamUpdateCaptureDependencies(stream, nodes, HIPIFY_PLAIN_EDGES count, flags);
}
#if CUDART_VERSION >= 12020
static inline cudaError_t hipGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                                          size_t count, cudaGraphNodeParams *parameters) {
    return cudaGraphAddNode(node, graph, before, HIPIFY_PLAIN_EDGES count, parameters);
}
#endif
static inline cudaError_t hipStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                                     unsigned long long *id = nullptr, cudaGraph_t *graph = nullptr,
                                                     const cudaGraphNode_t **nodes = nullptr, size_t *count = nullptr) {
#if CUDART_VERSION >= 13000
    return cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, nullptr, count);
#elif CUDART_VERSION >= 12000
    return cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, count);
#else
    return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, nodes, count);
#endif
}
static inline cudaError_t hipStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                                  unsigned long long *id) {
    return hipStreamGetCaptureInfo_v2(stream, status, id);
}
#undef HIPIFY_PLAIN_EDGES

// What fails is told by an index that CUDA 13 no longer gives: -1 stands for none in particular.
// defines: hipMemcpyBatchAsync hipMemcpy3DBatchAsync
#if CUDART_VERSION >= 12080
static inline cudaError_t hipMemcpyBatchAsync(void **to, void **from, size_t *bytes, size_t count,
                                              cudaMemcpyAttributes *attributes, size_t *indices, size_t attribute_count,
                                              size_t *failed, cudaStream_t stream = nullptr) {
#if CUDART_VERSION >= 13000
    if (failed) *failed = static_cast<size_t>(-1);
    return cudaMemcpyBatchAsync(to, from, bytes, count, attributes, indices, attribute_count, stream);
#else
    return cudaMemcpyBatchAsync(to, from, bytes, count, attributes, indices, attribute_count, failed, stream);
#endif
}
static inline cudaError_t hipMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp *copies, size_t *failed,
                                                unsigned long long flags, cudaStream_t stream = nullptr) {
#if CUDART_VERSION >= 13000
    if (failed) *failed = static_cast<size_t>(-1);
    return cudaMemcpy3DBatchAsync(count, copies, flags, stream);
#else
    return cudaMemcpy3DBatchAsync(count, copies, failed, flags, stream);
#endif
}
#endif

// The functions of the default stream that each thread has for itself: CUDA declares its own for whole programs alone
// (--default-stream per-thread), so these name that stream.
static inline cudaStream_t hipify_per_thread(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }
static inline cudaError_t hipify_after(cudaError_t status) {
    return status == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : status;
}
// defines: hipEventRecord_spt hipGraphLaunch_spt hipLaunchKernel_spt hipLaunchCooperativeKernel_spt
// defines: hipLaunchHostFunc_spt hipStreamAddCallback_spt hipStreamBeginCapture_spt hipStreamEndCapture_spt
// defines: hipStreamGetFlags_spt hipStreamGetPriority_spt hipStreamIsCapturing_spt hipStreamQuery_spt
// defines: hipStreamSynchronize_spt hipStreamWaitEvent_spt hipStreamGetCaptureInfo_spt hipStreamGetCaptureInfo_v2_spt
// defines: hipMemcpyAsync_spt hipMemcpy_spt hipMemcpy2DAsync_spt hipMemcpy2D_spt hipMemcpy2DFromArrayAsync_spt
// defines: hipMemcpy2DFromArray_spt hipMemcpy2DToArrayAsync_spt hipMemcpy2DToArray_spt hipMemcpy3DAsync_spt
// defines: hipMemcpy3D_spt hipMemcpyFromArray_spt hipMemcpyFromSymbolAsync_spt hipMemcpyFromSymbol_spt
// defines: hipMemcpyToSymbolAsync_spt hipMemcpyToSymbol_spt hipMemsetAsync_spt hipMemset_spt hipMemset2DAsync_spt
// defines: hipMemset2D_spt hipMemset3DAsync_spt hipMemset3D_spt
static inline cudaError_t hipEventRecord_spt(cudaEvent_t event, cudaStream_t stream = cudaStreamPerThread) {
    return cudaEventRecord(event, hipify_per_thread(stream));
}
static inline cudaError_t hipGraphLaunch_spt(cudaGraphExec_t graph, cudaStream_t stream) {
    return cudaGraphLaunch(graph, hipify_per_thread(stream));
}
static inline cudaError_t hipLaunchKernel_spt(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                              size_t shared, cudaStream_t stream = cudaStreamPerThread) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, hipify_per_thread(stream));
}
static inline cudaError_t hipLaunchCooperativeKernel_spt(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                                         size_t shared, cudaStream_t stream = cudaStreamPerThread) {
    return cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared, hipify_per_thread(stream));
}
static inline cudaError_t hipLaunchHostFunc_spt(cudaStream_t stream, cudaHostFn_t function, void *data) {
    return cudaLaunchHostFunc(hipify_per_thread(stream), function, data);
}
static inline cudaError_t hipStreamAddCallback_spt(cudaStream_t stream, cudaStreamCallback_t function, void *data,
                                                   unsigned int flags) {
    return cudaStreamAddCallback(hipify_per_thread(stream), function, data, flags);
}
static inline cudaError_t hipStreamBeginCapture_spt(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return cudaStreamBeginCapture(hipify_per_thread(stream), mode);
}
static inline cudaError_t hipStreamEndCapture_spt(cudaStream_t stream, cudaGraph_t *graph) {
    return cudaStreamEndCapture(hipify_per_thread(stream), graph);
}
static inline cudaError_t hipStreamGetFlags_spt(cudaStream_t stream, unsigned int *flags) {
    return cudaStreamGetFlags(hipify_per_thread(stream), flags);
}
static inline cudaError_t hipStreamGetPriority_spt(cudaStream_t stream, int *priority) {
    return cudaStreamGetPriority(hipify_per_thread(stream), priority);
}
static inline cudaError_t hipStreamIsCapturing_spt(cudaStream_t stream, cudaStreamCaptureStatus *status) {
    return cudaStreamIsCapturing(hipify_per_thread(stream), status);
}
static inline cudaError_t hipStreamQuery_spt(cudaStream_t stream) {
    return cudaStreamQuery(hipify_per_thread(stream));
}
static inline cudaError_t hipStreamSynchronize_spt(cudaStream_t stream) {
    return cudaStreamSynchronize(hipify_per_thread(stream));
}
static inline cudaError_t hipStreamWaitEvent_spt(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0) {
    return cudaStreamWaitEvent(hipify_per_thread(stream), event, flags);
}
static inline cudaError_t hipStreamGetCaptureInfo_spt(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                                      unsigned long long *id) {
    return hipStreamGetCaptureInfo(hipify_per_thread(stream), status, id);
}
static inline cudaError_t hipStreamGetCaptureInfo_v2_spt(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                                         unsigned long long *id = nullptr,
                                                         cudaGraph_t *graph = nullptr,
                                                         const cudaGraphNode_t **nodes = nullptr,
                                                         size_t *count = nullptr) {
    return hipStreamGetCaptureInfo_v2(hipify_per_thread(stream), status, id, graph, nodes, count);
}
static inline cudaError_t hipMemcpyAsync_spt(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                             cudaStream_t stream = cudaStreamPerThread) {
    return cudaMemcpyAsync(to, from, bytes, kind, hipify_per_thread(stream));
}
static inline cudaError_t hipMemcpy_spt(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    return hipify_after(cudaMemcpyAsync(to, from, bytes, kind, cudaStreamPerThread));
}
static inline cudaError_t hipMemcpy2DAsync_spt(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                               size_t width, size_t height, cudaMemcpyKind kind,
                                               cudaStream_t stream = cudaStreamPerThread) {
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, hipify_per_thread(stream));
}
static inline cudaError_t hipMemcpy2D_spt(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                          size_t height, cudaMemcpyKind kind) {
    return hipify_after(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, cudaStreamPerThread));
}
static inline cudaError_t hipMemcpy2DFromArrayAsync_spt(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                                        size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                                        cudaStream_t stream = cudaStreamPerThread) {
    return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, hipify_per_thread(stream));
}
static inline cudaError_t hipMemcpy2DFromArray_spt(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                                   size_t width, size_t height, cudaMemcpyKind kind) {
    return hipify_after(cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, cudaStreamPerThread));
}
static inline cudaError_t hipMemcpy2DToArrayAsync_spt(cudaArray_t to, size_t x, size_t y, const void *from,
                                                      size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                                      cudaStream_t stream = cudaStreamPerThread) {
    return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, hipify_per_thread(stream));
}
static inline cudaError_t hipMemcpy2DToArray_spt(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                                 size_t width, size_t height, cudaMemcpyKind kind) {
    return hipify_after(cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, cudaStreamPerThread));
}
static inline cudaError_t hipMemcpy3DAsync_spt(const cudaMemcpy3DParms *copy,
                                               cudaStream_t stream = cudaStreamPerThread) {
    return cudaMemcpy3DAsync(copy, hipify_per_thread(stream));
}
static inline cudaError_t hipMemcpy3D_spt(const cudaMemcpy3DParms *copy) {
    return hipify_after(cudaMemcpy3DAsync(copy, cudaStreamPerThread));
}
#define hipMemcpyFromArray_spt(to, from, x, y, bytes, kind) \
    hipify_after(cudaMemcpyFromArrayAsync(to, from, x, y, bytes, kind, cudaStreamPerThread))
template <typename Symbol>
static inline cudaError_t hipMemcpyFromSymbolAsync_spt(void *to, const Symbol &symbol, size_t bytes, size_t offset,
                                                       cudaMemcpyKind kind,
                                                       cudaStream_t stream = cudaStreamPerThread) {
    return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, hipify_per_thread(stream));
}
template <typename Symbol>
static inline cudaError_t hipMemcpyFromSymbol_spt(void *to, const Symbol &symbol, size_t bytes, size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return hipify_after(cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, cudaStreamPerThread));
}
template <typename Symbol>
static inline cudaError_t hipMemcpyToSymbolAsync_spt(const Symbol &symbol, const void *from, size_t bytes,
                                                     size_t offset, cudaMemcpyKind kind,
                                                     cudaStream_t stream = cudaStreamPerThread) {
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, hipify_per_thread(stream));
}
template <typename Symbol>
static inline cudaError_t hipMemcpyToSymbol_spt(const Symbol &symbol, const void *from, size_t bytes,
                                                size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return hipify_after(cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, cudaStreamPerThread));
}
static inline cudaError_t hipMemsetAsync_spt(void *at, int value, size_t bytes,
                                             cudaStream_t stream = cudaStreamPerThread) {
    return cudaMemsetAsync(at, value, bytes, hipify_per_thread(stream));
}
static inline cudaError_t hipMemset_spt(void *at, int value, size_t bytes) {
    return cudaMemsetAsync(at, value, bytes, cudaStreamPerThread);
}
static inline cudaError_t hipMemset2DAsync_spt(void *at, size_t pitch, int value, size_t width, size_t height,
                                               cudaStream_t stream = cudaStreamPerThread) {
    return cudaMemset2DAsync(at, pitch, value, width, height, hipify_per_thread(stream));
}
static inline cudaError_t hipMemset2D_spt(void *at, size_t pitch, int value, size_t width, size_t height) {
    return cudaMemset2DAsync(at, pitch, value, width, height, cudaStreamPerThread);
}
static inline cudaError_t hipMemset3DAsync_spt(cudaPitchedPtr at, int value, cudaExtent extent,
                                               cudaStream_t stream = cudaStreamPerThread) {
    return cudaMemset3DAsync(at, value, extent, hipify_per_thread(stream));
}
static inline cudaError_t hipMemset3D_spt(cudaPitchedPtr at, int value, cudaExtent extent) {
    return cudaMemset3DAsync(at, value, extent, cudaStreamPerThread);
}

// defines: hipMemPrefetchAsync hipMemPrefetchAsync_v2 hipMemAdvise hipMemAdvise_v2
static inline cudaError_t hipMemPrefetchAsync(const void *data, size_t bytes, int device, cudaStream_t stream = 0) {
#if CUDART_VERSION >= 13000
    return cudaMemPrefetchAsync(data, bytes, hipify_location(device), 0, stream);
#else
    return cudaMemPrefetchAsync(data, bytes, device, stream);
#endif
}
static inline cudaError_t hipMemAdvise(const void *data, size_t bytes, cudaMemoryAdvise advice, int device) {
#if CUDART_VERSION >= 13000
    return cudaMemAdvise(data, bytes, advice, hipify_location(device));
#else
    return cudaMemAdvise(data, bytes, advice, device);
#endif
}
#if CUDART_VERSION >= 13000
#define hipMemPrefetchAsync_v2 cudaMemPrefetchAsync
#define hipMemAdvise_v2 cudaMemAdvise
#else
#define hipMemPrefetchAsync_v2 cudaMemPrefetchAsync_v2
#define hipMemAdvise_v2 cudaMemAdvise_v2
#endif

// defines: hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags
template <typename Kernel>
static inline cudaError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, Kernel kernel, int threads, size_t shared, unsigned int flags = cudaOccupancyDefault) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, threads, shared, flags);
}
#endif
#define hipLibraryOption cudaLibraryOption
#define hipDeviceProp_tR0600 cudaDeviceProp
#define hipGetDevicePropertiesR0600 cudaGetDeviceProperties
#define hipChooseDeviceR0600 cudaChooseDevice
