"""Sources for hipRTC, and what programs that make them get."""

from __future__ import annotations

import ctypes
import ctypes.util

import pytest

from hipify_py import rtc
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.project_context import NO_PROJECT
from hipify_py.support_header.header import section_names
from hipify_py.support_header.inlined import INLINED, inlined_sections
from hipify_py.translator.run_time_source import translate_run_time_file, translate_string

RTC = NO_PROJECT._replace(is_run_time_source=True)
VOTE = "__global__ void k(unsigned *p) { p[0] = __ballot_sync(~0u, p[1]); }\n"

NOT_FOR_HIPRTC = frozenset(
    {
        "atomic",
        "barrier",
        "latch",
        "pipeline",
        "standard",
        "tuple",
        "variant",
        "vector_bindings",
        "fp8",
        "ptx_small_float",
    }
    | {"cub_debug", "devices", "dispatch", "error_text", "graph_update", "host_math", "legacy_blas", "memcpy_batch"}
    | {"nvtx", "roctx", "warp32_host"}
)
"""Sections for the host, and those that include headers of C++ or of libraries."""

NOT_FOR_HIPRTC_5_2 = frozenset(
    {"cg_grid", "cg_groups", "cg_reduce", "cg_scan", "warp32_groups", "convert", "half", "half_more"}
)
"""Sections for cooperative groups and bfloat16, which this hipRTC lacks."""


def test_a_translated_source_is_complete_and_stays() -> None:
    text = rtc.translate(VOTE)
    assert "hipify::warp32::ballot_sync(~0u, p[1])" in text
    assert '#include "' not in text
    assert rtc.translate(text) == text
    assert rtc.translate(VOTE.encode()) == text.encode()


def test_a_source_that_gets_more_gets_one_header() -> None:
    text = rtc.translate("__global__ void k(float *p) { p[0] = __reduce_add_sync(~0u, 1); }\n")
    more = rtc.translate(text + "__global__ void m(__half *p) { atomicAdd(p, p[1]); }\n")
    assert more.count(INLINED.decode()) == 1
    assert rtc.translate(more) == more


def test_the_prelude_has_what_is_asked_for() -> None:
    sections, _ = inlined_sections(rtc.prelude().encode())
    assert {"base", "warp32", "lane_reduce"} <= sections
    assert inlined_sections(rtc.prelude(["dp4a"]).encode())[0] == {"base", "dp4a"}
    with pytest.raises(ValueError, match="no section nonsense"):
        rtc.prelude(["nonsense"])


def test_included_headers_that_are_built_in_are_for_hipcc_only() -> None:
    source = b"#include <cuda_fp16.h>\n#include <curand_kernel.h>\n__global__ void k(__half *p) {}"
    assert translate_string(source, "a.py", DEFAULT_OPTIONS, NO_PROJECT).output == (
        b"#if !defined(__HIPCC_RTC__)  // hipRTC has it built in\n#include <hip/hip_fp16.h>\n#endif\n"
        b"#include <hiprand/hiprand_kernel.h>\n__global__ void k(__half *p) {}"
    )


def test_a_file_with_line_ends_of_windows_keeps_them() -> None:
    done = translate_run_time_file(VOTE.replace("\n", "\r\n").encode(), "k.cu", DEFAULT_OPTIONS, RTC)
    assert done.output.count(b"\n") == done.output.count(b"\r\n")
    assert translate_run_time_file(done.output, "k.cu", DEFAULT_OPTIONS, RTC).output == done.output


class HipRtc:
    """The run-time compiler of an installed ROCm, which needs no GPU."""

    def __init__(self) -> None:
        name = ctypes.util.find_library("hiprtc") or ctypes.util.find_library("amdhip64") or "libamdhip64.so.5"
        try:
            self._library = ctypes.CDLL(name)
            assert self._library.hiprtcCompileProgram is not None
        except (OSError, AttributeError):
            pytest.skip("NOT COMPILED: there is no hipRTC")

    def log(self, source: bytes) -> str:
        """What it says of a source; empty if it compiles it."""
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        self._library.hiprtcCreateProgram(ctypes.byref(program), source, b"k.hip", 0, None, None)
        options = (ctypes.c_char_p * 2)(b"--offload-arch=gfx90a", b"-std=c++17")
        if self._library.hiprtcCompileProgram(program, 2, options) == 0:
            return ""
        self._library.hiprtcGetProgramLogSize(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value + 1)
        self._library.hiprtcGetProgramLog(program, text)
        return text.value.decode() or "failed"


@pytest.fixture(scope="module")
def hiprtc() -> HipRtc:
    return HipRtc()


@pytest.mark.compiler
@pytest.mark.parametrize("section", sorted(set(section_names()) - NOT_FOR_HIPRTC - NOT_FOR_HIPRTC_5_2))
def test_hiprtc_compiles_a_section(hiprtc: HipRtc, section: str) -> None:
    assert hiprtc.log(rtc.prelude([section]).encode() + b'extern "C" __global__ void k() {}\n') == ""


@pytest.mark.compiler
@pytest.mark.parametrize(
    "source",
    [
        VOTE,
        "#include <cuda_fp16.h>\n#include <cuda_runtime.h>\n__global__ void k(__half *p) { p[0] = __hadd(p[1], p[2]); }",
        "__global__ void k(float *p) { p[0] += __shfl_xor_sync(0xffffffff, p[0], 1) + __shfl_sync(~0u, p[1], 3, 8); }",
        "__global__ void k(unsigned *p) { p[0] = __reduce_max_sync(~0u, p[1]) + __match_any_sync(~0u, p[2]); }",
        '__global__ void k(unsigned *p) { asm("lop3.b32 %0, %1, %2, 7, 0x96;" : "=r"(p[0]) : "r"(p[1]), "r"(p[2])); }',
        '__global__ void k(unsigned *p) { asm("mov.u32 %0, %%laneid;" : "=r"(p[0])); p[1] = __dp4a(1, 2, 3); }',
    ],
)
def test_hiprtc_compiles_a_translated_source(hiprtc: HipRtc, source: str) -> None:
    assert hiprtc.log(rtc.translate(source).encode()) == ""


@pytest.mark.compiler
def test_hiprtc_rejects_what_it_has_built_in(hiprtc: HipRtc) -> None:
    """The fact for which built-in headers are left out; if it changes, so may the translation."""
    assert "redefinition" in hiprtc.log(b"#include <hip/hip_fp16.h>\n__global__ void k() {}\n")


@pytest.mark.compiler
def test_hiprtc_compiles_a_source_inside_of_c_linkage(hiprtc: HipRtc) -> None:
    """PyCUDA puts sources into `extern "C"`, and whoever moves one to CuPy does the same."""
    assert hiprtc.log(b'extern "C" {\n' + rtc.translate(VOTE).encode() + b"}\n") == ""
