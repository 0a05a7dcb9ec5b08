"""What an AMD branch decides about warps makes the code that goes by it the author's own; any other decides nothing."""

from __future__ import annotations

import pytest

from hipify_py import Options, Translation, translate
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.targeting import Targeting

OPTIONS = Options(implicit_runtime=False)
KERNEL = "__global__ void k(int *o) {{ o[0] = {} + __shfl_xor_sync(0xffffffff, o[1], 1); }}\n"
OTHER = "__global__ void other(int *o) { o[0] = __shfl_down_sync(0xffffffff, o[1], 16) + threadIdx.x % 32; }\n"
KEPT = "__shfl_down(o[1], 16, 32)"
OWN = "__shfl_xor_sync(0xffffffffffffffffull, o[1], 1)"


def run(source: str, **project: object) -> Translation:
    return translate(source, path="a.cu", options=OPTIONS, project=ProjectContext(**project))  # type: ignore[arg-type]


def either(amd: str, cuda: str, condition: str = "ifdef USE_ROCM") -> str:
    return f"#{condition}\n{amd}\n#else\n{cuda}\n#endif\n"


CHOICES = [
    (either("#define WARP_SIZE 64", "#define WARP_SIZE 32"), "threadIdx.x / WARP_SIZE"),
    (either("#define WARP_SIZE warpSize", "#define WARP_SIZE 32", "if defined(__HIP_PLATFORM_AMD__)"), "WARP_SIZE"),
    (either("#define kWarp 32\n#define WARP_SIZE 32", "#define WARP_SIZE 64", "ifndef USE_ROCM"), "WARP_SIZE"),
    (either("constexpr int kWarpSize = 64;", "constexpr int kWarpSize = 32;"), "threadIdx.x % kWarpSize"),
    ("constexpr int kWarpSize =\n#ifdef __gfx90a__\n64;\n#else\n32;\n#endif\n", "threadIdx.x % kWarpSize"),
    (either("#define WARP_SIZE 64", "#define WARP_SIZE 32") + "#define LANES_HALF (WARP_SIZE / 2)\n", "LANES_HALF"),
    (either("#define WARP_SIZE 64", "#define WARP_SIZE 32") + "struct T { static constexpr int w = WARP_SIZE; };\n", "T::w"),
    (
        either("#define WARP_SIZE 32", "#define WARP_SIZE 64", "if defined(__CUDACC__) && !defined(__HIPCC__)"),
        "threadIdx.x / WARP_SIZE",
    ),
    (
        either(
            "__device__ int sum(int v) { return v + __shfl_xor_sync(~0u, v, 16); }",
            "__device__ int sum(int v) { return v + __shfl_xor(v, 32); }",
            "if !defined(__HIP_PLATFORM_AMD__) && defined(__CUDACC__)",
        ),
        "sum(o[2])",
    ),
    (either("using mask_t = unsigned long long;", "using mask_t = unsigned;"), "int(mask_t(o[2]))"),
    (either("typedef uint64_t lane_mask_t;", "typedef uint32_t lane_mask_t;", "if GGML_USE_HIP"), "int(lane_mask_t())"),
    (either("#define SHFL(v, l) __shfl(v, l)", "#define SHFL(v, l) __shfl_sync(~0u, v, l)"), "SHFL(o[2], 0)"),
    (
        either(
            "__device__ int sum(int v) { return v + __shfl_xor(v, 32); }",
            "__device__ int sum(int v) { return v + __shfl_xor_sync(~0u, v, 16); }",
        ),
        "sum(o[2])",
    ),
    (either("#define WARP_SIZE 64", "#define WARP_SIZE 32") + "__device__ int lane() { return threadIdx.x % WARP_SIZE; }\n", "lane()"),
]  # fmt: skip


def test_a_header_for_amd_gpus_says_what_its_author_means() -> None:
    own = "#define __shfl_xor_sync(m, v, l, w) __shfl_xor(v, l, w)\n"
    calls = "#define cublasSetMathMode(handle, mode) CUBLAS_STATUS_SUCCESS\n"
    found = run(f"#include <hip/hip_runtime.h>\n{own}{calls}")
    assert own in found.output.decode()
    assert "HIPBLAS_STATUS_SUCCESS" in found.output.decode()
    masked = own.replace("v, l, w)\n", "v, (l) & 31, w)\n")
    assert masked in run(f"#ifdef USE_ROCM\n#include <hip/hip_runtime.h>\n#endif\n{own}{calls}").output.decode()


