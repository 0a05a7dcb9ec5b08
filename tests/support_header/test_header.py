"""The support header: putting it together, and taking up one that is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hipify_py import Options, translate
from hipify_py.catalog import Row, load_catalog
from hipify_py.project.api import convert
from hipify_py.project.work import used_sections
from hipify_py.support_header.header import (
    asked_macros,
    is_header,
    merge_sections,
    render,
    section_names,
    section_text,
)
from hipify_py.support_header.inlined import INLINED

SECTIONS = Path(__file__).parents[2] / "hipify_py" / "support_header" / "sections"


def _supported() -> list[Row]:
    return [row for row in load_catalog().rows() if "support" in row.details]


@pytest.mark.parametrize("row", _supported(), ids=lambda row: row.name)
def test_a_name_that_a_table_promises_stands_in_its_section(row: Row) -> None:
    support = row.details["support"]
    if "section" not in support:
        assert row.kind == "header"
        return
    scope, _, name = support["hip"].rpartition("::")
    text = (SECTIONS / f"{support['section']}.hpp").read_text(encoding="utf-8")
    assert scope == "hipify"
    assert re.search(rf"\b{name}\b", text)


@pytest.mark.parametrize("name", section_names())
def test_a_section_says_what_it_is_for(name: str) -> None:
    text = (SECTIONS / f"{name}.hpp").read_text(encoding="utf-8")
    assert text.startswith("// ")
    assert text.endswith("\n")
    assert "#pragma once" not in text


def test_a_header_has_what_was_asked_for_and_what_that_needs() -> None:
    text = render(["dp2a"]).decode()
    assert "section base" in text
    assert "section dp2a" in text
    assert "section lanes" not in text


def test_a_header_gains_sections_and_keeps_those_it_has() -> None:
    old = render(["dp2a"])
    assert merge_sections(old, ["lanes"]) == render(["dp2a", "lanes"])
    assert merge_sections(old, []) == old


def test_the_order_in_which_sections_are_asked_for_does_not_matter() -> None:
    """Files of one run ask for them as they become ready, and a header gains them one after the other."""
    names = sorted(section_names())
    for first in names:
        for second in names:
            header = render([second, first], is_shared=True)
            assert merge_sections(render([first], is_shared=True), [second]) == header, (first, second)
    grown = render([], is_shared=True)
    for name in reversed(names):
        grown = merge_sections(grown, [name]) or b""
    assert grown == render(names, is_shared=True)


def test_line_ends_do_not_make_a_header_a_strangers() -> None:
    assert merge_sections(render(["dp2a"]).replace(b"\n", b"\r\n"), ["lanes"]) == render(["dp2a", "lanes"])


def test_a_header_of_a_newer_version_keeps_sections_that_are_unknown_here() -> None:
    newer = render(["dp2a"], [("of_tomorrow", "int tomorrow();\n")])
    both = merge_sections(newer, ["lanes"])
    assert both is not None
    assert b"int tomorrow();" in both
    assert b"section lanes" in both
    assert merge_sections(both, []) == both


@pytest.mark.parametrize("data", [b"", b"#pragma once\n", render(["dp2a"]) + b"int mine;\n", render(["dp2a"])[:80]])
def test_what_hipify_did_not_write_is_not_taken_up(data: bytes) -> None:
    assert merge_sections(data, ["lanes"]) is None


def test_the_header_is_not_translated_nor_reported_on() -> None:
    data = render(section_names())
    result = translate(data, path="hipify_support.hpp")
    assert is_header(data)
    assert result.output == data
    assert not result.references
    assert not result.findings


def _include_of(source: str, **options: object) -> str:
    return translate(source, path="a.cu", options=Options(**options)).output.decode()  # type: ignore[arg-type]


USE = "__device__ int f(int a) { return __dp2a_lo(a, a, a); }\n"
USED = "__device__ int f(int a) { return hipify::dp2a_lo(a, a, a); }\n"
INCLUDE = '#include "hipify_support.hpp"\n'
RUNTIME = "#include <hip/hip_runtime.h>\n"


@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        ("", RUNTIME + INCLUDE),
        ("#include <vector>\n", RUNTIME + INCLUDE + "#include <vector>\n"),
        ("#include <cuda_runtime.h>\n#include <vector>\n", RUNTIME + INCLUDE + "#include <vector>\n"),
        ("#include <vector>\n#include <cuda_runtime.h>\n", "#include <vector>\n" + RUNTIME + INCLUDE),
        ("#include <cuda.h>\n#include <cuda_runtime.h>\n", RUNTIME + INCLUDE),
        ("#pragma once\n", "#pragma once\n" + RUNTIME + INCLUDE),
        ("#ifndef A\n#define A\n#include <cuda.h>\n", "#ifndef A\n#define A\n" + RUNTIME + INCLUDE),
        ("#ifdef B\n#include <cuda.h>\n#endif\n", INCLUDE + "#ifdef B\n" + RUNTIME + "#endif\n"),
        ('extern "C" {\n#include <cuda.h>\n}\n', INCLUDE + 'extern "C" {\n' + RUNTIME + "}\n"),
        ("#include <cuda_runtime.h> /* one\n two */\n", RUNTIME[:-1] + " /* one\n two */\n" + INCLUDE),
    ],
)
def test_the_include_stands_behind_the_runtimes(head: str, wanted: str) -> None:
    assert _include_of(head + USE) == wanted + USED


def test_the_include_follows_the_files_line_ends_and_last_line() -> None:
    assert _include_of("#include <cuda_runtime.h>\r\n" + USE).startswith(
        '#include <hip/hip_runtime.h>\r\n#include "hipify_support.hpp"\r\n'
    )
    define = "#define DOT(a) __dp2a_lo(a, a, a)\n#include <cuda_runtime.h>"
    assert _include_of(define).endswith('#include <hip/hip_runtime.h>\n#include "hipify_support.hpp"\n')


def test_a_second_translation_adds_no_second_include() -> None:
    once = _include_of("#include <cuda_runtime.h>\n" + USE)
    assert _include_of(once) == once
    more = once + "__device__ int g(int a) { return __dp2a_hi(a, a, a); }\n"
    assert _include_of(more).count("hipify_support.hpp") == 1


def test_without_support_what_needs_it_is_a_finding() -> None:
    result = translate(USE, path="a.cu", options=Options(support=False))
    assert b"hipify" not in result.output
    assert [finding.id for finding in result.findings] == ["HIP101"]
    assert not result.support


def test_an_embedded_kernel_has_it_inlined() -> None:
    result = translate(f'const char *k = R"({USE})";\n', path="a.cu")
    assert b'#include "' not in result.output
    assert INLINED in result.output
    assert (result.findings, result.support) == ([], frozenset())


@pytest.mark.parametrize("name", ["ballot", "shfl_up_sync", "shfl", "match_any_sync", "reduce_add_sync", "lanemask_lt"])
def test_a_lost_section_is_found_by_a_name_that_a_macro_of_its_own_makes(name: str) -> None:
    assert "warp32" in used_sections(f"int v = hipify::warp32::{name}(1);")
    assert "dp2a" not in used_sections(f"int v = hipify::warp32::{name}(1);")


def test_a_shared_header_brings_other_headers_to_files_that_ask() -> None:
    header = render(["half_more", "latch"], is_shared=True).decode()
    assert "#if defined(HIPIFY_NEEDS_FP16) && !defined(HIPIFY_SUPPORT_HALF)\n" in header
    assert "#if defined(HIPIFY_NEEDS_FP16) && !defined(HIPIFY_SUPPORT_HALF_MORE)\n" in header  # it needs the other
    assert "#ifndef HIPIFY_SUPPORT_LATCH\n" in header
    assert "brings" not in header
    assert asked_macros(["latch", "half_more", "dispatch"]) == ["HIPIFY_NEEDS_FP16", "HIPIFY_NEEDS_HIPCUB"]


def test_a_printed_header_stays_for_files_that_do_not_ask() -> None:
    merged = merge_sections(render(["half"]), ["nvtx"])
    assert merged == render(["half", "nvtx"])
    assert b"HIPIFY_NEEDS" not in merged


@pytest.mark.parametrize("name", section_names())
def test_sections_that_include_what_not_every_program_has_say_so(name: str) -> None:
    """HIP's own headers without names outside of a namespace, and those of C++, enter every file."""
    free = {"hip/hip_cooperative_groups.h", "hip/hip_complex.h", "hip/hip_runtime_api.h"}
    included = set(re.findall(r"#include <((?:hip|roc)\w*/\S+)>", section_text(name))) - free
    assert bool(asked_macros([name])) or not included


