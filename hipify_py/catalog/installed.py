"""Detects the installed ROCm, the default target of a run, from files; no program is started."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hipify_py.core.suggestions import did_you_mean
from hipify_py.core.targeting import NEWEST_CUDA, NEWEST_ROCM, OLDEST_ROCM, version

NEWEST_WORD = "newest"
"""The word for the newest ROCm in the tables, whatever is installed."""

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
"""Files in a prefix that contain its version: ROCm's own, and those of HIP, which has ROCm's numbers."""


class Installed(NamedTuple):
    """An installed ROCm.

    Attributes:
        version: its version, as `"6.4"`.
        prefix: the folder that it is installed in.
    """

    version: str
    prefix: str


class Default(NamedTuple):
    """The default target, where neither the command line nor a configuration has one.

    Attributes:
        version: the version; empty for the newest.
        why: the origin of it, in words; empty where it is the environment.
        installed: the ROCm that it was taken from; None where there is none, or where it is from the environment.
    """

    version: str
    why: str
    installed: Installed | None = None


def default_rocm(environment: Mapping[str, str] | None = None) -> Default:
    """The default ROCm: from the environment, or the installed one, or the newest.

    Raises:
        ValueError: the environment has a version that is not in the tables.
    """
    environment = os.environ if environment is None else environment
    requested = environment.get(VARIABLE, "")
    if requested:
        return Default(parse_rocm_version(requested), "")
    found = installed_rocm(environment)
    if found is None:
        return Default("", f"ROCm {NEWEST_ROCM}, the newest, because none is installed (choose with --rocm)")
    if _is_distributed(found, environment):
        # What a distribution packages is years behind, and seldom what the result is compiled with.
        also = f"the distribution's ROCm {found.version} in {_SYSTEM} is not considered"
        return Default("", f"ROCm {NEWEST_ROCM}, the newest; {also} (choose with --rocm)")
    if version(found.version) < version(OLDEST_ROCM):
        supported, why = OLDEST_ROCM, f"the oldest supported, because {found.version} is installed in {found.prefix}"
    elif version(found.version) > version(NEWEST_ROCM):
        supported, why = NEWEST_ROCM, f"the newest supported, because {found.version} is installed in {found.prefix}"
    else:
        supported, why = found.version, f"installed in {found.prefix}"
    return Default(supported, f"ROCm {supported}, {why} (choose with --rocm)", found)


def parse_rocm_version(text: str) -> str:
    """A version of ROCm as X.Y; empty for the word that means the newest.

    Raises:
        ValueError: it is not a version, or older or newer than those that the tables cover.
    """
    if text == NEWEST_WORD:
        return ""
    try:
        major, minor = version(text)
    except ValueError as error:
        raise ValueError(f"{error}, or {NEWEST_WORD}{did_you_mean(text, [NEWEST_WORD])}") from None
    if (major, minor) < version(OLDEST_ROCM):
        raise ValueError(f"{text} is older than {OLDEST_ROCM}, the oldest ROCm that the mapping tables cover")
    if (major, minor) > version(NEWEST_ROCM):
        raise ValueError(f"{text} is newer than {NEWEST_ROCM}, the newest ROCm that the mapping tables cover")
    return f"{major}.{minor}"


def parse_cuda_version(text: str) -> str:
    """A version of CUDA as X.Y; empty for the word that means the newest.

    Raises:
        ValueError: it is not a version, or newer than those that the tables cover.
    """
    if text == NEWEST_WORD:
        return ""
    try:
        major, minor = version(text, "12.6")
    except ValueError as error:
        raise ValueError(f"{error}, or {NEWEST_WORD}{did_you_mean(text, [NEWEST_WORD])}") from None
    if (major, minor) > version(NEWEST_CUDA):
        raise ValueError(f"{text} is newer than {NEWEST_CUDA}, the newest CUDA that the mapping tables cover")
    return f"{major}.{minor}"


def installed_rocm(environment: Mapping[str, str]) -> Installed | None:
    """The first ROCm with a version: by the environment, by the location of `hipconfig`, or in the default location.

    One that a distribution packages comes last.
    """
    found = [Installed(read_version(prefix), prefix) for prefix in prefixes(environment)]
    found.sort(key=lambda each: _is_distributed(each, environment))
    return next((each for each in found if each.version), None)


def prefixes(environment: Mapping[str, str]) -> Iterator[str]:
    """The folders in which ROCm may be installed, the likeliest first; they need not exist."""
    yield from _chosen_prefixes(environment)
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


def _is_distributed(found: Installed, environment: Mapping[str, str]) -> bool:
    """Whether the prefix is that of the system's packages, and the environment does not name it."""
    return found.prefix == _SYSTEM and _SYSTEM not in _chosen_prefixes(environment)


def _chosen_prefixes(environment: Mapping[str, str]) -> list[str]:
    """The folders that the environment names."""
    return [environment[name] for name in ("ROCM_PATH", "HIP_PATH") if environment.get(name)]


def installed_in(program: str) -> str:
    """The version of the ROCm with a program such as `/opt/rocm/bin/hipcc`, as `"6.4"`; empty where it is unknown."""
    return read_version(os.path.dirname(os.path.dirname(os.path.realpath(program)))) if program else ""


def read_version(prefix: str) -> str:
    """The version of the ROCm in a folder, as `"6.4"`; empty where it is unknown."""
    for evidence in _EVIDENCE:
        path = os.path.join(prefix, *evidence.split("/"))
        if not os.path.isfile(path):
            continue
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read(_MOST)
        except OSError:
            continue
        numbers = _numbers(text.strip()) if evidence.startswith(".info") else _macro_values(text)
        if numbers:
            return "{}.{}".format(*numbers)
    return ""


def _numbers(text: str) -> tuple[int, ...]:
    """The first two numbers of `6.4.1-83`; none where the text does not begin so."""
    parts = text.split("-", maxsplit=1)[0].split(".")[:2]
    if len(parts) == 2 and all(part.isdecimal() and len(part) < 5 for part in parts):
        return int(parts[0]), int(parts[1])
    return ()


def _macro_values(text: str) -> tuple[int, ...]:
    """The values of `HIP_VERSION_MAJOR` and `HIP_VERSION_MINOR` in a header or a file of settings."""
    values: dict[str, str] = {}
    for line in text.splitlines():
        words = line.replace("#define", " ").replace("=", " ").split()
        if len(words) == 2 and words[1].isdecimal():
            values.setdefault(words[0], words[1])
    return _numbers(f"{values.get('HIP_VERSION_MAJOR')}.{values.get('HIP_VERSION_MINOR')}")