@pytest.mark.parametrize(("head", "use"), CHOICES)
def test_code_that_goes_by_a_choice_is_its_authors(head: str, use: str) -> None:
    found = run(head + KERNEL.format(use) + OTHER)
    text = found.output.decode()
    assert OWN in text
    assert KEPT in text, "a kernel that names nothing of it is kept"
    assert found.warps.author
    assert found.warps.kept


@pytest.mark.parametrize(
    "head",
    [
        either('const char *name() { return "rocm"; }', 'const char *name() { return "cuda"; }'),
        either("#define FENCE() __threadfence()", "#define FENCE() __threadfence_block()"),
        either("#include <hip/hip_runtime.h>", "#include <cuda_runtime.h>"),
        either("#define WARP_SIZE 32", "#define WARP_SIZE 32"),
        either("#define BLOCK 256", "#define BLOCK 128"),
        "#ifndef WARP_SIZE\n#define WARP_SIZE 32\n#endif\n",
        "// #ifdef USE_ROCM\n#define WARP_SIZE 32\n",
        "#if !defined(NO_HIP)\n#define WARP_SIZE 32\n#endif\n",
    ],
)
def test_a_branch_about_something_else_decides_nothing(head: str) -> None:
    found = run(head + KERNEL.format("name()[0] + WARP_SIZE + BLOCK") + OTHER)
    assert "__shfl_xor(o[1], 1, 32)" in found.output.decode()
    assert not found.warps.author


def test_what_only_amd_compiles_stays_as_it_is() -> None:
    source = (
        "__device__ int f(int v) {\n" + either("  return __shfl(v, 0, 32);", "  return __shfl_sync(~0u, v, 0);") + "}\n"
    )
    found = run(source).output.decode()
    assert "return __shfl(v, 0, 32);\n#else\n  return __shfl(v, 0, 32);" in found


def test_a_wavefront_in_an_amd_branch_among_warps_of_32_is_reported() -> None:
    source = (
        "__device__ int f(int v, unsigned m) {\n  const int leader = __ffs(m) - 1 + (threadIdx.x & 31);\n"
        + either("  v = __shfl(v, leader);", "  v = __shfl_sync(m, v, leader);")
        + "  return v;\n}\n"
    )
    found = [(one.id, one.line) for one in run(source).findings if one.severity == "warning" and one.id != "HIP333"]
    assert found == [("HIP305", 4)]


def test_a_wavefront_in_an_amd_branch_that_stands_alone_is_its_authors() -> None:
    source = (
        "__device__ int f(int v) {\n"
        + either(
            "  for (int d = 32; d; d /= 2) v += __shfl_xor(v, d);",
            "  for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);",
        )
        + "  return v;\n}\n__global__ void k(int *o) { o[0] = f(o[threadIdx.x]); }\n"
    )
    assert not [one for one in run(source).findings if one.severity == "warning" and one.id != "HIP333"]
    among_kept = source.replace("o[0] = f", "o[__popc(__ballot_sync(~0u, o[1]))] = f")
    assert [
        (one.id, one.line) for one in run(among_kept).findings if one.severity == "warning" and one.id != "HIP333"
    ] == [("HIP305", 3)]


@pytest.mark.parametrize(
    "own",
    [
        "#define VOTES(p) ((unsigned)(__ballot(p) >> (__lane_id() & 32u)))",
        "#define VOTES(p) (unsigned)(__ballot(p) >> (__lane_id() & ~(unsigned)31))",
        "__device__ unsigned VOTES(int p) { auto all = __ballot(p); return all >> (__lane_id() & ~31u); }",
        "__device__ inline int own_shuffle(int v) { return __shfl(v, 0, 32); }\n#define VOTES(p) own_shuffle(p)",
    ],
)
def test_an_amd_branch_within_32_lanes_chooses_nothing(own: str) -> None:
    source = (
        either(own, "#define VOTES(p) __ballot_sync(~0u, p)")
        + "__global__ void k(int *o) { o[0] = VOTES(o[1]) + __shfl_sync(~0u, o[2], 0); }\n"
    )
    found = run(source)
    assert "__shfl(o[2], 0, 32)" in found.output.decode()
    assert not [one for one in found.findings if one.severity == "warning" and one.id != "HIP333"]


