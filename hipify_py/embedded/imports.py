"""What a Python program imports."""

from __future__ import annotations

import re

from hipify_py.build_systems.expressions import IMPORT, Node
from hipify_py.build_systems.python.script import Script

_STATEMENT = re.compile(r"(?s)\s*(?:from\s+(?P<of>[\w.]+)\s+import\s+\(?(?P<names>.*)|import\s+(?P<modules>.*))")
_NAME = re.compile(r"\s*([A-Za-z_][\w.]*)(?:\s+as\s+(\w+))?")


class Imports:
    """The modules and names that a program imports, and under which names it has them."""

    def __init__(self, file: Script) -> None:
        self._places: dict[str, list[Node]] = {}
        self._modules: dict[str, str] = {}
        self._members: dict[str, tuple[str, str]] = {}
        for node in file.nodes:
            if node.kind == IMPORT:
                self._add(node, file.source.data[node.start : node.end].decode("utf-8", "replace"))

    def _add(self, node: Node, text: str) -> None:
        match = _STATEMENT.match(text)
        if match is None:
            return
        for part in (match["names"] or match["modules"]).split(","):
            name = _NAME.match(part)
            if name is None:
                continue
            own = name[2] or name[1]
            if match["of"]:
                dot = "" if match["of"].endswith(".") else "."
                whole = f"{match['of']}{dot}{name[1]}"
                self._members[own] = match["of"], name[1]
                self._modules[own] = whole
                self._places.setdefault(match["of"], []).append(node)
            else:
                whole = name[1]
                self._modules[own] = whole
            self._places.setdefault(whole, []).append(node)

    def of(self, package: str) -> list[Node]:
        """The statements that import something of a package, in order."""
        found = {
            node: None
            for name, nodes in self._places.items()
            if name == package or name.startswith(f"{package}.")
            for node in nodes
        }
        return sorted(found, key=lambda node: node.start)

    def whole_name(self, name: str) -> str:
        """A name with the module that it is imported from: `cupy.linalg.eig` for `cp.linalg.eig`."""
        first, dot, rest = name.partition(".")
        return f"{self._modules.get(first, first)}{dot}{rest}"

    def origin(self, name: str) -> tuple[str, str] | None:
        """The module that a name is imported from, and its name there; None for a name of the program itself.

        `kernels.SOURCE` is `SOURCE` of the module that is imported as `kernels`.
        """
        if name in self._members:
            return self._members[name]
        module, dot, member = name.rpartition(".")
        return (self._modules[module], member) if dot and module in self._modules else None
