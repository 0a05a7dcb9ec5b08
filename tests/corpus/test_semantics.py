"""The corpus with libclang's view is never worse than without; what it changes is read here, place by place."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.clang.parts import find_parts
from hipify_py.options import AUTO, DEFAULT_OPTIONS, OFF
from hipify_py.project.api import convert
from hipify_py.project.result import FileResult
from hipify_py.project.view import is_complete, missing

CORPUS = Path(__file__).parents[2] / "corpus"


@pytest.fixture(scope="module")
def pairs() -> list[tuple[FileResult, FileResult]]:
    """Each file's result without and with libclang."""
    pytest.importorskip("clang.cindex", exc_type=ImportError)
    parts = find_parts()
    if not is_complete(parts):
        pytest.skip(f"NOT SEEN BY LIBCLANG: {' and '.join(missing(parts))} cannot be found")
    without, seen = (
        convert([CORPUS], options=DEFAULT_OPTIONS._replace(semantics=choice), wanted="output").results
        for choice in (OFF, AUTO)
    )
    return [*zip(without, seen, strict=True)]


def test_some_files_leave_doubts_and_are_answered(pairs: list[tuple[FileResult, FileResult]]) -> None:
    asked = [seen.asked for _, seen in pairs if seen.asked is not None]
    assert 0 < len(asked) < len(pairs) / 5
    assert any(one.answers for one in asked)
    assert [one.problem for one in asked if one.problem] == []


def test_the_output_is_the_same(pairs: list[tuple[FileResult, FileResult]]) -> None:
    """The corpus is written so that its sources tell all that matters; nothing of that may be lost."""
    assert [(seen.path, seen.output) for _, seen in pairs] == [(plain.path, plain.output) for plain, _ in pairs]


def test_no_finding_is_added(pairs: list[tuple[FileResult, FileResult]]) -> None:
    for plain, seen in pairs:
        assert {*seen.findings} <= {*plain.findings}, plain.path


def test_no_reference_is_lost(pairs: list[tuple[FileResult, FileResult]]) -> None:
    for plain, seen in pairs:
        assert all(after >= before for after, before in zip(seen.counts, plain.counts, strict=True)), plain.path
