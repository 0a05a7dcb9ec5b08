"""What the benchmarks share measures what it says."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def measure(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    import measure

    return measure


def test_bytecode_is_kept_whatever_the_environment_says(
    measure: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    (tmp_path / "imported.py").write_text("", encoding="ascii")
    (tmp_path / "run.py").write_text("import imported\n", encoding="ascii")
    measure.run_process([sys.executable, str(tmp_path / "run.py")], measure.environment_with_cache(str(tmp_path)))
    assert [path.name.partition(".")[0] for path in (tmp_path / "__pycache__").iterdir()] == ["imported"]
