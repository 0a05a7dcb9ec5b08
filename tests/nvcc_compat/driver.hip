// The driver's side of HIP: one type for what CUDA's runtime and driver have one each of. Ends with 0 on a GPU.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                              \
    do {                                                                                         \
        const hipError_t ended = (call);                                                         \
        if (ended != hipSuccess) {                                                               \
            std::printf("line %d: %s: %s\n", __LINE__, #call, hipGetErrorString(ended));         \
            return 1;                                                                            \
        }                                                                                        \
    } while (0)
#define HOLDS(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            std::printf("line %d: %s does not hold\n", __LINE__, #condition);   \
            return 1;                                                           \
        }                                                                       \
    } while (0)

__constant__ int scale;
__global__ void fill(int *out, int value) { out[threadIdx.x] = value + scale; }

static int addresses() {
    hipDeviceptr_t range = 0;
    CHECK(hipMalloc(&range, 256));
    CHECK(hipMemsetD8(range, 1, 256));
    CHECK(hipMemsetD32(reinterpret_cast<hipDeviceptr_t>((char *)range + 128), 7, 4));
    CHECK(hipMemsetD8Async(range, 2, 4));  // HIP has a default stream here
    CHECK(hipMemsetD32Async((char *)range + 4, 9, 1, 0));
    int back[64];
    CHECK(hipMemcpyDtoH(back, range, sizeof back));
    HOLDS(back[0] == 0x02020202 && back[1] == 9 && back[2] == 0x01010101 && back[32] == 7);
    CHECK(hipMemcpyHtoD(range, back + 32, 4));
    CHECK(hipMemcpyDtoD((char *)range + 8, range, 4));
    CHECK(hipMemcpyDtoHAsync(back, range, 12, nullptr));
    CHECK(hipStreamSynchronize(0));
    HOLDS(back[0] == 7 && back[2] == 7);
    hipDeviceptr_t base = nullptr;
    size_t bytes = 0;
    CHECK(hipMemGetAddressRange(&base, &bytes, (char *)range + 64));
    HOLDS(base == range && bytes >= 256);
    CHECK(hipMemGetAddressRange(NULL, &bytes, range));
    int *as_ints = static_cast<int *>(range);
    fill<<<1, 64>>>(as_ints, 3);
    CHECK(hipDeviceSynchronize());
    CHECK(hipFree(range));
    return 0;
}

static int mapped(int device) {
    hipMemAllocationProp prop = {};
    prop.type = hipMemAllocationTypePinned;
    prop.location.type = hipMemLocationTypeDevice;
    prop.location.id = device;
    prop.requestedHandleTypes = hipMemHandleTypeNone;
    size_t piece = 0;
    CHECK(hipMemGetAllocationGranularity(&piece, &prop, hipMemAllocationGranularityMinimum));
    hipDeviceptr_t range;
    CHECK(hipMemAddressReserve(&range, 2 * piece, 0, 0, 0));
    hipMemGenericAllocationHandle_t handle;
    CHECK(hipMemCreate(&handle, piece, &prop, 0));
    CHECK(hipMemMap((char *)range + piece, piece, 0, handle, 0));
    hipMemAccessDesc access;
    access.location = prop.location;
    access.flags = hipMemAccessFlagsProtReadWrite;
    CHECK(hipMemSetAccess((char *)range + piece, piece, &access, 1));
    unsigned long long flags = 0;
    CHECK(hipMemGetAccess(&flags, &access.location, (char *)range + piece));
    HOLDS(flags == hipMemAccessFlagsProtReadWrite);
    hipMemAllocationProp told = {};
    CHECK(hipMemGetAllocationPropertiesFromHandle(&told, handle));
    HOLDS(told.type == hipMemAllocationTypePinned && told.location.id == device);
    CHECK(hipMemset((char *)range + piece, 5, piece));
    CHECK(hipMemUnmap((char *)range + piece, piece));
    CHECK(hipMemRelease(handle));
    CHECK(hipMemAddressFree(range, 2 * piece));
    return 0;
}

