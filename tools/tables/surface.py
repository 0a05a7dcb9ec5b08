"""What a header set declares: its symbols, and every word that stands in its headers.

Reading a set takes up to a minute, so that the result is kept beside the set, as compressed JSON.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

from hipify_py.headers.places import STAMP
from tools.tables.libraries import library_of_header
from tools.tables.symbols import SurfaceError, Symbol, merge

READER = 15
"""The version of the readers: a surface that another version has cached is read anew."""

_CACHE = ".surface.json.gz"


class Surface(NamedTuple):
    """All that one header set declares.

    `words` are all identifiers outside of comments, each with the first header that has it: a name that is none of
    them is not in the set. `libraries` are the libraries of which the set has headers, and `bound` those of which
    it has bindings; `headers` are the paths of its headers as programs include them. A set is not `whole` when it
    lacks headers of these libraries: what wheels carry of ROCm's headers is what they need themselves.
    """

    side: str
    version: str
    symbols: dict[str, Symbol]
    words: dict[str, str]
    libraries: frozenset[str]
    bound: frozenset[str] = frozenset()
    headers: frozenset[str] = frozenset()
    whole: bool = True

    def declares(self, name: str) -> bool:
        """True when the set has the name; a member of a class need only stand somewhere beside its class."""
        scope, _, last = name.rpartition("::")
        if name in self.symbols or not scope:
            return name in self.symbols or name in self.words
        return last in self.words and scope in self.symbols and self.symbols[scope].kind == "type"


def load_surface(folder: Path, side: str, version: str) -> Surface:
    """The surface of the set in `folder`, from its cache where that is of this very set.

    Raises:
        SurfaceError: when there is no such set, or it cannot be read.
    """
    if not folder.is_dir():
        raise SurfaceError(f"{folder}: there is no such header set")
    key = f"{READER} {side} {version} {_stamp(folder)}"
    cached = _read_cache(folder / _CACHE, key)
    if cached is not None:
        return cached
    surface = read_surface(folder, side, version)
    _write_cache(folder / _CACHE, key, surface)
    return surface


def read_surface(folder: Path, side: str, version: str) -> Surface:
    """Read a set: headers below `include/`, Cython declarations below `pxd/`; a folder with neither is itself one.

    Raises:
        SurfaceError: when the set holds nothing to read, or something unreadable.
    """
    from tools.tables import bindings, c_headers, device_headers  # they take libclang

    include, pxd = folder / "include", folder / "pxd"
    if not include.is_dir() and not pxd.is_dir():
        include, pxd = (folder / "none", folder) if any(folder.glob("*.pxd")) else (folder, folder / "none")
    symbols: list[Symbol] = []
    words: dict[str, str] = {}
    libraries: set[str] = set()
    bound: set[str] = set()
    headers: set[str] = set()
    try:
        if pxd.is_dir():
            declared = bindings.read_bindings(pxd)
            symbols += declared.symbols
            words.update(dict.fromkeys(declared.words, ""))
            bound = set(declared.libraries)
            headers = {symbol.header for symbol in declared.symbols if symbol.header}
        if include.is_dir():
            texts = device_headers.read_texts(include)
            words.update(device_headers.words(texts))
            symbols += c_headers.read_c_headers(include, sorted(texts), side)
            symbols += device_headers.read_device_headers(texts, side)
            libraries = {library for header in texts if (library := library_of_header(header, side))}
            headers |= {header.removeprefix("cccl/") for header in texts}
    except OSError as error:
        raise SurfaceError(f"{folder}: {error}") from error
    if not words:
        raise SurfaceError(f"{folder}: the set holds neither headers nor bindings")
    return Surface(
        side,
        version,
        merge(symbols, side),
        words,
        libraries=frozenset(libraries),
        bound=frozenset(bound),
        headers=frozenset(headers),
        whole=side == "cuda" or not (folder / STAMP).is_file(),
    )


def _stamp(folder: Path) -> str:
    """What tells one content of a folder from another: the stamp of a fetched set, else its files' sizes and times."""
    complete = folder / STAMP
    if complete.is_file():
        return complete.read_text(encoding="utf-8")
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != _CACHE:
            status = path.stat()
            digest.update(f"{path.relative_to(folder)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _read_cache(path: Path, key: str) -> Surface | None:
    try:
        document: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
        if document["key"] != key:
            return None
        symbols = {
            name: Symbol(
                name, kind, library, header, tuple(forms), value, tuple(fields), alias_of, old, tuple(parameters)
            )
            for name, kind, library, header, forms, value, fields, alias_of, old, parameters in document["symbols"]
        }
        words = {word: header for header, found in document["words"].items() for word in found}
        return Surface(
            document["side"],
            document["version"],
            symbols,
            words,
            libraries=frozenset(document["libraries"]),
            bound=frozenset(document["bound"]),
            headers=frozenset(document["headers"]),
            whole=document["whole"],
        )
    except (OSError, ValueError, KeyError, TypeError, EOFError):
        return None  # no cache yet, or a damaged one


def _write_cache(path: Path, key: str, surface: Surface) -> None:
    words: dict[str, list[str]] = {}
    for word, header in surface.words.items():
        words.setdefault(header, []).append(word)
    document = {
        "key": key,
        "side": surface.side,
        "version": surface.version,
        "symbols": list(surface.symbols.values()),
        "words": words,
        "libraries": sorted(surface.libraries),
        "bound": sorted(surface.bound),
        "headers": sorted(surface.headers),
        "whole": surface.whole,
    }
    with contextlib.suppress(OSError):  # a read-only set is read anew each time
        path.write_bytes(gzip.compress(json.dumps(document, separators=(",", ":")).encode(), 5, mtime=0))
