// The part of HIP's runtime that small programs use. The device's memory is the host's, and nothing is asynchronous.
#pragma once
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <emulation/vectors.h>

enum hipError_t {
    hipSuccess = 0,
    hipErrorInvalidValue = 1,
    hipErrorOutOfMemory = 2,
    hipErrorInvalidConfiguration = 9,
    hipErrorInvalidDevice = 101,
    hipErrorNotReady = 600,
    hipErrorNotSupported = 801,
    hipErrorUnknown = 999,
};
enum hipMemcpyKind {
    hipMemcpyHostToHost,
    hipMemcpyHostToDevice,
    hipMemcpyDeviceToHost,
    hipMemcpyDeviceToDevice,
    hipMemcpyDefault,
};
enum hipDeviceAttribute_t {
    hipDeviceAttributeWarpSize,
    hipDeviceAttributeMultiprocessorCount,
    hipDeviceAttributeMaxThreadsPerBlock,
    hipDeviceAttributeMaxSharedMemoryPerBlock,
    hipDeviceAttributeCooperativeLaunch,
    hipDeviceAttributeComputeCapabilityMajor,
    hipDeviceAttributeComputeCapabilityMinor,
    hipDeviceAttributeClockRate,
};
enum hipMemoryType { hipMemoryTypeHost, hipMemoryTypeDevice };
struct hipPointerAttribute_t {
    hipMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};
enum hipLimit_t { hipLimitStackSize, hipLimitPrintfFifoSize, hipLimitMallocHeapSize };
struct hipDeviceProp_t {
    char name[256], gcnArchName[256];
    std::size_t totalGlobalMem, sharedMemPerBlock, totalConstMem;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, memoryClockRate,
        memoryBusWidth, major, minor, multiProcessorCount, maxThreadsPerMultiProcessor, cooperativeLaunch, l2CacheSize,
        integrated, canMapHostMemory, concurrentKernels, managedMemory;
};
struct EmulatedStream {};
struct EmulatedEvent {
    std::chrono::steady_clock::time_point at;
};
using hipStream_t = EmulatedStream*;
using hipEvent_t = EmulatedEvent*;
#define hipStreamNonBlocking 1
#define hipStreamDefault 0
#define hipEventDefault 0
#define hipEventDisableTiming 2
#define hipHostMallocDefault 0
#define hipMemAttachGlobal 1

namespace emulation {
inline hipError_t last_error = hipSuccess;
inline hipError_t remember(hipError_t error) {
    if (error != hipSuccess) last_error = error;
    return error;
}
inline bool can_launch(Extent grid, Extent block) {
    const std::uint64_t threads = std::uint64_t(block.x) * block.y * block.z;
    const bool possible = threads > 0 && threads <= 1024 && grid.x > 0 && grid.y > 0 && grid.z > 0;
    return remember(possible ? hipSuccess : hipErrorInvalidConfiguration) == hipSuccess;
}
template <typename... Parameters>
hipError_t launch_cooperative(void (*kernel)(Parameters...), Extent grid, Extent block, void** arguments,
                              std::size_t shared, hipStream_t) {
    if (!can_launch(grid, block)) return last_error;
    launch_packed(kernel, grid, block, shared, true, arguments, std::index_sequence_for<Parameters...>());
    return hipSuccess;
}
}  // namespace emulation

inline const char* hipGetErrorString(hipError_t error) { return error == hipSuccess ? "no error" : "emulated error"; }
inline const char* hipGetErrorName(hipError_t error) { return error == hipSuccess ? "hipSuccess" : "hipError"; }
inline hipError_t hipGetLastError() { return std::exchange(emulation::last_error, hipSuccess); }
inline hipError_t hipPeekAtLastError() { return emulation::last_error; }

