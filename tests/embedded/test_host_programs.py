"""Programs of other languages in a tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import check, convert
from hipify_py.project.result import CHANGED, UNCHANGED

KERNEL = "__global__ void k(cudaTextureObject_t t) {}"


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder


def results(folder: Path) -> dict[str, str]:
    return {Path(each.path).relative_to(folder).as_posix(): each.status for each in check([folder]).results}


def test_programs_with_gpu_code_are_translated_and_others_are_not_counted(tmp_path: Path) -> None:
    tree = write(
        tmp_path, {"a.py": f"k = cp.RawKernel('{KERNEL}', 'k')\n", "b.py": "x = 1\n", "c.pyi": "RawKernel: int\n"}
    )
    assert results(tree) == {"a.py": CHANGED}


def test_the_rest_of_the_tree_is_copied(tmp_path: Path) -> None:
    tree = write(tmp_path / "in", {"a.py": f"k = cp.RawKernel('{KERNEL}', 'k')\n", "b.py": "x = 1\n"})
    convert([tree], output=tmp_path / "out")
    assert "hipTextureObject_t" in (tmp_path / "out/a.py").read_text()
    assert (tmp_path / "out/b.py").read_text() == "x = 1\n"


def test_a_given_program_is_translated_whatever_it_has(tmp_path: Path) -> None:
    tree = write(tmp_path, {"a.py": f"k = cp.RawKernel('{KERNEL}', 'k')\n", "b.py": "x = 1\n"})
    assert [each.status for each in check([tree / "a.py", tree / "b.py"]).results] == [CHANGED, UNCHANGED]


@pytest.mark.parametrize(
    "program",
    [
        "m = cp.RawModule(code=open('kern.cu').read())\n",
        "from pathlib import Path\nHERE = Path(__file__).parent\nm = cp.RawModule(code=(HERE / 'kern.cu').read_text())\n",
        "def load(name):\n    with open(os.path.join(ROOT, name)) as f:\n        return f.read()\n"
        "m = SourceModule(load('kern.cu'))\n",
        "tune_kernel('k', 'kern.cu', 1, [], {})\nimport kernel_tuner\n",
        "def load(name):\n    code = '#line 1'\n    with open(name + '.cu') as f:\n        code += f.read()\n"
        "    return cp.RawModule(code=code)\n",
    ],
)
def test_a_file_that_a_program_reads_needs_no_other(tmp_path: Path, program: str) -> None:
    kernel = "__global__ void k(unsigned *p) { p[0] = __ballot_sync(~0u, p[1]); }\n"
    tree = write(tmp_path / "in", {"sub/a.py": program, "sub/kern.cu": kernel, "other/kern.cu": kernel})
    convert([tree], output=tmp_path / "out")
    text = (tmp_path / "out/sub/kern.cu").read_text()
    assert '#include "' not in text
    assert "#if !defined(__HIPCC_RTC__)" in text
    assert "---- section warp32 ----" in text
    assert '#include "../hipify_support.hpp"' in (tmp_path / "out/other/kern.cu").read_text()
    assert [each.status for each in check([tmp_path / "out"]).results if each.path.endswith("sub/kern.cu")] == [
        UNCHANGED
    ]


@pytest.mark.parametrize(
    ("importing", "place"),
    [
        ("from kernels import CODE\nk = cp.RawKernel(CODE, 'k')\n", "kernels.py"),
        ("from .kernels import CODE as SOURCE\nk = cp.RawKernel(SOURCE, 'k')\n", "kernels.py"),
        ("from . import kernels\nk = cp.RawKernel(kernels.CODE, 'k')\n", "kernels.py"),
        ("import lib.kernels as ks\nk = cp.RawKernel(ks.CODE, 'k')\n", "lib/kernels.py"),
        ("from ..lib.kernels import CODE\nk = cp.RawKernel(CODE, 'k')\n", "../lib/kernels.py"),
    ],
)
def test_a_constant_of_another_program(tmp_path: Path, importing: str, place: str) -> None:
    tree = write(tmp_path / "in", {"app/a.py": importing})
    write(tree / "app", {place: f"CODE = '''{KERNEL}'''\n"})
    convert([tree], output=tmp_path / "out")
    assert "hipTextureObject_t" in (tmp_path / "out/app" / place).read_text()


def test_renamed_files_are_read_under_their_new_names(tmp_path: Path) -> None:
    program = "m = cp.RawModule(code=open('kern.cu').read())\nn = cp.RawModule(code=open(name + '.cu').read())\n"
    tree = write(tmp_path / "in", {"a.py": program, "kern.cu": "__global__ void k(float *p) {}\n"})
    convert([tree], output=tmp_path / "out", rename=True)
    assert (tmp_path / "out/a.py").read_text() == program.replace("kern.cu", "kern.hip").replace("'.cu'", "'.hip'")


def test_headers_that_such_a_source_includes_are_for_hiprtc_too(tmp_path: Path) -> None:
    files = {
        "a.py": "k = cp.RawModule(code='#include \"sum.cuh\"\\n__global__ void k() {}', options=('-Iinclude',))\n",
        "include/sum.cuh": '#include <cuda_fp16.h>\n#include "lib/more.cuh"\n',
        "include/lib/more.cuh": "#include <cuda_fp16.h>\n",
        "other.cuh": "#include <cuda_fp16.h>\n",
    }
    convert([write(tmp_path / "in", files)], output=tmp_path / "out")
    guarded = {path.name: "__HIPCC_RTC__" in path.read_text() for path in (tmp_path / "out").rglob("*.cuh")}
    assert guarded == {"sum.cuh": True, "more.cuh": True, "other.cuh": False}


@pytest.mark.parametrize("name", ["f'{name}.cu'", "'%s/%s.cu' % (HERE, name)", "name + '.cu'"])
def test_a_file_whose_name_is_computed_is_one_of_the_folder(tmp_path: Path, name: str) -> None:
    kernel = "__global__ void k(unsigned *p) { p[0] = __ballot_sync(~0u, p[1]); }\n"
    program = f"m = cp.RawModule(code=''.join(open({name}).readlines()))\n"
    convert(
        [write(tmp_path / "in", {"sub/a.py": program, "sub/k.cu": kernel, "k.cu": kernel})], output=tmp_path / "out"
    )
    assert '#include "' not in (tmp_path / "out/sub/k.cu").read_text()
    assert '#include "hipify_support.hpp"' in (tmp_path / "out/k.cu").read_text()


def test_a_second_run_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    tree = write(
        tmp_path / "in",
        {
            "a.py": "from kernels import CODE\nk = cp.RawKernel(CODE, 'k')\nm = cp.RawModule(code=open('m.cu').read())\n",
            "kernels.py": f"CODE = '{KERNEL}'\n",
            "m.cu": "__global__ void k(unsigned *p) { p[0] = __ballot_sync(~0u, p[1]); }\n",
        },
    )
    first, second = (check([tree], cache=True).results for _ in range(2))
    assert first == second
    (tree / "a.py").write_text("import cupy as cp\nk = cp.RawKernel('', 'k')\n")
    by_name = {Path(each.path).name: each for each in check([tree], cache=True).results}
    assert [finding.id for finding in by_name["kernels.py"].findings] == ["HIP240"]
