"""What people and hooks wait for: commands that end at once, beside `python -c pass`.

A check of one file of 100 lines, by itself, with an option and with a configuration beside it; help, the version, and
what is said of a name and of a finding. All are whole processes of this interpreter, run in turn, with compiled tables
in the cache and bytecode on the disk. CPU is user and system time, which other work on the machine disturbs less than
wall time.
"""

from __future__ import annotations

import itertools
import os
import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import NamedTuple

from measure import (
    Cost,
    argument_parser,
    environment_with_cache,
    goal,
    hipify_py_command,
    interleaved,
    ratio,
    run_process,
    show_table,
)

_HEAD = """\
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) puts(cudaGetErrorString(e)); } while (0)

"""
_STEP = """\
// Step NUMBER: a kernel, and the host code that runs it.
__global__ void stepNUMBER(const float* in, float* out, int n, float factor) {
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (i < n) out[i] = factor * tile[threadIdx.x];
}

void run_stepNUMBER(const std::vector<float>& host, std::vector<float>& result, cudaStream_t stream) {
    float *in = nullptr, *out = nullptr;
    size_t bytes = host.size() * sizeof(float);
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemcpyAsync(in, host.data(), bytes, cudaMemcpyHostToDevice, stream));
    stepNUMBER<<<(host.size() + 255) / 256, 256, 0, stream>>>(in, out, int(host.size()), 2.0f);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(result.data(), out, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}

"""
_LINES = 99  # and one that differs
_SOURCE, _CONFIGURATION = "one.cu", 'fail-on = "warning"\n'
_BARE = "python -c pass"


class Command(NamedTuple):
    """A command line, and how many times a bare interpreter's time it may take.

    Attributes:
        arguments: those of hipify-py; a check is of a new source each time.
        goal: the most times.
        is_configured: the source has a configuration beside it.
    """

    arguments: tuple[str, ...]
    goal: int
    is_configured: bool = False


COMMANDS = {
    f"check {_SOURCE}": Command(("check", _SOURCE), 4),
    "check with an option": Command(("check", "--fail-on", "warning", _SOURCE), 6),
    "check with a configuration": Command(("check", _SOURCE), 6, is_configured=True),
    "--help": Command(("--help",), 8),
    "check --help": Command(("check", "--help"), 8),
    "--version": Command(("--version",), 8),
    "query cudaMalloc": Command(("query", "cudaMalloc"), 8),
    "explain HIP123": Command(("explain", "HIP123"), 8),
}
"""What is measured."""


def main() -> None:
    """Run the benchmark."""
    costs = measure(argument_parser(__doc__, rounds=30).parse_args().rounds)
    rows = []
    for name, runs in costs.items():
        milliseconds = [statistics.median(getattr(run, field) for run in runs) * 1e3 for field in ("wall", "cpu")]
        ratios = [_times(runs, costs[_BARE], field) for field in ("wall", "cpu")]
        rows.append([name, *(f"{figure:.1f}" for figure in milliseconds), *(f"{figure:.2f}" for figure in ratios)])
    show_table(["", "wall ms", "CPU ms", "wall ratio", "CPU ratio"], rows)
    for name, command in COMMANDS.items():
        times = times_of(costs, name)
        print(goal(name, f"{times:.2f} times a bare interpreter", f"at most {command.goal}", times <= command.goal))


def measure(rounds: int) -> dict[str, list[Cost]]:
    """The costs of the commands and of a bare interpreter, by what runs."""
    with tempfile.TemporaryDirectory(prefix="hipify-py-benchmark-") as folder:
        environment = environment_with_cache(os.path.join(folder, "cache"))
        numbers = itertools.count()
        places = {is_configured: Path(folder, f"configured-{is_configured}") for is_configured in (False, True)}
        for is_configured, place in places.items():
            (place / ".git").mkdir(parents=True)  # where the search for a configuration ends
            if is_configured:
                (place / "hipify-py.toml").write_text(_CONFIGURATION, encoding="ascii")

        def run(command: Command) -> Cost:
            # Another text each time: what an earlier run found in it is of no use.
            source = places[command.is_configured] / _SOURCE
            source.write_text(f"{_program()}// {next(numbers)}\n", encoding="ascii")
            arguments = [str(source) if argument == _SOURCE else argument for argument in command.arguments]
            return run_process([*hipify_py_command(), *arguments], environment, accept=(0, 1))

        sides = {_BARE: partial(run_process, [sys.executable, "-c", "pass"], environment)}
        sides |= {name: partial(run, command) for name, command in COMMANDS.items()}
        interleaved(2, sides)  # compiles the tables and fills the caches
        return interleaved(rounds, sides)


def times_of(costs: dict[str, list[Cost]], name: str) -> float:
    """How many times as long a command takes, by wall time."""
    return _times(costs[name], costs[_BARE], "wall")


def _times(runs: list[Cost], bare: list[Cost], field: str) -> float:
    return ratio((getattr(run, field) for run in runs), (getattr(run, field) for run in bare))


def _program() -> str:
    """A CUDA program of 100 lines but for the last; it ends in comments to make the number up."""
    lines = _HEAD.splitlines()
    step = _STEP.splitlines()
    for number in range((_LINES - len(lines)) // len(step)):
        lines += [line.replace("NUMBER", str(number)) for line in step]
    lines += ["// ..."] * (_LINES - len(lines))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
