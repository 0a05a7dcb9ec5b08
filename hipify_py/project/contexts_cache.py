"""Keeps the contexts of a tree's files for the next run, which does not work them out again if nothing has changed.

Planning asks files for the facts that other files need. What it finds depends on the files' paths and contents, the
options, the project's names that it asked for (see `content_facts.py`), and where symbolic links lead.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping, Sequence
from typing import Any

from hipify_py.core.options import Options
from hipify_py.core.project_context import BuildContext, ProjectContext, Question
from hipify_py.project.content_facts import name_of
from hipify_py.project.contexts import ContextMap
from hipify_py.project.discovery import Discovery
from hipify_py.project.include_graph import include_lines, links_seen, real_place
from hipify_py.project.results_cache.keys import canonical, content_digest
from hipify_py.project.sibling_headers import named
from hipify_py.project.source_store import SourceStore

_OF_RUN = ("local_headers", "renames", "asked")
"""The fields of a context that are the same for all files of a run, and that each run has anew."""

_OF_PROGRAMS = (include_lines, named)
"""The facts about contents that the run needs again once all files are done (`link_units.Programs`)."""


def contexts_of(
    common: ProjectContext, sources: Sequence[str], given: Sequence[str], options: Options, texts: SourceStore
) -> ContextMap:
    """What `cross_file_context.build_contexts` returns, or what it returned to an earlier run with the same inputs.

    What files `given` by themselves include may lie anywhere, and a compilation database says more about the files:
    with either, nothing is kept.
    """
    facts = texts.facts
    may_keep = facts is not None and facts.is_kept and not given and not texts.commands
    key = _key(sources, options, texts) if may_keep else b""
    if facts is not None and key:
        known = facts.answer(key, common)
        if known is not None:
            packed, links, of_files = known[0]
            if all(real_place(place) == real for place, real in links.items()):
                facts.of_files.update(of_files)
                return _unpacked(packed, common)
    from hipify_py.project.cross_file_context import build_contexts

    contexts = build_contexts(common, sources, given, options, texts)
    if facts is not None and key:
        of_files = {path: {name_of(search): texts.fact(search, path) for search in _OF_PROGRAMS} for path in sources}
        if not texts.faults:
            facts.keep_answer(key, (_packed(contexts), links_seen(texts), of_files), facts.asked, common)
    return contexts


def with_build_files(
    contexts: ContextMap, found: Discovery, options: Options, moved: Sequence[tuple[str, str]], texts: SourceStore
) -> ContextMap:
    """What `build_contexts.with_build_files` returns, or what it returned to an earlier run with the same inputs.

    What is around build files that are given by themselves may lie anywhere: with some of these, nothing is kept.
    """
    from hipify_py.project import build_contexts

    facts = texts.facts
    may_keep = not texts.commands and all(found.roots[entry.root].is_tree for entry in found.build_files)
    if facts is None or not facts.is_kept or not may_keep:
        return build_contexts.with_build_files(contexts, found, options, moved, texts)
    common = contexts.common
    files = [(entry.path, entry.root, entry.relative, _digest(entry.path)) for entry in found.build_files]
    sources = [(entry.root, entry.relative) for entry in found.sources]
    roots = [root.path for root in found.roots]
    of_builds = canonical((roots, files, sources, dict(common.renames), [*moved]))
    key = content_digest(of_builds + _key([entry.path for entry in found.sources], options, texts))
    known = facts.answer(key, common)
    if known is not None:
        packed, places = known[0]
        if all(os.path.exists(place) == before for place, before in places.items()):
            return _with_builds(contexts, packed)
    places, asked = dict[str, bool](), dict[Question, Any]()

    def exists(place: str) -> bool:
        return places.setdefault(place, os.path.exists(place))

    noting = ContextMap(common._replace(asked=asked))
    build = build_contexts.with_build_files(noting, found, options, moved, texts, exists)
    packed = pickle.dumps({path: own.build for path, own in build.by_path.items()}, pickle.HIGHEST_PROTOCOL)
    if not texts.faults:
        facts.keep_answer(key, (packed, places), asked, common)
    return _with_builds(contexts, packed)


def _with_builds(contexts: ContextMap, packed: bytes) -> ContextMap:
    # The user's own data, and undamaged.
    builds: Mapping[str, BuildContext] = pickle.loads(packed)  # nosec B301
    with_them = {path: contexts.of(path)._replace(build=build) for path, build in builds.items()}
    return contexts._replace(by_path={**contexts.by_path, **with_them})


def _digest(path: str) -> bytes:
    """A digest of a file, whatever its size; empty for one that cannot be read."""
    try:
        with open(path, "rb") as file:
            return content_digest(file.read())
    except OSError:
        return b""


def _key(sources: Sequence[str], options: Options, texts: SourceStore) -> bytes:
    """A digest of the working directory, the options, and the paths and contents of the sources."""
    tables = [texts.digest(table) for table in options.targeting.tables]
    files = [(path, texts.digest(path)) for path in sources]
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
