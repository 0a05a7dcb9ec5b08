"""What a header calls a namespace of the tables, and the macros that it has under API names, hold where it is included."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.core.options import Options, Targeting
from hipify_py.project.api import check, convert
from hipify_py.project.include_graph import sure_include_lines
from hipify_py.translator.translate import translate

ROCM = Options(targeting=Targeting(rocm="7.1"))
GROUPS = "#include <cooperative_groups.h>\n"
KERNEL = "__global__ void k(int *x) { auto g = @coalesced_threads(); x[0] = g.size(); }\n"
KEPT = KERNEL.replace("@", "hipify::warp32::")


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def translated(folder: Path, files: dict[str, str], name: str = "a.cu") -> str:
    write(folder, files)
    convert([folder], in_place=True, force=True, options=ROCM)
    return (folder / name).read_text()


NAMED = {
    "alias": ("namespace cg = cooperative_groups;\n", KERNEL.replace("@", "cg::")),
    "alias by the full name": ("namespace groups = ::cooperative_groups;\n", KERNEL.replace("@", "groups::")),
    "alias in a namespace": (
        "namespace lib { namespace cg = cooperative_groups; }\n",
        "namespace lib { " + KERNEL.replace("@", "cg::") + "}\n",
    ),
    "alias in a namespace around this one": (
        "namespace lib { namespace cg = cooperative_groups; }\n",
        "namespace lib { namespace detail { " + KERNEL.replace("@", "cg::") + "} }\n",
    ),
    "alias in a namespace that is opened": (
        "namespace lib { namespace cg = cooperative_groups; }\n",
        "using namespace lib;\n" + KERNEL.replace("@", "cg::"),
    ),
    "alias of an alias": (
        "namespace first = cooperative_groups;\nnamespace cg = first;\n",
        KERNEL.replace("@", "cg::"),
    ),
    "directive": ("using namespace cooperative_groups;\n", KERNEL.replace("@", "")),
    "directive in a namespace": (
        "namespace lib { using namespace cooperative_groups; }\n",
        "namespace lib { " + KERNEL.replace("@", "") + "}\n",
    ),
    "single name": ("using cooperative_groups::coalesced_threads;\n", KERNEL.replace("@", "")),
}
"""What a header says, and a source that goes by it."""


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("between", ["", "between.cuh"])
def test_a_file_sees_what_its_headers_call_a_namespace(tmp_path: Path, name: str, between: str) -> None:
    header, source = NAMED[name]
    files = {"own.cuh": "#pragma once\n" + GROUPS + header, "a.cu": f'#include "{between or "own.cuh"}"\n' + source}
    if between:
        files[between] = '#include "own.cuh"\n'
    text = translated(tmp_path, files)
    if name == "single name":
        assert "using hipify::warp32::coalesced_threads;" in (tmp_path / "own.cuh").read_text()
    else:
        assert "= hipify::warp32::coalesced_threads();" in text
    assert check([tmp_path], options=ROCM).results


def test_a_file_given_by_itself_sees_it_too(tmp_path: Path) -> None:
    header, source = NAMED["alias"]
    write(tmp_path, {"own.cuh": GROUPS + header, "a.cu": '#include "own.cuh"\n' + source})
    (tmp_path / ".git").mkdir()
    convert([tmp_path / "a.cu"], in_place=True, force=True, options=ROCM)
    assert "hipify::warp32::coalesced_threads" in (tmp_path / "a.cu").read_text()


def test_an_alias_may_be_made_of_that_of_another_header(tmp_path: Path) -> None:
    files = {
        "one.cuh": GROUPS + "namespace lib { namespace cg = cooperative_groups; }\n",
        "two.cuh": '#include "one.cuh"\nnamespace lib { namespace groups = cg; }\n',
        "a.cu": '#include "two.cuh"\nnamespace lib { ' + KERNEL.replace("@", "groups::") + "}\n",
    }
    assert "hipify::warp32::coalesced_threads" in translated(tmp_path, files)


def test_cub_is_known_by_the_name_that_a_header_gives_it(tmp_path: Path) -> None:
    files = {
        "own.cuh": "#include <cub/cub.cuh>\nnamespace bc = cub;\n",
        "a.cu": '#include "own.cuh"\n__global__ void k(bc::WarpReduce<int> *x);\n',
    }
    assert "bc::WarpReduce<int, 32>" in translated(tmp_path, files)


def test_uses_by_such_a_name_are_counted(tmp_path: Path) -> None:
    use = "__global__ void k() { cg::this_thread_block().sync(); cg::this_thread(); }\n"
    write(tmp_path, {"own.cuh": GROUPS + "namespace cg = cooperative_groups;\n", "a.cu": '#include "own.cuh"\n' + use})
    (result,) = [result for result in check([tmp_path], options=ROCM).results if result.path.endswith("a.cu")]
    assert [finding.name for finding in result.findings if finding.id == "HIP101"] == [
        "cooperative_groups::this_thread"
    ]
    assert (result.counts.unsupported, result.counts.unknown) == (1, 0)


OTHERS = {
    "namespace of the file's own": "namespace cg { int coalesced_threads(); }\n" + KERNEL.replace("@", "cg::"),
    "alias of the file's own": "namespace mine { int coalesced_threads(); }\nnamespace cg = mine;\n"
    + KERNEL.replace("@", "cg::"),
    "other scope": KERNEL.replace("@", "other::cg::"),
    "member": "__device__ int f(Pool p) { return p.cg::coalesced_threads(); }\n",
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_the_file_means_otherwise_stays(tmp_path: Path, name: str) -> None:
    files = {
        "own.cuh": GROUPS + "namespace cg = cooperative_groups;\n",
        "a.cu": '#include "own.cuh"\n' + OTHERS[name],
    }
    assert "hipify::" not in translated(tmp_path, files)


HEADERS = {
    "alias of another namespace": "namespace lib { namespace cg = cooperative_groups; }\n",
    "alias of a function": "inline void f() { namespace cg = cooperative_groups; }\n",
    "directive of a function": "inline void f() { using namespace cooperative_groups; }\n",
    "none": "",
}


@pytest.mark.parametrize("name", HEADERS)
def test_a_name_holds_in_its_scope_alone(tmp_path: Path, name: str) -> None:
    source = KERNEL.replace("@", "" if name == "directive of a function" else "cg::")
    text = translated(tmp_path, {"own.cuh": GROUPS + HEADERS[name], "a.cu": '#include "own.cuh"\n' + source})
    assert "hipify::" not in text


def test_a_function_of_the_files_own_is_not_the_namespaces(tmp_path: Path) -> None:
    own = "__device__ int coalesced_threads();\n"
    files = {
        "own.cuh": GROUPS + "using namespace cooperative_groups;\n",
        "a.cu": '#include "own.cuh"\n' + own + "__device__ int g() { return coalesced_threads(); }\n",
    }
    assert "hipify::" not in translated(tmp_path, files)


def test_votes_need_their_macro_where_groups_are_included(tmp_path: Path) -> None:
    vote = "__device__ int f(int v) { return cg::tiled_partition<32>(cg::this_thread_block()).ballot(v); }\n"
    files = {
        "own.cuh": "#pragma once\n" + GROUPS + "namespace cg = cooperative_groups;\n",
        "other.cuh": "#pragma once\n" + GROUPS,
        "a.cu": '#include "own.cuh"\n' + vote,
        "b.cu": '#include "other.cuh"\n',
    }
    text = translated(tmp_path, files)
    macro = "#define HIP_ENABLE_WARP_SYNC_BUILTINS\n"
    assert macro in text
    assert macro + "#include <hip/hip_cooperative_groups.h>" in (tmp_path / "own.cuh").read_text()
    assert macro not in (tmp_path / "other.cuh").read_text()


MACRO = "#define __shfl_up(var, delta) __shfl_up_sync(0xffffffff, (var), (delta))\n"
SHUFFLE = "__device__ int f(int v) { return __shfl_up(v, 1); }\n"

MACROS = {
    "alone": MACRO,
    "for new versions of CUDA": "#if CUDA_VERSION >= 9000\n" + MACRO + "#endif\n",
    "behind an include guard": "#ifndef OWN_H\n#define OWN_H\n" + MACRO + "#endif\n",
}
NO_MACROS = {
    "for AMD GPUs no more": "#ifndef __HIP_PLATFORM_AMD__\n" + MACRO + "#endif\n",
    "on a condition of which nothing is known": "#ifdef OLD_SHUFFLES\n" + MACRO + "#endif\n",
    "taken back": MACRO + "#undef __shfl_up\n",
}


@pytest.mark.parametrize("name", MACROS)
@pytest.mark.parametrize("between", ["", "between.h"])
def test_calls_of_a_headers_macro_stay(tmp_path: Path, name: str, between: str) -> None:
    files = {
        "own.h": "#include <cuda_runtime.h>\n" + MACROS[name],
        "between.h": '#ifndef B\n#define B\n#include "own.h"\n#endif\n',
        "a.cu": f'#include "{between or "own.h"}"\n' + SHUFFLE,
    }
    assert SHUFFLE in translated(tmp_path, files)
    assert "__shfl_up((var), (delta) & 31, 32)" in (tmp_path / "own.h").read_text()


def test_a_macro_of_hips_name_calls_hips_function_by_its_own_arguments() -> None:
    text = translate(MACRO, path="own.cuh", options=Options(targeting=Targeting(rocm="5.2"))).output.decode()
    assert text.endswith("#define __shfl_up(var, delta) __shfl_up((var), (delta) & 31, 32)\n")


@pytest.mark.parametrize("name", NO_MACROS)
def test_a_macro_that_may_not_be_defined_says_nothing(tmp_path: Path, name: str) -> None:
    files = {"own.h": "#include <cuda_runtime.h>\n" + NO_MACROS[name], "a.cu": '#include "own.h"\n' + SHUFFLE}
    assert "__shfl_up(v, 1, 32)" in translated(tmp_path, files)


def test_a_header_that_may_not_be_included_says_nothing_of_its_macros(tmp_path: Path) -> None:
    files = {
        "own.h": "#include <cuda_runtime.h>\n" + MACRO,
        "a.cu": '#ifdef EMULATED\n#include "own.h"\n#endif\n' + SHUFFLE,
        "b.cu": SHUFFLE + "__device__ int g();\n",
    }
    assert "__shfl_up(v, 1, 32)" in translated(tmp_path, files)
    assert "__shfl_up(v, 1, 32)" in (tmp_path / "b.cu").read_text()


def test_includes_without_a_condition() -> None:
    text = b"""#ifndef A_H
#define A_H
#include "always.h"
#if X
#include "never.h"
#ifdef Y
#include <never/too.h>
#endif
#endif
// #if Z
#include "also.h"
#endif
"""
    files, _ = sure_include_lines(text)
    assert [name for name, _, _ in files] == ["always.h", "also.h"]
