"""Examines what is installed: by files, and by the versions that programs print."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from hipify_py.catalog.installed import VARIABLE as ROCM_VARIABLE
from hipify_py.catalog.installed import default_rocm
from hipify_py.clang.toolchain import LIBRARY, Part, Toolchain, bindings_folder, find_toolchain
from hipify_py.clang.toolchain_packages import CUDA, HIP
from hipify_py.cli.doctor import trial
from hipify_py.cli.doctor.packages import CUDA as CUDA_TOOLKIT
from hipify_py.cli.doctor.packages import ROCM, install
from hipify_py.cli.fetch_headers import INSTALL
from hipify_py.compile.builds.rocm import DEFAULT_ARCH, has_gpu
from hipify_py.compile.driver import find_hipcc
from hipify_py.core.cache_files import cache_dir
from hipify_py.core.installation import VERSION
from hipify_py.core.targeting import NEWEST_ROCM
from hipify_py.headers.places import fetched_sets, folder_size, headers_dir
from hipify_py.report.text import plural

THERE, MISSING, BROKEN = "there", "missing", "broken"

FETCH = "hipify-py fetch-headers"

GRAMMARS = (
    "tree-sitter",
    "tree-sitter-cuda",
    "tree-sitter-cpp",
    "tree-sitter-python",
    "tree-sitter-toml",
)

_SYNTAX = "compile --syntax (errors, without hipcc)"
_SEMANTICS = "--semantics (settles doubts)"
_BOTH = f"{_SYNTAX}, {_SEMANTICS}"

_PATIENCE = 30
_VERSION = re.compile(r"(?:version:?|release)\s+(\d+(?:\.\d+)+)", re.IGNORECASE)

_LIBRARIES = ("hipblas", "hipcub", "hipfft", "hiprand", "hipsolver", "hipsparse", "rocprim", "thrust")
"""Folders of headers of ROCm's libraries."""

_SYSTEM = "/usr/include"
"""Where clang looks in any case."""


class Item(NamedTuple):
    """One thing that may be installed.

    Attributes:
        name: what it is.
        state: `THERE`, `MISSING` or `BROKEN`.
        adds: what it is needed for.
        get: the command that installs it; empty if it is installed and works.
        version: as far as it is known.
        origin: where it comes from, in a few words.
        path: where it is.
        problem: what is wrong with it.
    """

    name: str
    state: str
    adds: str
    get: str = ""
    version: str = ""
    origin: str = ""
    path: str = ""
    problem: str = ""


class Fact(NamedTuple):
    """A fact about this machine: `value` for `name`, and why."""

    name: str
    value: str
    why: str = ""


class Examination(NamedTuple):
    """All that was found.

    Attributes:
        version: that of hipify-py.
        python: Python, and the system.
        items: what may be installed.
        facts: facts about this machine.
        problems: what is installed but unusable, a sentence each.
    """

    version: str
    python: str
    items: list[Item]
    facts: list[Fact]
    problems: tuple[str, ...] = ()

    @property
    def works(self) -> bool:
        """All that is there does."""
        return not self.problems and all(item.state != BROKEN for item in self.items)


def examine(environment: Mapping[str, str], *, configuration: str = "", rocm: str = "") -> Examination:
    """Look at everything.

    Args:
        environment: the variables that decide what is found.
        configuration: the configuration's file; empty where there is none.
        rocm: the ROCm that it names.
    """
    parts = find_toolchain(environment, rocm=rocm or None)
    path = environment.get("PATH", os.defpath)
    tried = trial.try_parts(parts)
    items = [
        _library(parts, tried, environment),
        _part("clang's headers", parts.resources, tried.get(trial.RESOURCES), _BOTH, FETCH),
        _cpp(tried, path),
        _part("CUDA's headers", parts.cuda, tried.get(trial.CUDA), _SEMANTICS, FETCH, f"{FETCH} --cuda {CUDA}"),
        _part("HIP's headers", parts.hip, tried.get(trial.HIP), _SYNTAX, FETCH, f"{FETCH} --rocm {HIP}"),
        _libraries(parts.hip, path),
        *_programs(environment, path),
        *map(_grammar, GRAMMARS),
    ]
    facts = [_rocm(environment, configuration, rocm), _gpus(), *_places(environment, configuration)]
    python = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    return Examination(VERSION, python, items, facts, parts.problems)


def _library(parts: Toolchain, tried: Mapping[str, str], environment: Mapping[str, str]) -> Item:
    item = _part("libclang", parts.library, tried.get(trial.LIBRARY), _BOTH, INSTALL)
    named = environment.get(LIBRARY, "")
    if item.state == BROKEN and item.origin == LIBRARY:
        return item._replace(get=f"unset {LIBRARY}")
    if named and not os.path.isfile(named):
        return item._replace(
            state=BROKEN,
            path=named,
            problem=f"{LIBRARY} does not name a file",
            get=f"unset {LIBRARY}, or set it to the path of a libclang",
        )
    if parts.library is None and not bindings_folder():
        return item._replace(problem="the Python package clang, which every libclang needs, is not installed")
    return item


