"""Conditions on CUDA's architectures, versions and compilers."""

from __future__ import annotations

import pytest

from hipify_py import Options, ProjectContext, translate
from hipify_py.core.targeting import Targeting
from tests.growth import assert_linear


def hip(source: str, **options: str) -> tuple[str, list[str]]:
    """The output, and the findings' ids."""
    result = translate(source, path="a.cu", options=Options(implicit_runtime=False, targeting=Targeting(**options)))
    return result.output.decode(), [finding.id for finding in result.findings]


@pytest.mark.parametrize(
    ("condition", "code", "other", "takes", "id"),
    [
        ("__CUDA_ARCH__ >= 600", "atomicAdd(p, 1.0);", "slow(p);", True, ""),
        ("__CUDA_ARCH__ >= 530", "__half h = __hadd(a, b);", "float f = 0;", True, ""),
        ("__CUDA_ARCH__ >= 800", "__nv_bfloat16 h = x;", "__trap();", True, ""),
        ("__CUDA_ARCH__ >= 800", 'asm("mma.sync.aligned.m16n8k16 ;");', "plain();", False, ""),
        ("__CUDA_ARCH__ >= 800", 'asm("mma.sync.aligned.m16n8k16 ;");', "", False, "HIP401"),
        ("__CUDA_ARCH__ >= 320", 'asm("shf.r.wrap.b32 ;");', "plain();", False, ""),
        ("__CUDA_ARCH__ >= 800", 'asm("mma.sync.aligned.m16n8k16 ;");', "return 0;", False, "HIP401"),
        ("__CUDA_ARCH__ >= 800", 'asm("mma.sync.aligned.m16n8k16 ;");', "throw 1;", False, "HIP401"),
        ("__CUDA_ARCH__ >= 800", "f(__nvvm_get_smem_pointer(p));", "#define FAST 0", False, "HIP401"),
        ("__CUDA_ARCH__ >= 750 && __CUDA_ARCH__ < 800", "work();", 'say("no"); asm("trap;");', True, ""),
        ("__CUDA_ARCH__ >= 320", 'asm("shf.r.wrap.b32 ;");', "", True, ""),
        (
            "__CUDA_ARCH__ >= 700",
            'asm("red.release.gpu.global.add.s32 [%0], %1;" :: "l"(p), "r"(v));',
            "g();",
            True,
            "",
        ),
        ("__CUDA_ARCH__ >= 900", "cudaGridDependencySynchronize();", "", False, ""),
        ("__CUDA_ARCH__ >= 800", "cp_async_16(a, b);", "a = b;", False, ""),
        ("__CUDA_ARCH__ >= 700", "nvcuda::wmma::mma_sync(a, b, c, d);", "plain();", True, ""),
        ("__CUDA_ARCH__ >= CC_AMPERE", 'asm("ldmatrix.sync ;");', "plain();", False, ""),
    ],
)
def test_a_branch_is_chosen_by_its_code(condition: str, code: str, other: str, takes: bool, id: str) -> None:
    output, found = hip(f"__device__ void f() {{\n#if {condition}\n{code}\n#else\n{other}\n#endif\n}}\n")
    test = "defined(__HIP_DEVICE_COMPILE__)" if takes else f"0 /* {condition} */"
    assert f"\n#if {test}\n" in output
    assert [each for each in found if each[:4] == "HIP4"] == ([id] if id else [])


def test_what_an_unknown_number_is_compared_with_stays_a_number() -> None:
    output, found = hip("__device__ void f() {\n#if __CUDA_ARCH__ >= SOMETHING\na();\n#else\nb();\n#endif\n}\n")
    assert "#if (__HIP_DEVICE_COMPILE__ * 700) >= SOMETHING\n" in output
    assert found == ["HIP401"]


ON_DEVICE, ON_HOST = "defined(__HIP_DEVICE_COMPILE__)", "!defined(__HIP_DEVICE_COMPILE__)"


