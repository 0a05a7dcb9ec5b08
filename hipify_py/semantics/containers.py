"""Types by name, and the element types of the standard library's containers, pointers and pairs."""

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
        pointers: the number of pointers and arrays around it; references count as their referents.
        arguments: its template arguments; None for those that are not types, or that are unknown.
    """

    name: bytes
    pointers: int = 0
    arguments: tuple[Type | None, ...] = ()


def first_argument(whole: Type) -> Type | None:
    """The element type of a container or pointer of the standard library; None for any other type."""
    if whole.pointers or not whole.arguments:
        return None
    return whole.arguments[0] if whole.name in _SEQUENCES | _POINTERS | _MAPS | _PARTS else None


def pointee_type(pointer: Type | None) -> Type | None:
    """The referent of a pointer, plain or smart, or of an array."""
    if pointer is None:
        return None
    if pointer.pointers:
        return pointer._replace(pointers=pointer.pointers - 1)
    return _argument(pointer, 0) if pointer.name in _POINTERS else None


def subscripted(whole: Type | None) -> Type | None:
    """The type of an element by its index or key."""
    if whole is None or whole.pointers:
        return pointee_type(whole)
    if whole.name in _MAPS:
        return _argument(whole, 1)
    element_type = _argument(whole, 0)
    if whole.name == b"unique_ptr" or whole.name == b"shared_ptr":
        return pointee_type(element_type) or element_type
    return element_type if whole.name in _SEQUENCES else None


def element(whole: Type | None) -> Type | None:
    """The type of the elements that a range-based `for` iterates over."""
    if whole is None or whole.pointers:
        return pointee_type(whole)
    if whole.name in _MAPS:
        return Type(b"pair", 0, whole.arguments[:2])
    return _argument(whole, 0) if whole.name in _SEQUENCES else None


def part(whole: Type | None, position: int) -> Type | None:
    """The type of a part of a pair or tuple, or of an array in a structured binding."""
    if whole is None or position < 0:
        return None
    if whole.pointers:
        return None
    if whole.name in _PARTS:
        return _argument(whole, position)
    return _argument(whole, 0) if whole.name == b"array" else None


def get(whole: Type | None, position: Node) -> Type | None:
    """The type that `std::get<N>` returns."""
    text = position.text or b""
    return part(whole, int(text)) if text.isdigit() else None


def method(whole: Type | None, name: bytes) -> Type | None:
    """The type that a member function of the standard library's containers and pointers returns."""
    if whole is None or whole.pointers:
        return None
    if name in _OF_ELEMENTS:
        return pointee_type(whole) if whole.name in _POINTERS else subscripted(whole)
    if name in _TO_ELEMENTS:
        found = element(whole)
        return found._replace(pointers=found.pointers + 1) if found is not None else None
    if name in (b"get", b"release", b"lock") and whole.name in _POINTERS:
        element_type = _argument(whole, 0)
        if element_type is None or whole.name == b"reference_wrapper":
            return element_type
        return (
            element_type
            if element_type.pointers and name == b"get"
            else element_type._replace(pointers=element_type.pointers + 1)
        )
    return None


def _argument(whole: Type, position: int) -> Type | None:
    return whole.arguments[position] if position < len(whole.arguments) else None
