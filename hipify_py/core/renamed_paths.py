"""Adapts spellings of file names to renamed files: paths, globs, and parts of either.

In a glob, `%` stands for anything, as in Make. A spelling is masked: its unknown parts (a variable's value) consist of
`ANY`, one for each character.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from posixpath import basename, dirname, join, normpath
from typing import NamedTuple

from hipify_py.core.renamed_words import RenamedWords

ANY = "\0"

_WITHIN = "[^/]*"
_CROSSING = frozenset({".*", "(?:.*/)?"})
_MOST_CROSSING = 4
"""Parts of one glob that may span folders; a glob with more of them matches nothing."""

_WILD = _CROSSING | {_WITHIN}
_NOTHING = "(?!)"
_PART = re.compile(r"\*\*/|\*\*|\*|\?|%|\[[!^]?\]?[^\]/]*\]|\0+|[^*?%\[\0]+|\[")
_IS_PATTERN = re.compile(r"[*?%\[\0]")

Matcher = Callable[[str], bool]


class Respelling(NamedTuple):
    """The new form of a spelling: from `start` on, each of `endings` replaces the rest.

    A glob may need several. There are none if the glob names renamed files that no spelling matches exactly.
    """

    start: int
    endings: tuple[str, ...]


class RenamedFiles:
    """The files of a project, some of which are renamed."""

    def __init__(
        self, files: Collection[str], renames: Mapping[str, str], words: Mapping[str, str] | None = None
    ) -> None:
        """`files` has the files' paths, and all trailing parts of them; `renames` has new names by renamed path.

        `words` has the words that the new names have others for.
        """
        self._words = RenamedWords(words or {})
        self._new = {path: _full_path(path, new) for path, new in renames.items()}
        self._pairs = {path: _endings(self._worded(path), new) for path, new in renames.items()}
        """The old and new ending of each renamed file, by path."""
        known = {path[at:] for path in renames for at in (0, *(match.end() for match in re.finditer("/", path)))}
        self._kept = [path for path in files if path not in known]
        self._by_name: dict[str, list[str]] = {}
        self._by_stem: dict[str, list[str]] = {}
        for path in renames:
            self._by_name.setdefault(basename(path), []).append(path)
            self._by_stem.setdefault(basename(path).rpartition(".")[0], []).append(path)
        self._folders = {path: new for path, new in self._new_folders() if path != new}
        """The new paths of the renamed folders, and of those in them, by path."""
        self.folder_names = tuple(
            sorted({basename(path) for path, new in self._folders.items() if basename(path) != basename(new)})
        )
        """The names that folders had and have no more."""

    def _worded(self, path: str) -> str:
        return self._words.renamed(basename(path))

    def _new_folders(self) -> Iterable[tuple[str, str]]:
        """The folders of renamed files, and those above them, with what they are now."""
        seen = set()
        for path, new in self._new.items():
            folder, moved = dirname(path), dirname(new)
            while folder and folder not in seen:
                seen.add(folder)
                yield folder, moved
                folder, moved = dirname(folder), dirname(moved)

    def respelled(self, folder: str, masked: str, *, is_deep: bool = False) -> Respelling | None:
        """The new form of a path or a glob; None if it stays.

        Args:
            folder: the folder to which a relative spelling is relative.
            masked: the spelling.
            is_deep: whether a glob also names files in subfolders, as CMake's `GLOB_RECURSE` does.
        """
        if not self._pairs or not masked.strip(ANY + "/."):
            return None
        matches, found, is_anywhere = self._named(folder, masked, is_deep)
        moved = self._folders.get(folder, folder)
        still = self._matches(moved, masked, is_deep, is_anywhere)
        if not found or all(still(self._new[path]) for path in found):
            if any(self._is_in_unknown_part(folder, masked, path) for path in found):
                return Respelling(len(masked), ())
            return None
        has_others = any(matches(path) for path in self._kept)
        pairs = {self._pairs[path] for path in found}
        if not any(self._is_in_unknown_part(folder, masked, path) for path in found):
            for worded in self._worded_spellings(masked):
                texts = self._with_endings(masked, worded, pairs, has_others=has_others)
                now = [self._matches(moved, text, is_deep, is_anywhere) for text in texts]
                if not all(any(matches(self._new[path]) for matches in now) for path in found):
                    continue
                if any(self._names_more(folder, masked, text, is_deep) for text in texts):
                    continue
                same = (at for at, own in enumerate(masked) if any(text[at : at + 1] != own for text in texts))
                start = next(same, 0)
                return Respelling(start, tuple(text[start:] for text in texts))
        return Respelling(len(masked), ())

    def _worded_spellings(self, masked: str) -> Iterator[str]:
        """The spelling with its words replaced: everywhere, and only in the name, if the folders keep theirs."""
        yield self._words.renamed(masked)
        above, slash, name = masked.rpartition("/")
        yield above + slash + self._words.renamed(name)

    def _is_in_unknown_part(self, folder: str, masked: str, path: str) -> bool:
        """Whether a word that is replaced in a file's path may be in what is not known of a spelling.

        A name alone (`${name}.cc`) that is not of the same folder says too little: it may never stand for that file. A
        variable at the beginning is the path of a folder, which is written elsewhere.
        """
        *above, name = masked.split("/")
        old, new = path.split("/"), self._new[path].split("/")
        changed = [was for was, now in zip(old, new, strict=True) if was != now and self._words.renamed(was) != was]
        is_told = ANY not in name or self._words.renamed(name) != name or old[-1] not in changed
        if not is_told and name.strip(ANY) and (above or dirname(path) == folder):
            return True
        inner = above[1:] if above and not above[0].strip(ANY) else above
        if not any(ANY in part for part in inner):
            return False
        written = sum(self._words.renamed(part) != part for part in above)
        return len([part for part in changed if part != old[-1]]) > written

    def new_folder(self, folder: str, masked: str) -> str | None:
        """The new form of a path to a renamed folder; None for any other.

        A path of one part is a folder only where it is relative to `folder`: it may be any word.
        """
        place, anywhere = normpath(join(folder, masked)), _down(normpath(masked.lstrip(ANY)).lstrip("/"))
        is_path = "/" in masked.strip("/") and ANY not in anywhere
        found = [path for path in self._folders if path == place or (is_path and f"/{path}".endswith(f"/{anywhere}"))]
        new = self._words.renamed(masked)
        ending = "/" + _down(normpath(new.lstrip(ANY)).lstrip("/"))
        if new == masked or not found or any(not f"/{self._folders[path]}".endswith(ending) for path in found):
            return None
        return new

    def output_of(self, folder: str, masked: str) -> str | None:
        """The new form of a path to what is made of a renamed file, such as an object; None for any other.

        It has the name of the file with another ending, in any folder (`build/a_cuda.o`), or is in the folder of the
        file (`src/cuda/%.o`).
        """
        above, slash, name = masked.rpartition("/")
        stem, dot, ending = name.rpartition(".")
        new_above = (self.new_folder(folder, above) if above.strip(ANY) else None) or above
        new_stem = self._words.renamed(stem)
        sources = self._by_stem.get(stem, ())
        is_of_source = bool(sources) and all(basename(self._new[path]).startswith(f"{new_stem}.") for path in sources)
        if not is_of_source or any(basename(path) == name for path in self._kept):
            new_stem = stem
        found = new_above + slash + new_stem + dot + ending
        return None if found == masked or not dot else found

    def _with_endings(self, masked: str, worded: str, pairs: set[tuple[str, str]], *, has_others: bool) -> list[str]:
        """The spellings that name files with these new endings, and with the old one for others that it names."""
        old, new = next(iter(pairs))
        if len(pairs) == 1 and worded.endswith(old):
            return [*([masked] if has_others else []), worded[: len(worded) - len(old)] + new]
        dot = worded.rfind(".")
        if dot < 0 or "/" in worded[dot:]:
            return []
        return [*([masked] if has_others else []), *(worded[:dot] + new for new in sorted({new for _, new in pairs}))]

    def new_ending(self, ending: str) -> str | None:
        """The new ending of all files with an ending; None if there is not exactly one."""
        found = {new for old, new in self._pairs.values() if old == ending}
        if len(found) != 1 or ending in found or any(path.endswith(ending) for path in self._kept):
            return None
        return found.pop()

    def _named(self, folder: str, masked: str, is_deep: bool) -> tuple[Matcher, list[str], bool]:
        """The renamed files that a spelling names, and how: relative to its folder, or else to any (True), as in a
        search path.
        """
        if not masked.startswith(ANY):
            matches = self._matches(folder, masked, is_deep, is_anywhere=False)
            found = [path for path in self._candidates(normpath(join(folder, masked))) if matches(path)]
            if found:
                return matches, found, False
        matches = self._matches(folder, masked, is_deep, is_anywhere=True)
        return matches, [path for path in self._candidates(_anywhere(masked)) if matches(path)], True

    def _matches(self, folder: str, masked: str, is_deep: bool, is_anywhere: bool) -> Matcher:
        if is_anywhere:
            return _matcher(_anywhere(masked), is_deep, is_anywhere=True)
        return _matcher(normpath(join(folder, masked)), is_deep)

    def _candidates(self, spelling: str) -> Iterable[str]:
        return self._pairs if _IS_PATTERN.search(spelling) else self._by_name.get(basename(spelling), ())

    def _names_more(self, folder: str, masked: str, new: str, is_deep: bool) -> bool:
        """Whether a new glob names files that the old one does not, because they already have that ending."""
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
        elif part in ("**", "%") or part[0] == ANY:
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


def _anywhere(masked: str) -> str:
    """A spelling that may be relative to any folder, without what leads up."""
    written = masked.lstrip(ANY)
    if written != masked and not written.startswith("/"):
        written = ANY + written  # the name itself begins with an unknown part
    return _down(normpath(written).lstrip("/"))


def _down(path: str) -> str:
    """A path without what leads up at its beginning."""
    while path.startswith("../"):
        path = path[3:]
    return path


def _full_path(path: str, new: str) -> str:
    """The new path of a file of which only the part within its root is given."""
    above = path.split("/")[: -new.count("/") - 1]
    return "/".join([*above, new])


def _endings(path: str, new: str) -> tuple[str, str]:
    """The old and the new ending of a renamed file: everything from the last dot that both names share."""
    old, new = basename(path), basename(new)
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    dot = max(old.rfind(".", 0, same), 0)
    return old[dot:], new[dot:]
