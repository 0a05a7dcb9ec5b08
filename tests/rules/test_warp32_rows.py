"""Warps keep their 32 lanes: what each warp operation becomes, in every way in which it can be named."""

from __future__ import annotations

import pytest

from hipify_py import Options, Translation, translate
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.targeting import Targeting

PLAIN = Options(implicit_runtime=False)
UNFIXED = PLAIN._replace(fixes=frozenset())


def run(source: str, options: Options = PLAIN, **project: object) -> Translation:
    found = translate(source, path="a.cu", options=options, project=ProjectContext(**project))  # type: ignore[arg-type]
    again = translate(found.output, path="a.cu", options=options, project=ProjectContext(**project))  # type: ignore[arg-type]
    assert again.output == found.output, "translating the output again changes it"
    return found


def output(source: str, options: Options = PLAIN, **project: object) -> str:
    return run(source, options, **project).output.decode().replace('#include "hipify_support.hpp"\n', "")


def warnings(source: str, options: Options = PLAIN, **project: object) -> list[str]:
    return [
        f"{found.line} {found.id}" for found in run(source, options, **project).findings if found.severity != "note"
    ]


def device(expression: str) -> str:
    return f"template <class T> __device__ auto f(T v, int l, unsigned m) {{ return {expression}; }}\n"


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("__shfl_sync(m, v, l)", "__shfl(v, l, 32)"),
        ("__shfl_sync(0xffffffff, v, l, 8)", "__shfl(v, l, 8)"),
        ("__shfl_up_sync(~0u, v, 1)", "__shfl_up(v, 1, 32)"),
        ("__shfl_down_sync(-1, v, 16, warpSize)", "__shfl_down(v, 16, 32)"),
        ("__shfl_xor_sync(__activemask(), v, l)", "__shfl_xor(v, l & 31, 32)"),
        ("__shfl_up_sync(m, v, l - 1, 16)", "__shfl_up(v, (l - 1) & 31, 16)"),
        ("__shfl_down(v, 32)", "__shfl_down(v, (32) & 31, 32)"),
        ("l < 32u && l >= 0 ? __shfl_xor_sync(m, v, l) : 0", "l < 32u && l >= 0 ? __shfl_xor(v, l, 32) : 0"),
        ("__shfl(v, l)", "__shfl(v, l, 32)"),
        ("__shfl_down(v, l, 4)", "__shfl_down(v, l & 31, 4)"),
        ("__ballot_sync(m, v)", "hipify::warp32::ballot_sync(m, v)"),
        ("__ballot(v)", "hipify::warp32::ballot(v)"),
        ("__any_sync(m, v) + __all_sync(m, v)", "hipify::warp32::any_sync(m, v) + hipify::warp32::all_sync(m, v)"),
        ("__any(v) + __all(v)", "hipify::warp32::any(v) + hipify::warp32::all(v)"),
        ("__match_any_sync(m, v)", "hipify::warp32::match_any_sync(m, v)"),
        ("__match_all_sync(m, v, &l)", "hipify::warp32::match_all_sync(m, v, &l)"),
        ("__reduce_add_sync(m, v)", "hipify::warp32::reduce_add_sync(m, v)"),
        ("__reduce_xor_sync(m, v)", "hipify::warp32::reduce_xor_sync(m, v)"),
        ("__activemask()", "hipify::warp32::activemask()"),
        ("__ballot(v) ? l % warpSize : 0", "hipify::warp32::ballot(v) ? l % 32 : 0"),
        (
            "__popc(__ballot_sync(m, v) & ((1u << l) - 1))",
            "__popc(hipify::warp32::ballot_sync(m, v) & ((1u << l) - 1))",
        ),
        ("__ffs(__activemask()) - 1", "__ffs(hipify::warp32::activemask()) - 1"),
    ],
)
@pytest.mark.parametrize("rocm", ["", "5.2", "6.2", "7.0"])
def test_an_operation_is_kept_whatever_the_rocm(written: str, becomes: str, rocm: str) -> None:
    options = PLAIN._replace(targeting=Targeting(rocm=rocm))
    assert output(device(written), options) == device(becomes)
    assert warnings(device(written), options) == []


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("#define shuffle __shfl_sync", "#define shuffle hipify::warp32::shfl_sync"),
        ("#define BALLOT(p) __ballot_sync(ALL, p)", "#define BALLOT(p) hipify::warp32::ballot_sync(ALL, p)"),
        ("#define VOTE __any", "#define VOTE hipify::warp32::any"),
        ("#define DOWN(m, ...) __shfl_down_sync(m, __VA_ARGS__)", "#define DOWN(m, ...) hipify::warp32::shfl_down_sync(m, __VA_ARGS__)"),
        ("#define UP(...) __shfl_up_sync(__VA_ARGS__)", "#define UP(...) hipify::warp32::shfl_up_sync(__VA_ARGS__)"),
        ("#define SUM(op, m, v) __reduce_##op##_sync(m, v)", "#define SUM(op, m, v) hipify::warp32::reduce_##op##_sync(m, v)"),
        ("#define OP(name, m, v) __##name##_sync(m, v)", "#define OP(name, m, v) hipify::warp32::name##_sync(m, v)"),
        ("#define LANES warpSize", "#define LANES 32"),
        ("#define ROWS (1024 / (int)warpSize)", "#define ROWS (1024 / (int)32)"),
        (
            "template <class T> __device__ T f(T v, int w = warpSize) { return __shfl_sync(~0u, v, 0, w); }",
            "template <class T> __device__ T f(T v, int w = 32) { return __shfl(v, 0, w); }",
        ),
        ("template <class... A> __device__ int f(A... a) { return __shfl_sync(a...); }", "template <class... A> __device__ int f(A... a) { return hipify::warp32::shfl_sync(a...); }"),
        ("__global__ void k() { __shared__ int s[1024 / warpSize]; }", "__global__ void k() { __shared__ int s[1024 / 32]; }"),
        ("__device__ auto p = &__shfl_xor_sync<int>;", "__device__ auto p = &hipify::warp32::shfl_xor_sync<int>;"),
    ],
)  # fmt: skip
def test_a_name_that_is_not_called_is_kept_as_well(written: str, becomes: str) -> None:
    assert output(written + "\n") == becomes + "\n"
    assert warnings(written + "\n") == []


