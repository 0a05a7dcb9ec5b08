"""Reports what a Python program uses of packages that AMD GPUs lack: whole packages, names in them, and arguments."""

from __future__ import annotations

from hipify_py.build_systems.expressions import ATTRIBUTE, CALL, IMPORT, KEYWORD, NAME, STRING, Node
from hipify_py.build_systems.python.script import Script
from hipify_py.core.translation import UNSUPPORTED, Reference
from hipify_py.embedded.imports import Imports
from hipify_py.embedded.packages import packages

_PACKAGE, _NAME, _INSTALL, _PTX = "HIP241", "HIP242", "HIP243", "HIP201"
_NUMBA, _ITS_DECORATOR = "numba.cuda", "cuda.jit"
_BINDINGS = ("cuda.bindings", "cuda.cuda", "cuda.cudart", "cuda.nvrtc")


class PackageFindings:
    """The findings of one program; each package and each name is reported once."""

    def __init__(self, file: Script, imports: Imports) -> None:
        self._file = file
        self._imports = imports
        self._packages = packages()
        self._told: set[str] = set()

    def report(self) -> None:
        """Add the findings to the file."""
        self._imported()
        for node in self._file.nodes:
            if node.kind == CALL:
                self._call(node)
            elif node.kind in {NAME, ATTRIBUTE}:
                self._name(node)
        self._bindings()

    def _tell(self, id: str, node: Node, name: str, detail: str) -> None:
        if name not in self._told:
            self._told.add(name)
            self._file.finding(id, node.start, name, detail)

    def _imported(self) -> None:
        """Report packages that have no counterpart, at their first import."""
        for package, advice in self._packages.lacking.items():
            places = self._imports.of(package)
            if not places and package == _NUMBA:  # a star, or another module, may have imported it
                places = [node for node in self._file.nodes if node.kind == ATTRIBUTE and node.text == _ITS_DECORATOR]
            for place in places[:1]:
                self._tell(_PACKAGE, place, package, advice)

    def _call(self, node: Node) -> None:
        """Report arguments that AMD GPUs do not allow, and PTX in a kernel of Triton."""
        if node.called in self._packages.assembly:
            self._file.finding(_PTX, node.start, node.called, "Triton hands it to the assembler of NVIDIA GPUs")
        for argument in node.arguments:
            row = self._packages.arguments.get(argument.text) if argument.kind == KEYWORD else None
            value = argument.value
            if row is None or node.called not in row.of or value is None or self._file.text_of(value) == "False":
                continue
            if not row.endings or (value.kind == STRING and value.text.endswith(row.endings)):
                self._tell(_NAME, argument, argument.text, row.advice)

    def _name(self, node: Node) -> None:
        """Report a name that a package lacks on AMD GPUs."""
        if node.parent is not None and node.parent.kind in {ATTRIBUTE, IMPORT}:
            return
        name = self._imports.whole_name(node.text)
        advice = self._packages.names.get(name)
        if advice is not None:
            self._tell(_NAME, node, name, advice)
            return
        for package, instead in self._packages.lacking.items():
            if name.startswith(f"{package}."):
                self._tell(_PACKAGE, node, package, instead)

    def _bindings(self) -> None:
        """Report the functions of CUDA that AMD's `cuda.bindings` lacks, and where that package is."""
        imported = [node for module in _BINDINGS for node in self._imports.of(module)]
        if not imported:
            return
        for node in self._file.nodes:
            name = node.text.rpartition(".")[2] if node.kind in {NAME, ATTRIBUTE} else ""
            if name in self._packages.bindings and name not in self._told:
                row = self._file.catalog.row(name.encode())
                advice = row.details.get("advice", "") if row is not None else ""
                self._tell(_NAME, node, name, advice or "AMD's cuda.bindings does not have it")
                self._file.references.append(Reference(node.start, name, self._file.library, "function", UNSUPPORTED))
        first = min(imported, key=lambda node: node.start)
        self._tell(_INSTALL, first, "cuda.bindings", "hip-python-interop")
