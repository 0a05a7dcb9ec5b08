"""Names of libraries and headers that a variable holds between `set` and `find_library`."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS


def _out(text: str) -> tuple[str, list[str]]:
    """What becomes of a list file, and the ids of its findings; a second pass changes nothing."""
    text = "# for CUDA\n" + text
    done = translate_build_file(text.encode(), "FindX.cmake", DEFAULT_OPTIONS)
    assert translate_build_file(done.output, "FindX.cmake", DEFAULT_OPTIONS).output == done.output
    return done.output.decode().removeprefix("# for CUDA\n"), [found.id for found in done.findings]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('set(N "cudnn")\nfind_library(L ${N})\n', 'set(N "MIOpen")\nfind_library(L ${N})\n'),
        ("set(N libnccl_static.a)\nfind_library(L NAMES ${N})\n", "set(N librccl.so)\nfind_library(L NAMES ${N})\n"),
        ("set(N cublas;mine)\nfind_library(L NAMES x ${N})\n", "set(N hipblas;mine)\nfind_library(L NAMES x ${N})\n"),
        ("set(H nccl.h)\nfind_path(P ${H} HINTS ${R})\n", "set(H rccl/rccl.h)\nfind_path(P ${H} HINTS ${R})\n"),
        (
            'set(N cudnn CACHE STRING "cudnn")\nfind_library(L ${N})\n',
            'set(N MIOpen CACHE STRING "cudnn")\nfind_library(L ${N})\n',
        ),
        ("set(N cudnn)\nmessage(${N})\n", "set(N cudnn)\nmessage(${N})\n"),
        ("set(N cudnn)\nfind_library(L mine HINTS ${N})\n", "set(N cudnn)\nfind_library(L mine HINTS ${N})\n"),
    ],
)
def test_names_in_variables_follow(before: str, after: str) -> None:
    assert _out(before) == (after, [])


def test_what_is_read_out_of_a_header_is_answered() -> None:
    text = "file(READ ${D}/cudnn.h text)\nfile(STRINGS ${D}/nccl.h lines REGEX NCCL)\nfile(READ mine.h text)\n"
    version = "#define CUDNN_MAJOR 8\\n#define CUDNN_MINOR 9\\n#define CUDNN_PATCHLEVEL 7\\n"
    assert _out(text) == (
        f'set(text "{version}")\nfile(STRINGS ${{D}}/rccl/rccl.h lines REGEX NCCL)\nfile(READ mine.h text)\n',
        ["HIP609"],
    )


@pytest.mark.parametrize(
    ("before", "after", "findings"),
    [
        ('set(L "$ENV{CUDA_HOME}/lib64/libcufft.so")\n', 'set(L "$ENV{ROCM_PATH}/lib/libhipfft.so")\n', []),
        (
            "target_link_libraries(t ${CUDA_TOOLKIT_ROOT_DIR}/lib64/libcudart_static.a)\n",
            "target_link_libraries(t ${hip_INCLUDE_DIR}/../lib/libamdhip64.so)\n",
            [],
        ),
        ("set(L /usr/local/cuda/lib64/stubs/libcuda.so)\n", "set(L /opt/rocm/lib/libamdhip64.so)\n", []),
        ("set(L ${MINE}/libcufft.so)\n", "set(L ${MINE}/libcufft.so)\n", []),
        ("set(L /usr/local/cuda/lib64/libmine.so)\n", "set(L /opt/rocm/lib/libmine.so)\n", []),
        ("set(L /usr/local/cuda/lib64/libnppc.so)\n", "set(L /opt/rocm/lib/libnppc.so)\n", ["HIP613"]),
        ("set(L /usr/local/cuda/lib64/libcudadevrt.a)\n", "set(L /opt/rocm/lib/libcudadevrt.a)\n", ["HIP601"]),
    ],
)
def test_files_of_libraries_get_new_names(before: str, after: str, findings: list[str]) -> None:
    assert _out(before) == (after, findings)
