"""Finds which headers of a project bring the runtime's header, and which of them need it before.

nvcc includes the runtime before every source, so a header may use CUDA's words without including anything. A source
whose first header brings the runtime by itself needs no include of its own (llm.c: `cuda_common.h`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence

from hipify_py.catalog import Row, load_catalog
from hipify_py.core.options import NVCC_HEADERS
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.source import KERNEL_SUFFIXES, suffix_of
from hipify_py.frontend.prefilter_table import NAME_PREFIXES
from hipify_py.project.contexts import ContextMap
from hipify_py.project.include_graph import GUARD, Include, IncludeGraph, circles, graph_of, includes_in
from hipify_py.project.source_store import SourceStore
from hipify_py.semantics.headers import ORDINARY_NAME, brings_runtime, is_hips, is_support_header

_EVENT = lazy_pattern(
    rb"//[^\n]*|/\*(?s:.*?)\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    rb"|^[ \t]*\#[ \t]*(?:"
    rb"(?:include|import)(?:_next)?[ \t]*(?:\"(?P<quoted>[^\"\r\n]+)\"|<(?P<angled>[^<>\r\n]+)>|(?P<computed>\w+))"
    rb"|define[ \t]+(?P<defined>\w+)(?P<body>(?:[^\n\\]|\\\r?\n|\\.)*)"
    rb"|(?P<condition>if|endif)[^\n]*"
    rb"|(?:[^\n\\]|\\\r?\n|\\.)*)"
    rb"|(?P<brace>[{}])"
    rb"|(?P<device>\b__(?:device__|global__\b))",
    re.MULTILINE,
)
_USE = lazy_pattern(rb"<<[ \t]*<|\b" + NAME_PREFIXES.encode())
"""What needs the runtime. It takes longer to compile than a file takes to translate. Most files are spared that by the
keywords for device code, which are among what it finds."""
_DEVICE_KEYWORDS = (b"__global__", b"__device__")

_BRINGS, _NEEDS, _GETS, _PLAIN = "brings", "needs", "gets", "plain"

_Step = tuple[str, str, bool, bool]
"""An include's path, an empty text, whether it is quoted, and whether it is surely compiled. Or, with an empty path,
the first place that needs the runtime: `_GETS` where the translation adds it to the file, else `_NEEDS`."""


def with_runtime_includes(
    contexts: ContextMap, sources: Sequence[str], around: Sequence[str], texts: SourceStore
) -> ContextMap:
    """The contexts, with the includes that bring the runtime and those that need none.

    Those of files that name CUDA, and of all sources for nvcc: any header of theirs may rely on the runtime.
    """
    paths = list(dict.fromkeys([*sources, *around]))
    asking = [path for path in paths if suffix_of(path) in KERNEL_SUFFIXES or texts.fact(_asks, path)]
    if not asking:
        return contexts
    graph = graph_of(paths, texts)
    states = _states(graph, asking, frozenset(sources), texts)
    by_path = dict(contexts.by_path)
    for path in asking:
        meant: dict[str, set[str]] = {}
        for include in includes_in(path, texts).files:
            found = set() if include.is_macro else _found(graph, path, include, states, texts)
            if found:
                meant.setdefault(include.name, set()).update(found)
        brings = frozenset(name for name, found in meant.items() if found == {_BRINGS})
        plain = frozenset(name for name, found in meant.items() if found == {_PLAIN})
        if brings or plain:
            by_path[path] = contexts.of(path)._replace(runtime_includes=brings, plain_includes=plain)
    return contexts._replace(by_path=by_path)


def _asks(data: bytes) -> bool:
    """Whether the runtime's header may be added to a file that the compiler does not include it for."""
    return b"include" in data and _USE.search(data) is not None


def _states(
    graph: IncludeGraph, asking: Sequence[str], translated: Collection[str], texts: SourceStore
) -> dict[str, str]:
    """For some files and all that they include: whether each brings the runtime, needs it before, or does neither."""
    reached, waiting = set(asking), list(asking)
    while waiting:
        for target in graph.included[waiting.pop()]:
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    states: dict[str, str] = {}
    for circle in circles({path: graph.included[path] for path in sorted(reached)}):  # included files come first
        for path in circle:
            if len(circle) > 1 or path in graph.included[path]:
                states[path] = _NEEDS
            else:
                state = _state(path, graph, states, texts)
                states[path] = state if state != _GETS else _BRINGS if path in translated else _NEEDS
    return states


