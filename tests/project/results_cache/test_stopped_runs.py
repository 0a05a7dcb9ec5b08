"""A run that was stopped goes on where it was: what it had found out is not found out again."""

from __future__ import annotations

import os
import random
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import hipify_py.core.translator
from hipify_py.core.cache_files import append_piece, read_pieces
from hipify_py.project.api import ConversionReport, check, convert
from hipify_py.project.executor import BATCH
from hipify_py.project.results_cache import files, journal

REPOSITORY = Path(__file__).resolve().parents[3]
COUNT = 80
STOPPED_AFTER = 20


class Stopped(BaseException):
    """Stands for what a signal raises."""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits in memory."""
    monkeypatch.setattr(journal, "PAUSE", -1.0)


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
    translate = hipify_py.core.translator.translate

    def noted(*arguments: object, path: str, **more: object) -> object:
        done.append(Path(path).name)
        return translate(*arguments, path=path, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(hipify_py.core.translator, "translate", noted)
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


def journals(project: Path) -> list[Path]:
    return sorted((project.parent / "cache" / "results").glob("journal-*"))


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_run_goes_on(
    project: Path, translated: list[str], jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hipify_py.project.processes.PARALLEL_BYTES", 0)
    expected = accounts(check([project], jobs=1))
    with pytest.raises(Stopped):
        check([project], jobs=jobs, cache=True, progress=stopping())
    assert journals(project)
    translated.clear()
    report = check([project], jobs=1, cache=True)
    assert 0 < len(translated) <= COUNT - STOPPED_AFTER
    assert accounts(report) == expected
    assert not journals(project)
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
        "from hipify_py.project.results_cache import journal\n"
        "journal.PAUSE = -1.0\n"
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
    assert not journals(project)


def test_a_short_run_writes_no_journal(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "PAUSE", 3600.0)
    monkeypatch.setattr(files, "add", lambda name, piece: pytest.fail("written"))
    check([project], jobs=1, cache=True)


def test_clearing_the_cache_takes_it_away(project: Path) -> None:
    with pytest.raises(Stopped):
        check([project], jobs=1, cache=True, progress=stopping())
    assert files.clear() >= 1
    assert not journals(project)


def test_a_damaged_journal_costs_time_and_nothing_else(project: Path) -> None:
    expected = accounts(check([project], jobs=1))
    draw = random.Random(7)
    for _ in range(6):
        with pytest.raises(Stopped):
            check([project], jobs=1, cache=True, progress=stopping())
        (file,) = journals(project)
        data = bytearray(file.read_bytes())
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        file.write_bytes(data[: draw.randrange(len(data))])
        assert accounts(check([project], jobs=1, cache=True)) == expected
        files.clear()


def test_pieces_are_read_up_to_the_first_that_is_not_whole(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "pieces"
    pieces = [b"one", b"", b"three" * 10]
    for piece in pieces:
        append_piece(str(path), piece)
    assert read_pieces(str(path)) == pieces
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        found = read_pieces(str(path))
        assert found == pieces[: len(found)]
        assert len(found) < len(pieces)


@pytest.mark.skipif(os.name == "nt", reason="NOT TESTED: Windows has other permissions")
def test_pieces_that_others_may_write_are_not_trusted(tmp_path: Path) -> None:
    path, link = tmp_path / "pieces", tmp_path / "link"
    append_piece(str(path), b"one")
    link.symlink_to(path)
    assert read_pieces(str(link)) == []
    with pytest.raises(OSError):
        append_piece(str(link), b"two")
    path.chmod(0o666)
    assert read_pieces(str(path)) == []
    with pytest.raises(PermissionError):
        append_piece(str(path), b"two")
    assert read_pieces(str(tmp_path / "nothing")) == []
