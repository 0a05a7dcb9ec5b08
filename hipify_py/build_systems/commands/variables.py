"""What the variables of a file's command lines hold: compilers, their options, or where CUDA is."""

from __future__ import annotations

from posixpath import basename

from hipify_py.build_systems.commands.reading import commands_in, declared, referred
from hipify_py.build_systems.commands.toolkit import holds_nvcc, is_nvcc, is_windows_path
from hipify_py.build_systems.environment_facts import environment_facts
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.shell_words import Command, ShellText, assigned

_COMPILERS = frozenset({"NVCC", "CUDACXX"})
"""Variables that hold nvcc wherever they are set."""


class Variables:
    """What is known about the variables of a file.

    Attributes:
        environment: variables that name CUDA's place.
        compilers: variables that hold nvcc.
        hosts: variables that hold host compilers.
        flags: variables that hold options for nvcc.
        cmake_flags: variables that hold options for cmake.
        kept: variables that name CUDA's place and hold a Windows path.
    """

    def __init__(self, file: BuildFile) -> None:
        self.environment = file.facts.environment
        self.compilers: set[str] = set()
        self.hosts = {"CC", "CXX"}
        self.flags: set[str] = set()
        self.cmake_flags: set[str] = set()
        self.kept: set[str] = set()

    def look(self, shell: ShellText) -> None:
        """Note which variables hold nvcc and its options."""
        for command in commands_in(shell):
            self._note_values(command)
        for command in commands_in(shell):
            self._note_options(command)

    def calls_nvcc(self, command: Command) -> bool:
        """Whether a command calls nvcc by its name, or by a variable that holds it."""
        name = command.name
        return is_nvcc(name) or referred(name) in self.compilers or referred(name) in _COMPILERS

    def calls_host(self, command: Command) -> bool:
        """Whether a command calls a host compiler by a variable that holds it."""
        return referred(command.name) in self.hosts

    def is_renamed(self, name: str) -> bool:
        """Whether a variable names CUDA's place, and will name ROCm's."""
        return name in self.environment and name not in self.kept

    def _note_values(self, command: Command) -> None:
        for word in (*command.assignments, *declared(command)):
            value = word.text.partition("=")[2]
            if is_windows_path(value) and assigned(word) in self.environment:
                self.kept.add(assigned(word))
            if holds_nvcc(value):
                self.compilers.add(assigned(word))
            elif basename(value.rstrip("}").rpartition(":-")[2]) in environment_facts().compiles:
                self.hosts.add(assigned(word))

    def _note_options(self, command: Command) -> None:
        if self.calls_nvcc(command):
            found = self.flags
        elif command.name == "cmake":
            found = self.cmake_flags
        else:
            return
        for word in command.words[1:]:
            name = referred(word.text)
            if name:
                found.add(name)
