"""The parameters of `hipify`, and what it prints."""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import Any

import pytest

from hipify_py.torch import hipify_python
from tests.torch_drop_in.builds import MARKER, below, build, places
from tests.torch_drop_in.conftest import Write

SOURCE = "#include <c10/cuda/CUDAGuard.h>\nvoid f() { c10::cuda::CUDAGuard g(0); C10_CUDA_CHECK(cudaFree(0)); }\n"


def test_they_are_those_of_the_original() -> None:
    """PyTorch 2.10 and 2.11 have the same ones; ours come after them, by name only."""
    given = inspect.signature(hipify_python.hipify).parameters
    assert {name: each.default for name, each in given.items() if each.kind is not each.KEYWORD_ONLY} == {
        "project_directory": inspect.Parameter.empty,
        "show_detailed": False,
        "extensions": (".cu", ".cuh", ".c", ".cc", ".cpp", ".h", ".in", ".hpp"),
        "header_extensions": (".cuh", ".h", ".hpp"),
        "output_directory": "",
        "header_include_dirs": (),
        "includes": ("*",),
        "extra_files": (),
        "out_of_place_only": False,
        "ignores": (),
        "show_progress": True,
        "hip_clang_launch": False,
        "is_pytorch_extension": False,
        "hipify_extra_files_only": False,
        "clean_ctx": None,
    }
    assert [name for name, each in given.items() if each.kind is each.KEYWORD_ONLY] == ["pytorch", "tables"]


def hipified(folder: Path, **arguments: Any) -> set[str]:
    """The sources that a call translates."""
    results = hipify_python.hipify(str(folder), output_directory=str(folder), is_pytorch_extension=True, **arguments)
    return {path for path, result in below(folder, results).items() if result.status == "[ok]"}


FILES = dict.fromkeys(("a.cu", "b.cpp", "c.txt", "sub/d.h", "build/e.cu", "third_party/f.cu", "sub/build/g.cu"), SOURCE)


@pytest.mark.parametrize(
    ("arguments", "sources"),
    [
        ({}, {"a.cu", "b.cpp", "sub/d.h", "sub/build/g.cu"}),
        ({"extensions": (".txt", ".cu")}, {"a.cu", "c.txt", "sub/build/g.cu"}),
        ({"includes": ["*/sub/*"]}, {"sub/d.h", "sub/build/g.cu"}),
        ({"includes": "x*"}, {"a.cu", "b.cpp", "sub/d.h", "sub/build/g.cu"}),  # a string is a list of its characters
        ({"ignores": ["*.cu"]}, {"b.cpp", "sub/d.h"}),
        ({"extra_files": ["c.txt"]}, {"a.cu", "b.cpp", "c.txt", "sub/d.h", "sub/build/g.cu"}),
        ({"extra_files": ["c.txt"], "hipify_extra_files_only": True}, {"c.txt"}),
        ({"header_include_dirs": ["build"], "header_extensions": (".cu",), "extensions": ()}, {"build/e.cu"}),
    ],
    ids=lambda given: ", ".join(given) if isinstance(given, dict) else "",
)
def test_they_select_files(write: Write, arguments: dict[str, Any], sources: set[str]) -> None:
    assert hipified(write(FILES), **arguments) == sources


def test_an_include_pattern_can_be_a_path(write: Write) -> None:
    folder = write(FILES)
    assert hipified(folder, includes=[f"{folder}/c.txt", f"{folder}/a.*"]) == {"a.cu", "c.txt"}


