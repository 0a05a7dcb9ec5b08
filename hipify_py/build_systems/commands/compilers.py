"""Calls of compilers: nvcc, which hipcc replaces, and host compilers."""

from __future__ import annotations

from hipify_py.build_systems.commands.options import translate_options
from hipify_py.build_systems.commands.reading import environment_references
from hipify_py.build_systems.commands.site import Site
from hipify_py.build_systems.commands.toolkit import HIPCC, NVCC, TOOLKIT, is_nvcc
from hipify_py.build_systems.shell_words import Command, Word

_PLATFORM = "-D__HIP_PLATFORM_AMD__"
_PRINTS_VERSION = frozenset({"--version", "-V"})


def translate_call_of_nvcc(site: Site, command: Command) -> None:
    """Translate a call of nvcc, by its name or by a variable."""
    called = command.words[0]
    if is_nvcc(command.name):
        to_hipcc(site, called)
    words = command.words[1:]
    for word in words:
        if word.text == "-V":  # of clang the version of GCC to run
            site.replace(word.start, word.end, "--version")
    if any(word.text in _PRINTS_VERSION for word in words) and _is_read(site, command):
        detail = "hipcc prints HIP's version in a different format"
        site.file.finding("HIP605", site.at(called.start), f"{command.name} --version", detail)
    translate_options(site, words, for_cuda=True)


def translate_call_of_host(site: Site, command: Command, *, compiles: bool) -> None:
    """Translate a call of a host compiler or linker: libraries, and the platform that HIP's headers ask for."""
    includes = [word for word in command.words[1:] if word.text.startswith(("-I", "-isystem"))]
    if compiles and any(_names_toolkit(site, word) for word in includes):
        called = command.words[0]
        site.replace(called.end, called.end, f" {_PLATFORM}")
    translate_options(site, command.words[1:], for_cuda=False)


def to_hipcc(site: Site, word: Word) -> None:
    """Write hipcc in place of nvcc; `translate_paths` handles a path into the toolkit."""
    data = site.shell.data
    site.file.converted(site.at(word.start), word.text, "compiler")
    if TOOLKIT.search(data, word.start, word.end) is not None:
        return
    at = data.rfind(NVCC.encode(), word.start, word.end)
    if at >= 0:
        site.replace(at, at + len(NVCC), HIPCC)


def _is_read(site: Site, command: Command) -> bool:
    """Whether the output of a command is the input of another, or replaces a word."""
    shell, end = site.shell, command.words[-1].end
    data = shell.data
    rest = data[end : min(end + 32, shell.end)].lstrip(b" \t")
    start = command.words[0].start
    is_within = data[max(0, start - 8) : start].rstrip().endswith((b"$(", b"`"))
    return is_within or (rest.startswith(b"|") and not rest.startswith(b"||")) or rest.startswith(b"2>&1 |")


def _names_toolkit(site: Site, word: Word) -> bool:
    data = site.shell.data
    if TOOLKIT.search(data, word.start, word.end) is not None:
        return True
    names = (name for _, name in environment_references(data, word.start, word.end))
    return any(name in site.file.facts.environment for name in names)
