"""Headers that define something by `warpSize`: sources go by it as if they had defined it themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from hipify_py.options import Options
from hipify_py.project.api import convert
from hipify_py.project.texts import Texts
from hipify_py.project.warp_facts import with_warps
from hipify_py.project.warp_files import _defines_by_size
from hipify_py.project_context import ProjectContext
from tests.growth import assert_linear

INCLUDE = re.compile(r'#include "([\w./]+)"\n')
REDUCE = "for (int s = {}; s; s >>= 1) v += __shfl_down_sync(0xffffffff, v, s);"
AMONG_32 = "for (int s = 16; s; s >>= 1) v += __shfl_xor_sync(0xffffffff, v, s);"
VOTE = "unsigned m = __ballot_sync(0xffffffff, v); o[0] = __popc(m & ((1u << lane) - 1));"

BY_ITS_NAME = {
    "width": "v += __shfl_down_sync(0xffffffff, v, 16, WS);",
    "reduction": REDUCE.format("WS / 2") + " if (threadIdx.x % WS == 0) o[threadIdx.x / WS] = v;",
    "shared memory": f"__shared__ int b[1024 / 32]; {AMONG_32} if (threadIdx.x % WS == 0) b[threadIdx.x / WS] = v;",
    "ballot": f"int lane = threadIdx.x & (WS - 1); {VOTE}",
    "one warp": f"if (threadIdx.x < WS) {REDUCE.format('WS / 2')}",
    "all votes": "o[1] = __popc(__ballot_sync(0xffffffff, v)) == WS;",
    "last lane": "int lane = threadIdx.x % WS; v = __shfl_up_sync(0xffffffff, v, 1); if (lane == 31) o[0] = v;",
    "lane WS - 1": "int lane = threadIdx.x % WS; v = __shfl_up_sync(0xffffffff, v, 1); if (lane == WS - 1) o[0] = v;",
    "scan": "for (int d = 1; d < WS; d <<= 1) { int t = __shfl_up_sync(0xffffffff, v, d);"
    " if (threadIdx.x % WS >= d) v += t; }",
    "mask": "unsigned m = (1u << WS) - 1; v = __shfl_up_sync(m, v, 1); o[0] = __popc(__ballot_sync(m, v));",
    "rows": "__shared__ int b[8][33]; b[threadIdx.y][threadIdx.x % WS] = v; __syncwarp(); unsigned m = __activemask();",
    "match": "unsigned m = __match_any_sync(0xffffffff, v); if (threadIdx.x % WS == __ffs(m) - 1) o[0] = __popc(m);",
    "built-in": "v = __reduce_add_sync(0xffffffff, v); if (threadIdx.x % WS == 0) o[threadIdx.x / WS] = v;",
    "another count": f"{AMONG_32} if (threadIdx.x % 32 == 0) o[threadIdx.x / 32] = v; if (blockDim.x > WS) o[2] = 1;",
    "its own name for it": "const int W = WS; " + REDUCE.format("W / 2"),
}
OTHERS = {
    "a cast": ("#define WS static_cast<int>(warpSize)\n", REDUCE.format("WS / 2")),
    "a comment": ("#define WS ((int)warpSize) // lanes\n", REDUCE.format("WS / 2")),
    "two lines": ("#define WS \\\r\n  warpSize\n", REDUCE.format("WS / 2")),
    "a name for a name": ("#define A warpSize\n#define WS (A)\n", REDUCE.format("WS / 2")),
    "half": ("#define HALF (warpSize / 2)\n", REDUCE.format("HALF")),
    "one less": ("#define LAST (warpSize - 1)\n", f"int lane = threadIdx.x & LAST; {VOTE}"),
    "a lane": ("#define LANE (threadIdx.x % warpSize)\n", f"{AMONG_32} if (LANE == 0) o[3] = v;"),
    "a lane of an index": ("#define LANE(i) ((i) % warpSize)\n", f"{AMONG_32} if (LANE(threadIdx.x) == 0) o[3] = v;"),
    "warps": ("#define WARPS (blockDim.x / warpSize)\n", f"{AMONG_32} if (threadIdx.x < WARPS) o[threadIdx.x] = v;"),
    "rounded up": ("#define WARPS(n) (((n) + warpSize - 1) / warpSize)\n", f"{AMONG_32} o[0] = WARPS(blockDim.x);"),
    "rounded up among 32 lanes": (
        "#define WARPS(n) (((n) + warpSize - 1) / warpSize)\n",
        f"{AMONG_32} if (threadIdx.x % 32 == 0) o[0] = v; if (threadIdx.x < WARPS(blockDim.x)) o[1] = v;",
    ),
    "a function": ("__device__ inline int ws() { return warpSize; }\n", REDUCE.format("ws() / 2")),
    "a lane's function": (
        "__device__ inline int lane_of() { return threadIdx.x % warpSize; }\n",
        f"{AMONG_32} if (lane_of() == 0) o[threadIdx.x / 32] = v;",
    ),
    "a warp's function": (
        "__device__ inline int warp_of() { return threadIdx.x / warpSize; }\n",
        f"__shared__ int b[32]; {AMONG_32} if (threadIdx.x % 32 == 0) b[warp_of()] = v;",
    ),
    "a namespace": ("namespace c { const int WS = warpSize; }\n", REDUCE.format("c::WS / 2")),
    "a class": ("struct C { static const int WS = warpSize; };\n", REDUCE.format("C::WS / 2")),
    "a member": ("struct C { int size = warpSize; };\n", "C c; " + REDUCE.format("c.size / 2")),
    "a guard": ("#ifndef WS\n#define WS warpSize\n#endif\n", REDUCE.format("WS / 2")),
    "defined again": ("#define WS 32\n#undef WS\n#define WS warpSize\n", REDUCE.format("WS / 2")),
}


def kernel(body: str) -> str:
    return f"__global__ void k(int *o) {{\n  int v = o[threadIdx.x];\n  {body}\n  o[threadIdx.x] = v;\n}}\n"


def converted(root: Path, files: Mapping[str, str]) -> tuple[str, list[str]]:
    """What `a.cu` becomes from its kernel on, and the ids of all findings."""
    for name, text in files.items():
        (root / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "in" / name).write_text(text, newline="")
    report = convert([root / "in"], output=root / "out", jobs=1)
    (path,) = (path for path in files if path.endswith("a.cu"))
    text = (root / "out" / path).read_text()
    return text[text.index("__global__") :], sorted(one.id for result in report.results for one in result.findings)


def as_one_file(files: Mapping[str, str]) -> str:
    """The source with its headers in the places of its includes."""

    def inlined(name: str) -> str:
        return INCLUDE.sub(lambda include: inlined(include[1]), files[name])

    return inlined("a.cu")


def assert_same_as_one_file(root: Path, files: Mapping[str, str]) -> str:
    one = converted(root / "one", {"a.cu": as_one_file(files)})
    assert converted(root / "several", files) == one
    return one[0]


@pytest.mark.parametrize("body", BY_ITS_NAME.values(), ids=BY_ITS_NAME)
def test_another_name_for_it(tmp_path: Path, body: str) -> None:
    files = {"w.h": "#define WS warpSize\n", "a.cu": '#include "w.h"\n' + kernel(body)}
    assert "hipify::warp32" not in assert_same_as_one_file(tmp_path, files)


@pytest.mark.parametrize(("header", "body"), OTHERS.values(), ids=OTHERS)
def test_whatever_is_defined_by_it(tmp_path: Path, header: str, body: str) -> None:
    text = assert_same_as_one_file(tmp_path, {"w.h": header, "a.cu": '#include "w.h"\n' + kernel(body)})
    assert ", 32)" not in text
    assert "hipify::warp32" not in text


@pytest.mark.parametrize(
    "headers",
    [
        {"b.h": "#define WS warpSize\n", "w.h": '#include "b.h"\n'},
        {"b.h": "#define A warpSize\n", "w.h": '#include "b.h"\n#define WS A\n'},
        {"b.h": "#define A warpSize\n", "w.h": '#include "b.h"\nstatic const int WS = A;\n'},
        {
            "c.h": "#define A warpSize\n",
            "b.h": '#include "c.h"\n#define B (A)\n',
            "w.h": '#include "b.h"\n#define WS B\n',
        },
        {
            "b.h": "__device__ inline int size() { return warpSize; }\n",
            "w.h": '#include "b.h"\n#define WS size()\n',
        },
    ],
)
def test_headers_that_include_headers(tmp_path: Path, headers: Mapping[str, str]) -> None:
    source = '#include "w.h"\n' + kernel(REDUCE.format("WS / 2") + " o[1] = __popc(__activemask());")
    assert_same_as_one_file(tmp_path, {**headers, "a.cu": source})


def test_the_source_s_own_name_for_a_header_s(tmp_path: Path) -> None:
    source = '#include "w.h"\n#define WS A\n' + kernel(REDUCE.format("WS / 2"))
    assert_same_as_one_file(tmp_path, {"w.h": "#define A warpSize\n", "a.cu": source})


def test_two_headers_that_say_different_things(tmp_path: Path) -> None:
    source = '#include "w.h"\n#undef WS\n#include "x.h"\n' + kernel(REDUCE.format("WS / 2"))
    assert_same_as_one_file(tmp_path, {"w.h": "#define WS warpSize\n", "x.h": "#define WS 32\n", "a.cu": source})


def test_headers_of_one_name_in_two_folders(tmp_path: Path) -> None:
    source = kernel(REDUCE.format("WS / 2"))
    headers = {"include/one/w.h": "#define WS warpSize\n", "include/other/w.h": "#define WS 32\n"}
    wide, _ = converted(tmp_path / "wide", {**headers, "src/a.cu": '#include "one/w.h"\n' + source})
    narrow, _ = converted(tmp_path / "narrow", {**headers, "src/a.cu": "#include <other/w.h>\n" + source})
    assert "(v, s, 32)" in narrow
    assert "(v, s, 32)" not in wide


def test_a_header_that_goes_by_a_macro_of_its_includer(tmp_path: Path) -> None:
    header = f"__device__ inline int sum(int v) {{ {REDUCE.format('WS / 2')} return v; }}\n"
    source = '#define WS warpSize\n#include "w.h"\n' + kernel("v = sum(v); if (threadIdx.x % WS == 0) o[1] = v;")
    converted(tmp_path, {"w.h": header, "a.cu": source})
    assert "__shfl_down(v, s)" in (tmp_path / "out/w.h").read_text()


def test_a_distance_among_32_lanes(tmp_path: Path) -> None:
    body = "for (int s = WS / 2; s; s /= 2) v += __shfl_down_sync(0xffffffff, v, s, 32);"
    files = {"w.h": "#define WS warpSize\n", "a.cu": '#include "w.h"\n' + kernel(body)}
    text, found = converted(tmp_path, files)
    assert "s = 32 / 2" in text
    assert not found


def test_rows_of_32_threads_are_reported(tmp_path: Path) -> None:
    text = "__global__ void r(int *o) { for (int i = threadIdx.x; i < 99; i += WS) o[i] = 0; }\n"
    text += "void run(int *o) { r<<<1, dim3(32, 4)>>>(o); }\n"
    files = {"w.h": "#define WS warpSize\n", "a.cu": '#include "w.h"\n' + text}
    assert converted(tmp_path / "two", files)[1] == ["HIP314"]
    assert converted(tmp_path / "one", {"a.cu": text.replace("WS", "warpSize")})[1] == ["HIP314"]


@pytest.mark.parametrize("own", ["void f() { const int WS = 32; }\n", "void f(int WS);\n"])
def test_a_name_of_another_scope_is_another_thing(tmp_path: Path, own: str) -> None:
    source = '#include "w.h"\n' + own + kernel(REDUCE.format("WS / 2"))
    assert_same_as_one_file(tmp_path, {"w.h": "#define WS warpSize\n", "a.cu": source})


def test_what_a_function_of_the_header_calls_its_own_is_no_name_for_others(tmp_path: Path) -> None:
    header = "__device__ inline void f(int *o) { const int WS = warpSize; o[0] = WS; }\n"
    source = '#include "w.h"\nconst int WS = 32;\n' + kernel(REDUCE.format("WS / 2"))
    text, _ = converted(tmp_path, {"w.h": header, "a.cu": source})
    assert "(v, s, 32)" in text


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("#define WS warpSize\r\n", {b"WS": "warpSize"}),
        ("static const unsigned WS{warpSize};\n", {b"WS": "warpSize"}),
        ("#define WS() warpSize\n", {b"WS": ""}),
        ("#define HALF (warpSize >> 1)\n", {b"HALF": "warpSize / 2"}),
        ("enum { WS = warpSize };\n", {b"WS": ""}),
        ("#define LANE(i) ((i) % warpSize)\n", {b"LANE": "lane of"}),
        ("__device__ inline int warp_of(int n) { return n / warpSize; }\n", {b"warp_of": "warp of"}),
        ("__device__ inline int lane(int) { return threadIdx.x % warpSize; }\n", {b"lane": "lane"}),
        ("__device__ inline int warps(int n) { return n > 1 ? n / warpSize : 1; }\n", {b"warps": ""}),
        ("void f(int n = warpSize);\n", {b"f": ""}),
        (
            '__device__ half __shfl_xor(half v, int mask, int width = warpSize) { half r; asm("" : "=h"(r)); return r; }\n',
            {},
        ),
        ("// #define WS warpSize\n", {}),
        ('#define TEXT "warpSize"\n', {}),
        ("#if A\n#define WS 32\n#else\n#define WS warpSize\n#endif\n", {b"WS": ""}),
        ("namespace n { constexpr int warpSize = 32; constexpr int WS = warpSize; }\n", {}),
        ("__global__ void k(int *o) { o[0] = warpSize; }\n", {}),
    ],
)
def test_what_a_source_is_told(tmp_path: Path, header: str, names: Mapping[bytes, str]) -> None:
    (tmp_path / "w.h").write_text(header, newline="")
    source = tmp_path / "a.cu"
    source.write_text('#include "w.h"\n')
    contexts = with_warps(ProjectContext(), [str(tmp_path / "w.h"), str(source)], [], Options(), Texts())
    assert contexts.of(str(source)).wavefront_names == names


@pytest.mark.parametrize("line", [b"#define ", b"#define A \\\n"])
def test_definitions_are_searched_in_one_go(line: bytes) -> None:
    assert_linear(_defines_by_size, lambda count: line * count + b"\n\nint w = warpSize;\n", 500)


@pytest.mark.parametrize(
    ("data", "may_define"),
    [
        (b"#define WS warpSize\n", True),
        (b"# define WS \\\r\n  (warpSize)\r\n", True),
        (b"#define WS 32\nint w = warpSize;\n", False),
    ],
)
def test_only_macros_by_the_size_are_asked_for(data: bytes, may_define: bool) -> None:
    assert _defines_by_size(data) == may_define
