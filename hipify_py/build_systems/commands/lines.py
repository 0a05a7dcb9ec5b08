"""Which command is which, and who takes it."""

from __future__ import annotations

from posixpath import basename

from hipify_py.build_systems.commands.cmake_variables import translate_call_of_cmake
from hipify_py.build_systems.commands.compilers import to_hipcc, translate_call_of_host, translate_call_of_nvcc
from hipify_py.build_systems.commands.containers import CONTAINERS, translate_container
from hipify_py.build_systems.commands.files import (
    translate_change_of_files,
    translate_library_file,
    translate_renamed_file,
)
from hipify_py.build_systems.commands.packages import report_download, translate_installation
from hipify_py.build_systems.commands.places import translate_paths, translate_references
from hipify_py.build_systems.commands.reading import commands_in, declared, ranges
from hipify_py.build_systems.commands.settings import translate_assignment, translate_printed
from hipify_py.build_systems.commands.site import Site
from hipify_py.build_systems.commands.toolkit import NVCC, is_nvcc, knows_rocm
from hipify_py.build_systems.commands.variables import Variables
from hipify_py.build_systems.environment_facts import environment_facts
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.shell_words import WORD, Command, ShellText, Word, assigned
from hipify_py.core.project_context import NO_PROJECT, ProjectContext

_CHANGING = frozenset({"ln", "rm", "mv", "mkdir", "rmdir", "chmod", "chown", "tar", "unzip", "update-alternatives"})
"""Commands that change what lies at a path."""

_CMAKE = "cmake"
_BUILDERS = frozenset({"make", "gmake", "ninja"})
"""Programs whose arguments set variables of build files."""


class CommandLines:
    """Translates the commands of a build file's texts.

    Attributes:
        file: the build file.
        project: what its project says of the names of its files.
        variables: what the texts say of their variables.
        has_rocm: the commands run where all of ROCm is installed, so that packages of CUDA's libraries are needless.
    """

    def __init__(self, file: BuildFile, project: ProjectContext = NO_PROJECT) -> None:
        self.file = file
        self.project = project
        self.facts = environment_facts()
        self.variables = Variables(file)
        self.has_rocm = False
        self._has_told_place = False

    def look(self, shell: ShellText) -> None:
        """Note which variables hold nvcc and its options, before anything is translated."""
        self.variables.look(shell)

    def knows_hip(self, shell: ShellText) -> bool:
        """The commands have a way for AMD GPUs already; a call of nvcc beside that is reported."""
        commands = list(commands_in(shell))
        words = [word for command in commands for word in (*command.words, *command.assignments)]
        own = next((word for word in words if knows_rocm(word.text)), None)
        if own is None:
            return False
        called = next((command.words[0] for command in commands if is_nvcc(command.name)), None)
        if called is not None:
            self.file.finding("HIP607", called.start, called.text, own.text)
        return True

    def setting(self, site: Site, word: Word) -> None:
        """Translate a word that sets a variable, or is a path."""
        translate_references(site, word, self.variables)
        if assigned(word):
            translate_assignment(site, word, self.variables)
        else:
            translate_paths(site, word, self.variables)

    def translate(self, site: Site) -> None:
        """Translate all commands of a text."""
        shell = site.shell
        for start, end in ranges(shell):
            for word in shell.words(start, end):
                if word.kind == WORD:
                    translate_references(site, word, self.variables)
        for command in commands_in(shell):
            self.command(site, command)

    def command(self, site: Site, command: Command) -> None:
        """Translate one command, but for the references in its words."""
        for word in (*command.assignments, *command.runners):
            translate_assignment(site, word, self.variables)
        if not command.words:
            return
        name = basename(command.name)
        self._has_told_place = self._has_told_place or report_download(site, command)
        if name in self.facts.silent:
            for word in command.words[1:]:
                translate_printed(site, word, self.variables)
        elif name in _CHANGING:
            translate_change_of_files(site, command, self.project)
        else:
            self._words(site, command, name)
            self._call(site, command, name)

    def _words(self, site: Site, command: Command, name: str) -> None:
        """Translate what means the same in the words of every command."""
        for word in command.words:
            translate_paths(site, word, self.variables)
            translate_renamed_file(site, word, self.project)
            if name not in self.facts.host:
                translate_library_file(site, word)
        for word in declared(command):
            translate_assignment(site, word, self.variables)

    def _call(self, site: Site, command: Command, name: str) -> None:
        """Translate what goes by the program that is called."""
        facts, arguments = self.facts, command.words[1:]
        if self.variables.calls_nvcc(command):
            translate_call_of_nvcc(site, command)
        elif name in facts.tools:
            self.file.left("HIP640", site.at(command.words[0].start), name, "tool", facts.tools[name])
        elif name in facts.asks or (command.runners and command.runners[-1].text == "-v"):
            for word in arguments:
                if word.text == NVCC:
                    to_hipcc(site, word)
        elif name in facts.host or self.variables.calls_host(command):
            translate_call_of_host(site, command, compiles=name not in facts.host or name in facts.compiles)
        elif name == _CMAKE:
            translate_call_of_cmake(site, command)
        elif name in _BUILDERS:
            for word in arguments:
                translate_assignment(site, word, self.variables)
        elif name in CONTAINERS:
            translate_container(site, command, name)
        else:
            translate_installation(site, command, name, has_rocm=self.has_rocm)
