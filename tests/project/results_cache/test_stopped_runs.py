"""A run that was stopped goes on where it was: what it had found out is not found out again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import hipify_py.translator.translate
from hipify_py.project.api import ConversionReport, check, convert
from hipify_py.project.executor import BATCH
from hipify_py.project.results_cache import store

REPOSITORY = Path(__file__).resolve().parents[3]
COUNT = 80
STOPPED_AFTER = 20


class Stopped(BaseException):
    """Stands for what a signal raises."""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits in memory."""
    monkeypatch.setattr(store, "PAUSE", -1.0)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    folder.mkdir()
    for number in range(COUNT):
        text = f"void f{number}(float *p) {{ cudaFree(p); cudaUnheard{number}(); }}\n"
        (folder / f"a{number:02}.cu").write_text(text)
    return folder


@pytest.fixture
def translated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that this process has translated."""
    done: list[str] = []
    translate = hipify_py.translator.translate.translate

    def noted(*arguments: object, path: str, **more: object) -> object:
        done.append(Path(path).name)
        return translate(*arguments, path=path, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(hipify_py.translator.translate, "translate", noted)
    return done


def stopping(after: int = STOPPED_AFTER) -> Callable[[int], None]:
    """Progress that stops the run after so many files."""
    left = after

    def done(count: int) -> None:
        nonlocal left
        left -= count
        if left <= 0:
            raise Stopped

    return done


def accounts(report: ConversionReport) -> list[object]:
    return [(result.path, result.status, result.libraries, result.findings, result.left) for result in report.results]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_run_goes_on(
    project: Path, translated: list[str], jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hipify_py.project.processes.PARALLEL_BYTES", 0)
    expected = accounts(check([project], jobs=1))
    with pytest.raises(Stopped):
        check([project], jobs=jobs, cache=True, progress=stopping())
    translated.clear()
    report = check([project], jobs=1, cache=True)
    assert 0 < len(translated) <= COUNT - STOPPED_AFTER
    assert accounts(report) == expected
    translated.clear()
    assert accounts(check([project], jobs=1, cache=True)) == expected
    assert translated == []


def test_a_run_that_is_stopped_again_and_again_comes_to_its_end(project: Path, translated: list[str]) -> None:
    expected = accounts(check([project], jobs=1))
    translated.clear()
    for _ in range(2):
        with pytest.raises(Stopped):
            check([project], jobs=1, cache=True, progress=stopping(len(translated) + STOPPED_AFTER))
    assert accounts(check([project], jobs=1, cache=True)) == expected
    assert set(translated) == {path.name for path in project.iterdir()}
    assert len(translated) <= COUNT + 2 * BATCH  # what of a batch had not been taken up is done again


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="NOT TESTED: there is no SIGKILL here")
def test_a_killed_conversion_goes_on_and_writes_the_same(project: Path, translated: list[str]) -> None:
    script = (
        "import os, signal, sys\n"
        "from hipify_py.project.api import convert\n"
        "from hipify_py.project.results_cache import store\n"
        "store.PAUSE = -1.0\n"
        f"left = {STOPPED_AFTER}\n"
        "def done(count):\n"
        "    global left\n"
        "    left -= count\n"
        "    if left == 0:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "convert([sys.argv[1]], output=sys.argv[2], jobs=1, cache=True, progress=done)\n"
    )
    output, expected = project.parent / "out", project.parent / "expected"
    command = [sys.executable, "-c", script, str(project), str(output)]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    assert subprocess.run(command, env=environment, check=False).returncode == -signal.SIGKILL
    convert([project], output=expected, jobs=1)
    translated.clear()
    convert([project], output=output, jobs=1, cache=True)
    assert len(translated) == COUNT - STOPPED_AFTER
    written = {path.name: path.read_bytes() for path in output.iterdir()}
    assert written == {path.name: path.read_bytes() for path in expected.iterdir()}


def test_other_options_and_changed_files_are_not_answered_by_it(project: Path, translated: list[str]) -> None:
    from hipify_py import Options

    with pytest.raises(Stopped):
        check([project], jobs=1, cache=True, progress=stopping())
    translated.clear()
    (project / "a00.cu").write_text("void g() { cudaDeviceReset(); }\n")
    report = check([project], jobs=1, cache=True)
    assert "a00.cu" in translated
    assert report.results[0].counts.converted == 1
    translated.clear()
    check([project], jobs=1, cache=True, options=Options(launch="chevron"))
    assert len(translated) == COUNT


def test_a_run_without_the_cache_leaves_nothing(project: Path) -> None:
    with pytest.raises(Stopped):
        check([project], jobs=1, progress=stopping())
    assert store.size() == (0, 0)


def test_a_short_run_writes_once(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "PAUSE", 3600.0)
    written = []
    flush = store.Store.flush

    def noted(self: store.Store) -> None:
        written.append(len(self._pending))
        flush(self)

    monkeypatch.setattr(store.Store, "flush", noted)
    check([project], jobs=1, cache=True)
    assert len([count for count in written if count]) <= 2, "facts before the tasks, and all else at the end"


def test_clearing_the_cache_takes_it_away(project: Path) -> None:
    with pytest.raises(Stopped):
        check([project], jobs=1, cache=True, progress=stopping())
    assert store.clear() >= STOPPED_AFTER
    assert store.size() == (0, 0)
