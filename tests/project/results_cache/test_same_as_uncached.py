"""Runs with the results of earlier runs, and runs without, say and write the same: after any edits of a project."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import hypothesis
import hypothesis.strategies as st
import pytest

from hipify_py import Options
from hipify_py.core.options import FileIgnores
from hipify_py.project.api import ConversionReport, check, convert
from hipify_py.project.work import DIFF
from hipify_py.report.document import document_of
from hipify_py.report.model import Choice
from hipify_py.report.run_report import CHECK, RunReport

HEADERS = (
    "constexpr int kWarpSize = 32;\n",
    "constexpr int kWarpSize = 64;\n",
    "#define WARP 32\n__device__ inline int sum(int v) {\n"
    "  for (int d = WARP / 2; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);\n  return v;\n}\n",
    "__device__ inline int below(unsigned mask, int lane) { return __popc(mask & ((1u << lane) - 1)); }\n",
    '__device__ inline int lane() { int l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); return l; }\n',
    "namespace app { struct Stream { void cudaStreamSynchronize(); }; }\nusing namespace app;\n",
    "#define WS warpSize\n__device__ inline int lane_of() { return threadIdx.x % WS; }\n",
    "#define WARPS (blockDim.x / WS)\n#define WS 32\n",
    "cudaError_t cudaOfOurs(int);\n#define cudaLike(x) (x)\n",
    "#if defined(__CUDA_ARCH__) && !defined(__HIP__)\n#define FAST_PATH 1\n#endif\n",
    "#include <cublas_v2.h>\nstruct Handle { cublasHandle_t it; };\n",
    '#include "hipify_support.hpp"\n',
    '#include <app/a.cuh>\n#include "b.h"\n',
    "// nothing of CUDA\nint host();\n",
    "",
)
SOURCES = (
    "__global__ void k(int *p) { p[threadIdx.x] = sum(p[threadIdx.x]); }\nvoid f(int *p) { k<<<1, 64>>>(p); }\n",
    "__global__ void k(int *p) { unsigned m = __ballot_sync(~0u, p[0]); p[1] = below(m, lane()); }\n",
    "__global__ void k(int *p) { int w = threadIdx.x / kWarpSize, l = threadIdx.x % kWarpSize;\n"
    "  int v = __shfl_down_sync(0xffffffff, p[l], 16); p[w] = v; }\n",
    "__global__ void k(int *p) { int v = p[0]; for (int d = WS / 2; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);\n"
    "  if (threadIdx.x < WARPS && lane_of() == 0) p[1] = v; }\n",
    "void g(app::Stream s, cudaStream_t t) { s.cudaStreamSynchronize(); cudaStreamSynchronize(t); cudaOfOurs(1); }\n",
    "#ifdef FAST_PATH\nvoid h() { cudaLike(1); cudaUnheardOf(); }\n#endif\n",
    "#include <curand.h>\n#include <cufft.h>\nvoid f(cufftHandle h) { cufftDestroy(h); } // hipify: ignore\n",
    "void f() { cudaGraphKernelNodeCopyAttributes(0, 0); cudaFuncSetSharedMemConfig(0, cudaSharedMemBankSizeDefault); }\n",
    "int main() { return 0; }\n",
)
NAMES = ("a.cuh", "b.h", "cufft.h", "helper_cuda.h")
INCLUDES = (
    "",
    *(f'#include "{name}"\n' for name in NAMES),
    "#include <app/a.cuh>\n",
    '#include "../b.h"\n',
    '#define KERNELS "a.cuh"\n',
    "#include KERNELS\n",
    '/*\n#include "b.h"\n*/\n',
)
FILES = (
    *(f"{folder}{name}" for folder in ("", "app/") for name in NAMES),
    *(f"{folder}{name}" for folder in ("", "src/") for name in ("x.cu", "y.cpp", "z.cu")),
)

texts = st.builds(
    lambda includes, body: "".join(includes) + body,
    st.lists(st.sampled_from(INCLUDES), max_size=3),
    st.sampled_from((*HEADERS, *SOURCES)),
)
trees = st.dictionaries(st.sampled_from(FILES), texts, min_size=2, max_size=8)
changes = st.dictionaries(st.sampled_from(FILES), st.none() | texts, max_size=3)
choices = st.sampled_from(
    (
        Options(),
        Options(launch="chevron", annotate=True),
        Options(fixes=frozenset(), ignore=frozenset({"HIP301"})),
        Options(file_ignores=FileIgnores("/", (("*.cu", frozenset({"HIP101", "HIP102"})),))),
    )
)


def change(folder: Path, files: dict[str, str | None]) -> None:
    """Write and remove files."""
    for name, text in files.items():
        path = folder / name
        if text is not None:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        elif path.exists():
            path.unlink()


def said(report: ConversionReport, options: Options) -> tuple[object, ...]:
    """All that a run says."""
    document = document_of(RunReport(CHECK, report.results, [Choice("", ("project",), options.targeting)]))
    return document, [result._replace(read_as=None) for result in report.results], report.headers, report.left_out


def written(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@hypothesis.given(tree=trees, edits=st.lists(changes, min_size=1, max_size=3), options=choices, rename=st.booleans())
@hypothesis.settings(max_examples=40)
def test_after_any_edits(
    tree: dict[str, str], edits: list[dict[str, str | None]], options: Options, rename: bool
) -> None:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        place, project = Path(name), Path(name) / "project"
        project.mkdir()
        patch.setenv("HIPIFY_PY_CACHE_DIR", str(place / "cache"))
        for files in (dict(tree), *edits, {}):
            change(project, files)
            fresh, cached = (check([project], options=options, jobs=1, cache=cache) for cache in (False, True))
            assert said(cached, options) == said(fresh, options)
            fresh, cached = (
                convert([project], options=options, jobs=1, rename=rename, wanted=DIFF, cache=cache)
                for cache in (False, True)
            )
            assert said(cached, options) == said(fresh, options)
            outputs = [place / "fresh", place / "cached"]
            for output in outputs:
                shutil.rmtree(output, ignore_errors=True)
                convert([project], output=output, options=options, jobs=1, rename=rename, cache=output.name == "cached")
            assert written(outputs[1]) == written(outputs[0])
