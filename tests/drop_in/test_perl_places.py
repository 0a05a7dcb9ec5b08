"""Where the stand-in for hipify-perl writes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .conftest import Tool
from .samples import LAUNCH, LEFT, PLAIN, PLAIN_HIP, VOTE, write

as_root = pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may read everything")


def test_standard_output_is_the_default(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN, b=LEFT)
    done = perl("a.cu")
    assert done == (0, PLAIN_HIP, "")
    assert perl("a.cu", "a.cu").out == PLAIN_HIP * 2
    assert sorted(os.listdir(tmp_path)) == ["a.cu", "b.cu"]


def test_output_file(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN)
    for option in (["-o", "x.hip"], ["--o=x.hip"], ["-o=x.hip"]):
        (tmp_path / "x.hip").write_text("what was there")
        assert perl("a.cu", *option) == (0, "", "")
        assert (tmp_path / "x.hip").read_text() == PLAIN_HIP


def test_an_output_that_has_the_content_already_gets_a_new_time(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN)
    (tmp_path / "x.hip").write_text(PLAIN_HIP)
    os.utime(tmp_path / "x.hip", (1, 1))
    perl("a.cu", "-o", "x.hip")
    assert (tmp_path / "x.hip").stat().st_mtime > 1


def test_the_last_of_several_files_is_in_the_output_file(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=LEFT, b=PLAIN)
    done = perl("-quiet-warnings", "-o", "x.hip", "a.cu", "b.cu")
    assert (done.status, done.err) == (0, "warning: x.hip gets the last of 2 files only\n")
    assert (tmp_path / "x.hip").read_text() == PLAIN_HIP


def test_the_last_file_that_can_be_read_is_in_the_output_file(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN)
    done = perl("-o", "x.hip", "a.cu", "absent.cu")
    assert (done.status, (tmp_path / "x.hip").read_text()) == (2, PLAIN_HIP)


def test_an_output_file_that_is_the_source(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN)
    assert perl("a.cu", "-o", "a.cu").status == 0
    assert (tmp_path / "a.cu").read_text() == PLAIN_HIP


@pytest.mark.skipif(os.name != "posix", reason="devices and links of POSIX")
def test_devices_and_links_stay_what_they_are(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=VOTE)
    (tmp_path / "place").mkdir()
    (tmp_path / "link.hip").symlink_to("place/x.hip")
    assert perl("a.cu", "-o", os.devnull).status == 0
    assert not os.path.isfile(os.devnull)
    assert perl("a.cu", "-o", "link.hip").status == 0
    assert (tmp_path / "link.hip").is_symlink()
    assert sorted(os.listdir(tmp_path / "place")) == ["hipify_support.hpp", "x.hip"]


def test_in_place(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN, b="int unchanged;\n")
    assert perl("-inplace", "a.cu", "b.cu") == (0, "", "")
    assert (tmp_path / "a.cu").read_text() == PLAIN_HIP
    assert (tmp_path / "a.cu.prehip").read_text() == PLAIN
    assert (tmp_path / "b.cu").read_text() == (tmp_path / "b.cu.prehip").read_text() == "int unchanged;\n"
    assert not os.path.samefile(tmp_path / "b.cu", tmp_path / "b.cu.prehip")


def test_in_place_again_starts_from_the_original(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a="// an edit that is lost\n")
    (tmp_path / "a.cu.prehip").write_text(PLAIN)
    assert perl("-inplace", "a.cu").status == 0
    assert (tmp_path / "a.cu").read_text() == PLAIN_HIP
    assert (tmp_path / "a.cu.prehip").read_text() == PLAIN


def test_in_place_wins_over_an_output_file(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN)
    perl("-inplace", "-o", "x.hip", "a.cu")
    assert sorted(os.listdir(tmp_path)) == ["a.cu", "a.cu.prehip"]


@pytest.mark.parametrize("option", ["-no-output", "-examine"])
@pytest.mark.parametrize("place", [(), ("-inplace",), ("-o", "x.hip")])
def test_no_output_writes_nothing(perl: Tool, tmp_path: Path, option: str, place: tuple[str, ...]) -> None:
    """hipify-perl empties the file in place, and makes an empty output file."""
    write(tmp_path, a=PLAIN)
    assert perl(option, *place, "a.cu").out == ""
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.cu", PLAIN)]


def test_launches(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=LAUNCH)
    assert "twice<<<1, 32>>>(x);" in perl("a.cu").out
    assert "twice<<<1, 32>>>(x);" in perl("-cuda-kernel-execution-syntax", "a.cu").out
    assert "hipLaunchKernelGGL(twice, dim3(1), dim3(32), 0, 0, x);" in perl("-hip-kernel-execution-syntax", "a.cu").out
    both = ("-hip-kernel-execution-syntax", "-cuda-kernel-execution-syntax")
    assert "hipLaunchKernelGGL(" in perl(*both, "a.cu").out


def test_libraries_of_rocm(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a="#include <cublas_v2.h>\ncublasHandle_t handle;\n")
    assert "hipblasHandle_t handle;" in perl("a.cu").out
    assert "rocblas_handle handle;" in perl("-roc", "a.cu").out


def test_any_ending_is_translated(perl: Tool, tmp_path: Path) -> None:
    (tmp_path / "a.gen").write_text(PLAIN)
    assert perl("a.gen").out == PLAIN_HIP


def test_bytes_that_are_not_utf_8_stay(perl: Tool, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"// caf\xe9\r\nvoid f(void *p) { cudaFree(p); }\r\n")
    assert perl("-inplace", "a.cu").status == 0
    assert b"// caf\xe9\r\n" in (tmp_path / "a.cu").read_bytes()
    assert b"hipFree(p); }\r\n" in (tmp_path / "a.cu").read_bytes()


def test_what_is_no_text_is_handed_on(perl: Tool, tmp_path: Path) -> None:
    data = "#include <cuda_runtime.h>\n".encode("utf-16")
    (tmp_path / "a.cu").write_bytes(data)
    done = perl("a.cu", "-o", "x.hip")
    assert (tmp_path / "x.hip").read_bytes() == data
    assert (done.status, len(done.warnings)) == (0, 1)
    assert "UTF-16" in done.err


def test_an_empty_file(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a="")
    assert perl("-print-stats", "a.cu") == (0, "", "")


def test_bad_files_cost_nothing_else(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN)
    (tmp_path / "folder").mkdir()
    done = perl("absent.cu", "folder", "a.cu")
    assert (done.status, done.out) == (2, PLAIN_HIP)
    assert done.err == "error: could not open absent.cu: No such file or directory\nerror: folder is a directory\n"


def test_statuses_of_bad_places(perl: Tool, tmp_path: Path) -> None:
    """0 for a folder, as Perl finds no lines in it; otherwise the number of the system's error."""
    write(tmp_path, a=PLAIN)
    (tmp_path / "folder").mkdir()
    assert perl("folder").status == 0
    assert perl("-inplace", "folder").status == 2
    assert perl("-inplace", "absent.cu").status == 2
    assert perl("a.cu", "-o", "absent/x.hip").status == 2
    assert perl("a.cu", "-o", "folder").status == 21
    assert sorted(os.listdir(tmp_path)) == ["a.cu", "folder"]


@as_root
def test_an_unreadable_file(perl: Tool, tmp_path: Path) -> None:
    write(tmp_path, a=PLAIN)
    (tmp_path / "a.cu").chmod(0)
    done = perl("a.cu")
    assert (done.status, done.err) == (13, "error: could not open a.cu: Permission denied\n")


def test_no_files(perl: Tool) -> None:
    assert perl() == (0, "", "")
