"""What is done again after a change, and what is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import hipify_py.translator.translate
from hipify_py import Options
from hipify_py.project.api import check, convert
from hipify_py.project.results_cache import fingerprint

FILES = {
    "a.cu": '#include "sizes.cuh"\n__global__ void k(int *p) { p[threadIdx.x % kWarpSize] = 1; }\n',
    "b.cu": '#include "own.h"\n#include <app/deep.h>\nvoid f(float *p) { cudaFree(p); }\n',
    "c.cpp": "#include <cuda_runtime.h>\nint main() { cudaDeviceSynchronize(); cudaUnheardOf(); }\n",
    "sizes.cuh": "#pragma once\n#ifdef USE_ROCM\n#define kWarpSize 64\n#else\n#define kWarpSize 32\n#endif\n",
    "plain.cpp": "int host;\n",
}

Translated = Callable[[], set[str]]
"""The names of the files that were translated since it was last asked."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def translated(project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Translated]:
    """The project has been checked once."""
    check([project], jobs=1, cache=True)
    translate, done = hipify_py.translator.translate.translate, set()

    def noted(*arguments: object, path: str, **more: object) -> object:
        done.add(Path(path).name)
        return translate(*arguments, path=path, **more)  # type: ignore[arg-type]

    def asked() -> set[str]:
        found = set(done)
        done.clear()
        return found

    monkeypatch.setattr(hipify_py.translator.translate, "translate", noted)
    return asked


def test_nothing_of_an_unchanged_tree(project: Path, tmp_path: Path, translated: Translated) -> None:
    check([project], jobs=1, cache=True)
    check([project], jobs=2, cache=True)
    convert([project], output=tmp_path / "out", jobs=1, cache=True)
    assert translated() == set()
    assert b"hipFree" in (tmp_path / "out" / "b.cu").read_bytes()


def test_everything_without_the_cache(project: Path, translated: Translated) -> None:
    check([project], jobs=1)
    assert translated() == {"a.cu", "b.cu", "c.cpp", "sizes.cuh"}


def test_a_changed_file(project: Path, translated: Translated) -> None:
    (project / "c.cpp").write_text(FILES["c.cpp"] + "void g() { cudaDeviceReset(); }\n")
    report = check([project], jobs=1, cache=True)
    assert translated() == {"c.cpp"}
    assert [result.counts.converted for result in report.results if result.path.endswith("c.cpp")] == [3]
    (project / "c.cpp").write_text(FILES["c.cpp"])
    check([project], jobs=1, cache=True)
    assert translated() == set()  # as it was before


def test_a_changed_header_and_the_files_that_it_tells_anything(project: Path, translated: Translated) -> None:
    (project / "sizes.cuh").write_text(FILES["sizes.cuh"].replace("kWarpSize", "kWarpWidth"))
    check([project], jobs=1, cache=True)
    assert translated() == {"sizes.cuh", "a.cu"}


def test_a_changed_header_that_tells_nothing_else(project: Path, translated: Translated) -> None:
    (project / "sizes.cuh").write_text(FILES["sizes.cuh"] + "void more();\n")
    check([project], jobs=1, cache=True)
    assert translated() == {"sizes.cuh"}


@pytest.mark.parametrize(
    ("name", "again"),
    [
        ("unrelated.h", {}),
        ("own.h", {"b.cu"}),
        ("cuda_runtime.h", {}),
        ("far/app/deep.h", {"b.cu"}),
    ],
)
def test_an_added_file_and_those_that_include_its_name(
    project: Path, translated: Translated, name: str, again: set[str]
) -> None:
    place = project / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("int host();\n")
    cached = check([project], jobs=1, cache=True)
    assert translated() == set(again)
    fresh = check([project], jobs=1)
    assert [result._replace(read_as=None) for result in cached.results] == [
        result._replace(read_as=None) for result in fresh.results
    ]


def test_other_options_have_results_of_their_own(project: Path, translated: Translated) -> None:
    everything = {"a.cu", "b.cu", "c.cpp", "sizes.cuh"}
    check([project], jobs=1, options=Options(launch="chevron"), cache=True)
    assert translated() == everything
    for options in (Options(), Options(launch="chevron")):
        check([project], jobs=1, options=options, cache=True)
        assert translated() == set()


def test_another_version_has_results_of_its_own(
    project: Path, translated: Translated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hipify_py.project.results_cache.fingerprint.VERSION", "99")
    check([project], jobs=1, cache=True)
    assert "a.cu" in translated()


def test_changed_code_and_tables_are_another_installation(tmp_path: Path) -> None:
    table = tmp_path / "own.yaml"
    table.write_text("library: x\nfunctions:\n  cudaMine: hipMine\n")
    before = fingerprint.fingerprint([str(table)])
    assert fingerprint.fingerprint([str(table)]) == before
    table.write_text("library: x\nfunctions:\n  cudaMine: hipOurs\n")
    assert fingerprint.fingerprint([str(table)]) != before
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.py").write_text("x = 1\n")
    stamps = set(fingerprint._stamps(str(tmp_path / "code")))
    (tmp_path / "code" / "a.py").write_text("x = 11\n")
    assert set(fingerprint._stamps(str(tmp_path / "code"))) != stamps


def test_files_that_cannot_be_done_are_tried_again(project: Path, translated: Translated) -> None:
    (project / "bad.cu").write_bytes(b"\0\1\2cudaFree")
    for _ in range(2):
        report = check([project], jobs=1, cache=True)
        assert [Path(result.path).name for result in report.failed] == ["bad.cu"]