@pytest.mark.parametrize(
    ("condition", "output"),
    [
        ("__CUDA_ARCH__ >= 620", ON_DEVICE),
        ("__CUDA_ARCH__ < 350", ON_HOST),
        ("(__CUDA_ARCH__ >= 800)", f"({ON_DEVICE})"),
        ("!(__CUDA_ARCH__ >= 800)", ON_HOST),
        ("__CUDA_ARCH__ == 800 || __CUDA_ARCH__ >= 900", ON_DEVICE),
        ("__CUDA_ARCH__ >= 0", "1 /* __CUDA_ARCH__ >= 0 */"),
        ("__CUDA_ARCH__ == 720", "0 /* __CUDA_ARCH__ == 720 */"),
        # what is asked beside it of the pass is the same question
        ("defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= 530)", ON_DEVICE),
        ("defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 530 && MINE", f"{ON_DEVICE} && MINE"),
        ("MINE > 2 && __CUDA_ARCH__ && __CUDA_ARCH__ > 500", f"MINE > 2 && {ON_DEVICE}"),
        ("!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600", "1 /* !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600 */"),
        ("defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 300", "0 /* defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 300 */"),
        (
            "MINE && (!((__CUDA_ARCH__ >= 750) || !defined(__CUDA_ARCH__)))",
            "MINE && (0 /* !((__CUDA_ARCH__ >= 750) || !defined(__CUDA_ARCH__)) */)",
        ),
        # a test of the compiler stays, unless it does not matter
        ("defined(__CUDACC__) && __CUDA_ARCH__ >= 700", f"defined(__HIPCC__) && {ON_DEVICE}"),
        (
            "defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 300 || (!defined(__NVCC__) && __CUDA_ARCH__ < 500))",
            "0 /* defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 300 || (!defined(__NVCC__) && __CUDA_ARCH__ < 500)) */",
        ),
        # versions stay apart, and so do the project's own macros
        ("__CUDA_ARCH__ >= 500 && CUDA_VERSION >= 9000", f"{ON_DEVICE} && HIP_VERSION >= 9000"),
        ("USE_TILES && __CUDA_ARCH__ >= 700", f"USE_TILES && {ON_DEVICE}"),
        ("USE_TILES || (MORE && __CUDA_ARCH__ < 700)", f"USE_TILES || (MORE && {ON_HOST})"),
        ("(__CUDA_ARCH__ >= 700) == MINE", f"({ON_DEVICE}) == MINE"),
        ("__CUDA_ARCH__ >= 530 && __CUDA_ARCH__ >= OURS", f"{ON_DEVICE} && (__HIP_DEVICE_COMPILE__ * 900) >= OURS"),
        ("MINE ? __CUDA_ARCH__ >= 530 : 0", f"MINE ? {ON_DEVICE} : 0"),
        ("FN(__CUDA_ARCH__ >= 530)", "FN((__HIP_DEVICE_COMPILE__ * 700) >= 530)"),
    ],
)
def test_a_decided_test_of_the_architecture_is_one_of_the_pass(condition: str, output: str) -> None:
    source = f"#if {condition}\nint a;\n#else\nint b;\n#endif\n"
    once, _ = hip(source)
    assert once == source.replace(condition, output, 1)
    assert hip(once) == (once, [])


def test_after_a_branch_that_the_device_takes_another_one_is_not_its() -> None:
    source = "#if __CUDA_ARCH__ >= 700\nint a;\n#elif MINE || __CUDA_ARCH__ >= 300\nint b;\n#elif __CUDA_ARCH__ < 300\nint c;\n#endif\n"
    output, _ = hip(source)
    assert [line for line in output.splitlines() if line[0] == "#"] == [
        f"#if {ON_DEVICE}",
        "#elif MINE || 0 /* __CUDA_ARCH__ >= 300 */",
        f"#elif {ON_HOST}",
        "#endif",
    ]


def test_a_branch_after_one_that_an_own_macro_decides_is_the_devices_as_well() -> None:
    output, _ = hip("#if MINE && __CUDA_ARCH__ >= 700\nint a;\n#elif __CUDA_ARCH__ >= 300\nint b;\n#endif\n")
    assert output == f"#if MINE && {ON_DEVICE}\nint a;\n#elif {ON_DEVICE}\nint b;\n#endif\n"


@pytest.mark.parametrize(
    ("condition", "output"),
    [
        ("MINE && \\\n  __CUDA_ARCH__ >= 600 // new\n", f"MINE && \\\n  {ON_DEVICE} // new\n"),
        (
            "MINE && (CUDA_VERSION >= 11000 && \\\r\n  CUDA_VERSION < 11020)\n",
            "MINE && (0 /* CUDA_VERSION >= 11000 && \\\r\n  CUDA_VERSION < 11020 */)\n",
        ),
        (
            "CUDA_VERSION /* of the toolkit */ < 9000 || \\\n  __CUDACC_VER_MAJOR__ < 9 /* the compiler's */\n",
            "0 /* CUDA_VERSION < 9000 || __CUDACC_VER_MAJOR__ < 9 */ /* of the toolkit */ /* the compiler's */\n",
        ),
        ("/* a */ __CUDA_ARCH__ /* b */ >= /* c */ 600 /* d */\n", f"/* a */ {ON_DEVICE} /* b */ /* c */ /* d */\n"),
    ],
)
def test_only_the_test_itself_changes(condition: str, output: str) -> None:
    once, _ = hip(f"#if {condition}int a;\n#endif\n")
    assert once == f"#if {output}int a;\n#endif\n"
    assert hip(once) == (once, [])


def test_a_minimum_is_met() -> None:
    output, found = hip('#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 300\n#error "too old"\n#endif\n')
    assert output.startswith("#if 0 /* defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 300 */\n")
    assert found == []


