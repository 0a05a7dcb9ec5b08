"""The profile by stage: it changes no translation, and its stages are those of the translator as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from hipify_py.translator.translate import translate

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks"
SOURCES = [
    next(path for path in sorted((ROOT / "corpus" / name).rglob("*.cu")))
    for name in ("arch_branches", "ballot_compact", "blas_gemm")
]


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    import stages

    return stages


def test_translations_are_the_same_with_clocks(stages: ModuleType) -> None:
    plain = [translate(path.read_bytes(), path=str(path)) for path in SOURCES]
    clocks = stages._Clocks()
    with clocks.installed():
        clocked = [translate(path.read_bytes(), path=str(path)) for path in SOURCES]
    assert [found.output for found in clocked] == [found.output for found in plain]
    assert [found.findings for found in clocked] == [found.findings for found in plain]
    assert clocks.calls["lexing"] == clocks.calls["trigger gates"] == len(SOURCES)
    assert {"parse", "resolving names", "rule api.names"} <= clocks.calls.keys()
    translate(SOURCES[0].read_bytes(), path=str(SOURCES[0]))
    assert clocks.calls["lexing"] == len(SOURCES), "the clocks are gone afterwards"


def test_stages_are_parts_of_the_pass(stages: ModuleType) -> None:
    """A stage's time is its own: counted twice, they would add up to more than all of it."""
    spent = stages.by_stage(stages.Text(path.read_bytes(), str(path)) for path in SOURCES)
    assert 0 < sum(spent.seconds.values()) < spent.total * 1.5
    assert min(spent.seconds.values()) >= 0


@pytest.mark.parametrize("options", [(), ("--modules",)])
def test_it_prints_tables(options: tuple[str, ...]) -> None:
    command = [sys.executable, str(FOLDER / "stages.py"), str(SOURCES[0].parent), "--rounds", "1", "--least", "0"]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "a bare parse is 100" in done.stdout
    assert "all of it" in done.stdout


def test_a_stage_that_is_gone_is_an_error(stages: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "STAGES", (("lexing", "hipify_py.frontend.lexer", "Lexer.gone"),))
    with pytest.raises(KeyError, match="gone"), stages._Clocks().installed():
        pass
