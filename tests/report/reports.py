"""Accounts to write in every format: of real sources, with hostile names among them."""

from __future__ import annotations

from pathlib import Path

from hipify_py.project.api import check
from hipify_py.report.run_report import CHECK, RunReport

SOURCES = {
    "solver.cu": b"""\
#include <cuda_runtime.h>
__global__ void kernel(int *p) { p[threadIdx.x] += 1; }
void run(int *p) {
    kernel<<<1, 32>>>(p);
    cudaGraphConditionalHandleCreate(&handle, graph, 1, 0);
    cudaFooBar(p);  // "quoted", <tagged> & more
}
""",
    "lib/util.cuh": b"#pragma once\ninline void sync() { cudaDeviceSynchronize(); }\n",
    "lib/quiet.cu": b"void f() { cudaFooBaz(); }  // hipify: ignore[HIP102]\n",
    "b\n::error file=x::forged <script>alert(1)</script>.cu": b"void g() { cudaGraphConditionalHandleCreate(0, 0, 0, 0); }\n",
    "=cmd|calc.cu": b"void h() { cudaFooQux(); }\n",
    "utf16.cu": "int a;\n".encode("utf-16"),
    "`tick` |pipe| \\| [link](http:/x.example) @user #1 {0}.cu": b"void i() { cudaFooTick(); }\n",
    'it\'s ]]> & "<b>";a,%25;##vso[task.complete].cu': b"void j() { cudaFooQuote(); }\n",
    "😀/שלום\u202egpj\x1b[31m.cu": "/* ü😀שלום */ void k() { cudaFooWide(); }\n".encode(),
    "bom.cu": "\ufeffcudaFooMark();\n".encode(),
    "latin1\udce9.cu": b"// caf\xe9\nvoid l() { char c = '\xe9'; cudaFooLatin(); }\n",
    "long.cu": b"int a = " + b"1 + " * 200 + b"cudaFooFar();\n",
}


def make_tree(root: Path) -> None:
    """Write the sources below a folder."""
    for name, data in SOURCES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def report_of_tree(root: Path, command: str = CHECK) -> RunReport:
    """The account of the sources, checked for real."""
    make_tree(root)
    return RunReport(command, check([root], jobs=1).results)