static int copies() {
    const size_t width = 16, height = 4;
    std::vector<unsigned char> in(width * height), out(width * height);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i);
    hipDeviceptr_t plane;
    size_t pitch;
    CHECK(hipMemAllocPitch(&plane, &pitch, width, height, 4));
    hip_Memcpy2D copy;
    std::memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = hipMemoryTypeHost;
    copy.srcHost = in.data();
    copy.srcPitch = width;
    copy.dstMemoryType = hipMemoryTypeDevice;
    copy.dstDevice = plane;
    copy.dstPitch = pitch;
    copy.WidthInBytes = width;
    copy.Height = height;
    CHECK(hipMemcpyParam2D(&copy));

    HIP_ARRAY_DESCRIPTOR shape;
    shape.Width = width;
    shape.Height = height;
    shape.Format = HIP_AD_FORMAT_UNSIGNED_INT8;
    shape.NumChannels = 1;
    hipArray_t array;
    CHECK(hipArrayCreate(&array, &shape));
    HIP_MEMCPY3D through = {};
    through.srcMemoryType = hipMemoryTypeDevice;
    through.srcDevice = plane;
    through.srcPitch = pitch;
    through.srcHeight = height;
    through.dstMemoryType = hipMemoryTypeArray;
    through.dstArray = array;
    through.WidthInBytes = width;
    through.Height = height;
    through.Depth = 1;
    CHECK(hipDrvMemcpy3D(&through));
    CHECK(hipDrvMemcpy3DAsync(&through, 0));

    hip_Memcpy2D home = {};
    home.srcMemoryType = hipMemoryTypeArray;
    home.srcArray = array;
    home.dstMemoryType = hipMemoryTypeHost;
    home.dstHost = out.data();
    home.dstPitch = width;
    home.WidthInBytes = width;
    home.Height = height;
    CHECK(hipMemcpyParam2DAsync(&home));
    CHECK(hipDeviceSynchronize());
    HOLDS(out == in);
    CHECK(hipMemcpyAtoH(out.data(), array, 0, width));
    CHECK(hipMemcpyHtoA(array, 0, in.data(), width));

    HIP_RESOURCE_DESC resource = {};
    resource.resType = HIP_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D.devPtr = plane;
    resource.res.pitch2D.format = HIP_AD_FORMAT_UNSIGNED_INT8;
    resource.res.pitch2D.numChannels = 1;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    HIP_TEXTURE_DESC sampling = {};
    sampling.addressMode[0] = HIP_TR_ADDRESS_MODE_CLAMP;
    hipTextureObject_t texture;
    CHECK(hipTexObjectCreate(&texture, &resource, &sampling, nullptr));
    HIP_RESOURCE_DESC told;
    CHECK(hipTexObjectGetResourceDesc(&told, texture));
    HOLDS(told.res.pitch2D.devPtr == plane);
    CHECK(hipTexObjectDestroy(texture));
    CHECK(hipArrayDestroy(array));
    CHECK(hipFree(plane));
    return 0;
}

static int streams() {
    hipStream_t stream;
    CHECK(hipStreamCreate(&stream));
    hipDeviceptr_t word;
    CHECK(hipMalloc(&word, 8));
    CHECK(hipStreamWriteValue32(stream, word, 11, 0));
    CHECK(hipStreamWaitValue32(stream, word, 11, hipStreamWaitValueEq));
    HOLDS(hipStreamWaitValue32(stream, word, 11, hipStreamWaitValueEq, 0xff) == hipErrorNotSupported);
    hipStreamBatchMemOpParams operation[1];
    std::memset(operation, 0, sizeof operation);
    operation[0].operation = hipStreamMemOpWriteValue32;
    operation[0].writeValue.address = word;
    operation[0].writeValue.value = 12;
    CHECK(hipStreamBatchMemOp(stream, 1, operation, 0));
    CHECK(hipStreamSynchronize(stream));
    int value = 0;
    CHECK(hipMemcpy_spt(&value, word, sizeof value, hipMemcpyDeviceToHost));
    HOLDS(value == 12);
    const int three = 3;
    CHECK(hipMemcpyToSymbol_spt((const void *)&scale, &three, sizeof three));
    CHECK(hipMemcpyFromSymbol_spt(&value, (const void *)&scale, sizeof value));
    HOLDS(value == 3);
    CHECK(hipMemsetAsync_spt(word, 0, 8));
    CHECK(hipStreamQuery_spt(0) == hipErrorNotReady ? hipSuccess : hipSuccess);
    CHECK(hipStreamSynchronize_spt(0));
    int blocks = 0;
    CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, fill, 64, 0, 0));
    CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void *)fill, 64, 0));
    HOLDS(blocks > 0);
    CHECK(hipFree(word));
    CHECK(hipStreamDestroy(stream));
    return 0;
}

