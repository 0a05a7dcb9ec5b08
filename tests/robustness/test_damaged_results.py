"""Results of earlier runs that are damaged, foreign or shared cost time, never a wrong result."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import hipify_py.translator.translate
from hipify_py.project.api import check, convert
from hipify_py.project.results_cache import store

REPOSITORY = Path(__file__).resolve().parents[2]
SOURCE = "void f(float *p, cudaStream_t s) { cudaFree(p); cudaStreamDestroy(s); cudaUnheardOf(); }\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that was checked once."""
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    folder.mkdir()
    for name in ("a.cu", "b.cu", "c.cu"):
        (folder / name).write_text(SOURCE)
    check([folder], jobs=1, cache=True)
    return folder


def the_database(project: Path) -> Path:
    file = project.parent / "cache" / "results.sqlite3"
    assert file.exists()
    return file


def is_used(project: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether all results come from the cache; they are right in any case."""
    calls = results(project, monkeypatch)
    assert not calls or len(calls) == 3
    return not calls


def results(project: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that a run with the cache translates; its results are right in any case."""
    calls: list[str] = []
    translate = hipify_py.translator.translate.translate
    with monkeypatch.context() as patch:

        def noted(*arguments: object, path: str, **more: object) -> object:
            calls.append(path)
            return translate(*arguments, path=path, **more)  # type: ignore[arg-type]

        patch.setattr(hipify_py.translator.translate, "translate", noted)
        report = check([project], jobs=1, cache=True)
    assert [(result.counts.converted, result.counts.unknown) for result in report.results] == [(3, 1)] * 3
    return calls


def test_flipped_bits_never_change_a_result(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = the_database(project).read_bytes()
    draw = random.Random(1)
    for place in [0, 7, 16, 18, 28, 60, 100, *(draw.randrange(len(whole)) for _ in range(40)), len(whole) - 1]:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << draw.randrange(8)
        the_database(project).write_bytes(damaged)
        results(project, monkeypatch)
        results(project, monkeypatch)


def test_every_flipped_bit_of_a_value_is_noticed(project: Path) -> None:
    database = sqlite3.connect(the_database(project))
    draw = random.Random(2)
    rows = database.execute("SELECT key, value FROM entries").fetchall()
    for key, value in rows:
        damaged = bytearray(value)
        damaged[draw.randrange(len(damaged))] ^= 1 << draw.randrange(8)
        database.execute("UPDATE entries SET value = ? WHERE key = ?", (bytes(damaged), key))
    database.commit()
    assert len(rows) > 3
    opened = store.Store()
    assert [opened.read(key) for key, _ in rows] == [None] * len(rows)


def test_a_value_under_another_key_is_not_taken(project: Path) -> None:
    database = sqlite3.connect(the_database(project))
    (key, value), *_ = database.execute("SELECT key, value FROM entries").fetchall()
    database.execute("INSERT INTO entries VALUES (?, ?, 0)", (b"other", value))
    database.commit()
    assert store.Store().read(key) == value[8:]
    assert store.Store().read(b"other") is None


def test_a_missing_end_never_changes_a_result(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = the_database(project).read_bytes()
    for length in [0, 1, 12, 99, 100, *range(1000, len(whole), len(whole) // 6), len(whole) - 1]:
        the_database(project).write_bytes(whole[:length])
        results(project, monkeypatch)
    results(project, monkeypatch)
    assert is_used(project, monkeypatch)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="NOT TESTED: this system has no owners and modes of files")
def test_what_others_may_write_is_not_trusted(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for mode in (0o620, 0o602, 0o666):
        the_database(project).chmod(mode)
        assert not is_used(project, monkeypatch)
        assert stat.S_IMODE(the_database(project).stat().st_mode) == 0o600
        assert is_used(project, monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: 12345)  # as if the file belonged to another user
        assert not is_used(project, monkeypatch)


def test_links_pipes_and_folders_in_its_place_are_not_read(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, elsewhere = the_database(project), project.parent / "elsewhere"
    shutil.move(file, elsewhere)
    file.symlink_to(elsewhere)
    assert not is_used(project, monkeypatch)
    assert not file.is_symlink()
    file.unlink()
    os.mkfifo(file)
    assert not is_used(project, monkeypatch)
    assert file.is_file()
    file.unlink()
    file.mkdir()
    assert not is_used(project, monkeypatch)
    assert not is_used(project, monkeypatch)  # a folder cannot be replaced


def test_results_of_another_format_are_not_taken(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_FORMAT", 7)
    assert not is_used(project, monkeypatch)
    assert is_used(project, monkeypatch)


def test_a_folder_that_cannot_be_made_costs_nothing_else(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert not is_used(project, monkeypatch)
    assert store.size() == (0, 0)
    assert not is_used(project, monkeypatch)


def test_a_full_disk_leaves_what_was_there(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = store.size()[0]
    (project / "d.cu").write_text(SOURCE + "int d;\n")
    connect = store._connect

    def full() -> sqlite3.Connection:
        database = connect()
        pages = database.execute("PRAGMA page_count").fetchone()[0]
        database.execute(f"PRAGMA max_page_count = {pages}")
        return database

    with monkeypatch.context() as patch:
        patch.setattr(store, "_connect", full)
        kept = store.Store()
        kept.write(b"large", b"x" * 1_000_000)
        kept.close()
        assert len(check([project], jobs=1, cache=True).results) == 4
    assert store.size()[0] >= before
    assert store.Store().read(b"large") is None
    (project / "d.cu").unlink()
    assert is_used(project, monkeypatch)


def test_a_locked_database_costs_time_only(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_PATIENCE", 0.01)
    other = sqlite3.connect(the_database(project), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert not is_used(project, monkeypatch)
    other.execute("ROLLBACK")
    assert is_used(project, monkeypatch)


def test_the_least_recently_used_go_first(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LARGEST", 400_000)
    monkeypatch.setattr(store, "_RECENTLY", -1)
    clock = [1_000_000.0]
    monkeypatch.setattr(store.time, "time", lambda: clock[0])
    for number in range(20):
        clock[0] += 10
        opened = store.Store()
        opened.write(b"%d" % number, bytes(50_000))
        opened.read(b"0")  # in use all the time
        opened.close()
    opened = store.Store()
    assert opened.read(b"0") is not None
    assert opened.read(b"1") is None
    assert opened.read(b"19") is not None
    assert store.size()[1] < 800_000


def test_what_is_written_is_as_without_the_cache(project: Path, tmp_path: Path) -> None:
    for number, cached in enumerate((False, True, True)):
        convert([project], output=tmp_path / str(number), jobs=1, cache=cached)
    for name in ("a.cu", "b.cu", "c.cu"):
        first = (tmp_path / "0" / name).read_bytes()
        assert b"hipStreamDestroy" in first
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes() == first


def test_runs_at_the_same_time_share_it(project: Path, tmp_path: Path) -> None:
    """Processes that read and write one database, with other options, while files change."""
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    for number in range(30):
        (project / f"more{number}.cu").write_text(SOURCE * (number + 1))

    def run(number: int) -> bytes:
        launch = "ggl" if number % 2 else "chevron"
        command = [sys.executable, "-m", "hipify_py", "check", "--format", "json", "--jobs", "1", "--launch", launch]
        cache = ["--no-cache"] if number < 2 else []
        done = subprocess.run([*command, *cache, str(project)], env=environment, capture_output=True, check=False)
        assert b"Traceback" not in done.stderr
        return done.stdout

    with ThreadPoolExecutor(2) as pool:
        outputs = list(pool.map(run, range(8)))
    assert len(set(outputs)) == 1
    assert len(outputs[0]) > 1000
