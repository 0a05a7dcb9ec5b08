"""What a second core brings: `hipify-py convert TREE -o FOLDER` with one worker process and with several.

The tree is copied into a temporary folder as often as it takes for a run of some seconds; both sides convert
that same folder, as whole processes from start to end, in turn. The output is removed after each run, off the
clock. The compiled tables are cached beforehand. Set TMPDIR to a folder in memory, or the disk is measured too.

CPU is what all processes of a run took together: where it grows with the second worker, the cores hinder each
other. The parent's own share of it, with two workers, tells what is not spread over them. The peak of memory is
that of the largest process; at the end it is that of a check of 8,000 files, copies of the tree's if it has fewer.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path

from measure import (
    Cost,
    argument_parser,
    environment_with_cache,
    goal,
    hipify_py_command,
    interleaved,
    ratio,
    run_process,
    show_table,
    without_results,
)
from sources import copy_sources
from throughput import MOST_MEMORY

from hipify_py.frontend.prefilter import may_have_cuda
from hipify_py.project.discovery import is_source_name

GOAL = 1.85
"""How many times as fast two workers are to be."""
MOST_SERIAL = 0.08
"""The part of the CPU time that the parent of two workers may spend itself: with more, they cannot be that fast."""
MANY_FILES = 8_000
"""How many files a run has whose memory is measured."""
_ACCOUNT = """\
import resource, sys
from hipify_py.__main__ import main

account = sys.argv.pop(1)
try:
    main()
finally:
    spent = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    with open(account, "w") as file:
        print(*(usage.ru_utime + usage.ru_stime for usage in spent), file=file)
"""
"""Runs hipify-py, and writes down what it took itself, and its workers."""

_FAILURE = 3  # exit status of hipify-py: some files could not be done


def main() -> None:
    """Run the benchmark."""
    arguments = _arguments()
    size, copies = _copies(arguments.tree, arguments.megabytes)
    print(f"{copies} times {arguments.tree.name}, {copies * size / 1e6:.1f} MB of sources with CUDA")
    _show(measure(arguments.tree, arguments.megabytes, arguments.rounds, arguments.jobs), str(arguments.jobs))
    share = serial_share(arguments.tree)
    figure, wanted = f"{100 * share:.1f} % of all, for the tree once", f"below {100 * MOST_SERIAL:.0f} %"
    print(goal("CPU time of the parent alone", figure, wanted, share < MOST_SERIAL))
    peak = peak_memory(arguments.tree)
    print(goal(f"peak memory at {MANY_FILES} files", f"{peak:.0f} MB", f"below {MOST_MEMORY} MB", peak < MOST_MEMORY))


def measure(tree: Path, megabytes: float, rounds: int, jobs: int = 2) -> dict[str, list[Cost]]:
    """The costs of runs with one worker and with several, by their number."""
    _, copies = _copies(tree, megabytes)
    with tempfile.TemporaryDirectory(prefix="hipify-py-benchmark-") as folder:
        for number in range(copies):
            leave_out = shutil.ignore_patterns(".git")
            shutil.copytree(tree, f"{folder}/in/{number}", symlinks=True, ignore=leave_out)
        sides = {jobs: partial(_convert, folder, jobs) for jobs in ("1", str(jobs))}
        if sides["1"]().status == _FAILURE:
            print("some files could not be converted, on either side", file=sys.stderr)
        return interleaved(rounds, sides)


def serial_share(tree: Path) -> float:
    """The part of the CPU time that the parent of two workers spends itself: what a further core does nothing for."""
    with tempfile.TemporaryDirectory(prefix="hipify-py-benchmark-") as folder:
        for _ in range(2):  # the first run compiles the tables
            command = [sys.executable, "-c", _ACCOUNT, f"{folder}/spent", "convert", str(tree), "-o", f"{folder}/out"]
            options = ["--jobs", "2", *without_results()]
            run_process(command + options, environment_with_cache(f"{folder}/cache"), accept=(0, 1, _FAILURE))
            shutil.rmtree(f"{folder}/out")
        own, workers = map(float, Path(folder, "spent").read_text(encoding="ascii").split())
    return own / (own + workers)


def peak_memory(tree: Path, files: int = MANY_FILES) -> float:
    """The peak in MB of the largest process of a check with two workers: so many files, or copies of the tree's."""
    with tempfile.TemporaryDirectory(prefix="hipify-py-benchmark-") as folder:
        copy_sources(tree, Path(folder, "in"), files)
        command = [*hipify_py_command(), "check", f"{folder}/in", "--jobs", "2", *without_results()]
        return run_process(command, environment_with_cache(f"{folder}/cache"), accept=(0, 1, _FAILURE)).peak


def gain_of(costs: dict[str, list[Cost]], jobs: str = "2") -> float:
    """How many times as fast the runs with several workers are."""
    return ratio((run.wall for run in costs["1"]), (run.wall for run in costs[jobs]))


def _copies(tree: Path, megabytes: float) -> tuple[int, int]:
    """The size of a tree's sources with CUDA, and the copies that make so many megabytes."""
    size = _cuda_bytes(tree)
    if not size:
        sys.exit("no CUDA sources there")
    return size, math.ceil(megabytes * 1e6 / size)


def _arguments() -> argparse.Namespace:
    parser = argument_parser(__doc__, rounds=5)
    parser.add_argument("tree", type=lambda path: Path(path).resolve(), metavar="TREE", help="a folder with sources")
    parser.add_argument("--jobs", type=int, choices=range(2, 257), default=2, metavar="N", help="workers (default: 2)")
    parser.add_argument(
        "--megabytes", type=float, default=40, help="copy the tree until so much of it may be CUDA (default: 40)"
    )
    return parser.parse_args()


def _cuda_bytes(tree: Path) -> int:
    """The size of the sources in which there is something to do."""
    sources = (path for path in tree.rglob("*") if is_source_name(path.name) and path.is_file())
    return sum(len(data) for data in map(Path.read_bytes, sources) if may_have_cuda(data))


def _convert(folder: str, jobs: str) -> Cost:
    command = [
        *hipify_py_command(),
        "convert",
        f"{folder}/in",
        "-o",
        f"{folder}/out",
        "--jobs",
        jobs,
        *without_results(),
    ]
    cost = run_process(command, environment_with_cache(f"{folder}/cache"), accept=(0, 1, _FAILURE))
    shutil.rmtree(f"{folder}/out")
    os.sync()  # what this run wrote is not written back during the next one
    return cost


def _show(costs: dict[str, list[Cost]], jobs: str) -> None:
    rows = []
    for name, runs in costs.items():
        medians = (statistics.median(getattr(run, field) for run in runs) for field in ("wall", "cpu"))
        rows.append([f"--jobs {name}", *(f"{seconds:.2f}" for seconds in medians), f"{max(r.peak for r in runs):.0f}"])
    show_table(["", "wall s", "CPU s", "peak MB"], rows)
    gain = gain_of(costs, jobs)
    more = ratio((run.cpu for run in costs[jobs]), (run.cpu for run in costs["1"]))
    print(f"CPU time, --jobs {jobs} to --jobs 1: {more:.2f}")
    figure = f"{gain:.3f} times as fast"
    if jobs == "2":
        print(goal("--jobs 2", figure, f"at least {GOAL:.2f}", gain >= GOAL))
    else:
        print(f"--jobs {jobs}: {figure}")


if __name__ == "__main__":
    main()
