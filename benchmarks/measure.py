"""What the benchmarks share: running a process and reading its cost, ratios of paired runs, a table."""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple


def argument_parser(description: str | None, rounds: int) -> argparse.ArgumentParser:
    """A parser that prints a module's docstring as it stands, and knows the number of rounds."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, choices=range(1, 10_000), metavar="N", default=rounds)
    parser.epilog = f"Figures are medians of the rounds, {rounds} by default."
    return parser


class Cost(NamedTuple):
    """What one process took, the processes that it started and waited for included.

    Attributes:
        wall: seconds from its start to its end.
        cpu: seconds of user and system time, of all of them together.
        peak: the largest resident set that any one of them had, in MB.
        status: its exit status.
    """

    wall: float
    cpu: float
    peak: float
    status: int


def run_process(command: list[str], environment: Mapping[str, str], accept: Collection[int] = (0,)) -> Cost:
    """Run a command to its end, its output thrown away.

    The peak is never below this process's own, which the kernel carries over at the start: measure memory
    while this process is still small.

    Raises:
        RuntimeError: when it ends with a status that is not accepted, or by a signal (a negative status).
    """
    silent = [(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_WRONLY, 0) for descriptor in (1, 2)]
    start = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, environment, file_actions=silent)
    _, waited, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    status = os.waitstatus_to_exitcode(waited)
    if status not in accept:
        raise RuntimeError(f"ended with status {status}: {' '.join(command)}")
    unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6, status)


def hipify_py_command() -> list[str]:
    """The command line of this interpreter's hipify-py: its script, or what that script would run."""
    script = shutil.which("hipify-py", path=sysconfig.get_path("scripts"))
    if script is not None:
        return [script]
    return [sys.executable, "-c", "from hipify_py.__main__ import main; main()"]


@cache
def can_keep_results() -> bool:
    """Whether this version of hipify-py keeps the results of runs."""
    shown = subprocess.run([*hipify_py_command(), "check", "--help"], capture_output=True, text=True, check=True)
    return "--no-cache" in shown.stdout


def without_results() -> list[str]:
    """The options of a run that keeps no results, and takes none."""
    return ["--no-cache"] if can_keep_results() else []


def environment_with_cache(folder: str) -> dict[str, str]:
    """The environment for runs whose compiled tables stand in a folder of their own, and that ask no libclang.

    Where the modules are those of a checkout, they are to be compiled once, and not by every process that is timed.
    """
    own = {"HIPIFY_PY_CACHE_DIR": folder, "HIPIFY_PY_ROCM": "newest", "HIPIFY_PY_SEMANTICS": "off"}
    return {**os.environ, **own, "PYTHONDONTWRITEBYTECODE": ""}


def interleaved(rounds: int, sides: Mapping[str, Callable[[], Cost]]) -> dict[str, list[Cost]]:
    """Run the sides in turn, A B A B, so that whatever else the machine does meets all of them."""
    costs: dict[str, list[Cost]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, side in sides.items():
            costs[name].append(side())
    return costs


def ratio(above: Iterable[float], below: Iterable[float]) -> float:
    """The median of the rounds' ratios: each compares two runs that stand side by side."""
    return statistics.median(first / second for first, second in zip(above, below, strict=True))


def show_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows under their heads, the first column to the left, the others to the right."""
    table = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        print("  ".join(cells).rstrip())


def goal(what: str, figure: str, wanted: str, is_met: bool) -> str:
    """A line that sets a figure against its goal."""
    return f"{what}: {figure} (goal: {wanted}; {'met' if is_met else 'MISSED'})"
