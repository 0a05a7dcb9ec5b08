"""Containers that command lines start: their images, and how they get the GPUs."""

from __future__ import annotations

import re
from typing import NamedTuple

from hipify_py.build_systems.commands.site import Site
from hipify_py.build_systems.environment_facts import environment_facts
from hipify_py.build_systems.shell_words import Command, Word
from hipify_py.core.targeting import NEWEST_ROCM, Targeting, version

# Base images of containers: `nvidia/cuda:12.4.1-devel-ubuntu22.04` and AMD's counterparts.

_REGISTRY = "docker.io/"
_EXACT_VERSION = re.compile(r"\d+\.\d+(?:\.\d+)?")


class Image(NamedTuple):
    """What becomes of an image.

    Attributes:
        hip: the image that replaces it; empty if there is none.
        advice: what to do if there is none; empty if the image is not one of NVIDIA's.
    """

    hip: str = ""
    advice: str = ""


def image_for(image: str, targeting: Targeting) -> Image:
    """What AMD has for an image, by the name in a `FROM` or a CI file."""
    facts = environment_facts()
    name, _, tag = _without_digest(image).rpartition(":") if ":" in _last(image) else (_without_digest(image), "", "")
    plain = name.removeprefix(_REGISTRY)
    if name not in facts.cuda_images and plain not in facts.cuda_images:
        return Image(advice=_advice(plain, tag))
    return Image(_amds(tag, targeting)) if _amds(tag, targeting) else Image(advice=facts.other_images["nvidia/cuda"])


def _last(image: str) -> str:
    return image.rpartition("/")[2]


def _without_digest(image: str) -> str:
    return image.partition("@")[0]


def _amds(tag: str, targeting: Targeting) -> str:
    """AMD's image for one of NVIDIA's tags; empty if there is none for its operating system and the chosen ROCm."""
    facts = environment_facts()
    system = next((row for ending, row in facts.systems.items() if tag.endswith(ending)), None)
    rocm = targeting.rocm or NEWEST_ROCM
    if system is None or version(rocm) < version(system.first):
        return ""
    if system.last and version(rocm) > version(system.last):
        return ""
    forms = [form for first, form in facts.tags.items() if version(first) <= version(rocm)]
    return f"{system.image}:{forms[-1].format(rocm)}" if forms else ""


def _advice(name: str, tag: str) -> str:
    """What to look at for an image without an exact replacement."""
    facts = environment_facts()
    if name.startswith(("pytorch/", "tensorflow/")) and not _is_for_cuda(name, tag):
        return ""
    for known, advice in facts.other_images.items():
        if name == known or name.startswith((f"{known}/", f"{known}-")) or _is_versioned(name, known):
            return advice
    return "it is an image for NVIDIA's GPUs" if name.startswith("nvcr.io/nvidia/") else ""


def _is_for_cuda(name: str, tag: str) -> bool:
    return "cuda" in name or "cuda" in tag or "gpu" in tag or tag.startswith("cu1")


def _is_versioned(name: str, known: str) -> bool:
    """Whether a name is a known one with a version: `pytorch/conda-cuda12.1` is an image of `pytorch/conda-cuda`."""
    return name.startswith(known) and _EXACT_VERSION.fullmatch(name[len(known) :]) is not None


CONTAINERS = frozenset({"docker", "podman", "nvidia-docker", "nvidia-docker2", "nerdctl"})
"""The programs that start containers."""

_NVIDIAS = "nvidia-docker"
_OPTIONS = ("--gpus", "--runtime=nvidia", "--nv")
_DEVICES = "pass AMD GPUs with --device=/dev/kfd --device=/dev/dri --group-add video"


def translate_container(site: Site, command: Command, name: str) -> None:
    """Translate the images of a command, and report its options for NVIDIA's GPUs.

    Args:
        site: where the command is.
        command: the command.
        name: the program's name, without its folder.
    """
    for word in command.words[1:]:
        if word.text.startswith(_OPTIONS):
            site.file.left("HIP644", site.at(word.start), word.text, "option", _DEVICES)
        elif word.is_plain:
            translate_image(site, word)
    if name.startswith(_NVIDIAS):
        site.file.left("HIP644", site.at(command.words[0].start), name, "tool", _DEVICES)


def translate_image(site: Site, word: Word) -> None:
    """Translate an image's name, or report one of NVIDIA's without a counterpart from AMD."""
    found = image_for(word.text, site.file.options.targeting)
    if found.hip:
        site.file.converted(site.at(word.start), word.text, "image")
        site.replace(word.start, word.end, found.hip)
    elif found.advice:
        site.file.left("HIP641", site.at(word.start), word.text, "image", found.advice)
