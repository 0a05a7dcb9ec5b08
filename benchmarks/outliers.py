"""Which sources take far longer than their size explains: CPU time per byte, beside the median of all.

Everything happens in this one process, on bytes that were read beforehand. Each source is translated by itself as often
as there are rounds, and its fastest one counts; what a first translation loads and compiles is left out.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from measure import argument_parser, goal, show_table
from sources import Text, texts_of

from hipify_py.translator.translate import translate

GOAL = 5.0
"""How many times the median a source may take per byte."""
SMALLEST = 2000
"""Bytes below which what any translation takes outweighs what the source takes."""


class Source(NamedTuple):
    """A source's size in bytes, its CPU seconds, and these per byte, set against the median of all sources."""

    path: str
    size: int
    seconds: float
    times: float


def main() -> None:
    """Run the benchmark."""
    parser = argument_parser(__doc__, rounds=3)
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE", help="a folder with CUDA sources")
    parser.add_argument("--all", action="store_true", help="take C and C++ sources with CUDA in them, too")
    parser.add_argument("--show", type=int, metavar="N", default=20, help="show the N costliest (default: 20)")
    arguments = parser.parse_args()
    found = measure((text for tree in arguments.trees for text in texts_of(tree, arguments.all)), arguments.rounds)
    if not found:
        sys.exit("no CUDA sources there")
    rows = [[f"{one.times:.1f}", f"{one.seconds * 1e3:.1f}", str(one.size), one.path] for one in found]
    show_table(["times the median", "CPU ms", "bytes", "source"], rows[: arguments.show])
    above = sum(one.times > GOAL for one in found)
    print(goal("sources above", f"{above} of {len(found)}", f"none above {GOAL:.0f} times the median", not above))


def measure(texts: Iterable[Text], rounds: int) -> list[Source]:
    """The sources of some size, the costliest per byte first."""
    costs = [(path, len(data), _fastest(data, path, rounds)) for data, path in texts if len(data) >= SMALLEST]
    median = statistics.median(seconds / size for _, size, seconds in costs) if costs else 0.0
    found = (Source(path, size, seconds, seconds / size / median) for path, size, seconds in costs)
    return sorted(found, key=lambda one: one.times, reverse=True)


def _fastest(data: bytes, path: str, rounds: int) -> float:
    translate(data, path=path)
    seconds = []
    for _ in range(rounds):
        start = time.process_time()
        translate(data, path=path)
        seconds.append(time.process_time() - start)
    return min(seconds)


if __name__ == "__main__":
    main()
