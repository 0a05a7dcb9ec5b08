"""Finds libclang, clang's own headers, CUDA's and HIP's, from files alone, without starting programs.

libclang reads nothing without the headers of exactly its release (its *resources*: `stddef.h`, vector types, the basis
of CUDA and HIP), and the one from PyPI contains none. CUDA's and HIP's headers are the installed ones, or else fetched
ones.
"""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.machinery import PathFinder
from typing import NamedTuple, Protocol, TypeVar

from hipify_py.catalog.installed import default_rocm, prefixes, read_version
from hipify_py.core.targeting import NEWEST_ROCM
from hipify_py.headers import places
from hipify_py.headers.places import FetchedSet, numbers

LIBRARY = "HIPIFY_PY_LIBCLANG"
"""The variable that names the libclang to use instead of the one found."""

OLDEST = 17
"""The oldest libclang that reads current headers of CUDA, ROCm and C++ libraries."""

FETCHED = "fetched"
"""The origin of headers from `fetch-headers`."""

_ROOT = "/"
_MOST = 1 << 16
_LIBRARIES = (
    "usr/lib/llvm-*/lib/libclang*.so*",
    "usr/lib/*-linux-gnu/libclang*.so*",
    "usr/lib64/libclang*.so*",
    "usr/lib64/llvm*/lib64/libclang*.so*",
    "usr/lib/libclang*.so*",
    "usr/local/lib/libclang*.so*",
    "opt/homebrew/opt/llvm*/lib/libclang.dylib",
    "usr/local/opt/llvm*/lib/libclang.dylib",
    "Library/Developer/CommandLineTools/usr/lib/libclang.dylib",
)
_OWN = {"win32": "libclang.dll", "darwin": "libclang.dylib"}
_LIBRARY_NAME = re.compile(r"libclang(?:-(?P<dashed>\d+))?\.(?:so(?:\.(?P<dotted>\d+(?:\.\d+)*))?|dylib|dll)")
_INTERFACES = (1, 13)
"""The number after `.so` if it is that of the interface, not of the release."""

_RESOURCES = ("clang", "../lib/clang", "../../clang")
"""Where a library's resources are, by release, relative to its folder."""

_SEARCHED = ("/usr/include", "/usr/local/include")
"""Folders that clang searches anyway; if named again, they would come before those of the C++ library."""


class Part(NamedTuple):
    """An available part.

    Attributes:
        path: the library's file; the folder for `-resource-dir`; the folder that holds CUDA's or HIP's `include`.
        version: its version as displayed, such as `18.1.8` or `12.9`.
        origin: where it comes from, in a few words: `fetched`, `PyPI`, `installed`, or the variable that names it.
    """

    path: str
    version: str
    origin: str


class Toolchain(NamedTuple):
    """The parts available for parsing; None for missing ones.

    Attributes:
        library: libclang, which Python's `clang.cindex` can load.
        resources: the headers of that libclang's release.
        cuda: CUDA's headers.
        hip: HIP's headers, with those of ROCm's libraries if they are installed.
        problems: what is installed but unusable, one sentence each.
    """

    library: Part | None
    resources: Part | None
    cuda: Part | None
    hip: Part | None
    problems: tuple[str, ...] = ()


def find_toolchain(
    environment: Mapping[str, str] | None = None, *, cuda: str | None = None, rocm: str | None = None
) -> Toolchain:
    """Find the parts.

    Args:
        environment: replaces that of this process.
        cuda: the CUDA version whose headers are wanted, as `"12.9"`; None selects the installed ones, else the newest.
        rocm: the same for ROCm; empty for the newest, None for the one that a run uses.
    """
    environment = os.environ if environment is None else environment
    fetched = [*places.fetched_sets(environment)]
    problems: list[str] = []
    library, resources = _library(environment, fetched, problems)
    if rocm is None:
        try:
            rocm = default_rocm(environment).version
        except ValueError:
            rocm = ""  # callers that need the default elsewhere report the error
    toolkits = [*_installed_cuda(environment), *_of(fetched, "cuda")]
    toolkits.sort(key=_is_among_others)  # one whose headers cannot be distinguished from the system's comes last
    cuda_part = nearest_of(toolkits, cuda)
    hip = nearest_of([*_installed_hip(environment), *_of(fetched, "hip")], rocm or NEWEST_ROCM)
    return Toolchain(library, resources, cuda_part, hip, (*problems,))


def include_folders(part: Part | None) -> tuple[str, ...]:
    """The folders for `-isystem` with CUDA's or HIP's headers; empty if clang searches there anyway."""
    if part is None:
        return ()
    include = os.path.join(part.path, "include")
    folders = (include, os.path.join(include, "cccl"))  # the place of Thrust and CUB in CUDA 13
    return tuple(folder for folder in folders if folder not in _SEARCHED and os.path.exists(folder))


