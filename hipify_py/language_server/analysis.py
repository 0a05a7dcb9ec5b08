"""What is found in the open documents: computed in a thread of its own, and kept until something changes it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import NamedTuple, TypeVar

from pygls.exceptions import JsonRpcException

from hipify_py.catalog import TableError, load_catalog
from hipify_py.core.diff import unified_diff
from hipify_py.core.edits import apply
from hipify_py.core.findings import Finding
from hipify_py.core.source import Source
from hipify_py.core.translation import OUTCOMES, Counts
from hipify_py.frontend.lexer import Lexemes
from hipify_py.language_server.documents import Document, Documents
from hipify_py.language_server.settings import EditorSettings, Reader, Settings, SettingsError, SettingsOfFiles
from hipify_py.project.errors import PlanError
from hipify_py.project.paths import is_within
from hipify_py.project.result import UNCHANGED, FileResult
from hipify_py.project.unsaved import UnsavedFiles
from hipify_py.translator.translate import lexer

Answer = TypeVar("Answer")


class ContentModified(JsonRpcException):
    """A document has changed while a request about it was answered (LSP 3.17, `ContentModified`)."""

    CODE = -32801
    MESSAGE = "the document has changed meanwhile"


class Analysis:
    """What is found in one state of a document.

    Attributes:
        document: the document.
        settings: how it was processed; None if it was not.
        result: the result of its file.
        others: results about other files: those that could not be examined.
        seen: the paths of the files that were read.
        problem: why it could not be processed; None if it was, or if it is not for us.
    """

    def __init__(
        self,
        document: Document,
        settings: Settings | None = None,
        results: Sequence[FileResult] = (),
        seen: frozenset[str] = frozenset(),
        problem: SettingsError | None = None,
    ) -> None:
        self.document = document
        self.settings = settings
        self.result = results[0] if results else FileResult(document.path, UNCHANGED)
        self.others = [*results[1:]]
        self.seen = seen
        self.problem = problem

    @property
    def findings(self) -> Sequence[Finding]:
        """What a porter has to look at, in the order of the text."""
        return self.result.findings

    @property
    def counts(self) -> Counts:
        """The references to CUDA symbols by outcome."""
        return self.result.counts

    @cached_property
    def source(self) -> Source:
        """The text with its lines."""
        return Source(self.document.text.data, self.document.path)

    @cached_property
    def lexemes(self) -> Lexemes:
        """The lexemes of the text."""
        return lexer(load_catalog()).scan(self.document.text.data)

    @cached_property
    def translation(self) -> bytes:
        """The HIP source."""
        return apply(self.document.text.data, self.result.edits)

    def diff(self, root: str) -> bytes:
        """The change from CUDA to HIP as a unified diff, which names the file as seen from a folder above it."""
        path = self.document.path
        path = os.path.relpath(path, root) if is_within(path, root) else os.path.basename(path)
        return unified_diff(self.document.text.data, self.result.edits, path, path)

    def severities(self) -> dict[str, int]:
        """How many findings there are of each severity."""
        found: dict[str, int] = {}
        for finding in self.findings:
            found[finding.severity] = found.get(finding.severity, 0) + 1
        return found

    def coverage(self) -> dict[str, object]:
        """The counts as plain data, with the findings by severity."""
        return {
            **dict(zip(OUTCOMES, self.counts, strict=True)),
            "total": self.counts.total,
            "coverage": round(self.counts.coverage, 4),
            "findings": self.severities(),
        }


class _Running(NamedTuple):
    document: Document
    task: asyncio.Task[Analysis]


class Analyses:
    """Analyses of the open documents, one of each; they run one after the other, in a thread of their own."""

    def __init__(self, documents: Documents, read_settings: Reader) -> None:
        self.editor = EditorSettings()
        self._documents = documents
        self._settings = SettingsOfFiles(read_settings)
        self._files = UnsavedFiles()
        self._worker = ThreadPoolExecutor(1, "hipify-py")
        self._running: dict[str, _Running] = {}

    async def of(self, document: Document) -> Analysis:
        """The analysis of a document in its present state.

        Raises:
            ContentModified: if the document changes before the analysis is there.
        """
        while self._documents.get(document.uri) is document:
            running = self._running.get(document.uri)
            if running is None or running.document is not document:
                self.drop(document.uri)
                task = asyncio.ensure_future(self._analyse(document))
                running = self._running[document.uri] = _Running(document, task)
            try:
                return await asyncio.shield(running.task)
            except asyncio.CancelledError:
                if not running.task.cancelled() or self._running.get(document.uri) is running:
                    raise  # the request is called off, or the server ends
        raise ContentModified

    def drop(self, uri: str) -> None:
        """Forget the analysis of a document; one that has not begun will not begin."""
        running = self._running.pop(uri, None)
        if running is not None:
            running.task.cancel()

    def drop_all(self) -> None:
        """Forget everything that is kept, settings included."""
        for uri in [*self._running]:
            self.drop(uri)
        self._settings.clear()

    def drop_readers(self, path: str) -> list[Document]:
        """Forget the analyses that have read a file, and return their documents."""
        found = []
        for uri, (document, task) in [*self._running.items()]:
            if document.path != path and (not task.done() or (not task.cancelled() and _has_read(task, path))):
                self.drop(uri)
                found.append(document)
        return found

    async def run(self, work: Callable[[], Answer]) -> Answer:
        """Do other work in the same thread: our code is not for several threads."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    def close(self) -> None:
        """End the thread after what it does now."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    async def _analyse(self, document: Document) -> Analysis:
        if document.is_foreign or not (document.is_meant and self.editor.enable):
            return Analysis(document)
        contents, options = self._documents.contents(), self.editor.options
        contents[document.path] = document.text.data
        return await self.run(lambda: self._translated(document, options, contents))

    def _translated(self, document: Document, options: Sequence[str], contents: dict[str, bytes]) -> Analysis:
        settings: Settings | None = None
        try:
            settings = self._settings.of(document.path, options)
            results, seen = self._files.translate(document.path, settings.group, contents)
            return Analysis(document, settings, settings.without_known(results), seen)
        except SettingsError as error:
            return Analysis(document, settings, problem=error)
        except (TableError, PlanError) as error:
            config = settings.config if settings is not None else ""
            return Analysis(document, settings, problem=SettingsError(str(error), config))


def _has_read(task: asyncio.Task[Analysis], path: str) -> bool:
    return task.exception() is not None or path in task.result().seen
