"""Files of compiled tables in the user's cache folder (see `hipify_py.core.cache_files`)."""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from hipify_py.core.cache_files import cache_dir, is_left_over, read_file, short_name, write_file
from hipify_py.core.installation import VERSION

_MOST_FILES = 24
"""Files of compiled tables that a folder keeps, the newest: several versions and sets of tables coexist."""

_ENDING = ".bin"
_LAYOUT = 2
"""The layout version of the files; incremented when `_pack` changes."""

_LARGE = 1 << 16
"""The bytes from which on an image's block is a view of the file's content."""


def cache_name(kind: str, parts: Sequence[object]) -> str:
    """The file for a kind of tables and for what they are made from: the version, the folder, further tables."""
    key = repr((_LAYOUT, VERSION, sys.implementation.cache_tag, *parts))
    return f"{kind}-{short_name(key.encode('utf-8', 'surrogateescape'))}{_ENDING}"


def read_cache(name: str) -> bytes | None:
    """The content stored under a name; None where there is none, or none that can be trusted."""
    return read_file(os.path.join(cache_dir(), name))


def write_cache(name: str, body: bytes) -> None:
    """Store under a name, whole or not at all; a folder that cannot be written is not an error."""
    with contextlib.suppress(OSError):  # a read-only home: the next run compiles again
        write_file(os.path.join(cache_dir(), name), body)
        _sweep(cache_dir())


def cached_image(
    kind: str, parts: Sequence[object], stamp: object, make: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Tables as one image: from the cache if that is up to date, else compiled, and stored for the next run.

    Args:
        kind: what the tables are of.
        parts: what they are made from (see `cache_name`).
        stamp: changes whenever they do.
        make: compiles the image; `marshal` must be able to write it. Its blocks of bytes may come back as memory views.
    """
    name = cache_name(kind, parts)
    cached = read_cache(name)
    if cached is not None:
        image = _unpack(cached)
        if image["stamp"] == stamp:
            return image
    image = make()
    write_cache(name, _pack({**image, "stamp": stamp}))
    return image


def _pack(image: dict[str, Any]) -> bytes:
    """An image as bytes: the small parts, then the large blocks of bytes, which readers need not copy."""
    large = {key: value for key, value in image.items() if isinstance(value, bytes) and len(value) >= _LARGE}
    sizes = [(key, len(value)) for key, value in large.items()]
    head = marshal.dumps((sizes, {key: value for key, value in image.items() if key not in large}), 4)
    return b"".join((len(head).to_bytes(4, "big"), head, *large.values()))


def _unpack(body: bytes) -> dict[str, Any]:
    """The image; its large blocks of bytes are views of the body."""
    view = memoryview(body)
    place = 4 + int.from_bytes(view[:4], "big")
    image: dict[str, Any]
    sizes, image = marshal.loads(view[4:place])  # the user's own, and whole  # nosec B302
    for key, size in sizes:
        image[key] = view[place : place + size]
        place += size
    return image


def stamps_of(folder: str, *further: tuple[str, os.stat_result]) -> list[object]:
    """A stamp that changes when a table of a folder, or one of `further` files, does."""
    with os.scandir(folder) as entries:
        files = sorted((entry.name, entry.stat()) for entry in entries if entry.name.endswith(".yaml"))
    # The time of change alone may stay the same: packages carry their own.
    return [(name, status.st_size, status.st_mtime_ns, status.st_ctime_ns) for name, status in (*files, *further)]


def _sweep(folder: str) -> None:
    """Remove what killed runs left, and the oldest files beyond those that are kept."""
    with os.scandir(folder) as entries:
        ours = [(entry.stat(follow_symlinks=False).st_mtime, entry.name) for entry in entries]
    finished = sorted((changed, name) for changed, name in ours if name.endswith(_ENDING))
    left = [name for changed, name in ours if is_left_over(name, changed)]
    for name in [*left, *(name for _, name in finished[:-_MOST_FILES])]:
        with contextlib.suppress(OSError):  # another run was faster
            os.unlink(os.path.join(folder, name))
