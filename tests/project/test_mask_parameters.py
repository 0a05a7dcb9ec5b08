"""Masks that one file gives to the functions of another one of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py import Options
from hipify_py.project.api import check, convert
from hipify_py.project.file_facts import FileFacts, name_of
from hipify_py.project.texts import Texts
from hipify_py.project.warp_facts import with_warps
from hipify_py.project.warp_files import words_in
from hipify_py.project_context import ProjectContext

UNFIXED = Options(fixes=frozenset())

GIVES = '#include "lead.cuh"\n__global__ void k(int *o, int p) { unsigned m = __ballot(p); o[0] = CALL; }\n'
WIDE = "unsigned long long"


def converted(folder: Path, **files: str) -> dict[str, str]:
    """The outputs of a project, the line that includes HIP's runtime left out."""
    _write(folder, files)
    convert([str(folder / "in")], output=str(folder / "out"), options=UNFIXED)
    include = "#include <hip/hip_runtime.h>\n"
    return {path.name: path.read_text().replace(include, "") for path in (folder / "out").rglob("*.cu*")}


def reported(folder: Path, paths: list[str] | None = None, **files: str) -> list[tuple[str, int]]:
    _write(folder, files)
    results = check([str(folder / "in" / path) for path in paths or [""]], options=UNFIXED).results
    found = [finding for result in results for finding in result.findings if finding.id == "HIP320"]
    return sorted((Path(finding.path).name, finding.line) for finding in found)


def _write(folder: Path, files: dict[str, str]) -> None:
    (folder / "in").mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / "in" / name.replace("_", ".", 1)).write_text(text)


@pytest.mark.parametrize(
    ("header", "wide", "call", "wide_call"),
    [
        (
            "template <typename M> __device__ int leader(M m) { return __ffs(m) - 1; }\n",
            "template <typename M> __device__ int leader(M m) { return __ffsll(m) - 1; }\n",
            "leader(m)",
            "leader(m)",
        ),
        (
            "template <typename M> __device__ int leader(M m) { return __ffs(m) - 1; }\n",
            "template <typename M> __device__ int leader(M m) { return __ffsll(m) - 1; }\n",
            "leader<unsigned>(m)",
            f"leader<{WIDE}>(m)",
        ),
        (
            "template <class M> struct Group { static __device__ int rank(M m, int l) "
            "{ return __popc(m & ((M(1) << l) - 1)); } };\n",
            "template <class M> struct Group { static __device__ int rank(M m, int l) "
            "{ return __popcll(m & ((M(1) << l) - 1)); } };\n",
            "Group<unsigned>::rank(m, 3)",
            f"Group<{WIDE}>::rank(m, 3)",
        ),
        (
            "namespace app { __device__ inline int lanes(int skip, unsigned m) { return __popc(m) - skip; } }\n",
            f"namespace app {{ __device__ inline int lanes(int skip, {WIDE} m) {{ return __popcll(m) - skip; }} }}\n",
            "app::lanes(1, m) + app::lanes(2, __activemask())",
            "app::lanes(1, m) + app::lanes(2, __activemask())",
        ),
        (
            "__device__ inline int first(uint32_t m) { uint32_t below = m & (m - 1); return __ffs(m ^ below); }\n",
            f"__device__ inline int first({WIDE} m) {{ {WIDE} below = m & (m - 1); return __ffsll(m ^ below); }}\n",
            "first(m & ~1u)",
            "first(m & ~1ull)",
        ),
        (
            "template <int N, typename M> __device__ int top(const M &m) { return 31 - __clz(m); }\n",
            "template <int N, typename M> __device__ int top(const M &m) { return 63 - __clzll(m); }\n",
            "top<4>(m)",
            "top<4>(m)",
        ),
    ],
)
def test_a_headers_function_takes_the_masks_of_its_callers(
    tmp_path: Path, header: str, wide: str, call: str, wide_call: str
) -> None:
    source = GIVES.replace("CALL", call)
    outputs = converted(tmp_path, lead_cuh=header, a_cu=source)
    assert outputs["lead.cuh"] == wide
    assert f"o[0] = {wide_call};" in outputs["a.cu"]
    assert reported(tmp_path, lead_cuh=header, a_cu=source) == []


HEADER = "#pragma once\n__device__ inline int bits(unsigned m) { return __popc(m); }\n"


def test_a_function_that_another_file_gives_data_keeps_its_type(tmp_path: Path) -> None:
    """A parameter of 64 bits would count the sign of the other file's `int`."""
    files = {
        "lead_cuh": HEADER,
        "a_cu": GIVES.replace("CALL", "bits(m)"),
        "b_cu": '#include "lead.cuh"\n__global__ void l(const int *in, int *o) { o[0] = bits(in[0]); }\n',
    }
    assert converted(tmp_path, **files)["lead.cuh"] == HEADER.replace("#pragma once\n", "#pragma once\n")
    assert reported(tmp_path, **files) == [("a.cu", 2)]


def test_a_header_that_stands_between_is_looked_through(tmp_path: Path) -> None:
    source = GIVES.replace("lead.cuh", "middle.cuh").replace("CALL", "bits(m)")
    outputs = converted(tmp_path, lead_cuh=HEADER, middle_cuh='#include "lead.cuh"\n', a_cu=source)
    assert f"bits({WIDE} m) {{ return __popcll(m); }}" in outputs["lead.cuh"]