def test_the_authors_masks_of_32_bits_are_reported() -> None:
    head = CHOICES[0][0]
    source = head + "__device__ int f(unsigned m, int v) { return __shfl_sync(m, v, WARP_SIZE - 1); }\n"
    found = run(source)
    assert found.output.decode() == source
    assert [one.id for one in found.findings if one.severity == "warning" and one.id != "HIP333"] == ["HIP301"]
    held = head + "__device__ int g(int v) { unsigned m = __ballot(v); return __popc(m) / WARP_SIZE; }\n"
    assert [one.id for one in run(held).findings if one.severity == "warning" and one.id != "HIP333"] == ["HIP320"]


@pytest.mark.parametrize(
    ("head", "mask"),
    [
        ("", "0xffffffffffffffffull"),
        ("", "__activemask()"),
        ("typedef unsigned long long lanes_t;", "lanes_t(-1)"),
        ("__device__ unsigned long long all;", "all"),
    ],
)
def test_the_authors_masks_of_64_bits_are_right(head: str, mask: str) -> None:
    source = CHOICES[0][0] + f"{head}\n__device__ int f(int v) {{ return __shfl_sync({mask}, v, WARP_SIZE - 1); }}\n"
    found = run(source)
    assert found.output.decode() == source
    assert [one.id for one in found.findings if one.id == "HIP301"] == []


def test_other_files_choices_are_known_by_their_names() -> None:
    found = run(KERNEL.format("threadIdx.x % LANE_COUNT") + OTHER, author_names=frozenset({b"LANE_COUNT"}))
    assert OWN in found.output.decode()
    assert KEPT in found.output.decode()


def test_torchs_own_size_follows_the_device() -> None:
    assert OWN in run(KERNEL.format("threadIdx.x % C10_WARP_SIZE")).output.decode()


@pytest.mark.parametrize(
    "condition", ["ifdef USE_ROCM", "if defined(__HIPCC__)", "if defined(MINE_WITH_HIP) && MINE_WITH_HIP"]
)
def test_the_authors_warp_size_is_no_constant(condition: str) -> None:
    head = either("#define WARPS (1024 / warpSize)", "#define WARPS 32", condition)
    source = head + "__global__ void k() { __shared__ int s[WARPS]; s[threadIdx.x / warpSize] = __any(1); }\n"
    found = [one for one in run(source).findings if one.id == "HIP303"]
    assert [one.line for one in found] == [2]


@pytest.mark.parametrize(
    "aliases",
    [
        either("typedef my_wide votes_mask;", "typedef my_narrow votes_mask;"),
        either("typedef unsigned long long lane_set;", "typedef unsigned lane_set;"),
    ],
)
def test_a_type_of_masks_that_an_amd_branch_chooses_is_a_choice(aliases: str) -> None:
    name = "lane_set" if "lane_set" in aliases else "votes_mask"
    source = aliases + f"__device__ {name} f({name} all, int p) {{ return __ballot_sync(all, p); }}\n"
    assert run(source).output.decode() == source


def test_what_amd_gpus_never_compile_beside_a_choice_is_cudas() -> None:
    head = "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
    cuda = "  v += __shfl_xor_sync(m, v, WARP_SIZE / 2);"
    source = head + "__device__ int f(int v, unsigned m) {\n" + either("  v += 1;", cuda) + "  return v;\n}\n"
    found = run(source)
    assert "v += __shfl_xor(v, (WARP_SIZE / 2) & 31, 32);" in found.output.decode()
    assert not [one for one in found.findings if one.severity == "warning" and one.id != "HIP333"]


def test_a_macro_for_cuda_beside_its_twin_for_hip_tells_the_builds_apart() -> None:
    source = (
        "#if defined(LIB_WITH_CUDA) || defined(LIB_WITH_HIP)\n__device__ auto f(int p) {\n"
        "#if defined(LIB_WITH_CUDA)\n  return __ballot_sync(__activemask(), p);\n#else\n  return __ballot(p);\n#endif\n}\n#endif\n"
    )
    output = run(source).output.decode()
    assert "hipify::warp32::ballot_sync(hipify::warp32::activemask(), p)" in output
    assert "#else\n  return __ballot(p);" in output


