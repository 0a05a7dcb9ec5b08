"""What a second run costs: `check`, `report` and `convert` of a tree once more, and after small changes.

Each is a whole process with one worker, on a copy of the tree's CUDA sources: so many of them, or all of them several
times. Before the first run of each round there are neither results that runs keep nor output; the compiled tables are
there. The output of `convert` stays where the next run puts its own. After the second run comes one with a new file,
a text that no source names, and then one with a changed file, which has a blank line more at its end.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from measure import (
    Cost,
    argument_parser,
    can_keep_results,
    environment_with_cache,
    goal,
    hipify_py_command,
    ratio,
    run_process,
    show_table,
)
from sources import copy_sources

COMMANDS = ("check", "report", "convert")
SIZES = (100, 1_000, 8_000)
"""How many files there are."""
GOAL = 20.0
"""How many times as long the first run is to take as the second, and as one with a new file."""
CHANGED_GOAL = 10.0
"""How many times as long the first run is to take as one with a changed file."""
LEAST_FOR_CHANGED = 1_000
"""Of fewer files, one is too large a part for that goal."""
_ACCEPTED = (0, 1, 3)


class Repeats(NamedTuple):
    """The costs of first runs, of second ones, of those with a new file, and of those with a changed one."""

    first: list[Cost]
    second: list[Cost]
    added: list[Cost]
    changed: list[Cost]

    def gain(self, runs: list[Cost]) -> float:
        """How many times as long the first run takes as others."""
        return ratio((run.cpu for run in self.first), (run.cpu for run in runs))

    @property
    def peak(self) -> float:
        """The largest resident set of any process, in MB."""
        return max(run.peak for runs in self for run in runs)


def main() -> None:
    """Run the benchmark."""
    arguments = _arguments()
    if not can_keep_results():
        sys.exit("this version of hipify-py keeps no results")
    rows, verdicts = [], []
    for files in arguments.files:
        for command in COMMANDS:
            costs = measure(arguments.tree, command, files, arguments.rounds)
            seconds = (f"{statistics.median(run.cpu for run in runs):.2f}" for runs in costs)
            gains = [costs.gain(runs) for runs in costs[1:]]
            what = f"{command}, {files} files"
            rows.append([what, *seconds, *(f"1/{gain:.1f}" for gain in gains), f"{costs.peak:.0f}"])
            for name, gain, wanted in zip(("second run", "new file", "changed file"), gains, goals(files), strict=True):
                if wanted is not None:
                    verdicts.append(goal(f"{what}, {name}", f"1/{gain:.1f}", f"at most 1/{wanted:.0f}", gain >= wanted))
    runs = ["first", "second", "new file", "changed file"]
    show_table(["CPU s", *runs, *(f"{run}/first" for run in runs[1:]), "peak MB"], rows)
    print(*verdicts, sep="\n")


def goals(files: int) -> tuple[float, float, float | None]:
    """The goals for so many files: of a second run, with a new file, and with a changed one; None for no goal."""
    return GOAL, GOAL, CHANGED_GOAL if files >= LEAST_FOR_CHANGED else None


def _arguments() -> argparse.Namespace:
    parser = argument_parser(__doc__, rounds=3)
    parser.add_argument("tree", type=lambda path: Path(path).resolve(), metavar="TREE", help="a folder with sources")
    parser.add_argument("--files", type=int, nargs="+", default=[1_000], metavar="N", help="how many (default: 1000)")
    return parser.parse_args()


def measure(tree: Path, command: str, files: int, rounds: int) -> Repeats:
    """The costs of a command's runs on so many files."""
    costs = Repeats([], [], [], [])
    with tempfile.TemporaryDirectory(prefix="hipify-py-benchmark-") as name:
        folder = Path(name)
        for number in range(rounds):
            shutil.rmtree(folder / "in", ignore_errors=True)
            shutil.rmtree(folder / "out", ignore_errors=True)
            changed = copy_sources(tree, folder / "in", files)[0]
            cache = folder / f"cache-{number}"
            _compile_tables(folder, cache)
            costs.first.append(_run(command, folder, cache))
            costs.second.append(_run(command, folder, cache))
            (folder / "in" / "unrelated.txt").write_text("nothing that a source names\n", encoding="ascii")
            costs.added.append(_run(command, folder, cache))
            changed.write_bytes(changed.read_bytes() + b"\n")
            costs.changed.append(_run(command, folder, cache))
    return costs


def _compile_tables(folder: Path, cache: Path) -> None:
    source = folder / "tables.cu"
    source.write_text("int main() { return cudaDeviceSynchronize(); }\n", encoding="ascii")
    run_process([*hipify_py_command(), "check", str(source)], environment_with_cache(str(cache)), accept=_ACCEPTED)


def _run(command: str, folder: Path, cache: Path) -> Cost:
    options = ["-o", str(folder / "out")] if command == "convert" else []
    line = [*hipify_py_command(), command, str(folder / "in"), *options, "--jobs", "1"]
    return run_process(line, environment_with_cache(str(cache)), accept=_ACCEPTED)


if __name__ == "__main__":
    main()
