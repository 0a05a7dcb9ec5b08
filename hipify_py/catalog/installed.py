"""Which ROCm is installed: what a run is for where nobody says. Files tell it; no program is started."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hipify_py.catalog.targeting import NEWEST_ROCM, OLDEST_ROCM, version

NEWEST_WORD = "newest"
"""Stands for the newest ROCm that the tables know, whatever is installed."""

VARIABLE = "HIPIFY_PY_ROCM"
"""A version, or the newest, in place of what is installed."""

_OPT, _SYSTEM = "/opt", "/usr"
_MOST = 1 << 16
_EVIDENCE = (
    ".info/version",
    "include/hip/hip_version.h",
    "share/hip/version",
    "bin/.hipVersion",
)
"""Files in a prefix that tell its version: ROCm's own, and those of HIP, which goes by ROCm's numbers."""


class Installed(NamedTuple):
    """A ROCm that is there.

    Attributes:
        version: its version, as `"6.4"`.
        prefix: the folder that it is installed in.
    """

    version: str
    prefix: str


class Default(NamedTuple):
    """What a run is for where neither the command line nor a configuration says.

    Attributes:
        version: the version; empty for the newest.
        why: where that comes from, in words; empty where the environment says it.
        installed: the ROCm that it was taken from; None where there is none, or the environment says.
    """

    version: str
    why: str
    installed: Installed | None = None


def default_rocm(environment: Mapping[str, str] | None = None) -> Default:
    """The ROCm to go by: what the environment says, or what is installed, or the newest.

    Raises:
        ValueError: when the environment says what is no version that the tables know.
    """
    environment = os.environ if environment is None else environment
    said = environment.get(VARIABLE, "")
    if said:
        return Default(known_version(said), "")
    found = installed_rocm(environment)
    if found is None:
        return Default("", f"ROCm {NEWEST_ROCM}, the newest: none is installed (--rocm chooses)")
    if version(found.version) < version(OLDEST_ROCM):
        oldest = f"ROCm {OLDEST_ROCM}, the oldest that is known: {found.version} is installed in {found.prefix}"
        return Default(OLDEST_ROCM, f"{oldest} (--rocm chooses)", found)
    return Default(found.version, f"ROCm {found.version}, as it is installed in {found.prefix} (--rocm chooses)", found)


def known_version(text: str) -> str:
    """A version of ROCm as X.Y; empty for the word that stands for the newest.

    Raises:
        ValueError: when it is none, or older than the tables know.
    """
    if text == NEWEST_WORD:
        return ""
    major, minor = version(text)
    if (major, minor) < version(OLDEST_ROCM):
        raise ValueError(f"{text} is older than {OLDEST_ROCM}, from which on the tables know ROCm")
    return f"{major}.{minor}"


def installed_rocm(environment: Mapping[str, str]) -> Installed | None:
    """The first ROCm that tells its version: by the environment, by where `hipconfig` is, or where it is by default."""
    for prefix in prefixes(environment):
        found = version_in(prefix)
        if found:
            return Installed(found, prefix)
    return None


def prefixes(environment: Mapping[str, str]) -> Iterator[str]:
    """The folders in which ROCm may be installed, the likeliest first; they need not exist."""
    for variable in ("ROCM_PATH", "HIP_PATH"):
        if environment.get(variable):
            yield environment[variable]
    ending = ".exe" if sys.platform == "win32" else ""
    for folder in environment.get("PATH", "").split(os.pathsep):
        program = os.path.join(folder, f"hipconfig{ending}")
        if os.path.isabs(program) and os.path.isfile(program):
            yield os.path.dirname(os.path.dirname(os.path.realpath(program)))
            break
    yield f"{_OPT}/rocm"
    try:
        names = os.listdir(_OPT)
    except OSError:
        names = []
    versions = [(*_numbers(name[5:]), name) for name in names if name.startswith("rocm-") and _numbers(name[5:])]
    yield from (f"{_OPT}/{name}" for *_, name in sorted(versions, reverse=True))
    yield _SYSTEM


def version_in(prefix: str) -> str:
    """The version of the ROCm in a folder, as `"6.4"`; empty where nothing tells it."""
    for evidence in _EVIDENCE:
        path = os.path.join(prefix, *evidence.split("/"))
        if not os.path.isfile(path):
            continue
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read(_MOST)
        except OSError:
            continue
        numbers = _numbers(text.strip()) if evidence.startswith(".info") else _defined(text)
        if numbers:
            return "{}.{}".format(*numbers)
    return ""


def _numbers(text: str) -> tuple[int, ...]:
    """The first two numbers of `6.4.1-83`; none where the text does not begin so."""
    parts = text.split("-", maxsplit=1)[0].split(".")[:2]
    if len(parts) == 2 and all(part.isdecimal() and len(part) < 5 for part in parts):
        return int(parts[0]), int(parts[1])
    return ()


def _defined(text: str) -> tuple[int, ...]:
    """What a header or a file of settings says of `HIP_VERSION_MAJOR` and `HIP_VERSION_MINOR`."""
    said: dict[str, str] = {}
    for line in text.splitlines():
        words = line.replace("#define", " ").replace("=", " ").split()
        if len(words) == 2 and words[1].isdecimal():
            said.setdefault(words[0], words[1])
    return _numbers(f"{said.get('HIP_VERSION_MAJOR')}.{said.get('HIP_VERSION_MINOR')}")
