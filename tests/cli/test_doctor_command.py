"""`hipify-py doctor`: what is there, what is missing, and what brings it."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from hipify_py.clang.toolchain import Part, Toolchain
from hipify_py.cli import doctor, main
from hipify_py.cli.doctor import examination, trial
from hipify_py.cli.doctor.examination import BROKEN, GRAMMARS, MISSING, THERE, Examination, examine
from hipify_py.cli.doctor.packages import install
from hipify_py.cli.doctor.showing import show_table

from .conftest import Run

NOTHING = Toolchain(None, None, None, None)
Here = Callable[..., None]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Here:
    """What a machine has in place of this one: parts, and what libclang says of them."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HIPIFY_PY_HEADERS_DIR", str(tmp_path / "headers"))
    monkeypatch.setattr(examination, "find_hipcc", lambda environment: None)
    monkeypatch.setattr(examination, "has_gpu", lambda: False)
    monkeypatch.setattr(examination, "_SYSTEM", str(tmp_path / "usr" / "include"))

    def here(parts: Toolchain = NOTHING, **wrong: str) -> None:
        monkeypatch.setattr(examination, "find_toolchain", lambda *arguments, **more: parts)
        monkeypatch.setattr(trial, "try_parts", lambda parts: wrong)

    return here


def whole(tmp_path: Path) -> Toolchain:
    hip = tmp_path / "rocm"
    for folder in examination._LIBRARIES:
        (hip / "include" / folder).mkdir(parents=True)
    return Toolchain(
        Part("/l/libclang.so", "22", "installed"),
        Part("/l/clang/22", "22", "installed"),
        Part("/data/cuda-12.9", "12.9", "fetched"),
        Part(str(hip), "7.1", "ROCM_PATH"),
    )


WORKS = dict.fromkeys((trial.LIBRARY, trial.RESOURCES, trial.CPP, trial.CUDA, trial.HIP), "")


def states(found: Examination) -> dict[str, str]:
    return {item.name: item.state for item in found.items}


def test_without_any_part_each_is_missing_with_the_command_that_brings_it(quickly: Run, here: Here) -> None:
    here()
    run = quickly("doctor")
    assert run.returncode == 0, run.stderr
    lines = run.stdout.decode().splitlines()
    assert lines[lines.index("missing  libclang") + 2].strip() == "to get it: pip install --upgrade hipify-py"
    at = lines.index("missing  HIP's headers")
    assert [line.strip() for line in lines[at + 1 : at + 3]] == [
        "needed for compile --syntax (errors, without hipcc)",
        "to get it: hipify-py fetch-headers",
    ]
    for name in ("clang's headers", "C++ library", "CUDA's headers", "headers of ROCm's libraries", "nvcc", "clang"):
        assert f"missing  {name}" in lines
    assert all(f"there    {name}: " in run.stdout.decode() for name in GRAMMARS)


def test_what_is_there_is_told_with_version_origin_and_place(quickly: Run, here: Here, tmp_path: Path) -> None:
    here(whole(tmp_path), **WORKS)
    run = quickly("doctor")
    assert run.returncode == 0
    lines = run.stdout.decode().splitlines()
    assert "there    libclang: 22 (installed) /l/libclang.so" in lines
    assert "there    CUDA's headers: 12.9 (fetched) /data/cuda-12.9" in lines
    assert f"there    headers of ROCm's libraries: 7.1 (ROCM_PATH) {tmp_path / 'rocm' / 'include'}" in lines
    assert "there    C++ library: (installed)" in lines
    assert "ROCm: 10.0, set by HIPIFY_PY_ROCM" in lines
    assert "GPU targets: gfx942, found no AMD GPU (choose with --arch)" in lines


@pytest.mark.parametrize(
    ("wrong", "name", "get"),
    [
        (trial.LIBRARY, "libclang", "pip install --upgrade hipify-py"),
        (trial.RESOURCES, "clang's headers", "hipify-py fetch-headers"),
        (trial.CUDA, "CUDA's headers", "hipify-py fetch-headers --cuda 12.9"),
        (trial.HIP, "HIP's headers", "hipify-py fetch-headers --rocm 7.1"),
    ],
)
def test_what_does_not_work_fails(quickly: Run, here: Here, tmp_path: Path, wrong: str, name: str, get: str) -> None:
    here(whole(tmp_path), **{**WORKS, wrong: "x.h:1: it is broken"})
    run = quickly("doctor", "--format", "json")
    assert run.returncode == 1
    told = json.loads(run.stdout)
    assert told["works"] is False
    (item,) = [item for item in told["items"] if item["state"] == BROKEN]
    assert (item["name"], item["problem"], item["get"]) == (name, "x.h:1: it is broken", get)


