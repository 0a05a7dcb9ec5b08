// HIP has one type where CUDA's runtime and driver have two, and an address of its driver interface is a pointer. So the
// headers take the runtime's types, and what goes to the driver is converted on the way.
#if defined(__cplusplus)
#include <stdint.h>

#include <type_traits>
#include <utility>

// defines: hipDeviceptr_t
typedef void *hipDeviceptr_t;

// defines: hipMemAllocationProp
typedef struct hipMemAllocationProp {
    cudaMemAllocationType type;
    union {
        cudaMemAllocationHandleType requestedHandleType;
        cudaMemAllocationHandleType requestedHandleTypes;
    };
    cudaMemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType;
        unsigned char gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} hipMemAllocationProp;

// defines: hipMemoryTypeArray hipMemoryTypeUnified
#define hipMemoryTypeArray static_cast<cudaMemoryType>(10)  // HIP's numbers: CUDA's runtime has none for them
#define hipMemoryTypeUnified static_cast<cudaMemoryType>(11)

// defines: hip_Memcpy2D HIP_MEMCPY3D
typedef struct hip_Memcpy2D {
    size_t srcXInBytes, srcY;
    cudaMemoryType srcMemoryType;
    const void *srcHost;
    hipDeviceptr_t srcDevice;
    cudaArray_t srcArray;
    size_t srcPitch;
    size_t dstXInBytes, dstY;
    cudaMemoryType dstMemoryType;
    void *dstHost;
    hipDeviceptr_t dstDevice;
    cudaArray_t dstArray;
    size_t dstPitch;
    size_t WidthInBytes, Height;
} hip_Memcpy2D;
typedef struct HIP_MEMCPY3D {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    cudaMemoryType srcMemoryType;
    const void *srcHost;
    hipDeviceptr_t srcDevice;
    cudaArray_t srcArray;
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ, dstLOD;
    cudaMemoryType dstMemoryType;
    void *dstHost;
    hipDeviceptr_t dstDevice;
    cudaArray_t dstArray;
    size_t dstPitch, dstHeight;
    size_t WidthInBytes, Height, Depth;
} HIP_MEMCPY3D;

// defines: HIP_RESOURCE_DESC HIP_RESOURCE_DESC_st
typedef struct HIP_RESOURCE_DESC_st {
    CUresourcetype resType;
    union {
        struct {
            cudaArray_t hArray;
        } array;
        struct {
            cudaMipmappedArray_t hMipmappedArray;
        } mipmap;
        struct {
            hipDeviceptr_t devPtr;
            CUarray_format format;
            unsigned int numChannels;
            size_t sizeInBytes;
        } linear;
        struct {
            hipDeviceptr_t devPtr;
            CUarray_format format;
            unsigned int numChannels;
            size_t width, height, pitchInBytes;
        } pitch2D;
        struct {
            int reserved[32];
        } reserved;
    } res;
    unsigned int flags;
} HIP_RESOURCE_DESC;

// defines: hipStreamBatchMemOpParams hipStreamBatchMemOpParams_union
typedef union hipStreamBatchMemOpParams_union {
    CUstreamBatchMemOpType operation;
    struct hipStreamMemOpWaitValueParams_t {
        CUstreamBatchMemOpType operation;
        hipDeviceptr_t address;
        union {
            uint32_t value;
            uint64_t value64;
        };
        unsigned int flags;
        hipDeviceptr_t alias;
    } waitValue;
    struct hipStreamMemOpWriteValueParams_t {
        CUstreamBatchMemOpType operation;
        hipDeviceptr_t address;
        union {
            uint32_t value;
            uint64_t value64;
        };
        unsigned int flags;
        hipDeviceptr_t alias;
    } writeValue;
    struct hipStreamMemOpFlushRemoteWritesParams_t {
        CUstreamBatchMemOpType operation;
        unsigned int flags;
    } flushRemoteWrites;
    struct hipStreamMemOpMemoryBarrierParams_t {
        CUstreamBatchMemOpType operation;
        unsigned int flags;
    } memoryBarrier;
    uint64_t pad[6];
} hipStreamBatchMemOpParams;

