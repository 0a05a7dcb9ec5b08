"""HIP stays as it is, and so does what a translation has put out."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py import Options, ProjectContext, translate

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "corpus"
IDENTITY = Path(__file__).parent / "golden" / "identity"
SOURCES = sorted(
    path for path in CORPUS.rglob("*") if path.is_file() and path.name not in ("program.yaml", "expected.txt")
)


@pytest.mark.parametrize("launch", ["ggl", "chevron"])
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(CORPUS).as_posix())
def test_translating_twice_is_translating_once(path: Path, launch: str) -> None:
    program = CORPUS / path.relative_to(CORPUS).parts[0]
    local = frozenset(other.relative_to(program).as_posix() for other in program.rglob("*") if other.is_file())
    options, project = Options(launch=launch), ProjectContext(local_headers=local)
    name = path.relative_to(program).as_posix()
    once = translate(path.read_bytes(), path=name, options=options, project=project)
    twice = translate(once.output, path=name, options=options, project=project)
    assert twice.output == once.output
    assert twice.edits == []
    assert twice.counts.converted == 0


@pytest.mark.parametrize("path", sorted(IDENTITY.iterdir()), ids=lambda path: path.name)
@pytest.mark.parametrize("launch", ["ggl", "chevron"])
def test_an_identity_file_stays_byte_for_byte(path: Path, launch: str) -> None:
    source = path.read_bytes()
    result = translate(source, path=path.name, options=Options(launch=launch))
    assert result.output == source
    assert not result.changed
    assert result.counts.converted == result.counts.unsupported == result.counts.unknown == 0
    assert [finding for finding in result.findings if finding.severity != "note"] == []
