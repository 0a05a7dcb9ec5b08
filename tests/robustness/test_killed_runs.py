"""Runs that are ended at any instant, and repeated."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from hipify_py import Options
from hipify_py.project.api import check, convert
from hipify_py.project.temporary import run_token, staging_name, sweep
from tests.cli.conftest import Run
from tests.robustness.kills import Scene, kills

VOTE = "__global__ void k(int *o) { o[0] = __vadd2(o[1], o[2]); }\n"


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc"), reason="NOT TESTED: processes are looked up in /proc")
def test_kills_at_random_instants(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    assert [what for kill in kills(12, seed=3) if (what := scene.broken_promise(kill))] == []


def test_the_support_header_is_written_before_the_files_that_include_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.cu", "b.cu"):
        (tmp_path / name).write_text(VOTE)
    replaced: list[str] = []
    replace = os.replace

    def watched(one: str, two: str) -> None:
        if os.path.dirname(two) == str(tmp_path):
            replaced.append(os.path.basename(two))
        replace(one, two)

    monkeypatch.setattr(os, "replace", watched)
    convert([tmp_path], in_place=True, force=True)
    assert replaced == ["hipify_support.hpp", "a.cu", "b.cu"]


@pytest.mark.parametrize("name", ["a.cu", "a.cpp", "sub/a.cuh"])
def test_a_lost_support_header_is_reported_and_made_again(tmp_path: Path, name: str) -> None:
    file, header = tmp_path / name, tmp_path / "hipify_support.hpp"
    file.parent.mkdir(exist_ok=True)
    file.write_text("#include <cuda_runtime.h>\n" + VOTE)
    convert([tmp_path], in_place=True, force=True)
    whole = header.read_bytes()
    header.unlink()
    (result,) = check([tmp_path]).results
    assert [finding.id for finding in result.findings] == ["HIP910"]
    assert b"hipify_support.hpp" in file.read_bytes().splitlines()[result.findings[0].line - 1]
    again = convert([tmp_path], in_place=True, force=True)
    assert [finding.id for result in again.results for finding in result.findings] == []
    assert b"vadd2" in header.read_bytes()
    assert set(whole.split()) <= set(header.read_bytes().split()) | set(whole.splitlines()[2].split())
    header.unlink()
    convert([tmp_path], output=tmp_path.parent / f"{tmp_path.name}-out")
    assert (tmp_path.parent / f"{tmp_path.name}-out" / "hipify_support.hpp").is_file()


def test_a_lost_support_header_of_a_run_with_a_header_beside_each_file(tmp_path: Path) -> None:
    options = Options(support_place="beside")
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.cu").write_text(VOTE)
    convert([tmp_path], in_place=True, force=True, options=options)
    (tmp_path / "two" / "hipify_support.hpp").unlink()
    ids = {Path(result.path).parent.name: [f.id for f in result.findings] for result in check([tmp_path]).results}
    assert (ids["one"], ids["two"]) == ([], ["HIP910"])


def test_what_a_killed_run_left_is_neither_copied_nor_added_to_git_and_is_swept(hipify: Run, project: Path) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    host, _, moment = run_token().split("-")
    left = [Path(staging_name(str(project / name), f"{host}-{dead.pid:x}-{moment}")) for name in ("a.cu", "lib/b.cuh")]
    mine = Path(staging_name(str(project / "c.cu"), run_token()))  # a run that still goes on
    for path in (*left, mine):
        path.parent.mkdir()
        (path.parent / ".gitignore").write_bytes(b"*\n")
        path.write_bytes(b"half")
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)
    tracked = subprocess.run(["git", "ls-files"], cwd=project, check=True, capture_output=True).stdout
    assert b"hipify-py" not in tracked
    assert hipify("convert", str(project), "-o", "out").returncode == 0
    assert not list((project.parent / "out").rglob(".hipify-py-*"))
    assert hipify("convert", str(project), "--in-place", "--force").returncode == 0
    assert list(project.rglob(".hipify-py-*")) == [mine.parent]


def test_what_is_left_where_only_the_support_header_goes_is_swept(tmp_path: Path) -> None:
    (tmp_path / "src" / "sub").mkdir(parents=True)
    (tmp_path / "src" / "sub" / "a.cu").write_text(VOTE)
    dead = subprocess.Popen(["true"])
    dead.wait()
    host, _, moment = run_token().split("-")
    left = Path(staging_name(str(tmp_path / "out" / "hipify_support.hpp"), f"{host}-{dead.pid:x}-{moment}"))
    left.parent.mkdir(parents=True)
    left.write_bytes(b"half")
    convert([tmp_path / "src"], output=tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["hipify_support.hpp", "sub"]


def test_a_link_in_the_place_of_a_temporary_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "kept").write_bytes(b"")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / ".hipify-py-00000000-1-1").symlink_to(tmp_path / "other")
    os.utime(tmp_path / "src" / ".hipify-py-00000000-1-1", (1, 1), follow_symlinks=False)
    sweep([str(tmp_path / "src")])
    assert (tmp_path / "other" / "kept").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_exit_status_names_the_signal(tmp_path: Path, number: signal.Signals) -> None:
    """The first signal ends the run, later ones are ignored while it clears up, and under nohup all are."""
    from hipify_py.__main__ import Ended, install_signal_handlers

    handlers = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGHUP)}
    try:
        signal.signal(number, signal.SIG_DFL)  # the tests may run under nohup themselves
        install_signal_handlers()
        with pytest.raises(Ended) as caught:
            signal.raise_signal(number)
        assert caught.value.status == 128 + number
        signal.raise_signal(number)  # while it clears up
        signal.signal(number, signal.SIG_IGN)
        install_signal_handlers()
        assert signal.getsignal(number) == signal.SIG_IGN
    finally:
        for each, handler in handlers.items():
            signal.signal(each, handler)