def test_a_flag_counts_as_the_code_under_it() -> None:
    source = (
        "#if __CUDA_ARCH__ >= 800\n#define FAST\n#endif\n"
        '__device__ void f() {\n#ifdef FAST\nasm("ldmatrix.sync ;");\n#endif\n}\n'
    )
    assert "#if 0 /* __CUDA_ARCH__ >= 800 */\n" in hip(source)[0]


def test_a_flag_is_known_by_its_name() -> None:
    assert "#if 0 /* __C" in hip("#if __CUDA_ARCH__ >= 800\n#define AMPERE_MMA_AVAILABLE\n#endif\n")[0]
    assert f"#if {ON_DEVICE}\n" in hip("#if __CUDA_ARCH__ >= 800\n#define FAST_FP16\n#endif\n")[0]


def test_a_call_follows_the_function_that_is_left_out() -> None:
    source = (
        '#if __CUDA_ARCH__ >= 800\n__device__ void load(int *p) { asm("ldmatrix.sync ;"); }\n#endif\n'
        "__device__ void f(int *p) {\n#if __CUDA_ARCH__ >= 800\nload(p);\n#else\n*p = 1;\n#endif\n}\n"
    )
    assert hip(source)[0].count("#if 0 /* __CUDA_ARCH__ >= 800 */\n") == 2


def test_conditions_within_are_decided_by_themselves() -> None:
    source = (
        '#if __CUDA_ARCH__ >= 700\nint a;\n#if __CUDA_ARCH__ >= 800\nvoid f() { asm("mma.sync ;"); }\n#endif\n#endif\n'
    )
    output, _ = hip(source)
    assert f"#if {ON_DEVICE}\n" in output
    assert "#if 0 /* __CUDA_ARCH__ >= 800 */\n" in output


def test_nothing_is_said_of_code_that_is_left_out() -> None:
    source = '__device__ void f() {\n#if __CUDA_ARCH__ >= 800\nasm("mma.sync ;");\n#else\ng();\n#endif\n}\n'
    result = translate(source, path="a.cu")
    assert [finding.id for finding in result.findings if finding.id == "HIP210"] == []


@pytest.mark.parametrize(
    "condition",
    [
        "#if __CUDA_ARCH__ >= 1000\n#define WIDE_PTX\n#endif\n#ifdef WIDE_PTX\n",
        "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000\n#define WIDE 1\n#else\n#define WIDE 0\n#endif\n#if WIDE\n",
        "#if __has_include(<cuda/std/random>)\n",
        "#if THRUST_MAJOR_VERSION >= 3\n",
        "#ifndef USE_ROCM\n",
        "#if !defined(MINE_USE_HIP)\n",
        "#ifndef __LP64__\n",
    ],
)
def test_nothing_is_said_of_what_hangs_on_a_macro_that_is_not_there(condition: str) -> None:
    asm = 'asm("mma.sync ;");\n'
    result = translate(f"{condition}__device__ void f() {{ {asm} }}\n#endif\n", path="a.cu")
    assert [finding.id for finding in result.findings if finding.id == "HIP210"] == []


@pytest.mark.parametrize(
    "condition",
    [
        "#if __CUDA_ARCH__ >= 1000\n#define WIDE_PTX\n#endif\n#define WIDE_PTX\n#ifdef WIDE_PTX\n",
        "#define WIDE 1\n#if WIDE\n",
        "#if __has_include(<vector>)\n",
        "#ifdef USE_ROCM\n",
        "#ifdef SOMETHING\n",
    ],
)
def test_what_may_be_compiled_stays_an_error(condition: str) -> None:
    asm = 'asm("mma.sync ;");\n'
    result = translate(f"{condition}__device__ void f() {{ {asm} }}\n#endif\n", path="a.cu")
    assert [finding.severity for finding in result.findings if finding.id == "HIP210"] == ["error"]


def test_device_code_of_the_hosts_pass_is_left_out() -> None:
    source = (
        "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 750\n__global__ void k() {}\n#else\n"
        '__global__ void k() { asm("ldmatrix.sync ;"); }\n#endif\n'
    )
    result = translate(source, path="a.cu")
    assert [finding.id for finding in result.findings if finding.id == "HIP211"] == []


def test_code_of_the_host_is_not_left_out() -> None:
    source = "#if !defined(__CUDA_ARCH__)\ncudnnFoo a;\n#endif\n#ifndef __CUDACC__\ncudnnFoo b;\n#endif\n"
    found = {finding.line: finding.severity for finding in translate(source, path="a.cu").findings}
    assert found == {2: "warning"}