def test_patterns_can_be_relative(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(FILES)
    monkeypatch.chdir(folder.parent)
    results = hipify_python.hipify("project", output_directory="project", includes=["project/sub/*"])
    assert set(below(folder, results)) == {"sub/d.h", "sub/build/g.cu"}


def test_the_output_begins_as_a_copy(write: Write, tmp_path: Path) -> None:
    folder, output = write({"a.cu": SOURCE, "b.txt": "b"}), tmp_path / "out"
    results = hipify_python.hipify(
        str(folder), output_directory=str(output), includes=[f"{folder}/*"], is_pytorch_extension=True
    )
    assert places(output, below(output, results)) == {"a.cu": ("a.hip", "[ok]")}
    assert sorted(os.listdir(output)) == ["a.cu", "a.hip", "b.txt"]
    assert sorted(os.listdir(folder)) == ["a.cu", "b.txt"]


def test_without_an_output_it_goes_beside_the_project(write: Write) -> None:
    folder = write({"a.cu": SOURCE})
    hipify_python.hipify(f"{folder}/", is_pytorch_extension=True)
    assert sorted(os.listdir(f"{folder}_amd")) == ["a.cu", "a.hip"]


def test_without_a_project_it_is_the_current_folder(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write({"a.cu": SOURCE})
    monkeypatch.chdir(folder)
    hipify_python.hipify("", output_directory=str(folder), is_pytorch_extension=True)
    assert (folder / "a.hip").exists()


def test_a_missing_project_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as raised:
        hipify_python.hipify(str(tmp_path / "missing"))
    assert "does not exist" in str(raised.value.code)  # which makes it status 1


def test_launches_can_stay(write: Write) -> None:
    folder = write({"a.cu": "__global__ void k() {}\nvoid f() { k<<<1, 2>>>(); }\n"})
    build(folder, "a.cu", hip_clang_launch=True)
    assert "k<<<1, 2>>>();" in (folder / "a.hip").read_text()


@pytest.mark.parametrize(
    ("pytorch", "line"),
    [
        ("v1", "void f() { c10::hip::HIPGuardMasqueradingAsCUDA g(0); C10_HIP_CHECK(hipFree(0)); }"),
        ("v2", "void f() { c10::cuda::CUDAGuard g(0); C10_CUDA_CHECK(hipFree(0)); }"),
    ],
)
def test_names_are_those_of_a_pytorch(write: Write, monkeypatch: pytest.MonkeyPatch, pytorch: str, line: str) -> None:
    folder = write({"a.cpp": SOURCE, "b.cpp": SOURCE})
    build(folder, "a.cpp", pytorch=pytorch)
    monkeypatch.setenv("HIPIFY_PY_PYTORCH", pytorch)
    build(folder, "b.cpp")
    assert [(folder / f"{name}_hip.cpp").read_text().splitlines()[2] for name in "ab"] == [line, line]


def test_other_pytorchs_are_refused(write: Write) -> None:
    with pytest.raises(ValueError, match="'v3' is not one of v1, v2"):
        build(write({"a.cu": SOURCE}), "a.cu", pytorch="v3")


def test_own_tables_apply(write: Write, tmp_path: Path) -> None:
    table = tmp_path / "ours.yaml"
    table.write_text("library: ours\ntitle: Ours\nfunctions:\n  ourAlloc: ourHipAlloc\n")
    folder = write({"a.cu": "void f() { ourAlloc(); }\n"})
    build(folder, "a.cu", tables=[str(table)])
    assert "ourHipAlloc();" in (folder / "a.hip").read_text()


def test_pytorchs_own_files_go_to_folders_of_hip(write: Write) -> None:
    names = ("c10/cuda/CUDAGuard.h", "torch/csrc/cuda/a.cpp", "aten/src/ATen/native/a.cu")
    folder = write(dict.fromkeys(names, SOURCE))
    results = hipify_python.hipify(str(folder), output_directory=str(folder))
    assert places(folder, below(folder, results)) == {
        "c10/cuda/CUDAGuard.h": ("c10/hip/HIPGuard.h", "[ok]"),
        "torch/csrc/cuda/a.cpp": ("torch/csrc/cuda/a.cpp", "[ok]"),
        "aten/src/ATen/native/a.cu": ("aten/src/ATen/native/hip/a.hip", "[ok]"),
    }
    assert not (folder / "torch/csrc/cuda/a.cpp").read_text().startswith(MARKER)


def test_up_to_2_10_pytorchs_own_files_are_those_for_gpus(write: Write) -> None:
    folder = write(dict.fromkeys(("c10/cuda/a.h", "torch/a.cpp", "other/a.cpp", "other/a.cu"), SOURCE))

    def found(**arguments: bool) -> set[str]:
        hipify_python.HIPIFY_FINAL_RESULT.clear()
        results = hipify_python.hipify(str(folder), output_directory=f"{folder}_amd", pytorch="v1", **arguments)
        return set(below(Path(f"{folder}_amd"), results))

    assert found() == {"c10/cuda/a.h", "torch/a.cpp", "other/a.cu"}
    assert found(out_of_place_only=True) >= {"c10/cuda/a.h", "other/a.cu"}
    assert "torch/a.cpp" not in found(out_of_place_only=True)


def test_progress_and_figures_are_printed(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(
        {"a.cu": "__global__ void k() {}\nvoid f() { k<<<1, 2>>>(); cudaGraphConditionalHandleCreate(); }\n"}
    )
    build(folder, "a.cu")
    assert capsys.readouterr().out == (
        f"{folder}/a.cu -> {folder}/a.hip [ok]\n"
        "Total number of unsupported CUDA function calls: 1\n"
        "cudaGraphConditionalHandleCreate\n"
        "\nTotal number of replaced kernel launches: 1\n"
    )
    hipify_python.hipify(str(folder), output_directory=str(folder), is_pytorch_extension=True, show_progress=False)
    assert capsys.readouterr().out == ""


def test_ignored_files_are_not_printed(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write({"a.cpp": f"{MARKER}int a;\n"})
    build(folder, "a.cpp")
    assert "a.cpp" not in capsys.readouterr().out
