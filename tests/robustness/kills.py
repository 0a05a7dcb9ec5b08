"""Ends conversions at random instants, and looks at what is left.

    python -m tests.robustness.kills [--times 200] [--seed 0]

Each time a tree of copies of the corpus is converted, in place or to a folder, on two workers, and after a while a
signal (KILL, TERM, HUP or INT) is sent to the parent, to a worker, or to the whole group. Half of the runs find the
results of an earlier one in their cache, the others an empty one. Then: every file is as it was or as an undisturbed
run makes it; a second later no process of the run is left; the next run, with the cache that the ended one leaves,
ends with the tree of an undisturbed one, and no temporary file is there. The tree is a git checkout, and no run is
forced to replace what is not committed.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parents[2]
CORPUS = REPOSITORY / "corpus"
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
RECEIVERS = ("parent", "worker", "group")

_IDENTITY = ("-c", "user.name=T", "-c", "user.email=t@example.org")

Tree = dict[str, bytes]


class Kill(NamedTuple):
    """One run that is ended: what is sent to whom, after which part of an undisturbed run's time."""

    number: signal.Signals
    receiver: str
    in_place: bool
    is_cached: bool
    moment: float


def kills(count: int, seed: int) -> list[Kill]:
    """Every signal to every receiver in both modes, with and without earlier results, in turn, at random moments."""
    draw = random.Random(seed)
    kinds = [
        (number, to, in_place, is_cached)
        for number in SIGNALS
        for to in RECEIVERS
        for in_place in (True, False)
        for is_cached in (True, False)
    ]
    draw.shuffle(kinds)
    return [Kill(*kinds[index % len(kinds)], draw.random()) for index in range(count)]


RESULTS = "results.sqlite3"
"""The database of the results of earlier runs, in the cache folder."""


class Scene:
    """A tree to convert, what an undisturbed run makes of it, and how long that takes."""

    def __init__(self, folder: Path, programs: int = 20) -> None:
        self.folder = folder
        self.pristine = folder / "pristine"
        for program in sorted(path for path in CORPUS.iterdir() if path.is_dir())[:programs]:
            shutil.copytree(program, self.pristine / program.name)
        for arguments in (["init", "-q"], ["add", "."], [*_IDENTITY, "commit", "-qm", "start"]):
            subprocess.run(["git", *arguments], cwd=self.pristine, check=True)
        self.before = read_tree(self.pristine)
        self.cache, self.filled = folder / "cache", folder / "filled.sqlite3"
        self.undisturbed(in_place=True)  # makes the tables
        self.seconds = {False: self.undisturbed(in_place=True)}
        self.in_place = read_tree(self.folder / "src")
        self.undisturbed(in_place=False)
        self.output = read_tree(self.folder / "out")
        shutil.copy(self.cache / RESULTS, self.filled)
        self.seconds[True] = self.undisturbed(in_place=True, is_cached=True)
        assert read_tree(self.folder / "src") == self.in_place

    def undisturbed(self, *, in_place: bool, is_cached: bool = False) -> float:
        """Run to the end; returns how long that took."""
        self.lay_out(is_cached=is_cached)
        start = time.monotonic()
        self.run(in_place=in_place).communicate()
        return time.monotonic() - start

    def lay_out(self, *, is_cached: bool) -> None:
        """Begin with the tree as it was, without an output, and with the results of an earlier run or none."""
        for path in (self.folder / "src", self.folder / "out"):
            shutil.rmtree(path, ignore_errors=True)
        (self.cache / RESULTS).unlink(missing_ok=True)
        (self.cache / f"{RESULTS}-journal").unlink(missing_ok=True)
        shutil.copytree(self.pristine, self.folder / "src")
        if is_cached:
            shutil.copy(self.filled, self.cache / RESULTS)

    def run(self, *, in_place: bool) -> subprocess.Popen[bytes]:
        """Start a conversion on two workers, as the leader of a group."""
        where = ["--in-place"] if in_place else ["-o", "out"]
        return subprocess.Popen(
            [sys.executable, "-m", "hipify_py", "convert", "src", *where, "-j", "2", "--fail-on", "never"],
            cwd=self.folder,
            env={
                **os.environ,
                "PYTHONPATH": str(REPOSITORY),
                "HIPIFY_PY_CACHE_DIR": str(self.cache),
                "HIPIFY_PY_ROCM": "newest",
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            # The background job of a shell ignores SIGINT, and so would its children.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )

    def broken_promise(self, kill: Kill) -> str:
        """What the ended run and the next one break of what is promised; empty when all is well."""
        self.lay_out(is_cached=kill.is_cached)
        process = self.run(in_place=kill.in_place)
        time.sleep(kill.moment * self.seconds[kill.is_cached])
        _send(process.pid, kill)
        if kill.receiver != "worker":
            process.wait(timeout=60)
            until = time.monotonic() + 1
            while time.monotonic() < until and _of_group(process.pid):
                time.sleep(0.05)
            if left := _of_group(process.pid):
                for pid in left:
                    os.kill(pid, signal.SIGKILL)
                return f"{len(left)} processes were left after a second"
        else:
            process.wait(timeout=120)
        folder, wanted = (self.folder / "src", self.in_place) if kill.in_place else (self.folder / "out", self.output)
        for name, data in read_tree(folder).items():
            if data not in {self.before.get(name) if kill.in_place else None, wanted.get(name)} and not _is_header(
                name
            ):
                return f"{name} is neither old nor new"
        self.run(in_place=kill.in_place).wait(timeout=120)
        after = read_tree(folder)
        if after != wanted:
            names = sorted(name for name in {*after, *wanted} if after.get(name) != wanted.get(name))
            return f"the next run ends otherwise: {names[:5]}"
        return ""


def read_tree(folder: Path) -> Tree:
    """The files below a folder by their names, hidden ones too."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def _is_header(name: str) -> bool:
    """The support header grows while a run goes on; temporary files are the next run's to clear."""
    return name.endswith("hipify_support.hpp") or "/.hipify-py-" in f"/{name}"


def _send(pid: int, kill: Kill) -> None:
    try:
        if kill.receiver == "group":
            os.killpg(pid, kill.number)
        elif kill.receiver == "parent":
            os.kill(pid, kill.number)
        else:
            workers = [other for other in _of_group(pid) if other != pid]
            if workers:
                os.kill(workers[0], kill.number)
    except ProcessLookupError:
        pass  # it was done before


def _of_group(group: int) -> list[int]:
    """The processes of a group that are not over."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                state, _, pgrp = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()[:3]
            except OSError:
                continue
            if int(pgrp) == group and state not in "ZX":
                found.append(int(name))
    return sorted(found)


def main() -> int:
    """Kill as often as asked, and sum up; 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, required=True, help="an empty folder to work in")
    arguments = parser.parse_args()
    scene = Scene(arguments.folder)
    broken = 0
    for kill in kills(arguments.times, arguments.seed):
        what = scene.broken_promise(kill)
        if what:
            broken += 1
            kind = f"in place: {kill.in_place}, cached: {kill.is_cached}"
            print(f"{kill.number.name} to the {kill.receiver}, {kind}, {kill.moment:.3f}: {what}", flush=True)
    print(
        f"{arguments.times} kills, {broken} with a broken promise; an undisturbed run took {scene.seconds[False]:.1f} s,"
        f" with earlier results {scene.seconds[True]:.1f} s"
    )
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