def major(version: str) -> int:
    """The first number of a version; 0 if there is none."""
    return (numbers(version) or (0,))[0]


def bindings_folder() -> str:
    """The folder of Python's `clang` package; empty if there is none."""
    found = PathFinder.find_spec("clang")
    places_ = [*(found.submodule_search_locations or ())] if found is not None else []
    folders = [folder for folder in places_ if os.path.isfile(os.path.join(folder, "cindex.py"))]
    return folders[0] if folders else ""


def bindings_version(folder: str) -> str:
    """The version of PyPI's libclang in that folder; empty if it is not from there."""
    for path in glob.glob(os.path.join(glob.escape(os.path.dirname(folder)), "libclang-*.dist-info")):
        version = os.path.basename(path).removeprefix("libclang-").removesuffix(".dist-info")
        if numbers(version):
            return version
    return ""


def _library(
    environment: Mapping[str, str], fetched: Iterable[FetchedSet], problems: list[str]
) -> tuple[Part | None, Part | None]:
    """libclang and its resources: the newest that has resources, else the newest."""
    folder = bindings_folder()
    named = environment.get(LIBRARY, "")
    if named and not os.path.isfile(named):
        problems.append(f"{LIBRARY} names {named}, which is not a file")
        return None, None
    if not folder:
        return None, None
    if named:
        candidates = [Part(os.path.abspath(named), library_version(named), LIBRARY)]
    else:
        candidates = [*_candidates(environment, folder, problems)]
    fetched_resources = [Part(found.path, found.version, FETCHED) for found in fetched if found.side == "clang"]
    pairs = [(library, _resources(library, fetched_resources)) for library in candidates]
    best = max(pairs, key=lambda pair: (pair[1] is not None, numbers(pair[0].version)), default=None)
    if best is None:
        return None, None
    if best[1] is None and not best[0].version:
        problems.append(f"{best[0].path}: neither its name nor its folder shows its libclang version")
    elif best[1] is None and fetched_resources:
        problems.append(
            f"the fetched headers are for clang {fetched_resources[0].version}, but libclang has version "
            f"{best[0].version}: fetch its headers with `hipify-py fetch-headers`"
        )
    return best


def _candidates(environment: Mapping[str, str], folder: str, problems: list[str]) -> Iterator[Part]:
    """Libraries that the bindings can load: their own, and newer ones of the system."""
    version = bindings_version(folder)
    own = os.path.join(folder, "native", _OWN.get(sys.platform, "libclang.so"))
    if os.path.isfile(own):
        if version and major(version) < OLDEST:
            problems.append(f"libclang {version} is too old: upgrade it with `pip install --upgrade libclang`")
        else:
            yield Part(own, library_version(own), "PyPI")
    least = max(OLDEST, major(version))
    seen = set()
    for path in _system_libraries(environment):
        real = os.path.realpath(path)
        found = library_version(path)
        if major(found) >= least and (real, found) not in seen:
            seen.add((real, found))
            yield Part(path, found, "installed")


def _system_libraries(environment: Mapping[str, str]) -> Iterator[str]:
    patterns = [os.path.join(_ROOT, pattern) for pattern in _LIBRARIES]
    for prefix in prefixes(environment):
        if read_version(prefix):
            patterns += [
                os.path.join(glob.escape(prefix), *where, "lib", "libclang.so*")
                for where in (["llvm"], ["lib", "llvm"])
            ]
    if environment.get("CONDA_PREFIX"):
        patterns.append(os.path.join(glob.escape(environment["CONDA_PREFIX"]), "lib", "libclang*.*"))
    for pattern in patterns:
        for path in sorted(glob.glob(pattern)):
            if _LIBRARY_NAME.match(os.path.basename(path)):
                yield path


def library_version(path: str) -> str:
    """The version of a libclang, from PyPI, the resources next to it, its name or its folder; empty if unknown."""
    folder, native = os.path.split(os.path.dirname(os.path.abspath(path)))
    if native == "native" and bindings_version(folder):
        return bindings_version(folder)
    beside = [os.path.basename(folder) for folder in _resource_folders(path)]
    if len({major(name) for name in beside}) == 1:
        return max(beside, key=lambda name: len(numbers(name)))
    real = os.path.realpath(path)
    matches = [match for name in (real, path) if (match := _LIBRARY_NAME.match(os.path.basename(name)))]
    dashed = next((match["dashed"] for match in matches if match["dashed"]), "")
    for match in matches:
        dotted = match["dotted"] or ""
        if dotted and (major(dotted) == int(dashed) if dashed else major(dotted) not in _INTERFACES):
            return dotted
    prefix = re.search(r"llvm-?(\d+)", os.path.dirname(path))
    return dashed or (prefix[1] if prefix else "")


