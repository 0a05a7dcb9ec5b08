"""With libclang's view nothing is worse than without, over the corpus and all programs that the emulator runs.

Worse is: another output, unless it only widens what holds masks; a finding that was not there; a reference that is
no longer converted or known. All that leaves a doubt is asked about, with warps kept at 32 lanes and without.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hipify_py.clang.toolchain import find_toolchain
from hipify_py.core.options import DEFAULT_OPTIONS, OFF, ON
from hipify_py.project.api import convert
from hipify_py.project.clang_session import is_complete, missing
from hipify_py.project.result import FileResult

TESTS = Path(__file__).parents[1]
TREES = (TESTS.parent / "corpus", TESTS / "emulation")
WIDENED = frozenset({"masks_in_templates.cu"})
"""The files whose output is another one, each of which a test runs on 64 lanes."""

_WIDE = re.compile(rb"unsigned long long|static_cast<unsigned long long>|ull\b")
_COUNTS = re.compile(rb"(__popc|__ffs|__clz|__brev)ll\b")
_OF_THE_WAVEFRONT = re.compile(rb" & \(0xffffffffffffffff(?:ull)? >> \(64 - warpSize\)\)")
_LOCAL_TYPE = re.compile(rb"(?:typename )?[\w:]+(?:<\w+>)?(?= m = )")

Pair = tuple[FileResult, FileResult]


@pytest.fixture(scope="module", params=["32", "64"])
def pairs(request: pytest.FixtureRequest) -> list[Pair]:
    """Each file's result without and with libclang."""
    pytest.importorskip("clang.cindex", exc_type=ImportError)
    parts = find_toolchain()
    if not is_complete(parts):
        pytest.skip(f"NOT SEEN BY LIBCLANG: {' and '.join(missing(parts))} cannot be found")
    options = DEFAULT_OPTIONS if request.param == "32" else DEFAULT_OPTIONS._replace(fixes=frozenset())
    found: list[Pair] = []
    for tree in TREES:
        plain, seen = (
            convert([tree], options=options._replace(semantics=choice), wanted="output").results for choice in (OFF, ON)
        )
        found += zip(plain, seen, strict=True)
    return found


def test_some_files_leave_doubts_and_are_answered(pairs: list[Pair]) -> None:
    asked = [seen.asked for _, seen in pairs if seen.asked is not None]
    assert 0 < len(asked) < len(pairs) / 5
    assert any(one.answers for one in asked)
    assert [one for one in asked if one.problem or one.left_out or one.answers > one.doubts] == []


def test_the_output_is_the_same_or_wider(pairs: list[Pair]) -> None:
    """The corpus is written so that its sources tell all that matters; nothing of that may be lost."""
    other = [(plain, seen) for plain, seen in pairs if plain.output != seen.output]
    assert {Path(seen.path).name for _, seen in other} <= WIDENED
    for plain, seen in other:
        assert _narrowed(seen.output) == _narrowed(plain.output), seen.path


def test_no_finding_is_added(pairs: list[Pair]) -> None:
    for plain, seen in pairs:
        told = {(finding.id, finding.line, finding.column, finding.message) for finding in plain.findings}
        more = [f for f in seen.findings if (f.id, f.line, f.column, f.message) not in told]
        assert more == [], plain.path


def test_masks_that_are_widened_are_no_longer_reported(pairs: list[Pair]) -> None:
    for plain, seen in pairs:
        if plain.output != seen.output:
            assert [f.id for f in plain.findings if f.id == "HIP320"]
            assert [f.id for f in seen.findings if f.id == "HIP320"] == []


def test_no_reference_is_lost(pairs: list[Pair]) -> None:
    for plain, seen in pairs:
        assert all(after >= before for after, before in zip(seen.counts, plain.counts, strict=True)), plain.path


def _narrowed(output: bytes | None) -> bytes:
    """A text with the types and functions of 32 bits in place of those of 64, white space left out."""
    text = _COUNTS.sub(rb"\1", _WIDE.sub(b"unsigned", _OF_THE_WAVEFRONT.sub(b"", output or b"")))
    return b" ".join(_LOCAL_TYPE.sub(b"unsigned", text).split())