@pytest.mark.parametrize(
    ("source", "ids"),
    [
        ("#if CUDA_VERSION >= 12000\ncudaGridDependencySynchronize();\n#endif\n", []),
        ("#define STOP stop(1, __CUDA_ARCH__, 2)\n", []),
        ("#define STOP stop(STRINGIZE(__CUDA_ARCH_LIST__))\n", ["HIP101"]),
    ],
)
def test_what_changes_no_result_is_no_warning(source: str, ids: list[str]) -> None:
    found = translate(source, path="a.cu").findings
    assert [finding.id for finding in found if finding.severity != "note"] == []
    assert [finding.id for finding in found if finding.id in ("HIP406", "HIP401", "HIP101")][: len(ids)] == ids


def test_one_generation_alone_is_none_of_amds() -> None:
    source = "#if defined(FAST) && __CUDA_ARCH__ == MY_VOLTA\nint a;\n#endif\n"
    assert "#if defined(FAST) && 0 /* __CUDA_ARCH__ == MY_VOLTA */\n" in hip(source)[0]


def test_a_condition_that_is_never_asked() -> None:
    source = (
        '#ifdef USE_ROCM\nint a;\n#elif __CUDA_ARCH__ >= 800\nvoid f() { asm("mma.sync ;"); }\n#else\nint b;\n#endif\n'
    )
    assert {finding.severity for finding in translate(source, path="a.cu").findings} <= {"note"}


@pytest.mark.parametrize(
    "condition",
    [
        "!defined(USE_ROCM) && CUDA_VERSION >= 12000",
        "!(defined(MY_USE_HIP) && defined(__HIP_PLATFORM_AMD__)) && __CUDA_ARCH__ >= 800",
    ],
)
def test_what_the_project_decides_itself_is_no_warning(condition: str) -> None:
    source = f"#if {condition}\n__device__ uint32_t g(void *p) {{ return __nvvm_get_smem_pointer(p); }}\n#endif\n"
    found = translate(source, path="a.cu").findings
    assert [finding.id for finding in found if finding.line == 1] == []


def test_in_code_it_is_a_number() -> None:
    output, found = hip("__device__ int f() { return __CUDA_ARCH__; }\n#define ARCH __CUDA_ARCH__\n")
    assert output == "__device__ int f() { return 700; }\n#define ARCH (__HIP_DEVICE_COMPILE__ * 700)\n"
    assert found == ["HIP401", "HIP401"]


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("#if CUDART_VERSION >= 11000\nint a;\n#endif\n", "#if HIP_VERSION >= 11000\nint a;\n#endif\n"),
        ("#if CUDNN_VERSION >= 8000\nint a;\n#endif\n", "#if 1 /* CUDNN_VERSION >= 8000 */\nint a;\n#endif\n"),
        ("#if __CUDACC_VER_MAJOR__ < 9\nint a;\n#endif\n", "#if 0 /* __CUDACC_VER_MAJOR__ < 9 */\nint a;\n#endif\n"),
        ("#if CUB_VERSION >= 300000\nint a;\n#endif\n", "#if 0 /* CUB_VERSION >= 300000 */\nint a;\n#endif\n"),
        (
            "#if defined(CUBLAS_VERSION) && CUBLAS_VERSION > 1\n#endif\n",
            "#if defined(HIP_VERSION) && 1 /* CUBLAS_VERSION > 1 */\n#endif\n",
        ),
        ("#ifdef CUBLAS_VERSION\nint a;\n#endif\n", "#ifdef HIP_VERSION\nint a;\n#endif\n"),
        ("int v = __CUDACC_VER_MAJOR__;\n", "int v = 13;\n"),
        ("#if NCCL_VERSION_CODE >= 2700\n#endif\n", "#if NCCL_VERSION_CODE >= 2700\n#endif\n"),
    ],
)
def test_versions(source: str, output: str) -> None:
    assert hip(source)[0] == output


