"""Where the toolkit is: the variables that name its place, and paths into its folder."""

from __future__ import annotations

import re

from hipify_py.build_systems.commands.reading import REFERENCE, found_in, is_quoted
from hipify_py.build_systems.commands.site import Site
from hipify_py.build_systems.commands.toolkit import HIPCC, ROCM, ROCM_PATH, TOOLKIT
from hipify_py.build_systems.commands.variables import Variables
from hipify_py.build_systems.shell_words import Word

_BELOW = re.compile(rb"[\"']?(/lib64|/bin/nvcc)(?![\w.-])")


def translate_references(site: Site, word: Word, variables: Variables) -> None:
    """Rename the variables that name CUDA's place."""
    data = site.shell.data
    for match in found_in(REFERENCE, site.shell, word):
        group = 1 if match[1] else 2
        name = match[group].decode()
        if not variables.is_renamed(name) or is_quoted(word, match.start()):
            continue
        site.replace(match.start(group), match.end(group), ROCM_PATH)
        site.file.converted(site.at(match.start(group)), name, "environment")
        behind = match.end() + (data[match.end() : match.end() + 1] == b"}")
        _below(site, behind, word.end)


def translate_paths(site: Site, word: Word, variables: Variables) -> None:
    """Write paths into ROCm in place of those into the toolkit; and bare names of variables."""
    for match in found_in(TOOLKIT, site.shell, word):
        site.replace(match.start(), match.end(), ROCM)
        site.file.converted(site.at(match.start()), match[0].decode("utf-8", "surrogateescape"), "path")
        _below(site, match.end(), word.end)
    if word.is_plain and variables.is_renamed(word.text):
        site.replace(word.start, word.end, ROCM_PATH)
        site.file.converted(site.at(word.start), word.text, "environment")


def _below(site: Site, at: int, end: int) -> None:
    """Translate what follows the toolkit's folder in a path."""
    match = _BELOW.match(site.shell.data, at, end)
    if match is not None:
        site.replace(match.start(1), match.end(1), "/lib" if match[1] == b"/lib64" else f"/bin/{HIPCC}")
