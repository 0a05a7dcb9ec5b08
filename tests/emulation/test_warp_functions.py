"""The support header's warp functions give what CUDA's give, with wavefronts of 32 and of 64 lanes."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import emulation
import pytest

from hipify_py.support_header import HEADER
from hipify_py.support_header.header import render

pytestmark = pytest.mark.skipif(bool(emulation.why_not()), reason=f"NOT RUN: {emulation.why_not()}")

SOURCE = Path(__file__).with_name("warp_functions.cu")
SECTIONS = ("cg_scan", "reduce_sync", "warp32_groups", "warp32_host")
SHUFFLES = ("from_lane", "up", "down", "across")
_LAUNCH = "ask<Case><<<1, dim3(8, 5, 2)>>>(situation, device)"
_HIP_LAUNCH = "hipLaunchKernelGGL(ask<Case>, dim3(1), dim3(8, 5, 2), 0, 0, situation, device)"
_LINE = re.compile(r"^(\S.*?) +(\d+) checked, (\d+) wrong$", re.MULTILINE)


def asked() -> list[str]:
    """What the program compares, by name."""
    text = SOURCE.read_text(encoding="utf-8").partition("int main() {")[2]
    names = [name for name in re.findall(r"COMPARE\((.*?)\)", text) if "," not in name or "<" in name]
    for types in re.findall(r"COMPARE_SHUFFLES\((.*?)\)", text):
        names += [f"Shuffle<{kind}, {types}, 32, false>" for kind in SHUFFLES]
    return ["attributes", *names]


def answers(folder: Path, lanes: int, header: bytes) -> tuple[int, dict[str, tuple[int, int]]]:
    """The exit status, and for each name how many results were compared and how many of them were wrong."""
    text = SOURCE.read_text(encoding="utf-8")
    assert _LAUNCH in text
    (folder / SOURCE.name).write_text(text.replace(_LAUNCH, _HIP_LAUNCH), encoding="utf-8")
    (folder / HEADER).write_bytes(header)
    outcome = emulation.execute(emulation.build(folder, [SOURCE.name], lanes))
    assert outcome.messages == ""
    return outcome.status, {name: (int(count), int(wrong)) for name, count, wrong in _LINE.findall(outcome.output)}


@cache
def header() -> bytes:
    return render(SECTIONS)


@pytest.fixture(scope="module", params=(32, 64))
def results(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, int]]:
    status, found = answers(tmp_path_factory.mktemp("functions"), request.param, header())
    assert (status == 0) == all(count and not wrong for count, wrong in found.values())
    return found


@pytest.mark.parametrize("name", asked())
def test_a_function_gives_what_cudas_gives(results: dict[str, tuple[int, int]], name: str) -> None:
    count, wrong = results[name]
    assert count > 0
    assert wrong == 0


def test_all_that_is_compared_is_known_here(results: dict[str, tuple[int, int]]) -> None:
    assert sorted(results) == sorted(asked())


FAULTS = (
    ("__lane_id() & 31u", "__lane_id()", "LaneId"),
    ("ballot(predicate) & static_cast<unsigned>(mask)", "ballot(predicate)", "BallotSync"),
    ("alike(as_bits(value)) & static_cast<unsigned>(mask)", "alike(as_bits(value))", "MatchAny<int>"),
    ("bits == of_first(bits)", "!((bits ^ of_first(bits)) << 32)", "MatchAny<long long>"),
    ("? begin + lowest_lane(beside)", "? begin", "Add<int, int>"),
    ("op(half, (__shfl_xor)(half, 32, 64))", "half", "WideMax<unsigned, unsigned>"),
    (
        "HIPIFY_SHUFFLE(shfl_xor, shfl_xor_sync, int, 31)",
        "HIPIFY_SHUFFLE(shfl_xor, shfl_xor_sync, int, ~0)",
        "Shuffle<across, int, int, 32, false>",
    ),
    (
        "HIPIFY_SHUFFLE(shfl_up, shfl_up_sync, unsigned, 31u)",
        "HIPIFY_SHUFFLE(shfl_up, shfl_up_sync, unsigned, ~0u)",
        "Shuffle<up, int, int, 32, false>",
    ),
    ("by_rank(ballot_sync(lanes(), predicate))", "ballot_sync(lanes(), predicate)", "GroupVotes"),
    ("rank / size == part", "rank / size == 0", "TiledGroup"),
    ("parts > 1 && label", "0", "TruthOfAnyGroup"),
    ("*value = 32;", "", "attributes"),
)
"""What is made wrong in the header, and the function that is seen to be wrong then."""


def test_what_is_wrong_is_seen(tmp_path: Path) -> None:
    text = header().decode()
    for right, wrong, _ in FAULTS:
        assert right in text
        text = text.replace(right, wrong)
    status, found = answers(tmp_path, 64, text.encode())
    assert status == 1
    assert [name for _, _, name in FAULTS if not found[name][1]] == []
    assert found["Ballot"][1] == 0


def test_half_a_wavefront_is_told_from_the_other(tmp_path: Path) -> None:
    text = header().decode()
    half = "__builtin_amdgcn_mbcnt_lo(~0u, 0u) & 32u"
    assert half in text
    _, found = answers(tmp_path, 64, text.replace(half, "0u").encode())
    assert found["Ballot"][1] > 0
    assert found["Group"][1] > 0
