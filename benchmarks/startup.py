"""What a commit hook waits for: `hipify-py check` of one file of 100 lines, beside `python -c pass`.

Both are whole processes of this interpreter, run in turn, with compiled tables in the cache and bytecode on
the disk. CPU is user and system time, which other work on the machine disturbs less than wall time.
"""

from __future__ import annotations

import itertools
import os
import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path

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
GOAL = 3.5
"""How many times a bare interpreter's time `check` may take."""
_BARE, _CHECK = "python -c pass", "hipify-py check"


def main() -> None:
    """Run the benchmark."""
    costs = measure(argument_parser(__doc__, rounds=30).parse_args().rounds)
    fields = ("wall", "cpu")
    seconds = {name: {field: [getattr(run, field) for run in runs] for field in fields} for name, runs in costs.items()}
    ratios = {field: ratio(seconds[_CHECK][field], seconds[_BARE][field]) for field in fields}
    rows = [[name, *(f"{statistics.median(of[field]) * 1e3:.1f}" for field in fields)] for name, of in seconds.items()]
    show_table(["", "wall ms", "CPU ms"], [*rows, ["ratio", *(f"{ratios[field]:.2f}" for field in fields)]])
    times = times_of(costs)
    print(goal("start-up", f"{times:.2f} times a bare interpreter", f"at most {GOAL}", times <= GOAL))


def measure(rounds: int) -> dict[str, list[Cost]]:
    """The costs of the two, by what runs."""
    with tempfile.TemporaryDirectory(prefix="hipify-py-benchmark-") as folder:
        source = Path(folder, "one.cu")
        environment = environment_with_cache(os.path.join(folder, "cache"))
        numbers = itertools.count()

        def check() -> Cost:
            # Another text each time: what an earlier run found in it is of no use.
            source.write_text(f"{_program()}// {next(numbers)}\n", encoding="ascii")
            return run_process([*hipify_py_command(), "check", str(source)], environment, accept=(0, 1))

        sides = {_BARE: partial(run_process, [sys.executable, "-c", "pass"], environment), _CHECK: check}
        interleaved(2, sides)  # compiles the tables and fills the caches
        return interleaved(rounds, sides)


def times_of(costs: dict[str, list[Cost]]) -> float:
    """How many times as long `check` takes."""
    return ratio((run.wall for run in costs[_CHECK]), (run.wall for run in costs[_BARE]))


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
