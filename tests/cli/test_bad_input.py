"""Bad input costs the bad file: a clear message, the other files done, nothing lost, status 3."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from .conftest import VECTOR_ADD, Run


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A file that must be converted whatever stands beside it."""
    path = tmp_path / "src/good.cu"
    path.parent.mkdir()
    path.write_bytes(VECTOR_ADD)
    return path


def convert(hipify: Run, tmp_path: Path, *more: str) -> subprocess.CompletedProcess[bytes]:
    done = hipify("convert", "src", *more, "-o", "out")
    assert b"hipMalloc" in (tmp_path / "out/good.cu").read_bytes()
    assert b"Traceback" not in done.stderr
    return done


def test_missing_path(hipify: Run, tmp_path: Path, good: Path) -> None:
    done = hipify("convert", "src/good.cu", "missing.cu", "-o", "out")
    assert done.returncode == 3
    assert b"missing.cu: error HIP901 No such file or directory" in done.stderr
    assert b"hipMalloc" in (tmp_path / "out/good.cu").read_bytes()


def test_folder_without_sources(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = hipify("check", "empty")
    assert done.returncode == 0
    assert b"no source files found" in done.stderr


def test_folder_without_cuda(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.cpp").write_bytes(b"int a;\n")
    done = hipify("convert", "src", "--in-place", "--force")
    assert done.returncode == 0
    assert b"nothing to convert: no CUDA found" in done.stderr


@pytest.mark.parametrize(
    ("data", "id"),
    [
        ("int main() { cudaFree(0); }".encode("utf-16"), b"HIP902"),
        ("int main() { cudaFree(0); }".encode("utf-16-le"), b"HIP902"),
        (b"\x7fELF\x02\x01\0\0" + bytes(range(256)) * 40, b"HIP903"),
        (VECTOR_ADD + b"\0" + VECTOR_ADD, b"HIP903"),
    ],
    ids=["utf-16", "utf-16 without a mark", "binary", "a NUL byte"],
)
def test_unreadable_bytes(hipify: Run, tmp_path: Path, good: Path, data: bytes, id: bytes) -> None:
    (tmp_path / "src/bad.cu").write_bytes(data)
    done = convert(hipify, tmp_path)
    assert done.returncode == 3
    assert b"src/bad.cu: error " + id in done.stderr
    assert b"1 failed" in done.stderr
    assert not (tmp_path / "out/bad.cu").exists()
    assert (tmp_path / "src/bad.cu").read_bytes() == data


def test_utf16_and_binary_files_that_are_no_cuda_fail_nothing(hipify: Run, tmp_path: Path, good: Path) -> None:
    resource = "#define IDI_ICON 101\n".encode("utf-16")
    (tmp_path / "src/resource.h").write_bytes(resource)
    (tmp_path / "src/model.bin").write_bytes(bytes(range(256)))
    assert convert(hipify, tmp_path).returncode == 0
    assert (tmp_path / "out/resource.h").read_bytes() == resource
    assert (tmp_path / "out/model.bin").read_bytes() == bytes(range(256))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"// \xff\xfe\xc3(\nvoid f() { cudaFree(0); }\n", b"// \xff\xfe\xc3(\nvoid f() { (void)hipFree(0); }\n"),
        (b"// Gr\xfc\xdfe\r\nvoid f() { cudaFree(0); }", b"// Gr\xfc\xdfe\r\nvoid f() { (void)hipFree(0); }"),
    ],
    ids=["invalid UTF-8", "Latin-1 with CRLF"],
)
def test_bytes_outside_the_edits_stay(hipify: Run, tmp_path: Path, good: Path, before: bytes, after: bytes) -> None:
    (tmp_path / "src/odd.cpp").write_bytes(before)
    assert convert(hipify, tmp_path).returncode == 0
    written = (tmp_path / "out/odd.cpp").read_bytes()
    assert b"hipFree(0)" in written
    assert b"cuda" not in written
    assert before.split(b"void")[0] in written
    assert written.endswith(after[-3:])


def test_empty_file(hipify: Run, tmp_path: Path, good: Path) -> None:
    (tmp_path / "src/empty.cu").write_bytes(b"")
    assert convert(hipify, tmp_path).returncode == 0
    assert (tmp_path / "out/empty.cu").read_bytes() == b""


def test_nested_parentheses(hipify: Run, tmp_path: Path, good: Path) -> None:
    deep = b"void f() { cudaFree" + b"(" * 10_000 + b"0" + b")" * 10_000 + b"; }\n"
    (tmp_path / "src/deep.cu").write_bytes(deep)
    done = convert(hipify, tmp_path)
    assert done.returncode == 0, done.stderr
    assert b"hipFree" + b"(" * 10_000 in (tmp_path / "out/deep.cu").read_bytes()