def test_a_piece_that_a_macro_is_given_is_kept() -> None:
    source = "#define CALL(name, v) name##_sync(0xffffffff, v)\n__device__ int f(int v) { return CALL(__any, v); }\n"
    assert "CALL(hipify::warp32::any, v)" in output(source)


@pytest.mark.parametrize("call", ["__syncwarp()", "__syncwarp(m)", "__syncwarp(0x0000ffff)"])
def test_a_barrier_of_a_warp_has_no_mask(call: str) -> None:
    assert (
        output(f"__device__ void f(unsigned m) {{ {call}; }}\n") == "__device__ void f(unsigned m) { __syncwarp(); }\n"
    )


def test_arguments_around_a_directive_stay_with_the_name_of_the_support_header() -> None:
    source = (
        "__device__ int f(int v) {\n  return __shfl_sync(\n#ifdef A\n    1,\n#else\n    ~0u,\n#endif\n    v, 0);\n}\n"
    )
    assert output(source) == source.replace("__shfl_sync", "hipify::warp32::shfl_sync")


@pytest.mark.parametrize(
    ("body", "becomes"),
    [
        ("__shfl_down(v, d, 32)", "__shfl_down(v, (d) & 31, 32)"),
        ("__shfl_down(v, (d) & 31, 32)", "__shfl_down(v, (d) & 31, 32)"),
        ("__shfl_up_sync(~0u, v, ##__VA_ARGS__)", "hipify::warp32::shfl_up_sync(~0u, v, ##__VA_ARGS__)"),
    ],
)
def test_a_distance_in_a_macro_is_masked_once(body: str, becomes: str) -> None:
    source = "#define LATER(v, d, ...) {}\nvoid f() {{ cudaFree(0); }}\n"
    assert output(source.format(body)) == source.format(becomes).replace("cuda", "hip")


