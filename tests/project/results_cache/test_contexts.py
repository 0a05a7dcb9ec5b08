"""The contexts of a tree's files are kept as a whole, and found out anew after any change that they depend on."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

import hipify_py.project.build_contexts
import hipify_py.project.cross_file_context
from hipify_py import Options
from hipify_py.project.api import check, convert

FILES = {
    "src/a.cu": '#include "sizes.cuh"\n#include "../../elsewhere/own.h"\n'
    "__global__ void k(int *p) { p[threadIdx.x % kWarpSize] = __ballot_sync(~0u, p[0]); cudaOfOurs(1); }\n"
    "void g() { cudaDeviceReset(); }\n",
    "src/b.cpp": '#include "own.h"\nvoid f(float *p) { cudaFree(p); cudaOfOurs(1); }\n',
    "src/sizes.cuh": "#pragma once\nconstexpr int kWarpSize = 32;\n",
    "CMakeLists.txt": "project(p CXX)\nfind_package(CUDA REQUIRED)\ncuda_add_executable(a src/a.cu src/b.cpp)\n",
    "Makefile": "include site.mk\nNVCC = nvcc\na: src/a.cu src/b.cpp\n\t$(NVCC) -o $@ $^\n\tcp tool/x.sh .\n",
    "include/own.h": "#define cudaOfOurs(x) (x)\n#define cudaDeviceReset() 0\nnamespace app { struct Stream { void cudaFree(float *); }; }\n"
    "using namespace app;\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def planned(project: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The project has been checked once; an entry for each time that contexts are worked out from then on."""
    check([project], jobs=1, cache=True)
    return counted(monkeypatch, hipify_py.project.cross_file_context, "build_contexts")


@pytest.fixture
def read(planned: list[object], monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """An entry for each time that the contexts of build files are worked out."""
    return counted(monkeypatch, hipify_py.project.build_contexts, "with_build_files")


def counted(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> list[object]:
    """The calls of a module's function from now on."""
    function, calls = getattr(module, name), list[object]()

    def noted(*arguments: object) -> object:
        calls.append(arguments)
        return function(*arguments)

    monkeypatch.setattr(module, name, noted)
    return calls


def is_as_without(project: Path, options: Options = Options()) -> bool:  # noqa: B008
    """Whether a run with the cache finds what one without it finds; the latter works out the contexts, too."""
    cached, fresh = (check([project], options=options, jobs=1, cache=cache).results for cache in (True, False))
    return [result._replace(read_as=None) for result in cached] == [result._replace(read_as=None) for result in fresh]


def test_an_unchanged_tree(project: Path, tmp_path: Path, planned: list[object]) -> None:
    check([project], jobs=1, cache=True)
    check([project], jobs=2, cache=True)
    convert([project], output=tmp_path / "out", jobs=1, cache=True)
    assert not planned


def test_a_new_file_that_no_source_names(project: Path, planned: list[object]) -> None:
    (project / "src" / "notes.txt").write_text("none of theirs\n")
    check([project], jobs=1, cache=True)
    assert not planned
    assert is_as_without(project)


SOURCES = [name for name in FILES if name.startswith(("src", "include"))]


@pytest.mark.parametrize("name", SOURCES)
def test_a_changed_file(project: Path, planned: list[object], name: str) -> None:
    (project / name).write_text("// " + FILES[name])
    check([project], jobs=1, cache=True)
    assert len(planned) == 1
    assert is_as_without(project)


@pytest.mark.parametrize("name", SOURCES)
def test_a_removed_file(project: Path, planned: list[object], name: str) -> None:
    (project / name).unlink()
    check([project], jobs=1, cache=True)
    assert len(planned) == 1
    assert is_as_without(project)


def test_another_option(project: Path, planned: list[object]) -> None:
    assert is_as_without(project, Options(launch="chevron"))
    assert len(planned) == 2


def test_a_new_name_of_a_file(project: Path, planned: list[object]) -> None:
    text = (project / "src" / "a.cu").read_text()
    (project / "src" / "a.cu").unlink()
    (project / "src" / "c.cu").write_text(text)
    assert is_as_without(project)
    assert len(planned) == 2


def test_another_working_directory(project: Path, planned: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths are relative to it, and the names of its folders are parts of what includes may lead to."""
    for folder in (project, project, project / "src"):
        monkeypatch.chdir(folder)
        check(["."], jobs=1, cache=True)
    assert len(planned) == 2


def test_a_compilation_database(project: Path, planned: list[object]) -> None:
    (project / "compile_commands.json").write_text(
        f'[{{"directory": "{project}", "file": "src/a.cu", "command": "nvcc -Iinclude -c src/a.cu"}}]\n'
    )
    for number in (1, 2):
        check([project], jobs=1, cache=True)
        assert len(planned) == number


def test_a_link_elsewhere_that_leads_to_a_file_of_the_tree(
    project: Path, tmp_path: Path, planned: list[object]
) -> None:
    """Whatever the tree has, includes may lead out of it, and back by a symbolic link."""
    before = check([project], jobs=1, cache=True).results
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "own.h").symlink_to(project / "include" / "own.h")
    linked = check([project], jobs=1, cache=True).results
    assert len(planned) == 1
    assert linked != before
    assert is_as_without(project)
    (tmp_path / "elsewhere" / "own.h").unlink()
    assert is_as_without(project)


def test_a_file_that_cannot_be_examined(project: Path, planned: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    """What it says is not known: the next run asks again."""

    def failing(data: bytes) -> bool:
        if data:
            raise ArithmeticError(data)
        return False

    monkeypatch.setattr(hipify_py.project.cross_file_context, "_opens_std", failing)
    (project / "src" / "b.cpp").write_text(FILES["src/b.cpp"] + "\n")
    for number in (1, 2):
        check([project], jobs=1, cache=True)
        assert len(planned) == number


def test_build_files_of_an_unchanged_tree(project: Path, read: list[object]) -> None:
    check([project], jobs=1, cache=True)
    (project / "notes.txt").write_text("none of theirs\n")
    check([project], jobs=1, cache=True)
    assert not read
    assert is_as_without(project)


@pytest.mark.parametrize("name", ["CMakeLists.txt", "Makefile"])
def test_a_changed_build_file(project: Path, planned: list[object], read: list[object], name: str) -> None:
    (project / name).write_text("# theirs\n" + FILES[name])
    check([project], jobs=1, cache=True)
    assert (len(planned), len(read)) == (0, 1)
    assert is_as_without(project)
    (project / name).unlink()
    assert is_as_without(project)


def test_a_build_file_knows_what_sources_include(project: Path, read: list[object]) -> None:
    (project / "src" / "b.cpp").write_text("#include <cuda_runtime.h>\n" + FILES["src/b.cpp"])
    check([project], jobs=1, cache=True)
    assert len(read) == 1
    assert is_as_without(project)


def test_a_file_that_a_makefile_includes(project: Path, read: list[object]) -> None:
    """It need not be one that the walk finds."""
    (project / ".gitignore").write_text("*.mk\n")
    assert is_as_without(project)
    (project / "site.mk").write_text("NVCC = nvcc\n")
    assert is_as_without(project)
    assert len(read) == 3, "once with the cache, and each time without it"


def test_a_build_file_that_is_given(project: Path, read: list[object]) -> None:
    for number in (1, 2):
        check([project / "CMakeLists.txt"], jobs=1, cache=True)
        assert len(read) == number
