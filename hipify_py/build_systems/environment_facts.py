"""What builds need besides the compiler, from `mappings/build/`: tools, container images and packages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hipify_py.catalog.loading import read_document
from hipify_py.catalog.places import mappings_dir
from hipify_py.core.targeting import NEWEST_ROCM, Targeting, version

_VERSION_VARIABLE = re.compile(r"\$\{[^{}]*\}|\$\w+|\$\(\w+\)")
_PINNED = re.compile(r"[=<>!~;@\s].*|\[.*", re.DOTALL)
_VERSION_ENDING = re.compile(r"(?:-[\d.*]+)+\Z")
_WHEELS_OF_CUDA = re.compile(r"download\.pytorch\.org/whl/(?:nightly/|test/)?cu\d|data\.pyg\.org/whl/\S*cu\d|\+cu\d\d")
_CUDA_ENDING = re.compile(r"[\d.]+x?\Z")


class System(NamedTuple):
    """An operating system for which AMD has images: the image, and the first and last version of ROCm in it."""

    image: str
    first: str
    last: str = ""


class EnvironmentFacts(NamedTuple):
    """The tables; the comments at their tops describe what they hold.

    Attributes:
        tools: CUDA's programs, with what to do in their place.
        silent: commands whose words are texts.
        asks: commands that are asked where a program is.
        host: host compilers and linkers.
        compiles: the compilers among them.
        cuda_images: names of NVIDIA's base images.
        systems: by the endings of their tags, operating systems for which AMD has images.
        tags: the form of AMD's tags, by the first version of ROCm that has it.
        other_images: images without an exact replacement, with what to look at.
        system_packages: packages for apt, yum and the like, with what ROCm's repositories have.
        own_packages: packages that none of AMD's images has.
        conda, pip, actions: packages and steps of CI, with what to do in their place.
        wheels: where PyTorch's wheels for ROCm are, without the version, and the versions that have wheels.
    """

    tools: Mapping[str, str]
    silent: frozenset[str]
    asks: frozenset[str]
    host: frozenset[str]
    compiles: frozenset[str]
    cuda_images: frozenset[str]
    systems: Mapping[str, System]
    tags: Mapping[str, str]
    other_images: Mapping[str, str]
    system_packages: Mapping[str, str]
    own_packages: frozenset[str]
    conda: Mapping[str, str]
    pip: Mapping[str, str]
    actions: Mapping[str, str]
    wheels: tuple[str, tuple[str, ...]]


@cache
def environment_facts() -> EnvironmentFacts:
    """The tables, read once per process.

    Raises:
        TableError: when one is missing or wrong.
    """
    folder = Path(mappings_dir(), "build")
    tools = read_document(folder / "tools.yaml")
    images = read_document(folder / "images.yaml")
    packages = read_document(folder / "packages.yaml")
    return EnvironmentFacts(
        {name: row["advice"] for name, row in tools["tools"].items()},
        frozenset(tools["silent"]),
        frozenset(tools["asks"]),
        frozenset(tools["host"]),
        frozenset(tools["compiles"]),
        frozenset(images["nvidia"]),
        {name: System(row["image"], row["from"], row.get("to", "")) for name, row in images["systems"].items()},
        {version: row["whole"] for version, row in images["tags"].items()},
        images["other"],
        {spelled: row["hip"] for name, row in packages["system"].items() for spelled in (name, *row.get("also", ()))},
        frozenset(name for name, row in packages["system"].items() if row.get("own")),
        packages["conda"],
        packages["pip"],
        packages["actions"],
        (packages["wheels"]["site"], tuple(packages["wheels"]["versions"])),
    )


def package_name(word: str) -> str:
    """A package's name without its version: `cuda-toolkit-12-4`, `libcudnn8-dev=8.9.7`, `nvidia::cuda-nvcc`."""
    name = _PINNED.sub("", _VERSION_VARIABLE.sub("", word.rpartition("::")[2]))
    return _VERSION_ENDING.sub("", name.rstrip("-")).rstrip("-").lower()


def pip_name(word: str) -> str:
    """The name of a wheel without its version and CUDA's version: `cupy-cuda12x`, `nvidia-cublas-cu12==12.1`."""
    name = _PINNED.sub("", word).lower().replace("_", "-")
    return _CUDA_ENDING.sub("", name)


def advice_on_package(word: str, manager: str, targeting: Targeting) -> str:
    """What to do about a package; empty for a package that is not one of CUDA's.

    Args:
        word: the package as it is named, with its version, or an address that packages come from.
        manager: `system`, `conda` or `pip`.
        targeting: the chosen versions.
    """
    facts = environment_facts()
    if manager == "system":
        hip = facts.system_packages.get(package_name(word), "")
        return f"use {hip} from ROCm's repositories" if hip else ""
    if manager == "conda":
        advice = facts.conda.get(package_name(word), "")
    else:
        advice = facts.pip.get(pip_name(word), "") or facts.pip.get(word.lower(), "")
    if not advice and manager == "pip" and _WHEELS_OF_CUDA.search(word):
        advice = "PyTorch for ROCm is at {index}"
    return advice.replace("{index}", _wheels(targeting))


def _wheels(targeting: Targeting) -> str:
    """Where PyTorch's wheels for a ROCm version are: those for the newest version that is not above it."""
    site, versions = environment_facts().wheels
    rocm = version(targeting.rocm or NEWEST_ROCM)
    known = [one for one in versions if version(one) <= rocm] or versions[:1]
    more = "" if version(known[-1]) == rocm else ", or at the URL there that ends with your ROCm version"
    return f"{site}{known[-1]}{more}"


def is_in_image(word: str, manager: str) -> bool:
    """Whether AMD's images with all of ROCm have what one of CUDA's packages is installed for."""
    return manager == "system" and package_name(word) not in environment_facts().own_packages
