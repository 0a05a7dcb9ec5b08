"""A script on its way through the rules: its nodes, and where its lists go."""

from __future__ import annotations

from functools import cached_property

from hipify_py.build_systems.expressions import CALL, OTHER, STATEMENT, Node, Read, walk
from hipify_py.build_systems.facts import table
from hipify_py.build_systems.file import BuildFile
from hipify_py.build_systems.python.flows import Flows
from hipify_py.build_systems.python.prefixed import prefixed
from hipify_py.core.options import Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.core.source import Source

BAZEL = "bazel"
"""What the names of Bazel's files are counted under."""


class Script(BuildFile):
    """A file in Python's syntax, or in one whose reader makes the same nodes.

    Attributes:
        project: what its project says of the names of files.
        root: its tree.
        nodes: all nodes, in the order of the text.
        answered: those of calls that ask nvcc for its version, which have been seen to.
        is_starlark: the file is Bazel's, whose lists have no `*`.
    """

    def __init__(self, source: Source, library: str, read: Read, options: Options, project: ProjectContext) -> None:
        super().__init__(source, library, options, read.comments, read.statements)
        self.project = project
        self.root = read.root
        self.broken = read.broken
        self.nodes: list[Node] = list(walk(read.root))
        self.answered: set[Node] = set()
        self.is_starlark = library == BAZEL
        self.script_facts = {key: frozenset(names) for key, names in table("python").items() if key != "source"}
        self.environment = self.facts.environment | self.script_facts["environment"]

    @cached_property
    def for_nvcc(self) -> Flows:
        """What nvcc gets as options."""
        return Flows(self.nodes, self._is_for_nvcc)

    @cached_property
    def libraries(self) -> Flows:
        """What is linked."""
        return Flows(self.nodes, self._names_libraries, prefixed(self.nodes, "-l"))

    def is_said(self, node: Node) -> bool:
        """It is told to people, or is a documentation string."""
        saying = self.script_facts["saying"]
        if node.parent is not None and node.parent.kind == STATEMENT:
            return True
        return any(
            (above.kind == CALL and above.called in saying) or (above.kind == OTHER and above.text in saying)
            for above in node.above()
        )

    def _is_for_nvcc(self, name: str) -> bool:
        return name in self.script_facts["option_names"] or "nvcc" in name.lower()

    def _names_libraries(self, name: str) -> bool:
        return name in self.script_facts["library_names"]
