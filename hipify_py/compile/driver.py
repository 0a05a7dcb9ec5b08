"""Finds hipcc and runs it over many sources at once."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

NO_HIPCC = (
    "no hipcc found on PATH, in HIP_PATH, ROCM_PATH, /opt/rocm* or /usr.\n"
    "Compiling needs no GPU. To get hipcc: `apt-get install hipcc` on Debian and Ubuntu,\n"
    "or AMD's ROCm packages (https://rocm.docs.amd.com)."
)


class Unit(NamedTuple):
    """A source to compile: the file that the compiler reads, and its own settings.

    Attributes:
        flags: its own flags.
        standard: the language standard, if the user names none.
        header: definitions to be included first.
    """

    path: str
    flags: tuple[str, ...] = ()
    standard: str = ""
    header: str = ""


class Compiled(NamedTuple):
    """The compiler's output for a unit."""

    unit: Unit
    status: int
    messages: str


def find_hipcc(environment: Mapping[str, str] | None = None) -> str | None:
    """The path of hipcc, or None."""
    environment = os.environ if environment is None else environment
    on_path = shutil.which("hipcc", path=environment.get("PATH", os.defpath))
    if on_path is not None:
        return on_path
    for folder in _homes(environment):
        candidate = os.path.join(folder, "bin", "hipcc")
        if os.access(candidate, os.X_OK):
            return candidate
    return None


def _homes(environment: Mapping[str, str]) -> Iterator[str]:
    for variable in ("HIP_PATH", "ROCM_PATH"):
        if environment.get(variable):
            yield environment[variable]
    try:
        found = sorted((name for name in os.listdir("/opt") if name.startswith("rocm")), reverse=True)
    except OSError:
        found = []
    yield from (os.path.join("/opt", name) for name in found)
    yield "/usr"


def compile_units(
    hipcc: str,
    units: Sequence[Unit],
    objects: str,
    *,
    arch: Sequence[str] = (),
    std: str | None = None,
    flags: Sequence[str] = (),
    jobs: int | None = None,
) -> Iterator[Compiled]:
    """Compile each unit to an object file, and yield the compiler's output in the order of the units.

    Args:
        objects: the folder that takes the object files.
        arch: GPU targets such as `gfx90a`; none leaves the choice to hipcc.
        jobs: compilers at a time; None takes all cores.
    """
    from concurrent.futures import ThreadPoolExecutor

    common = [f"--offload-arch={name}" for name in arch]
    common += [f"-std={std}"] if std else []
    # Where nvcc is installed too, hipcc would guess that NVIDIA is meant.
    environment = {"HIP_PLATFORM": "amd", **os.environ}

    def compile_one(numbered: tuple[int, Unit]) -> Compiled:
        number, unit = numbered
        target = os.path.join(objects, f"{number}.o")
        # An absolute path is never an option, whatever the file is called.
        source = os.path.abspath(unit.path)
        own = [f"-std={unit.standard}"] if unit.standard and not std else []
        if unit.header:
            definitions = os.path.join(objects, f"{number}.h")
            with open(definitions, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(unit.header)
            own += ["-include", definitions]
        command = [hipcc, *common, *own, *unit.flags, *flags, "-c", *_language(unit.path), source, "-o", target]
        return Compiled(unit, *running.wait_for(command, environment))

    running = _Compilers()
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        try:
            yield from pool.map(compile_one, enumerate(units))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            running.kill()
            raise


class _Compilers:
    """The compilers that are at work; they end with the run."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()

    def wait_for(self, command: Sequence[str], environment: Mapping[str, str]) -> tuple[int, str]:
        """Run one, and return its exit status and output."""
        pipe = subprocess.PIPE
        with subprocess.Popen(  # hipcc, with absolute paths (tests/robustness/test_file_names.py)  # nosec B603
            command, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe
        ) as process:
            self._running.add(process)
            try:
                output, messages = process.communicate()
            finally:
                self._running.discard(process)
        return process.returncode, (messages + output).decode("utf-8", "replace")

    def kill(self) -> None:
        for process in list(self._running):
            process.kill()


def _language(path: str) -> list[str]:
    """clang would take `.cu` for CUDA; and plain C calls the HIP runtime as C."""
    if path.endswith(".c"):
        return ["-D__HIP_PLATFORM_AMD__", "-x", "c"]
    return ["-x", "hip"]
