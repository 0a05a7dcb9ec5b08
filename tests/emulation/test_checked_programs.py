"""CUDA programs that count in 32 lanes, written as their authors would, are right on wavefronts of 32 and of 64 lanes.

Those of `programs` check themselves, print `errors 0` and have no finding of a wavefront. Those of `warned` hold what 32
lanes cannot save, and `// warned: HIP311` at the end of each line that must have a finding.
"""

from __future__ import annotations

import re
from pathlib import Path

import emulation
import pytest

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").iterdir())
WARNED = sorted((HERE / "warned").iterdir())
SOURCES = (".cu", ".cpp")
EXPECTED = re.compile(r"// warned: (HIP\d+)$")
OPTIONS = ("--rocm", "7.1")


@pytest.mark.compiler
@pytest.mark.skipif(bool(emulation.why_not()), reason=f"NOT RUN: {emulation.why_not()}")
@pytest.mark.parametrize(
    "program",
    [pytest.param(path, marks=pytest.mark.xdist_group(f"emulation-{path.stem}"), id=path.stem) for path in PROGRAMS],
)
def test_a_program_is_right_at_both_widths(program: Path, tmp_path: Path) -> None:
    findings = emulation.translate(program, tmp_path, OPTIONS)
    assert not [finding for finding in findings if finding.id.startswith("HIP3")]
    sources = [program.name]
    if program.is_dir():
        sources = sorted(path.name for path in program.iterdir() if path.suffix in SOURCES)
    for lanes in (32, 64):
        outcome = emulation.execute(emulation.build(tmp_path, sources, lanes))
        assert outcome.status == 0, f"{lanes} lanes: {outcome.output}{outcome.messages}"
        assert outcome.output.endswith("errors 0\n"), f"{lanes} lanes: {outcome.output}"


@pytest.mark.parametrize("program", WARNED, ids=lambda path: path.stem)
def test_what_32_lanes_cannot_save_has_a_finding_at_its_place(program: Path, tmp_path: Path) -> None:
    lines = program.read_text(encoding="utf-8").splitlines()
    expected = [(at, match[1]) for at, line in enumerate(lines, 1) if (match := EXPECTED.search(line))]
    findings = emulation.translate(program, tmp_path, OPTIONS)
    assert expected
    assert sorted((finding.line, finding.id) for finding in findings) == expected