@pytest.mark.parametrize(
    ("condition", "output"),
    [
        ("CUDA_VERSION >= 11000", "HIP_VERSION >= 11000"),
        ("(CUDART_VERSION > 9020)", "(HIP_VERSION > 9020)"),
        ("10010 <= CUDA_VERSION && MINE", "10010 <= HIP_VERSION && MINE"),
        ("CUDA_VERSION >= 9000 && CUDART_VERSION >= 9000", "HIP_VERSION >= 9000 && HIP_VERSION >= 9000"),
        ("__CUDACC_VER_MAJOR__", "HIP_VERSION"),
        # decided, where HIP's version counts something else
        (
            "defined(__CUDACC_VER_MAJOR__) && (__CUDACC_VER_MAJOR__ >= 13)",
            "defined(__HIPCC__) && (1 /* __CUDACC_VER_MAJOR__ >= 13 */)",
        ),
        ("11 <= __CUDACC_VER_MAJOR__", "1 /* 11 <= __CUDACC_VER_MAJOR__ */"),
        ("!(__CUDACC_VER_MAJOR__ < 9)", "1 /* !(__CUDACC_VER_MAJOR__ < 9) */"),
        ("CUDA_VERSION < 11000", "0 /* CUDA_VERSION < 11000 */"),
        ("!(CUDA_VERSION >= 9000)", "0 /* !(CUDA_VERSION >= 9000) */"),
        ("CUDA_VERSION / 1000 >= 11", "1 /* CUDA_VERSION / 1000 >= 11 */"),
        ("CUDA_VERSION >= 10000 && CUDA_VERSION < 11000", "0 /* CUDA_VERSION >= 10000 && CUDA_VERSION < 11000 */"),
        ("defined(CUDA_VERSION) && CUDA_VERSION < 9000", "0 /* defined(CUDA_VERSION) && CUDA_VERSION < 9000 */"),
        (
            "CUDART_VERSION >= 11000 && CUSPARSE_VERSION >= 11000",
            "1 /* CUDART_VERSION >= 11000 && CUSPARSE_VERSION >= 11000 */",
        ),
        ("defined(MINE) || CUBLAS_VERSION >= 11000", "defined(MINE) || 1 /* CUBLAS_VERSION >= 11000 */"),
        ("CUB_VERSION >= 300000", "0 /* CUB_VERSION >= 300000 */"),
        ("THEIRS && __CUDACC_VER_MAJOR__ == 13", "THEIRS && 1 /* __CUDACC_VER_MAJOR__ == 13 */"),
        # a number, where nobody can tell
        ("defined(MINE) && __CUDACC_VER_MAJOR__ >= OLDEST", "defined(MINE) && 13 /* __CUDACC_VER_MAJOR__ */ >= OLDEST"),
        ("defined(MINE) || __CUDACC_VER_MINOR__ & 1", "defined(MINE) || 5 /* __CUDACC_VER_MINOR__ */ & 1"),
    ],
)
def test_a_name_stays_where_hips_version_decides_the_same(condition: str, output: str) -> None:
    once, _ = hip(f"#if {condition}\nint a;\n#endif\n")
    assert once == f"#if {output}\nint a;\n#endif\n"
    assert hip(once)[0] == once


def test_older_branch_needs_its_number() -> None:
    source = '#if CUDART_VERSION < 12000\nint a;\n#else\n__device__ void f() { asm("mma.sync.aligned;"); }\n#endif\n'
    assert hip(source)[0].startswith("#if 1 /* CUDART_VERSION < 12000 */\n")


def test_an_older_version_where_its_branch_alone_has_a_counterpart() -> None:
    source = "#if CUDA_VERSION >= 12000\n#include <cuda/std/functional>\n#else\n#include <functional>\n#endif\n"
    output, found = hip(source)
    assert output.startswith("#if 0 /* CUDA_VERSION >= 12000 */\n")
    assert "HIP406" not in found
    source = "#if CUDA_VERSION >= 12000\n#include <cuda/std/functional>\n#endif\n"
    assert "HIP406" in hip(source)[1]


def test_a_version_in_code_is_found_where_its_name_begins() -> None:
    found = translate("int v = CUDA_VERSION;\nint w = __CUDACC_VER_MAJOR__;\n", path="a.cu").findings
    assert [(finding.id, finding.line, finding.column) for finding in found] == [("HIP402", 1, 9), ("HIP402", 2, 9)]
    assert "HIP_VERSION is major" in found[0].message
    assert ": 13 replaces it" in found[1].message


def test_an_answer_follows_the_code_that_it_is_about() -> None:
    condition = "#if CUDA_VERSION >= 12080\n"
    kernel = (
        condition + "void f(CUmemDecompressParams *p) { p->srcNumBytes = 1; }\n#else\nvoid f() { abort(); }\n#endif\n"
    )
    asked = "bool has() {\n" + condition + "return true;\n#else\nreturn false;\n#endif\n}\n"
    output, found = hip(kernel + asked)
    assert output.count("#if 0 /* CUDA_VERSION >= 12080 */\n") == 2
    assert found.count("HIP406") == 1
    assert hip(asked)[0].count("#if HIP_VERSION >= 12080\n") == 1


@pytest.mark.parametrize(("lines", "chosen"), [(150, "HIP_VERSION >= 12080"), (2, "0 /* CUDA_VERSION >= 12080 */")])
def test_much_code_with_one_symbol_is_not_given_up_for_a_stop(lines: int, chosen: str) -> None:
    code = "void f%d(float *p, int n) { for (int i = 0; i < n; ++i) p[i] += 1.0f; }\n"
    body = "".join(code % number for number in range(lines)) + "CUmemDecompressParams params;\n"
    output, _ = hip(f"#if CUDA_VERSION >= 12080\n{body}#else\nvoid f() {{ throw 1; }}\n#endif\n")
    assert output.startswith(f"#if {chosen}\n")


def test_the_chosen_version_counts() -> None:
    output, _ = hip("#if CUDART_VERSION >= 12000\nint a;\n#else\nint b;\n#endif\n", cuda="11.8")
    assert output.startswith("#if 0 /* CUDART_VERSION >= 12000 */\n")


