"""Packages that command lines install, and where on the network CUDA comes from."""

from __future__ import annotations

from hipify_py.build_systems.commands.site import Site, drop_words
from hipify_py.build_systems.environment_facts import advice_on_package, is_in_image
from hipify_py.build_systems.shell_words import Command, Word

_MANAGERS = {
    **dict.fromkeys(("apt-get", "apt", "aptitude", "yum", "dnf", "microdnf", "tdnf", "zypper"), "system"),
    **dict.fromkeys(("conda", "mamba", "micromamba"), "conda"),
    **dict.fromkeys(("pip", "pip3", "uv", "pipx"), "pip"),
}
_PYTHONS = frozenset({"python", "python3"})
_INSTALLING = frozenset({"install", "add", "create", "reinstall", "localinstall", "update", "sync"})
_NVIDIAS_PLACE = "developer.download.nvidia.com"
_AMDS_PLACE = "ROCm's repositories are at https://repo.radeon.com; AMD's images already contain ROCm"


def translate_installation(site: Site, command: Command, name: str, *, has_rocm: bool) -> None:
    """Report the packages of CUDA's that a command installs; those that ROCm's image has go.

    Args:
        site: where it stands.
        command: the command, of whatever program.
        name: the program's name, without its folder.
        has_rocm: the command runs where all of ROCm is installed.
    """
    words = list(command.words)
    if name in _PYTHONS and [word.text for word in words[1:3]] == ["-m", "pip"]:
        name, words = "pip", words[2:]
    manager = _MANAGERS.get(name)
    if manager is None or not any(word.text in _INSTALLING for word in words[1:]):
        return
    begins = next(n for n, word in enumerate(words) if n and word.text in _INSTALLING) + 1
    named = [n for n in range(begins, len(words)) if not words[n].text.startswith("-")]
    found: list[int] = []
    for n in named:
        advice = advice_on_package(words[n].text, manager, site.file.options.targeting)
        if advice and has_rocm and is_in_image(words[n].text, manager):
            found.append(n)
        elif advice:
            _left(site, words[n], advice)
    if found and len(found) < len(named):
        for n in found:
            site.file.converted(site.at(words[n].start), words[n].text, "package")
        drop_words(site, words, found)
    else:
        for n in found:
            _left(site, words[n], "the image contains all of ROCm: remove it")


def report_download(site: Site, command: Command) -> bool:
    """Report the first place on the network that CUDA comes from; True where a command names one."""
    for word in command.words:
        if _NVIDIAS_PLACE in word.text:
            site.file.left("HIP642", site.at(word.start), _NVIDIAS_PLACE, "package", _AMDS_PLACE)
            return True
    return False


def _left(site: Site, word: Word, advice: str) -> None:
    site.file.left("HIP642", site.at(word.start), word.text, "package", advice)
