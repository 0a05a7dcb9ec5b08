"""The whole table: speed, start-up, two workers, runs that repeat, output formats and memory, with what each is to be.

The trees are fetched from PyPI at the first run (see trees.yaml), some 200 MB of them, and kept. What cannot be
measured here is left out, and said on standard error. The table is printed in Markdown; `--rounds 1` is for a first
look, and figures to tell others want a machine that does nothing else.
"""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cores
import formats
import outliers
import repeats
import startup
import throughput
from measure import argument_parser, can_keep_results, ratio
from sources import texts_of
from trees import SMALL, Trees, default_folder, fetch


class Line(NamedTuple):
    """One line of the table; the goal None where there is none."""

    what: str
    figure: str
    goal: str | None
    is_met: bool = True


def main() -> None:
    """Make the table."""
    parser = argument_parser(__doc__, rounds=5)
    parser.add_argument("--trees", type=Path, metavar="FOLDER", default=default_folder(), help="where trees are kept")
    parser.add_argument("--only", choices=_PARTS, action="append", metavar="PART", help=f"one of {', '.join(_PARTS)}")
    arguments = parser.parse_args()
    trees = fetch(arguments.trees)
    print(f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, ", end="")
    print(f"medians of {arguments.rounds} rounds; ratios of CPU time unless they say otherwise.\n")
    print("| | measured | goal | |\n|---|---|---|---|", flush=True)
    for name, part in _PARTS.items():
        if not arguments.only or name in arguments.only:
            for line in part(trees, arguments.rounds):
                verdict = "" if line.goal is None else "met" if line.is_met else "missed"
                print(f"| {line.what} | {line.figure} | {line.goal or ''} | {verdict} |", flush=True)


def _memory(trees: Trees, rounds: int) -> Iterator[Line]:
    most = throughput.MOST_MEMORY
    peak = throughput.peak_memory(trees.folders.values(), wants_all=False)
    yield Line("peak memory of one process, all trees", f"{peak:.0f} MB", f"below {most} MB", peak < most)
    peak, files = cores.peak_memory(trees.folders[SMALL]), cores.MANY_FILES
    yield Line(
        f"peak memory of any process, `check` of {files:,} files", f"{peak:.0f} MB", f"below {most} MB", peak < most
    )


def _startup(trees: Trees, rounds: int) -> Iterator[Line]:
    costs = startup.measure(max(rounds, 5) * 4)
    for name, command in startup.COMMANDS.items():
        times, most = startup.times_of(costs, name), command.goal
        yield Line(f"`{name}` to `python -c pass`, wall time", f"{times:.2f} times", f"at most {most}", times <= most)


def _speed(trees: Trees, rounds: int) -> Iterator[Line]:
    for tree, (files, size, seconds) in throughput.measure(trees.folders, False, rounds, trees.pytorch).items():
        ours = seconds[throughput.OURS]
        mean = size / 1e6 / (sum(ours) / len(ours))
        yield Line(f"{tree}: {files} files, {size / 1e6:.1f} MB", f"{mean:.2f} MB/s", None)
        for name, theirs in seconds.items():
            if name != throughput.OURS:
                figure = ratio(theirs, ours)
                least = throughput.GOAL_FOR_SMALL if tree == SMALL else throughput.GOAL
                goal = f"at least {least:.2f}" if name == throughput.PYTORCH else None
                yield Line(f"{tree}: speed to {name}", f"{figure:.2f}", goal, goal is None or figure >= least)


def _outliers(trees: Trees, rounds: int) -> Iterator[Line]:
    texts = (text for folder in trees.folders.values() for text in texts_of(folder, wants_all=False))
    found = outliers.measure(texts, min(rounds, 3))
    above, most = sum(one.times > outliers.GOAL for one in found), outliers.GOAL
    what = f"the costliest of {len(found):,} files per byte, to the median; {above} above the goal"
    yield Line(what, f"{found[0].times:.1f} times", f"at most {most:.0f}", found[0].times <= most)


def _cores(trees: Trees, rounds: int) -> Iterator[Line]:
    costs = cores.measure(trees.folders[SMALL], megabytes=12, rounds=rounds)
    gain = cores.gain_of(costs)
    yield Line("two workers to one, wall time", f"{gain:.2f} times", f"at least {cores.GOAL}", gain >= cores.GOAL)
    more = ratio((run.cpu for run in costs["2"]), (run.cpu for run in costs["1"]))
    yield Line("two workers to one, CPU time of both", f"{more:.2f}", None)
    share, most = cores.serial_share(trees.folders[SMALL]), cores.MOST_SERIAL
    what = "what is not spread over two workers, of the CPU time"
    yield Line(what, f"{100 * share:.1f} %", f"below {100 * most:.0f} %", share < most)


def _repeats(trees: Trees, rounds: int) -> Iterator[Line]:
    if not can_keep_results():
        print("this version keeps no results: no second runs", file=sys.stderr)
        return
    for files in repeats.SIZES:
        for command in repeats.COMMANDS:
            costs = repeats.measure(trees.folders[SMALL], command, files, min(rounds, 8_000 // files, 3))
            what = (f"second `{command}`", f"`{command}` with a new file", f"`{command}` with one file changed")
            for name, runs, wanted in zip(what, costs[1:], repeats.goals(files), strict=True):
                gain = costs.gain(runs)
                is_met = wanted is None or gain >= wanted
                goal = None if wanted is None else f"at most 1/{wanted:.0f}"
                yield Line(f"{name} to the first, {files:,} files", f"1/{gain:.1f}", goal, is_met)


def _formats(trees: Trees, rounds: int) -> Iterator[Line]:
    if not can_keep_results():
        return
    rounds, tree = min(rounds, 3), [trees.folders[SMALL]]
    with tempfile.TemporaryDirectory(prefix="hipify-py-benchmark-") as folder:
        costs = formats.measure(tree, rounds, Path(folder))
        seconds = formats.page_seconds(Path(folder, "html"), rounds)
    for name, cost in costs.items():
        if cost.size:
            figure = f"{cost.cpu:.2f} s, {cost.size / 1e6:.2f} MB, {cost.peak:.0f} MB of memory"
            yield Line(f"`{name}` on top of a check", figure, None)
    if seconds is None:
        print("no Chromium with its driver, or no selenium: the page is not opened", file=sys.stderr)
    else:
        most = formats.PAGE_GOAL
        yield Line("the page open in a browser", f"{seconds:.2f} s", f"within {most:.0f} s", seconds <= most)
    hook, most = formats.measure_hook(tree, rounds), formats.HOOK_GOAL
    yield Line(
        f"second hook on {formats.STAGED} files", f"{hook.second:.2f} s", f"below {most:.0f} s", hook.second < most
    )


_PARTS = {
    "memory": _memory,
    "startup": _startup,
    "speed": _speed,
    "outliers": _outliers,
    "cores": _cores,
    "repeats": _repeats,
    "formats": _formats,
}
"""Memory comes first: a process's peak is never below that of the one that starts it."""


if __name__ == "__main__":
    main()
