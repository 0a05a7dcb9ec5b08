"""What the headers of a program declare with `CUdeviceptr`, for the files that see them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from hipify_py.core.project_context import NO_PROJECT
from hipify_py.core.source import is_header_name, is_readable
from hipify_py.frontend.words import words
from hipify_py.project.contexts import ContextMap
from hipify_py.project.header_queries import header_query_cache
from hipify_py.project.include_graph import graph_of
from hipify_py.project.query import Query
from hipify_py.project.source_store import SourceStore
from hipify_py.semantics.device_addresses import declared_with_addresses, merged


def with_device_addresses(
    contexts: ContextMap, sources: Sequence[str], around: Sequence[str], naming: set[str], texts: SourceStore
) -> ContextMap:
    """The contexts, with what headers declare with `CUdeviceptr`, and where they take numbers.

    The files `naming` the type need them, or those that see a header among these.
    """
    paths = list(dict.fromkeys([*sources, *around]))
    headers = [path for path in paths if is_header_name(path) and is_readable(texts.read(path))]
    if not headers:
        return contexts
    graph = graph_of(paths, texts)
    uses, reach = graph.reach(naming.intersection(headers)), graph.reach(headers)
    seen = {path: reach.sight(path).all - {path} for path in sources if path in naming or uses.sight(path).all}
    asked = sorted(frozenset().union(*seen.values()))
    with closing(header_query_cache(texts)) as answers:
        answers.prefetch(Query(declared_with_addresses, path, NO_PROJECT) for path in asked)
        declared = {path: answers.get(declared_with_addresses, path, NO_PROJECT) for path in asked}
    by_sight: dict[frozenset[str], list[str]] = {}
    for path, sight in seen.items():
        by_sight.setdefault(sight, []).append(path)
    by_path = dict(contexts.by_path)
    for sight, users in by_sight.items():
        together = merged(declared[path] for path in sorted(sight))
        for path in users:
            addresses = together.mentioned(frozenset(words(texts.read(path))))
            by_path[path] = contexts.of(path)._replace(addresses=addresses)
    return contexts._replace(by_path=by_path)
