"""Variables that command lines set, and what they are set to."""

from __future__ import annotations

from hipify_py.build_systems.commands.cmake_variables import translate_flags_of_cmake
from hipify_py.build_systems.commands.compilers import to_hipcc
from hipify_py.build_systems.commands.options import translate_options_in_value
from hipify_py.build_systems.commands.places import translate_paths
from hipify_py.build_systems.commands.site import Site
from hipify_py.build_systems.commands.toolkit import ROCM_PATH, holds_nvcc
from hipify_py.build_systems.commands.variables import Variables
from hipify_py.build_systems.shell_words import Word, assigned


def translate_assignment(site: Site, word: Word, variables: Variables) -> None:
    """Translate a variable that a command sets, with its value."""
    name = assigned(word)
    if not name:
        return
    if name in variables.kept:
        detail = "it holds a CUDA path on Windows; HIP_PATH has the path of the HIP SDK"
        site.file.finding("HIP605", site.at(word.start), name, detail)
    elif name in variables.environment:
        site.replace(word.start, word.start + len(name), ROCM_PATH)
        site.file.converted(site.at(word.start), name, "environment")
    translate_paths(site, word, variables)
    if holds_nvcc(word.text.partition("=")[2]):
        to_hipcc(site, word)
    elif name in variables.flags:
        translate_options_in_value(site, word, for_cuda=True)
    elif name in variables.cmake_flags:
        translate_flags_of_cmake(site, word)


def translate_printed(site: Site, word: Word, variables: Variables) -> None:
    """`echo "CUDA_HOME=…" >> "$GITHUB_ENV"` sets a variable."""
    name = assigned(word)
    start = word.quotes[0].start if word.quotes and word.quotes[0].start == word.start + 1 else word.start
    if variables.is_renamed(name) and site.shell.data.startswith(f"{name}=".encode(), start):
        site.replace(start, start + len(name), ROCM_PATH)
        site.file.converted(site.at(start), name, "environment")
