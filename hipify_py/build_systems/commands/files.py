"""Files that commands name: libraries of CUDA's, files that get other names, and what changes the toolkit itself."""

from __future__ import annotations

import re

from hipify_py.build_systems.commands.reading import found_in
from hipify_py.build_systems.commands.site import Site
from hipify_py.build_systems.commands.toolkit import TOOLKIT
from hipify_py.build_systems.renames import folder_of, masked, new_spelling
from hipify_py.build_systems.shell_words import Command, Word
from hipify_py.core.project_context import ProjectContext, renamed_endings

_VARIABLE = re.compile(r"\$\{[^{}]*\}|\$\w+|\$\([^()]*\)")
_SHARED_LIBRARY = re.compile(r".*/lib(\w+?)\.so(?:\.\*)?")


def translate_renamed_file(site: Site, word: Word, project: ProjectContext) -> None:
    """Follow a file that gets another name."""
    if not word.is_plain or not renamed_endings(project):
        return
    unknown = [(match.start(), match.end()) for match in _VARIABLE.finditer(word.text)]
    folder = folder_of(site.file.source.path)
    spelled = new_spelling(project, folder, word.text, masked(word.text, unknown))
    if spelled is not None and spelled != word.text:
        site.replace(word.start, word.end, spelled)


def translate_library_file(site: Site, word: Word) -> None:
    """A library of CUDA's by its path, in a command that is no compiler's."""
    match = _SHARED_LIBRARY.fullmatch(word.text) if word.is_plain else None
    library = site.file.facts.libraries.get(match[1]) if match is not None else None
    if match is not None and library is not None and library.library and not library.imported:
        start = word.start + len(word.text[: match.start(1)].encode("utf-8", "surrogateescape"))
        site.replace(start, start + len(match[1]), library.library)
        site.file.converted(site.at(start), match[1], "library")


def translate_change_of_files(site: Site, command: Command, project: ProjectContext) -> None:
    """A command that installs the toolkit or takes it away is none for ROCm."""
    for word in command.words[1:]:
        match = next(iter(found_in(TOOLKIT, site.shell, word)), None)
        if match is not None:
            named = match[0].decode("utf-8", "surrogateescape")
            detail = "the command changes the toolkit itself; ROCm is installed in /opt/rocm"
            site.file.finding("HIP605", site.at(match.start()), named, detail)
        else:
            translate_renamed_file(site, word, project)
