"""Visual Studio projects: the line that shows that a project is built with CUDA."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn
from xml.parsers import expat  # document types, and so entities, are refused  # nosec B407

_COMPILE = "cudacompile"
_CUSTOMIZATION = "cuda "
_ENDINGS = (".props", ".targets")
_MARKS = (b"CudaCompile", b"CUDA ")


class _Elements:
    """Reads the elements one after the other; their names are compared ignoring case."""

    def __init__(self) -> None:
        self.line = 0
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._element
        self._parser.StartDoctypeDeclHandler = self._refuse

    def read(self, text: str) -> None:
        """Read a project, which may end early; raises `ExpatError` for anything but plain XML."""
        self._parser.Parse(text, False)

    def _element(self, tag: str, attributes: Mapping[str, str]) -> None:
        names = (
            value.replace("\\", "/").rpartition("/")[2].lower()
            for name, value in attributes.items()
            if name.lower() == "project"
        )
        is_cuda = tag.lower() == _COMPILE or any(
            name.startswith(_CUSTOMIZATION) and name.endswith(_ENDINGS) for name in names
        )
        if is_cuda and not self.line:
            self.line = self._parser.CurrentLineNumber

    def _refuse(self, *_: object) -> NoReturn:
        """Refuse document types: no project has one, and the entities that one declares may grow without end."""
        raise expat.ExpatError("a project with a document type")


def line_with_cuda(data: bytes) -> int:
    """The first line that passes a source to nvcc, or imports CUDA's build customization; 0 if there is none.

    A project that cannot be read names nothing: MSBuild cannot build it either.
    """
    if not any(mark in data for mark in _MARKS):
        return 0
    elements = _Elements()
    try:
        elements.read(data.decode("utf-8-sig", "replace"))
    except expat.ExpatError:
        return 0
    return elements.line
