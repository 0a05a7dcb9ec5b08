"""The documents that are open in the editor, each as an immutable state: a change makes another one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lsprotocol.types import (
    PositionEncodingKind,
    TextDocumentContentChangeEvent,
    TextDocumentContentChangePartial,
    TextDocumentItem,
)
from pygls.uris import from_fs_path, to_fs_path, uri_scheme

from hipify_py.build_systems.kinds import is_build_file
from hipify_py.embedded.host_files import kind_of_host, may_embed
from hipify_py.language_server.positions import Text
from hipify_py.project.discovery import is_source_name

_CUDA = frozenset({"cuda", "cuda-cpp", "cuda-c++"})
"""What editors call the language of CUDA files: Neovim and Emacs `cuda`, VS Code `cuda-cpp`."""

_SUFFIXES = {**dict.fromkeys(_CUDA, ".cu"), "c": ".c", "cpp": ".cpp", "hip": ".hip"}
"""The endings of documents that have no name yet, by language."""


class Document(NamedTuple):
    """A document at one of its versions.

    Attributes:
        uri: its name in the protocol.
        path: its file, which need not be there; empty for a document that is not a file of this machine.
        language: what the editor calls its language.
        version: the version that the editor counts.
        text: its text.
    """

    uri: str
    path: str
    language: str
    version: int
    text: Text

    @property
    def is_meant(self) -> bool:
        """Whether the text may be for hipify-py: a source, a build file or a host of kernels."""
        if not self.path:
            return False
        named = is_source_name(self.path) or is_build_file(self.path) or bool(kind_of_host(self.path))
        return named or self.language in _CUDA

    @property
    def is_foreign(self) -> bool:
        """Whether the text is in a language like Python, and has no GPU code."""
        kind = kind_of_host(self.path)
        return bool(kind) and not may_embed(self.text.data, kind)


class Documents:
    """The open documents, by URI."""

    def __init__(self, encoding: PositionEncodingKind | str, root: str) -> None:
        """`root` is the folder that documents without a file belong to."""
        self.encoding = encoding
        self.root = os.path.abspath(root)
        self._open: dict[str, Document] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter([*self._open.values()])

    def get(self, uri: str) -> Document | None:
        """The present state of an open document."""
        return self._open.get(uri)

    def opened(self, item: TextDocumentItem) -> Document:
        """Note that the editor has opened a document."""
        document = Document(
            item.uri,
            _path_of(item.uri, item.language_id, self.root),
            item.language_id,
            item.version,
            Text.of(item.text),
        )
        self._open[item.uri] = document
        return document

    def changed(self, uri: str, version: int, changes: Iterable[TextDocumentContentChangeEvent]) -> Document | None:
        """Note that a document has been edited; None if it is not open."""
        before = self._open.get(uri)
        if before is None:
            return None
        text = before.text
        for change in changes:
            if isinstance(change, TextDocumentContentChangePartial):
                text = text.changed(change.range, change.text, self.encoding)
            else:
                text = Text.of(change.text)
        document = self._open[uri] = before._replace(version=version, text=text)
        return document

    def closed(self, uri: str) -> Document | None:
        """Note that the editor has closed a document, and return its last state."""
        return self._open.pop(uri, None)

    def contents(self) -> dict[str, bytes]:
        """The texts by path, links in it followed or not: they take precedence over the files."""
        found = {}
        for document in self._open.values():
            if document.path:
                found[os.path.realpath(document.path)] = document.text.data
        return {**found, **{document.path: document.text.data for document in self._open.values() if document.path}}


def path_of(uri: str) -> str:
    """The file that a URI names; empty for one of another scheme."""
    path: str | None = to_fs_path(uri) if uri_scheme(uri) == "file" else None
    return os.path.normpath(path) if path else ""


def uri_of(path: str) -> str:
    """The URI of a file.

    Raises:
        ValueError: for a path that no URI can have.
    """
    uri: str | None = from_fs_path(path)
    if uri is None:
        raise ValueError(f"{path} has no URI")
    return uri


def _path_of(uri: str, language: str, root: str) -> str:
    if uri_scheme(uri) == "untitled" and language in _SUFFIXES:
        name = "".join(c if c.isalnum() else "-" for c in uri.partition(":")[2]) or "untitled"
        return os.path.join(root, name + _SUFFIXES[language])
    return path_of(uri)
