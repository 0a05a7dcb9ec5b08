"""`convert --dual`: conditions that serve nvcc and the compiler for AMD GPUs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hipify_py import Options, translate
from hipify_py.analysis.preprocessor.versions_tried import VERSIONS
from hipify_py.catalog import load_catalog
from hipify_py.nvcc_compat.tree import header_tree

DUAL = Options(dual=True, implicit_runtime=False)
CUDACC = "defined(__CUDACC__) || defined(__HIPCC__)"


def both(source: str, options: Options = DUAL) -> str:
    return translate(source, path="a.cu", options=options).output.decode()


def condition(text: str) -> str:
    """What becomes of the directive around code that either side can do."""
    output = both(f"{text}\nint a;\n#endif\n")
    assert output.endswith("\nint a;\n#endif\n")
    return output.removesuffix("\nint a;\n#endif\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#ifdef __CUDACC__", f"#if {CUDACC}"),
        ("#  ifdef __CUDACC__ // nvcc", f"#  if {CUDACC} // nvcc"),
        ("#ifdef /* which? */ __NVCC__", "#if defined(__NVCC__) || defined(__HIPCC__)"),
        ("#ifndef __CUDACC__", "#if !defined(__CUDACC__) && !defined(__HIPCC__)"),
        ("#ifdef __CUDA_ARCH__", "#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)"),
        ("#ifdef __CUDA__", "#if defined(__CUDA__) || defined(__HIP__)"),
        ("#ifdef __CUDACC_RTC__", "#if defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)"),
        ("#ifdef CUDART_VERSION", "#if defined(CUDART_VERSION) || defined(HIP_VERSION)"),
        ("#ifdef __CUDACC_VER_MAJOR__", "#if defined(__CUDACC_VER_MAJOR__) || defined(__HIPCC__)"),
        ("#if defined(__CUDACC__)", f"#if {CUDACC}"),
        ("#if defined __CUDACC__", f"#if {CUDACC}"),
        ("#if defined ( __CUDACC__ ) // x", f"#if {CUDACC} // x"),
        ("#if (defined(__CUDACC__))", f"#if ({CUDACC})"),
        ("#if !defined(__CUDACC__)", "#if !defined(__CUDACC__) && !defined(__HIPCC__)"),
        ("#if !(defined(__CUDACC__))", f"#if !({CUDACC})"),
        ("#if ! defined(__CUDACC__) && MINE", "#if !defined(__CUDACC__) && !defined(__HIPCC__) && MINE"),
        ("#if !defined(__CUDACC__) || MINE", f"#if !({CUDACC}) || MINE"),
        ("#if defined(__CUDACC__) && MINE", f"#if ({CUDACC}) && MINE"),
        ("#if MINE && defined(__CUDACC__)", f"#if MINE && ({CUDACC})"),
        ("#if MINE || defined(__CUDACC__)", f"#if MINE || {CUDACC}"),
        ("#if defined(__CUDACC__) == 1", f"#if ({CUDACC}) == 1"),
        ("#if defined(__CUDACC__) ? 1 : MINE", f"#if ({CUDACC}) ? 1 : MINE"),
        ("#if MINE && \\\n  defined(__CUDACC__)", f"#if MINE && \\\n  ({CUDACC})"),
        (
            "#if defined(__NVCC__) || defined(__CUDACC__)",
            "#if defined(__NVCC__) || defined(__CUDACC__) || defined(__HIPCC__)",
        ),
        ("#if __CUDACC__", "#if (__CUDACC__ || __HIPCC__)"),
        ("#if __CUDA_ARCH__", "#if (__CUDA_ARCH__ || __HIP_DEVICE_COMPILE__)"),
        ("#if __CUDA_ARCH__ >= 600", "#if (defined(__HIP_DEVICE_COMPILE__) ? 900 : __CUDA_ARCH__) >= 600"),
        ("#if 600 <= __CUDA_ARCH__", "#if 600 <= (defined(__HIP_DEVICE_COMPILE__) ? 900 : __CUDA_ARCH__)"),
        ("#if CUDART_VERSION >= 12000", "#if (defined(__HIP_PLATFORM_AMD__) ? HIP_VERSION : CUDART_VERSION) >= 12000"),
        ("#if CUDNN_VERSION >= 8000", "#if (defined(__HIP_PLATFORM_AMD__) ? 90000 : CUDNN_VERSION) >= 8000"),
        (
            "#if __CUDACC_VER_MAJOR__ >= 11",
            "#if (defined(__HIP_PLATFORM_AMD__) ? 13 : __CUDACC_VER_MAJOR__) >= 11",
        ),
        (
            "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600",
            "#if !(defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__))"
            " || (defined(__HIP_DEVICE_COMPILE__) ? 900 : __CUDA_ARCH__) >= 600",
        ),
    ],
)
def test_a_condition_asks_for_either(before: str, after: str) -> None:
    assert condition(before) == after
    assert condition(after) == after
    assert both(f"{after}\nint a;\n#endif\n", DUAL._replace(dual=False)) == f"{after}\nint a;\n#endif\n"


@pytest.mark.parametrize(
    "source",
    [
        "#if defined(__CUDACC__)\nint a;\n#elif defined(__HIPCC__)\nint b;\n#endif\n",
        "#if __CUDA_ARCH__ >= 900\nint a;\n#elif defined(__HIP_PLATFORM_AMD__)\nint b;\n#endif\n",
        "#if defined(__HIPCC__) || defined(__CUDACC__)\nint a;\n#endif\n",
        "#if !defined(__HIPCC__) && !defined(__CUDACC__)\nint a;\n#endif\n",
        "#ifdef __HIPCC__\nint a;\n#endif\n",
        "#ifdef USE_ROCM\nint a;\n#endif\n",
    ],
)
def test_what_a_project_says_of_amd_gpus_stays(source: str) -> None:
    assert both(source) == source


@pytest.mark.parametrize("elsewhere", ["", "#ifdef __HIP_FOO__\nint f;\n#endif\n", "#ifdef USE__HIP\nint f;\n#endif\n"])
@pytest.mark.parametrize(
    ("before", "dual", "plain"),
    [
        (
            "defined(HIPPO_BUILD) || defined(__CUDACC__)",
            f"defined(HIPPO_BUILD) || {CUDACC}",
            "defined(HIPPO_BUILD) || defined(__HIPCC__)",
        ),
        (
            "!defined(HIPSTER) && !defined(__NVCC__)",
            "!defined(HIPSTER) && !defined(__NVCC__) && !defined(__HIPCC__)",
            "!defined(HIPSTER) && !defined(__HIPCC__)",
        ),
        ("HIPPO || __CUDACC__", "HIPPO || (__CUDACC__ || __HIPCC__)", "HIPPO || __HIPCC__"),
        (
            "defined(HIPVERSION) || defined(__CUDA_ARCH__)",
            "defined(HIPVERSION) || defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)",
            "defined(HIPVERSION) || defined(__HIP_DEVICE_COMPILE__)",
        ),
        (
            "defined(HIPPO) || defined(CUDA_VERSION)",
            "defined(HIPPO) || defined(CUDA_VERSION) || defined(HIP_VERSION)",
            "defined(HIPPO) || defined(HIP_VERSION)",
        ),
        *(
            (each, each, each)
            for each in (
                "defined(__HIP_PLATFORM_AMD__) || defined(__CUDACC__)",
                "defined(HIP_VERSION) || defined(__CUDACC__)",
                "defined(__NVCC__) || HIP_VERSION_MAJOR",
                "defined(HIP_INCLUDE_HIP_HIP_FP16_H) || defined(__CUDA_ARCH__)",
                "defined(CUB_VERSION) || defined(HIPCUB_VERSION)",
            )
        ),
    ],
)
def test_only_macros_of_hip_beside_it_keep_cudas_name(before: str, dual: str, plain: str, elsewhere: str) -> None:
    for options, after in ((DUAL, dual), (DUAL._replace(dual=False), plain)):
        output = both(f"#if {before}\nint a;\n#endif\n{elsewhere}", options)
        assert output == f"#if {after}\nint a;\n#endif\n{elsewhere}"
        assert both(output, options) == output


def test_what_is_written_beside_cudas_macro_is_known_again() -> None:
    macros = {row.name for row in load_catalog().rows() if row.kind == "macro"}
    names = {name for name in macros if name.startswith(("__CUDA", "__NVCC__")) or name.encode() in VERSIONS}
    assert len(names) > 40
    for name in sorted(names):
        output = both(f"#ifdef {name}\nint a;\n#endif\n")
        assert both(output) == output
        assert both(output, DUAL._replace(dual=False)) == output


def test_a_later_branch_asks_for_either() -> None:
    source = "#ifdef MINE\nint a;\n#elif defined(__CUDACC__)\nint b;\n#elif __CUDA_ARCH__ < 300\nint c;\n#endif\n"
    output = both(source)
    assert f"#elif {CUDACC}\n" in output
    assert "#elif (defined(__HIP_DEVICE_COMPILE__) ? 900 : __CUDA_ARCH__) < 300\n" in output


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#define ON_GPU defined(__CUDACC__)", f"#define ON_GPU ({CUDACC})"),
        ("#define ON_GPU MINE || defined(__CUDACC__)", f"#define ON_GPU MINE || ({CUDACC})"),
        ("#define ON_GPU __CUDACC__", "#define ON_GPU HIPIFY_EITHER(__CUDACC__, __HIPCC__)"),
        ("#define HALF __CUDA_FP16_H__", "#define HALF HIPIFY_EITHER(__CUDA_FP16_H__, HIP_INCLUDE_HIP_HIP_FP16_H)"),
        ("#define ON_GPU (MINE && !__NVCC__)", "#define ON_GPU (MINE && !HIPIFY_EITHER(__NVCC__, __HIPCC__))"),
        (
            "#define CUDA(x) (__CUDA__ + \\\n    (x))",
            "#define CUDA(x) (HIPIFY_EITHER(__CUDA__, __HIP__) + \\\n    (x))",
        ),
        (
            "#define ON_GPU __CUDACC__ || __CUDACC_RTC__",
            "#define ON_GPU HIPIFY_EITHER(__CUDACC__, __HIPCC__) || HIPIFY_EITHER(__CUDACC_RTC__, __HIPCC_RTC__)",
        ),
        (
            "#define IS_CUDA __CUDACC__\nint f() { return IS_CUDA ? 1 : 0; }",
            "#define IS_CUDA HIPIFY_EITHER(__CUDACC__, __HIPCC__)\nint f() { return IS_CUDA ? 1 : 0; }",
        ),
        (
            "#define FAST (__CUDA_ARCH__ >= 600)",
            "#define FAST (HIPIFY_EITHER(__CUDA_ARCH__, (__HIP_DEVICE_COMPILE__ * 700)) >= 600)",
        ),
        (
            "#define NEW(v) (CUDART_VERSION >= 1000 * v)",
            "#define NEW(v) (HIPIFY_EITHER(CUDART_VERSION, HIP_VERSION) >= 1000 * v)",
        ),
        (
            "__global__ void __launch_bounds__(T, 4, 2) k();",
            "__global__ void HIPIFY_EITHER(__launch_bounds__(T, 4, 2), __launch_bounds__(T, 4)) k();",
        ),
        ("__global__ void __launch_bounds__(256, 4) k();", "__global__ void __launch_bounds__(256, 4) k();"),
        ("int v = CUDART_VERSION;", "int v = HIPIFY_EITHER(CUDART_VERSION, HIP_VERSION);"),
        (
            "bool f() { return __CUDACC_VER_MAJOR__ >= 11; }",
            "bool f() { return HIPIFY_EITHER(__CUDACC_VER_MAJOR__, 13) >= 11; }",
        ),
        (
            "__device__ int v() { return __CUDA_ARCH__; }",
            "__device__ int v() { return HIPIFY_EITHER(__CUDA_ARCH__, 700); }",
        ),
    ],
)
def test_where_no_condition_can_stand_a_macro_chooses(before: str, after: str) -> None:
    output = both(before + "\n")
    assert output.removeprefix('#include "hipify_support.hpp"\n') == after + "\n"
    assert both(output) == output
    assert both(output, DUAL._replace(dual=False)) == output


def test_without_the_support_header_amd_gpus_decide() -> None:
    output = both("int v = CUDART_VERSION;\n", DUAL._replace(support=False))
    assert output == "int v = HIP_VERSION;\n"


def test_without_the_support_header_a_macro_asks_for_either() -> None:
    options = DUAL._replace(support=False)
    output = both("#define ON_GPU __CUDACC__\n", options)
    assert output == "#define ON_GPU (__CUDACC__ || __HIPCC__)\n"
    assert both(output, options) == output


@pytest.mark.parametrize("source", ["#if __CUDA_ARCH__ >= 600\nint a;\n#endif\n", "int v = CUDART_VERSION;\n"])
def test_the_findings_are_those_of_amd_gpus_alone(source: str) -> None:
    plain = translate(source, path="a.cu", options=DUAL._replace(dual=False)).findings
    assert translate(source, path="a.cu", options=DUAL).findings == plain


def test_a_macro_with_a_default_is_no_include_guard() -> None:
    source = "#ifndef __CUDACC__\n#define __CUDACC__\n#endif\n__global__ void k() {}\n"
    for options in (Options(), Options(dual=True)):
        output = both(source, options)
        assert output.startswith("#include <hip/hip_runtime.h>\n#if")
        assert both(output, options) == output


PROGRAM = """\
#include <cuda_runtime.h>

