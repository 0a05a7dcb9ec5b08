"""Kernels in the cells of notebooks."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from hipify_py.embedded.translate import translate_host

KERNEL = 'extern "C" __global__ void k(cudaTextureObject_t t, float *p) {}\n'


def notebook(*cells: str | Sequence[str], kind: str = "code") -> bytes:
    """A notebook of cells, each a text or a list of lines."""
    made: list[dict[str, object]] = [
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


@pytest.mark.parametrize("magic", ["%%cu", "%%nvcc", "%%cuda -c '-O2'", "%%writefile src/a.cu", "%%file 'a.cu'"])
def test_a_cell_for_nvcc_gets_the_header_that_nvcc_includes(magic: str) -> None:
    (cell,) = output(notebook([f"{magic}\n", "int main() { cudaFree(0); }"]))
    assert cell == f"{magic}\n#include <hip/hip_runtime.h>\nint main() {{ hipFree(0); }}"


@pytest.mark.parametrize(
    "magic", ["%%writefile a.cuh", "%%writefile -a a.cu", "%%cuda_group_save --name a.h --group g"]
)
def test_a_part_of_a_source_includes_nothing(magic: str) -> None:
    assert output(notebook(f"{magic}\ninline void f() {{ cudaFree(0); }}")) == [
        f"{magic}\ninline void f() {{ hipFree(0); }}"
    ]


def test_the_support_header_is_inlined_into_a_cell() -> None:
    cell = "%%writefile a.cu\n__global__ void k(int *p) { p[0] = __reduce_add_sync(~0u, p[0]); }\n"
    (after,) = output(notebook(cell))
    assert '#include "hipify_support.h"' not in after
    assert "inlined by hipify-py" in after


@pytest.mark.parametrize("magic", ["%%time", "%%timeit -n 3", "%%capture out", "%%prun", "%%capture\n%%time"])
def test_a_magic_that_runs_python_leaves_the_rest_python(magic: str) -> None:
    before = f"{magic}\nk = cp.RawKernel('''{KERNEL}''', 'k')"
    assert output(notebook(before)) == [before.replace("cudaT", "hipT")]


@pytest.mark.parametrize("magic", ["%%bash", "%%sh", "%%script bash", "%%script /bin/sh", "%%sx", "%%capture\n%%bash"])
def test_a_cell_of_a_shell_is_a_script(magic: str) -> None:
    before = f"{magic}\nset -e\nnvcc -arch=sm_75 -o a a.cu  # it's\n./a\n"
    assert output(notebook(before.splitlines(keepends=True))) == [f"{magic}\nset -e\nhipcc -o a a.cu  # it's\n./a\n"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("out = !nvcc -o a a.cu\nprint(out)", "out = !hipcc -o a a.cu\nprint(out)"),
        ("  !nvcc -o a \\\n    -arch=sm_75 a.cu\nf()", "  !hipcc -o a a.cu\nf()"),
        ("x = '''\n!nvcc a.cu\n'''  # nvcc", "x = '''\n!nvcc a.cu\n'''  # nvcc"),
    ],
)
def test_commands_for_nvcc(before: str, after: str) -> None:
    (cell,) = output(notebook(before))
    assert " ".join(cell.split()) == " ".join(after.split())


def test_lines_of_a_kernel_are_not_commands() -> None:
    kernel = "__global__ void k(cudaTextureObject_t t, bool a) {\n  bool b = !a;\n  int c = a\n  %b;\n}"
    before = f"%load_ext x\nx = !ls\ny = %timeit -o f()\nk = cp.RawKernel(r'''{kernel}''', 'k')"
    assert output(notebook(before)) == [before.replace("cudaT", "hipT")]


def test_cells_write_other_files() -> None:
    before = [
        f"%%writefile k.py\nimport cupy as cp\nk = cp.RawKernel('''{KERNEL}''', 'k')\n",
        "%%writefile Makefile\na: a.cu\n\tnvcc -o a a.cu\n",
        "%%writefile f.cpp\n#include <cuda_runtime.h>\nvoid f() { cudaFree(0); }\n",
        "%%writefile notes.txt\nnvcc and cudaFree\n",
        "%%javascript\nnvcc = 1\n",
    ]
    after = output(notebook(*before))
    assert after[0] == before[0].replace("cudaT", "hipT")
    assert "hipcc" in after[1]
    assert after[2] == "%%writefile f.cpp\n#include <hip/hip_runtime.h>\nvoid f() { hipFree(0); }\n"
    assert after[3:] == before[3:]


def test_the_extension_for_nvcc_is_reported_once_for_each_name() -> None:
    data = notebook("%load_ext nvcc4jupyter", "%%cu\nint a;", "%%cu\nint b;", "# %load_ext nvcc_plugin")
    findings = translate_host(data, "book.ipynb").findings
    assert [(each.id, each.name) for each in findings] == [("HIP241", "nvcc4jupyter"), ("HIP241", "%%cu")]
    lines = data.decode().splitlines()
    for each in findings:
        assert lines[each.line - 1][each.column - 1 : each.end_column - 1] == each.name
        assert "%%writefile" in each.message


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
