"""The build systems of projects: how to recognise and run each."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from hipify_py.compile.builds.running import Step
from hipify_py.compile.builds.targets import ask_for_targets
from hipify_py.project.paths import is_within


class Job(NamedTuple):
    """What is to be built.

    Attributes:
        source: the folder of the topmost build file; absolute.
        build: the folder for the output, if the system keeps it separate; absolute.
        arguments: what the user adds.
        arch: GPUs to build for; none leaves the choice to the project.
        jobs: how many things to do at a time.
        environment: the variables that the programs get.
        changed: the files that the conversion has changed; absolute.
    """

    source: str
    build: str
    arguments: Sequence[str]
    arch: Sequence[str]
    jobs: int
    environment: Mapping[str, str]
    changed: Collection[str] = ()


class System(NamedTuple):
    """A build system.

    Attributes:
        name: what the command line calls it.
        title: what people call it.
        files: names of files, one of which is in the topmost folder.
        programs: what has to be installed, each with a way to get it.
        steps: what is run; later steps are asked for when the earlier ones are done.
    """

    name: str
    title: str
    files: tuple[str, ...]
    programs: Mapping[str, str]
    steps: Callable[[Job], Iterator[Step]]


def _cmake(job: Job) -> Iterator[Step]:
    command = ["cmake", "-S", job.source, "-B", job.build]
    if job.arch:
        gpus = ";".join(job.arch)
        command += [f"-D{name}={gpus}" for name in ("CMAKE_HIP_ARCHITECTURES", "GPU_TARGETS", "AMDGPU_TARGETS")]
        command.append("--no-warn-unused-cli")
    ask_for_targets(job.build)
    yield Step("configuring", [*command, *job.arguments], job.source)
    native = {"Ninja": ["-k", "0"], "Unix Makefiles": ["-k", "-Otarget"]}.get(_generator(job.build), [])
    yield Step("building", ["cmake", "--build", job.build, "--parallel", str(job.jobs), "--", *native], job.source)


def _generator(build: str) -> str:
    """What CMake has made files for."""
    try:
        with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8", errors="replace") as file:
            generators = [line.rstrip("\n").partition("=")[2] for line in file if line.startswith("CMAKE_GENERATOR:")]
    except OSError:
        return ""
    return generators[0] if generators else ""


def _make(job: Job) -> Iterator[Step]:
    yield Step("building", ["make", "-k", "-Otarget", f"-j{job.jobs}", *job.arguments], job.source)


def _meson(job: Job) -> Iterator[Step]:
    if not os.path.exists(os.path.join(job.build, "build.ninja")):
        yield Step("configuring", ["meson", "setup", job.build, job.source, *job.arguments], job.source)
    yield Step("building", ["meson", "compile", "-C", job.build, f"-j{job.jobs}", "--ninja-args=-k0"], job.source)


def _scons(job: Job) -> Iterator[Step]:
    yield Step("building", ["scons", "-k", f"-j{job.jobs}", *job.arguments], job.source)


def _autotools(job: Job) -> Iterator[Step]:
    is_new = _has_to_make_configure(job)
    if is_new:
        yield Step("generating configure", _configure_maker(job.source), job.source)
    folder = job.build if _builds_apart(job.source) else job.source
    if is_new or not os.path.exists(os.path.join(folder, "config.status")):
        yield Step("configuring", ["sh", os.path.join(job.source, "configure"), *job.arguments], folder)
    yield Step("building", ["make", "-k", "-Otarget", f"-j{job.jobs}"], folder)


def _has_to_make_configure(job: Job) -> bool:
    """Whether there is no configure, or one that was made from what the conversion has changed since (SHOC)."""
    if not os.path.exists(os.path.join(job.source, "configure")):
        return True
    changed = [path for path in job.changed if is_within(path, job.source)]
    return any(path.endswith((*_INPUTS, ".m4")) for path in changed)


def _configure_maker(source: str) -> list[str]:
    """The command that makes configure: alone, if all that belongs to it is there and needs no Automake of its time."""
    is_complete = all(os.path.exists(os.path.join(source, name)) for name in ("configure", "aclocal.m4", "Makefile.in"))
    return ["autoconf", "-f"] if is_complete else ["autoreconf", "-fi"]


def _builds_apart(source: str) -> bool:
    """Whether make can run in another folder: a makefile that is written by hand has to look for its sources there."""
    if os.path.exists(os.path.join(source, "Makefile.am")):
        return True
    try:
        with open(os.path.join(source, "Makefile.in"), "rb") as file:
            text = file.read()
    except OSError:
        return True
    return b"VPATH" in text or b"srcdir" in text


def _python(job: Job) -> Iterator[Step]:
    python = shutil.which("python3", path=job.environment.get("PATH")) or sys.executable
    if os.path.exists(os.path.join(job.source, "setup.py")):
        yield Step("building", [python, "setup.py", "build", "--build-base", job.build, *job.arguments], job.source)
    else:
        wheel = [python, "-m", "pip", "wheel", "--no-deps", "--verbose", "--wheel-dir", job.build]
        yield Step("building", [*wheel, *job.arguments, job.source], job.source)


_INPUTS = ("configure.ac", "configure.in")
_MAKE = {"make": "apt-get install make"}

SYSTEMS = {
    system.name: system
    for system in (
        System("cmake", "CMake", ("CMakeLists.txt",), {"cmake": "apt-get install cmake, or pip install cmake"}, _cmake),
        System("meson", "Meson", ("meson.build",), {"meson": "pip install meson ninja"}, _meson),
        System("scons", "SCons", ("SConstruct", "Sconstruct", "sconstruct"), {"scons": "pip install scons"}, _scons),
        System(
            "autotools",
            "Autotools",
            ("configure", *_INPUTS),
            {**_MAKE, "autoreconf": "apt-get install autoconf automake libtool"},
            _autotools,
        ),
        System("python", "Python", ("setup.py", "pyproject.toml"), {}, _python),
        System("make", "Make", ("GNUmakefile", "makefile", "Makefile"), _MAKE, _make),
    )
}
"""By name; where a project has several, the first is taken."""


def systems_of(folder: str) -> list[System]:
    """The build systems whose files are in a folder, the preferred one first."""
    names = set(os.listdir(folder))
    return [system for system in SYSTEMS.values() if not names.isdisjoint(system.files)]


def missing_programs(system: System, job: Job) -> dict[str, str]:
    """The programs that a build needs and that are not there, each with a way to get it."""
    wanted = dict(system.programs)
    if system.name == "autotools" and os.path.exists(os.path.join(job.source, "configure")):
        del wanted["autoreconf"]
    path = job.environment.get("PATH")
    return {name: how for name, how in wanted.items() if shutil.which(name, path=path) is None}