// Launches.
template <typename... Parameters, typename... Arguments>
void hipLaunchKernelGGL(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared, hipStream_t,
                        Arguments&&... arguments) {
    if (emulation::can_launch(grid, block))
        emulation::launch(kernel, grid, block, shared, std::forward<Arguments>(arguments)...);
}
#define HIP_KERNEL_NAME(...) __VA_ARGS__
template <typename... Parameters>
hipError_t hipLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared = 0, hipStream_t stream = nullptr) {
    return emulation::launch_cooperative(kernel, grid, block, arguments, shared, stream);
}
template <typename... Parameters>
hipError_t hipLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                           std::size_t shared = 0, hipStream_t = nullptr) {
    if (!emulation::can_launch(grid, block)) return emulation::last_error;
    emulation::launch_packed(kernel, grid, block, shared, false, arguments, std::index_sequence_for<Parameters...>());
    return hipSuccess;
}
template <typename F>
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F, int, std::size_t) {
    *blocks = 2;
    return hipSuccess;
}
template <typename F>
hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, F, std::size_t = 0, int = 0) {
    *grid = 8;
    *block = 256;
    return hipSuccess;
}
template <typename F, typename A> hipError_t hipFuncSetAttribute(F, A, int) { return hipSuccess; }

// Memory. New memory holds no zeros, so that nobody relies on them.
template <typename T> hipError_t hipMalloc(T** address, std::size_t bytes) {
    void* memory = bytes ? std::malloc(bytes) : nullptr;
    if (bytes && !memory) return emulation::remember(hipErrorOutOfMemory);
    if (memory) std::memset(memory, 0xcd, bytes);
    *address = static_cast<T*>(memory);
    return hipSuccess;
}
/// Managed memory comes from the system, in pages of zeros.
template <typename T> hipError_t hipMallocManaged(T** address, std::size_t bytes, unsigned = 0) {
    const hipError_t status = hipMalloc(address, bytes);
    if (status == hipSuccess) std::memset(*address, 0, bytes);
    return status;
}
template <typename T> hipError_t hipHostMalloc(T** address, std::size_t bytes, unsigned = 0) {
    return hipMalloc(address, bytes);
}
template <typename T> hipError_t hipMallocAsync(T** address, std::size_t bytes, hipStream_t) {
    return hipMalloc(address, bytes);
}
inline hipError_t hipFree(void* memory) { return std::free(memory), hipSuccess; }
inline hipError_t hipHostFree(void* memory) { return hipFree(memory); }
inline hipError_t hipFreeAsync(void* memory, hipStream_t) { return hipFree(memory); }
inline hipError_t hipMemcpy(void* to, const void* from, std::size_t bytes, hipMemcpyKind) {
    return std::memmove(to, from, bytes), hipSuccess;
}
inline hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind,
                                 hipStream_t = nullptr) {
    return hipMemcpy(to, from, bytes, kind);
}
inline hipError_t hipMemset(void* to, int value, std::size_t bytes) {
    return std::memset(to, value, bytes), hipSuccess;
}
inline hipError_t hipMemsetAsync(void* to, int value, std::size_t bytes, hipStream_t = nullptr) {
    return hipMemset(to, value, bytes);
}
inline hipError_t hipMemGetInfo(std::size_t* free, std::size_t* total) {
    *free = *total = std::size_t(1) << 34;
    return hipSuccess;
}
inline hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* address) {
    void* const same = const_cast<void*>(address);
    *attributes = {hipMemoryTypeDevice, 0, same, same};
    return hipSuccess;
}
#define HIP_SYMBOL(variable) variable
template <typename T>
hipError_t hipMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                             hipMemcpyKind = hipMemcpyHostToDevice) {
    std::memcpy(reinterpret_cast<char*>(&symbol) + offset, from, bytes);
    return hipSuccess;
}
template <typename T>
hipError_t hipMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                               hipMemcpyKind = hipMemcpyDeviceToHost) {
    std::memcpy(to, reinterpret_cast<const char*>(&symbol) + offset, bytes);
    return hipSuccess;
}
template <typename T> hipError_t hipGetSymbolAddress(void** address, T& symbol) {
    *address = &symbol;
    return hipSuccess;
}

