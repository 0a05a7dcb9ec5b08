"""Every warp operation of the corpus ends as exactly one of four, and what is reported has a finding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hipify_py import Options, translate
from hipify_py.core.translation import WarpCounts
from hipify_py.project.api import check

CORPUS = Path(__file__).parents[2] / "corpus"
SUFFIXES = (".cu", ".cuh", ".h", ".cpp")
BUILT_IN = re.compile(
    rb"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?P<name>\b(?:__(?:shfl|ballot|any|all)(?:_\w+)?|__match_\w+_sync"
    rb"|__reduce_\w+_sync|__activemask|__syncwarp|coalesced_threads)\b(?=\s*\())",
    re.DOTALL,
)


def sources() -> Iterator[Path]:
    return (path for path in sorted(CORPUS.rglob("*")) if path.suffix in SUFFIXES)


@pytest.mark.parametrize("fixes", [frozenset({"wavefront"}), frozenset[str]()])
def test_the_four_outcomes_add_up_to_all_operations(fixes: frozenset[str]) -> None:
    total = WarpCounts()
    for path in sources():
        data = path.read_bytes()
        named = sum(match["name"] is not None for match in BUILT_IN.finditer(data))
        found = translate(data, path=str(path), options=Options(fixes=fixes))
        assert found.warps.total >= named, f"{path}: {found.warps} of {named} calls"
        reported = [one for one in found.findings if one.id == "HIP305"]
        assert bool(reported) == bool(found.warps.reported), path
        total = total.plus(found.warps)
    assert total.kept + total.native + total.author + total.reported == total.total > 100
    assert bool(total.kept) == bool(fixes)


def test_a_run_adds_up_what_its_files_have() -> None:
    results = check([str(CORPUS)]).results
    total = WarpCounts()
    for result in results:
        total = total.plus(result.warps)
    assert total.total > 100
    assert total.reported == 0
