"""The class and the triggers of each rule. Generated: python tools/update_triggers.py"""

from hipify_py.rules.triggers import ALWAYS, Fact, Triggers, facts, headers, texts, uses, words

# fmt: off
INDEX: dict[str, tuple[str, Triggers]] = {
    "headers.warp_sync_macro": (
        "WarpSyncMacro",
        (texts("cooperative_groups", "bfloat16") | facts(Fact.TARGETS_ROCM, Fact.PROJECT_GROUP_ALIASES)),
    ),
    "headers.half_macro": (
        "HalfMacro",
        (uses("cublas*")),
    ),
    "headers.implicit": (
        "ImplicitRuntime",
        ALWAYS,
    ),
    "headers.implicit_standard": (
        "ImplicitStandard",
        (words("acos", "asin", "atan", "atan2", "cbrt", "ceil", "copysign", "cos", "cosh", "erf", "exp", "exp2",
        "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "hypot", "isfinite", "isinf", "isnan",
        "isnormal", "lgamma", "log", "log10", "log1p", "log2", "logb", "memchr", "memcmp", "memcpy", "memmove",
        "memset", "nearbyint", "nextafter", "pow", "remainder", "rint", "round", "signbit", "sin", "sinh", "sqrt",
        "strcasecmp", "strcat", "strchr", "strcmp", "strcpy", "strdup", "strerror", "strlen", "strncasecmp",
        "strncat", "strncmp", "strncpy", "strrchr", "strspn", "strstr", "strtok", "tan", "tanh", "tgamma", "trunc")),
    ),
    "headers.implicit_thrust": (
        "ImplicitThrust",
        (headers("cub/*", "thrust/*")),
    ),
    "headers.implicit_half": (
        "ImplicitHalf",
        (headers("*cublas*", "*cusolver*", "cub/*")),
    ),
    "headers.host_math": (
        "HostMath",
        (words("cospi", "cospif", "erfcinv", "erfcinvf", "erfcx", "erfcxf", "erfinv", "erfinvf", "llmax", "llmin",
        "normcdf", "normcdff", "normcdfinv", "normcdfinvf", "rcbrt", "rcbrtf", "rsqrt", "rsqrtf", "sincospi",
        "sincospif", "sinpi", "sinpif", "ullmax", "ullmin", "umax", "umin")),
    ),
    "headers.includes": (
        "Includes",
        (words("__has_include*") | facts(Fact.INCLUDES, Fact.DEFINES)),
    ),
    "headers.c_language": (
        "HeadersForC",
        (headers("*cublasLt.h", "*cuda_bf16.h", "*cudnn.h", "*curand.h")),
    ),
    "collisions.own_functions": (
        "OwnFunctions",
        (words("__device__")),
    ),
    "collisions.vector_operators": (
        "VectorOperators",
        (words("operator")),
    ),
    "launch.bounds": (
        "LaunchBounds",
        (uses("__launch_bounds__")),
    ),
    "launch.attributes": (
        "KernelAttributes",
        (uses("__cluster_dims__", "__maxnreg__")),
    ),
    "types.indices": (
        "IndexConversions",
        (words("*uint3")),
    ),
    "types.vector_values": (
        "VectorValues",
        (facts(Fact.USED_TYPES)),
    ),
    "types.bit_counts": (
        "BitCounts",
        (uses("__popc", "__popcll")),
    ),
    "types.braced_halves": (
        "BracedHalves",
        (words("*bfloat16*", "*half*")),
    ),
    "types.half_conversions": (
        "HalfConversions",
        (words("__half", "half")) & (words("__hip_bfloat16", "__nv_bfloat16", "hip_bfloat16", "nv_bfloat16")),
    ),
    "types.bit_scans": (
        "BitScans",
        (uses("__ffsll")),
    ),
    "types.sincos": (
        "SingleSincos",
        (uses("sincos", "sincospi")),
    ),
    "types.device_pointers": (
        "DevicePointers",
        (words("CUdeviceptr") | facts(Fact.PROJECT_ADDRESSES)),
    ),
    "types.vector_bindings": (
        "VectorBindings",
        (words("auto")),
    ),
    "types.extrema": (
        "Extrema",
        (words("max", "min")),
    ),
    "types.narrowed_braces": (
        "NarrowedBraces",
        (words("*int*_t", "char", "float", "int", "long", "short", "size_t", "unsigned")),
    ),
    "api.names": (
        "ApiNames",
        (facts(Fact.USES)),
    ),
    "api.unknown_symbols": (
        "UnknownSymbols",
        (facts(Fact.UNMAPPED_CANDIDATES)),
    ),
    "api.redefinitions": (
        "Redefinitions",
        (facts(Fact.REDEFINITIONS)),
    ),
    "api.token_pasting": (
        "PastedNames",
        (texts("##")),
    ),
    "api.looked_up_names": (
        "LookedUp",
        (words("*GetProcAddress*", "*cuGetProcAddress*", "*cudaGetDriverEntryPoint*", "*dlsym*", "*dlvsym*")),
    ),
    "api.merged_cases": (
        "MergedCases",
        (words("switch")) & (facts(Fact.MERGED_VALUES)),
    ),
    "api.merged_overloads": (
        "MergedOverloads",
        (words("*jInfo_t", "CUdeviceptr", "cu*ExternalMemory*", "cu*ExternalSemaphore*", "cublas*Handle_t",
        "cusolver*", "cusparse*") | facts(Fact.MERGED_TYPES)),
    ),
    "api.members": (
        "StructMembers",
        (facts(Fact.USED_TYPES)),
    ),
    "api.arguments": (
        "CallArguments",
        (facts(Fact.ARGUMENT_EDITS)),
    ),
    "api.template_arguments": (
        "TemplateArguments",
        (facts(Fact.TEMPLATE_ORDERS)),
    ),
    "api.enumerators": (
        "EnumeratorNumbers",
        (facts(Fact.ENUMERATOR_NUMBERS)),
    ),
    "api.cuda_version": (
        "CudaVersion",
        (facts(Fact.TARGETS_CUDA)),
    ),
    "api.macro_members": (
        "MacroMembers",
        (facts(Fact.USES)),
    ),
    "launch.chevrons": (
        "Launches",
        (facts(Fact.LAUNCHES)),
    ),
    "device.redeclared_attributes": (
        "RedeclaredAttributes",
        (words("__device__") | facts(Fact.PROJECT_ATTRIBUTES)),
    ),
    "device.group_shuffles": (
        "GroupShuffles",
        (words("shfl", "shfl_*")) & (texts("cooperative_groups") | facts(Fact.PROJECT_GROUP_ALIASES)),
    ),
    "device.group_votes": (
        "GroupVotes",
        (words("all", "any", "ballot", "match_all", "match_any")) & (texts("cooperative_groups") |
        facts(Fact.PROJECT_GROUP_ALIASES)),
    ),
    "device.tiles_of_tiles": (
        "TilesOfTiles",
        (words("thread_block_tile", "tiled_partition")) & (texts("cooperative_groups") |
        facts(Fact.PROJECT_GROUP_ALIASES)),
    ),
    "device.group_members": (
        "GroupMembers",
        (words("*_index", "*_rank", "*dim*", "num_*")) & (texts("cooperative_groups") |
        facts(Fact.PROJECT_GROUP_ALIASES)),
    ),
    "device.host_calls": (
        "HostCalls",
        (words("__device__", "__global__")) & (facts(Fact.USED_FUNCTIONS)),
    ),
    "device.capability": (
        "CapabilityDecisions",
        (uses("CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR", "cudaDevAttrComputeCapabilityMajor", "cudaDeviceProp"))
        & (words("major", "minor") | uses("CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR",
        "cudaDevAttrComputeCapabilityMajor")),
    ),
    "device.read_only_loads": (
        "ReadOnlyLoads",
        (uses("__ldg")) & (words("*bf16*", "*bfloat16*") | headers("*bf16*", "*bfloat16*")),
    ),
    "runtime.managed": (
        "ManagedMemory",
        (uses("__managed__", "cuMemAllocManaged", "cudaMallocManaged")),
    ),
    "headers.samples": (
        "SampleHeaders",
        (headers("*cutil*", "*helper*", "*sdkHelper*", "*shr*")),
    ),
    "headers.loaded_roctx": (
        "LoadedRoctx",
        (headers("nvtx3/*")),
    ),
    "headers.enclosed_headers": (
        "EnclosedHeaders",
        (words("namespace")) & (facts(Fact.INCLUDES)),
    ),
    "device.constructed_variables": (
        "ConstructedVariables",
        (words("__constant__", "__device__", "__shared__")) & (words("__shared__", "curandState*", "thrust")),
    ),
    "device.texture_references": (
        "TextureReferences",
        (words("texture")),
    ),
    "device.images": (
        "Images",
        (uses("surf*", "tex*")),
    ),
    "device.embedded": (
        "EmbeddedKernels",
        (facts(Fact.RAW_STRINGS)),
    ),
    "ptx.inline_asm": (
        "InlineAssembly",
        (words("*asm*")),
    ),
    "device.half_atomics": (
        "HalfAtomics",
        (uses("atomicAdd")) & (words("*bfloat16*", "*half*")),
    ),
    "device.handle_kinds": (
        "HandleKinds",
        (uses("cudaSurfaceObject_t", "cudaTextureObject_t")),
    ),
    "wavefront.kept_warps": (
        "KeptWarps",
        (texts("cooperative_groups", ".warpSize", "->warpSize", "##", "laneid", "lanemask", "warpid", "WARP_SZ",
        "vote.", "shfl.", "match.", "redux.", "activemask.", "elect.", "cub::Warp") | facts(Fact.WARP_OPERATIONS,
        Fact.PROJECT_GROUP_ALIASES)),
    ),
    "wavefront.lane_masks": (
        "LaneMasks",
        (facts(Fact.SYNC_WORDS, Fact.WARP_OPERATIONS)),
    ),
    "wavefront.lane_shifts": (
        "LaneShifts",
        (texts("32 - ", "32-", "32u", "32U", "ize -", "ize-", "ize() -", "IZE -", "IZE-", "anes -", "ANES -", "= 32;",
        ": 32;", ": 32)")),
    ),
    "wavefront.warp_size_constant": (
        "WarpSizeConstants",
        (words("warpSize")),
    ),
    "wavefront.intra_warp_locks": (
        "IntraWarpLocks",
        (words("*acquire*", "*atomic*", "*barrier*", "*exchange*", "*pipeline*", "__ldcg", "__ldcv", "__shared__",
        "__sync_*_compare_and_swap", "__sync_lock_test_and_set", "load", "test_and_set", "volatile") |
        texts("ld.acquire", "ld.volatile", "ld.relaxed", "ld.global.", "atom.", "mbarrier.") |
        facts(Fact.PROJECT_WAITING_FUNCTIONS)) & (words("arrive_and_wait", "do", "for", "wait", "while") |
        texts("mbarrier.", "bra ") | facts(Fact.PROJECT_WAITING_FUNCTIONS)),
    ),
    "wavefront.partial_masks": (
        "PartialMasks",
        (words("__syncwarp") | facts(Fact.SYNC_WORDS, Fact.PROJECT_WAITING_FUNCTIONS)),
    ),
    "wavefront.divided_barriers": (
        "DividedBarriers",
        (words("__barrier_sync", "__syncthreads*", "sync") | texts("bar.sync", "barrier.sync", "barrier.cta.sync")) &
        (words("break", "continue", "else", "return", "switch") | texts("?")),
    ),
    "wavefront.own_builds": (
        "OwnBuilds",
        (texts("ROCM", "HIP", "AMD")),
    ),
    "wavefront.host_sizes": (
        "HostSizes",
        (texts("warpSize", "WarpSize", "WARP_SIZE")),
    ),
    "libraries.call_operators": (
        "CallOperators",
        (words("operator")) & (texts("cub::Device")),
    ),
    "libraries.logical_warps": (
        "LogicalWarps",
        (uses("cub::Warp*")),
    ),
    "libraries.fragments": (
        "FragmentShapes",
        (uses("nvcuda::wmma::fragment")),
    ),
    "libraries.fragment_threads": (
        "FragmentThreads",
        (uses("nvcuda::wmma::fragment")),
    ),
    "libraries.fragment_values": (
        "FragmentValues",
        (uses("nvcuda::wmma::fragment")),
    ),
    "libraries.block_transposes": (
        "BlockTransposes",
        (uses("cub::BLOCK_LOAD_WARP_TRANSPOSE", "cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED",
        "cub::BLOCK_STORE_WARP_TRANSPOSE", "cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED")),
    ),
    "preprocessor.existing_hip_branch": (
        "ExistingHipBranch",
        (uses("__CUDACC_EXTENDED_LAMBDA__", "__CUDACC_RELAXED_CONSTEXPR__", "__CUDACC_RTC__", "__CUDACC__",
        "__CUDA_ARCH__", "__CUDA_BF16_H__", "__CUDA_BF16_TYPES_EXIST__", "__CUDA_FP16_H__",
        "__CUDA_FP16_TYPES_EXIST__", "__CUDA_FP8_H__", "__CUDA_FP8_TYPES_EXIST__", "__CUDA_NO_HALF_CONVERSIONS__",
        "__CUDA_NO_HALF_OPERATORS__", "__CUDA_PROFILER_API_H__", "__CUDA_RUNTIME_API_H__", "__CUDA_RUNTIME_H__",
        "__CUDA__", "__NVCC__", "__cuda_cuda_h__")) & (words("HIPCUB_VERSION", "HIPIFY_EITHER", "HIP_INCLUDE_HIP_*",
        "HIP_VERSION*", "__HIP*", "elif*") | facts(Fact.ELIFS)),
    ),
    "preprocessor.own_hip_build": (
        "OwnHipBuild",
        (uses("__CUDACC__", "__CUDA_ARCH__", "__CUDA__", "__NVCC__")) & (facts(Fact.ELIFS)),
    ),
    "preprocessor.both_compilers": (
        "BothCompilers",
        (facts(Fact.DUAL)) & (facts(Fact.USED_MACROS)),
    ),
    "preprocessor.both_switches": (
        "BothSwitches",
        (facts(Fact.DUAL)),
    ),
    "preprocessor.architecture": (
        "ArchitectureNumbers",
        (uses("__CUDA_ARCH__")),
    ),
    "preprocessor.versions": (
        "VersionComparisons",
        (uses("CCCL_MAJOR_VERSION", "CCCL_MINOR_VERSION", "CCCL_VERSION", "CUBLAS_VERSION", "CUBLAS_VER_MAJOR",
        "CUBLAS_VER_MINOR", "CUB_MAJOR_VERSION", "CUB_MINOR_VERSION", "CUB_VERSION", "CUDART_VERSION", "CUDA_VERSION",
        "CUDNN_MAJOR", "CUDNN_MINOR", "CUDNN_VERSION", "CUSOLVER_VERSION", "CUSOLVER_VER_MAJOR", "CUSOLVER_VER_MINOR",
        "CUSPARSE_VERSION", "CUSPARSE_VER_MAJOR", "CUSPARSE_VER_MINOR", "__CUDACC_VER_MAJOR__",
        "__CUDACC_VER_MINOR__", "__CUDACC_VER__", "__CUDART_API_VERSION")),
    ),
    "dialect.pragma_macros": (
        "PragmaMacros",
        (facts(Fact.DEFINES)) & (texts("pragma")),
    ),
    "dialect.register_keyword": (
        "RegisterKeyword",
        (words("register")),
    ),
    "dialect.standard_functions": (
        "StandardFunctions",
        (words("__device__", "__global__")) & (words("free", "malloc", "memcpy", "memset", "printf")),
    ),
    "dialect.host_branches": (
        "HostBranches",
        (facts(Fact.DEFINES)) & (words("__byte_perm", "__funnelshift_l", "__funnelshift_r")),
    ),
    "dialect.std_names": (
        "StdNames",
        (words("byte", "complex", "conj", "data", "empty", "imag", "norm", "polar", "proj", "real", "size")),
    ),
    "dialect.template_keywords": (
        "TemplateKeywords",
        (words("template", "typename")),
    ),
    "dialect.host_constructors": (
        "HostConstructors",
        (words("__device__")) & (words("class", "struct")),
    ),
    "dialect.pass_attributes": (
        "PassAttributes",
        (uses("__CUDA_ARCH__")) & (words("__device__")) & (facts(Fact.DEFINES)),
    ),
    "dialect.host_alignment": (
        "HostAlignment",
        (uses("__align__")),
    ),
    "dialect.misplaced_restrict": (
        "MisplacedRestrict",
        (words("__restrict", "__restrict__")),
    ),
}
