"""Conditions on CUDA's version are decided, and blocks that the translation leaves empty are taken out."""

from __future__ import annotations

import pytest

from hipify_py.build_systems.translate import translate_build_file
from hipify_py.core.options import DEFAULT_OPTIONS

_BEGUN = "find_package(CUDA REQUIRED)\n"


def _out(text: str) -> tuple[str, list[tuple[str, int]]]:
    """What becomes of the commands after `find_package`, with the findings; a second pass changes nothing."""
    done = translate_build_file((_BEGUN + text).encode(), "CMakeLists.txt", DEFAULT_OPTIONS)
    assert translate_build_file(done.output, "CMakeLists.txt", DEFAULT_OPTIONS).output == done.output
    return done.output.decode().partition("enable_language(HIP)\n")[2], [
        (one.id, one.line - 1) for one in done.findings
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if(CUDA_VERSION VERSION_LESS 8.0)\n  set(X 1)\nendif()\nset(Y 1)\n", "set(Y 1)\n"),
        (
            "if(NOT CUDA_VERSION VERSION_LESS 8.0)\n  set(X 1) # x\n\n  set(Y 1)\nendif()\n",
            "set(X 1) # x\n\nset(Y 1)\n",
        ),
        ("if(CUDA_VERSION_MAJOR LESS 9)\n  set(X 1)\nelse()\n  set(X 2)\nendif()\n", "set(X 2)\n"),
        (
            "if(A)\n  set(X 1)\nelseif(CUDA_VERSION VERSION_GREATER 9)\n  set(X 2)\nelse()\n  set(X 3)\nendif()\n",
            "if(A)\n  set(X 1)\nelse()\n  set(X 2)\nendif()\n",
        ),
        (
            "IF(CUDA_VERSION VERSION_LESS 9)\n  set(X 1)\nELSEIF(A)\n  set(X 2)\nENDIF()\n",
            "IF(A)\n  set(X 2)\nENDIF()\n",
        ),
        (
            "if(A)\n  set(X 1)\nelseif(CUDA_VERSION VERSION_LESS 9)\n  set(X 2)\nendif()\n",
            "if(A)\n  set(X 1)\nendif()\n",
        ),
        (
            "if(NOT (CUDA_VERSION VERSION_LESS 9 AND A))\n  if(${CUDA_VERSION} VERSION_EQUAL 13.5.0)\n    set(X 1)\n"
            "  endif()\nendif()\n",
            "set(X 1)\n",
        ),
        (
            'if(CUDA_VERSION VERSION_GREATER "9")\n\tset(X "a\n\tb")\n\tset(Y 1)\nendif()\n',
            'set(X "a\n\tb")\nset(Y 1)\n',
        ),
    ],
)
def test_a_condition_that_the_version_decides(before: str, after: str) -> None:
    text, found = _out(before)
    assert text == after
    assert {id for id, _ in found} == {"HIP609"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if(A AND CUDA_VERSION VERSION_GREATER 9)\n  set(X 1)\nendif()\n", "if(A)"),
        ("if(CUDA_VERSION VERSION_GREATER 9 AND ${A})\n  set(X 1)\nendif()\n", "if(${A})"),
        ("if(CUDA_VERSION GREATER 9 AND CUDA_VERSION LESS 99 AND A)\n  set(X 1)\nendif()\n", "if(A)"),
        ("if(CUDA_VERSION GREATER 9 AND A AND NOT CUDA_VERSION LESS 9)\n  set(X 1)\nendif()\n", "if(A)"),
        ("if(A OR B AND CUDA_VERSION GREATER 9)\n  set(X 1)\nendif()\n", "if(A OR B AND 13.5 GREATER 9)"),
        ("if(A AND CUDA_VERSION GREATER B)\n  set(X 1)\nendif()\n", "if(A AND 13.5 GREATER B)"),
        ("if(CUDA_VERSION VERSION_GREATER ${LEAST})\n  set(X 1)\nendif()\n", "if(13.5 VERSION_GREATER ${LEAST})"),
        ("if(CUDA_VERSION MATCHES 9)\n  set(X 1)\nendif()\n", "if(13.5 MATCHES 9)"),
        ("if(CUDA_VERSION LESS 9.1.2)\n  set(X 1)\nendif()\n", "if(13.5 LESS 9.1.2)"),
        ("if(${ASKED} AND CUDA_VERSION VERSION_LESS 9)\n  set(X 1)\nendif()\n", "if(${ASKED} AND 13.5 VERSION_LESS 9)"),
        ("if(TRUE)\n  set(X 1)\nendif()\n", "if(TRUE)"),
    ],
)
def test_a_condition_that_it_does_not_decide(before: str, after: str) -> None:
    text, _ = _out(before)
    assert text == f"{after}\n  set(X 1)\nendif()\n"


def test_dead_code_has_no_findings_and_living_code_its_edits() -> None:
    text, found = _out(
        "if(CUDA_VERSION VERSION_LESS 9)\n  target_link_libraries(a CUDA::nppc)\nelse()\n"
        "  cuda_add_executable(a a.cu)\nendif()\n"
    )
    assert text == ("add_executable(a a.cu)\nset_source_files_properties(a.cu PROPERTIES LANGUAGE HIP)\n")
    assert found == [("HIP609", 1)]


_GONE = "set(CMAKE_CUDA_ARCHITECTURES 70)"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"if(A)\n  {_GONE}\nendif()\n", ""),
        (f"if(A)\n  # GPUs\n  {_GONE}\nelseif(B)\n  {_GONE}\nelse()\nendif()\n", ""),
        (f"if(A)\n  set(X 1)\nelse()\n  {_GONE}\nendif()\n", "if(A)\n  set(X 1)\nendif()\n"),
        (f"if(A)\n  if(B)\n    {_GONE}\n  endif()\nendif()\n", ""),
        (f"if(A)\n  {_GONE}\nelse()\n  set(X 1)\nendif()\n", "if(A)\nelse()\n  set(X 1)\nendif()\n"),
        ("if(A)\nendif()\n", "if(A)\nendif()\n"),
        (f"foreach(each 1 2)\n  if(A)\n    {_GONE}\n  endif()\nendforeach()\n", ""),
        (
            f"foreach(each 1 2)\n  {_GONE}\n  f(${{each}})\nendforeach()\n",
            "foreach(each 1 2)\n  f(${each})\nendforeach()\n",
        ),
        (f"while(f)\n  {_GONE}\nendwhile()\n", "while(f)\nendwhile()\n"),
        (f"set(X 1)\n\nif(A)\n  {_GONE}\nendif()\n\nset(Y 1)\n", "set(X 1)\n\nset(Y 1)\n"),
        (
            "if(A)\n  set(X 1)\nelse()\n  set(CMAKE_CUDA_SEPARABLE_COMPILATION ON)\nendif()\n",
            "if(A)\n  set(X 1)\nelse()\n  add_compile_options($<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>)\n"
            '  add_link_options("$<$<LINK_LANGUAGE:HIP>:-fgpu-rdc;--hip-link>")\nendif()\n',
        ),
        (f"if(DEFINED CMAKE_CUDA_FLAGS_X OR CUDA_PROPAGATE_HOST_FLAGS)\n  {_GONE}\nendif()\n", ""),
    ],
)
def test_blocks_of_which_nothing_is_left(before: str, after: str) -> None:
    text, found = _out(before)
    assert text == after
    assert not {"HIP601", "HIP605"} & {id for id, _ in found}