def _part(name: str, part: Part | None, wrong: str | None, adds: str, get: str, other: str = "") -> Item:
    """A part; `other` is the command that installs another one if this one does not work."""
    if part is None:
        return Item(name, MISSING, adds, get)
    state = BROKEN if wrong else THERE
    return Item(name, state, adds, (other or get) if wrong else "", part.version, part.origin, part.path, wrong or "")


def _cpp(tried: Mapping[str, str], path: str) -> Item:
    """clang finds the C++ library itself, so only a trial shows whether it is installed."""
    wrong = tried.get(trial.CPP)
    if wrong == "":
        return Item("C++ library", THERE, _BOTH, origin="installed")
    get = install(["c++"], path, "a C++ compiler")
    return Item("C++ library", MISSING, _BOTH, get, problem=wrong or "not tested, because libclang is missing")


def _libraries(hip: Part | None, path: str) -> Item:
    """The headers of ROCm's libraries, which no wheel brings."""
    name, adds = "headers of ROCm's libraries", f"{_SYNTAX}, for programs that include them"
    include = os.path.join(hip.path, "include") if hip is not None else os.devnull
    places = (include, _SYSTEM)
    lacking = [name for name in _LIBRARIES if not any(os.path.isdir(os.path.join(place, name)) for place in places)]
    if hip is not None and not lacking:
        return Item(name, THERE, adds, version=hip.version, origin=hip.origin, path=include)
    return Item(name, MISSING, adds, install(lacking, path, ROCM), problem=f"missing: {', '.join(lacking)}")


def _programs(environment: Mapping[str, str], path: str) -> Iterator[Item]:
    """Compilers: nothing but the commands that run them needs them."""
    for name, found, adds, otherwise in (
        ("hipcc", find_hipcc(environment), "compile, build (full checks)", ROCM),
        (
            "nvcc",
            shutil.which("nvcc", path=path),
            "header --to-cuda (one source for both vendors)",
            CUDA_TOOLKIT,
        ),
        ("clang", _clang(path), "a libclang with its own headers, newer than PyPI's", "https://releases.llvm.org"),
    ):
        get = install([name], path, otherwise)
        if found is None:
            yield Item(name, MISSING, adds, get)
            continue
        answer, wrong = _asked(found)
        state = BROKEN if wrong else THERE
        yield Item(name, state, adds, get if wrong else "", answer, "installed", found, wrong)


def _clang(path: str) -> str | None:
    """clang by its name, or the newest one with a version suffix."""
    found = shutil.which("clang", path=path)
    return found or next(filter(None, (shutil.which(f"clang-{n}", path=path) for n in range(40, 9, -1))), None)


def _asked(program: str) -> tuple[str, str]:
    """The version that a program prints, and what went wrong when it was started."""
    try:
        run = subprocess.run(  # a compiler by its absolute path  # nosec B603
            [os.path.abspath(program), "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return "", str(error)
    found = _VERSION.search(run.stdout)
    if run.returncode:
        return "", f"--version failed with exit status {run.returncode}"
    return (found[1] if found else ""), ""


def _grammar(name: str) -> Item:
    try:
        return Item(name, THERE, "translating", version=version(name), origin="installed")
    except PackageNotFoundError:
        return Item(name, BROKEN, "translating", "pip install hipify-py", problem="every installation should have it")


def _rocm(environment: Mapping[str, str], configuration: str, rocm: str) -> Fact:
    """The ROCm that is translated for, as commands without --rocm have it."""
    if rocm:
        return Fact("ROCm", rocm, f"set in {configuration}")
    try:
        default = default_rocm(environment)
    except ValueError as error:
        return Fact("ROCm", "none", f"{ROCM_VARIABLE}: {error}")
    why = default.why.partition(", ")[2]  # it begins with the version
    return Fact("ROCm", default.version or NEWEST_ROCM, why or f"set by {ROCM_VARIABLE}")


def _gpus() -> Fact:
    if has_gpu():
        return Fact("GPU targets", "those of this machine's GPUs", "found an AMD GPU (choose with --arch)")
    return Fact("GPU targets", DEFAULT_ARCH, "found no AMD GPU (choose with --arch)")


def _places(environment: Mapping[str, str], configuration: str) -> Iterator[Fact]:
    yield Fact("configuration", configuration or "none", "" if configuration else "here and in the folders above")
    for name, folder in (("cache", cache_dir()), ("fetched headers", headers_dir(environment))):
        files, size = folder_size(folder)
        yield Fact(name, folder, f"{plural(files, 'file')}, {size / 1e6:.1f} MB")
    names = [os.path.basename(found.path) for found in fetched_sets(environment)]
    yield Fact("fetched sets", ", ".join(sorted(names)) or "none")