def test_programs_of_one_tree_do_not_share_names(tmp_path: Path) -> None:
    """A program with a function `half2float` of its own gets no header of half numbers for another's sake."""
    (tmp_path / "x").mkdir()
    (tmp_path / "y").mkdir()
    (tmp_path / "x/add.cu").write_text(
        "#include <cuda_fp16.h>\n__global__ void add(__half *p, __half v) { atomicAdd(p, v); }\n"
    )
    (tmp_path / "y/vote.cu").write_text(
        "__device__ int half(int v) { return v / 2; }\n"
        "__global__ void vote(unsigned *o, int v) { o[0] = __ballot_sync(~0u, v > 3) + half(v); }\n"
    )
    convert([tmp_path], in_place=True, force=True, jobs=1)
    outputs = {path.name: path.read_text() for path in tmp_path.rglob("*.cu")}
    assert '#define HIPIFY_NEEDS_FP16\n#include "../hipify_support.hpp"\n' in outputs["add.cu"]
    assert '#include "../hipify_support.hpp"\n' in outputs["vote.cu"]
    assert "HIPIFY_NEEDS" not in outputs["vote.cu"]
    convert([tmp_path], in_place=True, force=True, jobs=1)
    assert {path.name: path.read_text() for path in tmp_path.rglob("*.cu")} == outputs


def test_a_source_that_includes_the_header_already_asks_before_it() -> None:
    source = (
        '#include <cuda_fp16.h>\n#include "hipify_support.hpp"\n__global__ void add(__half *p) { atomicAdd(p, *p); }\n'
    )
    output = translate(source, path="a.cu").output
    assert b'#define HIPIFY_NEEDS_FP16\n#include "hipify_support.hpp"\n' in output
    assert translate(output, path="a.cu").output == output