SHOW = '#define SHOW(f) printf(#f ": %d\\n", prop.f)\n#define SHOW_TOO(f) SHOW(f)\n'


@pytest.mark.parametrize(
    "stays",
    [
        "template <int warpSize> __global__ void k(int *o) { o[threadIdx.x / warpSize] = 1; }\n",
        "void f() { const int n = 4, warpSize = 16; int m = n * warpSize; }\n",
        "struct Init { int a, warpSize; };\n",
        SHOW + "void f(hipDeviceProp_t prop) { SHOW(warpSize); SHOW_TOO(warpSize); }\n",
        "#define FIELDS(X) X(regsPerBlock, REGISTERS) X(warpSize, WARP_SIZE)\n",
        "__global__ void k(int *o, Launch l) { o[threadIdx.x / l.warpSize] = 1; }\n",
        "struct S : Sizes { int f() { return this->warpSize; } };\n",
    ],
)
def test_another_thing_by_the_name_of_warp_size_stays(stays: str) -> None:
    kernel = "__global__ void other(int *o) { o[0] = threadIdx.x % warpSize; }\n"
    assert output(stays + kernel) == stays + kernel.replace("warpSize", "32")


@pytest.mark.parametrize("object", ["p.", "get().", "all[0].", "of_device->", "own.", "held->"])
def test_a_devices_properties_say_32_whatever_holds_them(object: str) -> None:
    head = (
        "int f(cudaDeviceProp p, cudaDeviceProp *of_device, Properties own, std::vector<P> all, std::unique_ptr<P> held)"
        " {{ return {}; }}\n"
    )
    kept = head.replace("cudaDeviceProp", "hipDeviceProp_t").format("32")
    assert output(head.format(object + "warpSize")) == kept


def test_a_call_with_template_arguments_is_of_the_projects_own_function() -> None:
    source = "__device__ double f(double v) {{ return __shfl_xor<CTA>(v, 16) + {}; }}\n"
    assert output(source.format("__shfl_xor(v, 16)")) == source.format("__shfl_xor(v, 16, 32)")
    assert output(source.format("(__ffs(3) <4 && 5> (v))")) == source.format("(__ffs(3) <4 && 5> (v))")


def test_an_own_overload_may_be_meant_and_keeps_its_name() -> None:
    source = (
        "struct Pair { int a, b; };\n"
        "__device__ Pair __shfl_down_sync(unsigned m, Pair p, unsigned d, int w = warpSize) { return p; }\n"
        "template <class T> __device__ T f(unsigned m, T p) { return __shfl_down_sync(m, p, 2); }\n"
    )
    found = output(source)
    assert "int w = 32)" in found
    assert "return __shfl_down_sync(__builtin_amdgcn_read_exec(), p, 2, 32);" in found


def test_an_own_overload_leaves_the_built_in_function_what_it_is() -> None:
    source = (
        "struct Pair {{ int a, b; }};\n"
        "__device__ Pair __shfl_down(Pair p, int d) {{ p.a = {}; return p; }}\n"
        "__device__ Pair f(Pair p) {{ return __shfl_down(p, 2); }}\n"
    )
    assert output(source.format("__shfl_down(p.a, 2)")) == source.format("__shfl_down(p.a, 2, 32)")


@pytest.mark.parametrize("condition", ["__CUDA_ARCH__ < 200", "defined(OLD_GPUS)"])
def test_a_vote_that_the_source_has_for_old_gpus_is_hips(condition: str) -> None:
    """HIP has the same signature, so that the definition is left out on AMD: calls reach HIP's vote of 64 lanes."""
    found = output(
        f"#if {condition}\n__device__ unsigned __ballot(int c) {{ return c; }}\n#endif\n"
        "__device__ unsigned f(int c) { return __ballot(c); }\n"
    )
    assert "#ifndef __HIP__" in found
    assert "return hipify::warp32::ballot(c);" in found


