"""What the support header's warp functions become: their instructions beside those of hand-written HIP.

    python benchmarks/warp_functions.py --rocm DIR [--clang clang++] [--arch gfx942 gfx1100]

Compiles warp_functions.hip with clang alone: no GPU is needed. A line a function: the instructions of the kernel that
calls the header's function for 32 lanes, those of the kernel written by hand for the wavefront, and the difference.
Hints for the scheduler (s_nop, s_delay_alu, s_code_end) do not count. With wavefronts of 32 lanes the shortest way
through each kernel stands there as well, which is what it executes where all lanes are here; the exit status is 1 where
that is longer than by hand. With 64 lanes it would pass over what masked lanes skip and others do not.
"""

from __future__ import annotations

import argparse
import heapq
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from hipify_py.support_header import HEADER
from hipify_py.support_header.header import render

KERNELS = Path(__file__).with_suffix(".hip")
SECTIONS = ("warp32", "warp32_groups")
HINTS = ("s_nop", "s_delay_alu", "s_code_end")
_KERNEL = re.compile(r"^(\w+)_(support|hand): .*?$(.*?)^\.Lfunc_end", re.M | re.S)
_LINE = re.compile(r"^(?:(\.L\w+):|\t([a-z]\w+)(?:[ \t]+(\.L\w+))?)", re.M)


def lanes_of(arch: str) -> int:
    """The lanes of a wavefront, as ROCm compiles for that GPU by default."""
    return 32 if arch.startswith("gfx1") else 64


def counted(clang: str, rocm: str, arch: str) -> dict[str, dict[str, tuple[int, int]]]:
    """For each function, of `support` and of `hand`, all instructions and those of the shortest way.

    Raises:
        subprocess.CalledProcessError: where it does not compile.
    """
    command = [clang, "-x", "hip", f"--offload-arch={arch}", f"--rocm-path={rocm}", "-isystem", f"{rocm}/include"]
    command += [f"-D__AMDGCN_WAVEFRONT_SIZE={lanes_of(arch)}", f"-D__AMDGCN_WAVEFRONT_SIZE__={lanes_of(arch)}"]
    command += ["-std=c++17", "-O3", "-DNDEBUG", "-w", "--cuda-device-only", "-S", "-o", "-", str(KERNELS)]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / HEADER).write_bytes(render(SECTIONS))
        run = subprocess.run([*command, "-I", folder], stdout=subprocess.PIPE, text=True, check=True)
    counts: dict[str, dict[str, tuple[int, int]]] = {}
    for name, side, body in _KERNEL.findall(run.stdout):
        counts.setdefault(name, {})[side] = instructions_of(body)
    return counts


def instructions_of(body: str) -> tuple[int, int]:
    """All instructions of a kernel, and those of the shortest way from its start to its end."""
    words: list[tuple[str, str]] = []
    places: dict[str, int] = {}
    for label, word, target in _LINE.findall(body):
        if label:
            places[label] = len(words)
        elif word not in HINTS:
            words.append((word, target))
    distances = {0: 1}
    waiting = [(1, 0)]
    while waiting:
        distance, place = heapq.heappop(waiting)
        word, target = words[place]
        if word == "s_endpgm":
            return len(words), distance
        following = [] if word == "s_branch" else [place + 1]
        following += [places[target]] if target in places else []
        for other in following:
            if distance + 1 < distances.get(other, sys.maxsize):
                distances[other] = distance + 1
                heapq.heappush(waiting, (distance + 1, other))
    return len(words), len(words)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rocm", required=True, help="a folder with ROCm's headers and device libraries")
    parser.add_argument("--clang", default="clang++")
    parser.add_argument("--arch", nargs="+", default=["gfx942", "gfx1100"])
    chosen = parser.parse_args()
    longer = 0
    for arch in chosen.arch:
        lanes = lanes_of(arch)
        print(f"{f'{arch}, {lanes} lanes':24}{'header':>8}{'by hand':>9}{'added':>7}", end="")
        print(f"{'shortest':>11}{'by hand':>9}{'added':>7}" if lanes == 32 else "")
        for name, sides in counted(chosen.clang, chosen.rocm, arch).items():
            (all_, way), (all_by_hand, way_by_hand) = sides["support"], sides["hand"]
            print(f"{name:24}{all_:8}{all_by_hand:9}{all_ - all_by_hand:+7}", end="")
            print(f"{way:11}{way_by_hand:9}{way - way_by_hand:+7}" if lanes == 32 else "", flush=True)
            longer += way > way_by_hand and lanes == 32
    return 1 if longer else 0


if __name__ == "__main__":
    sys.exit(main())