def _state(path: str, graph: IncludeGraph, states: Mapping[str, str], texts: SourceStore) -> str:
    if is_support_header(path.replace("\\", "/")):
        return _BRINGS
    for name, use, is_quoted, is_sure in texts.fact(runtime_steps, path):
        if use:
            return use
        found = _found(graph, path, Include(name, is_quoted), states, texts)
        if not found:
            row = _header_row(name)
            if is_sure and brings_runtime(name if row is None else str(row.hip)):
                return _BRINGS
            if is_quoted and row is None and not is_hips(name):
                return _NEEDS  # generated by the build: nobody knows what it has
        elif _NEEDS in found:
            return _NEEDS
        elif is_sure and found == {_BRINGS}:
            return _BRINGS
    return _PLAIN


def _found(graph: IncludeGraph, path: str, include: Include, states: Mapping[str, str], texts: SourceStore) -> set[str]:
    """What an include of a file of the project leads to; for a header that CMake configures, its template.

    A path in angle brackets means CUDA's header of that name, as to the rules, and HIP's in any case.
    """
    if is_hips(include.name) or (not include.is_quoted and _header_row(include.name) is not None):
        return set()
    targets = [target for target in graph.leads_to(path, include) if f"/{NVCC_HEADERS}/" not in target]
    if targets:
        return {states.get(target, _NEEDS) for target in targets}  # a question about an include may have failed
    templates = graph.leads_to(path, include._replace(name=include.name + ".in")) if include.is_quoted else []
    return {_NEEDS if texts.fact(runtime_steps, template) else _PLAIN for template in templates}


def runtime_steps(data: bytes) -> tuple[_Step, ...]:
    """A file's includes in order, up to the first place that needs the runtime.

    A macro that names CUDA counts as such a place: it is used somewhere. So does a macro with an ordinary word for a
    name, which the headers after it may use: under nvcc, the runtime's and the C library's come before it.
    """
    steps: list[_Step] = []
    uses = _Uses(data)
    has_device_code = has_hip = False
    guard = GUARD.search(data)
    opened, depth = list[bool](), 0
    end = 0
    for found in _EVENT.finditer(data):
        uses.add_code(end, found.start())
        end = found.end()
        kind = found.lastgroup
        if kind == "condition":
            if found["condition"] == b"if":
                opened.append(guard is None or data.find(b"#", found.start()) != guard.start())
            elif opened:
                opened.pop()
        elif kind == "brace":
            depth += 1 if found["brace"] == b"{" else -1
        elif kind in ("quoted", "angled"):
            name = os.fsdecode(found["quoted"] or found["angled"]).replace("\\", "/").strip()
            has_hip = has_hip or name.startswith("hip/") or _is_runtime(name)
            if not uses.any():
                steps.append((name, "", kind == "quoted", not any(opened) and not depth))
        elif kind == "computed":
            uses.are_certain = has_hip = True  # nobody knows what it includes
        elif kind == "body":
            if found["defined"] in _DEVICE_KEYWORDS:
                return (*steps, ("", _NEEDS, False, False))
            is_guard = guard is not None and found["defined"] == guard[1]
            if not is_guard and ORDINARY_NAME.fullmatch(found["defined"]) is not None:
                uses.are_certain = True
            uses.add_code(found.start("body"), found.end("body"))
        elif kind == "device":
            uses.are_certain = True
            has_device_code = has_device_code or not any(opened)
    uses.add_code(end, len(data))
    if uses.any():
        steps.append(("", _GETS if has_device_code and not has_hip else _NEEDS, False, False))
    return tuple(steps)


class _Uses:
    """Whether the code of a file needs the runtime, as far as it was added; searched when that is asked."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._ranges: list[tuple[int, int]] = []
        self.are_certain = False

    def add_code(self, start: int, end: int) -> None:
        """Add a range without comments and literals."""
        if not self.are_certain and end - start > 1 and not self._data[start:end].isspace():
            self._ranges.append((start, end))

    def any(self) -> bool:
        """Whether anything in the added ranges needs the runtime."""
        while self._ranges and not self.are_certain:
            start, end = self._ranges.pop()
            found = _USE.search(self._data, start, end + 1)  # a name such as `cub/` ends with the range's next byte
            self.are_certain = found is not None and found.start() < end
        return self.are_certain


def _is_runtime(name: str) -> bool:
    """Whether an include's path names a header that becomes the runtime's."""
    row = _header_row(name)
    return row is not None and "main" in row.details


def _header_row(name: str) -> Row | None:
    row = load_catalog().row(name.encode("utf-8", "surrogateescape"))
    return row if row is not None and row.kind == "header" else None