def test_a_library_that_a_variable_names_is_left_out_by_unsetting_it(here: Here, tmp_path: Path) -> None:
    parts = whole(tmp_path)
    here(parts._replace(library=Part("/x", "", "HIPIFY_PY_LIBCLANG")), **{**WORKS, trial.LIBRARY: "no library"})
    assert examine(os.environ).items[0].get == "unset HIPIFY_PY_LIBCLANG"


def test_a_variable_that_names_no_library_is_what_is_wrong(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here(NOTHING)
    place = tmp_path / "libclang.so"
    monkeypatch.setenv("HIPIFY_PY_LIBCLANG", str(place))
    item = examine(os.environ).items[0]
    assert (item.state, item.path, item.problem) == (BROKEN, str(place), "HIPIFY_PY_LIBCLANG does not name a file")
    assert item.get == "unset HIPIFY_PY_LIBCLANG, or set it to the path of a libclang"
    place.write_bytes(b"")
    assert examine(os.environ).items[0].get == "pip install --upgrade hipify-py"


def test_a_problem_of_the_search_fails_too(quickly: Run, here: Here) -> None:
    here(NOTHING._replace(problems=("HIPIFY_PY_LIBCLANG names /none, which is not a file",)))
    run = quickly("doctor")
    assert run.returncode == 1
    assert b"problem: HIPIFY_PY_LIBCLANG names /none, which is not a file\n" in run.stdout


def test_the_libraries_that_lack_are_named_with_their_packages(here: Here, tmp_path: Path) -> None:
    parts = whole(tmp_path)
    (tmp_path / "rocm/include/hipcub").rmdir()
    (tmp_path / "rocm/include/thrust").rmdir()
    here(parts, **WORKS)
    (item,) = [item for item in examine(os.environ).items if item.name == "headers of ROCm's libraries"]
    assert item.state == MISSING
    assert item.problem == "missing: hipcub, thrust"
    assert item.get == "https://rocm.docs.amd.com"
    (tmp_path / "usr/include/hipcub").mkdir(parents=True)
    assert of(examine(os.environ), item.name).problem == "missing: thrust"


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str, str], Path]:
    if sys.platform == "win32":
        pytest.skip("the programs are shell scripts")

    def program(name: str, body: str) -> Path:
        path = tmp_path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return path

    return program


def of(found: Examination, name: str) -> Any:
    (item,) = [item for item in found.items if item.name == name]
    return item


def test_compilers_are_asked_for_their_versions(here: Here, program: Callable[[str, str], Path]) -> None:
    here()
    nvcc = program("nvcc", 'echo "Cuda compilation tools, release 12.9, V12.9.86"')
    program("clang-15", "echo clang version 15.0.6")
    clang = program("clang-22", "echo Debian clang version 22.1.8 '(1~exp)'")
    found = examine({"PATH": str(nvcc.parent)})
    assert (of(found, "nvcc").state, of(found, "nvcc").version, of(found, "nvcc").path) == (THERE, "12.9", str(nvcc))
    assert (of(found, "clang").version, of(found, "clang").path) == ("22.1.8", str(clang))