def test_a_macro_for_cuda_in_front_of_one_for_amd_gpus_tells_the_builds_apart() -> None:
    sizes = "#if OTHERS_CUDA\n#define WARP_SIZE 32\n#elif USE_ROCM\n#define WARP_SIZE warpSize\n#endif\n"
    source = sizes + (
        "__device__ int f(unsigned m, int v, int width = WARP_SIZE) {\n"
        "#if OTHERS_CUDA\n  return __shfl_sync(m, v, 1, width);\n#elif USE_ROCM\n  return __shfl(v, 1, width);\n#endif\n}\n"
    )
    found = run(source)
    assert not [one for one in found.findings if one.severity == "warning" and one.id != "HIP333"]
    assert "  return __shfl(v, 1, width);\n#elif" in found.output.decode()


@pytest.mark.parametrize(("define", "is_reported"), [("", True), ("#define LIB_WARP_SIZE 32\n", False)])
def test_a_size_of_warps_that_the_build_may_set_to_64_is_reported(define: str, is_reported: bool) -> None:
    source = define + (
        "#if LIB_WARP_SIZE == 64\n#define SHIFT 6\n#else\n#define SHIFT 5\n#endif\n"
        "__device__ int f(int v) { return __shfl_sync(~0u, v, 0) + (threadIdx.x >> SHIFT); }\n"
    )
    found = run(source)
    assert "__shfl(v, 0, 32)" in found.output.decode()
    assert [one.id for one in found.findings if one.severity == "warning"] == ["HIP305"] * is_reported


def test_a_macro_that_tells_amd_gpus_apart_leaves_them_the_other_branch() -> None:
    source = (
        "#ifdef AMD_RDNA\n#define VOTES(p) __ballot(p)\n"
        "#else\n#define VOTES(p) (unsigned)(__ballot(p) >> (threadIdx.x & ((64 - 1) ^ (32 - 1))))\n#endif\n"
        "__device__ int f(int p) { return __builtin_amdgcn_readfirstlane(VOTES(p)); }\n"
    )
    found = run(source)
    assert found.output.decode() == source
    assert translate(source, path="kernels.hip", options=OPTIONS).output.decode() == source
    assert not [one for one in found.findings if one.severity == "warning"]


def test_a_method_of_the_same_name_in_another_class_is_not_chosen() -> None:
    method = "__device__ void first() {{ val = {}; }}"
    own = either(method.format("__shfl(val, threadIdx.x & 32)"), method.format("__shfl_sync(~0u, val, 0)"))
    other = f"struct Other {{ int val;\n{method.format('__shfl_sync(~0u, val, 0)')} }};\n"
    output = run(other + "struct Own { int val;\n" + own + "};\n").output.decode()
    assert output.startswith("struct Other { int val;\n__device__ void first() { val = __shfl(val, 0, 32); } };")
    assert "val = __shfl(val, threadIdx.x & 32)" in output


def test_an_authors_macro_of_a_warp_function_may_drop_the_mask() -> None:
    macro = either("#define __shfl_down_sync(mask, v, d) __shfl_down(v, d)", "#define OTHER")
    source = macro + "__device__ int f(int v, unsigned m) { return __shfl_down_sync(m, v, 1); }\n"
    found = run(source)
    assert found.output.decode() == source
    assert not [one for one in found.findings if one.severity == "warning" and one.id != "HIP333"]


def test_a_scan_of_an_amd_branch_is_the_same_over_the_wavefront() -> None:
    source = (
        "__device__ int f(int v, int lane) {\n  for (int d = 1; d < 32; d *= 2) {\n"
        + either("    int n = __shfl_up(v, d);", "    int n = __shfl_up_sync(~0u, v, d);")
        + "    if (lane >= d) v += n;\n  }\n  return __shfl_sync(~0u, v, 31);\n}\n"
    )
    assert not [one for one in run(source).findings if one.severity == "warning" and one.id != "HIP333"]


@pytest.mark.parametrize(
    ("condition", "is_told"),
    [
        ("ifdef USE_ROCM", True),
        ("if defined(GGML_USE_HIP)", True),
        ("ifdef __IS_HIP_COMPILE__", True),
        ("ifdef __HIP_PLATFORM_AMD__", False),
        ("if defined(USE_ROCM) || defined(__HIPCC__)", False),
        ("if defined(USE_ROCM) && defined(__HIP_PLATFORM_AMD__)", True),
        ("ifdef LIB_USE_HIPBLAS", True),
    ],
)
def test_the_macro_of_a_projects_own_build_is_told_once(condition: str, is_told: bool) -> None:
    sizes = either("#define WARP_SIZE 64", "#define WARP_SIZE 32", condition)
    masks = either("using mask_t = unsigned long long;", "using mask_t = unsigned;", condition)
    found = [(one.id, one.line, one.severity) for one in run(sizes + masks + OTHER).findings]
    assert found == [("HIP333", 1, "warning")] * is_told


