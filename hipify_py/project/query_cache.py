"""Asks single files of a project for facts that the others need; an earlier run's answers are not recomputed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from hipify_py.core.options import Options
from hipify_py.core.project_context import ProjectContext, Question
from hipify_py.frontend.unit import Unit
from hipify_py.project.content_facts import FileFacts
from hipify_py.project.faults import Faults
from hipify_py.project.query import Answer, Query
from hipify_py.project.results_cache.keys import Keys, canonical, content_digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hipify_py.project.query_pool import QueryPool


_Answer = TypeVar("_Answer")
_Details = ParamSpec("_Details")

_LEAST = 50_000
"""Bytes of files; fewer are read before processes for them would have started."""

_MOST_READ = 1_000_000
"""Bytes of files whose trees are kept for the next question; all that is known of them takes fifty times as much."""

Read = Callable[[bytes, str, ProjectContext, "Unit | None"], Unit]
"""Makes the unit of a content and a path with its context; the last argument is an earlier unit of the same file."""


class QueryCache:
    """The answers of files, which are read if the answers are not known.

    An answer depends on the file's path and content, the options, the file's context, the details of the question, and
    the file names that were looked up on the way (see `Keys`).
    """

    def __init__(
        self,
        options: Options,
        facts: FileFacts,
        text: Callable[[str], bytes],
        read: Read,
        jobs: int = 1,
        *,
        faults: Faults | None = None,
        are_asked_once: bool = False,
    ) -> None:
        """`text` gives a file's content; `facts` holds what is known about contents; `jobs` processes may read files.

        A file that cannot be examined answers as an empty one would, and is added to `faults`. With `are_asked_once`,
        files are released at once: their trees take up much memory.
        """
        self._facts = facts
        self._text = text
        self._reader = _Reader(text, read, are_asked_once=are_asked_once)
        self._keys = Keys(b"", options)
        self._asked: dict[str, tuple[ProjectContext, bytes]] = {}
        self._jobs = jobs
        self._faults = facts.faults if faults is None else faults
        self._elsewhere: QueryPool | None = None

    def get(
        self,
        question: Callable[Concatenate[Unit, _Details], _Answer],
        path: str,
        project: ProjectContext,
        *details: _Details.args,
        **more: _Details.kwargs,
    ) -> _Answer:
        """What a function finds in a file with its context; `marshal` must be able to write it."""
        query = Query(question, path, project, details, more)
        found: _Answer = self._faults.ask(path, lambda: self._answer(query), lambda: self._reader.of_nothing(query))
        return found

    def _answer(self, query: Query) -> Any:
        key = self._key_of(query)
        known = self._facts.answer(key, query.project)
        if known is not None:
            return known[0]
        if self._elsewhere is None:
            found, asked = self._reader(query)
        else:
            found, asked = self._elsewhere.get(key, query, len(self._text(query.path)))
        self._facts.keep_answer(key, found, asked, query.project)
        return found

    def prefetch(self, queries: Iterable[Query]) -> None:
        """Announce questions: if other processes can answer them, they start to do so."""
        unknown = [
            (key, query, len(self._text(query.path)))
            for query, key in ((query, self._key_of(query)) for query in queries if self._jobs > 1)
            if self._facts.answer(key, query.project) is None
        ]
        unknown.sort(key=lambda one: -one[2])
        if self._elsewhere is None:
            sizes = {query.path: size for _, query, size in unknown if query.path not in self._reader.units}
            if len(sizes) < 2 or sum(sizes.values()) < _LEAST:
                return
            # The first answer loads and compiles what all later processes share, including those of the tasks.
            _, first, _ = unknown.pop()
            self._faults.ask(first.path, lambda: self._answer(first), lambda: None)
            from hipify_py.project.query_pool import QueryPool  # importing it loads multiprocessing

            self._elsewhere = QueryPool(min(self._jobs, len(sizes)), self._reader)
        for key, query, size in unknown:
            self._elsewhere.prefetch(key, query, size)

    def close(self) -> None:
        """End the processes that read files."""
        if self._elsewhere is not None:
            self._elsewhere.close()
            self._elsewhere = None

    def _key_of(self, query: Query) -> bytes:
        """The key of a question and of all inputs to its answer."""
        question, path, project, details, more = query
        return content_digest(
            self._key(path, project) + canonical((question.__module__, question.__qualname__, details, more))
        )

    def _key(self, path: str, project: ProjectContext) -> bytes:
        """The key of a file and its context; requested many times in a row."""
        known = self._asked.get(path)
        if known is None or known[0] is not project:
            known = self._asked[path] = project, self._keys.key(path, "", self._text(path), project)
        return known[1]


class _Reader:
    """Reads files and answers questions about them.

    Attributes:
        units: the files that were read, by path; in a large project, the last of them.
    """

    def __init__(self, text: Callable[[str], bytes], read: Read, *, are_asked_once: bool) -> None:
        self._text = text
        self._read = read
        self._are_asked_once = are_asked_once
        self.units: dict[str, Unit] = {}
        self._size = 0
        """Bytes of the units' contents."""

    def __call__(self, query: Query) -> Answer:
        unit = self._unit(query.path, query.project)
        found = query.question(unit, *query.details, **query.more)
        assert unit.project.asked is not None, "every unit is made to note it"
        if self._are_asked_once:
            self.units.clear()
            self._size = 0
        return found, unit.project.asked

    def of_nothing(self, query: Query) -> Any:
        """The answer of an empty file with the same path."""
        unit = self._read(b"", query.path, query.project._replace(asked={}), None)
        return query.question(unit, *query.details, **query.more)

    def __reduce__(self) -> tuple[Any, ...]:
        """A worker that is not a copy of this process reads the files itself."""
        return partial(_Reader, are_asked_once=self._are_asked_once), (self._text, self._read)

    def _unit(self, path: str, project: ProjectContext) -> Unit:
        """A file with its context; parsed once, whatever the context is."""
        known = self.units.get(path)
        if known is None or known.project._replace(asked=None) != project:
            asked: dict[Question, Any] = {}
            noting = project._replace(asked=asked)
            if known is not None:
                self._release(path)  # and put it behind the others
            known = self.units[path] = self._read(self._text(path), path, noting, known)
            self._size += len(known.source.data)
            while self._size > _MOST_READ and len(self.units) > 1:
                self._release(next(iter(self.units)))
        return known

    def _release(self, path: str) -> None:
        self._size -= len(self.units.pop(path).source.data)
