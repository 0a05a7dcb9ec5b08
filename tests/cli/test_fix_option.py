"""`--fix` and `--no-fix` on the command line and in the configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.fixed_sources import BRANCH, OPERATIONS

KERNEL = b"""#include <cuda_runtime.h>
__global__ void first(int *o) {
  int lane = threadIdx.x & 31, v = 0;
  if (lane == 0) v = atomicAdd(o, 32);
  o[threadIdx.x] = __shfl_sync(0xffffffff, v, 0) + lane;
}
"""
VOTES = b"""#include <cuda_runtime.h>
__global__ void votes(int *o) {
  int lane = threadIdx.x & 31;
  unsigned m = __ballot_sync(0xffffffff, o[threadIdx.x] > 0);
  o[threadIdx.x] = __popc(m & ((1u << lane) - 1));
}
"""
KEPT = b"__shfl(v, 0, 32)"


def test_a_single_file(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(KERNEL)
    run = hipify("convert", "--stdout", "a.cu", "--fix", "wavefront")
    assert run.returncode == 0, run.stderr.decode()
    assert KEPT in run.stdout
    assert b"HIP305" not in run.stderr
    assert b"1 warp operation: 1 kept at 32 lanes" in run.stderr
    assert hipify("convert", "--stdout", "a.cu").stdout == run.stdout
    plain = hipify("convert", "--stdout", "a.cu", "--no-fix", "wavefront")
    assert KEPT not in plain.stdout
    assert b"HIP305" in plain.stderr
    assert b"fixed" not in plain.stderr


def test_a_folder_is_written_with_the_support_header(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "src" / "deep").mkdir(parents=True)
    (tmp_path / "src" / "a.cu").write_bytes(KERNEL)
    (tmp_path / "src" / "deep" / "votes.cu").write_bytes(VOTES)
    run = hipify("convert", "src", "-o", "out", "--fix", "wavefront")
    assert run.returncode == 0, run.stderr.decode()
    assert KEPT in (tmp_path / "out" / "a.cu").read_bytes()
    votes = (tmp_path / "out" / "deep" / "votes.cu").read_bytes()
    assert b'#include "../hipify_support.hpp"' in votes
    assert b"hipify::warp32::ballot_sync(0xffffffff" in votes
    assert b"warp32" in (tmp_path / "out" / "hipify_support.hpp").read_bytes()
    again = hipify("convert", "out", "-o", "twice", "--fix", "wavefront")
    assert again.returncode == 0
    for name in ("a.cu", "deep/votes.cu", "hipify_support.hpp"):
        assert (tmp_path / "twice" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_in_place_twice_is_once(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "votes.cu").write_bytes(VOTES)
    assert hipify("convert", "src", "--in-place", "--force", "--fix", "wavefront").returncode == 0
    once = (tmp_path / "src" / "votes.cu").read_bytes()
    assert hipify("convert", "src", "--in-place", "--force", "--fix", "wavefront").returncode == 0
    assert (tmp_path / "src" / "votes.cu").read_bytes() == once
    check = hipify("check", "src", "--fix", "wavefront")
    assert check.returncode == 0
    assert check.stdout == b""


def test_check_tells_what_is_left_and_writes_nothing(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(KERNEL)
    plain, fixed = hipify("check", "a.cu", "--no-fix", "wavefront"), hipify("check", "a.cu")
    assert b"HIP305" in plain.stdout + plain.stderr
    assert b"HIP305" not in fixed.stdout + fixed.stderr
    assert b"1 warp operation: 1 kept at 32 lanes" in fixed.stderr
    assert fixed.returncode == 0
    assert plain.returncode == 0  # a warning
    assert (tmp_path / "a.cu").read_bytes() == KERNEL
    assert [path.name for path in tmp_path.iterdir()] == ["a.cu"]


@pytest.mark.parametrize("name", ["wave", "WAVEFRONT", "", "HIP101", "HIP2", "HIP998", "HIP114,", "HIP114,HIP101"])
def test_what_has_no_fix_is_a_mistake_in_use(hipify: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "a.cu").write_bytes(KERNEL)
    run = hipify("convert", "--stdout", "a.cu", "--fix", name)
    assert run.returncode == 2
    assert b"findings with a fix: HIP111, HIP114" in run.stderr
    assert b"HIP305 (needs review)" in run.stderr
    assert b"groups of fixes: wavefront, warp-size" in run.stderr
    assert run.stdout == b""


def test_the_configuration_is_blamed_for_what_it_names(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(KERNEL)
    (tmp_path / "hipify-py.toml").write_text('fix = ["HIP101"]')
    run = quickly("check", "a.cu")
    assert run.returncode == 2
    assert b"hipify-py.toml: fix: HIP101 has no fix" in run.stderr


def test_fixes_of_findings_are_converted_and_counted(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(OPERATIONS + "int n;  // hipify: ignore[HIP101]\n")
    plain = quickly("convert", "--stdout", "a.cu", "-v")
    assert b"HIP907" in plain.stderr
    run = quickly("convert", "--stdout", "a.cu", "--fix", "ALL")
    expected = plain.stdout.replace(b"  // hipify: ignore[HIP101]", b"")
    assert run.stdout == expected.replace(b")1", b")HIPBLAS_OP_T").replace(b")0", b")HIPBLAS_OP_N")
    assert b"3 findings fixed: 2 HIP114, 1 HIP907" in run.stderr
    report = json.loads(quickly("report", "--format", "json", ".", "--fix", "ALL").stdout)
    assert report["totals"]["fixes"] == {"HIP114": 2, "HIP907": 1}


def test_prefixes_and_all_leave_what_has_to_be_looked_at(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(BRANCH)
    run = quickly("convert", "--stdout", "a.cu", "--fix", "ALL")
    assert b"__shfl(v, leader);" in run.stdout
    assert b"HIP305" in run.stderr
    run = quickly("convert", "--stdout", "a.cu", "--fix", "HIP3")
    assert run.returncode == 2
    assert b"findings with a fix: HIP111, HIP114, HIP305 (needs review)" in run.stderr
    run = quickly("convert", "--stdout", "a.cu", "--fix", "HIP305")
    assert run.stdout.count(b"__shfl(v, leader, 32)") == 2


def test_a_finding_is_left_as_it_is_by_its_id(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(OPERATIONS)
    (tmp_path / "hipify-py.toml").write_text('fix = ["HIP1"]')
    assert b")HIPBLAS_OP_T" in quickly("convert", "--stdout", "a.cu").stdout
    run = quickly("convert", "--stdout", "a.cu", "--no-fix", "HIP114")
    assert b")1;" in run.stdout
    assert run.stderr.count(b"HIP114") == 2


@pytest.mark.parametrize(
    ("config", "arguments", "kept"),
    [
        ('no-fix = ["wavefront"]', [], False),
        ('no-fix = ["wavefront"]', ["--fix", "wavefront"], True),
        ('fix = ["wavefront"]', ["--no-fix", "wavefront"], False),
        ('fix = ["warp-size"]', [], True),
        ('no-fix = ["warp-size"]', [], True),
        ("", ["--no-fix", "warp-size", "--no-fix", "wavefront"], False),
        ("", ["--fix", "warp-size"], True),
    ],
)
def test_the_command_line_wins_over_the_configuration(
    hipify: Run, tmp_path: Path, config: str, arguments: list[str], kept: bool
) -> None:
    (tmp_path / "a.cu").write_bytes(KERNEL)
    (tmp_path / "hipify-py.toml").write_text(config)
    run = hipify("convert", "--stdout", "a.cu", *arguments)
    assert run.returncode == 0, run.stderr.decode()
    assert (b"HIP305" in run.stderr) is not kept
    assert (KEPT in run.stdout) is kept


@pytest.mark.parametrize("config", ["", 'fix = ["wavefront"]'])
def test_asking_for_a_fix_and_against_it_is_a_mistake_in_use(hipify: Run, tmp_path: Path, config: str) -> None:
    (tmp_path / "a.cu").write_bytes(KERNEL)
    (tmp_path / "hipify-py.toml").write_text(config)
    run = hipify("check", "a.cu", "--fix", "wavefront", "--no-fix", "wavefront")
    assert run.returncode == 2
    assert b"wavefront is in both --fix and --no-fix" in run.stderr


def test_reports_count_the_fixes(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(KERNEL)
    (tmp_path / "votes.cu").write_bytes(VOTES)
    report = json.loads(hipify("report", "--format", "json", ".").stdout)
    assert report["totals"]["fixes"] == {"wavefront": 2}
    check = json.loads(hipify("check", "--format", "json", ".").stdout)
    assert check["totals"]["fixes"] == {"wavefront": 2}
    assert [file["fixes"] for file in check["files"]] == [{"wavefront": 1}, {"wavefront": 1}]
    without = json.loads(hipify("check", "--format", "json", ".", "--no-fix", "wavefront").stdout)
    assert without["totals"]["fixes"] == {}


def test_without_the_support_header_shuffles_are_kept_and_votes_are_reported(hipify: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(KERNEL)
    (tmp_path / "votes.cu").write_bytes(VOTES)
    assert KEPT in hipify("convert", "--stdout", "a.cu", "--fix", "wavefront", "--no-support").stdout
    votes = hipify("convert", "--stdout", "votes.cu", "--fix", "wavefront", "--no-support")
    assert b"hipify" not in votes.stdout
    assert b"HIP305" in votes.stderr


@pytest.mark.parametrize("rocm", ["6.1", "6.4", "7.1"])
def test_for_each_version_of_rocm(hipify: Run, tmp_path: Path, rocm: str) -> None:
    (tmp_path / "a.cu").write_bytes(KERNEL)
    run = hipify("convert", "--stdout", "a.cu", "--fix", "wavefront", "--rocm", rocm)
    assert run.returncode == 0, run.stderr.decode()
    assert KEPT in run.stdout
    (tmp_path / "votes.cu").write_bytes(VOTES)
    votes = hipify("convert", "--stdout", "votes.cu", "--fix", "wavefront", "--rocm", rocm)
    assert b"hipify::warp32::" in votes.stdout
    assert b"HIP305" not in votes.stderr


def test_line_ends_stay(hipify: Run, tmp_path: Path) -> None:
    for name, source in (("a.cu", KERNEL), ("votes.cu", VOTES)):
        (tmp_path / name).write_bytes(source)
        plain = hipify("convert", "--stdout", name, "--fix", "wavefront").stdout
        (tmp_path / name).write_bytes(source.replace(b"\n", b"\r\n"))
        assert hipify("convert", "--stdout", name, "--fix", "wavefront").stdout == plain.replace(b"\n", b"\r\n")
