"""What a header set declares: its symbols, and every word that stands in its headers.

Reading a set takes up to a minute, so that the result is kept beside the set, as compressed JSON.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import yaml

READER = 13
"""The version of the readers: a surface that another version has cached is read anew."""

STAMP = ".complete"
"""The file in a fetched set that says what was fetched."""

_LIBRARIES = Path(__file__).with_name("libraries.yaml")
_CACHE = ".surface.json.gz"


class SurfaceError(ValueError):
    """A header set cannot be read; the message says which, and why."""


class Symbol(NamedTuple):
    """A name that a header declares.

    `signatures` are spelled `result (type, type)`; a parameter with a default ends in ` =`, a template begins
    with `template `. `value` is an enumerator's number, a macro's text, or what kind of type a type is (enum,
    struct, union). `fields` are a struct's members or an enumeration's enumerators. `alias_of` is what a typedef
    or a macro stands for.
    """

    name: str
    kind: str
    library: str = ""
    header: str = ""
    signatures: tuple[str, ...] = ()
    value: str = ""
    fields: tuple[str, ...] = ()
    alias_of: str = ""
    deprecated: bool = False


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
    from hipify_py.upkeep import bindings, c_headers, device_headers

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


def merge(symbols: Iterable[Symbol], side: str) -> dict[str, Symbol]:
    """Symbols by name: overloads in one symbol, macros that rename a symbol as that symbol, each with its library."""
    merged: dict[str, Symbol] = {}
    for symbol in symbols:
        if not symbol.library:
            symbol = symbol._replace(library=library_of_header(symbol.header, side))
        known = merged.get(symbol.name)
        merged[symbol.name] = symbol if known is None else _joined(known, symbol)
    for name, symbol in list(merged.items()):
        if symbol.kind == "macro":
            target = merged.get(_renamed(symbol.value))
            if target is not None and target.kind != "macro" and target.name != name:
                merged[name] = target._replace(
                    name=name, header=symbol.header, library=symbol.library, alias_of=target.name
                )
    return merged


def _joined(known: Symbol, other: Symbol) -> Symbol:
    """Two declarations of one name: the fuller one, with the signatures of both."""
    renames = known.kind == "macro" and _renamed(known.value).startswith(known.name)
    if (known.kind == "macro" and not renames) or (
        other.kind == "type" and known.kind == "type" and not known.fields and other.fields
    ):
        known, other = other, known
    if renames:
        return known
    signatures = known.signatures + tuple(s for s in other.signatures if s not in known.signatures)
    alias_of = known.alias_of or (other.alias_of if other.kind == known.kind else "")
    return known._replace(
        signatures=signatures,
        alias_of="" if alias_of == known.name else alias_of,
        value=known.value or (other.value if other.kind == known.kind else ""),
        deprecated=known.deprecated or other.deprecated,
    )


def _renamed(value: str) -> str:
    """The name that a macro's text stands for: `name`, or `MACRO(name)` where the macro only decorates it."""
    match = re.fullmatch(r"(?:\w+\s*\(\s*)?([A-Za-z_]\w*)\s*\)?", value)
    return match[1] if match else ""


def is_public(symbol: Symbol) -> bool:
    """True for a name that programs may use: not in an implementation's header, and not of a reserved form.

    The device headers' public names begin with two underscores, so that there such names count.
    """
    if symbol.kind == "namespace" or not is_public_header(symbol.header):
        return False
    scope, _, name = symbol.name.rpartition("::")
    if scope.startswith("_") or "::_" in scope:
        return False
    if not name.startswith("_"):
        return bool(name)
    return symbol.kind != "macro" and any(
        re.match(rule["header"], symbol.header) and not re.match(rule["not"], name) for rule in _rules()["reserved"]
    )


def is_public_header(header: str) -> bool:
    """True for a header whose names programs may use."""
    return not any(re.match(rule["header"], header) for rule in _rules()["private"])


def library_of_header(header: str, side: str) -> str:
    """The library that a header belongs to (CUDA: the table; ROCm: the folder), or nothing."""
    if side == "rocm":
        folder, slash, _ = header.partition("/")
        return folder if slash else ""
    return _first_match(_rules()["cuda"], "header", header)


def library_of_name(name: str) -> str:
    """The part of ROCm that a HIP or ROCm name belongs to, by its beginning."""
    return _first_match(_rules()["rocm"], "name", name) or "hip"


_rule_cache: dict[str, list[dict[str, str]]] = {}


def _rules() -> dict[str, list[dict[str, str]]]:
    if not _rule_cache:
        _rule_cache.update(yaml.safe_load(_LIBRARIES.read_text(encoding="utf-8")))
    return _rule_cache


def _first_match(rules: list[dict[str, str]], key: str, text: str) -> str:
    return next((rule["library"] for rule in rules if re.match(rule[key], text)), "")


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
            name: Symbol(name, kind, library, header, tuple(signatures), value, tuple(fields), alias_of, deprecated)
            for name, kind, library, header, signatures, value, fields, alias_of, deprecated in document["symbols"]
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