def test_the_macro_of_a_projects_own_build_is_named_where_it_decides() -> None:
    text = either('#define NAME "rocm"', '#define NAME "cuda"', "ifdef USE_ROCM")
    sizes = either("#define WARP_SIZE 64", "#define WARP_SIZE 32", "ifdef __HIP_PLATFORM_AMD__")
    assert [one.id for one in run(text + sizes).findings] == []
    sizes = either("#define WARP_SIZE 64", "#define WARP_SIZE 32", "ifdef USE_HIP")
    assert [(one.id, one.line) for one in run(text + sizes).findings] == [("HIP333", 6)]


SIZES = either("#define WARP_SIZE 64", "#define WARP_SIZE 32", "{}")


@pytest.mark.parametrize(
    "code",
    [
        "#ifdef ENABLE_HIP\n" + OTHER.replace("0xffffffff", "0xffffffffffffffffull") + "#endif\n",
        "#ifdef LIB_HIP\nvoid start(hipDeviceProp_t p) { int n = p.warpSize; }\n#else\nvoid start(int) {}\n#endif\n",
        "#if LIB_WITH_HIP\n__device__ int sum(int v) { return v + __shfl_xor(v, 32); }\n#endif\nint f();\n",
    ],
)
def test_code_that_other_builds_do_not_have_is_not_told(code: str) -> None:
    assert not [one for one in run(code).findings if one.id == "HIP333"]


def test_what_replaces_a_built_in_function_in_the_projects_build_alone_is_told() -> None:
    code = "#ifdef USE_ROCM\n#define __shfl_xor_sync(m, v, d) __shfl_xor(v, d)\n#endif\n"
    assert [(one.id, one.line) for one in run(code + OTHER).findings] == [("HIP333", 1)]


@pytest.mark.parametrize(("rest", "ids"), [("v", []), ("__shfl_sync(~0u, v, 0)", ["HIP333"])])
def test_another_way_to_write_a_shuffle_is_told_where_operations_go_by_it(rest: str, ids: list[str]) -> None:
    macro = either("#define SHFL_XOR(v, d) __shfl_xor(v, d)", "#define SHFL_XOR(v, d) __shfl_xor_sync(~0u, v, d)")
    found = run(macro + f"__device__ float f(float v) {{ v += SHFL_XOR(v, 16); return {rest}; }}\n")
    assert [finding.id for finding in found.findings] == ids


def test_a_parameter_is_no_choice_of_a_size() -> None:
    """ggml's `mmq_get_nwarps_host(const int cc, const int warp_size)`."""
    host = "static int warps({}const int warp_size) {{ return 256 / warp_size; }}"
    found = run(either(host.format("int cc, "), host.format("int, "), "ifdef GGML_USE_HIP") + OTHER)
    assert not found.findings
    assert KEPT in found.output.decode()


def test_a_macro_that_the_project_defines_in_any_build_is_not_told() -> None:
    assert [one.id for one in run(SIZES.format("ifdef BNB_HIP")).findings] == ["HIP333"]
    assert not run(SIZES.format("ifdef BNB_HIP"), implied_macros=frozenset({b"BNB_HIP"})).findings


@pytest.mark.parametrize(
    ("condition", "rocm", "is_authors"),
    [
        ("ifdef __HIP_PLATFORM_HCC__", "5.2", True),
        ("ifdef __HIP_PLATFORM_HCC__", "6.0", False),
        ("ifdef __HIP_PLATFORM_HCC__", "", False),
        ("if defined(__HIP_PLATFORM_HCC__) || defined(__HIP_PLATFORM_AMD__)", "", True),
        ("if defined(__CUDACC__) && defined(__HIP_PLATFORM_AMD__)", "", False),
        ("if (defined(USE_ROCM) && ROCM_VERSION >= 60200) || (defined(CUDA_VERSION) && CUDA_VERSION > 9)", "", False),
        ("if defined(USE_ROCM) && ROCM_VERSION >= 60200", "", True),
    ],
)
def test_a_branch_that_hipcc_does_not_take_chooses_nothing(condition: str, rocm: str, is_authors: bool) -> None:
    options = OPTIONS._replace(targeting=Targeting(rocm=rocm))
    found = translate(SIZES.format(condition) + KERNEL.format("threadIdx.x / WARP_SIZE"), path="a.cu", options=options)
    assert ("__shfl_xor(o[1], 1, 32)" not in found.output.decode()) == is_authors


