"""What a second run costs: `check`, `report` and `convert` of a tree once more, and after a change of one file.

Each is a whole process with one worker, on a copy of the tree. Before the first run of each round there are neither
results that runs keep nor output; the compiled tables are there. The output of `convert` stays where the next run puts
its own. The change is a blank line at the end of one file.
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
from sources import texts_of

COMMANDS = ("check", "report", "convert")
GOAL = 20.0
"""How many times as long the first run is to take as the second."""
_ACCEPTED = (0, 1, 3)


class Repeats(NamedTuple):
    """The costs of first runs, of second ones, and of those after a change of one file."""

    first: list[Cost]
    second: list[Cost]
    changed: list[Cost]

    @property
    def second_gain(self) -> float:
        """How many times as long the first run takes as the second."""
        return ratio((run.cpu for run in self.first), (run.cpu for run in self.second))

    @property
    def changed_gain(self) -> float:
        """How many times as long the first run takes as one after a change."""
        return ratio((run.cpu for run in self.first), (run.cpu for run in self.changed))


def main() -> None:
    """Run the benchmark."""
    arguments = _arguments()
    if not can_keep_results():
        sys.exit("this version of hipify-py keeps no results")
    rows, missed = [], []
    for command in COMMANDS:
        costs = measure(arguments.tree, command, arguments.rounds)
        seconds = [f"{statistics.median(run.cpu for run in runs):.2f}" for runs in costs]
        rows.append([command, *seconds, f"1/{costs.second_gain:.1f}", f"1/{costs.changed_gain:.1f}"])
        missed += [command] if costs.second_gain < GOAL else []
    show_table(["CPU s", "first", "second", "one file changed", "second/first", "changed/first"], rows)
    print(goal("second run", ", ".join(row[-2] for row in rows), f"at most 1/{GOAL:.0f} of the first", not missed))


def _arguments() -> argparse.Namespace:
    parser = argument_parser(__doc__, rounds=3)
    parser.add_argument("tree", type=lambda path: Path(path).resolve(), metavar="TREE", help="a folder with sources")
    return parser.parse_args()


def measure(tree: Path, command: str, rounds: int) -> Repeats:
    """The costs of a command's first, second and third runs."""
    costs = Repeats([], [], [])
    with tempfile.TemporaryDirectory(prefix="hipify-py-benchmark-") as name:
        folder = Path(name)
        for number in range(rounds):
            shutil.rmtree(folder / "in", ignore_errors=True)
            shutil.rmtree(folder / "out", ignore_errors=True)
            shutil.copytree(tree, folder / "in", symlinks=True, ignore=shutil.ignore_patterns(".git"))
            changed = Path(next(texts_of(folder / "in", wants_all=False)).path)
            cache = folder / f"cache-{number}"
            _compile_tables(folder, cache)
            costs.first.append(_run(command, folder, cache))
            costs.second.append(_run(command, folder, cache))
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
