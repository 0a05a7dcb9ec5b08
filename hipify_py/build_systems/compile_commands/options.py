"""A compiler's options for a source, made of what a compilation database declares for it.

Nothing of a database is passed on as it is: folders and files are absolute paths that exist, a standard has the form
of one, and macros that could mean more than that to the shell by which hipcc calls clang go into a header.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from hipify_py.build_systems.compile_commands.database import NVCCS_MACROS, TOOLKIT_HEADER, Settings

_STANDARD = re.compile(r"(?:c|gnu)(?:\+\+)?[0-9][0-9a-z]", re.ASCII)
_MACRO = re.compile(r"[A-Za-z_]\w*(?:\([\w, .]*\))?", re.ASCII)
_PLAIN = re.compile(r"[\w.+]*", re.ASCII)
_NOT_IN_HEADER = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]|/[*/]|\\\Z")
_UNSAFE = re.compile('[\x00-\x1f\x7f"$`\\\\]')

Mirrors = Callable[[str], Sequence[str]]
"""Where a folder of the project lies among the translated files; nothing for a folder outside of it."""


class SourceOptions(NamedTuple):
    """The options and macros with which a source is compiled.

    Attributes:
        flags: options for folders, macros and files that are included first.
        standard: the value of `-std`; empty if none is known.
        definitions: macros that have to be defined first, as the text of a header; empty if there are none.
    """

    flags: tuple[str, ...] = ()
    standard: str = ""
    definitions: str = ""

    def with_definitions(self, path: str) -> tuple[str, ...]:
        """The flags, after one that includes the file of definitions that `files` returns."""
        return (*(word for name in self.files(path) for word in ("-include", name)), *self.flags)

    def files(self, path: str) -> Mapping[str, bytes]:
        """The definitions as a file beside a source, held in memory; its name changes with the definitions."""
        if not self.definitions:
            return {}
        text = os.fsencode(self.definitions)
        return {f"{path}.{blake2b(text, digest_size=12).hexdigest()}.h": text}


NO_OPTIONS = SourceOptions()


def no_mirrors(folder: str) -> Sequence[str]:
    """Sources are compiled in their original places."""
    return ()


def is_safe_name(path: str) -> bool:
    """Whether a path survives the shell by which hipcc calls clang, and clang's messages about it can be read."""
    return _UNSAFE.search(path) is None


def options_of(settings: Settings | None, mirrors: Mirrors = no_mirrors) -> SourceOptions:
    """What a database declares, as options."""
    if settings is None:
        return NO_OPTIONS
    flags = [
        f"{option}{place}"
        for option, folders in (("-iquote", settings.quoted), ("-I", settings.folders), ("-isystem", settings.system))
        for folder in folders
        for place in _folders(folder, mirrors)
    ]
    macros = [
        (name, value) for name, value in settings.macros if _MACRO.fullmatch(name) and not name.startswith(NVCCS_MACROS)
    ]
    definitions = ""
    if all(value is None or _PLAIN.fullmatch(value) for _, value in macros) and not any("(" in n for n, _ in macros):
        flags += [f"-U{name}" if value is None else f"-D{name}={value}" for name, value in macros]
    else:
        definitions = "".join(_definitions(macros))
    for written, place in settings.included:
        file = _file(written, place, settings.searched, mirrors)
        if file:
            flags += ["-include", file]
    standard = settings.standard if _STANDARD.fullmatch(settings.standard) else ""
    return SourceOptions(tuple(flags), standard, definitions)


def _definitions(macros: Sequence[tuple[str, str | None]]) -> Iterator[str]:
    for name, value in macros:
        if value is None:
            yield f"#undef {name}\n"
        elif _NOT_IN_HEADER.search(value) is None:
            yield f"#undef {name.partition('(')[0]}\n#define {name} {value}\n"


def _folders(folder: str, mirrors: Mirrors) -> Iterator[str]:
    """A folder in its translated form, and as it is; not the folder of CUDA's own headers."""
    mirrored = mirrors(folder)
    if not mirrored and os.path.exists(os.path.join(folder, TOOLKIT_HEADER)):
        return
    for place in (*mirrored, folder):
        if is_safe_name(place) and os.path.exists(place) and os.path.isdir(place):
            yield place


def _file(written: str, place: str, folders: Sequence[str], mirrors: Mirrors) -> str:
    """The file that is included first, translated if it belongs to the project; empty if there is none."""
    for candidate in (place, *(os.path.normpath(os.path.join(folder, written)) for folder in folders)):
        head, name = os.path.split(candidate)
        for found in (*(os.path.join(mirror, name) for mirror in mirrors(head)), candidate):
            if is_safe_name(found) and os.path.isfile(found):
                return found
    return ""
