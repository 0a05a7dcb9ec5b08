"""What an include leads to, and what files see of each other through includes."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from hipify_py.project.compile_commands import CompileCommands
from hipify_py.project.include_graph import Include, IncludeGraph, circles, graph_of, includes_of
from hipify_py.project.source_store import SourceStore


def graph(files: Mapping[str, str]) -> dict[str, list[str]]:
    """The files that each file of a project includes."""
    return IncludeGraph({path: includes_of(text.encode()) for path, text in files.items()}).included


def names(text: str) -> list[str]:
    return [include.name for include in includes_of(text.encode()).files]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('#include "a.h"\n  #  include <b/c.h> // why\n#\tinclude"d.h"', ["a.h", "b/c.h", "d.h"]),
        ('#include_next <a.h>\n#import "b.h"\n', ["a.h", "b.h"]),
        ('// #include "a.h"\n/* #include "b.h" */\n/*\n#include "c.h"\n*/\n', []),
        ('// see src/*.cu\n#include "a.h"\n', ["a.h"]),
        ('const char *every = "src/*";\n#include "a.h"\n', ["a.h"]),
        ('/* a */ #include "a.h"\n', ["a.h"]),
        ('#if USE_A\n#include "a.h"\n#endif\n#if 0\n#include "b.h"\n#endif\n', ["a.h", "b.h"]),
        ('puts("#include <a.h>");\n', []),
        ("#include KERNELS\n", ["KERNELS"]),
        ('#include "..\\common\\a.h"\r\n', ["../common/a.h"]),
        ('#include "unfinished\n#include <', []),
    ],
)
def test_the_includes_of_a_text(text: str, found: list[str]) -> None:
    assert names(text) == found


def test_a_macro_that_stands_for_a_path() -> None:
    found = includes_of(b'#define KERNELS "k.cuh"\n#define N 3\n#define SYSTEM <s/t.h>\n')
    assert found.macros == (("KERNELS", Include("k.cuh", True)), ("SYSTEM", Include("s/t.h")))


@pytest.mark.parametrize(
    ("include", "leads_to"),
    [
        ('"util.cuh"', ["p/src/util.cuh"]),
        ('"./util.cuh"', ["p/src/util.cuh"]),
        ('"../src/util.cuh"', ["p/src/util.cuh"]),
        ('"../../q/util.cuh"', ["q/util.cuh"]),
        ("<util.cuh>", ["p/src/util.cuh"]),
        ('"sizes.h"', ["p/include/sizes.h"]),
        ("<lib/warp.cuh>", ["p/include/lib/warp.cuh"]),
        ("<detail/block.cuh>", ["q/core/detail/block.cuh", "r/core/detail/block.cuh"]),
        ("<vector>", []),
        ("<other/util.cuh>", []),
        ('"absent.h"', []),
        ("<cub/util.cuh>", []),
        ("<q/tile.cuh>", ["q/core/tile.cuh"]),
    ],
)
def test_what_an_include_leads_to(include: str, leads_to: list[str]) -> None:
    others = ["p/src/util.cuh", "p/include/sizes.h", "p/include/lib/warp.cuh", "q/util.cuh", "q/include/sizes.h"]
    others += ["q/core/detail/block.cuh", "r/core/detail/block.cuh", "q/core/tile.cuh", "q/include/lib/warp.cuh"]
    files = dict.fromkeys(others, "") | {"p/src/a.cu": f"#include {include}\n"}
    assert graph(files)["p/src/a.cu"] == leads_to


def test_includes_by_macros() -> None:
    files = {
        "a.cu": '#define KERNELS "k.cuh"\n#include KERNELS\n',
        "b.cu": '#include "config.h"\n#include SIZES\n#include ON_THE_COMMAND_LINE\n',
        "config.h": "#define SIZES <lib/sizes.h>\n",
        "k.cuh": "",
        "lib/sizes.h": "",
    }
    assert graph(files) == {
        "a.cu": ["k.cuh"],
        "b.cu": ["config.h", "lib/sizes.h"],
        "config.h": [],
        "k.cuh": [],
        "lib/sizes.h": [],
    }


def test_what_files_see() -> None:
    files = {
        "a.cu": '#include "tools.cuh"\n#include "kernel.inl"\n',
        "tools.cuh": '#include "sizes.h"\n',
        "kernel.inl": "",
        "sizes.h": "",
        "b.cu": '#include "kernel.inl"\n#include "other.cuh"\n',
        "other.cuh": "",
        "c.cu": '#include "other.cuh"\n',
    }
    reach = IncludeGraph({path: includes_of(text.encode()) for path, text in files.items()}).reach(
        ["sizes.h", "tools.cuh", "other.cuh"]
    )

    def seen_by(path: str) -> tuple[frozenset[str], frozenset[str]]:
        sight = reach.sight(path)
        return sight.included, sight.further

    assert seen_by("a.cu") == ({"tools.cuh", "sizes.h"}, frozenset())
    assert seen_by("kernel.inl") == (frozenset(), {"tools.cuh", "sizes.h", "other.cuh"})
    assert seen_by("c.cu") == ({"other.cuh"}, frozenset())
    assert reach.sight("other.cuh").all == {"other.cuh"}
    assert seen_by("sizes.h") == ({"sizes.h"}, {"tools.cuh"})


def test_headers_that_include_each_other_in_a_circle() -> None:
    files = {
        "a.h": '#include "b.h"\n',
        "b.h": '#include "c.h"\n#include "d.h"\n',
        "c.h": '#include "a.h"\n#include "c.h"\n',
        "d.h": "",
        "e.cu": '#include "c.h"\n',
    }
    reach = IncludeGraph({path: includes_of(text.encode()) for path, text in files.items()}).reach(files)
    assert (
        reach.sight("a.h").included
        == reach.sight("b.h").included
        == reach.sight("c.h").included
        == {"a.h", "b.h", "c.h", "d.h"}
    )
    assert reach.sight("d.h").included == {"d.h"}
    assert reach.sight("d.h").further == {"a.h", "b.h", "c.h", "e.cu"}
    assert reach.sight("d.h").all == set(files)
    assert reach.sight("e.cu").included == set(files)


def test_circles_come_before_what_includes_them() -> None:
    order = circles({"a": ["b", "d"], "b": ["c"], "c": ["b"], "d": ["d"]})
    assert [sorted(group) for group in order] == [["b", "c"], ["d"], ["a"]]


def test_a_long_chain_of_includes() -> None:
    count = 5000
    included = {f"{number}": [f"{number + 1}"] for number in range(count)} | {f"{count}": []}
    order = circles(included)
    assert order[0] == [f"{count}"]
    assert order[-1] == ["0"]


def test_a_graph_of_the_same_files_is_made_once() -> None:
    texts = SourceStore({"a.cu": b'#include "b.h"\n', "b.h": b""})
    made = graph_of(["a.cu", "b.h"], texts)
    assert made.included == {"a.cu": ["b.h"], "b.h": []}
    assert graph_of(["a.cu", "b.h"], texts) is made
    assert graph_of(["a.cu"], texts).included == {"a.cu": []}
    assert graph_of(["a.cu", "b.h"], texts.compiled_by(CompileCommands({}))) is not made
