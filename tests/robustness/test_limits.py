"""Limits of the machine or the user on processes, files and threads cost time, not results."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hipify_py.core.options import OFF, Options
from hipify_py.project import prefetch_pool, processes, query_cache, worker_pool
from hipify_py.project.api import convert
from tests.cli.conftest import REPOSITORY

HEADER = "#pragma once\nnamespace n%d { struct S { int x = 1; void cudaFree(int); }; }\n"
SOURCE = (
    '#include "h%d.cuh"\n__global__ void k(int *p) { __shared__ n%d::S s; p[0] = __shfl_sync(~0u, p[1], s.x); }\n'
    "void f(void *p) { cudaFree(p); }\n"
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    for number in range(8):
        (tmp_path / "src" / f"h{number}.cuh").write_text(HEADER % number)
        (tmp_path / "src" / f"s{number}.cu").write_text(SOURCE % (number, number))
    return tmp_path / "src"


@pytest.fixture(autouse=True)
def anything_is_much(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in (
        (query_cache, "_LEAST"),
        (processes, "PARALLEL_BYTES"),
        (processes, "SMALLEST_CHUNK"),
        (prefetch_pool, "_LEAST"),
    ):
        monkeypatch.setattr(module, name, 1)


def results(tree: Path, jobs: int) -> list[object]:
    report = convert([tree], options=Options(semantics=OFF), jobs=jobs, wanted="output")
    return [(each.path, each.status, each.output, each.findings) for each in report.results]


@pytest.mark.parametrize("allowed", [0, 1, 3])
def test_without_processes_this_one_does_the_work(tree: Path, monkeypatch: pytest.MonkeyPatch, allowed: int) -> None:
    expected = results(tree, 1)
    start, left = worker_pool._Worker.__init__, [allowed]

    def limited(*given: object) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        start(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(worker_pool._Worker, "__init__", limited)
    assert results(tree, 4) == expected


def test_a_worker_needs_no_thread(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = results(tree, 1)

    def refused(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert results(tree, 4) == expected


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
@pytest.mark.parametrize("most", [9, 13, 18, 25, 64])
def test_few_open_files_are_enough(tree: Path, most: int) -> None:
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({most}, {most}))\n"
    limited += "from hipify_py.project import processes, query_cache\n"
    limited += "processes.PARALLEL_BYTES = processes.SMALLEST_CHUNK = query_cache._LEAST = 1\n"
    limited += "import sys; sys.argv[1:] = ['convert', 'src', '-o', 'out', '--jobs', '6', '--semantics', 'off']\n"
    limited += "from hipify_py.__main__ import main; main()\n"
    done = subprocess.run(
        [sys.executable, "-c", limited],
        cwd=tree.parent,
        env={"PYTHONPATH": str(REPOSITORY), "HIPIFY_PY_CACHE_DIR": str(tree.parent / "cache")},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert all(b"hipFree" in (tree.parent / "out" / f"s{number}.cu").read_bytes() for number in range(8))