def _resources(library: Part, fetched: Iterable[Part]) -> Part | None:
    """The resources of a library: those next to it, or fetched ones of the same release."""
    for folder in _resource_folders(library.path):
        if major(os.path.basename(folder)) == major(library.version):
            return Part(folder, os.path.basename(folder), library.origin)
    return next((part for part in fetched if major(part.version) == major(library.version)), None)


def _resource_folders(path: str) -> list[str]:
    """The folders of resources next to a library, under its own name and that of its link target."""
    found = []
    for folder in dict.fromkeys((os.path.dirname(os.path.abspath(path)), os.path.dirname(os.path.realpath(path)))):
        for where in _RESOURCES:
            base = os.path.normpath(os.path.join(folder, where))
            try:
                names = os.listdir(base)
            except OSError:
                continue
            releases = [os.path.join(base, name) for name in sorted(filter(numbers, names), key=numbers, reverse=True)]
            found += [path for path in releases if os.path.isfile(os.path.join(path, "include", "stddef.h"))]
    return found


def _installed_hip(environment: Mapping[str, str]) -> Iterator[Part]:
    for prefix in prefixes(environment):
        version = read_version(prefix)
        if version and os.path.isfile(os.path.join(prefix, "include", "hip", "hip_runtime.h")):
            yield Part(prefix, version, _origin(prefix, environment, ("ROCM_PATH", "HIP_PATH")))


def _is_among_others(part: Part) -> bool:
    return os.path.join(part.path, "include") in _SEARCHED


def _installed_cuda(environment: Mapping[str, str]) -> Iterator[Part]:
    for prefix in _cuda_prefixes(environment):
        version = _cuda_version(prefix)
        if version:
            yield Part(prefix, version, _origin(prefix, environment, ("CUDA_PATH", "CUDA_HOME", "CONDA_PREFIX")))


def _cuda_prefixes(environment: Mapping[str, str]) -> Iterator[str]:
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        if environment.get(variable):
            yield environment[variable]
    if environment.get("CONDA_PREFIX"):
        yield os.path.join(environment["CONDA_PREFIX"], "targets", "x86_64-linux")
        yield environment["CONDA_PREFIX"]
    for folder in environment.get("PATH", "").split(os.pathsep):
        program = os.path.join(folder, "nvcc.exe" if sys.platform == "win32" else "nvcc")
        if os.path.isabs(program) and os.path.isfile(program):
            yield os.path.dirname(os.path.dirname(os.path.realpath(program)))
    local = os.path.join(_ROOT, "usr", "local")
    yield os.path.join(local, "cuda")
    try:
        names = os.listdir(local)
    except OSError:
        names = []
    versions = [(numbers(name.removeprefix("cuda-")), name) for name in names if name.startswith("cuda-")]
    yield from (os.path.join(local, name) for version, name in sorted(versions, reverse=True) if version)
    yield os.path.join(_ROOT, "usr")


def _cuda_version(prefix: str) -> str:
    """The version of the CUDA whose headers are below a prefix; empty if there are none."""
    path = os.path.join(prefix, "include", "cuda_runtime_api.h")
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            match = re.search(r"#define\s+CUDART_VERSION\s+(\d{4,5})\b", file.read(_MOST))
    except OSError:
        return ""
    return f"{int(match[1]) // 1000}.{int(match[1]) % 1000 // 10}" if match else ""


def _origin(prefix: str, environment: Mapping[str, str], variables: Iterable[str]) -> str:
    return next((variable for variable in variables if environment.get(variable) == prefix), "installed")


def _of(fetched: Iterable[FetchedSet], side: str) -> list[Part]:
    return [Part(found.path, found.version, FETCHED) for found in fetched if found.side == side]


class Versioned(Protocol):
    """Anything with a version."""

    @property
    def version(self) -> str:
        """Numbers separated by dots."""


Of = TypeVar("Of", bound=Versioned)


def nearest_of(those: Sequence[Of], wanted: str | None) -> Of | None:
    """The wanted version, else the next newer one, else the newest; the first one if no version is wanted."""
    if not wanted:
        return next(iter(those), None)
    return min(those, key=_distance(numbers(wanted)), default=None)


def _distance(wanted: tuple[int, ...]) -> Callable[[Versioned], tuple[int, tuple[int, ...]]]:
    def distance(one: Versioned) -> tuple[int, tuple[int, ...]]:
        have = numbers(one.version)[:2]
        if have >= wanted:
            return int(have != wanted), have
        return 2, tuple(-number for number in have)

    return distance