def test_a_branch_for_hip_stays_the_one() -> None:
    source = "#if defined(__CUDACC__)\nint a;\n#elif defined(__HIPCC__)\nint b;\n#endif\n"
    assert hip(source) == (source, [])


@pytest.mark.parametrize(
    "condition",
    [
        "defined(__CUDACC__) || defined(__HIPCC__)",
        "defined __HIPCC__ || defined MINE || defined __CUDACC__",
        "defined(MINE) && !(defined(__CUDA_ARCH__) || defined(__CUDACC__) || \\\n  defined(__HIP_DEVICE_COMPILE__))",
    ],
)
def test_where_hip_is_an_alternative_cuda_keeps_its_name(condition: str) -> None:
    source = f"#if {condition}\nint a;\n#endif\n"
    assert hip(source)[0] == source


@pytest.mark.parametrize(
    "condition",
    [
        "defined(__NVCC__) && defined(__HIPCC__)",
        "!defined(__NVCC__) && defined(__HIPCC__)",
        "defined __HIP_PLATFORM_AMD__ && !defined __CUDACC__ && MINE > 3",
        "defined(__CUDACC__) && !defined(__HIP__)",
        "!(defined(__CUDACC__) && defined(__HIPCC__))",
        "defined(MINE) || (defined(__CUDA_ARCH__) && (defined(__HIP_DEVICE_COMPILE__)))",
        "!defined(__CUDA_ARCH__) && defined(__HIP_DEVICE_COMPILE__)",
        "defined(__CUDACC_RTC__) && !defined(__HIPCC_RTC__)",
    ],
)
def test_where_hip_is_asked_for_together_with_cuda_that_keeps_its_name(condition: str) -> None:
    source = f"#if {condition}\nint a;\n#endif\n"
    assert hip(source) == (source, [])
    assert hip(f"#define BOTH {condition}\n")[0] == f"#define BOTH {condition}\n"


@pytest.mark.parametrize(
    "condition",
    [
        "defined(__CUDACC__) && !defined(__HIPCC_RTC__)",
        "!defined(__HIP_NO_HALF_CONVERSIONS__) && defined(__NVCC__)",
        "defined(__CUDACC__) && !defined(__HIP_NO_HALF_OPERATORS__)",
        "!defined __HIP_DEVICE_COMPILE__ && defined __CUDACC__",
        "MINE || defined(__CUDACC__) && defined(__HIP_ENABLE_WARP_SYNC_BUILTINS__)",
    ],
)
def test_macros_of_hip_that_leave_open_who_compiles_may_be_asked_for_together_with_cuda(condition: str) -> None:
    hipified = condition.replace("__CUDACC__", "__HIPCC__").replace("__NVCC__", "__HIPCC__")
    assert hip(f"#if {condition}\nint a;\n#endif\n")[0] == f"#if {hipified}\nint a;\n#endif\n"


def test_what_is_asked_of_something_else_is_not_asked_together() -> None:
    source = "#if (defined(__CUDACC__) || defined(MINE)) && defined(__HIPCC__)\nint a;\n#endif\n"
    assert hip(source)[0] == source.replace("__CUDACC__", "__HIPCC__")


def test_a_negation_is_no_alternative() -> None:
    source = "#if !defined(__CUDACC__) || defined(__HIPCC__)\nint a;\n#endif\n"
    assert hip(source)[0] == source.replace("__CUDACC__", "__HIPCC__")


@pytest.mark.parametrize(
    "source", ["#if __CUDA_ARCH__ >=\n", "#if (__CUDA_ARCH__\n#else", "__CUDA_ARCH__", "#elif __CUDA_ARCH__ > 3"]
)
def test_half_written_code(source: str) -> None:
    once = hip(source)[0]
    assert hip(once)[0] == once


def test_many_sections_in_linear_time() -> None:
    section = '#if __CUDA_ARCH__ >= 800 && X%d > 3\nvoid f%d() { asm("mma.sync ;"); }\n#else\nvoid f%d() {}\n#endif\n'

    def sections(count: int) -> str:
        return "".join(section % (i, i, i) for i in range(count))

    assert "#if 0 /* __CUDA_ARCH__ >= 800 */ && X0 > 3\n" in hip(sections(300))[0]
    assert_linear(hip, sections, 50)
    assert_linear(
        hip, lambda count: "#if A " + "&& (B || __CUDA_ARCH__ > 3 || CUDA_VERSION < 2)" * count + "\n#endif\n", 50
    )
    assert_linear(hip, lambda count: "#if __CUDA_ARCH__ > 3\n" * count + 'asm("x");' * count, 50)


