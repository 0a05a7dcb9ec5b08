"""The parallel run: same results as one by one, and no file takes the others down."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path
from typing import Any

import pytest

import hipify_py.translator.translate
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.core.translation import Counts
from hipify_py.project import processes
from hipify_py.project.api import convert
from hipify_py.project.processes import chunks_of
from hipify_py.project.progress import Counted
from hipify_py.project.resolve_cross_file import resolve_cross_file
from hipify_py.project.result import CHANGED, FAILED, FileResult
from hipify_py.project.run import run
from hipify_py.project.work import OUTPUT, Task

SOURCE = b"#include <cuda_runtime.h>\nvoid f() { cudaDeviceSynchronize(); cudaFooBar(); }\n"


@pytest.fixture
def tasks(tmp_path: Path) -> list[Task]:
    made = []
    for number in range(20):
        path = tmp_path / f"f{number:02}.cu"
        path.write_bytes(SOURCE * (number * 30 + 1))
        made.append(Task(str(path), size=path.stat().st_size))
    return made


@pytest.fixture
def poison(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes the translation of one file do something terrible; workers inherit that by being forked."""
    real = hipify_py.translator.translate.translate

    def set_poison(name: str, act: Any) -> None:
        def translate(source: bytes, *, path: str, **more: Any) -> Any:
            if path.endswith(name):
                act()
            return real(source, path=path, **more)

        monkeypatch.setattr(hipify_py.translator.translate, "translate", translate)

    return set_poison


def fail() -> None:
    raise RuntimeError("a fault of ours")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_workers_do_what_one_process_does(tasks: list[Task]) -> None:
    alone = run(tasks, DEFAULT_OPTIONS, wanted=OUTPUT, jobs=1)
    assert run(tasks, DEFAULT_OPTIONS, wanted=OUTPUT, jobs=3) == alone
    assert [result.path for result in alone] == [task.path for task in tasks]
    assert all(result.status == CHANGED for result in alone)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fault_costs_one_file(tasks: list[Task], poison: Any, jobs: int) -> None:
    poison("f07.cu", fail)
    results = run(tasks, DEFAULT_OPTIONS, jobs=jobs)
    assert [result.path[-6:] for result in results if result.status == FAILED] == ["f07.cu"]
    finding = results[7].findings[0]
    assert finding.id == "HIP905"
    assert finding.message == "hipify-py failed on this file: RuntimeError: a fault of ours"
    assert sum(result.status == CHANGED for result in results) == 19


def test_a_killed_worker_costs_one_file_and_its_account_is_whole(
    tmp_path: Path, tasks: list[Task], poison: Any
) -> None:
    expected = run(tasks, DEFAULT_OPTIONS, jobs=1)
    poison("f19.cu", die)
    report = convert([tmp_path], in_place=True, force=True, jobs=2)
    assert [result.path[-6:] for result in report.failed] == ["f19.cu"]
    assert "was killed" in report.failed[0].findings[0].message
    assert [result.counts for result in report.results[:19]] == [result.counts for result in expected[:19]]
    assert (tmp_path / "f19.cu").read_bytes() == SOURCE * (19 * 30 + 1)
    assert b"hipDeviceSynchronize" in (tmp_path / "f18.cu").read_bytes()
    assert len(os.listdir(tmp_path)) == 20


