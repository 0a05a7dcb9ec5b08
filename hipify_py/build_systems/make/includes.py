"""The makefiles that a makefile reads: how their paths are written, and which files of a tree these are.

Projects keep the settings of all makefiles in a file whose name says nothing: `common/make.config` (Rodinia),
`sites/make.inc.$(site)` (cuFINUFFT), `Config` (zfp), `config/config.mk`, which configure makes from a template (SHOC).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import islice, product
from posixpath import basename, dirname, normpath

from hipify_py.build_systems.kinds import may_have_cuda
from hipify_py.build_systems.make.reader import ASSIGNMENT, CONDITION, INCLUDE, RECIPE, RULE, Statement, read
from hipify_py.build_systems.make.references import Reference, references

ANYTHING = "*"
"""Stands in a written path for what is not known, such as the value of a variable that the makefile does not set."""

_INCLUDE = re.compile(rb"^[ \t]*[-s]?include[ \t]", re.MULTILINE)
_NAME = re.compile(r"\w[\w.+-]{2,}")
"""How the name of a makefile begins; objects' dependencies (`.depend`, `*.d`) are generated."""
TEMPLATE = ".in"
"""The ending of a file that configure makes another one of."""
_FIRST = frozenset({"gnumakefile", "makefile"})
"""Names of makefiles that make reads by itself."""
_UNCLEAR = re.compile(r"^[/~]|[*?@$%<>\[\]\\:]")
_REMOVES = re.compile(r"\b(?:rm|del|clean)\b")
_DEEPEST = 3
_MOST = 16


def include_paths(data: bytes) -> tuple[str, ...]:
    """The paths that a makefile includes, in order, as `paths_in` has them."""
    return paths_in(data, read(data).statements) if _INCLUDE.search(data) is not None else ()


def lacking(files: Mapping[str, bytes], exists: Callable[[str], bool]) -> dict[str, dict[str, str]]:
    """What makefiles include and a tree has nowhere: paths within the tree by paths as written, for each makefile.

    Only makefiles in which make begins count, because only those surely include from their own folder. An include under
    a condition, or of a file that a rule makes, may be no loss.

    Args:
        files: all makefiles of the tree, by their paths within it.
        exists: whether there is a file with a path from the tree's folder, be it above the tree.
    """
    statements = {path: read(data).statements for path, data in files.items() if _INCLUDE.search(data) is not None}
    if not statements:
        return {}
    tree = Tree(files)
    written = {path: paths_in(files[path], found) for path, found in statements.items()}
    inner = {other for path, names in written.items() for other in tree.included(path, names)}
    found: dict[str, dict[str, str]] = {}
    for path, own in statements.items():
        if path in inner or basename(path).lower() not in _FIRST or not may_have_cuda(files[path]):
            continue
        for name in _required(files[path], own):
            place = normpath(f"{dirname(path)}/{name}" if dirname(path) else name)
            if not exists(place) and not exists(place + TEMPLATE) and not _is_made(basename(name), files):
                found.setdefault(path, {})[name] = place
    return found


def _required(data: bytes, statements: Sequence[Statement]) -> Iterator[str]:
    """The paths that a makefile includes on every condition, without those that are not fully known."""
    depth = 0
    for item in statements:
        if item.kind == CONDITION:
            depth += {"endif": -1, "else": 0}.get(item.name, 1)
        elif item.kind == INCLUDE and item.name == "include" and not depth:
            yield from (name for name in paths_in(data, [item]) if not _UNCLEAR.search(name))


def _is_made(name: str, files: Mapping[str, bytes]) -> bool:
    """Whether a rule or a command of some makefile may make a file with this name."""
    for data in files.values():
        if b"%" not in data and name.encode() not in data:
            continue
        for item in read(data).statements:
            if item.kind == RULE and any(
                fnmatchcase(name, basename(target).replace("%", ANYTHING))
                for target in _text(data[slice(*item.targets)]).split()
                if target != "%"  # it makes programs, from sources with the same name
            ):
                return True
            line = _text(data[slice(*(item.value if item.kind == RECIPE else item.recipe))])
            if name in line and not _REMOVES.search(line):
                return True
    return False


