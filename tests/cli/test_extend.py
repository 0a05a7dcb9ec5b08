"""`extend` and the patterns of configurations, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

UNKNOWN = "void f() { cudaNotYetKnown(); }\n"


@pytest.fixture
def monorepo(tmp_path: Path) -> Path:
    """A repository with shared choices, and a package that builds on them."""
    (tmp_path / ".git").mkdir()
    for name in ("pkg/src/a.cu", "pkg/src/gen/b.cu", "pkg/gen/c.cu"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(UNKNOWN)
    (tmp_path / "hipify-py.toml").write_text('severity = {HIP102 = "note"}\nfail-on = "warning"\n')
    (tmp_path / "pkg" / "hipify-py.toml").write_text('extend = "../hipify-py.toml"\n')
    return tmp_path


def files(run: object) -> list[str]:
    return [file["path"] for file in json.loads(run.stdout)["files"]]  # type: ignore[attr-defined]


def test_what_is_extended_holds(quickly: Run, monorepo: Path) -> None:
    assert quickly("check", "pkg").returncode == 0
    assert quickly("check", "--fail-on", "note", "pkg").returncode == 1
    (monorepo / "pkg" / "hipify-py.toml").write_text('extend = "../hipify-py.toml"\nseverity.HIP102 = "error"\n')
    assert quickly("check", "pkg").returncode == 1


@pytest.mark.parametrize("key", ["ignore", "select", "extend-ignore", "extend-select"])
def test_a_wrong_id_is_blamed_on_the_file_that_says_it(quickly: Run, monorepo: Path, key: str) -> None:
    for wrong, right in (("hipify-py.toml", "pkg/hipify-py.toml"), ("pkg/hipify-py.toml", "hipify-py.toml")):
        texts = {wrong: f'{key} = ["HIP999"]\n', right: 'extend-select = ["HIP1"]\nextend-ignore = ["HIP1"]\n'}
        if key in ("ignore", "select"):
            texts[right] = ""
        texts[wrong] += "" if "select" not in texts[wrong] or key == "select" else 'select = ["HIP1"]\n'
        texts["pkg/hipify-py.toml"] = 'extend = "../hipify-py.toml"\n' + texts["pkg/hipify-py.toml"]
        for name, text in texts.items():
            (monorepo / name).write_text(text)
        run = quickly("check", "pkg")
        assert run.returncode == 2
        assert f"{monorepo / wrong}: {key}: HIP999 matches no finding".encode() in run.stderr


def test_a_wrong_library_is_blamed_on_the_file_that_says_it(quickly: Run, monorepo: Path) -> None:
    (monorepo / "hipify-py.toml").write_text("fail-under = {cublaz = 90}\n")
    (monorepo / "pkg" / "hipify-py.toml").write_text('extend = "../hipify-py.toml"\nfail-under = 0\n')
    run = quickly("report", "pkg")
    assert run.returncode == 2
    assert f"{monorepo / 'hipify-py.toml'}: fail-under: 'cublaz' is not a library".encode() in run.stderr


@pytest.mark.parametrize("paths", [["."], ["pkg"], ["pkg/src"], ["pkg/src/gen/b.cu", "pkg/src/a.cu"]], ids="-".join)
def test_patterns_are_seen_from_the_file_that_says_them(quickly: Run, monorepo: Path, paths: list[str]) -> None:
    """Whichever folder is given: before, `src/gen/` fitted where its parent was given, and nowhere else."""
    (monorepo / "hipify-py.toml").write_text('exclude = ["pkg/src/gen/"]\n')
    if paths != ["."]:
        (monorepo / "pkg" / "hipify-py.toml").write_text('extend = "../hipify-py.toml"\n')
    found = files(quickly("check", "--format", "json", *paths))
    assert "pkg/src/a.cu" in found
    assert "pkg/src/gen/b.cu" not in found
    assert paths not in ([".", "pkg"]) or "pkg/gen/c.cu" in found


def test_patterns_of_files_to_take_are_too(quickly: Run, monorepo: Path) -> None:
    (monorepo / "pkg" / "hipify-py.toml").write_text('include = ["/gen/*.cu"]\n')
    assert files(quickly("check", "--format", "json", "pkg")) == ["pkg/gen/c.cu"]
    assert files(quickly("check", "--format", "json", "pkg/src")) == []
    assert files(quickly("check", "--format", "json", "--include", "*.cu", "pkg/src/gen")) == ["pkg/src/gen/b.cu"]


def test_patterns_of_a_configuration_from_elsewhere_are_seen_from_the_given_folder(
    quickly: Run, monorepo: Path
) -> None:
    (monorepo / "away").mkdir()
    (monorepo / "away" / "own.toml").write_text('exclude = ["/src/gen/"]\n')
    found = files(quickly("--config", "away/own.toml", "check", "--format", "json", "pkg"))
    assert found == ["pkg/gen/c.cu", "pkg/src/a.cu"]


def test_patterns_hold_for_standard_input(quickly: Run, monorepo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    (monorepo / "pkg" / "hipify-py.toml").write_text('exclude = ["/src/gen/"]\n')
    for name, status in (("b.cu", 0), ("../a.cu", 1)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(UNKNOWN.encode())))
        arguments = ("check", "-", "--fail-on", "note", "--stdin-filename", name)
        assert quickly(*arguments, cwd=monorepo / "pkg" / "src" / "gen").returncode == status