@pytest.mark.slow
def test_one_line_of_50_megabytes(hipify: Run, tmp_path: Path, good: Path) -> None:
    unit = b"int table[] = {" + b"1,2,3,4,5,6,7,8," * 2000 + b"0}; cudaFree(0); "
    huge = b"void f() { " + unit * (50_000_000 // len(unit) + 1) + b"}"
    (tmp_path / "src/huge.cu").write_bytes(huge)
    done = convert(hipify, tmp_path)
    assert done.returncode == 0, done.stderr
    written = (tmp_path / "out/huge.cu").read_bytes()
    assert written.count(b"hipFree(0)") == huge.count(b"cudaFree(0)")
    assert b"cudaFree" not in written


@pytest.mark.parametrize("kind", ["dangling link", "FIFO"])
def test_sources_that_cannot_be_read(hipify: Run, tmp_path: Path, good: Path, kind: str) -> None:
    bad = tmp_path / "src/bad.cu"
    if kind == "FIFO":
        os.mkfifo(bad)
    else:
        bad.symlink_to("nowhere.cu")
    done = convert(hipify, tmp_path)
    assert done.returncode == 3
    assert b"src/bad.cu: error HIP901" in done.stderr
    assert hipify("check", "src/bad.cu").returncode == 3


def test_a_folder_named_like_a_source_is_a_folder(hipify: Run, tmp_path: Path, good: Path) -> None:
    (tmp_path / "src/x.cu").mkdir()
    (tmp_path / "src/x.cu/in.cu").write_bytes(VECTOR_ADD)
    assert convert(hipify, tmp_path).returncode == 0
    assert b"hipMalloc" in (tmp_path / "out/x.cu/in.cu").read_bytes()


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_file_without_read_permission(hipify: Run, tmp_path: Path, good: Path) -> None:
    bad = tmp_path / "src/bad.cu"
    bad.write_bytes(VECTOR_ADD)
    bad.chmod(0)
    done = convert(hipify, tmp_path)
    assert done.returncode == 3
    assert b"src/bad.cu: error HIP901 cannot read the file: Permission denied" in done.stderr


def test_read_only_target(hipify: Run, tmp_path: Path, good: Path) -> None:
    locked = tmp_path / "src/locked.cu"
    locked.write_bytes(VECTOR_ADD)
    locked.chmod(0o444)
    done = hipify("convert", "src", "--in-place", "--force")
    assert done.returncode == 3
    assert b"locked.cu: the file is read-only" in done.stderr
    assert locked.read_bytes() == VECTOR_ADD
    assert b"hipMalloc" in good.read_bytes()
    assert sorted(os.listdir(tmp_path / "src")) == ["good.cu", "locked.cu"]


def test_folder_in_the_place_of_a_target(hipify: Run, tmp_path: Path, good: Path) -> None:
    (tmp_path / "src/other.cu").write_bytes(VECTOR_ADD)
    (tmp_path / "out/other.cu").mkdir(parents=True)
    done = convert(hipify, tmp_path)
    assert done.returncode == 3
    assert b"cannot write out/other.cu: Is a directory" in done.stderr


def test_names_that_are_not_utf8(hipify: Run, tmp_path: Path, good: Path) -> None:
    name = os.fsdecode(b"na\xefve.cu")
    try:
        (tmp_path / "src" / name).write_bytes(b"void g() { cudaFooBar(); }\n")
    except OSError:
        pytest.skip("the file system takes UTF-8 names only")
    done = hipify("check", "src")
    assert done.returncode == 0, done.stderr
    assert b"src/na\\xefve.cu:1:12: warning HIP102" in done.stdout
    assert hipify("check", "--format", "json", "src").returncode == 0
    assert convert(hipify, tmp_path).returncode == 0
    assert hipify("report", "src").returncode == 0


def test_full_disk(hipify: Run, tmp_path: Path) -> None:
    """On a real full disk where one can be mounted; tests/project/test_write.py feigns one everywhere."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    try:
        if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            pytest.skip("no right to mount a small disk")
    except OSError:
        pytest.skip("no mount command")
    try:
        (tmp_path / "src").mkdir()
        (tmp_path / "src/big.cu").write_bytes(VECTOR_ADD + b"//" + b"x" * 200_000 + b"\n")
        (tmp_path / "src/small.cu").write_bytes(VECTOR_ADD)
        done = hipify("convert", "src", "-o", "disk")
        assert done.returncode == 3
        assert b"src/big.cu: error HIP901 cannot write disk/big.cu: No space left on device" in done.stderr
        assert sorted(os.listdir(disk)) == ["small.cu"]
        assert b"hipMalloc" in (disk / "small.cu").read_bytes()
    finally:
        subprocess.run(["umount", str(disk)], check=True)
