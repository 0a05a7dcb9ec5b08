"""What each output format costs on top of a check, and what a commit hook waits for.

Each run is a whole process, `hipify-py check --statistics` of the trees with what an earlier run has kept of their
files, without a format and with each in turn: seconds of CPU time and wall time on top, the size of the file, the peak
of memory. The page is then opened in Chromium, where that, its driver and selenium are there.

The hook is `hipify-py check` of 100 files of the trees, as pre-commit calls it: the first time, the second time, and
with one of them changed. The compiled tables are there before.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from measure import (
    Cost,
    argument_parser,
    can_keep_results,
    environment_with_cache,
    goal,
    hipify_py_command,
    interleaved,
    run_process,
    show_table,
)
from sources import Text, texts_of

PAGE_GOAL, HOOK_GOAL = 3.0, 1.0
"""Seconds in which the page is to be open, and a second hook over."""

STAGED = 100
"""Files of a commit."""

_PLAIN = "(none)"
_ACCEPTED = (0, 1, 3)


class Written(NamedTuple):
    """What a format costs.

    Attributes:
        cpu: seconds of CPU time on top of the plain check.
        wall: seconds on top of it.
        size: bytes of the file.
        peak: the largest resident set, in MB.
    """

    cpu: float
    wall: float
    size: int
    peak: float


class Hook(NamedTuple):
    """Seconds of a commit hook: a first run, one more, and one with a file changed; the CPU time of the second."""

    first: float
    second: float
    changed: float
    second_cpu: float


def main() -> None:
    """Run the benchmark."""
    arguments = _arguments()
    if not can_keep_results():
        sys.exit("this version of hipify-py keeps no results")
    with tempfile.TemporaryDirectory(prefix="hipify-py-benchmark-") as name:
        written = measure(arguments.trees, arguments.rounds, Path(name))
        seconds = page_seconds(Path(name, "html"), arguments.rounds)
    rows = [
        [format_, f"{cost.cpu:.2f}", f"{cost.wall:.2f}", f"{cost.size / 1e6:.2f}", f"{cost.peak:.0f}"]
        for format_, cost in written.items()
    ]
    show_table(["", "CPU s on top", "wall s on top", "MB", "peak MB"], rows)
    if seconds is None:
        print("no Chromium with its driver, or no selenium: the page was not opened", file=sys.stderr)
    else:
        print(goal("page open in a browser", f"{seconds:.2f} s", f"{PAGE_GOAL:.0f} s", seconds <= PAGE_GOAL))
    hook = measure_hook(arguments.trees, arguments.rounds)
    figures = f"{hook.second:.2f} s (CPU {hook.second_cpu:.2f} s)"
    print(f"first hook on {STAGED} files: {hook.first:.2f} s, with one of them changed: {hook.changed:.2f} s")
    print(goal(f"second hook on {STAGED} files", figures, f"below {HOOK_GOAL:.0f} s", hook.second < HOOK_GOAL))


def _arguments() -> argparse.Namespace:
    parser = argument_parser(__doc__, rounds=3)
    parser.add_argument(
        "trees", type=lambda path: Path(path).resolve(), metavar="TREE", nargs="+", help="a folder with sources"
    )
    return parser.parse_args()


def measure(trees: list[Path], rounds: int, folder: Path) -> dict[str, Written]:
    """What each format costs, by its name; the last files stay in the folder under that name."""
    from hipify_py.report.formats import names

    # A run that is watched by a shell's completion keeps no record of what it said: each does its work.
    environment = {**environment_with_cache(str(folder / "cache")), "_HIPIFY_PY_BENCHMARK": "1"}
    plain = [*hipify_py_command(), "check", *map(str, trees), "--statistics", "--jobs", "1"]
    run_process(plain, environment, accept=_ACCEPTED)  # keeps the results
    sides = {_PLAIN: partial(run_process, plain, environment, accept=_ACCEPTED)}
    for name in names():
        line = [*plain, "--output-file", f"{name}={folder / name}"]
        sides[name] = partial(run_process, line, environment, accept=_ACCEPTED)
    costs = interleaved(rounds, sides)
    nothing = costs.pop(_PLAIN)
    found = {_PLAIN: Written(0, 0, 0, statistics.median(run.peak for run in nothing))}
    for name, runs in costs.items():
        pairs = [*zip(runs, nothing, strict=True)]
        found[name] = Written(
            statistics.median(run.cpu - without.cpu for run, without in pairs),
            statistics.median(run.wall - without.wall for run, without in pairs),
            (folder / name).stat().st_size,
            statistics.median(run.peak for run in runs),
        )
    return found


def page_seconds(page: Path, rounds: int) -> float | None:
    """Seconds until a page is open, its script done; None where there is no browser."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    try:
        from selenium import webdriver
    except ImportError:
        return None
    if browser is None or driver is None:
        return None
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(argument)
    opened = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    shown = page.with_name("page.html")
    shutil.copyfile(page, shown)
    try:
        return statistics.median(_opening(opened, shown.as_uri()) for _ in range(rounds))
    finally:
        opened.quit()


def _opening(browser: Any, address: str) -> float:
    browser.get("about:blank")
    start = time.perf_counter()
    browser.get(address)
    state = browser.execute_script("return document.documentElement.dataset.ready")
    seconds = time.perf_counter() - start
    if state != "true":
        raise RuntimeError(f"the page is not ready: {state}")
    return seconds


def measure_hook(trees: list[Path], rounds: int) -> Hook:
    """The wall time of hooks on files spread over the trees."""
    texts = [text for tree in trees for text in texts_of(tree, wants_all=False)]
    step = max(len(texts) // STAGED, 1)
    costs = [_hook(texts[::step][:STAGED]) for _ in range(rounds)]
    walls = [statistics.median(run.wall for run in runs) for runs in zip(*costs, strict=True)]
    return Hook(*walls, statistics.median(second.cpu for _, second, _ in costs))


def _hook(texts: list[Text]) -> tuple[Cost, Cost, Cost]:
    with tempfile.TemporaryDirectory(prefix="hipify-py-benchmark-") as name:
        environment = environment_with_cache(os.path.join(name, "cache"))
        paths = []
        for number, text in enumerate(texts):
            path = Path(name, "sources", f"part{number % 10}", f"{number}-{os.path.basename(text.path)}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.data)
            paths.append(path)
        tables = Path(name, "tables.cu")
        tables.write_text("int main() { return cudaDeviceSynchronize(); }\n", encoding="ascii")
        run_process([*hipify_py_command(), "check", str(tables)], environment, accept=_ACCEPTED)
        line = [*hipify_py_command(), "check", "--", *map(str, paths)]
        first = run_process(line, environment, accept=_ACCEPTED)
        second = run_process(line, environment, accept=_ACCEPTED)
        paths[0].write_bytes(texts[0].data + b"\n")
        return first, second, run_process(line, environment, accept=_ACCEPTED)


if __name__ == "__main__":
    main()
