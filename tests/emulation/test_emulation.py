"""The emulation does what a wavefront of 32 or 64 lanes does; what each lane must get is worked out here."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import emulation
import pytest

pytestmark = pytest.mark.skipif(bool(emulation.why_not()), reason=f"NOT RUN: {emulation.why_not()}")

HERE = Path(__file__).parent


@pytest.fixture(scope="module", params=(32, 64))
def lanes(request: pytest.FixtureRequest) -> int:
    width: int = request.param
    return width


@pytest.fixture(scope="module")
def program(lanes: int, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(f"checks-{lanes}")
    shutil.copy(HERE / "checks.hip", folder)
    return emulation.build(folder, ["checks.hip"], lanes)


def numbers(program: Path, kernel: str, threads: int) -> list[int]:
    """What each of a block's threads has in the end."""
    outcome = emulation.execute(program, arguments=[kernel, str(threads)])
    assert outcome.status == 0, outcome.messages
    return [int(word) for word in outcome.output.split()]


def refusal(program: Path, kernel: str, threads: int) -> str:
    """What the emulation says when it stops the program."""
    outcome = emulation.execute(program, arguments=[kernel, str(threads)], steps=200_000)
    assert outcome.status == emulation.FAILED, outcome.output + outcome.messages
    return outcome.messages


def present(lane: int, lanes: int, threads: int) -> int:
    """The lanes of the wavefront of a thread in a block of so many."""
    first = lane // lanes * lanes
    return min(first + lanes, threads) - first


def test_a_shuffle_goes_round_the_wavefront(program: Path, lanes: int) -> None:
    assert numbers(program, "neighbour", 128) == [i // lanes * lanes + (i + 1) % lanes for i in range(128)]


def test_a_shuffle_with_a_width_stays_in_its_segment(program: Path) -> None:
    assert numbers(program, "segments", 64) == [i + 3 if i % 16 < 13 else i for i in range(64)]


def test_a_lane_that_is_not_here_gives_zero(program: Path) -> None:
    assert numbers(program, "absent", 64) == [0 if i % 2 == 0 else 7 for i in range(64)]


@pytest.mark.parametrize("threads", [128, 48])
def test_the_sides_of_a_branch_vote_apart_and_the_lanes_meet_behind_it(program: Path, lanes: int, threads: int) -> None:
    wanted = []
    for i in range(threads):
        here = present(i, lanes, threads)
        side = here // 4 if i % 4 == 0 else here - here // 4
        wanted.append(side * 100 + here)
    assert numbers(program, "divergent_ballot", threads) == wanted


def test_lanes_in_different_rounds_of_a_loop_do_not_meet(program: Path, lanes: int) -> None:
    wanted = []
    for i in range(64):
        first = i // lanes * lanes
        wanted.append(sum(1 << lane for lane in range(lanes) if (first + lane) % 3 == i % 3))
    assert [value % 2**64 for value in numbers(program, "rounds", 64)] == wanted


def test_lanes_that_leave_a_loop_wait_behind_it(program: Path, lanes: int) -> None:
    def staying(trip: int) -> int:
        return sum(lane % 5 > trip for lane in range(lanes))

    wanted = [sum(staying(trip) for trip in range(i % lanes % 5)) * 100 + lanes for i in range(64)]
    assert numbers(program, "uneven_loop", 64) == wanted


def test_lanes_come_together_at_the_end_of_each_round_of_an_endless_loop(program: Path, lanes: int) -> None:
    wanted = [3 * lanes + (1000 * 2 * (lanes // 2) if i % 2 else 0) + 1000000 * (lanes // 2) for i in range(64)]
    assert numbers(program, "endless_loop", 64) == wanted


def test_threads_that_have_returned_take_no_part(program: Path, lanes: int) -> None:
    assert numbers(program, "early_return", 64) == [lanes // 2 if i % 2 == 0 else -1 for i in range(64)]


def test_a_helper_adds_up_the_wavefront(program: Path, lanes: int) -> None:
    wanted = [sum(range(i // lanes * lanes, (i // lanes + 1) * lanes)) for i in range(128)]
    assert numbers(program, "sums", 128) == wanted


def test_matches_and_reductions(program: Path, lanes: int) -> None:
    alike = [sum(k % 3 == i % 3 for k in range(i // lanes * lanes, (i // lanes + 1) * lanes)) for i in range(64)]
    assert numbers(program, "matches", 64) == [count * 10 + 1 for count in alike]
    assert numbers(program, "reduces", 48) == [min((i // lanes + 1) * lanes, 48) - 1 for i in range(48)]


def test_shared_memory_and_the_barrier(program: Path) -> None:
    assert numbers(program, "reversed", 200) == [3 * (199 - i) for i in range(200)]
    assert numbers(program, "counted", 100) == [34] * 100


def test_a_mask_that_names_the_lanes_that_are_here(program: Path, lanes: int) -> None:
    assert numbers(program, "full_mask", 128) == [lanes] * 128
    assert numbers(program, "groups", 64) == [8] * 64


def test_a_mask_that_names_lanes_that_are_not_here(program: Path, lanes: int) -> None:
    if lanes == 32:
        assert numbers(program, "low_mask", 64) == [32] * 64
        assert numbers(program, "full_mask", 96) == [32] * 96
    else:
        assert "mask check: __ballot_sync" in refusal(program, "low_mask", 64)
        message = refusal(program, "full_mask", 96)
        assert "names lanes 0xffffffffffffffff, but 0xffffffff are here" in message
        assert "checks.hip:" in message
    assert "mask check: __syncwarp" in refusal(program, "half_branch", 64)


def test_a_lock_of_each_lane_deadlocks(program: Path) -> None:
    message = refusal(program, "spin_lock", 32)
    assert "deadlock" in message
    assert "checks.hip:" in message


def test_waiting_that_lockstep_allows(program: Path) -> None:
    assert numbers(program, "polite_lock", 64) == [1] * 64
    assert numbers(program, "flag_of_wavefront", 128) == [5] * 128


def test_a_wavefront_comes_to_one_barrier(program: Path) -> None:
    assert "divergent barrier" in refusal(program, "split_barrier", 64)


def test_a_trap_ends_the_program(program: Path) -> None:
    assert "trap" in refusal(program, "trapped", 1)


def test_more_than_1024_threads_are_no_block(program: Path) -> None:
    assert emulation.execute(program, arguments=["trapped", "1025"]).status == 1


def test_the_script_translates_and_runs_a_file(tmp_path: Path) -> None:
    source = tmp_path / "count.cu"
    source.write_text(
        "#include <cstdio>\n"
        '__global__ void k() { int any = __any(threadIdx.x == 40); if (threadIdx.x == 0) printf("%d\\n", any); }\n'
        "int main() { k<<<1, 64>>>(); return cudaDeviceSynchronize() != cudaSuccess; }\n"
    )
    command = [sys.executable, str(HERE / "run.py"), str(source), "--lanes", "32", "--lanes", "64"]
    command += ["--", "--no-fix", "wavefront"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "== 32 lanes\n0\n== exit status 0" in run.stdout
    assert "== 64 lanes\n1\n== exit status 0" in run.stdout
