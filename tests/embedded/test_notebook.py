"""Kernels in the cells of notebooks."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hipify_py.embedded.translate import translate_host

KERNEL = 'extern "C" __global__ void k(cudaTextureObject_t t, float *p) {}\n'


def notebook(*cells: str | Sequence[str], kind: str = "code") -> bytes:
    """A notebook of cells, each a text or a list of lines."""
    made = [
        {"cell_type": kind, "execution_count": None, "metadata": {}, "outputs": [], "source": cell} for cell in cells
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1).encode()


def cells_of(data: bytes) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(data)["cells"]]


def output(data: bytes) -> list[str]:
    translated = translate_host(data, "book.ipynb")
    assert translate_host(translated.output, "book.ipynb").edits == []
    return cells_of(translated.output)


def test_a_source_of_one_cell_reaches_the_constructor_of_another() -> None:
    lines = ["import cupy\n", "CODE = r'''\n", KERNEL, "'''"]
    before = notebook(lines, ["k = cupy.RawKernel(CODE, 'k')"])
    assert output(before)[0] == "".join(lines).replace("cudaTexture", "hipTexture")
    assert output(before)[1] == "k = cupy.RawKernel(CODE, 'k')"


def test_every_other_byte_of_the_notebook_stays() -> None:
    before = notebook(f"k = cp.RawKernel('''{KERNEL}''', 'k')  # ü \u2028 \\ \"").replace(b"\\u00fc", "ü".encode())
    after = translate_host(before, "book.ipynb").output
    assert after == before.replace(b"cudaTextureObject_t", b"hipTextureObject_t")


def test_added_lines_are_elements_of_the_list() -> None:
    lines = ["k = cp.RawKernel('''\n", "#include <cuda_fp16.h>\n", "__global__ void k(__half *p) {}''', 'k')"]
    after = translate_host(notebook(lines), "book.ipynb").output
    assert json.loads(after)["cells"][0]["source"] == [
        "k = cp.RawKernel('''\n",
        "#if !defined(__HIPCC_RTC__)  // hipRTC has it built in\n",
        "#include <hip/hip_fp16.h>\n",
        "#endif\n",
        "__global__ void k(__half *p) {}''', 'k')",
    ]


def test_the_notebooks_own_commands_are_not_python() -> None:
    cells = output(
        notebook(["%load_ext autoreload\n", "!pip install cupy\n", f"k = cp.RawKernel('''{KERNEL}''', 'k')"])
    )
    assert cells == [
        "%load_ext autoreload\n!pip install cupy\n" + f"k = cp.RawKernel('''{KERNEL}''', 'k')".replace("cudaT", "hipT")
    ]


def test_a_cell_that_writes_a_source_is_one() -> None:
    before = "%%writefile saxpy.cu\n#include <cuda_runtime.h>\nint main() { cudaDeviceSynchronize(); }\n"
    after = "%%writefile saxpy.cu\n#include <hip/hip_runtime.h>\nint main() { hipDeviceSynchronize(); }\n"
    assert output(notebook(before)) == [after]


def test_a_line_that_runs_nvcc_runs_hipcc() -> None:
    before = ["%%writefile a.cu\nint main() { cudaFree(0); }", "!nvcc -O2 -arch=sm_75 -o a a.cu\n!./a"]
    assert output(notebook(*before))[1] == "!hipcc -O2 -o a a.cu\n!./a"


def test_a_finding_has_its_place_in_the_file() -> None:
    data = notebook(["import cupy\n", "k = cupy.RawKernel('''__global__ void k() { cudaMystery(1); }''', 'k')"])
    (finding,) = translate_host(data, "book.ipynb").findings
    line = data.decode().splitlines()[finding.line - 1]
    assert (finding.id, line[finding.column - 1 : finding.end_column - 1]) == ("HIP102", "cudaMystery")


def test_text_is_not_code() -> None:
    assert translate_host(notebook(f"k = cp.RawKernel('''{KERNEL}''')", kind="markdown"), "book.ipynb").edits == []


def test_what_is_not_a_notebook_stays() -> None:
    for data in (
        b"RawKernel {",
        b'["RawKernel"]',
        b'{"cells": "RawKernel"}',
        b'{"cells": [{"source": ["RawKernel"]}]}',
    ):
        assert translate_host(data, "book.ipynb").output == data