def test_many_statements_of_ptx_in_linear_time() -> None:
    asm = 'asm("brev.b32 %0, %1;" : "=r"(r) : "r"(x));\n'

    def statements(count: int) -> str:
        return f"__device__ void f(unsigned r, unsigned x) {{\n#if __CUDA_ARCH__ >= 800\n{asm * count}#endif\n}}\n"

    assert hip(statements(500))[0].count("r = __brev(x);") == 500
    assert_linear(hip, statements, 100)


def test_outputs_stay() -> None:
    output = hip("#if __CUDA_ARCH__ >= 800 && CUDART_VERSION >= 11000\nint a;\n#endif\n")[0]
    assert hip(output) == (output, [])


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("bool f(cudaDeviceProp p) { return p.major < 8; }", ["HIP408"]),
        ("void f(cudaDeviceProp *p) { int sm = 10 * p->major + p->minor; g(sm); }", ["HIP408"]),
        ("void f(cudaDeviceProp p) { switch (p.major) {} }", ["HIP408"]),
        ('void f(cudaDeviceProp p) { fprintf(stderr, "sm_%d", (p.major * 10) + p.minor); }', []),
        ("void f(cudaDeviceProp p) { std::cout << p.name << p.major * 10 + p.minor << 1; }", []),
        ('void f(cudaDeviceProp p) { int sm = 10 * p.major + p.minor; printf("%d %d", sm, int(sm)); }', ["HIP408"]),
        ('void f(cudaDeviceProp p) { const int sm = 10 * p.major + p.minor; printf("%d %d", sm, sm); }', []),
        ('void f(cudaDeviceProp p) { int sm = 10 * p.major; printf("%d", sm); if (sm > 80) g(); }', ["HIP408"]),
        ('void f(cudaDeviceProp p) { snprintf(arch, 9, "sm_%d", p.major * 10 + p.minor); }', ["HIP408"]),
        ('void f(cudaDeviceProp p) { printf("%d", p.major >= 8); }', ["HIP408"]),
        ("int f(cudaDeviceProp p) { return x << p.major * 10; }", ["HIP408"]),
        ('void f(cudaDeviceProp p) { printf("%d.%d", p.major, p.minor); }', []),
        ("void f(cudaDeviceProp p) { // p.major < 6\n}", []),
        ("bool f(cudaDeviceProp p, cudaDeviceProp q) { return p.major == q.major && q.minor == p.minor; }", []),
        (
            "bool f(cudaDeviceProp p) { int major; cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0); "
            "return major == p.major; }",
            [],
        ),
        (
            "bool f() { int m; cudaDeviceGetAttribute(&m, cudaDevAttrComputeCapabilityMajor, 0); return m >= 8; }",
            ["HIP408"],
        ),
        ("void f() { int m; cudaDeviceGetAttribute(&m, cudaDevAttrComputeCapabilityMajor, 0); g(m); }", []),
    ],
)
def test_decisions_by_capability(code: str, found: list[str]) -> None:
    assert hip(code)[1] == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("__global__ void k() { cudaDeviceSynchronize(); cudaDeviceSynchronize(); }", ["HIP253"]),
        ("__device__ void f() { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); }", ["HIP253"]),
        ("__host__ __device__ void f() { cudaFree(0); }", []),
        ("__device__ int a;\nvoid f() { cudaDeviceSynchronize(); }", []),
        ("__global__ void k() {}\nstruct S { void f() { cudaDeviceSynchronize(); } };", []),
        ('__global__ void k() { printf("%d", 1); free(malloc(4)); }', []),
    ],
)
def test_runtime_functions_in_device_code(code: str, found: list[str]) -> None:
    assert hip(code)[1] == found


def test_headers_of_the_samples() -> None:
    assert hip('#include "helper_cuda.h"\n__global__ void k();\n')[1] == ["HIP409"]
    local = ProjectContext(local_headers=frozenset({"Common/helper_cuda.h"}))
    assert translate('#include "helper_cuda.h"\n', path="a.cu", project=local).findings == []


def test_a_macro_that_hip_never_defines_is_reported_once_a_file() -> None:
    source = "#ifdef __CUDA_ARCH_FEAT_SM90_ALL\n#endif\n" * 3
    assert hip(source)[1] == []
    source = source.replace("__CUDA_ARCH_FEAT_SM90_ALL", "__CUDACC_DEBUG__")
    assert [finding.severity for finding in translate(source, path="a.cu").findings] == ["warning"]


@pytest.mark.parametrize("template", ["mov.m.x m0, x0, 0xFF", "add.w r0, r1, r2", "fadd.s f0, f1, f2"])
def test_assembly_of_processors_is_no_ptx(template: str) -> None:
    assert hip(f'void f() {{ __asm__ volatile("{template}"); }}\n')[1] == []


def test_shuffles_are_preferred_to_a_reduction_of_the_whole_wavefront() -> None:
    source = (
        "__device__ int f(int v) {\n#if __CUDA_ARCH__ >= 800\nreturn __reduce_add_sync(~0u, v);\n#else\n"
        "for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d, 32);\nreturn v;\n#endif\n}\n"
    )
    assert "#if 0 /* __CUDA_ARCH__ >= 800 */\n" in hip(source)[0]


