"""Adapts spellings of file names to renamed files: paths, globs, and parts of either.

A spelling is masked: its unknown parts (a variable's value) consist of `ANY`, one for each character.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from posixpath import basename, join, normpath
from typing import NamedTuple

ANY = "\0"

_WITHIN = "[^/]*"
_CROSSING = frozenset({".*", "(?:.*/)?"})
_MOST_CROSSING = 4
"""Parts of one glob that may span folders; a glob with more of them matches nothing."""

_WILD = _CROSSING | {_WITHIN}
_NOTHING = "(?!)"
_PART = re.compile(r"\*\*/|\*\*|\*|\?|\[[!^]?\]?[^\]/]*\]|\0+|[^*?\[\0]+|\[")
_IS_PATTERN = re.compile(r"[*?\[\0]")

Matcher = Callable[[str], bool]


class Respelling(NamedTuple):
    """The new form of a spelling: from `start` on, each of `endings` replaces the rest.

    A glob may need several. There are none if the glob names renamed files that no spelling matches exactly.
    """

    start: int
    endings: tuple[str, ...]


class RenamedFiles:
    """The files of a project, some of which are renamed."""

    def __init__(self, files: Collection[str], renames: Mapping[str, str]) -> None:
        """`files` has the files' paths, and all trailing parts of them; `renames` has new names by renamed path."""
        self._pairs = {path: _endings(path, new) for path, new in renames.items()}
        """The old and new ending of each renamed file, by path."""
        known = {path[at:] for path in renames for at in (0, *(match.end() for match in re.finditer("/", path)))}
        self._kept = [path for path in files if path not in known]
        self._by_name: dict[str, list[str]] = {}
        for path in renames:
            self._by_name.setdefault(basename(path), []).append(path)

    def respelled(self, folder: str, masked: str, *, is_deep: bool = False) -> Respelling | None:
        """The new form of a path or a glob; None if it stays.

        Args:
            folder: the folder to which a relative spelling is relative.
            masked: the spelling.
            is_deep: whether a glob also names files in subfolders, as CMake's `GLOB_RECURSE` does.
        """
        if not self._pairs or not masked.strip(ANY + "/."):
            return None
        matches, found = self._named(folder, masked, is_deep)
        if not found or all(matches(self._new_path(path)) for path in found):
            return None
        exchanged = {self._pairs[path] for path in found}
        others = [path for path in self._kept if matches(path)]
        old, new = next(iter(exchanged))
        if len(exchanged) == 1 and not others and masked.endswith(old):
            respelling = Respelling(len(masked) - len(old), (new,))
        else:
            dot = masked.rfind(".")
            if dot < 0 or "/" in masked[dot:]:
                return Respelling(len(masked), ())
            endings = (*([masked[dot:]] if others else []), *sorted({new for _, new in exchanged}))
            respelling = Respelling(dot, endings)
        if any(self._names_more(folder, masked, respelling, ending, is_deep) for ending in respelling.endings):
            return Respelling(respelling.start, ())
        return respelling

    def new_ending(self, ending: str) -> str | None:
        """The new ending of all files with an ending; None if there is not exactly one."""
        found = {new for old, new in self._pairs.values() if old == ending}
        return found.pop() if len(found) == 1 and not any(path.endswith(ending) for path in self._kept) else None

    def _new_path(self, path: str) -> str:
        old, new = self._pairs[path]
        return path[: len(path) - len(old)] + new

    def _named(self, folder: str, masked: str, is_deep: bool) -> tuple[Matcher, list[str]]:
        """The renamed files that a spelling names: relative to its folder, or else to any, as in a search path."""
        written = masked.lstrip(ANY)
        if written == masked:
            place = normpath(join(folder, masked))
            matches = _matcher(place, is_deep)
            found = [path for path in self._candidates(place) if matches(path)]
            if found:
                return matches, found
        elif not written.startswith("/"):
            written = ANY + written  # the name itself begins with an unknown part
        anywhere = normpath(written).lstrip("/")
        while anywhere.startswith("../"):
            anywhere = anywhere[3:]
        matches = _matcher(anywhere, is_deep, is_anywhere=True)
        return matches, [path for path in self._candidates(anywhere) if matches(path)]

    def _candidates(self, spelling: str) -> Iterable[str]:
        return self._pairs if _IS_PATTERN.search(spelling) else self._by_name.get(basename(spelling), ())

    def _names_more(self, folder: str, masked: str, respelling: Respelling, ending: str, is_deep: bool) -> bool:
        """Whether a new glob names files that the old one does not, because they already have that ending."""
        new = masked[: respelling.start] + ending
        if not _IS_PATTERN.search(new) or new == masked:
            return False
        before, after = (_matcher(normpath(join(folder, spelling)), is_deep) for spelling in (masked, new))
        return any(after(path) and not before(path) for path in self._kept)


