"""What the second argument of `__launch_bounds__` costs: registers and spills by the compiler's own counts.

    python benchmarks/launch_bounds.py --rocm DIR [--arch gfx942] [--threads 256] [--counts 1 4 8]

Compiles launch_bounds.hip once for each number, with clang alone: no GPU is needed. A line a number, a column a kernel:
registers, registers spilled, wavefronts that an execution unit can hold. The first line is without the argument.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from pathlib import Path

KERNELS = Path(__file__).with_suffix(".hip")
_KERNEL = re.compile(
    r"^ {4}\.name: +(\w+)$.*?^ {4}\.vgpr_count: +(\d+)$.*?^ {4}\.vgpr_spill_count: +(\d+)$", re.M | re.S
)
_OCCUPANCY = re.compile(r"^(\w+):(?:(?!^\w+:).)*?^; Occupancy: (\d+)", re.M | re.S)


def measured(clang: str, rocm: str, arch: str, bounds: str) -> dict[str, tuple[int, int, int]]:
    """Each kernel's registers, those that it spills, and the wavefronts that fit.

    Raises:
        subprocess.CalledProcessError: where it does not compile.
    """
    command = [clang, "-x", "hip", f"--offload-arch={arch}", f"--rocm-path={rocm}", "-isystem", f"{rocm}/include"]
    command += ["-D__AMDGCN_WAVEFRONT_SIZE=64", "-std=c++17", "-O3", "-w", "--cuda-device-only", "-S", "-o", "-"]
    command += [f"-DBOUNDS=__launch_bounds__({bounds})", str(KERNELS)]
    assembly = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    fitting = dict(_OCCUPANCY.findall(assembly))
    metadata = assembly[assembly.rindex("amdhsa.kernels:") :]
    return {name: (int(count), int(spilled), int(fitting[name])) for name, count, spilled in _KERNEL.findall(metadata)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rocm", required=True, help="a folder with ROCm's headers and device libraries")
    parser.add_argument("--clang", default="clang++")
    parser.add_argument("--arch", default="gfx942")
    parser.add_argument("--threads", type=int, default=256)
    parser.add_argument("--counts", type=int, nargs="+", default=[1, 2, 3, 4, 8, 16, 32])
    chosen = parser.parse_args()
    for count in (0, *chosen.counts):
        bounds = f"{chosen.threads}, {count}" if count else str(chosen.threads)
        kernels = measured(chosen.clang, chosen.rocm, chosen.arch, bounds)
        if not count:
            print(f"{'':10}", *(f"{name:>13}" for name in kernels))
        print(f"{bounds:10}", *(f"{'/'.join(map(str, numbers)):>13}" for numbers in kernels.values()), flush=True)


if __name__ == "__main__":
    main()