def test_a_branch_that_defines_what_hip_lacks_is_taken() -> None:
    source = "#if CUDART_VERSION < 12000\nstatic __device__ unsigned __hgt2_mask(half2 a, half2 b) { return f(a, b); }\n#endif\n"
    assert hip(source)[0].startswith("#if 1 /* CUDART_VERSION < 12000 */\n")


@pytest.mark.parametrize(
    "condition",
    [
        "__CUDACC_VER_MAJOR__ > 9 && __CUDA_ARCH__ >= 530",
        "(__CUDACC_VER_MAJOR__ == 9 && __CUDACC_VER_MINOR__ == 2) \\\n    || !defined(__CUDA_ARCH__)",
        "defined(__CUDACC_VER_MAJOR__)",
        "CUDART_VERSION >= 9000 && defined(__CUDACC__)",
    ],
)
def test_beside_a_branch_of_hips_own_the_versions_stay_cudas(condition: str) -> None:
    source = f"#if {condition}\n#include <cuda_fp16.h>\n#elif defined(__HIPCC__)\n#include <hip/hip_fp16.h>\n#endif\n"
    once = translate(source, path="a.cuh")
    assert f"#if {condition}\n" in once.output.decode()
    assert translate(once.output, path="a.cuh").output == once.output


@pytest.mark.parametrize(
    "condition",
    [
        "__CUDA_ARCH__ /* of the device */ >= MINE",
        "__CUDA_ARCH__ \\\n    >= MINE",
        "MINE <= /* the architecture that is compiled for */ __CUDA_ARCH__",
        "MINE <= \\\n                              __CUDA_ARCH__",
        "((__CUDA_ARCH__)) >= MINE",
        "MINE <= ((__CUDA_ARCH__))",
        "(__CUDA_ARCH__ /* in tens */ / 10) >= MINE",
        "(__CUDA_ARCH__) >= MINE",
    ],
)
def test_what_it_is_compared_with_may_stand_far_away(condition: str) -> None:
    output, _ = hip(f"#if {condition}\nint a;\n#endif\n")
    assert output == f"#if {condition}\nint a;\n#endif\n".replace("__CUDA_ARCH__", "(__HIP_DEVICE_COMPILE__ * 700)")


@pytest.mark.parametrize(
    "condition",
    ["__CUDA_ARCH__", "(__CUDA_ARCH__)", "!__CUDA_ARCH__", "A >= 3 && (__CUDA_ARCH__) || B", "__CUDA_ARCH__ && A > 3"],
)
def test_a_macro_that_is_asked_for_itself_is_no_number(condition: str) -> None:
    output, _ = hip(f"#if {condition}\n*p = 1;\n#endif\n")
    assert output == f"#if {condition}\n*p = 1;\n#endif\n".replace("__CUDA_ARCH__", "__HIP_DEVICE_COMPILE__")


@pytest.mark.parametrize(
    "body",
    ["700", "(700)", "/* so far */ 700", "700 // " + "as it was " * 40, "\\\n  700", "( 700 ) /* " + "x" * 300 + " */"],
)
def test_a_macro_of_a_number_may_have_comments(body: str) -> None:
    source = f"#define FAST {body}\n#if __CUDA_ARCH__ >= FAST\nint a;\n#else\n#error\n#endif\n"
    output, findings = hip(source)
    assert f"#if {ON_DEVICE}\n" in output
    assert findings == []


@pytest.mark.parametrize(
    ("condition", "rocm", "is_compiled"),
    [
        ("NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)", "7.2", False),
        ("NCCL_VERSION_CODE >= NCCL_VERSION(2,28,0)", "", True),
        ("NCCL_VERSION_CODE >= 22000", "6.1", False),
        ("NCCL_VERSION_CODE >= 22000", "6.2", True),
        ("NCCL_MAJOR == 2 && NCCL_MINOR < 18", "5.7", True),
        ("NCCL_MAJOR == 2 && NCCL_MINOR < 18", "6.0", False),
        ("NCCL_VERSION_CODE < NCCL_VERSION(2, 8, 4)", "5.2", False),
        ("NCCL_VERSION_CODE >= NCCL_VERSION(OUR_MAJOR, 28, 0)", "6.4", True),
    ],
)
def test_the_version_of_nccl_is_that_of_rccl(condition: str, rocm: str, is_compiled: bool) -> None:
    source = f"#include <nccl.h>\n#if {condition}\nncclDevComm comm;\n#endif\n".encode()
    result = translate(source, options=Options(targeting=Targeting(rocm=rocm)))
    assert [finding.name for finding in result.findings] == (["ncclDevComm"] if is_compiled else [])
