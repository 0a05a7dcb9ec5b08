"""`check -` and `convert -`: what an editor has before it is saved."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import REPOSITORY, VECTOR_ADD, Run

BAD = b"void f() { cudaGraphConditionalHandleCreate(0, 0, 0, 0); }\n"

Feed = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def feed(quickly: Run, monkeypatch: pytest.MonkeyPatch) -> Feed:
    """`feed(data, "check", "-")` in this process."""

    def run(data: bytes, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return quickly(*arguments, cwd=cwd) if cwd else quickly(*arguments)

    return run


def test_by_real_processes(hipify: Run, tmp_path: Path) -> None:
    run = hipify("check", "-", input=BAD)
    assert run.returncode == 1
    assert run.stdout.startswith(b"stdin.cu:1:12: error HIP101 ")
    run = hipify("convert", "-", input=VECTOR_ADD)
    assert run.returncode == 0
    assert b"hipLaunchKernelGGL" in run.stdout
    assert os.listdir(tmp_path) == []


CORPUS = sorted((REPOSITORY / "corpus").rglob("*.cu"))[::12]


@pytest.mark.parametrize("path", CORPUS, ids=[path.stem for path in CORPUS])
def test_it_is_as_with_files(feed: Feed, quickly: Run, tmp_path: Path, path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.cu").write_bytes(path.read_bytes())
    for arguments in (("convert", "--stdout", "-q"), ("convert", "--diff", "-q"), ("check", "--format", "json")):
        by_file = quickly(*arguments, "src/a.cu")
        by_input = feed(path.read_bytes(), *arguments, "-", "--stdin-filename", "src/a.cu")
        assert (by_input.returncode, by_input.stdout, by_input.stderr) == (
            by_file.returncode,
            by_file.stdout,
            by_file.stderr,
        )


def test_what_is_given_counts_and_not_what_is_saved(feed: Feed, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(BAD)
    run = feed(VECTOR_ADD, "check", "-", "--stdin-filename", "a.cu")
    assert (run.returncode, run.stdout) == (0, b"")
    run = feed(VECTOR_ADD + BAD, "check", "-", "--stdin-filename=a.cu")
    assert run.stdout.startswith(b"a.cu:11:12: error HIP101")
    assert (tmp_path / "a.cu").read_bytes() == BAD


def test_the_files_around_it_count(feed: Feed, tmp_path: Path) -> None:
    """A quoted header of the project's own is not CUDA's, and a name that it declares is not, either."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/cufft.h").write_bytes(b"#pragma once\nint cudaFooBar(int);\n")
    source = b'#include "cufft.h"\nint f() { return cudaFooBar(1); }\n'
    run = feed(source, "convert", "-", "--stdin-filename", "src/new.cu")
    assert b'#include "cufft.h"' in run.stdout
    assert b"HIP102" not in run.stderr
    run = feed(source, "convert", "-", "--stdin-filename", "other/new.cu")
    assert b"hipfft" in run.stdout


def test_names_that_the_unsaved_text_declares_are_its_own(feed: Feed, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"int g() { return cudaFooBar(1); }\n")
    run = feed(b"int cudaFooBar(int);\nint g() { return cudaFooBar(1); }\n", "check", "-", "--stdin-filename", "a.cu")
    assert (run.returncode, run.stdout) == (0, b"")


def test_the_suffix_counts(feed: Feed) -> None:
    launch = b"void g() { k<<<1, 2>>>(); }\n"
    assert b"hipLaunchKernelGGL" in feed(launch, "convert", "-").stdout
    assert feed(b"int x;\n", "convert", "-", "--stdin-filename", "a.cpp").stdout == b"int x;\n"


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"cudaFree(p);", b"a\r\ncudaFree(p);\r\n", b"// \xff\xe9\ncudaFree(p);\n"]
)
def test_bytes_stay(feed: Feed, data: bytes) -> None:
    run = feed(data, "convert", "-", "--stdin-filename", "a.c")
    assert run.returncode == 0
    assert run.stdout == data.replace(b"cudaFree", b"hipFree")