static int graphs() {
    hipGraph_t graph;
    CHECK(hipGraphCreate(&graph, 0));
    hipGraphNode_t nodes[3];
    for (hipGraphNode_t &node : nodes) CHECK(hipGraphAddEmptyNode(&node, graph, nullptr, 0));
    CHECK(hipGraphAddDependencies(graph, &nodes[0], &nodes[1], 1));
    CHECK(hipGraphAddDependencies(graph, &nodes[1], &nodes[2], 1));
    size_t count = 0;
    CHECK(hipGraphGetEdges(graph, NULL, NULL, &count));
    HOLDS(count == 2);
    hipGraphNode_t from[2], to[2];
    CHECK(hipGraphGetEdges(graph, from, to, &count));
    count = 2;
    CHECK(hipGraphNodeGetDependencies(nodes[1], from, &count));
    HOLDS(count == 1 && from[0] == nodes[0]);
    count = 2;
    CHECK(hipGraphNodeGetDependentNodes(nodes[1], to, &count));
    HOLDS(count == 1 && to[0] == nodes[2]);
    CHECK(hipGraphRemoveDependencies(graph, &nodes[1], &nodes[2], 1));
    CHECK(hipGraphGetEdges(graph, nullptr, nullptr, &count));
    HOLDS(count == 1);
    hipGraphNodeParams parameters = {};
    parameters.type = hipGraphNodeTypeEmpty;
    hipGraphNode_t added;
    CHECK(hipGraphAddNode(&added, graph, &nodes[2], 1, &parameters));
    CHECK(hipGraphDestroy(graph));

    hipStream_t stream;
    CHECK(hipStreamCreate(&stream));
    CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    int *out = nullptr;
    CHECK(hipMallocAsync(reinterpret_cast<void **>(&out), 256, stream));
    hipStreamCaptureStatus status;
    unsigned long long id = 0, again = 0;
    const hipGraphNode_t *before = nullptr;
    CHECK(hipStreamGetCaptureInfo(stream, &status, &id));
    CHECK(hipStreamGetCaptureInfo_v2(stream, &status, &again, &graph, &before, &count));
    HOLDS(status == hipStreamCaptureStatusActive && id == again && count == 1);
    CHECK(hipStreamGetCaptureInfo_v2(stream, &status));
    hipGraphNode_t last = before[0];
    CHECK(hipStreamUpdateCaptureDependencies(stream, &last, 1, hipStreamSetCaptureDependencies));
    CHECK(hipFreeAsync(out, stream));
    CHECK(hipStreamEndCapture(stream, &graph));
    CHECK(hipGraphDestroy(graph));
    CHECK(hipStreamDestroy(stream));
    return 0;
}

int main() {
    CHECK(hipInit(0));
    hipDevice_t device;
    CHECK(hipDeviceGet(&device, 0));
    hipCtx_t context;
    CHECK(hipCtxCreate(&context, 0, device));
    CHECK(hipCtxSetCacheConfig(hipFuncCachePreferShared));
    CHECK(hipCtxDestroy(context));
    CHECK(hipSetDevice(0));
    const char *text = nullptr;
    CHECK(hipDrvGetErrorString(hipErrorInvalidValue, &text));
    HOLDS(addresses() == 0 && mapped(device) == 0 && copies() == 0 && streams() == 0 && graphs() == 0);
    std::printf("all done\n");
    return 0;
}
