"""Translates CUDA programs, compiles the result with g++ for a wavefront of 32 or 64 lanes, and runs it on the CPU."""

from __future__ import annotations

import atexit
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
FAILED = 86
"""The exit status of a program that the emulation stopped: a mask check, a deadlock, a divergent barrier."""

_FLAGS = ("-std=c++17", "-O0", "-g1", "-w", "-fno-omit-frame-pointer", "-fno-extern-tls-init", "-fno-pie")
_FINDING = re.compile(r"^(.+?):(\d+):(\d+): (error|warning) (HIP\d+) (.*)$", re.MULTILINE)
_UNTYPED_KERNEL = re.compile(
    r"(\bhipLaunch(?:Cooperative)?Kernel\s*\(\s*)"
    r"(?:\(\s*(?:const\s+)?void\s*\*\s*\)|reinterpret_cast\s*<\s*(?:const\s+)?void\s*\*\s*>)"
)
"""A kernel given as `void *`: the emulation wants its type, since it has no kernel's description to look up."""

_ENDLESS_WHILE = re.compile(r"\bwhile\s*\(\s*(?:true|1)\s*\)")
_ENDLESS_FOR = re.compile(r"(\bfor\s*\([^;(){}]*;)\s*(?:true|1)?\s*;")
"""Loops without a condition: g++ would jump from anywhere in the body to its start, and lanes would not wait for each
other at the end of a round."""

_HIP_HEADER = re.compile(r"^\s*#\s*include\s*<hip/hip_runtime\.h>", re.MULTILINE)
"""What a source must include itself before it gets the precompiled header, which has to come first."""

_UNDEFINED_THREAD_LOCAL = re.compile(r"\bTLS\s+GLOBAL\s+\w+\s+UND\s+(\S+)")
_ADDRESS = re.compile(r"\[0x([0-9a-f]+)\]")
_DYNAMIC_SHARED_BYTES = 160 * 1024


@dataclass(frozen=True)
class Finding:
    """A warning or an error of the translation."""

    path: str
    line: int
    severity: str
    id: str
    message: str


@dataclass(frozen=True)
class Outcome:
    """What a program did: its exit status, its output, and what the emulation or the program had to say."""

    status: int
    output: str
    messages: str


class CompilationError(Exception):
    """g++ did not take the translated program."""


def why_not() -> str:
    """Why this machine cannot run the emulation; empty where it can."""
    if platform.machine() not in ("x86_64", "AMD64") or sys.platform != "linux":
        return "the emulation is written for Linux on x86-64"
    missing = [tool for tool in ("g++", "readelf", "addr2line") if shutil.which(tool) is None]
    return f"there is no {' and no '.join(missing)} on this machine" if missing else ""


