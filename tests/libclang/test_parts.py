"""Where libclang and the headers that it reads are found."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hipify_py.catalog import installed
from hipify_py.clang import toolchain as parts
from hipify_py.clang.toolchain import Part, find_toolchain, include_folders, library_version
from hipify_py.headers.places import STAMP, fetched_sets, headers_dir
from hipify_py.project import clang_session as view

Put = Callable[..., Path]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    def put(name: str, text: str = "") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return put


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, put: Put) -> None:
    """A machine with nothing but the bindings and PyPI's libclang 18.1.1."""
    monkeypatch.setattr(parts, "_ROOT", str(tmp_path))
    monkeypatch.setattr(installed, "_OPT", str(tmp_path / "opt"))
    monkeypatch.setattr(installed, "_SYSTEM", str(tmp_path / "usr"))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site")])
    put("site/clang/__init__.py")
    put("site/clang/cindex.py")
    put(f"site/clang/native/{OWN}")
    put("site/libclang-18.1.1.dist-info/METADATA")


OWN = {"win32": "libclang.dll", "darwin": "libclang.dylib"}.get(sys.platform, "libclang.so")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path / "home"), "HIPIFY_PY_HEADERS_DIR": str(tmp_path / "headers")}


def fetched(put: Put, name: str, header: str = "stddef.h") -> Path:
    put(f"headers/{name}/include/{header}")
    return put(f"headers/{name}/{STAMP}").parent


def cuda(put: Put, place: str, version: int) -> Path:
    return put(f"{place}/include/cuda_runtime_api.h", f"/* */\n#define CUDART_VERSION  {version}\n").parents[1]


def rocm(put: Put, place: str, version: str) -> Path:
    put(f"{place}/.info/version", f"{version}.0-1\n")
    return put(f"{place}/include/hip/hip_runtime.h").parents[2]


def test_pypis_libclang_alone_has_no_resources(environment: dict[str, str], tmp_path: Path) -> None:
    found = find_toolchain(environment)
    assert found == (Part(str(tmp_path / "site/clang/native" / OWN), "18.1.1", "PyPI"), None, None, None, ())


def test_fetched_resources_are_taken_for_their_own_release_alone(environment: dict[str, str], put: Put) -> None:
    fetched(put, "clang-17.0.1")
    assert find_toolchain(environment).resources is None
    assert find_toolchain(environment).problems == (
        "the fetched headers are for clang 17.0.1, but libclang has version 18.1.1: "
        "fetch its headers with `hipify-py fetch-headers`",
    )
    folder = fetched(put, "clang-18.1.8")
    assert find_toolchain(environment).resources == Part(str(folder), "18.1.8", "fetched")


def test_a_libclang_that_is_too_old_is_a_problem(environment: dict[str, str], put: Put, tmp_path: Path) -> None:
    (tmp_path / "site/libclang-18.1.1.dist-info").rename(tmp_path / "site/libclang-16.0.6.dist-info")
    found = find_toolchain(environment)
    assert found.library is None
    assert found.problems == ("libclang 16.0.6 is too old: upgrade it with `pip install --upgrade libclang`",)


def test_a_set_that_is_not_whole_is_none(environment: dict[str, str], put: Put) -> None:
    put("headers/clang-18.1.8/include/stddef.h")
    put("headers/notes/.complete")
    put("headers/clang-new/.complete")
    assert [*fetched_sets(environment)] == []