def test_a_function_of_that_name_in_another_program_stays(tmp_path: Path) -> None:
    other = '#include "other.cuh"\n__global__ void l(int *o) { o[0] = bits(o[1]); }\n'
    outputs = converted(tmp_path, lead_cuh=HEADER, other_cuh=HEADER, a_cu=GIVES.replace("CALL", "bits(m)"), b_cu=other)
    assert "__popcll" in outputs["lead.cuh"]
    assert outputs["other.cuh"] == HEADER


def test_a_header_that_is_not_converted_along_is_named(tmp_path: Path) -> None:
    source = GIVES.replace("CALL", "bits(m)")
    assert reported(tmp_path, ["a.cu"], lead_cuh=HEADER, a_cu=source) == [("a.cu", 2)]


def test_a_function_that_no_file_has_is_named(tmp_path: Path) -> None:
    """Its parameter may have 32 bits; what counts bits of any type, and macros, are none of these."""
    source = GIVES.replace("CALL", "far(m) + std::popcount(m) + ASSERT(m)")
    assert reported(tmp_path, lead_cuh=HEADER, a_cu=source) == [("a.cu", 2)]


def test_a_prototype_keeps_the_type_that_its_definition_has(tmp_path: Path) -> None:
    source = GIVES.replace("CALL", "bits(m)")
    header = "__device__ int bits(unsigned m);\n"
    assert converted(tmp_path, lead_cuh=header, a_cu=header + source)["lead.cuh"] == header
    assert reported(tmp_path, lead_cuh=header, a_cu=header + source) == [("a.cu", 1)]


LEADER = "__device__ inline int leader(unsigned m) { return __ffs(m) - 1; }\n"
WIDE_LEADER = f"__device__ inline int leader({WIDE} m) {{ return __ffsll(m) - 1; }}\n"


@pytest.mark.parametrize(
    ("header", "wide", "call"),
    [
        (
            "__device__ inline int pass(unsigned m) { return leader(m); }\n",
            f"__device__ inline int pass({WIDE} m) {{ return leader(m); }}\n",
            "pass(m)",
        ),
        (
            "__device__ inline int later(int n, unsigned m) { unsigned rest = m & (m - 1); return leader(rest) + n; }\n",
            f"__device__ inline int later(int n, {WIDE} m) {{ {WIDE} rest = m & (m - 1); return leader(rest) + n; }}\n",
            "later(1, m)",
        ),
        (
            "template <class M> __device__ int any(M m) { return leader(m); }\n",
            "template <class M> __device__ int any(M m) { return leader(m); }\n",
            "any(m)",
        ),
        (
            "struct Group { __device__ static int first(unsigned m) { return leader(m); } };\n",
            f"struct Group {{ __device__ static int first({WIDE} m) {{ return leader(m); }} }};\n",
            "Group::first(m)",
        ),
        (
            "__device__ inline int both(unsigned m) { return m ? leader(m) : leader(~m); }\n",
            f"__device__ inline int both({WIDE} m) {{ return m ? leader(m) : leader(~m); }}\n",
            "both(m)",
        ),
    ],
)
def test_a_mask_goes_through_two_headers(tmp_path: Path, header: str, wide: str, call: str) -> None:
    source = GIVES.replace("lead.cuh", "pass.cuh").replace("CALL", call)
    include = '#include "far.cuh"\n'
    files = {"far_cuh": LEADER, "pass_cuh": include + header, "a_cu": source}
    outputs = converted(tmp_path, **files)
    assert outputs["far.cuh"] == WIDE_LEADER
    assert outputs["pass.cuh"] == include + wide
    assert reported(tmp_path, **files) == []


def test_a_mask_that_one_of_two_headers_mixes_with_data_is_named_there(tmp_path: Path) -> None:
    files = {
        "far_cuh": LEADER,
        "pass_cuh": '#include "far.cuh"\n__device__ inline int pass(unsigned m) { return leader(m); }\n',
        "data_cuh": '#include "far.cuh"\n__device__ inline int data(const int *p) { return leader(p[0]); }\n',
        "a_cu": '#include "data.cuh"\n' + GIVES.replace("lead.cuh", "pass.cuh").replace("CALL", "pass(m) + data(o)"),
    }
    assert converted(tmp_path, **files)["far.cuh"] == LEADER
    assert reported(tmp_path, **files) == [("pass.cuh", 2)]


def test_a_mask_that_a_headers_function_returns_is_followed_on(tmp_path: Path) -> None:
    files = {
        "far_cuh": LEADER,
        "same_cuh": '#include "far.cuh"\n__device__ inline unsigned rest(unsigned m) { return m & (m - 1); }\n',
        "a_cu": GIVES.replace("lead.cuh", "same.cuh").replace("o[0] = CALL", "unsigned n = rest(m); o[0] = __popc(n)"),
    }
    outputs = converted(tmp_path, **files)
    assert f"inline {WIDE} rest({WIDE} m)" in outputs["same.cuh"]
    assert f"{WIDE} n = rest(m); o[0] = __popcll(n)" in outputs["a.cu"]
    assert reported(tmp_path, **files) == []


def test_only_what_is_asked_about_is_split_into_words(tmp_path: Path) -> None:
    files = {
        "lead.cuh": "template <class M> __device__ int leader(M m) { return __ffs(m) - 1; }\n",
        "a.cu": GIVES.replace("CALL", "leader(m)"),
        "unrelated.cu": "__device__ int leader(int m) { return m; }\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    facts = FileFacts()
    paths = [str(tmp_path / name) for name in files]
    told = with_warps(ProjectContext(), paths, [], UNFIXED, Texts(facts=facts)).of(paths[1])
    assert told.mask_parameters
    split = {Path(path).name for path, known in facts.of_files.items() if name_of(words_in) in known}
    assert split == {"lead.cuh", "a.cu"}