def translate(source: Path, target: Path, options: Sequence[str] = ()) -> list[Finding]:
    """Convert a file or a folder into the folder `target`, and return the warnings and errors.

    Raises:
        subprocess.CalledProcessError: where the conversion itself failed.
    """
    target.mkdir(parents=True, exist_ok=True)
    output = target / source.name if source.is_file() else target
    command = [sys.executable, "-m", "hipify_py", "convert", str(source), "-o", str(output), *options]
    run = subprocess.run(command, cwd=HERE.parents[1], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        raise subprocess.CalledProcessError(run.returncode, command, run.stdout, run.stderr)
    return [
        Finding(match[1], int(match[2]), match[4], match[5], match[6])
        for match in _FINDING.finditer(run.stdout + run.stderr)
    ]


def build(folder: Path, sources: Iterable[str], lanes: int, flags: Sequence[str] = ()) -> Path:
    """Compile HIP sources of a folder to a program for wavefronts of so many lanes.

    Raises:
        CompilationError: with the compiler's messages.
    """
    work = folder / f"build-{lanes}"
    prepared = work / "source"
    _prepare(folder, prepared)
    objects = [str(_runtime(lanes))]
    for name in sources:
        result = work / f"{name.replace('/', '-')}.o"
        text = (prepared / name).read_text(encoding="utf-8", errors="surrogateescape")
        first = ["-include", "hip/hip_runtime.h"] if _HIP_HEADER.search(text) else []
        instrumented = [*_instrumented(lanes), "-I", str(_precompiled(lanes)), "-I", str(HERE / "include"), *flags]
        _compile([*instrumented, *first, "-x", "c++", "-c", name, "-o", str(result)], prepared)
        objects.append(str(result))
    objects += _dynamic_shared_memory(objects, work)
    program = work / "program"
    _compile(["-no-pie", *objects, "-o", str(program), "-pthread"], work)
    return program


def execute(program: Path, arguments: Sequence[str] = (), *, timeout: float = 300, steps: int | None = None) -> Outcome:
    """Run a program that `build` made.

    Args:
        program: the file.
        arguments: what it is called with.
        timeout: seconds after which it is ended, for what never reaches a step of the emulation.
        steps: how many steps the wavefronts of a block may take before they count as deadlocked.
    """
    environment = {**os.environ} | ({} if steps is None else {"HIP_EMULATION_STEPS": str(steps)})
    run = subprocess.run(
        [str(program), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout,
        check=False,
    )
    return Outcome(run.returncode, run.stdout, _with_lines(program, run.stderr))


def _prepare(folder: Path, target: Path) -> None:
    """Copy the files of a folder, with what the emulation wants written otherwise; every line stays where it is."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_dir() or name.parts[0].startswith("build-"):
            continue
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        text = _UNTYPED_KERNEL.sub(r"\1", text)
        text = _ENDLESS_WHILE.sub("while (emulation::again())", text)
        text = _ENDLESS_FOR.sub(r"\1 emulation::again();", text)
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(text, encoding="utf-8", errors="surrogateescape")


def _compile(arguments: list[str], folder: Path) -> None:
    run = subprocess.run(["g++", *arguments], cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    if run.returncode != 0:
        raise CompilationError(run.stderr)


def _instrumented(lanes: int) -> list[str]:
    return [*_FLAGS, "-fsanitize-coverage=trace-pc", f"-DHIP_EMULATION_LANES={lanes}"]


@cache
def _precompiled(lanes: int) -> Path:
    """A folder with HIP's header, compiled once a process: most of what g++ reads of a small program."""
    folder = Path(tempfile.mkdtemp(prefix="hip-emulation-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    header = folder / "hip" / "hip_runtime.h"
    header.parent.mkdir()
    header.symlink_to(HERE / "include" / "hip" / "hip_runtime.h")
    flags = [*_instrumented(lanes), "-I", str(HERE / "include")]
    _compile([*flags, "-x", "c++-header", str(header), "-o", f"{header}.gch"], folder)
    return folder


@cache
def _runtime(lanes: int) -> Path:
    """The scheduler's object file, compiled once a process."""
    folder = Path(tempfile.mkdtemp(prefix="hip-emulation-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    result = folder / "runtime.o"
    flags = ["-std=c++17", "-O2", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-fno-pie"]
    flags += [f"-DHIP_EMULATION_LANES={lanes}", "-I", str(HERE / "include")]
    _compile([*flags, "-c", str(HERE / "runtime.cpp"), "-o", str(result)], folder)
    return result


def _dynamic_shared_memory(objects: list[str], work: Path) -> list[str]:
    """An object that defines what the sources declare as `extern __shared__`: one place under all the names."""
    run = subprocess.run(["readelf", "-sW", *objects], capture_output=True, text=True, check=True)
    names = sorted(set(_UNDEFINED_THREAD_LOCAL.findall(run.stdout)))
    if not names:
        return []
    lines = ['.section .tbss,"awT",@nobits', ".balign 256"]
    for name in names:
        lines += [f".globl {name}", f".type {name}, @object", f"{name}:"]
    source = work / "dynamic_shared.s"
    source.write_text(
        "\n".join([*lines, f".skip {_DYNAMIC_SHARED_BYTES}", '.section .note.GNU-stack,"",@progbits', ""])
    )
    result = work / "dynamic_shared.o"
    _compile(["-c", str(source), "-o", str(result)], work)
    return [str(result)]


def _with_lines(program: Path, messages: str) -> str:
    """The messages with the lines of the source in place of addresses; frames of the emulation itself are left out."""
    addresses = sorted(set(_ADDRESS.findall(messages)))
    if not addresses:
        return messages
    command = ["addr2line", "-e", str(program), *addresses]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    places = dict(zip(addresses, run.stdout.splitlines(), strict=True))

    def line(match: re.Match[str]) -> str:
        path, _, number = places[match[1]].split(" ")[0].rpartition(":")
        inside = path.startswith((str(HERE), "/usr")) or not number.isdecimal()
        return "" if inside else f"{os.path.basename(path)}:{number}"

    return re.sub(r" {2,}(?=\S)|(?<=\S) {2,}", " ", _ADDRESS.sub(line, messages))