def paths_in(data: bytes, statements: Sequence[Statement]) -> tuple[str, ...]:
    """The paths that statements include, with the values of the variables that they set, and `*` for all others."""
    values: dict[str, list[str]] = {}
    for item in statements:
        if item.kind == ASSIGNMENT:
            values.setdefault(item.name, []).append(_text(data[slice(*item.value)]))
    found: dict[str, None] = {}
    for item in statements:
        if item.kind == INCLUDE:
            for text in islice(_expanded(data[slice(*item.value)], values, _DEEPEST), _MOST):
                found.update(dict.fromkeys(text.split()))
    return tuple(found)


def _expanded(data: bytes, values: Mapping[str, list[str]], depth: int) -> Iterator[str]:
    """A text, once for each combination of the values that its variables may have."""
    found = references(data, 0, len(data))
    at, parts = 0, list[list[str]]()
    for one in found:
        if one.start >= at:
            parts += [[_text(data[at : one.start])], [*_values(one, values, depth)]]
            at = one.end
    return map("".join, product(*parts, [_text(data[at:])]))


def _values(one: Reference, values: Mapping[str, list[str]], depth: int) -> Iterator[str]:
    is_plain = not one.is_function and one.end - one.inner - len(one.name) <= 1
    if not is_plain or not depth or one.name not in values:
        yield ANYTHING
        return
    for value in values[one.name]:
        yield from _expanded(value.encode("utf-8", "surrogateescape"), values, depth - 1)


class Tree:
    """The files of a tree that makefiles may include; paths are relative to it, with `/`."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._names: dict[str, list[str]] = {}
        for path in paths:
            self._names.setdefault(path.rpartition("/")[2], []).append(path)

    def included(self, path: str, written: Iterable[str]) -> list[str]:
        """The files that a makefile includes by its paths: all that fit one whose name is not fully known."""
        found = [other for text in written for other in self._named(path, text)]
        return [other for other in dict.fromkeys(found) if other != path]

    def _named(self, path: str, written: str) -> list[str]:
        folder, _, name = written.rpartition("/")
        for names in self._spellings(name):
            if ANYTHING not in folder:
                for base in (dirname(path), ""):
                    place = normpath(f"{base}/{folder}/" if base else f"{folder or '.'}/")
                    found = [other for one in names for other in self._names[one] if (dirname(other) or ".") == place]
                    if found:
                        return found
            found = self._below(path, folder, [other for one in names for other in self._names[one]])
            if found:
                return found
        return []

    def _spellings(self, name: str) -> Iterator[list[str]]:
        """The names of files that a written name may be, and those of their templates."""
        begun = _NAME.match(name.partition(ANYTHING)[0])
        if begun is None:
            return
        if ANYTHING in name:
            yield [other for other in self._names if fnmatchcase(other, name)]
        else:
            yield from ([other] for other in (name, name + TEMPLATE) if other in self._names)

    def _below(self, path: str, folder: str, others: Sequence[str]) -> list[str]:
        """The files in the folder of a name that is nearest to the makefile: make may run in any folder."""
        parts = [part for part in folder.split("/") if part not in {"", ".", ".."}]
        unknown = max((at for at, part in enumerate(parts) if ANYTHING in part), default=-1)
        end = "/" + "/".join(parts[unknown + 1 :])
        places = {place for place in map(dirname, others) if f"/{place}".endswith(end.rstrip("/"))}
        if end == "/" and unknown < 0:  # only a make that runs in a folder above or below finds it
            places = {place for place in places if _is_above(place, dirname(path)) or _is_above(dirname(path), place)}
        nearest = min(places, key=lambda place: (-_shared(path, f"{place}/"), place.count("/"), place), default=None)
        return [other for other in others if dirname(other) == nearest]


def _is_above(folder: str, other: str) -> bool:
    return not folder or f"{other}/".startswith(f"{folder}/")


def _shared(path: str, other: str) -> int:
    """How many leading folders two paths have in common."""
    count = 0
    for one, two in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if one != two:
            break
        count += 1
    return count


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
