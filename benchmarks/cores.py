"""What a second core brings: `hipify-py convert TREE -o FOLDER` with one worker process and with several.

The tree is copied into a temporary folder as often as it takes for a run of some seconds; both sides convert
that same folder, as whole processes from start to end, in turn. The output is removed after each run, off the
clock. The compiled tables are cached beforehand. Set TMPDIR to a folder in memory, or the disk is measured too.

CPU is what all processes of a run took together: where it grows with the second worker, the cores hinder each
other. The peak of memory is that of the largest process.
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
)

from hipify_py.frontend.prefilter import may_have_cuda
from hipify_py.project.discovery import is_source_name

_FAILURE = 3  # exit status of hipify-py: some files could not be done


def main() -> None:
    """Run the benchmark."""
    arguments = _arguments()
    size = _cuda_bytes(arguments.tree)
    if not size:
        sys.exit("no CUDA sources there")
    copies = math.ceil(arguments.megabytes * 1e6 / size)
    with tempfile.TemporaryDirectory(prefix="hipify-py-benchmark-") as folder:
        for number in range(copies):
            leave_out = shutil.ignore_patterns(".git")
            shutil.copytree(arguments.tree, f"{folder}/in/{number}", symlinks=True, ignore=leave_out)
        sides = {jobs: partial(_convert, folder, jobs) for jobs in ("1", str(arguments.jobs))}
        if sides["1"]().status == _FAILURE:
            print("some files could not be converted, on either side", file=sys.stderr)
        costs = interleaved(arguments.rounds, sides)
    print(f"{copies} times {arguments.tree.name}, {copies * size / 1e6:.1f} MB of sources with CUDA")
    _show(costs, str(arguments.jobs))


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
    command = [*hipify_py_command(), "convert", f"{folder}/in", "-o", f"{folder}/out", "--jobs", jobs]
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
    single, several = costs["1"], costs[jobs]
    gain = ratio((run.wall for run in single), (run.wall for run in several))
    more = ratio((run.cpu for run in several), (run.cpu for run in single))
    print(f"CPU time, --jobs {jobs} to --jobs 1: {more:.2f}")
    figure = f"{gain:.3f} times as fast"
    if jobs == "2":
        print(goal("--jobs 2", figure, "at least 1.80", gain >= 1.8))
    else:
        print(f"--jobs {jobs}: {figure}")


if __name__ == "__main__":
    main()
