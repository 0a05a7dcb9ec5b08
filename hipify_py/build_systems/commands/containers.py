"""Containers that command lines start: their images, and how they get the GPUs."""

from __future__ import annotations

from hipify_py.build_systems.commands.site import Site
from hipify_py.build_systems.images import image_for
from hipify_py.build_systems.shell_words import Command, Word

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