// The device, streams and events.
inline hipError_t hipDeviceSynchronize() { return hipSuccess; }
inline hipError_t hipDeviceReset() { return hipSuccess; }
inline hipError_t hipSetDevice(int device) {
    return emulation::remember(device == 0 ? hipSuccess : hipErrorInvalidDevice);
}
inline hipError_t hipGetDevice(int* device) { return *device = 0, hipSuccess; }
inline hipError_t hipGetDeviceCount(int* count) { return *count = 1, hipSuccess; }
inline hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int) {
    hipDeviceProp_t p{};
    std::strcpy(p.name, "emulation");
    std::strcpy(p.gcnArchName, emulation::lanes == 64 ? "gfx942" : "gfx1100");
    p.totalGlobalMem = std::size_t(1) << 34;
    p.sharedMemPerBlock = p.totalConstMem = 65536;
    p.regsPerBlock = 65536;
    p.warpSize = emulation::lanes;
    p.maxThreadsPerBlock = 1024;
    for (int i = 0; i < 3; ++i) p.maxThreadsDim[i] = 1024, p.maxGridSize[i] = 65535;
    p.maxGridSize[0] = 2147483647;
    p.clockRate = p.memoryClockRate = 1000000;
    p.memoryBusWidth = 4096;
    p.major = emulation::lanes == 64 ? 9 : 11;
    p.minor = emulation::lanes == 64 ? 4 : 0;
    p.multiProcessorCount = 4;
    p.maxThreadsPerMultiProcessor = 2048;
    p.cooperativeLaunch = p.canMapHostMemory = p.concurrentKernels = p.managedMemory = 1;
    p.l2CacheSize = 4 << 20;
    *properties = p;
    return hipSuccess;
}
inline hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int) {
    hipDeviceProp_t p;
    hipGetDeviceProperties(&p, 0);
    switch (attribute) {
        case hipDeviceAttributeWarpSize: *value = p.warpSize; break;
        case hipDeviceAttributeMultiprocessorCount: *value = p.multiProcessorCount; break;
        case hipDeviceAttributeMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
        case hipDeviceAttributeMaxSharedMemoryPerBlock: *value = static_cast<int>(p.sharedMemPerBlock); break;
        case hipDeviceAttributeCooperativeLaunch: *value = 1; break;
        case hipDeviceAttributeComputeCapabilityMajor: *value = p.major; break;
        case hipDeviceAttributeComputeCapabilityMinor: *value = p.minor; break;
        case hipDeviceAttributeClockRate: *value = p.clockRate; break;
    }
    return hipSuccess;
}
inline hipError_t hipDeviceGetPCIBusId(char* id, int bytes, int) {
    std::strncpy(id, "0000:00:00.0", static_cast<std::size_t>(bytes));
    return hipSuccess;
}
inline hipError_t hipDeviceGetByPCIBusId(int* device, const char*) { return *device = 0, hipSuccess; }
inline hipError_t hipDeviceCanAccessPeer(int* can, int, int) { return *can = 0, hipSuccess; }
inline hipError_t hipDeviceSetLimit(hipLimit_t, std::size_t) { return hipSuccess; }
inline hipError_t hipDeviceGetLimit(std::size_t* value, hipLimit_t) { return *value = 1 << 20, hipSuccess; }
inline hipError_t hipRuntimeGetVersion(int* version) { return *version = 70100000, hipSuccess; }
inline hipError_t hipDriverGetVersion(int* version) { return *version = 70100000, hipSuccess; }
inline hipError_t hipStreamCreate(hipStream_t* stream) { return *stream = new EmulatedStream, hipSuccess; }
inline hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned) { return hipStreamCreate(stream); }
inline hipError_t hipStreamDestroy(hipStream_t stream) { return delete stream, hipSuccess; }
inline hipError_t hipStreamSynchronize(hipStream_t) { return hipSuccess; }
inline hipError_t hipStreamQuery(hipStream_t) { return hipSuccess; }
inline hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t, unsigned = 0) { return hipSuccess; }
inline hipError_t hipEventCreate(hipEvent_t* event) { return *event = new EmulatedEvent, hipSuccess; }
inline hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned) { return hipEventCreate(event); }
inline hipError_t hipEventDestroy(hipEvent_t event) { return delete event, hipSuccess; }
inline hipError_t hipEventRecord(hipEvent_t event, hipStream_t = nullptr) {
    return event->at = std::chrono::steady_clock::now(), hipSuccess;
}
inline hipError_t hipEventSynchronize(hipEvent_t) { return hipSuccess; }
inline hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t from, hipEvent_t to) {
    *milliseconds = std::chrono::duration<float, std::milli>(to->at - from->at).count();
    return hipSuccess;
}
