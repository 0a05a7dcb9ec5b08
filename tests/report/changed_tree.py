"""The account of a small tree with what a conversion changes in it, hostile names and code among them."""

from __future__ import annotations

from pathlib import Path

from hipify_py.project.api import convert_groups
from hipify_py.project.groups import Group
from hipify_py.report.run_report import REPORT, RunReport

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"

SOURCES = {
    "solver.cu": b"""\
#include <cuda_runtime.h>
void run(int *p) {
    cudaMalloc(&p, 4);
    int kept = 1;
    cudaFooBar(p); cudaFree(p);
}
""",
    "b <script>alert(1)<!--.cu": f'void f() {{ cudaFree(0); puts("{HOSTILE}"); }} // \u202eesrever \x1b[31m\n'.encode(),
    "latin1.cu": b"// caf\xe9\r\nvoid g() { cudaFree(0); }\r\n",
    "plain.cu": b"int nothing;\n",
}


def report_with_changes(root: Path) -> RunReport:
    """Write the sources below a folder, and check them for real."""
    for name, data in SOURCES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    (report,) = convert_groups([Group([str(root)])], jobs=1, changes=True)
    return RunReport(REPORT, report.results)