def test_a_commit_that_fails_costs_one_file(tmp_path: Path, tasks: list[Task], monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.replace

    def replace(source: str, target: str) -> None:
        if target.endswith("f03.cu"):
            raise OSError(30, os.strerror(30), source)
        real(source, target)

    monkeypatch.setattr("hipify_py.project.write.os.replace", replace)
    report = convert([tmp_path], in_place=True, force=True, jobs=2)
    assert [result.path[-6:] for result in report.failed] == ["f03.cu"]
    assert report.failed[0].findings[0].message.endswith("f03.cu: Read-only file system")
    assert (tmp_path / "f03.cu").read_bytes() == SOURCE * 91
    assert len(os.listdir(tmp_path)) == 20


def test_progress_counts_every_file(tasks: list[Task]) -> None:
    told: list[int] = []
    run(tasks, DEFAULT_OPTIONS, jobs=2, progress=Counted(told.append))
    assert sum(told) == len(tasks)


def test_chunks_hold_every_task_once_the_biggest_first() -> None:
    tasks = [Task(str(number), size=size) for number, size in enumerate([10, 900_000, 20, 300_000, 0] + [100] * 500)]
    chunks = chunks_of(tasks, 2)
    assert chunks[0] == [1]
    assert chunks[1] == [3]
    assert sorted(index for chunk in chunks for index in chunk) == list(range(len(tasks)))
    assert len(chunks) < 20


def test_the_last_chunks_are_small() -> None:
    tasks = [Task(str(number), size=5_000) for number in range(2_000)]
    sizes = [len(chunk) for chunk in chunks_of(tasks, 2)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 50
    assert sizes[-2] < 20
    assert len(sizes) < 80


def test_small_runs_start_no_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any) -> Any:
        raise AssertionError("workers were started")

    monkeypatch.setattr(processes, "_parallel", refuse)
    (tmp_path / "a.cu").write_bytes(SOURCE)
    (tmp_path / "b.cu").write_bytes(SOURCE)
    assert len(convert([tmp_path]).results) == 2


def test_settling_takes_own_names_out_of_findings_and_counts(tasks: list[Task], tmp_path: Path) -> None:
    (before,) = run(tasks[:1], DEFAULT_OPTIONS)
    assert before.counts.unknown == 1
    assert [finding.id for finding in before.findings] == ["HIP102"]
    other = FileResult("own.h", CHANGED, declared=frozenset({"cudaFooBar"}))
    after, _ = resolve_cross_file([before, other])
    assert after.counts == before.counts._replace(unknown=0)
    assert after.findings == ()
    assert after.left == {}
    assert resolve_cross_file([before]) == [before]


def test_what_hangs_on_a_macro_of_another_file_is_inactive(tmp_path: Path) -> None:
    guarded = b'#include "flags.cuh"\n#include "also.h"\n#ifdef WIDE_PTX\n__device__ void f() { asm("mma.sync ;"); }\n#endif\n'
    (tmp_path / "use.cu").write_bytes(guarded)
    (tmp_path / "flags.cuh").write_bytes(b"#if __CUDA_ARCH__ >= 1000\n#define WIDE_PTX\n#endif\n")
    found = [finding for result in convert([tmp_path]).results for finding in result.findings]
    assert [finding.id for finding in found if finding.id == "HIP210"] == []
    (tmp_path / "also.h").write_bytes(b"#ifdef EVERYWHERE\n#define WIDE_PTX\n#endif\n#include <cuda_runtime.h>\n")
    found = [finding for result in convert([tmp_path]).results for finding in result.findings]
    assert [finding.severity for finding in found if finding.id == "HIP210"] == ["error"]


def test_a_function_that_the_project_defines_itself_is_a_note(tmp_path: Path) -> None:
    own = b"#if CUDART_VERSION < 12000\n__device__ void __barrier_sync(unsigned id) { wait_for(id); }\n#endif\n"
    (tmp_path / "common.cuh").write_bytes(own)
    (tmp_path / "use.cu").write_bytes(b'#include "common.cuh"\n__device__ void g() { __barrier_sync(1); }\n')
    found = [finding for result in convert([tmp_path]).results for finding in result.findings]
    assert [finding.severity for finding in found if finding.id == "HIP101"] == ["note"]


def test_the_report_adds_up(tmp_path: Path, tasks: list[Task]) -> None:
    report = convert([tmp_path])
    assert report.counts == Counts(*map(sum, zip(*(result.counts for result in report.results), strict=True)))
    assert report.counts.unknown == sum(number * 30 + 1 for number in range(20))


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_disk_that_fills_up_costs_the_files_that_no_longer_fit(
    tmp_path: Path, tasks: list[Task], monkeypatch: pytest.MonkeyPatch, call: str, jobs: int
) -> None:
    real = getattr(os, call)

    def limited(descriptor: int, *data: bytes) -> Any:
        if "f11.cu" in os.readlink(f"/proc/self/fd/{descriptor}"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(descriptor, *data)

    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("needs /proc to tell which file is meant")
    monkeypatch.setattr(f"hipify_py.project.write.os.{call}", limited)
    report = convert([tmp_path], in_place=True, force=True, jobs=jobs)
    assert [result.path[-6:] for result in report.failed] == ["f11.cu"]
    assert report.failed[0].findings[0].message.endswith("f11.cu: No space left on device")
    assert (tmp_path / "f11.cu").read_bytes() == SOURCE * (11 * 30 + 1)
    assert b"hipDeviceSynchronize" in (tmp_path / "f12.cu").read_bytes()
    assert len(os.listdir(tmp_path)) == 20
