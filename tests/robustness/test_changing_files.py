"""A file that another program writes while it is converted is not overwritten."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipify_py.project import run
from hipify_py.project.api import convert
from hipify_py.project.result import CHANGED, FAILED

OLD, NEW = b"void f(void *p) { cudaFree(p); }\n", b"void g(void *p) { cudaFree(p); }\n"


def rewrite(path: Path) -> None:
    path.write_bytes(NEW)
    os.utime(path, ns=(1, 1))


def replace(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(NEW)
    other.replace(path)


def remove(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("change", [rewrite, replace, remove])
@pytest.mark.parametrize("rename", [False, True])
def test_it_is_reported_and_done_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: object, rename: bool
) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(OLD)
    commit = run._commit

    def late(*arguments: object) -> object:
        change(path)  # type: ignore[operator]
        return commit(*arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(run, "_commit", late)
        (result,) = convert([tmp_path], in_place=True, force=True, rename=rename).results
    assert result.status == FAILED
    assert "the file changed during the conversion" in result.findings[0].message
    assert [child.read_bytes() for child in tmp_path.iterdir()] == ([] if change is remove else [NEW])
    if change is not remove:
        (result,) = convert([tmp_path], in_place=True, force=True, rename=rename).results
        assert result.status == CHANGED
        assert b"hipFree" in (tmp_path / ("a.hip" if rename else "a.cu")).read_bytes()


def test_a_file_that_is_not_written_may_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src").mkdir()
    path = tmp_path / "src" / "a.cu"
    path.write_bytes(OLD)
    commit = run._commit

    def late(*arguments: object) -> object:
        rewrite(path)
        return commit(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(run, "_commit", late)
    (result,) = convert([tmp_path / "src"], output=tmp_path / "out").results
    assert result.status == CHANGED
    assert (tmp_path / "out" / "a.cu").is_file()
