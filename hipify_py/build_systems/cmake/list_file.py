"""A list file that the rules of CMake translate: its commands and their words."""

from __future__ import annotations

from functools import cached_property

from hipify_py.build_systems.cmake.lexer import Argument, Command, ListFile
from hipify_py.build_systems.cmake.words import Word, words_of
from hipify_py.build_systems.file import BuildFile
from hipify_py.core.options import Options
from hipify_py.core.project_context import NO_PROJECT, BuildContext, ProjectContext
from hipify_py.core.source import Source

LIBRARY = "cmake"
"""The kind under which the names of CMake's files are counted."""


class CMakeFile(BuildFile):
    """A list file, or a file of presets, which has no commands.

    Attributes:
        read: its commands and comments.
        context: what the other list files of its project declare.
        project: what the project knows about the names of its files.
    """

    marks = b"# \t["

    def __init__(
        self,
        source: Source,
        read: ListFile,
        options: Options,
        context: BuildContext,
        project: ProjectContext = NO_PROJECT,
    ) -> None:
        statements = [(command.start, command.end) for command in read.commands]
        super().__init__(source, LIBRARY, options, read.comments, statements)
        self.read = read
        self.context = context
        self.project = project
        self.host_values: dict[str, tuple[int, set[bool]]] = {}
        """Variables that hold options for nvcc's host compiler: where, and whether as lists or as strings."""
        self.uses: dict[str, list[tuple[Command, int]]] | None = None
        """Where the values of variables go: commands and the numbers of their arguments; None until someone asks."""
        self._words: dict[int, list[Word]] = {}

    @property
    def commands(self) -> list[Command]:
        """The commands of the file, in their order."""
        return self.read.commands

    @cached_property
    def linked_targets(self) -> frozenset[str]:
        """The targets that the file links to anything."""
        linking = (command for command in self.commands if command.name == "target_link_libraries")
        return frozenset(command.words[0] for command in linking if command.words)

    def words(self, command: Command) -> list[Word]:
        """The words of a command's arguments."""
        found = self._words.get(command.start)
        if found is None:
            found = self._words[command.start] = words_of(self.source.data, command.arguments)
        return found

    @property
    def beginning(self) -> Command | None:
        """The command that begins the project: `project()`, or the end of the `if()` around it; None for modules."""
        depth, first = 0, None
        for command in self.commands:
            depth += (command.name == "if") - (command.name == "endif")
            if first is None and command.name == "project":
                first = command
            if first is not None and depth <= 0:
                return command
        return first

    def drop_command(self, command: Command) -> None:
        """Take a command out, and its line if nothing else is on it."""
        self.drop(command.start, command.end)

    def drop_argument(self, argument: Argument) -> None:
        """Take an argument out, with the blanks before it."""
        self.drop_word(argument.start, argument.end)
