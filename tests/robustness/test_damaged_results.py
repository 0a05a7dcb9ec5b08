"""Results of earlier runs that are damaged, foreign or shared cost time, never a wrong result."""

from __future__ import annotations

import os
import random
import shutil
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import hipify_py.core.translator
from hipify_py.project.api import check, convert
from hipify_py.project.results_cache import files

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


def the_shelf(project: Path) -> Path:
    (file,) = (project.parent / "cache" / "results").glob("files-*")
    return file


def is_used(project: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """The results come from the cache; they are right in any case."""
    calls: list[str] = []
    translate = hipify_py.core.translator.translate
    with monkeypatch.context() as patch:

        def noted(*arguments: object, path: str, **more: object) -> object:
            calls.append(path)
            return translate(*arguments, path=path, **more)  # type: ignore[arg-type]

        patch.setattr(hipify_py.core.translator, "translate", noted)
        report = check([project], jobs=1, cache=True)
    assert [(result.counts.converted, result.counts.unknown) for result in report.results] == [(3, 1)] * 3
    assert not calls or len(calls) == 3
    return not calls


def test_every_flipped_byte_is_noticed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = the_shelf(project).read_bytes()
    draw = random.Random(1)
    for place in [0, 7, 8, 11, 12, *(draw.randrange(len(whole)) for _ in range(16)), len(whole) - 1]:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << draw.randrange(8)
        the_shelf(project).write_bytes(damaged)
        assert not is_used(project, monkeypatch)
        assert is_used(project, monkeypatch)  # mended


def test_every_missing_end_is_noticed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = the_shelf(project).read_bytes()
    for length in [0, 1, 8, 11, 12, 13, *range(20, len(whole), len(whole) // 6), len(whole) - 1]:
        the_shelf(project).write_bytes(whole[:length])
        assert not is_used(project, monkeypatch)
    assert is_used(project, monkeypatch)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="NOT TESTED: this system has no owners and modes of files")
def test_what_others_may_write_is_not_trusted(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for mode in (0o620, 0o602, 0o666):
        the_shelf(project).chmod(mode)
        assert not is_used(project, monkeypatch)
        assert stat.S_IMODE(the_shelf(project).stat().st_mode) == 0o600
        assert is_used(project, monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: 12345)  # as if the file belonged to another user
        assert not is_used(project, monkeypatch)


def test_links_pipes_and_folders_in_its_place_are_not_read(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, elsewhere = the_shelf(project), project.parent / "elsewhere"
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


def test_another_trees_results_in_its_place_are_not_taken(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = the_shelf(project)
    other = project.parent / "other"
    shutil.copytree(project, other)
    check([other], jobs=1, cache=True)
    (others,) = set(mine.parent.glob("files-*")) - {mine}
    shutil.copy2(others, mine)
    assert not is_used(project, monkeypatch)


def test_results_of_another_format_are_not_taken(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hipify_py.project.results_cache.shelf._FORMAT", 0)
    assert not is_used(project, monkeypatch)
    assert is_used(project, monkeypatch)


def test_a_folder_that_cannot_be_made_costs_nothing_else(
    project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HIPIFY_PY_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert not is_used(project, monkeypatch)
    assert files.size() == (0, 0)
    assert not is_used(project, monkeypatch)


def test_a_full_disk_leaves_what_was_there(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def kept() -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in the_shelf(project).parent.iterdir()}

    before = kept()
    (project / "d.cu").write_text(SOURCE + "int d;\n")

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        assert len(check([project], jobs=1, cache=True).results) == 4
    assert kept() == before


def test_the_least_recently_used_go_first(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = the_shelf(project).stat().st_size
    monkeypatch.setattr(files, "LARGEST", 4 * size)
    trees = []
    for number in range(8):
        trees.append(project.parent / f"tree{number}")
        shutil.copytree(project, trees[-1])
        check([trees[-1]], jobs=1, cache=True)
        check([project], jobs=1, cache=True)  # in use all the time
    count, total = files.size()
    assert total <= 4 * size
    assert count >= 2
    assert is_used(project, monkeypatch)
    assert is_used(trees[-1], monkeypatch)
    assert not is_used(trees[0], monkeypatch)


def test_what_is_written_is_as_without_the_cache(project: Path, tmp_path: Path) -> None:
    for number, cached in enumerate((False, True, True)):
        convert([project], output=tmp_path / str(number), jobs=1, cache=cached)
    for name in ("a.cu", "b.cu", "c.cu"):
        first = (tmp_path / "0" / name).read_bytes()
        assert b"hipStreamDestroy" in first
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes() == first


def test_runs_at_the_same_time_share_it(project: Path, tmp_path: Path) -> None:
    """Processes that read and write one shelf, with other options, while files change."""
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