@pytest.mark.parametrize("head", ["T *", "T &", "Pair<T> ", "const T *const "])
def test_an_own_overload_that_returns_no_plain_name_is_a_definition(head: str) -> None:
    source = f"template <class T> __device__ {head}__shfl_sync(unsigned m, T *p, int l) {{ return g(p, l); }}\n"
    assert output(source) == source
    product = "__device__ int f(int v) { return 2 *__shfl_sync(~0u, v, 0); }\n"
    assert "2 *__shfl(v, 0, 32)" in output(product, PLAIN._replace(targeting=Targeting(rocm="5.2")))


@pytest.mark.parametrize("value", ["T *", "Pair", "const Pair *", "int *"])
def test_an_address_or_an_object_is_shuffled_by_the_projects_own_overload(value: str) -> None:
    source = (
        f"struct Pair {{ int a, b; }};\ntemplate <class T> __device__ void f(unsigned m, {value} p) "
        "{ auto q = __shfl_sync(m, p, 2); }\n"
    )
    for rocm in ("5.2", "7.1"):
        assert output(source, PLAIN._replace(targeting=Targeting(rocm=rocm))) == source
    numbers = source.replace(f"{value} p", "T p")
    assert output(numbers, PLAIN._replace(targeting=Targeting(rocm="5.2"))) == numbers.replace(
        "_sync(m, p, 2)", "(p, 2, 32)"
    )


def test_output_for_both_vendors_keeps_the_masks() -> None:
    found = output(device("__shfl_sync(m, v, l)"), PLAIN._replace(dual=True))
    assert "hipify::warp32::shfl_sync(m, v, l)" in found


def test_masks_and_counts_stay_32_bits_wide() -> None:
    source = (
        "__global__ void k(unsigned *out, int v) {\n"
        "  const unsigned lane = threadIdx.x & 31, below = (1u << lane) - 1, votes = __ballot_sync(~0u, v);\n"
        "  out[threadIdx.x >> 5] = votes; out[0] = __popc(votes & below) + __clz(votes) + (votes == 0xffffffff);\n}\n"
    )
    assert output(source) == source.replace("__ballot_sync", "hipify::warp32::ballot_sync")


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("cub::LaneId()", "hipify::warp32::lane_id()"),
        ("cub::WarpId()", "hipify::warp32::warp_id()"),
        ("cub::LaneMaskLt()", "hipify::warp32::lanemask_lt()"),
        ("CUB_PTX_WARP_THREADS", "32"),
    ],
)
def test_lanes_of_cub(written: str, becomes: str) -> None:
    found = run(f"#include <cub/cub.cuh>\n__device__ unsigned f() {{ return {written}; }}\n")
    assert becomes in found.output.decode()
    assert not [one for one in found.findings if one.id == "HIP103"]


def test_a_coalesced_group_is_that_of_the_own_32() -> None:
    source = (
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "__device__ int f() { auto g = cg::coalesced_threads(); return g.size(); }\n"
    )
    assert "auto g = hipify::warp32::coalesced_threads();" in output(source)