#ifndef __CUDACC__
#error "not nvcc"
#endif
#if defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__) || defined(USE_ROCM)
__device__ long long now() { return __builtin_readcyclecounter(); }
#else
__device__ long long now() { return clock64(); }
#endif
#define NEWER (CUDART_VERSION >= 99000)
#if NEWER || CUDART_VERSION >= 99000 || __CUDACC_VER_MAJOR__ > 90
#error "a version that nvcc does not have"
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 800
#error "not the architecture that nvcc compiles for"
#endif
__global__ void __launch_bounds__(64, 8) k(long long *at) {
#ifdef __CUDA_ARCH__
    at[0] = now();
    at[1] = __CUDA_ARCH__;
#else
    static_assert(sizeof(long long) == 8, "");
#endif
}
static_assert(CUDART_VERSION < 99000, "");
#define ON_GPU __CUDACC__
#if !ON_GPU
#error "not nvcc"
#endif
static_assert(ON_GPU, "");
"""


def _compile(output: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("NOT COMPILED: there is no nvcc on this machine")
    from hipify_py.support_header.header import render

    for path, text in header_tree(load_catalog(), ("runtime",)).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / "hipify_support.hpp").write_bytes(render(["either"]))
    (folder / "a.cu").write_text(output)
    command = [nvcc, "-std=c++17", "-arch=sm_80", "-I", str(folder), *options, "--ptx", str(folder / "a.cu")]
    return subprocess.run([*command, "-o", str(folder / "a.ptx")], capture_output=True, text=True, timeout=600)


@pytest.mark.compiler
def test_nvcc_takes_its_own_branches_and_numbers(tmp_path: Path) -> None:
    run = _compile(both(PROGRAM), tmp_path)
    assert run.returncode == 0, run.stderr


@pytest.mark.compiler
def test_nvcc_gets_the_launch_bounds_of_cuda(tmp_path: Path) -> None:
    run = _compile(both(PROGRAM), tmp_path)
    assert run.returncode == 0, run.stderr
    text = (tmp_path / "a.ptx").read_text()
    assert re.search(r"\.maxntid 64\b", text)
    assert re.search(r"\.minnctapersm 8\b", text)


@pytest.mark.compiler
def test_sources_for_hip_alone_need_hips_compiler_defined(tmp_path: Path) -> None:
    plain = "#include <hip/hip_runtime.h>\n#ifndef __HIPCC__\n#error no device code\n#endif\n__global__ void k() {}\n"
    assert "no device code" in _compile(plain, tmp_path).stderr
    assert _compile(plain, tmp_path, "-DHIPIFY_AS_HIPCC").returncode == 0
