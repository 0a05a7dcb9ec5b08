"""Files that sources include, whatever their names end in: `Eigen/Core`, `kernels.cuinl`.

The walk recognises sources by the endings of their names. Another file is also a source if a source includes it,
directly or through others, and if it mentions CUDA or warps or includes a file that does. The headers of a C++ library
in a tree, which mention neither, stay as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from hipify_py.core.options import Options
from hipify_py.core.source import is_readable
from hipify_py.frontend.prefilter import may_have_cuda
from hipify_py.project.compile_commands import CompileCommands, compile_commands, joined_commands
from hipify_py.project.discovery import OTHER, SOURCE, Discovery, Entry, Selection
from hipify_py.project.include_graph import IncludeGraph, Includers, Lines, include_lines, includes_from
from hipify_py.project.source_store import SourceStore
from hipify_py.project.warp_hints import has_warps


def with_included_files(
    found: Sequence[Discovery], choices: Sequence[tuple[Selection, Options]], texts: SourceStore
) -> list[Discovery]:
    """What was found with some options, with the files that sources include added to the sources.

    If the user has selected the sources by globs, nothing is added.
    """
    others: dict[str, list[str]] = {}
    for discovery, (selection, _) in zip(found, choices, strict=True):
        if not selection.include:
            for entry in discovery.entries:
                if entry.kind == OTHER and entry.size:
                    others.setdefault(_base_name(entry.relative), []).append(entry.path)
    if not others:
        return list(found)
    if texts.jobs > 1:
        from hipify_py.project.prefetch import prefetch_facts

        for discovery in found:
            prefetch_facts([entry.path for entry in discovery.sources], texts)
    sources = [entry.path for discovery in found for entry in discovery.sources]
    naming = {path: _naming(texts.fact(include_lines, path), others) for path in sources}
    further = _further({name for lines in naming.values() for name in names_in(lines)}, others, texts)
    if not further:
        return list(found)
    includes = {path: includes_from(lines) for path, lines in (naming | further).items()}
    graph = IncludeGraph(includes, _commands(found, choices)).included
    taken = _reached(graph, sources) & _telling(graph, further, texts)
    return [discovery._replace(entries=[_taken(entry, taken) for entry in discovery.entries]) for discovery in found]


def names_in(lines: Lines) -> Iterator[str]:
    """The base names of the files that a source includes, or may include through macros, from its `include_lines`."""
    files, macros = lines
    return (_base_name(name) for name, _, is_macro in (*files, *(value for _, value in macros)) if not is_macro)


def _naming(lines: Lines, names: Collection[str]) -> Lines:
    """The includes of a file that may lead to files with some base names."""
    files, macros = lines
    return (
        tuple(written for written in files if written[2] or _base_name(written[0]) in names),
        tuple(macro for macro in macros if _base_name(macro[1][0]) in names),
    )


def _base_name(path: str) -> str:
    return path.rpartition("/")[2]


def _further(named: Iterable[str], others: Mapping[str, list[str]], texts: SourceStore) -> dict[str, Lines]:
    """The text files with some base names, and with those that they name in turn, with their includes."""
    pending = [*named]
    seen, found = set(pending), dict[str, Lines]()
    while pending:
        for path in others.get(pending.pop(), ()):
            if _is_text(texts.read(path)):
                found[path] = texts.fact(include_lines, path)
                names = others.keys() & {*names_in(found[path])} - seen
                seen |= names
                pending += names
    return found


def _is_text(data: bytes) -> bool:
    """Whether the content may be that of a source: not a script, nor UTF-16 or binary."""
    return is_readable(data) and not data.startswith(b"#!")


def _telling(graph: Mapping[str, Sequence[str]], further: Collection[str], texts: SourceStore) -> set[str]:
    """The further files that matter to a translation, or include one that does."""
    included = {path: graph[path] for path in further}
    includers = Includers(included)
    telling = {path for path in {*included, *chain(*included.values())} if texts.fact(_tells, path)}
    return telling.union(*(includers.of(path, further.__contains__) for path in telling))


def _tells(data: bytes) -> bool:
    return may_have_cuda(data) or has_warps(data)


def _commands(found: Sequence[Discovery], choices: Sequence[tuple[Selection, Options]]) -> CompileCommands:
    return joined_commands(
        compile_commands([root.path for root in discovery.roots if root.is_tree], options.compile_commands)
        for discovery, (_, options) in zip(found, choices, strict=True)
    )


def _reached(graph: Mapping[str, Sequence[str]], sources: Sequence[str]) -> set[str]:
    """Everything that sources include, directly or through others."""
    seen, waiting = set(sources), list(sources)
    while waiting:
        for target in graph[waiting.pop()]:
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


def _taken(entry: Entry, reached: Collection[str]) -> Entry:
    return entry._replace(kind=SOURCE) if entry.kind == OTHER and entry.path in reached else entry
