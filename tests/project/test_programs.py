"""What one file says of another's names and macros goes along includes: programs in one tree stand apart."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from hipify_py.project.api import check, convert

OWN_BARRIER = """#if CUDART_VERSION < 12000
__device__ void __barrier_sync(unsigned id) { wait_for(id); }
#endif
"""
CALLS_BARRIER = "__device__ void g() { __barrier_sync(1); }\n"
LOSES = "#if __CUDA_ARCH__ >= 1000\n#define WIDE_PTX\n#endif\n"
KEEPS = "#ifdef EVERYWHERE\n#define WIDE_PTX\n#endif\n#include <cuda_runtime.h>\n"
ASKS = '#ifdef WIDE_PTX\n__device__ void f() { asm("mma.sync ;"); }\n#endif\n'
DECLARES = "int nvcompMyThing(int);\nnamespace nvcomp { int decode(int); }\n"
USES = "void f() { nvcompMyThing(3); }\n"
USES_NAMESPACE = "void f() { nvcomp::decode(3); }\n"


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def said(folder: Path, files: Mapping[str, str]) -> dict[str, list[tuple[str, str]]]:
    """The ids and severities of the findings, notes included, by file; files without any left out."""
    write(folder, files)
    found: dict[str, list[tuple[str, str]]] = {}
    for result in check([folder]).results:
        for finding in result.findings:
            found.setdefault(Path(finding.path).relative_to(folder).as_posix(), []).append(
                (finding.id, finding.severity)
            )
    return found


ERROR, NOTE = [("HIP101", "error")], [("HIP101", "note")]
PTX = [("HIP210", "error")]


def including(*names: str) -> str:
    return "".join(f'#include "{name}"\n' for name in names)


def test_a_function_that_another_program_defines_stays_an_error(tmp_path: Path) -> None:
    files = {"one/common.cuh": OWN_BARRIER, "one/use.cu": including("common.cuh") + CALLS_BARRIER}
    assert said(tmp_path, files | {"two/use.cu": CALLS_BARRIER}) == {"one/use.cu": NOTE, "two/use.cu": ERROR}


def test_a_function_that_a_source_of_the_same_program_defines(tmp_path: Path) -> None:
    files = {
        "one/api.h": "void start();\n",
        "one/own.cu": including("api.h") + OWN_BARRIER,
        "one/use.cu": including("api.h") + CALLS_BARRIER,
        "two/api.h": "void stop();\n",
        "two/use.cu": including("api.h") + CALLS_BARRIER,
    }
    assert said(tmp_path, files) == {"one/use.cu": NOTE, "two/use.cu": ERROR}


def test_a_header_that_could_be_either_of_two_counts(tmp_path: Path) -> None:
    files = {
        "one/src/common.cuh": OWN_BARRIER,
        "two/src/common.cuh": "#pragma once\n",
        "three/use.cu": including("common.cuh") + CALLS_BARRIER,
    }
    assert said(tmp_path, files) == {"three/use.cu": NOTE}


@pytest.mark.parametrize("between", [(), ("a.h",), ("a.h", "deep/b.h")])
def test_a_macro_that_amd_lacks_goes_through_headers(tmp_path: Path, between: tuple[str, ...]) -> None:
    chain = ["use.cu", *between, "flags.cuh"]
    files = dict.fromkeys(chain, "")
    for name, to in pairwise(chain):
        files[name] = including(("../" * name.count("/")) + to)
    files |= {"use.cu": files["use.cu"] + ASKS, "flags.cuh": LOSES, "other/use.cu": ASKS}
    assert said(tmp_path, files) == {"other/use.cu": PTX}


def test_a_macro_that_another_program_keeps_is_lost_here(tmp_path: Path) -> None:
    files = {
        "one/flags.cuh": LOSES,
        "one/use.cu": including("flags.cuh") + ASKS,
        "two/flags.cuh": LOSES,
        "two/also.h": KEEPS,
        "two/use.cu": including("flags.cuh", "also.h") + ASKS,
    }
    assert said(tmp_path, files) == {"two/use.cu": PTX}


def test_a_header_is_compiled_with_what_its_includers_include_before_it(tmp_path: Path) -> None:
    files = {"flags.cuh": LOSES, "kernels.cuh": ASKS, "main.cu": including("flags.cuh", "kernels.cuh")}
    assert said(tmp_path, files) == {}


@pytest.mark.parametrize("use", [USES, USES_NAMESPACE])
def test_a_name_is_the_librarys_where_its_header_is_included(tmp_path: Path, use: str) -> None:
    files = {
        "one/own.h": DECLARES,
        "one/use.cu": including("own.h") + use,
        "two/use.cu": "#include <nvcomp.h>\n" + use,
        "three/use.cu": including("lib.h") + use,
        "three/lib.h": "#include <nvcomp.hpp>\n",
    }
    found = said(tmp_path, files)
    assert ("HIP101", "error") in found["two/use.cu"][1:]
    assert found["three/use.cu"] == ERROR
    assert "one/use.cu" not in found


def test_a_name_that_a_file_of_the_program_declares_is_its_own_beside_the_library(tmp_path: Path) -> None:
    files = {
        "one/own.h": DECLARES,
        "one/use.cu": "#include <nvcomp.h>\n" + including("own.h") + USES,
        "two/use.cu": USES,
    }
    found = said(tmp_path, files)
    assert len(found["one/use.cu"]) == 1, "the library's header alone"
    assert "two/use.cu" not in found, "nothing of the library is there, and the project has the name"


def test_a_file_that_is_converted_and_one_that_is_checked_are_told_the_same(tmp_path: Path) -> None:
    """In a conversion the tree's other files are results as well; they are no part of a program."""
    files = {
        "in/notes.txt": including("flags.cuh"),
        "in/flags.cuh": LOSES,
        "in/one/use.cu": including("../flags.cuh") + ASKS,
        "in/two/use.cu": ASKS,
    }
    write(tmp_path, files)
    done = convert([tmp_path / "in"], output=tmp_path / "out")
    findings = [finding for result in done.results for finding in result.findings]
    assert findings == [finding for result in check([tmp_path / "in"]).results for finding in result.findings]
    assert [(finding.id, Path(finding.path).parent.name) for finding in findings] == [("HIP210", "two")]