def test_a_compiler_that_fails_is_broken(
    here: Here, program: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    here()
    nvcc = program("nvcc", "exit 127")
    program("clang", "exec /bin/sleep 60")
    monkeypatch.setattr(examination, "_PATIENCE", 0.2)
    monkeypatch.setattr(os, "defpath", "/bin")
    found = examine({"PATH": f"{nvcc.parent}{os.pathsep}/bin"})
    assert (of(found, "nvcc").state, of(found, "nvcc").problem) == (BROKEN, "--version failed with exit status 127")
    assert of(found, "clang").state == BROKEN
    assert "timed out" in of(found, "clang").problem
    assert not found.works


def test_a_grammar_that_is_missing_is_broken(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    here()
    monkeypatch.setattr(examination, "GRAMMARS", ("tree-sitter", "no-such-grammar"))
    found = examine(os.environ)
    assert (of(found, "tree-sitter").state, of(found, "no-such-grammar").state) == (THERE, BROKEN)


def test_the_configuration_and_its_rocm_are_told(quickly: Run, here: Here, tmp_path: Path) -> None:
    here()
    (tmp_path / "hipify-py.toml").write_text('rocm = "6.4"\n')
    told = json.loads(quickly("doctor", "--format", "json").stdout)
    facts = {fact["name"]: (fact["value"], fact["why"]) for fact in told["facts"]}
    assert facts["configuration"][0].endswith("hipify-py.toml")
    assert facts["ROCm"] == ("6.4", f"set in {facts['configuration'][0]}")
    quickly("doctor")
    told = json.loads(quickly("--no-config", "doctor", "--format", "json").stdout)
    facts = {fact["name"]: fact["value"] for fact in told["facts"]}
    assert (facts["configuration"], facts["ROCm"]) == ("none", "10.0")


def test_a_wrong_word_in_the_environment_is_told(here: Here) -> None:
    here()
    facts = {fact.name: fact for fact in examine({"HIPIFY_PY_ROCM": "latest"}).facts}
    assert facts["ROCm"].value == "none"
    assert "HIPIFY_PY_ROCM" in facts["ROCm"].why


def test_caches_and_fetched_sets_are_told(here: Here, tmp_path: Path) -> None:
    here()
    folder = tmp_path / "headers" / "cuda-12.9"
    folder.mkdir(parents=True)
    (folder / ".complete").write_text("x" * 1_000_000)
    facts = {fact.name: fact for fact in examine(os.environ).facts}
    assert facts["fetched sets"].value == "cuda-12.9"
    assert facts["fetched headers"] == ("fetched headers", str(tmp_path / "headers"), "1 file, 1.0 MB")
    assert facts["cache"].value == os.environ["HIPIFY_PY_CACHE_DIR"]


def test_a_terminal_gets_tables(here: Here, tmp_path: Path) -> None:
    here(whole(tmp_path)._replace(cuda=None, problems=("something is [red]wrong",)), **WORKS)
    stream = io.StringIO()
    show_table(examine(os.environ), Console(file=stream, width=100, force_terminal=False))
    text = stream.getvalue()
    assert "┃" in text
    assert "/l/libclang.so" in text
    assert "to get it: hipify-py fetch-headers" in text
    assert "problem: something is [red]wrong" in text


APT_CACHE = """case "$*" in
*policy*) echo "libhipcub-dev:"; echo "  Installed: (none)"; echo "  Candidate: (none)"
          echo "librocprim-dev:"; echo "  Installed: (none)"; echo "  Candidate: 5.3.3-4" ;;
esac"""


@pytest.mark.parametrize(
    ("programs", "command"),
    [
        ({}, "read on"),
        ({"apt-get": ""}, "apt-get install libhipcub-dev librocprim-dev"),
        ({"apt-get": "", "apt-cache": "exit 1"}, "apt-get install libhipcub-dev librocprim-dev"),
        ({"apt-get": "", "apt-cache": APT_CACHE}, "apt-get install librocprim-dev"),
        ({"dnf": ""}, "dnf install hipcub-devel rocprim-devel"),
        ({"brew": ""}, "read on"),
    ],
    ids=["none", "apt", "apt-fails", "apt-has-one", "dnf", "brew"],
)
def test_the_command_is_that_of_the_package_manager(
    program: Callable[[str, str], Path], tmp_path: Path, programs: dict[str, str], command: str
) -> None:
    for name, body in programs.items():
        program(name, body)
    assert install(["hipcub", "rocprim"], str(tmp_path / "bin"), "read on") == command


class Terminal(io.StringIO):
    """Somebody watches it."""

    def isatty(self) -> bool:
        return True


def test_tables_are_for_terminals_alone(quickly: Run, here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    here()
    shown: list[Examination] = []
    monkeypatch.setattr(doctor, "show_table", shown.append)
    assert quickly("doctor").stdout
    assert shown == []
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert main.run(["doctor"]) == 0
    assert len(shown) == 1


class TestOfLibclangItself:
    """With the libclang that is there: what is tried, and what it says."""

    @pytest.fixture
    def library(self) -> Part:
        pytest.importorskip("clang.cindex", exc_type=ImportError)
        from hipify_py.clang.toolchain import find_toolchain

        found = find_toolchain().library
        if found is None:
            pytest.skip("no libclang")
        return found

    def test_it_is_loaded(self, library: Part) -> None:
        assert trial.try_parts(NOTHING._replace(library=library)) == {trial.LIBRARY: ""}

    def test_a_file_that_is_no_library_is_not(self, library: Part, tmp_path: Path) -> None:
        path = tmp_path / "libclang.so"
        path.write_text("no library\n")
        wrong = trial.try_parts(NOTHING._replace(library=library._replace(path=str(path))))[trial.LIBRARY]
        assert wrong.startswith("failed: ")

    def test_headers_that_do_not_fit_are_told_with_their_first_error(self, library: Part, tmp_path: Path) -> None:
        include = tmp_path / "include"
        include.mkdir()
        (include / "stddef.h").write_text("#error of another release\n")
        (include / "stdarg.h").write_text("")
        parts = NOTHING._replace(library=library, resources=Part(str(tmp_path), library.version, "fetched"))
        assert trial.try_parts(parts)[trial.RESOURCES].endswith("stddef.h:1: of another release")

    def test_nothing_is_tried_without_it(self) -> None:
        assert trial.try_parts(NOTHING) == {}
