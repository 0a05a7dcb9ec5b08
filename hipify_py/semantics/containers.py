"""Types by name, and what the standard library's containers, pointers and pairs give of what they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

_SEQUENCES = frozenset(
    b"vector array deque list forward_list span set multiset unordered_set initializer_list valarray stack queue"
    b" host_vector device_vector universal_vector small_vector SmallVector".split()
)
_POINTERS = frozenset(b"unique_ptr shared_ptr weak_ptr optional reference_wrapper atomic observer_ptr".split())
_MAPS = frozenset(b"map multimap unordered_map unordered_multimap flat_map".split())
_PARTS = frozenset(b"pair tuple".split())
_OF_ELEMENTS = frozenset(b"front back at top value".split())
_TO_ELEMENTS = frozenset(
    b"begin end cbegin cend rbegin rend data find lower_bound upper_bound insert emplace erase".split()
)


class Type(NamedTuple):
    """A type as a name.

    Attributes:
        name: its last part, without scope and template arguments.
        pointers: how many pointers and arrays of it there are around each other; references count as what they are of.
        arguments: its template arguments; None for those that are no types, or that the source does not tell.
    """

    name: bytes
    pointers: int = 0
    arguments: tuple[Type | None, ...] = ()


def first_argument(whole: Type) -> Type | None:
    """What a container or pointer of the standard library holds; None for any other type."""
    if whole.pointers or not whole.arguments:
        return None
    return whole.arguments[0] if whole.name in _SEQUENCES | _POINTERS | _MAPS | _PARTS else None


def pointed_to(pointer: Type | None) -> Type | None:
    """What a pointer, plain or smart, or an array leads to."""
    if pointer is None:
        return None
    if pointer.pointers:
        return pointer._replace(pointers=pointer.pointers - 1)
    return _argument(pointer, 0) if pointer.name in _POINTERS else None


def subscripted(whole: Type | None) -> Type | None:
    """An element by its number or key."""
    if whole is None or whole.pointers:
        return pointed_to(whole)
    if whole.name in _MAPS:
        return _argument(whole, 1)
    held = _argument(whole, 0)
    if whole.name == b"unique_ptr" or whole.name == b"shared_ptr":
        return pointed_to(held) or held
    return held if whole.name in _SEQUENCES else None


def element(whole: Type | None) -> Type | None:
    """What a range-based `for` goes over."""
    if whole is None or whole.pointers:
        return pointed_to(whole)
    if whole.name in _MAPS:
        return Type(b"pair", 0, whole.arguments[:2])
    return _argument(whole, 0) if whole.name in _SEQUENCES else None


def part(whole: Type | None, position: int) -> Type | None:
    """A part of a pair or tuple, or of an array that is taken apart."""
    if whole is None or position < 0:
        return None
    if whole.pointers:
        return None
    if whole.name in _PARTS:
        return _argument(whole, position)
    return _argument(whole, 0) if whole.name == b"array" else None


def get(whole: Type | None, position: Node) -> Type | None:
    """What `std::get<N>` gives."""
    text = position.text or b""
    return part(whole, int(text)) if text.isdigit() else None


def method(whole: Type | None, name: bytes) -> Type | None:
    """What a member function of the standard library's containers and pointers returns."""
    if whole is None or whole.pointers:
        return None
    if name in _OF_ELEMENTS:
        return pointed_to(whole) if whole.name in _POINTERS else subscripted(whole)
    if name in _TO_ELEMENTS:
        found = element(whole)
        return found._replace(pointers=found.pointers + 1) if found is not None else None
    if name in (b"get", b"release", b"lock") and whole.name in _POINTERS:
        held = _argument(whole, 0)
        if held is None or whole.name == b"reference_wrapper":
            return held
        return held if held.pointers and name == b"get" else held._replace(pointers=held.pointers + 1)
    return None


def _argument(whole: Type, position: int) -> Type | None:
    return whole.arguments[position] if position < len(whole.arguments) else None
