"""The names of the types of a source's variables in shared memory."""

from __future__ import annotations

from hipify_py.core.patterns import lazy_pattern

_SHARED = lazy_pattern(rb"\b__shared__\b([^;{}()=]*)")
_WORD = lazy_pattern(rb"[A-Za-z_]\w*")
_BUILT_IN = frozenset(
    b"__shared__ __align__ alignas auto bool char const double extern float half int long short signed static struct"
    b" typename unsigned void volatile".split()
)


def types_in_shared_memory(data: bytes) -> list[bytes]:
    """Names that may be types of `__shared__` variables in a source; built-in types are left out."""
    if b"__shared__" not in data:
        return []
    found = {word for match in _SHARED.finditer(data) for word in _WORD.findall(match[1])[:-1]}
    return sorted(found - _BUILT_IN)
