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
        ("namespace n::m { constexpr unsigned warpSize = 32; }\n", {b"warpSize"}),
        ("// {\nnamespace {\nchar c = '{';\nstatic const int warpSize{32};\n}\n", {b"warpSize"}),
        ("#define warpSize 32\n", {b"warpSize"}),
        ("namespace n {\nstruct S { int a; };\ninline constexpr int warpSize = 0x20;\n}\n", {b"warpSize"}),
        ("namespace n { constexpr int warpSize = 64; }\n", set()),
        ("__device__ int f() {\n  const int warpSize = 32;\n  return warpSize; }\n", set()),
        ("struct S {\n  static constexpr int warpSize = 32;\n};\n", set()),
        ("template <int warpSize = 32, int N = 4> struct S;\n", set()),
        ("void f(const int warpSize = 32, int n);\n", set()),
        ("enum class Props { warpSize = 32 };\n", set()),
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


OWN = """#include "sizes.cuh"
namespace n {
__global__ void k(int *o) {
  constexpr int kThreads = 4 * warpSize;
  int lane = threadIdx.x % warpSize, v = 0;
  if (lane == 0) v = atomicAdd(o, 1);
  o[threadIdx.x] = __shfl_sync(0xffffffff, v, 0);
  for (int s = warpSize / 2; s > 0; s >>= 1) v += __shfl_xor_sync(0xffffffff, v, s);
  o[kThreads + threadIdx.x / warpSize] = v;
}
}
"""


def test_a_warp_size_of_the_projects_own_is_no_built_in(tmp_path: Path) -> None:
    """The header's constant hides the compiler's: the lanes are counted in 32, whatever the wavefront."""
    from hipify_py.project.api import check, convert

    (tmp_path / "a.cu").write_text(OWN)
    (tmp_path / "c.cu").write_text(OWN + "void run(int *p) { n::k<<<1, dim3(32, 4)>>>(p); }\n")
    (tmp_path / "b.cu").write_text(OWN.replace('#include "sizes.cuh"', "").replace("constexpr int", "int"))
    (tmp_path / "sizes.cuh").write_text("#pragma once\nnamespace n { constexpr unsigned warpSize = 32; }\n")
    found = {
        Path(result.path).name: {finding.id for finding in result.findings}
        for result in check([str(tmp_path)], options=Options(fixes=frozenset())).results
    }
    assert "HIP304" in found["a.cu"]
    assert not (found["a.cu"] | found["c.cu"]) & {"HIP312", "HIP303", "HIP314", "HIP316"}
    assert "HIP304" not in found["b.cu"]
    convert([str(tmp_path)], output=tmp_path / "out", jobs=1)
    mended = (tmp_path / "out" / "a.cu").read_text()
    assert "__shfl(v, 0, 32)" in mended
    assert "__shfl_xor(v, s, 32)" in mended
    assert mended.count("warpSize") == OWN.count("warpSize")


@pytest.mark.parametrize(
    "own",
    [
        "namespace n { constexpr int warpSize = 32; }\n",
        "namespace n { static const unsigned warpSize = 32; }\n",
        "#define warpSize 32\n",
    ],
)
def test_one_in_the_same_source_is_kept(own: str) -> None:
    from hipify_py import translate

    source = own + OWN.replace('#include "sizes.cuh"\n', "")
    output = translate(source).output.decode()
    assert "__shfl(v, 0, 32)" in output
    assert "__shfl_xor(v, s, 32)" in output
    assert output.count("% 32") == 0


def test_a_local_variable_is_of_its_function_only() -> None:
    from hipify_py import translate

    source = (
        "__global__ void k(int *o) { const int warpSize = 32; int lane = threadIdx.x % warpSize, v = 0;"
        " if (lane == 0) v = atomicAdd(o, 1); o[0] = __shfl_sync(0xffffffff, v, 0); }\n"
        "__global__ void q(int *o) { o[threadIdx.x % warpSize] = __shfl_sync(0xffffffff, o[0], 0); }\n"
    )
    output = translate(source).output.decode()
    first, second = output.splitlines()[-2:]
    assert "threadIdx.x % warpSize" in first
    assert ("__shfl(o[0], 0, 32)" in second) == ("threadIdx.x % 32" in second)
