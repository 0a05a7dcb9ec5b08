"""Visual Studio projects: the line that shows that one is built with CUDA."""

from __future__ import annotations

from html.parser import HTMLParser

_COMPILE = "cudacompile"
_CUSTOMIZATION = "cuda "
_ENDINGS = (".props", ".targets")
_MARKS = (b"CudaCompile", b"CUDA ")


class _Elements(HTMLParser):
    """Reads the elements one after the other; a project is XML, whose names are compared here ignoring case."""

    def __init__(self) -> None:
        super().__init__()
        self.line = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = (
            value.replace("\\", "/").rpartition("/")[2].lower() for name, value in attrs if name == "project" and value
        )
        is_cuda = tag == _COMPILE or any(name.startswith(_CUSTOMIZATION) and name.endswith(_ENDINGS) for name in names)
        if is_cuda and not self.line:
            self.line = self.getpos()[0]


def line_with_cuda(data: bytes) -> int:
    """The first line that gives a source to nvcc, or imports CUDA's build customization; 0 where none does."""
    if not any(mark in data for mark in _MARKS):
        return 0
    elements = _Elements()
    elements.feed(data.decode("utf-8", "replace"))
    return elements.line