HOST = "__global__ void k(int *o) { o[threadIdx.x / 32] = __any_sync(~0u, o[0]); }\n"


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("int f(cudaDeviceProp p) { return p.warpSize; }", "int f(hipDeviceProp_t p) { return 32; }"),
        ("int f(cudaDeviceProp *p) { return p->warpSize; }", "int f(hipDeviceProp_t *p) { return 32; }"),
        ("bool f(const cudaDeviceProp &p) { return p.warpSize != 32; }", "bool f(const hipDeviceProp_t &p) { return 32 != 32; }"),
        ("void f(int *o, cudaDeviceProp p) { k<<<1, dim3(p.warpSize, 4)>>>(o); }", "void f(int *o, hipDeviceProp_t p) { hipLaunchKernelGGL(k, dim3(1), dim3(32, 4), 0, 0, o); }"),
        ("struct S { int warpSize; }; int f(S s) { return s.warpSize; }", "struct S { int warpSize; }; int f(S s) { return s.warpSize; }"),
        ("void f(cudaDeviceProp &p) { p.warpSize = 32; }", "void f(hipDeviceProp_t &p) { p.warpSize = 32; }"),
        ("int f() { int w; cudaDeviceGetAttribute(&w, cudaDevAttrWarpSize, 0); return w; }", "int f() { int w; hipify::warp32::get_device_attribute(&w, hipDeviceAttributeWarpSize, 0); return w; }"),
        ("int f(cudaDeviceAttr a) { int w; cudaDeviceGetAttribute(&w, a, 0); return w; }", "int f(hipDeviceAttribute_t a) { int w; hipify::warp32::get_device_attribute(&w, a, 0); return w; }"),
        ("int f() { int w; cudaDeviceGetAttribute(&w, cudaDevAttrMaxPitch, 0); return w; }", "int f() { int w; hipDeviceGetAttribute(&w, hipDeviceAttributeMaxPitch, 0); return w; }"),
    ],
)  # fmt: skip
def test_what_the_host_reads_of_the_devices_warps_is_32(written: str, becomes: str) -> None:
    assert output(HOST + written + "\n").splitlines()[-1] == becomes


def test_a_file_without_warps_reads_the_device_where_all_that_is_linked_is_known() -> None:
    source = "int f(cudaDeviceProp p) { return p.warpSize; }\n"
    assert output(source, has_device_warps=True) == "int f(hipDeviceProp_t p) { return p.warpSize; }\n"
    assert output(source) == "int f(hipDeviceProp_t p) { return 32; }\n"


def test_the_warps_of_raft_have_32_lanes_too() -> None:
    """hipRAFT's `raft::WarpSize` is 64 on AMD GPUs, and its `laneId` that of the wavefront (cuOpt, cuVS)."""
    head = "#include <raft/util/cuda_utils.cuh>\n"
    assert "threadIdx.x / 32;" in output(head + "__device__ int f() { return threadIdx.x / raft::WarpSize; }")
    assert "return hipify::warp32::lane_id();" in output(head + "__device__ int f() { return raft::laneId(); }")
    assert "namespace own { constexpr int WarpSize = 32; }" in output(head + "namespace own { using raft::WarpSize; }")


@pytest.mark.parametrize("expression", ["__shfl_sync(m, v, l)", "__ballot_sync(m, v)", "l / 32 + warpSize"])
def test_without_the_fix_the_code_stays_and_is_reported(expression: str) -> None:
    found = run(device(expression), UNFIXED)
    assert found.output.decode() == device(expression)
    assert "HIP305" in {one.id for one in found.findings}
    assert found.warps.reported == found.warps.total == 1


def test_without_the_support_header_what_needs_it_is_reported() -> None:
    options = PLAIN._replace(support=False)
    found = run(device("__shfl_sync(m, v, l) + __any_sync(m, v)"), options)
    assert "__shfl(v, l, 32) + __any_sync(m, v)" in found.output.decode()
    assert [one.name for one in found.findings if one.id == "HIP305"] == ["__any_sync"]
    assert (found.warps.kept, found.warps.reported) == (1, 1)


def test_a_local_warp_size_is_the_sources_own() -> None:
    source = "__device__ int f(int warpSize, int v) { return v % warpSize; }\n"
    assert output(source) == source


@pytest.mark.parametrize("rocm", ["5.2", "6.4"])
@pytest.mark.parametrize("call", ["__syncwarp()", "__syncwarp(0xffffffff)"])
def test_before_rocm_7_a_barrier_of_the_warp_is_written_out_whole(rocm: str, call: str) -> None:
    found = output(f"__device__ void f() {{ {call}; }}", PLAIN._replace(targeting=Targeting(rocm=rocm)))
    assert found.count('__builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront")') == 1
    assert found.count('__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront")') == 1
    assert "0xffffffff" not in found
