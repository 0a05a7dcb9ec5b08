"""Names that look like CUDA's and that headers beside the files of a run declare."""

from __future__ import annotations

from collections.abc import Sequence

from hipify_py.project.neighbours import included
from hipify_py.project.result import FileResult
from hipify_py.project.texts import Texts
from hipify_py.source import Source, UnreadableSource, reject_unreadable


def declared_in_headers(results: Sequence[FileResult]) -> frozenset[str]:
    """What the headers declare that the files of a run include and that are no files of it themselves."""
    found = frozenset[str]()
    texts = Texts()
    for path in included([result.path for result in results], texts):
        found |= _declared(path, texts.of(path))
    return found


def _declared(path: str, data: bytes) -> frozenset[str]:
    from hipify_py.catalog import load_catalog
    from hipify_py.options import DEFAULT_OPTIONS
    from hipify_py.semantics.references import resolve
    from hipify_py.translator import lexer
    from hipify_py.unit import Unit

    try:
        reject_unreadable(data)
    except UnreadableSource:
        return frozenset()  # a header that a run with it would complain about
    catalog = load_catalog()
    return resolve(Unit(Source(data, path), lexer(catalog).scan(data), catalog, DEFAULT_OPTIONS))
