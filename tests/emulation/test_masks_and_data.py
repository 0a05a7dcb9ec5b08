"""Masks beside data, translated and run: both come out as in CUDA, at either width of wavefronts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import emulation
import pytest

pytestmark = pytest.mark.skipif(bool(emulation.why_not()), reason=f"NOT RUN: {emulation.why_not()}")

SOURCE = Path(__file__).with_name("masks_and_data.cu")
WORD = 0xFFFFFFFF
INPUT = [thread - 40 for thread in range(64)]


@pytest.fixture(scope="module")
def translated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("masks")
    found = emulation.translate(SOURCE, folder)
    assert [finding for finding in found if finding.id.startswith("HIP3")] == []
    return folder


@pytest.fixture(scope="module", params=(32, 64))
def lanes(request: pytest.FixtureRequest) -> int:
    width: int = request.param
    return width


@pytest.fixture(scope="module")
def program(lanes: int, translated: Path) -> Path:
    return emulation.build(translated, [SOURCE.name], lanes)


def hashed(value: int) -> int:
    product = value * 2654435761 & WORD
    return product ^ product >> 15


def key(value: int) -> int:
    low = value * 3 & WORD
    high = low << 7 & WORD
    low, high = sorted((low, high))
    return (high >> 9) + (low >> 30)


def from_below(thread: int) -> int:
    """What the thread below has, but for the first of each 32 lanes."""
    value = (INPUT[thread if thread % 32 == 0 else thread - 1] + 100) * 0x300000005
    return value >> 20 & WORD


WANTED: dict[str, Callable[[int], int]] = {
    "reused": lambda thread: ((INPUT[thread] & WORD) >> 28) * 1000 + 16,
    "counted": lambda thread: 7,
    "halves": from_below,
    "sentinel": lambda thread: 3 if INPUT[thread] % 3 == 0 else 1,
    "behind_lambda": lambda thread: 32,
    "taken_type": lambda thread: 31,
    "named_type": lambda thread: 32 * 101,
    "keys": lambda thread: key(INPUT[thread]) + 1,
    "peers": lambda thread: hashed(INPUT[thread]) % 1000 * 100 + 16,
}


@pytest.mark.parametrize("kernel", WANTED)
def test_every_thread_gets_what_it_gets_in_cuda(program: Path, kernel: str) -> None:
    outcome = emulation.execute(program, arguments=[kernel])
    assert outcome.status == 0, outcome.messages
    assert [int(word) for word in outcome.output.split()] == [WANTED[kernel](thread) for thread in range(64)]
