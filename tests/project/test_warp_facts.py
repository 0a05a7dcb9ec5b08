"""What the files of a project say to each other about warps: choices of their authors, proofs, programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from hipify_py import Options
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.project.api import convert

CHOICE = "#pragma once\n#ifdef USE_ROCM\n#define SUB_WARP_SIZE 64\n#else\n#define SUB_WARP_SIZE 32\n#endif\n"
NATIVE_SUM = (
    "#pragma once\n__device__ inline int sum(int v) {\n"
    "  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);\n  return v;\n}\n"
)
NATIVE = (
    '#include "sum.cuh"\n__global__ void k(int *o) { o[threadIdx.x / warpSize] = sum(o[0]); }\n'
    "int run(int *o, cudaDeviceProp p) { k<<<1, 128>>>(o); return p.warpSize; }\n"
)
FULL = "0xffffffffffffffffull"


def converted(
    folder: Path, files: Mapping[str, str], *, options: Options = DEFAULT_OPTIONS, jobs: int = 1
) -> dict[str, str]:
    """The files of a converted tree."""
    for name, text in files.items():
        path = folder / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    convert([str(folder / "in")], output=str(folder / "out"), options=options, jobs=jobs)
    return {name: (folder / "out" / name).read_text(encoding="utf-8") for name in files}


def kernel(body: str, name: str = "k") -> str:
    return f"__global__ void {name}(int *o) {{ int v = o[threadIdx.x]; {body} o[0] = v; }}\n"


SHUFFLE = "v += __shfl_xor_sync(0xffffffff, v, 1);"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_header_of_choices_makes_its_users_the_authors(tmp_path: Path, jobs: int) -> None:
    files = {
        "compat.h": CHOICE,
        "own.cu": '#include "compat.h"\n'
        + kernel(SHUFFLE + " v += threadIdx.x % SUB_WARP_SIZE;")
        + kernel(SHUFFLE, "other"),
        "plain.cu": '#include "compat.h"\n' + kernel(SHUFFLE),
        "alone.cu": kernel(SHUFFLE + " v += threadIdx.x % SUB_WARP_SIZE;"),
    }
    found = converted(tmp_path, files, jobs=jobs)
    assert found["own.cu"].count(FULL) == 1
    assert found["own.cu"].count("v, 1, 32)") == 1
    assert FULL not in found["plain.cu"]
    assert FULL not in found["alone.cu"], "the name there is not the header's"


def test_choices_go_through_headers_and_to_what_the_authors_code_calls(tmp_path: Path) -> None:
    files = {
        "compat.h": CHOICE,
        "lanes.h": '#pragma once\n#include "compat.h"\n__device__ inline int lane() { return threadIdx.x % SUB_WARP_SIZE; }\n',
        "sums.h": "#pragma once\ntemplate <class T> __device__ T sum(T v) { return v + __shfl_down_sync(~0u, v, 1); }\n"
        "template <class T> __device__ T first(T v) { return __shfl_sync(~0u, v, 0); }\n",
        "k.cu": '#include "lanes.h"\n#include "sums.h"\n'
        + kernel("v = sum(v) + lane();")
        + kernel("v = first(v);", "l"),
    }
    found = converted(tmp_path, files)
    assert f"__shfl_down_sync({FULL}, v, 1)" in found["sums.h"]
    assert "__shfl(v, 0, 32)" in found["sums.h"]


def test_files_that_are_compiled_together_are_native_together(tmp_path: Path) -> None:
    assert FULL in converted(tmp_path / "a", {"sum.cuh": NATIVE_SUM, "k.cu": NATIVE})["sum.cuh"]
    more = {
        "sum.cuh": NATIVE_SUM,
        "k.cu": NATIVE,
        "l.cu": '#include "sum.cuh"\n' + kernel("v = sum(v) + threadIdx.x % 32;"),
    }
    found = converted(tmp_path / "b", more)
    assert "v, d, 32)" in found["sum.cuh"]
    assert "threadIdx.x / 32" in found["k.cu"]


@pytest.mark.parametrize(
    "files",
    [
        {"k.cu": kernel(SHUFFLE), "main.cpp": "MAIN"},
        {
            "gpu/k.cu": '#include "k.h"\n' + kernel(SHUFFLE),
            "gpu/k.h": "READS",
            "app/main.cpp": '#include "../gpu/k.h"\n',
        },
        {
            "gpu/k.cu": kernel(SHUFFLE) + "void launch_k(int *o) { k<<<1, 64>>>(o); }\n",
            "app/main.cpp": "void launch_k(int *);\nMAIN",
        },
    ],
)
def test_the_host_files_of_a_kept_program_read_32(tmp_path: Path, files: dict[str, str]) -> None:
    read = "#include <cuda_runtime.h>\ninline int size(const cudaDeviceProp &p) { return p.warpSize; }\n"
    main = read + "void run(int *o) { launch_k(o); }\n"
    found = converted(
        tmp_path, {name: text.replace("MAIN", main).replace("READS", read) for name, text in files.items()}
    )
    assert "return 32;" in "".join(found.values())


def test_another_program_reads_its_device(tmp_path: Path) -> None:
    files = {
        "one/k.cu": kernel(SHUFFLE),
        "two/query.cpp": "#include <cuda_runtime.h>\nint size(const cudaDeviceProp &p) { return p.warpSize; }\n",
    }
    assert "return p.warpSize;" in converted(tmp_path, files)["two/query.cpp"]


def test_a_method_of_the_same_name_in_another_file_is_not_chosen(tmp_path: Path) -> None:
    own = "#ifdef __HIPCC__\n#define SIZE 64\n#else\n#define SIZE 32\n#endif\n"
    files = {
        "own.cuh": "#pragma once\n"
        + own.replace("SIZE", "kWarpSize")
        + "struct Own { int val; __device__ void first() { val = __shfl_sync(~0u, val, kWarpSize / 2); } };\n",
        "other.cuh": "#pragma once\nstruct Other { int val; __device__ void first() { val = __shfl_sync(~0u, val, 0); } };\n",
        "main.cu": '#include "own.cuh"\n#include "other.cuh"\n',
    }
    found = converted(tmp_path, files)
    assert "__shfl(val, 0, 32)" in found["other.cuh"]
    assert "__shfl_sync(0xffffffffffffffffull, val, kWarpSize / 2)" in found["own.cuh"]


def test_a_file_that_is_converted_by_itself_reads_32(tmp_path: Path) -> None:
    source = tmp_path / "query.cpp"
    source.write_text("#include <cuda_runtime.h>\nint size(const cudaDeviceProp &p) { return p.warpSize; }\n")
    convert([str(source)], output=str(tmp_path / "query.hip.cpp"))
    assert "return 32;" in (tmp_path / "query.hip.cpp").read_text()


def test_an_alias_of_a_tile_in_a_header_is_a_tile(tmp_path: Path) -> None:
    files = {
        "tiles.h": "#pragma once\n#include <cooperative_groups.h>\nnamespace coop = cooperative_groups;\n"
        "using Half = coop::thread_block_tile<16>;\n",
        "k.cu": '#include "tiles.h"\n'
        "__device__ int f(Half t, int v) { auto m = t.ballot(v); return coop::tiled_partition<4>(t).shfl(v, 0) + __ffs(m); }\n",
    }
    found = converted(tmp_path, files)["k.cu"]
    assert "hipify::divide_tile<4>(t)" in found
    assert "static_cast<unsigned>(t.ballot(v))" in found


READ = "int lanes_of(cudaDeviceProp p) { return p.warpSize; }\n"


def test_a_host_function_that_the_authors_code_calls_reads_the_device(tmp_path: Path) -> None:
    files = {
        "compat.h": CHOICE,
        "util.h": "#pragma once\n#include <cuda_runtime.h>\nint lanes_of(cudaDeviceProp p);\n",
        "util.cu": '#include "util.h"\n' + READ,
        "own.cu": '#include "util.h"\n#include "compat.h"\n'
        + kernel("v += threadIdx.x % SUB_WARP_SIZE;")
        + "void run(int *o, cudaDeviceProp p) { k<<<1, 4 * lanes_of(p)>>>(o); }\n",
        "other.cu": kernel(SHUFFLE),
    }
    found = converted(tmp_path, files)
    assert "return p.warpSize;" in found["util.cu"]
    assert "v, 1, 32)" in found["other.cu"]
    files["own.cu"] = files["own.cu"].replace("4 * lanes_of(p)", "128")
    assert "return 32;" in converted(tmp_path / "again", files)["util.cu"], "nobody of the author's calls it"


def test_a_host_read_in_a_program_with_an_authors_size_is_reported(tmp_path: Path) -> None:
    files = {
        "compat.h": CHOICE,
        "info.h": '#pragma once\n#include "compat.h"\nextern int lanes;\n',
        "info.cu": '#include "info.h"\nvoid init(cudaDeviceProp p) { lanes = p.warpSize; }\n',
        "k.cu": '#include "info.h"\n' + kernel("v += threadIdx.x % SUB_WARP_SIZE;"),
        "apart.cu": "int lanes_here; void init(cudaDeviceProp p) { lanes_here = p.warpSize; }\n" + kernel(SHUFFLE),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    run = convert([str(tmp_path)])
    places = [(Path(one.path).name, one.id) for result in run.results for one in result.findings if one.id == "HIP334"]
    assert places == [("info.cu", "HIP334")]


OWN_SUM = "#pragma once\n__device__ inline int sum(int v) { return v + __shfl_xor(v, warpSize / 2); }\n"
CUDAS_SUM = "#pragma once\n__device__ inline int sum(int v) { return v + __shfl_xor_sync(~0u, v, 16); }\n"
EITHER = '#pragma once\n#if LIB_CUDA\n#include "cuda_part.h"\n#elif LIB_HIP\n#include "amd_part.h"\n#endif\n'


def test_a_header_of_the_authors_build_alone_changes_nothing_for_its_users(tmp_path: Path) -> None:
    files = {
        "amd_part.h": "#if defined(__HIPCC__)\n" + OWN_SUM + "#endif\n",
        "cuda_part.h": CUDAS_SUM,
        "parts.h": EITHER,
        "k.cu": '#include "parts.h"\n' + kernel(SHUFFLE + " v = sum(v);"),
    }
    found = converted(tmp_path, files)
    assert "v, 1, 32)" in found["k.cu"]
    assert "warpSize / 2" in found["amd_part.h"]
    sizes = "#if defined(__HIPCC__)\n#define SUB_WARP_SIZE 64\n#endif\n"
    files |= {
        "amd_part.h": sizes + files["amd_part.h"],
        "cuda_part.h": "#define SUB_WARP_SIZE 32\n" + CUDAS_SUM,
        "k.cu": '#include "parts.h"\n' + kernel(SHUFFLE + " v = sum(v) % SUB_WARP_SIZE;"),
    }
    found = converted(tmp_path / "sizes", files)
    assert FULL in found["k.cu"], "the size of its warps is another one there"
    run = convert([str(tmp_path / "sizes" / "in")])
    assert ("parts.h", 2) in [
        (Path(one.path).name, one.line) for result in run.results for one in result.findings if one.id == "HIP333"
    ]


def test_a_macro_that_follows_from_hipccs_own_is_the_authors_without_a_word(tmp_path: Path) -> None:
    sizes = "#ifdef LIB_HIP\n#define SUB_WARP_SIZE 64\n#else\n#define SUB_WARP_SIZE 32\n#endif\n"
    own = "#if defined(__HIP_PLATFORM_AMD__)\n#define LIB_HIP 1\n#endif\n"
    files = {"sizes.h": sizes, "k.cu": '#include "sizes.h"\n' + kernel(SHUFFLE + " v /= SUB_WARP_SIZE;")}

    def told(folder: Path) -> list[str]:
        return [one.id for result in convert([str(folder / "in")]).results for one in result.findings]

    assert FULL in converted(tmp_path, files)["k.cu"]
    assert told(tmp_path) == ["HIP333"]
    assert FULL in converted(tmp_path / "own", {**files, "compat.h": own})["k.cu"]
    assert told(tmp_path / "own") == []


@pytest.mark.parametrize(
    ("hip", "cuda"),
    [
        ("src/hip/lanes.h", "src/cuda/lanes.h"),
        ("HIP/Lanes.hpp", "CUDA/Lanes.cuh"),
        ("lanes_hip.cpp", "lanes.cu"),
        ("src/LanesHip.h", "src/LanesCuda.h"),
    ],
)
def test_the_hip_side_of_a_file_for_cuda_is_its_authors(tmp_path: Path, hip: str, cuda: str) -> None:
    side = "__device__ inline int lane() { return __shfl(threadIdx.x % warpSize, 0); }\n"
    found = converted(tmp_path, {hip: side, cuda: side})
    assert found[hip] == side
    assert "% 32, 0, 32)" in found[cuda]


@pytest.mark.parametrize("name", ["hip/lanes.h", "ship/lanes.h", "lanes_hip.h"])
def test_a_file_by_itself_is_cudas_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    side = "__device__ inline int lane() { return __shfl(threadIdx.x % warpSize, 0); }\n"
    assert "% 32, 0, 32)" in converted(tmp_path, {name: side, "scuda/lanes.h": "", "k.cu": ""})[name]


def test_absolute_paths_beside_relative_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.cu", "b.cu"):
        Path(name).write_text(kernel(SHUFFLE), encoding="utf-8")
    results = convert([str(tmp_path / "a.cu"), "b.cu"], wanted="output").results
    assert [b"v, 1, 32)" in result.output for result in results] == [True, True]
