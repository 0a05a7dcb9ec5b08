"""One encoding for equal values, in every process: sets and mappings are unordered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def canonical(value: Any) -> bytes:
    """An encoding that equal values share, and others do not."""
    return repr(_ordered(value)).encode("utf-8", "surrogatepass")


def _ordered(value: Any) -> Any:
    if isinstance(value, (bytes, str, int)) or value is None:
        return value
    if isinstance(value, (frozenset, set)):
        kinds = set(map(type, value))
        if kinds in ({bytes}, {str}):  # most are: names, which have an order of their own
            return ("set", sorted(value))
        return ("set", sorted(map(_ordered, value), key=repr))
    if isinstance(value, (tuple, list)):
        return tuple(map(_ordered, value))
    if isinstance(value, Mapping):
        return ("map", sorted(((_ordered(key), _ordered(item)) for key, item in value.items()), key=repr))
    return value
