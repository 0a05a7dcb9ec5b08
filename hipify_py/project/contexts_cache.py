"""Keeps the contexts of a tree's files for the next run, which does not work them out again if nothing has changed.

Planning asks files for the facts that other files need. What it finds depends on the files' paths and contents, the
options, the project's names that it asked for (see `content_facts.py`), and where symbolic links lead.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hipify_py.core.options import Options
from hipify_py.core.project_context import ProjectContext
from hipify_py.project.contexts import ContextMap
from hipify_py.project.include_graph import links_seen, real_place
from hipify_py.project.results_cache.keys import canonical, content_digest
from hipify_py.project.source_store import SourceStore

_OF_RUN = ("local_headers", "renames", "asked")
"""The fields of a context that are the same for all files of a run, and that each run has anew."""


def kept_contexts(
    common: ProjectContext,
    sources: Sequence[str],
    options: Options,
    texts: SourceStore,
    build: Callable[[], ContextMap],
) -> ContextMap:
    """The contexts of the sources of trees: those that an earlier run has kept, or what `build` returns.

    With a compilation database the contexts also depend on what that says; then nothing is kept.
    """
    facts = texts.facts
    if facts is None or not facts.is_kept or texts.commands:
        return build()
    key = _key(sources, options, texts)
    known = facts.answer(key, common)
    if known is not None:
        packed, links = known[0]
        if all(real_place(place) == real for place, real in links.items()):
            return _unpacked(packed, common)
    contexts = build()
    if not texts.faults:
        facts.keep_answer(key, (_packed(contexts), links_seen(texts)), facts.asked, common)
    return contexts


def _key(sources: Sequence[str], options: Options, texts: SourceStore) -> bytes:
    """A digest of the working directory, the options, and the paths and contents of the sources."""
    tables = [content_digest(texts.read(table)) for table in options.targeting.tables]
    files = [(path, content_digest(texts.read(path))) for path in sources]
    return content_digest(
        canonical(("contexts", os.getcwd(), options._replace(support_header="", semantics=""), tables, files))
    )


def _packed(contexts: ContextMap) -> bytes:
    """What the contexts of single files say beyond the common one; objects that files share stay shared."""
    common = contexts.common._asdict()
    return pickle.dumps(
        {
            path: {
                name: value
                for name, value in context._asdict().items()
                if name not in _OF_RUN and value is not common[name]
            }
            for path, context in contexts.by_path.items()
        },
        pickle.HIGHEST_PROTOCOL,
    )


def _unpacked(packed: bytes, common: ProjectContext) -> ContextMap:
    # The user's own data, and undamaged.
    by_path: Mapping[str, dict[str, Any]] = pickle.loads(packed)  # nosec B301
    return ContextMap(common, {path: common._replace(**fields) for path, fields in by_path.items()})
