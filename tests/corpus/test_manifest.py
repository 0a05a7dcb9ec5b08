"""Every corpus program says what it is, and has what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

CORPUS = Path(__file__).parents[2] / "corpus"
PROGRAMS = sorted(path for path in CORPUS.iterdir() if path.is_dir())


def test_the_corpus_is_not_empty() -> None:
    assert len(PROGRAMS) >= 50


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_a_program_has_a_manifest_with_existing_sources(program: Path) -> None:
    manifest = yaml.safe_load((program / "program.yaml").read_text(encoding="utf-8"))
    assert manifest["about"].strip()
    assert manifest["sources"]
    assert [name for name in manifest["sources"] if not (program / name).is_file()] == []
    assert isinstance(manifest["nvcc"], list)
    assert isinstance(manifest["gpu"], bool)
    assert manifest["hip"]["rocm"] in ("5.2", "6.4", "7.1", "none")
    assert manifest["hip"]["rocm"] == "5.2" or manifest["hip"]["why"].strip()
    without = manifest["hip"].get("not_for", {})
    assert without.keys() <= {"gfx942", "gfx1100", "gfx90a"}
    assert all(reason.strip() for reason in without.values())


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_a_recorded_program_passed(program: Path) -> None:
    recorded = program / "expected.txt"
    if not recorded.is_file():
        pytest.skip("its output on an NVIDIA GPU has not been recorded yet")
    lines = recorded.read_text(encoding="utf-8").splitlines()
    assert lines
    assert lines[-1].startswith("PASS") or lines[-1].endswith("PASS")