@pytest.mark.skipif(sys.platform != "linux", reason="the places are Linux's")
class TestOfTheSystem:
    def test_a_newer_libclang_with_its_own_resources_is_taken(
        self, environment: dict[str, str], put: Put, tmp_path: Path
    ) -> None:
        fetched(put, "clang-18.1.8")
        put("usr/lib/llvm-19/lib/libclang.so.1")
        put("usr/lib/llvm-19/lib/libclang-cpp.so.19")
        put("usr/lib/llvm-19/lib/clang/19/include/stddef.h")
        put("usr/lib/llvm-22/lib/libclang-22.so.22")
        put("usr/lib/llvm-22/lib/clang/22/include/stddef.h")
        found = find_toolchain(environment)
        assert found.library == Part(str(tmp_path / "usr/lib/llvm-22/lib/libclang-22.so.22"), "22", "installed")
        assert found.resources == Part(str(tmp_path / "usr/lib/llvm-22/lib/clang/22"), "22", "installed")

    def test_not_one_that_is_older_than_the_bindings(self, environment: dict[str, str], put: Put) -> None:
        put("usr/lib/llvm-15/lib/libclang-15.so.1")
        put("usr/lib/llvm-15/lib/clang/15.0.6/include/stddef.h")
        found = find_toolchain(environment)
        assert found.library is not None
        assert found.library.origin == "PyPI"

    def test_not_a_newer_one_without_resources_where_pypis_has_them(
        self, environment: dict[str, str], put: Put
    ) -> None:
        put("usr/lib/llvm-22/lib/libclang-22.so.22")
        assert getattr(find_toolchain(environment).library, "version", "") == "22"
        fetched(put, "clang-18.1.8")
        assert getattr(find_toolchain(environment).library, "version", "") == "18.1.1"

    def test_that_of_rocm_is_one(self, environment: dict[str, str], put: Put, tmp_path: Path) -> None:
        rocm(put, "opt/rocm", "7.1")
        put("opt/rocm/lib/llvm/lib/libclang.so.20.0.0git")
        put("opt/rocm/lib/llvm/lib/clang/20/include/stddef.h")
        found = find_toolchain(environment)
        assert found.library == Part(str(tmp_path / "opt/rocm/lib/llvm/lib/libclang.so.20.0.0git"), "20", "installed")
        assert found.hip == Part(str(tmp_path / "opt/rocm"), "7.1", "installed")

    def test_without_bindings_there_is_none(
        self, environment: dict[str, str], put: Put, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put("usr/lib/llvm-22/lib/libclang-22.so.22")
        monkeypatch.setattr(sys, "path", [])
        assert find_toolchain(environment)[:2] == (None, None)

    @pytest.mark.parametrize(
        ("name", "version"),
        [
            ("usr/lib64/libclang.so.18.1.8", "18.1.8"),
            ("usr/lib/llvm-17/lib/libclang.so.1", "17"),
            ("usr/lib/llvm-17/lib/libclang.so.13", "17"),
            ("usr/lib/x86_64-linux-gnu/libclang-16.so.16.0.6", "16.0.6"),
            ("usr/lib/x86_64-linux-gnu/libclang-16.so.1", "16"),
            ("usr/lib/libclang.so", ""),
        ],
    )
    def test_a_library_tells_its_version(self, put: Put, name: str, version: str) -> None:
        assert library_version(str(put(name))) == version

    def test_the_resources_beside_it_know_better(self, put: Put) -> None:
        put("usr/lib/clang/18/include/stddef.h")
        assert library_version(str(put("usr/lib64/libclang.so.13"))) == "18"


def test_a_library_that_is_named_is_taken(environment: dict[str, str], put: Put) -> None:
    path = put("mine/lib/libclang.so")
    put("mine/lib/clang/21/include/stddef.h")
    found = find_toolchain({**environment, "HIPIFY_PY_LIBCLANG": str(path)})
    assert found.library == Part(str(path), "21", "HIPIFY_PY_LIBCLANG")
    assert getattr(found.resources, "version", "") == "21"


def test_a_library_that_is_named_and_not_there_is_a_problem_and_nothing_takes_its_place(
    environment: dict[str, str],
) -> None:
    found = find_toolchain({**environment, "HIPIFY_PY_LIBCLANG": "/none.so"})
    assert found.library is None
    assert found.problems == ("HIPIFY_PY_LIBCLANG names /none.so, which is not a file",)


def test_cuda_is_found_by_its_variables_before_it_is_looked_for(
    environment: dict[str, str], put: Put, tmp_path: Path
) -> None:
    cuda(put, "usr/local/cuda", 12060)
    assert find_toolchain(environment).cuda == Part(str(tmp_path / "usr/local/cuda"), "12.6", "installed")
    there = cuda(put, "there", 11080)
    assert find_toolchain({**environment, "CUDA_HOME": str(there)}).cuda == Part(str(there), "11.8", "CUDA_HOME")


@pytest.mark.skipif(sys.platform != "linux", reason="the places are Linux's")
def test_the_newest_of_several_cudas(environment: dict[str, str], put: Put) -> None:
    cuda(put, "usr/local/cuda-9.2", 9020)
    cuda(put, "usr/local/cuda-12.6", 12060)
    put("usr/local/cuda-13.0/include/nothing.h")
    assert getattr(find_toolchain(environment).cuda, "version", "") == "12.6"
    assert getattr(find_toolchain(environment, cuda="9.0").cuda, "version", "") == "9.2"


@pytest.mark.skipif(sys.platform != "linux", reason="the places are Linux's")
def test_cuda_of_a_distribution_is_not_named_once_more(environment: dict[str, str], put: Put) -> None:
    cuda(put, "usr", 11080)
    assert getattr(find_toolchain(environment).cuda, "version", "") == "11.8"
    assert include_folders(Part("/usr", "11.8", "installed")) == ()


def test_a_cuda_among_the_headers_of_others_comes_last(
    environment: dict[str, str], put: Put, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    distribution = cuda(put, "usr", 11080)
    monkeypatch.setattr(parts, "_SEARCHED", (str(distribution / "include"),))
    only = find_toolchain(environment)
    assert only.cuda == Part(str(distribution), "11.8", "installed")
    complete = only._replace(library=Part("l", "18", ""), resources=Part("r", "18", ""))
    assert not view.is_complete(complete)
    assert view.missing(complete) == ["CUDA's headers in a folder of their own"]
    own = fetched(put, "cuda-12.9", "cuda_runtime.h")
    assert find_toolchain(environment).cuda == Part(str(own), "12.9", "fetched")
    assert view.is_complete(complete._replace(cuda=Part(str(own), "12.9", "fetched")))


def test_thrusts_folder_of_cuda_13_is_one_of_its_own(put: Put) -> None:
    folder = cuda(put, "cuda-13.5", 13050)
    assert include_folders(Part(str(folder), "13.5", "fetched")) == (str(folder / "include"),)
    put("cuda-13.5/include/cccl/thrust/version.h")
    assert include_folders(Part(str(folder), "13.5", "fetched")) == tuple(
        str(folder / name) for name in ("include", "include/cccl")
    )
    assert include_folders(None) == ()


@pytest.mark.parametrize(
    ("wanted", "taken"),
    [("7.1", "7.1"), ("6.3", "6.4"), ("7.2", "7.1"), ("", "7.1"), ("6.2", "6.2"), (None, "6.2")],
)
def test_the_hip_that_is_nearest_to_the_wanted_version(
    environment: dict[str, str], put: Put, wanted: str | None, taken: str
) -> None:
    rocm(put, "opt/rocm", "6.2")
    for version in ("6.4", "7.1"):
        fetched(put, f"hip-{version}", "hip/hip_runtime.h")
    assert getattr(find_toolchain(environment, rocm=wanted).hip, "version", "") == taken


def test_an_older_hip_than_the_tables_know_gives_way_to_a_fetched_one(environment: dict[str, str], put: Put) -> None:
    rocm(put, "usr", "4.5")
    assert getattr(find_toolchain(environment).hip, "version", "") == "4.5"
    fetched(put, "hip-6.4", "hip/hip_runtime.h")
    assert getattr(find_toolchain(environment).hip, "version", "") == "6.4"


def test_a_wrong_word_in_the_environment_leaves_the_newest(environment: dict[str, str], put: Put) -> None:
    fetched(put, "hip-6.4", "hip/hip_runtime.h")
    assert getattr(find_toolchain({**environment, "HIPIFY_PY_ROCM": "latest"}).hip, "version", "") == "6.4"


def test_the_users_data_folder_is_where_sets_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert headers_dir({"HOME": "/h"}) == os.path.join("/h", ".local", "share", "hipify-py", "headers")
    assert headers_dir({"HOME": "/h", "XDG_DATA_HOME": "/d"}) == os.path.join("/d", "hipify-py", "headers")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert headers_dir({"HOME": "/h"}).endswith(os.path.join("Application Support", "hipify-py", "headers"))
    monkeypatch.setattr(sys, "platform", "win32")
    assert headers_dir({"LOCALAPPDATA": "/l"}) == os.path.join("/l", "hipify-py", "headers")


def test_finding_loads_nothing_heavy() -> None:
    code = "import sys; from hipify_py.clang.toolchain import find_toolchain; find_toolchain(); print(*sys.modules, sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"clang", "ctypes", "importlib.metadata", "json", "platformdirs", "subprocess", "yaml"}
    assert heavy & {*run.stdout.split()} == set()


def test_pypis_libclang_tells_its_version_where_it_is_named(environment: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "site/clang/native" / OWN
    assert find_toolchain({**environment, "HIPIFY_PY_LIBCLANG": str(path)}).library == Part(
        str(path), "18.1.1", "HIPIFY_PY_LIBCLANG"
    )


def test_a_library_that_tells_no_release_is_a_problem(environment: dict[str, str], put: Put) -> None:
    fetched(put, "clang-18.1.8")
    path = put("mine/libclang.so")
    found = find_toolchain({**environment, "HIPIFY_PY_LIBCLANG": str(path)})
    assert found.resources is None
    assert found.problems == (f"{path}: neither its name nor its folder shows its libclang version",)
