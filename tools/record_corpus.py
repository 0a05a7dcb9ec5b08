"""Compiles the corpus with nvcc, runs it on an NVIDIA GPU, and records each program's output.

    python tools/record_corpus.py [--out DIR] [PROGRAM ...]

`DIR/<program>.txt` holds what the program printed; copy it to `corpus/<program>/expected.txt`. CUDA libraries
are taken from the toolkit or, where it lacks them, from the `nvidia-*` wheels of this Python.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

CORPUS = Path(__file__).resolve().parent.parent / "corpus"


def wheel_folders(name: str) -> list[Path]:
    """The folders called `name` (`include`, `lib`) of the installed nvidia wheels."""
    roots = [Path(entry) / "nvidia" for entry in sys.path if entry]
    return [folder for root in roots if root.is_dir() for folder in sorted(root.glob(f"*/{name}")) if folder.is_dir()]


def link_flags(flags: list[str]) -> list[str]:
    """`-lcublas` as the path of the wheel's library where one has it (wheels have no unversioned names)."""
    result = []
    for flag in flags:
        found = [
            path
            for folder in wheel_folders("lib")
            for path in sorted(folder.glob(f"lib{flag[2:]}.so*"))
            if flag.startswith("-l")
        ]
        result += ["-Xlinker", str(found[0])] if found else [flag]
    return result


def build_and_run(program: str, out: Path) -> str:
    """Compile and run one program; the line that sums it up."""
    folder = CORPUS / program
    about = yaml.safe_load((folder / "program.yaml").read_text())
    if not about.get("gpu"):
        return f"{program}: not for a GPU"
    with tempfile.TemporaryDirectory() as work:
        binary = str(Path(work) / program)
        includes = [flag for path in wheel_folders("include") for flag in ("-I", str(path))]
        rpaths = [flag for path in wheel_folders("lib") for flag in ("-Xlinker", f"-rpath={path}", "-L", str(path))]
        command = [
            "nvcc",
            "-std=c++17",
            "-arch=native",
            "-o",
            binary,
            *about["sources"],
            *link_flags(about.get("nvcc") or []),
            *includes,
            *rpaths,
        ]
        built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if built.returncode:
            return f"{program}: nvcc failed\n{built.stderr[-1500:]}"
        try:
            ran = subprocess.run([binary], capture_output=True, text=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            return f"{program}: did not end"
    (out / f"{program}.txt").write_text(ran.stdout)
    verdict = "ok" if ran.returncode == 0 else f"exit {ran.returncode}: {ran.stdout[-300:]} {ran.stderr[-300:]}"
    return f"{program}: {verdict}"


def main() -> int:
    """Record all programs, or those named; 1 when one of them fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/recorded"))
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    programs = arguments.programs or sorted(path.parent.name for path in CORPUS.glob("*/program.yaml"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        lines = list(pool.map(lambda program: build_and_run(program, arguments.out), programs))
    print("\n".join(lines))
    return int(any(not line.endswith((": ok", ": not for a GPU")) for line in lines))


if __name__ == "__main__":
    sys.exit(main())
