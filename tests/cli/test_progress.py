"""The line that says how far a run is."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hipify_py.cli.progress import ProgressLine, is_watched
from hipify_py.project.api import convert, convert_groups
from hipify_py.project.groups import Group
from hipify_py.project.progress import DOING, PLANNING, SCANNING, Progress

from .conftest import REPOSITORY, VECTOR_ADD


class Terminal(io.StringIO):
    """A terminal that keeps what was drawn."""

    def isatty(self) -> bool:
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("hipify_py.cli.progress.time.monotonic", lambda: now[0])
    return now


def drawn(terminal: Terminal) -> str:
    return terminal.getvalue().rpartition("\r\x1b[K")[2]


def test_the_phases_are_named(clock: list[float]) -> None:
    terminal = Terminal()
    line = ProgressLine("checking", terminal)
    line.enter(SCANNING)
    assert drawn(terminal) == "scanning"
    line.enter(PLANNING)
    assert drawn(terminal) == "planning"
    line.enter(DOING, 2000, 0)
    assert drawn(terminal) == "checking ──────────────────── 0 of 2,000 files"
    line.clear()
    assert drawn(terminal) == ""


def test_the_time_left_goes_by_bytes(clock: list[float]) -> None:
    line = ProgressLine("checking", Terminal())
    line.enter(DOING, 10, 980_000)
    clock[0] += 2
    line.done(98_000, anew=True)  # a file of ten, and a tenth of the bytes, in two seconds
    assert line.text(clock[0]) == "checking ━━────────────────── 1 of 10 files, 0 files/s, 18 s left"
    line.done(882_000 - 18_000 + 2_000, anew=True)  # two files are most of it
    assert line.text(clock[0]).endswith("2 of 10 files, 1 files/s, 0 s left")


def test_what_earlier_runs_have_kept_makes_nothing_faster(clock: list[float]) -> None:
    line = ProgressLine("checking", Terminal())
    line.enter(DOING, 100, 0)
    for _ in range(90):
        line.done(0, anew=False)
    clock[0] += 1.5
    assert "left" not in line.text(clock[0])  # nothing tells how long the others take
    for _ in range(5):
        line.done(0, anew=True)
    clock[0] += 1.5
    assert line.text(clock[0]).endswith("95 of 100 files, 32 files/s, 3 s left")


def test_durations(clock: list[float]) -> None:
    line = ProgressLine("checking", Terminal())
    for files, left in ((60, "59 s"), (126, "2 min 5 s"), (4321, "1 h 12 min")):
        line.enter(DOING, files, 0)
        line.done(0, anew=True)
        assert line.text(clock[0] + 1.000001).endswith(f"{left} left")


def test_a_run_of_many_files_is_drawn_a_few_times(clock: list[float]) -> None:
    terminal = Terminal()
    line = ProgressLine("checking", terminal)
    line.enter(DOING, 5000, 0)
    for _ in range(5000):
        clock[0] += 0.001
        line.done(0, anew=True)
    assert terminal.getvalue().count("\r") <= 52


@pytest.mark.parametrize(
    ("environment", "watched"),
    [({}, True), ({"NO_COLOR": "1"}, True), ({"CI": "true"}, False), ({"TERM": "dumb"}, False)],
)
def test_where_nobody_watches_nothing_is_drawn(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], watched: bool
) -> None:
    for name in ("CI", "TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert is_watched(Terminal()) is watched
    assert not is_watched(io.StringIO())


class Told(Progress):
    def __init__(self) -> None:
        self.phases: list[tuple[str, int, int]] = []
        self.files: list[tuple[int, bool]] = []

    def enter(self, phase: str, files: int = 0, size: int = 0) -> None:
        self.phases.append((phase, files, size))

    def done(self, size: int, *, anew: bool) -> None:
        self.files.append((size, anew))


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "src"
    root.mkdir()
    for number in range(5):
        (root / f"f{number}.cu").write_bytes(VECTOR_ADD * (number + 1))
    return root


def test_a_run_tells_its_phases_and_every_file(cached: Path) -> None:
    size = sum(path.stat().st_size for path in cached.iterdir())
    told = Told()
    convert_groups([Group([str(cached)])], progress=told, cache=True)
    assert told.phases == [(SCANNING, 0, 0), (PLANNING, 0, 0), (DOING, 5, size)]
    assert sum(size for size, _ in told.files) == size
    assert all(anew for _, anew in told.files)
    (cached / "f2.cu").write_bytes(VECTOR_ADD * 9)
    again = Told()
    convert_groups([Group([str(cached)])], progress=again, cache=True)
    assert len(again.files) == 5
    assert [size for size, anew in again.files if anew] == [len(VECTOR_ADD) * 9]


def test_several_groups_are_one_whole(cached: Path) -> None:
    told = Told()
    convert_groups([Group([str(cached / "f0.cu")]), Group([str(cached)])], progress=told)
    assert [files for phase, files, _ in told.phases if phase == DOING] == [5]
    assert len(told.files) == 5


def test_the_function_of_the_python_interface_gets_counts(cached: Path) -> None:
    counts: list[int] = []
    convert([cached], progress=counts.append)
    assert sum(counts) == 5


@pytest.mark.parametrize(
    ("arguments", "environment", "shows"), [([], {}, True), (["-q"], {}, False), ([], {"CI": "1"}, False)]
)
def test_a_terminal_is_left_clean(cached: Path, arguments: list[str], environment: dict[str, str], shows: bool) -> None:
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "hipify_py", "check", "--no-cache", ".", *arguments],
        cwd=cached,
        env={
            **{k: v for k, v in os.environ.items() if k != "CI"},
            "PYTHONPATH": str(REPOSITORY),
            "TERM": "xterm",
            **environment,
        },
        stdout=subprocess.PIPE,
        stderr=follower,
    )
    os.close(follower)
    said = b""
    while True:
        try:
            block = os.read(leader, 65536)
        except OSError:
            break
        if not block:
            break
        said += block
    os.close(leader)
    process.communicate(timeout=600)
    assert (b"scanning" in said) is shows
    assert (b"of 5 files" in said) is shows
    left = re.sub(rb"[^\r\n]*\r\x1b\[K", b"", said.replace(b"\r\n", b"\n"))  # what was taken away again
    assert b"scanning" not in left
    assert left.startswith(b"5 files: 5 to convert" if not arguments else b"")
    assert b"\x1b" not in left