def _matcher(spelling: str, is_deep: bool, *, is_anywhere: bool = False) -> Matcher:
    """A test for the paths that a spelling may name."""
    if not _IS_PATTERN.search(spelling):
        ending = "/" + spelling
        return lambda path: path == spelling or (is_anywhere and path.endswith(ending))
    folder, _, name = spelling.rpartition("/")
    parts = _parts(spelling)
    if is_deep:
        parts = [*_parts(folder + "/" if folder else ""), "(?:.*/)?", *_parts(name)]
    if sum(part in _CROSSING for part in parts) > _MOST_CROSSING:
        return lambda path: False
    expression = re.compile(("(?:.*/)?" if is_anywhere else "") + _linear(parts), re.DOTALL)
    return lambda path: expression.fullmatch(path) is not None


def _parts(spelling: str) -> list[str]:
    """The parts of a glob's regular expression: fixed ones and wildcards."""
    found = []
    for part in _PART.findall(spelling):
        if part == "**/":
            found.append("(?:.*/)?")
        elif part == "**" or part[0] == ANY:
            found.append(".*")
        elif part == "*":
            found.append(_WITHIN)
        elif part == "?":
            found.append("[^/]")
        elif part[0] == "[" and len(part) > 2:
            found.append(_one_of(part))
        else:
            found.append(re.escape(part))
    return found


def _one_of(part: str) -> str:
    """The meaning of `[a-z]` or `[!a-z]`; a reversed range has no characters."""
    is_negated = part[1] in "!^"
    members, texts, at = part[1 + is_negated : -1], list[str](), 0
    if not members:
        return re.escape(part)
    while at < len(members):
        first, last = members[at], members[at + 2 : at + 3]
        if last and members[at + 1] == "-":
            texts += [f"{re.escape(first)}-{re.escape(last)}"] if first <= last else []
            at += 3
        else:
            texts.append(re.escape(first))
            at += 1
    if not texts:
        return "[^/]" if is_negated else _NOTHING
    return f"[{'^' if is_negated else ''}{''.join(texts)}]"


def _linear(parts: Sequence[str]) -> str:
    """The parts as one expression, in which no `*` is tried at a second place.

    The first match of the text after a `*` is as good as any later one, so hostile globs cost no more than others.
    """
    text, at = "", 0
    while at < len(parts):
        end = at + 1
        if parts[at] != _WITHIN:
            text += parts[at]
        else:
            while end < len(parts) and parts[end] not in _WILD:
                end += 1
            fixed = "".join(parts[at + 1 : end])
            is_last = end == len(parts) or not fixed
            text += f"{_WITHIN}{fixed}" if is_last else f"(?=(?P<g{at}>{_WITHIN}?{fixed}))(?P=g{at})"
        at = end
    return text


def _endings(path: str, new: str) -> tuple[str, str]:
    """The old and the new ending of a renamed file: everything from the last dot that both names share."""
    old, new = basename(path), basename(new)
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    dot = max(old.rfind(".", 0, same), 0)
    return old[dot:], new[dot:]