// Types that are the same to the byte, whose addresses are therefore the same as well.
template <typename Driver, typename Ours> struct hipify_twins : std::false_type {};
#define HIPIFY_TWINS(driver, ours)                                           \
    template <> struct hipify_twins<driver, ours> : std::true_type {         \
        static_assert(sizeof(driver) == sizeof(ours), #driver " and " #ours); \
    };
HIPIFY_TWINS(CUdeviceptr, void *)
HIPIFY_TWINS(CUarray, cudaArray_t)
HIPIFY_TWINS(CUmipmappedArray, cudaMipmappedArray_t)
HIPIFY_TWINS(CUmemAllocationProp, hipMemAllocationProp)
HIPIFY_TWINS(CUmemAccessDesc, cudaMemAccessDesc)
HIPIFY_TWINS(CUmemLocation, cudaMemLocation)
HIPIFY_TWINS(CUDA_RESOURCE_DESC, HIP_RESOURCE_DESC)
HIPIFY_TWINS(CUstreamBatchMemOpParams, hipStreamBatchMemOpParams)
HIPIFY_TWINS(CUDA_MEMSET_NODE_PARAMS, cudaMemsetParams)
HIPIFY_TWINS(CUfunc_cache, cudaFuncCache)
HIPIFY_TWINS(CUsharedconfig, cudaSharedMemConfig)
HIPIFY_TWINS(CUaddress_mode, cudaTextureAddressMode)
HIPIFY_TWINS(CUfilter_mode, cudaTextureFilterMode)
#if CUDART_VERSION >= 12080
HIPIFY_TWINS(CUjit_option, cudaJitOption)
#endif
#undef HIPIFY_TWINS

inline CUmemorytype hipify_memory_type(cudaMemoryType type) {
    return type == hipMemoryTypeArray     ? CU_MEMORYTYPE_ARRAY
           : type == hipMemoryTypeUnified ? CU_MEMORYTYPE_UNIFIED
           : type == cudaMemoryTypeManaged ? CU_MEMORYTYPE_UNIFIED
                                           : static_cast<CUmemorytype>(type);
}
inline cudaMemoryType hipify_memory_type(CUmemorytype type) {
    return type == CU_MEMORYTYPE_ARRAY     ? hipMemoryTypeArray
           : type == CU_MEMORYTYPE_UNIFIED ? hipMemoryTypeUnified
                                           : static_cast<cudaMemoryType>(type);
}
template <typename To, typename From> inline void hipify_copy_sides(To &to, const From &from) {
    to.srcXInBytes = from.srcXInBytes, to.srcY = from.srcY;
    to.srcMemoryType = hipify_memory_type(from.srcMemoryType);
    to.srcHost = from.srcHost;
    to.srcDevice = (decltype(to.srcDevice))from.srcDevice;
    to.srcArray = (decltype(to.srcArray))from.srcArray;
    to.srcPitch = from.srcPitch;
    to.dstXInBytes = from.dstXInBytes, to.dstY = from.dstY;
    to.dstMemoryType = hipify_memory_type(from.dstMemoryType);
    to.dstHost = from.dstHost;
    to.dstDevice = (decltype(to.dstDevice))from.dstDevice;
    to.dstArray = (decltype(to.dstArray))from.dstArray;
    to.dstPitch = from.dstPitch;
    to.WidthInBytes = from.WidthInBytes, to.Height = from.Height;
}
template <typename To, typename From> inline To hipify_copy3(const From &from) {
    To to = To();
    hipify_copy_sides(to, from);
    to.srcZ = from.srcZ, to.srcLOD = from.srcLOD, to.srcHeight = from.srcHeight;
    to.dstZ = from.dstZ, to.dstLOD = from.dstLOD, to.dstHeight = from.dstHeight;
    to.Depth = from.Depth;
    return to;
}
inline CUDA_MEMCPY2D hipify_copy2(const hip_Memcpy2D &from) {
    CUDA_MEMCPY2D to = CUDA_MEMCPY2D();
    hipify_copy_sides(to, from);
    return to;
}

// A parameter of the driver's, made of an argument of HIP's.
template <typename To, typename Enable = void> struct hipify_parameter {
    template <typename From> static To from(From &&argument) { return static_cast<To>(argument); }
};
template <> struct hipify_parameter<CUdeviceptr> {
    static CUdeviceptr from(const volatile void *address) { return (CUdeviceptr)(uintptr_t)address; }
    static CUdeviceptr from(CUdeviceptr address) { return address; }
    static CUdeviceptr from(int null) { return (CUdeviceptr)null; }   // 0 and NULL, which forwarded are mere numbers
    static CUdeviceptr from(long null) { return (CUdeviceptr)null; }
    static CUdeviceptr from(decltype(nullptr)) { return 0; }
};
template <typename To> struct hipify_parameter<To *> {
    typedef typename std::remove_const<To>::type Bare;
    static To *from(To *argument) { return argument; }
    static To *from(int null) { return reinterpret_cast<To *>(static_cast<intptr_t>(null)); }
    static To *from(long null) { return reinterpret_cast<To *>(static_cast<intptr_t>(null)); }
    static To *from(decltype(nullptr)) { return nullptr; }
    template <typename From>
    static typename std::enable_if<hipify_twins<Bare, typename std::remove_const<From>::type>::value, To *>::type from(
        From *argument) {
        return reinterpret_cast<To *>(argument);
    }
};
template <> struct hipify_parameter<CUarray> {
    static CUarray from(cudaArray_const_t array) { return (CUarray)array; }
};
template <> struct hipify_parameter<CUmipmappedArray> {
    static CUmipmappedArray from(cudaMipmappedArray_const_t array) { return (CUmipmappedArray)array; }
};
template <> struct hipify_parameter<CUtexref> {
    static CUtexref from(const CUtexref_st *texture) { return const_cast<CUtexref>(texture); }
};
template <> struct hipify_parameter<const CUDA_MEMCPY2D *> {
    CUDA_MEMCPY2D made;
    bool is_null;
    static hipify_parameter from(const hip_Memcpy2D *copy) {
        return {copy ? hipify_copy2(*copy) : CUDA_MEMCPY2D(), copy == nullptr};
    }
    operator const CUDA_MEMCPY2D *() const { return is_null ? nullptr : &made; }
};
template <> struct hipify_parameter<const CUDA_MEMCPY3D *> {
    CUDA_MEMCPY3D made;
    bool is_null;
    static hipify_parameter from(const HIP_MEMCPY3D *copy) {
        return {copy ? hipify_copy3<CUDA_MEMCPY3D>(*copy) : CUDA_MEMCPY3D(), copy == nullptr};
    }
    operator const CUDA_MEMCPY3D *() const { return is_null ? nullptr : &made; }
};
template <typename... Parameters> struct hipify_driver_call {
    CUresult (*function)(Parameters...);
    template <typename... Arguments>
    typename std::enable_if<sizeof...(Arguments) == sizeof...(Parameters), cudaError_t>::type operator()(
        Arguments &&...arguments) const {
        return static_cast<cudaError_t>(function(hipify_parameter<Parameters>::from(std::forward<Arguments>(arguments))...));
    }
    template <typename... Arguments>  // HIP has 0 as the default of the last parameter of some: the stream, or flags
    typename std::enable_if<sizeof...(Arguments) + 1 == sizeof...(Parameters), cudaError_t>::type operator()(
        Arguments &&...arguments) const {
        return (*this)(std::forward<Arguments>(arguments)..., 0);
    }
};
template <typename... Parameters> inline hipify_driver_call<Parameters...> hipify_driver(CUresult (*function)(Parameters...)) {
    return {function};
}

// defines: hipStreamWaitValue32 hipStreamWaitValue64
inline cudaError_t hipStreamWaitValue32(cudaStream_t stream, void *address, uint32_t value, unsigned int flags,
                                        uint32_t mask = 0xffffffff) {
    if (mask != 0xffffffff) return cudaErrorNotSupported;
    return hipify_driver(cuStreamWaitValue32)(stream, address, value, flags);
}
inline cudaError_t hipStreamWaitValue64(cudaStream_t stream, void *address, uint64_t value, unsigned int flags,
                                        uint64_t mask = 0xffffffffffffffff) {
    if (mask != 0xffffffffffffffff) return cudaErrorNotSupported;
    return hipify_driver(cuStreamWaitValue64)(stream, address, value, flags);
}

// defines: hipCtxCreate hipDrvGraphMemcpyNodeGetParams
inline cudaError_t hipCtxCreate(CUcontext *context, unsigned int flags, CUdevice device) {
#if CUDA_VERSION >= 13000
    return static_cast<cudaError_t>(cuCtxCreate(context, nullptr, flags, device));
#else
    return static_cast<cudaError_t>(cuCtxCreate(context, flags, device));
#endif
}
inline cudaError_t hipDrvGraphMemcpyNodeGetParams(cudaGraphNode_t node, HIP_MEMCPY3D *copy) {
    CUDA_MEMCPY3D made;
    const CUresult status = cuGraphMemcpyNodeGetParams(node, &made);
    if (status == CUDA_SUCCESS) *copy = hipify_copy3<HIP_MEMCPY3D>(made);
    return static_cast<cudaError_t>(status);
}
// defines: hipTexRefSetAddress2D
#define hipTexRefSetAddress2D(...) (hipify_driver(cuTexRefSetAddress2D)(__VA_ARGS__))
#else  // C converts between pointers and numbers, and between enumerations, by itself
#define hipify_driver(function) (cudaError_t)function
#define hipDeviceptr_t CUdeviceptr
#define hipMemAllocationProp CUmemAllocationProp
#define hip_Memcpy2D CUDA_MEMCPY2D
#define HIP_MEMCPY3D CUDA_MEMCPY3D
#define HIP_RESOURCE_DESC CUDA_RESOURCE_DESC
#define hipStreamBatchMemOpParams CUstreamBatchMemOpParams
#define hipMemoryTypeArray CU_MEMORYTYPE_ARRAY
#define hipMemoryTypeUnified CU_MEMORYTYPE_UNIFIED
#define hipTexRefSetAddress2D(...) (cudaError_t)cuTexRefSetAddress2D(__VA_ARGS__)
#define hipStreamWaitValue32 (cudaError_t)cuStreamWaitValue32
#define hipStreamWaitValue64 (cudaError_t)cuStreamWaitValue64
#define hipDrvGraphMemcpyNodeGetParams(...) (cudaError_t)cuGraphMemcpyNodeGetParams(__VA_ARGS__)
#if CUDA_VERSION >= 13000
#define hipCtxCreate(context, flags, device) (cudaError_t)cuCtxCreate(context, 0, flags, device)
#else
#define hipCtxCreate(context, flags, device) (cudaError_t)cuCtxCreate(context, flags, device)
#endif
#endif
