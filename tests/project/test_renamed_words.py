"""`--rename-map cuda=hip`: words in the names of files and folders; includes and build files follow."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from hipify_py.project.api import ConversionReport, convert
from hipify_py.project.errors import PlanError

_KERNEL = "__global__ void k() {}\nvoid f() { k<<<1, 1>>>(); }\n"
_WORDS = {"cuda": "hip"}


def _tree(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def _files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _converted(tmp_path: Path, files: dict[str, str], rename: dict[str, str] = _WORDS) -> tuple[Path, ConversionReport]:
    report = convert([_tree(tmp_path / "in", files)], output=tmp_path / "out", rename=rename)
    return tmp_path / "out", report


def _became(tmp_path: Path, name: str, text: str) -> tuple[str, list[str]]:
    """A build file in a tree with a few sources, converted, and the findings about renamed files."""
    files = dict.fromkeys(("src/cuda/x_cuda.cu", "src/cuda/y_cuda.cu", "include/cuda/x.cuh"), _KERNEL)
    others = {"src/main.cpp": "int main() {}\n", "out/x_cuda.txt": ""}
    folder, report = _converted(tmp_path, {**files, **others, name: text})
    found = [finding.id for result in report.results for finding in result.findings if finding.id == "HIP610"]
    return (folder / name.replace("cuda/", "hip/")).read_text(), found


def test_names_of_sources_and_of_their_folders(tmp_path: Path) -> None:
    files = ("cuda/x_cuda_kernel.cuh", "cuda/deep/CudaUtil.cu", "cuda/notes.md", "docs/cuda/cuda.md", "cudart.cu")
    folder, _ = _converted(tmp_path, dict.fromkeys(files, _KERNEL))
    assert _files(folder) == [
        "cudart.cu",
        "docs/cuda/cuda.md",  # no source is in that folder
        "hip/deep/HipUtil.cu",
        "hip/notes.md",
        "hip/x_hip_kernel.cuh",
    ]


def test_a_python_package_keeps_its_name(tmp_path: Path) -> None:
    folder, _ = _converted(tmp_path, {"p/cuda/__init__.py": "", "p/cuda/k_cuda.cu": _KERNEL})
    assert _files(folder) == ["p/cuda/__init__.py", "p/cuda/k_hip.cu"]


def test_words_and_endings_together(tmp_path: Path) -> None:
    folder, _ = _converted(tmp_path, {"cuda/x_cuda.cu": _KERNEL}, {**_WORDS, ".cu": ".hip.cpp"})
    assert _files(folder) == ["hip/x_hip.hip.cpp"]


@pytest.mark.parametrize(
    ("include", "new"),
    [
        ('"x_cuda.cuh"', '"x_hip.cuh"'),
        ('"../cuda/x_cuda.cuh"', '"../hip/x_hip.cuh"'),
        ('"cuda/x_cuda.cuh"', '"hip/x_hip.cuh"'),
        ("<cuda/x_cuda.cuh>", "<hip/x_hip.cuh>"),
        ('"./deep/y.h"', '"./deep/y.h"'),
        ('"cuda/deep/y.h"', '"hip/deep/y.h"'),
        ('"cuda/other.h"', '"cuda/other.h"'),  # not a file of the tree
    ],
)
def test_includes_follow(tmp_path: Path, include: str, new: str) -> None:
    headers = dict.fromkeys(("cuda/x_cuda.cuh", "cuda/deep/y.h"), "#pragma once\n")
    folder, _ = _converted(tmp_path, {**headers, "cuda/a.cu": f"#include {include}\n{_KERNEL}"})
    assert f"#include {new}\n" in (folder / "hip/a.cu").read_text()


def test_tests_for_headers_follow(tmp_path: Path) -> None:
    test = '#if __has_include("{0}")\n#include "{0}"\n#endif\n'
    files = {"cuda/x_cuda.cuh": "#pragma once\n", "a.cu": test.format("cuda/x_cuda.cuh") + _KERNEL}
    folder, _ = _converted(tmp_path, files)
    assert test.format("hip/x_hip.cuh") in (folder / "a.cu").read_text()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("add_subdirectory(src/cuda)", "add_subdirectory(src/hip)"),
        ("include_directories(include/cuda)", "include_directories(include/hip)"),
        ("set(D ${CMAKE_CURRENT_SOURCE_DIR}/src/cuda)", "set(D ${CMAKE_CURRENT_SOURCE_DIR}/src/hip)"),
        ("set(D ${PROJECT_SOURCE_DIR}/src/cuda)", "set(D ${PROJECT_SOURCE_DIR}/src/hip)"),
        ("set(S src/cuda/x_cuda.cu src/main.cpp)", "set(S src/hip/x_hip.cu src/main.cpp)"),
        ("set(S ${D}/x_cuda.cu)", "set(S ${D}/x_hip.cu)"),
        ("file(GLOB S src/cuda/*_cuda.cu)", "file(GLOB S src/hip/*_hip.cu)"),
        ("set(S src/cuda/${n}_cuda.cu)", "set(S src/hip/${n}_hip.cu)"),
        ("file(GLOB S src/*/*.cu)", "file(GLOB S src/*/*.cu)"),
        ("set(BACKEND cuda)", "set(BACKEND cuda)"),
        ("set(S other/cuda/z.cu)", "set(S other/cuda/z.cu)"),
    ],
)
def test_cmake_follows(tmp_path: Path, before: str, after: str) -> None:
    text, found = _became(tmp_path, "CMakeLists.txt", f"{before}\n")
    assert after in text.splitlines()
    assert found == []


def test_a_list_file_in_a_renamed_folder(tmp_path: Path) -> None:
    text, found = _became(tmp_path, "src/cuda/CMakeLists.txt", "set(S x_cuda.cu ../main.cpp)\n")
    assert text == "set(S x_hip.cu ../main.cpp)\n"
    assert found == []


@pytest.mark.parametrize("name", ["src/cuda/${n}.cu", "src/${d}/x_cuda.cu", "src/${d}/*.cu"])
def test_a_variable_that_may_hold_the_word(tmp_path: Path, name: str) -> None:
    """`n` may be `x_cuda`, and `d` `cuda`: what sets them would have to follow."""
    line = f"set(S {name})"
    text, found = _became(tmp_path, "CMakeLists.txt", f"{line}\n")
    assert line in text
    assert found == ["HIP610"]


def test_a_variable_in_the_renamed_folder(tmp_path: Path) -> None:
    text, found = _became(tmp_path, "src/cuda/CMakeLists.txt", "set(S ${n}.cu)\n")
    assert text == "set(S ${n}.cu)\n"
    assert found == ["HIP610"]


@pytest.mark.parametrize("name", ["CMakeLists.txt", "setup.py"])
def test_a_folder_that_keeps_its_name(tmp_path: Path, name: str) -> None:
    line = "set(S ops/cuda/f_cuda.cu)" if name == "CMakeLists.txt" else "s = 'ops/cuda/f_cuda.cu'"
    files = {"ops/cuda/__init__.py": "", "ops/cuda/f_cuda.cu": _KERNEL, name: f"{line}\n"}
    folder, report = _converted(tmp_path, files)
    assert line.replace("f_cuda", "f_hip") in (folder / name).read_text()
    assert not any(finding.id == "HIP610" for result in report.results for finding in result.findings)


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_a_makefile_with_pattern_rules_still_builds(tmp_path: Path) -> None:
    rules = "%.o: %.cu\n\tcat $< > $@\nbuild/%.o: src/%.cu\n\tmkdir -p build && cat $< > $@\n"
    text = f"O = src/a_cuda.o build/a_cuda.o\napp: $(O)\n\tcat $(O) > $@\n{rules}"
    folder, _ = _converted(tmp_path, {"src/a_cuda.cu": _KERNEL, "Makefile": text})
    assert subprocess.run(["make", "-C", str(folder), "app"], capture_output=True).returncode == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("DIRS = src/cuda", "DIRS = src/hip"),
        ("F = -Isrc/cuda -I include/cuda", "F = -Isrc/hip -I include/hip"),
        ("S = src/cuda/x_cuda.cu", "S = src/hip/x_hip.cu"),
        ("S = $(TOP)/src/cuda/x_cuda.cu", "S = $(TOP)/src/hip/x_hip.cu"),
        ("I = $(TOP)/include/cuda", "I = $(TOP)/include/hip"),
        ("x/%.o: src/cuda/%.cu", "x/%.o: src/hip/%.cu"),
        ("%.o: %.cu", "%.o: %.cu"),
        ("O = src/cuda/x_cuda.o $(B)/y_cuda.o z_cuda.o", "O = src/hip/x_hip.o $(B)/y_hip.o z_cuda.o"),
        ("O = build/x_cuda.o out/x_cuda.txt", "O = build/x_hip.o out/x_cuda.txt"),
        ("src/cuda/%.o: src/cuda/%.cu", "src/hip/%.o: src/hip/%.cu"),
        ("cuda: a", "cuda: a"),
        ("BACKEND = cuda", "BACKEND = cuda"),
    ],
)
def test_make_follows(tmp_path: Path, before: str, after: str) -> None:
    text, _ = _became(tmp_path, "Makefile", f"{before}\n")
    assert after in text.splitlines()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("'src/cuda/x_cuda.cu'", "'src/hip/x_hip.cu'"),
        ("os.path.join('src', 'cuda', 'x_cuda.cu')", "os.path.join('src', 'hip', 'x_hip.cu')"),
        ("os.path.join(here, 'src/cuda')", "os.path.join(here, 'src/hip')"),
        ("os.path.join(here, 'src', 'cuda')", "os.path.join(here, 'src', 'hip')"),
        ("glob('src/cuda/*_cuda.cu')", "glob('src/hip/*_hip.cu')"),
        ("'cuda'", "'cuda'"),
        ("f('cuda')", "f('cuda')"),
    ],
)
def test_scripts_follow(tmp_path: Path, before: str, after: str) -> None:
    text, _ = _became(tmp_path, "setup.py", f"import os\nx = {before}\n")
    assert f"x = {after}" in text.splitlines()


def test_shell_scripts_follow(tmp_path: Path) -> None:
    before = "cd src/cuda\nnvcc -I../../include/cuda x_cuda.cu\ncp -r src/cuda out\necho cuda\n"
    text, _ = _became(tmp_path, "build.sh", before)
    assert text == "cd src/hip\nhipcc -I../../include/hip x_hip.cu\ncp -r src/hip out\necho cuda\n"


def test_in_place_everything_in_the_folder_moves(tmp_path: Path) -> None:
    tree = _tree(tmp_path, {"cuda/x_cuda.cu": _KERNEL, "cuda/notes.md": "cuda\n", "cuda/deep/a.cu": _KERNEL})
    report = convert([tree], in_place=True, force=True, rename=_WORDS)
    assert report.failed == []
    assert _files(tree) == ["hip/deep/a.cu", "hip/notes.md", "hip/x_hip.cu"]
    assert not (tree / "cuda").exists()
    assert (tree / "hip/notes.md").read_text() == "cuda\n"


def test_in_place_what_is_not_ours_stays(tmp_path: Path) -> None:
    tree = _tree(tmp_path, {"cuda/a.cu": _KERNEL, "cuda/.hidden": "x"})
    (tree / "link").symlink_to("cuda")
    convert([tree / "cuda" / ".."], in_place=True, force=True, rename=_WORDS)
    assert (tree / "hip/a.cu").is_file()


def test_in_place_links_are_refused(tmp_path: Path) -> None:
    tree = _tree(tmp_path, {"cuda/a.cu": _KERNEL, "b.cu": _KERNEL})
    (tree / "cuda/b.cu").symlink_to("../b.cu")
    with pytest.raises(PlanError, match="symbolic link in a folder that gets another name"):
        convert([tree], in_place=True, force=True, rename=_WORDS)
    assert _files(tree) == ["b.cu", "cuda/a.cu", "cuda/b.cu"]


def test_two_folders_that_would_become_one(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="would both become"):
        _converted(tmp_path, {"cuda/a.cu": _KERNEL, "hip/a.cu": _KERNEL})


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    files = {
        "cuda/x_cuda.cu": f'#include "cuda/x.h"\n{_KERNEL}',
        "cuda/x.h": "",
        "CMakeLists.txt": "add_subdirectory(cuda)\n",
    }
    folder, _ = _converted(tmp_path, files)
    before = {name: (folder / name).read_bytes() for name in _files(folder)}
    convert([folder], in_place=True, force=True, rename=_WORDS)
    assert {name: (folder / name).read_bytes() for name in _files(folder)} == before