def test_the_configuration_of_the_named_file_holds(feed: Feed, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one/hipify-py.toml").write_text(
        'launch = "chevron"\nexclude = ["generated/"]\n[per-file-ignores]\n"a.cu" = ["HIP101"]\n'
    )
    assert feed(BAD, "check", "-", "--stdin-filename", "one/a.cu").returncode == 0
    assert feed(BAD, "check", "-", "--stdin-filename", "one/b.cu").returncode == 1
    assert feed(BAD, "check", "-", "--stdin-filename", "a.cu").returncode == 1
    assert feed(BAD, "check", "-", cwd=tmp_path / "one").returncode == 1
    run = feed(b"void g() { k<<<1, 2>>>(); }\n", "convert", "-", "--stdin-filename", "one/x.cu")
    assert b"<<<1, 2>>>" in run.stdout


def test_a_file_that_is_left_out_is_left_alone(feed: Feed, tmp_path: Path) -> None:
    (tmp_path / "hipify-py.toml").write_text('exclude = ["generated/"]\n')
    run = feed(BAD, "check", "-", "--stdin-filename", "generated/a.cu")
    assert (run.returncode, run.stdout) == (0, b"")
    assert b"left out" in run.stderr


def test_the_support_header_is_named(feed: Feed, tmp_path: Path) -> None:
    source = (
        b"#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;\n"
        b"__device__ int f(cg::thread_block_tile<32> t, int x) { return cg::reduce(t, x, cg::plus<int>()); }\n"
    )
    run = feed(source, "convert", "-")
    assert b'#include "hipify_support.hpp"' in run.stdout
    assert b"hipify-py header --support" in run.stderr
    assert os.listdir(tmp_path) == []


def test_a_failure_is_told(feed: Feed) -> None:
    run = feed("int a;\n".encode("utf-16"), "convert", "-", "--stdin-filename", "a.cu")
    assert (run.returncode, run.stdout) == (3, b"")
    assert b"a.cu: error HIP902" in run.stderr


def test_formats_and_gates_hold_for_it(feed: Feed, tmp_path: Path) -> None:
    run = feed(BAD, "check", "-", "--stdin-filename", "src/a.cu", "--format", "json")
    assert [file["path"] for file in json.loads(run.stdout)["files"]] == ["src/a.cu"]
    assert feed(BAD, "check", "-", "--select", "HIP3").returncode == 0
    (tmp_path / "a.cu").write_bytes(BAD)
    feed(b"", "baseline", "create", "a.cu", "--baseline", "known.jsonl", "--in-ci")
    run = feed(b"\n" + BAD, "check", "-", "--stdin-filename", "a.cu", "--baseline", "known.jsonl")
    assert (run.returncode, run.stdout) == (0, b"")


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "-", "a.cu"),
        ("check", "a.cu", "-"),
        ("check", "-", "-"),
        ("check", "a.cu", "--stdin-filename", "b.cu"),
        ("check", "-", "--since", "HEAD"),
        ("convert", "-", "-o", "out"),
        ("convert", "-", "--in-place"),
        ("convert", "-", "--diff", "--stdout"),
        ("convert", "-", "--compile"),
        ("convert", "-", "--format", "json"),
    ],
)
def test_what_does_not_go_together(feed: Feed, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "a.cu").write_bytes(BAD)
    run = feed(BAD, *arguments)
    assert run.returncode == 2
    assert b"Error: " in run.stderr
    assert b"Traceback" not in run.stderr


def test_a_file_of_that_name(feed: Feed, tmp_path: Path) -> None:
    (tmp_path / "-").write_bytes(BAD)
    assert feed(b"", "check", "./-").returncode == 1
    assert feed(b"", "check", "-").returncode == 0


def test_a_run_is_not_said_again(hipify: Run, tmp_path: Path) -> None:
    """An argument that names a folder does not make it one over that."""
    (tmp_path / "src").mkdir()
    for data, status in ((BAD, 1), (VECTOR_ADD, 0)):
        assert hipify("check", "-", "--stdin-filename", "src", input=data).returncode in {0, status}
        assert hipify("check", "-", "--exclude", "src", input=data).returncode == status
