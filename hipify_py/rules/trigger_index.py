"""The class, the triggers and the findings of each rule. Generated: python tools/update_triggers.py"""

from hipify_py.rules.triggers import ALWAYS, Fact, Indexed, facts, headers, texts, uses, words

# fmt: off
INDEX: dict[str, Indexed] = {
    "headers.warp_sync_macro": Indexed(
        "WarpSyncMacro",
        (texts("cooperative_groups", "bfloat16") | facts(Fact.TARGETS_ROCM, Fact.PROJECT_GROUP_ALIASES)),
        "warp-sync-macro",
    ),
    "headers.half_macro": Indexed(
        "HalfMacro",
        (uses("cublas*")),
        "half-macro",
    ),
    "headers.implicit": Indexed(
        "ImplicitRuntime",
        ALWAYS,
        "implicit-runtime",
    ),
    "headers.implicit_standard": Indexed(
        "ImplicitStandard",
        (words("acos", "asin", "atan", "atan2", "cbrt", "ceil", "copysign", "cos", "cosh", "erf", "exp", "exp2",
        "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "hypot", "isfinite", "isinf", "isnan",
        "isnormal", "lgamma", "log", "log10", "log1p", "log2", "logb", "memchr", "memcmp", "memcpy", "memmove",
        "memset", "nearbyint", "nextafter", "pow", "remainder", "rint", "round", "signbit", "sin", "sinh", "sqrt",
        "strcasecmp", "strcat", "strchr", "strcmp", "strcpy", "strdup", "strerror", "strlen", "strncasecmp",
        "strncat", "strncmp", "strncpy", "strrchr", "strspn", "strstr", "strtok", "tan", "tanh", "tgamma", "trunc")),
        "implicit-standard",
    ),
    "headers.implicit_thrust": Indexed(
        "ImplicitThrust",
        (headers("cub/*", "thrust/*")),
        "implicit-thrust",
    ),
    "headers.implicit_half": Indexed(
        "ImplicitHalf",
        (headers("*cublas*", "*cusolver*", "cub/*")),
        "implicit-half",
    ),
    "headers.host_math": Indexed(
        "HostMath",
        (words("cospi", "cospif", "erfcinv", "erfcinvf", "erfcx", "erfcxf", "erfinv", "erfinvf", "llmax", "llmin",
        "normcdf", "normcdff", "normcdfinv", "normcdfinvf", "rcbrt", "rcbrtf", "rsqrt", "rsqrtf", "sincospi",
        "sincospif", "sinpi", "sinpif", "ullmax", "ullmin", "umax", "umin")),
        "host-math",
    ),
    "headers.includes": Indexed(
        "Includes",
        (words("__has_include*") | facts(Fact.INCLUDES, Fact.DEFINES)),
        "HIP107",
    ),
    "headers.c_language": Indexed(
        "HeadersForC",
        (headers("*cublasLt.h", "*cuda_bf16.h", "*cudnn.h", "*curand.h")),
        "HIP624",
    ),
    "collisions.own_functions": Indexed(
        "OwnFunctions",
        (words("__device__")),
        "HIP120",
        ("HIP120",),
    ),
    "collisions.vector_operators": Indexed(
        "VectorOperators",
        (words("operator")),
        "HIP121",
        ("HIP121", "HIP122",),
    ),
    "launch.bounds": Indexed(
        "LaunchBounds",
        (uses("__launch_bounds__")),
        "HIP123",
        ("HIP123",),
    ),
    "launch.attributes": Indexed(
        "KernelAttributes",
        (uses("__cluster_dims__", "__maxnreg__")),
        "HIP131",
        ("HIP131",),
    ),
    "types.indices": Indexed(
        "IndexConversions",
        (words("*uint3")),
        "index-conversions",
    ),
    "types.vector_values": Indexed(
        "VectorValues",
        (facts(Fact.USED_TYPES)),
        "vector-values",
    ),
    "types.bit_counts": Indexed(
        "BitCounts",
        (uses("__popc", "__popcll")),
        "bit-counts",
    ),
    "types.braced_halves": Indexed(
        "BracedHalves",
        (words("*bfloat16*", "*half*")),
        "braced-halves",
    ),
    "types.half_conversions": Indexed(
        "HalfConversions",
        (words("__half", "half")) & (words("__hip_bfloat16", "__nv_bfloat16", "hip_bfloat16", "nv_bfloat16")),
        "HIP136",
    ),
    "types.bit_scans": Indexed(
        "BitScans",
        (uses("__ffsll")),
        "bit-scans",
    ),
    "types.sincos": Indexed(
        "SingleSincos",
        (uses("sincos", "sincospi")),
        "single-sincos",
    ),
    "types.device_pointers": Indexed(
        "DevicePointers",
        (words("CUdeviceptr") | facts(Fact.PROJECT_ADDRESSES)),
        "device-pointers",
    ),
    "types.vector_bindings": Indexed(
        "VectorBindings",
        (words("auto")),
        "vector-bindings",
    ),
    "types.extrema": Indexed(
        "Extrema",
        (words("max", "min")),
        "extrema",
    ),
    "types.narrowed_braces": Indexed(
        "NarrowedBraces",
        (words("*int*_t", "char", "float", "int", "long", "short", "size_t", "unsigned")),
        "narrowed-braces",
    ),
    "api.names": Indexed(
        "ApiNames",
        (facts(Fact.USES)),
        "HIP101",
    ),
    "api.unknown_symbols": Indexed(
        "UnknownSymbols",
        (facts(Fact.UNMAPPED_CANDIDATES)),
        "HIP102",
        ("HIP102",),
    ),
    "api.redefinitions": Indexed(
        "Redefinitions",
        (facts(Fact.REDEFINITIONS)),
        "HIP113",
        ("HIP113",),
    ),
    "api.token_pasting": Indexed(
        "PastedNames",
        (texts("##")),
        "HIP110",
        ("HIP110",),
    ),
    "api.looked_up_names": Indexed(
        "LookedUp",
        (words("*GetProcAddress*", "*cuGetProcAddress*", "*cudaGetDriverEntryPoint*", "*dlsym*", "*dlvsym*")),
        "HIP137",
        ("HIP137", "HIP138",),
    ),
    "api.merged_cases": Indexed(
        "MergedCases",
        (words("switch")) & (facts(Fact.MERGED_VALUES)),
        "HIP130",
        ("HIP130",),
    ),
    "api.merged_overloads": Indexed(
        "MergedOverloads",
        (words("*jInfo_t", "CUdeviceptr", "cu*ExternalMemory*", "cu*ExternalSemaphore*", "cublas*Handle_t",
        "cusolver*", "cusparse*") | facts(Fact.MERGED_TYPES)),
        "HIP134",
        ("HIP134",),
    ),
    "api.members": Indexed(
        "StructMembers",
        (facts(Fact.USED_TYPES)),
        "HIP106",
    ),
    "api.arguments": Indexed(
        "CallArguments",
        (facts(Fact.ARGUMENT_EDITS)),
        "HIP104",
        ("HIP104",),
    ),
    "api.template_arguments": Indexed(
        "TemplateArguments",
        (facts(Fact.TEMPLATE_ORDERS)),
        "HIP104",
    ),
    "api.enumerators": Indexed(
        "EnumeratorNumbers",
        (facts(Fact.ENUMERATOR_NUMBERS)),
        "HIP114",
        ("HIP114",),
    ),
    "api.cuda_version": Indexed(
        "CudaVersion",
        (facts(Fact.TARGETS_CUDA)),
        "HIP115",
    ),
    "api.macro_members": Indexed(
        "MacroMembers",
        (facts(Fact.USES)),
        "HIP139",
        ("HIP139",),
    ),
    "launch.chevrons": Indexed(
        "Launches",
        (facts(Fact.LAUNCHES)),
        "chevrons",
    ),
    "device.redeclared_attributes": Indexed(
        "RedeclaredAttributes",
        (words("__device__") | facts(Fact.PROJECT_ATTRIBUTES)),
        "redeclared-attributes",
    ),
    "device.group_shuffles": Indexed(
        "GroupShuffles",
        (words("shfl", "shfl_*")) & (texts("cooperative_groups") | facts(Fact.PROJECT_GROUP_ALIASES)),
        "group-shuffles",
    ),
    "device.group_votes": Indexed(
        "GroupVotes",
        (words("all", "any", "ballot", "match_all", "match_any")) & (texts("cooperative_groups") |
        facts(Fact.PROJECT_GROUP_ALIASES)),
        "group-votes",
    ),
    "device.tiles_of_tiles": Indexed(
        "TilesOfTiles",
        (words("thread_block_tile", "tiled_partition")) & (texts("cooperative_groups") |
        facts(Fact.PROJECT_GROUP_ALIASES)),
        "tiles-of-tiles",
    ),
    "device.group_members": Indexed(
        "GroupMembers",
        (words("*_index", "*_rank", "*dim*", "num_*")) & (texts("cooperative_groups") |
        facts(Fact.PROJECT_GROUP_ALIASES)),
        "group-members",
    ),
    "device.host_calls": Indexed(
        "HostCalls",
        (words("__device__", "__global__")) & (facts(Fact.USED_FUNCTIONS)),
        "HIP253",
        ("HIP253",),
    ),
    "device.capability": Indexed(
        "CapabilityDecisions",
        (uses("CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR", "cudaDevAttrComputeCapabilityMajor", "cudaDeviceProp"))
        & (words("major", "minor") | uses("CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR",
        "cudaDevAttrComputeCapabilityMajor")),
        "HIP408",
        ("HIP408",),
    ),
    "device.read_only_loads": Indexed(
        "ReadOnlyLoads",
        (uses("__ldg")) & (words("*bf16*", "*bfloat16*") | headers("*bf16*", "*bfloat16*")),
        "read-only-loads",
    ),
    "runtime.managed": Indexed(
        "ManagedMemory",
        (uses("__managed__", "cuMemAllocManaged", "cudaMallocManaged")),
        "HIP701",
        ("HIP701",),
    ),
    "headers.samples": Indexed(
        "SampleHeaders",
        (headers("*cutil*", "*helper*", "*sdkHelper*", "*shr*")),
        "HIP409",
        ("HIP409",),
    ),
    "headers.loaded_roctx": Indexed(
        "LoadedRoctx",
        (headers("nvtx3/*")),
        "loaded-roctx",
    ),
    "headers.enclosed_headers": Indexed(
        "EnclosedHeaders",
        (words("namespace")) & (facts(Fact.INCLUDES)),
        "enclosed-headers",
    ),
    "device.constructed_variables": Indexed(
        "ConstructedVariables",
        (words("__constant__", "__device__", "__shared__")) & (words("__shared__", "curandState*", "thrust")),
        "HIP226",
        ("HIP226",),
    ),
    "device.texture_references": Indexed(
        "TextureReferences",
        (words("texture")),
        "HIP250",
        ("HIP250", "HIP251",),
    ),
    "device.images": Indexed(
        "Images",
        (uses("surf*", "tex*")),
        "HIP252",
        ("HIP252",),
    ),
    "device.embedded": Indexed(
        "EmbeddedKernels",
        (facts(Fact.RAW_STRINGS)),
        "embedded-kernel",
    ),
    "ptx.inline_asm": Indexed(
        "InlineAssembly",
        (words("*asm*")),
        "HIP201",
        ("HIP201",),
    ),
    "device.half_atomics": Indexed(
        "HalfAtomics",
        (uses("atomicAdd")) & (words("*bfloat16*", "*half*")),
        "HIP254",
    ),
    "device.handle_kinds": Indexed(
        "HandleKinds",
        (uses("cudaSurfaceObject_t", "cudaTextureObject_t")),
        "handle-kinds",
    ),
    "wavefront.kept_warps": Indexed(
        "KeptWarps",
        (texts("cooperative_groups", ".warpSize", "->warpSize", "##", "laneid", "lanemask", "warpid", "WARP_SZ",
        "vote.", "shfl.", "match.", "redux.", "activemask.", "elect.", "cub::Warp") | facts(Fact.WARP_OPERATIONS,
        Fact.PROJECT_GROUP_ALIASES)),
        "HIP305",
        ("HIP305",),
    ),
    "wavefront.lane_masks": Indexed(
        "LaneMasks",
        (facts(Fact.SYNC_WORDS, Fact.WARP_OPERATIONS)),
        "HIP301",
        ("HIP301", "HIP305",),
    ),
    "wavefront.lane_shifts": Indexed(
        "LaneShifts",
        (texts("32 - ", "32-", "32u", "32U", "ize -", "ize-", "ize() -", "IZE -", "IZE-", "anes -", "ANES -", "= 32;",
        ": 32;", ": 32)")),
        "lane-shifts",
    ),
    "wavefront.warp_size_constant": Indexed(
        "WarpSizeConstants",
        (words("warpSize")),
        "HIP303",
        ("HIP303",),
    ),
    "wavefront.intra_warp_locks": Indexed(
        "IntraWarpLocks",
        (words("*acquire*", "*atomic*", "*barrier*", "*exchange*", "*pipeline*", "__ldcg", "__ldcv", "__shared__",
        "__sync_*_compare_and_swap", "__sync_lock_test_and_set", "load", "test_and_set", "volatile") |
        texts("ld.acquire", "ld.volatile", "ld.relaxed", "ld.global.", "atom.", "mbarrier.") |
        facts(Fact.PROJECT_WAITING_FUNCTIONS)) & (words("arrive_and_wait", "do", "for", "wait", "while") |
        texts("mbarrier.", "bra ") | facts(Fact.PROJECT_WAITING_FUNCTIONS)),
        "HIP311",
        ("HIP311",),
    ),
    "wavefront.partial_masks": Indexed(
        "PartialMasks",
        (words("__syncwarp") | facts(Fact.SYNC_WORDS, Fact.PROJECT_WAITING_FUNCTIONS)),
        "HIP332",
        ("HIP332",),
    ),
    "wavefront.divided_barriers": Indexed(
        "DividedBarriers",
        (words("__barrier_sync", "__syncthreads*", "sync") | texts("bar.sync", "barrier.sync", "barrier.cta.sync")) &
        (words("break", "continue", "else", "return", "switch") | texts("?")),
        "HIP335",
        ("HIP335",),
    ),
    "wavefront.own_builds": Indexed(
        "OwnBuilds",
        (texts("ROCM", "HIP", "AMD")),
        "HIP333",
        ("HIP333",),
    ),
    "wavefront.host_sizes": Indexed(
        "HostSizes",
        (texts("warpSize", "WarpSize", "WARP_SIZE")),
        "HIP334",
        ("HIP334",),
    ),
    "libraries.call_operators": Indexed(
        "CallOperators",
        (words("operator")) & (texts("cub::Device")),
        "call-operators",
    ),
    "libraries.logical_warps": Indexed(
        "LogicalWarps",
        (uses("cub::Warp*")),
        "logical-warps",
    ),
    "libraries.fragments": Indexed(
        "FragmentShapes",
        (uses("nvcuda::wmma::fragment")),
        "HIP502",
        ("HIP502",),
    ),
    "libraries.fragment_threads": Indexed(
        "FragmentThreads",
        (uses("nvcuda::wmma::fragment")),
        "HIP503",
        ("HIP503",),
    ),
    "libraries.fragment_values": Indexed(
        "FragmentValues",
        (uses("nvcuda::wmma::fragment")),
        "HIP504",
        ("HIP504",),
    ),
    "libraries.block_transposes": Indexed(
        "BlockTransposes",
        (uses("cub::BLOCK_LOAD_WARP_TRANSPOSE", "cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED",
        "cub::BLOCK_STORE_WARP_TRANSPOSE", "cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED")),
        "block-transposes",
    ),
    "preprocessor.existing_hip_branch": Indexed(
        "ExistingHipBranch",
        (uses("__CUDACC_EXTENDED_LAMBDA__", "__CUDACC_RELAXED_CONSTEXPR__", "__CUDACC_RTC__", "__CUDACC__",
        "__CUDA_ARCH__", "__CUDA_BF16_H__", "__CUDA_BF16_TYPES_EXIST__", "__CUDA_FP16_H__",
        "__CUDA_FP16_TYPES_EXIST__", "__CUDA_FP8_H__", "__CUDA_FP8_TYPES_EXIST__", "__CUDA_NO_HALF_CONVERSIONS__",
        "__CUDA_NO_HALF_OPERATORS__", "__CUDA_PROFILER_API_H__", "__CUDA_RUNTIME_API_H__", "__CUDA_RUNTIME_H__",
        "__CUDA__", "__NVCC__", "__cuda_cuda_h__")) & (words("HIPCUB_VERSION", "HIPIFY_EITHER", "HIP_INCLUDE_HIP_*",
        "HIP_VERSION*", "__HIP*", "elif*") | facts(Fact.ELIFS)),
        "existing-hip-branch",
    ),
    "preprocessor.own_hip_build": Indexed(
        "OwnHipBuild",
        (uses("__CUDACC__", "__CUDA_ARCH__", "__CUDA__", "__NVCC__")) & (facts(Fact.ELIFS)),
        "own-hip-build",
    ),
    "preprocessor.both_compilers": Indexed(
        "BothCompilers",
        (facts(Fact.DUAL)) & (facts(Fact.USED_MACROS)),
        "both-compilers",
    ),
    "preprocessor.both_switches": Indexed(
        "BothSwitches",
        (facts(Fact.DUAL)),
        "both-switches",
    ),
    "preprocessor.architecture": Indexed(
        "ArchitectureNumbers",
        (uses("__CUDA_ARCH__")),
        "HIP401",
        ("HIP401",),
    ),
    "preprocessor.versions": Indexed(
        "VersionComparisons",
        (uses("CCCL_MAJOR_VERSION", "CCCL_MINOR_VERSION", "CCCL_VERSION", "CUBLAS_VERSION", "CUBLAS_VER_MAJOR",
        "CUBLAS_VER_MINOR", "CUB_MAJOR_VERSION", "CUB_MINOR_VERSION", "CUB_VERSION", "CUDART_VERSION", "CUDA_VERSION",
        "CUDNN_MAJOR", "CUDNN_MINOR", "CUDNN_VERSION", "CUSOLVER_VERSION", "CUSOLVER_VER_MAJOR", "CUSOLVER_VER_MINOR",
        "CUSPARSE_VERSION", "CUSPARSE_VER_MAJOR", "CUSPARSE_VER_MINOR", "__CUDACC_VER_MAJOR__",
        "__CUDACC_VER_MINOR__", "__CUDACC_VER__", "__CUDART_API_VERSION")),
        "HIP402",
        ("HIP402",),
    ),
    "dialect.pragma_macros": Indexed(
        "PragmaMacros",
        (facts(Fact.DEFINES)) & (texts("pragma")),
        "pragma-macro",
    ),
    "dialect.register_keyword": Indexed(
        "RegisterKeyword",
        (words("register")),
        "register",
    ),
    "dialect.standard_functions": Indexed(
        "StandardFunctions",
        (words("__device__", "__global__")) & (words("free", "malloc", "memcpy", "memset", "printf")),
        "standard-functions",
    ),
    "dialect.host_branches": Indexed(
        "HostBranches",
        (facts(Fact.DEFINES)) & (words("__byte_perm", "__funnelshift_l", "__funnelshift_r")),
        "host-branches",
    ),
    "dialect.std_names": Indexed(
        "StdNames",
        (words("byte", "complex", "conj", "data", "empty", "imag", "norm", "polar", "proj", "real", "size")),
        "std-names",
    ),
    "dialect.template_keywords": Indexed(
        "TemplateKeywords",
        (words("template", "typename")),
        "template-keyword",
    ),
    "dialect.host_constructors": Indexed(
        "HostConstructors",
        (words("__device__")) & (words("class", "struct")),
        "host-constructors",
    ),
    "dialect.pass_attributes": Indexed(
        "PassAttributes",
        (uses("__CUDA_ARCH__")) & (words("__device__")) & (facts(Fact.DEFINES)),
        "pass-attributes",
    ),
    "dialect.host_alignment": Indexed(
        "HostAlignment",
        (uses("__align__")),
        "host-alignment",
    ),
    "dialect.misplaced_restrict": Indexed(
        "MisplacedRestrict",
        (words("__restrict", "__restrict__")),
        "misplaced-restrict",
    ),
}
