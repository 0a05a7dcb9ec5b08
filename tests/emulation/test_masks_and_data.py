"""Masks beside data, translated and run: data comes out as in CUDA, and masks count the lanes of the wavefront."""

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
    found = emulation.translate(SOURCE, folder, ["--no-fix", "wavefront"])
    assert [finding for finding in found if finding.id in ("HIP301", "HIP320", "HIP325")] == []
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


WANTED: dict[str, Callable[[int, int], int]] = {
    "reused": lambda thread, lanes: ((INPUT[thread] & WORD) >> 28) * 1000 + lanes // 2,
    "counted": lambda thread, lanes: 7,
    "halves": lambda thread, lanes: from_below(thread),
    "sentinel": lambda thread, lanes: 3 if INPUT[thread] % 3 == 0 else 1,
    "behind_lambda": lambda thread, lanes: lanes,
    "taken_type": lambda thread, lanes: 31,
    "named_type": lambda thread, lanes: lanes * 101,
    "keys": lambda thread, lanes: key(INPUT[thread]) + 1,
    "peers": lambda thread, lanes: hashed(INPUT[thread]) % 1000 * 100 + lanes // 2,
}


@pytest.mark.parametrize("kernel", WANTED)
def test_every_thread_gets_what_it_gets_in_cuda(program: Path, lanes: int, kernel: str) -> None:
    outcome = emulation.execute(program, arguments=[kernel])
    assert outcome.status == 0, outcome.messages
    assert [int(word) for word in outcome.output.split()] == [WANTED[kernel](thread, lanes) for thread in range(64)]
