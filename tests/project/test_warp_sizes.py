"""Warps that one file of a project uses and another gives their size."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py import Options, ProjectContext
from hipify_py.project.texts import Texts
from hipify_py.project.warp_facts import with_warps

KERNEL = """#include "sizes.cuh"
__global__ void k(int *o) {
  int lane = threadIdx.x % kWarpSize, v = 0;
  if (lane == 0) v = atomicAdd(o, 1);
  o[threadIdx.x] = __shfl_sync(0xffffffff, v, 0);
}
"""


def _sizes(folder: Path, *headers: str) -> frozenset[bytes]:
    """What the headers say to a file that includes them."""
    user = folder / "user.cu"
    user.write_text("".join(f'#include "{name}"\n' for name in headers))
    paths = [str(folder / name) for name in headers]
    return with_warps(ProjectContext(), [*paths, str(user)], [], Options(), Texts()).of(str(user)).warp_sizes


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("#define WARP_SIZE 32\n", {b"WARP_SIZE"}),
        ("#define WARP_SIZE (32u)  // lanes\r\n", {b"WARP_SIZE"}),
        ("namespace n { constexpr int kWarpSize = 32; }\n", {b"kWarpSize"}),
        ("static const unsigned threads_per_warp{0x20};\n", {b"threads_per_warp"}),
        ("template <int WARP_SIZE = 32, int N = 4> struct S;\n", {b"WARP_SIZE"}),
        ("#define WARP_SIZE 64\n", set()),
        ("#if X\n#define WARP_SIZE 32\n#else\n#define WARP_SIZE 64\n#endif\n", set()),
        ("#ifdef USE_ROCM\n#endif\n#define WARP_SIZE 32\n", set()),
        ("#define TILE_SIZE 32\n", set()),
        ("#define WARP_SIZE \\\n  32\n", {b"WARP_SIZE"}),
        ("#define WARP_SIZE /* lanes, of a warp */ 32\n", {b"WARP_SIZE"}),
        ("#define WARP_SIZE /* lanes" + " of a warp" * 30 + " */ 32 // so far\n", {b"WARP_SIZE"}),
        ("constexpr int kWarpSize =\n" + " " * 300 + "32;\n", {b"kWarpSize"}),
        ("constexpr int kWarpSize  // lanes; see below\n    = 32 /* a, b */;\n", {b"kWarpSize"}),
        ("// WARP_SIZE = 64;\n/* #define WARP_SIZE 64 */\n#define WARP_SIZE 32\n", {b"WARP_SIZE"}),
        ("#define WARP_SIZE\nint x = 32;\n", set()),
        ('const char *s = "WARP_SIZE = 32;";\n', set()),
        ("bool f(int WARP_SIZE) { return WARP_SIZE == 32; }\n", set()),
        ("const int WARP_SIZE = 32", set()),
    ],
)
def test_what_a_header_says(tmp_path: Path, header: str, names: set[bytes]) -> None:
    (tmp_path / "sizes.cuh").write_text(header)
    assert _sizes(tmp_path, "sizes.cuh") == names


def test_headers_that_do_not_agree_say_nothing(tmp_path: Path) -> None:
    for name, value in (("a.h", 32), ("b.h", 16), ("c.cu", 32)):
        (tmp_path / name).write_text(f"#define WARP_SIZE {value}\n")
    assert _sizes(tmp_path, "a.h", "c.cu", "missing.h") == {b"WARP_SIZE"}
    assert _sizes(tmp_path, "a.h", "b.h") == frozenset()


def test_a_file_counts_as_its_projects_headers_say(tmp_path: Path) -> None:
    from hipify_py.project.api import check

    (tmp_path / "a.cu").write_text(KERNEL)
    assert "HIP304" not in {
        finding.id
        for result in check([str(tmp_path)], options=Options(fixes=frozenset())).results
        for finding in result.findings
    }
    (tmp_path / "sizes.cuh").write_text("constexpr int kWarpSize = 32;\n")
    assert "HIP304" in {
        finding.id
        for result in check([str(tmp_path)], options=Options(fixes=frozenset())).results
        for finding in result.findings
    }
