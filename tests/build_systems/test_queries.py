"""What a build asks nvcc of itself is answered in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.catalog import Targeting
from hipify_py.core.options import Options
from hipify_py.project.api import convert

CODES = "sm_70\\nsm_75\\nsm_80\\nsm_86\\nsm_89\\nsm_90"
VERSION = "Cuda compilation tools, release 13.5, V13.5.0"


def _converted(text: str, tmp_path: Path, cuda: str = "") -> tuple[str, list[str]]:
    tree = tmp_path / "p"
    tree.mkdir()
    (tree / "CMakeLists.txt").write_text(text + "\n")
    options = Options(targeting=Targeting(cuda=cuda or None))
    report = convert([tree], output=tmp_path / "out", options=options)
    return (tmp_path / "out" / "CMakeLists.txt").read_text().rstrip("\n"), [
        finding.id for result in report.results for finding in result.findings
    ]


@pytest.mark.parametrize(
    ("before", "after", "finding"),
    [
        (
            "execute_process(COMMAND nvcc --version OUTPUT_VARIABLE OUT)",
            f'set(OUT "{VERSION}\\n")',
            "HIP609",
        ),
        (
            "execute_process(COMMAND ${CMAKE_CUDA_COMPILER} -V OUTPUT_VARIABLE OUT OUTPUT_STRIP_TRAILING_WHITESPACE)",
            f'set(OUT "{VERSION}")',
            "HIP609",
        ),
        (
            'exec_program(${CUDA_NVCC_EXECUTABLE} ARGS "--version" OUTPUT_VARIABLE OUT RETURN_VALUE DONE)',
            f'set(OUT "{VERSION}")\nset(DONE 0)',
            "HIP609",
        ),
        (
            "if(A)\n  execute_process(\n    COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-code # all\n"
            "    RESULT_VARIABLE DONE OUTPUT_VARIABLE OUT)\nendif()",
            f'if(A)\n  set(DONE 0)\n  set(OUT "{CODES}\\n")\nendif()',
            "HIP605",
        ),
        (
            'execute_process(COMMAND "${CUDAToolkit_NVCC_EXECUTABLE}" --list-gpu-arch OUTPUT_VARIABLE "A_${B}"\n'
            "    ERROR_VARIABLE ERRORS TIMEOUT 5)",
            'set("A_${B}" "' + CODES.replace("sm_", "compute_") + '\\n")\nset(ERRORS "")',
            "HIP605",
        ),
    ],
)
def test_a_question_is_answered(before: str, after: str, finding: str, tmp_path: Path) -> None:
    output, findings = _converted(before, tmp_path)
    assert output == after
    assert findings == [finding]


def test_the_version_is_the_chosen_one(tmp_path: Path) -> None:
    before = "execute_process(COMMAND nvcc --version OUTPUT_VARIABLE OUT OUTPUT_STRIP_TRAILING_WHITESPACE)"
    assert _converted(before, tmp_path, cuda="11.8")[0] == 'set(OUT "Cuda compilation tools, release 11.8, V11.8.0")'


@pytest.mark.parametrize(
    "before",
    [
        "execute_process(COMMAND nvcc --version COMMAND grep release OUTPUT_VARIABLE OUT)",
        "execute_process(COMMAND nvcc --version OUTPUT_FILE version.txt)",
        "execute_process(COMMAND nvcc --version -v OUTPUT_VARIABLE OUT)",
        "execute_process(COMMAND env nvcc --version OUTPUT_VARIABLE OUT)",
        "add_custom_command(OUTPUT v COMMAND nvcc --version)",
    ],
)
def test_what_does_more_is_hipccs(before: str, tmp_path: Path) -> None:
    output, findings = _converted(before, tmp_path)
    assert output == before.replace("nvcc", "hipcc")
    assert findings == ["HIP606"]


def test_other_programs_are_asked_themselves(tmp_path: Path) -> None:
    before = "execute_process(COMMAND gcc --version OUTPUT_VARIABLE NVCC_HOST)"
    assert _converted(before, tmp_path) == (before, [])


def test_a_project_may_be_called_like_a_variable(tmp_path: Path) -> None:
    before = "project(CUDA_INCLUDE_DIRS LANGUAGES CXX CUDA)"
    assert _converted(before, tmp_path)[0] == "project(CUDA_INCLUDE_DIRS LANGUAGES CXX HIP)"


CUDNN = ("#define CUDNN_MAJOR 8", "#define CUDNN_MINOR 9", "#define CUDNN_PATCHLEVEL 7")


@pytest.mark.parametrize(
    ("before", "after", "findings"),
    [
        ('file(READ "${CUDNN_DIR}/cudnn.h" TEXT)', 'set(TEXT "' + "\\n".join((*CUDNN, "")) + '")', ["HIP609"]),
        ("file(READ ${CUDNN_DIR}/cudnn_version.h TEXT)", 'set(TEXT "' + "\\n".join((*CUDNN, "")) + '")', ["HIP609"]),
        (
            'file(STRINGS ${CUDNN_DIR}/cudnn.h LINES REGEX "^#define CUDNN_MAJOR +[0-9]+")',
            'set(LINES "' + ";".join(CUDNN) + '")\nlist(FILTER LINES INCLUDE REGEX "^#define CUDNN_MAJOR +[0-9]+")',
            ["HIP609"],
        ),
        ("file(STRINGS ${CUDA_DIR}/cuda.h LINES)", 'set(LINES "#define CUDA_VERSION 13050")', ["HIP609"]),
        (
            "file(STRINGS ${NCCL_DIR}/nccl.h LINES REGEX NCCL_MAJOR)",
            "file(STRINGS ${NCCL_DIR}/rccl/rccl.h LINES REGEX NCCL_MAJOR)",
            [],
        ),
        ("file(READ ${D}/cudnn.h TEXT LIMIT 100)", "file(READ ${D}/cudnn.h TEXT LIMIT 100)", ["HIP605"]),
        ("file(READ ${D}/cublas_v2.h TEXT)", "file(READ ${D}/cublas_v2.h TEXT)", ["HIP605"]),
        (
            'if(EXISTS "${D}/cudnn_version.h" AND NOT EXISTS ${D}/cudnn.h)\nendif()',
            'if(EXISTS "${D}/miopen/version.h" AND NOT EXISTS ${D}/miopen/miopen.h)\nendif()',
            [],
        ),
        ("if(EXISTS ${D}/mine.h OR A STREQUAL cudnn.h)\nendif()", None, []),
    ],
)
def test_headers_are_read_as_those_of_cuda(before: str, after: str | None, findings: list[str], tmp_path: Path) -> None:
    about = "# of CUDA's libraries\n"
    assert _converted(about + before, tmp_path) == (about + (before if after is None else after), findings)
