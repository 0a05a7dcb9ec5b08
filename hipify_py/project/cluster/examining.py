"""What a worker of a cluster does: it works out the outcomes of sources, and touches no file of the project."""

from __future__ import annotations

import os
import pickle
import tempfile
import threading
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from hipify_py.core.installation import VERSION
from hipify_py.core.options import Options
from hipify_py.core.project_context import Question
from hipify_py.project.cluster.installation import installation
from hipify_py.project.contexts import ContextMap
from hipify_py.project.results_cache.entries import packed
from hipify_py.project.work import Task, outcome_of


class Briefing(NamedTuple):
    """The data shared by all sources of a run.

    Attributes:
        installation: the digest of the requesting hipify-py.
        tables: the user's own tables, which the workers' machines may lack.
        project: the contexts of the files.
    """

    installation: str
    options: Options
    tables: tuple[tuple[str, bytes], ...]
    project: ContextMap


class Sent(NamedTuple):
    """A source as sent to a worker.

    Attributes:
        ignored: the ids of findings suppressed in it because of its path.
        data: its content; None if the worker reads it at `place` and recognises it by its digest.
    """

    path: str
    support_header: str
    is_build_file: bool
    ignored: frozenset[str]
    data: bytes | None
    place: str = ""
    digest: bytes = b""


Answer = tuple[tuple[tuple[Question, Any], ...], bytes, Exception | None]
"""The questions asked of the project for a source with their answers, the packed outcome, and the error raised
instead."""


class Refused(NamedTuple):
    """Why a worker does nothing for this run."""

    reason: str


class NotThere(Exception):
    """A source is missing, or has other content, at the path where the worker was to read it."""


_one_at_a_time = threading.Lock()
"""A worker may have several threads, from which Python and the catalog do not benefit."""

_briefings: dict[bytes, tuple[Briefing, tempfile.TemporaryDirectory[str] | None]] = {}
_MOST_BRIEFINGS = 2


def same(value: Any) -> Any:
    """A task that returns its value: workers pass the value to each other, and recover it when one of them is lost."""
    return value


def examine(key: bytes, image: bytes, sources: Sequence[Sent]) -> list[Answer] | Refused:
    """Work out the outcomes of some sources; `image` is the pickled `Briefing`, recognised by its key."""
    with _one_at_a_time:
        briefing = _briefing(key, image)
        if briefing.installation != installation():
            ours = f"a different hipify-py ({VERSION}) or different grammars"
            return Refused(f"{os.uname().nodename} has {ours}")
        return [_answer(source, briefing) for source in sources]


def _answer(source: Sent, briefing: Briefing) -> Answer:
    asked: dict[Question, Any] = {}
    options = briefing.options
    if source.ignored:
        options = options._replace(ignore=options.ignore | source.ignored)
    task = Task(source.path, support_header=source.support_header, is_build_file=source.is_build_file)
    context = briefing.project.of(source.path)._replace(asked=asked)
    try:
        data = _read(source) if source.data is None else source.data
        outcome = outcome_of(task, data, options, context)
        return tuple(asked.items()), packed(outcome), None
    except Exception as error:  # the sender of the source handles it
        return (), b"", _portable(error)


def content_digest(data: bytes) -> bytes:
    """The digest that identifies a source that is read at its path."""
    return blake2b(data, digest_size=16).digest()


def _read(source: Sent) -> bytes:
    try:
        with open(source.place, "rb") as file:
            data = file.read()
    except OSError as error:
        raise NotThere(source.place) from error
    if content_digest(data) != source.digest:
        raise NotThere(source.place)
    return data


def _portable(error: Exception) -> Exception:
    """The error, or a similar one if it cannot be pickled."""
    error.__traceback__ = error.__context__ = error.__cause__ = None
    try:
        pickle.loads(pickle.dumps(error))  # our own  # nosec B301
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _briefing(key: bytes, image: bytes) -> Briefing:
    known = _briefings.get(key)
    if known is None:
        while len(_briefings) >= _MOST_BRIEFINGS:
            _, folder = _briefings.pop(next(iter(_briefings)))
            if folder is not None:
                folder.cleanup()
        briefing: Briefing = pickle.loads(image)  # from a client that can run any code here anyway  # nosec B301
        known = _briefings[key] = _with_tables(briefing)
    return known[0]


def _with_tables(briefing: Briefing) -> tuple[Briefing, tempfile.TemporaryDirectory[str] | None]:
    """The briefing with tables on this machine."""
    if not briefing.tables:
        return briefing, None
    folder = tempfile.TemporaryDirectory(prefix="hipify-py-tables-")
    paths = []
    for number, (name, data) in enumerate(briefing.tables):
        place = os.path.join(folder.name, str(number), name)
        os.mkdir(os.path.dirname(place))
        with open(place, "wb") as file:
            file.write(data)
        paths.append(place)
    targeting = briefing.options.targeting._replace(tables=tuple(paths))
    return briefing._replace(options=briefing.options._replace(targeting=targeting)), folder