@pytest.mark.parametrize("condition", ["ifdef USE_ROCM", "if defined(LIB_HIP) && defined(__HIP_PLATFORM_AMD__)"])
def test_a_function_that_gives_the_size_is_a_choice(condition: str) -> None:
    size = "constexpr __device__ int physical_warp_size() {\n" + either("return 64;", "return 32;", condition) + "}\n"
    found = run(size + KERNEL.format("threadIdx.x / physical_warp_size()") + OTHER)
    assert OWN in found.output.decode()
    assert KEPT in found.output.decode()
    assert [one.id for one in found.findings if one.severity == "warning"] == ["HIP333"]
    of_32 = size.replace("64", "32")
    assert OWN not in run(of_32 + KERNEL.format("threadIdx.x / physical_warp_size()")).output.decode()


@pytest.mark.parametrize("branch", ["ifndef USE_ROCM", "if !defined(USE_ROCM) && defined(__CUDACC__)"])
def test_what_only_builds_without_the_authors_macro_compile_is_cudas(branch: str) -> None:
    sizes = either("#define WARP_SIZE 64", "#define WARP_SIZE 32")
    vote = f"#{branch}\n  if (__all_sync(~0u, o[2])) return;\n#endif\n"
    source = sizes + "__global__ void k(int *o) {\n" + vote + "  o[0] = threadIdx.x / WARP_SIZE;\n}\n"
    assert "if (hipify::warp32::all_sync(o[2])) return;" in run(source).output.decode().replace("~0u, ", "")


def test_an_include_guard_is_no_branch() -> None:
    source = either("#define WARP_SIZE 64", "#define WARP_SIZE 32") + KERNEL.format("threadIdx.x / WARP_SIZE")
    guarded = f"#ifndef LIB_HIP_WARPS_H\n#define LIB_HIP_WARPS_H\n{source}#endif\n"
    assert OWN in run(guarded).output.decode()


def test_a_host_read_beside_an_authors_size_is_reported() -> None:
    sizes = either("#define WARP_SIZE 64", "#define WARP_SIZE 32", "ifdef __HIP_PLATFORM_AMD__")
    kernel = "__global__ void k(int *o) { o[threadIdx.x / WARP_SIZE] = 1; }\n"
    read = "struct Info { int lanes; } info;\nvoid init(const cudaDeviceProp &p) { info.lanes = p.warpSize; }\n"
    assert [one.id for one in run(sizes + kernel + read).findings] == ["HIP334"]
    launch = "void run(int *o, const cudaDeviceProp &p) { k<<<1, p.warpSize>>>(o); }\n"
    found = run(sizes + kernel + launch)
    assert "dim3(p.warpSize)" in found.output.decode(), "it launches the author's code"
    assert [one.id for one in found.findings] == []
    assert [one.id for one in run(read, author_sizes=frozenset({b"LANES"})).findings] == ["HIP334"]
    assert [one.id for one in run(kernel.replace("WARP_SIZE", "32") + read).findings] == []


def test_an_overload_of_a_built_in_function_goes_by_no_choice() -> None:
    sizes = either("#define WARP_SIZE 64", "#define WARP_SIZE 32", "ifdef __HIP_PLATFORM_AMD__")
    overload = (
        "struct Half { float y; };\n__device__ Half __shfl_xor_sync(unsigned m, Half h, int d, int width = warpSize) {\n"
        "  Half r; r.y = __shfl_xor_sync(m, h.y, d, width); return r;\n}\n"
    )
    found = run(sizes + overload + KERNEL.format("threadIdx.x / WARP_SIZE") + OTHER).output.decode()
    assert "int width = 32)" in found
    assert "o[1], 1)" in found, "the kernel that counts by the author's size is the author's"
    assert KEPT in found
