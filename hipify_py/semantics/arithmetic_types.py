"""The arithmetic types of expressions, by C++'s promotions and conversions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.builtin_types import vector
from hipify_py.semantics.expression_types import expression_types
from hipify_py.semantics.expressions import arguments_of, callee, operator_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_RANKS = (b"bool", b"char", b"short", b"int", b"long", b"long long", b"float", b"double")
_INT, _FLOAT = _RANKS.index(b"int"), _RANKS.index(b"float")
_BITS = (1, 8, 16, 32, 64, 64)
"""The widths of the integers among them, on Linux."""
_UNSIGNED = b"unsigned "
_FIXED = lazy_pattern(rb"(u?)int(?:_fast|_least)?(8|16|32|64)_t")
_BY_BITS = {b"8": b"char", b"16": b"short", b"32": b"int", b"64": b"long"}
_ALIASES = {
    b"size_t": b"unsigned long",
    b"ssize_t": b"long",
    b"ptrdiff_t": b"long",
    b"intptr_t": b"long",
    b"uintptr_t": b"unsigned long",
    b"uint": b"unsigned int",
    b"ushort": b"unsigned short",
    b"ulong": b"unsigned long",
    b"uchar": b"unsigned char",
    b"clock_t": b"long",
}
_QUALIFIERS = frozenset(b"const volatile constexpr static mutable register typename".split())
_NUMBER = lazy_pattern(rb"(0[xX][\da-fA-F']+|0[bB][01']+|[\d']+)([uUlL]*)")
_REAL = lazy_pattern(rb"[\d.'eE+-]+([fFlL]?)")
_COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!=", "&&", "||"))
_BUILT_INS = frozenset((b"threadIdx", b"blockIdx", b"blockDim", b"gridDim"))
_SHUFFLE = b"__shfl"
_COUNTS = frozenset((b"__popc", b"__popcll", b"__clz", b"__clzll", b"__ffs", b"__ffsll"))
"""Functions for bits, which are `int` in CUDA."""
_EXTREMA = frozenset((b"min", b"max"))
_CASTS = frozenset((b"static_cast", b"reinterpret_cast"))
_DEEPEST = 40
"""Operators in each other."""


def arithmetic_type(unit: Unit, node: Node | None, depth: int = 0) -> bytes | None:
    """The name of an expression's type, without qualifiers; None where it is unknown or no number's.

    A name that stands for a type, such as a template parameter, is returned as it is.
    """
    if node is None or depth == _DEEPEST:
        return None
    depth += 1
    field = node.child_by_field_name
    match node.type:
        case "number_literal":
            return _of_literal(text_of(node))
        case "char_literal":
            return b"char" if text_of(node).startswith(b"'") else None
        case "true" | "false":
            return b"bool"
        case "sizeof_expression" | "alignof_expression":
            return b"unsigned long"
        case "parenthesized_expression":
            inner = node.named_children
            return arithmetic_type(unit, inner[0], depth) if len(inner) == 1 else None
        case "unary_expression":
            operand = arithmetic_type(unit, field("argument"), depth)
            return b"bool" if operator_of(node) in ("!", "not") else _promoted(operand)
        case "update_expression":
            return arithmetic_type(unit, field("argument"), depth)
        case "assignment_expression":
            return arithmetic_type(unit, field("left"), depth)
        case "binary_expression":
            left = arithmetic_type(unit, field("left"), depth)
            if operator_of(node) in _COMPARISONS:
                return b"bool"
            if operator_of(node) in ("<<", ">>"):
                return _promoted(left)
            return _common(left, arithmetic_type(unit, field("right"), depth))
        case "conditional_expression":
            ways = [arithmetic_type(unit, field(way), depth) for way in ("consequence", "alternative")]
            return ways[0] if ways[0] == ways[1] else _common(*ways)
        case "cast_expression":
            type = field("type")
            return canonical_number(text_of(type)) if type is not None else None
        case "call_expression":
            return _of_call(unit, node, depth)
        case "field_expression":
            of = field("argument")
            if of is not None and text_of(of) in _BUILT_INS:
                return b"unsigned int"
            owner = arithmetic_name(unit, of)
            whole = vector(owner.decode(errors="replace")) if owner is not None else None
            if whole is not None:
                return canonical_number(whole.element.encode())
        case "identifier" if text_of(node) == b"warpSize":
            return b"int"
    name = arithmetic_name(unit, node)
    return canonical_number(name) if name is not None else None


def arithmetic_name(unit: Unit, node: Node | None) -> bytes | None:
    """The name of the type that a name, a member or an element is declared with."""
    found = expression_types(unit).type_of(node)
    return found.name if found is not None and not found.pointers and not found.arguments else None


def _of_call(unit: Unit, call: Node, depth: int) -> bytes | None:
    function, arguments = call.child_by_field_name("function"), arguments_of(call)
    if function is None:
        return None
    cast = canonical_number(text_of(function))
    if rank_of(cast) is not None:
        return cast
    leaf = callee(call)
    name = text_of(leaf) if leaf is not None else b""
    if function.type == "template_function" and name in _CASTS:
        target = function.child_by_field_name("arguments")
        return canonical_number(text_of(target)[1:-1]) if target is not None else None
    if function.type == "identifier" and name in _EXTREMA and len(arguments) == 2:
        types = [arithmetic_type(unit, argument, depth) for argument in arguments]
        return types[0] if types[0] == types[1] else _common(*types)
    if function.type == "identifier" and name.startswith(_SHUFFLE):
        value = arguments[name.endswith(b"_sync") :][:1]
        return arithmetic_type(unit, value[0], depth) if value else None
    if name in _COUNTS:
        return b"int"
    if function.type == "identifier" and name == b"abs" and len(arguments) == 1:
        return _promoted(arithmetic_type(unit, arguments[0], depth))
    declared = arithmetic_name(unit, call)
    return canonical_number(declared) if declared is not None else None


def _of_literal(text: bytes) -> bytes | None:
    number = _NUMBER.fullmatch(text.lstrip(b"+-"))  # the grammar takes the sign for a part of it
    if number is None:
        real = _REAL.fullmatch(text)
        return None if real is None or real[1] in (b"l", b"L") else b"float" if real[1] else b"double"
    digits, suffix = number[1].replace(b"'", b""), number[2].lower()
    is_octal = digits.startswith(b"0") and digits.isdigit()
    value = int(digits, 8) if is_octal else int(digits, 0)
    rank = _INT + suffix.count(b"l")
    is_unsigned = b"u" in suffix
    if rank == _INT and value >= 1 << 31:
        is_narrow = value < 1 << 32 and (is_unsigned or is_octal or not digits.isdigit())
        is_unsigned, rank = is_unsigned or is_narrow, rank if is_narrow else rank + 1
    return (_UNSIGNED if is_unsigned else b"") + _RANKS[rank]


def canonical_number(type: bytes) -> bytes | None:
    """A type by the name that these functions use; any other name as it is."""
    words = [word for word in type.replace(b"::", b" ").split() if word not in _QUALIFIERS]
    if words[:1] == [b"std"]:
        words = words[1:]
    if len(words) == 1:
        fixed = _FIXED.fullmatch(words[0])
        if fixed is not None:
            return (_UNSIGNED if fixed[1] else b"signed " if fixed[2] == b"8" else b"") + _BY_BITS[fixed[2]]
        if words[0] not in (b"unsigned", b"signed"):
            return _ALIASES.get(words[0], words[0])
    sign = [word for word in words if word in (b"unsigned", b"signed")]
    size = [word for word in words if word not in (b"unsigned", b"signed", b"int")]
    name = b" ".join(size) or b"int"
    if name not in _RANKS or len(sign) > 1:
        return None
    return (_UNSIGNED if sign == [b"unsigned"] else b"signed " if sign and name == b"char" else b"") + name


def rank_of(type: bytes | None) -> int | None:
    """The place of a type among the arithmetic ones, without its sign; None for any other type."""
    plain = type.removeprefix(_UNSIGNED).removeprefix(b"signed ") if type is not None else b""
    return _RANKS.index(plain) if plain in _RANKS else None


def narrows(source: bytes | None, target: bytes | None) -> bool:
    """Whether a value of a type may lose something in another type, so that braces do not convert it.

    Source: C++ standard [dcl.init.list]: integers to narrower ones or those of another sign, and to floating types.
    """
    ranks = rank_of(source), rank_of(target)
    if source is None or target is None or ranks[0] is None or ranks[1] is None or source == target:
        return False
    if is_floating(source) and is_floating(target):
        return ranks[0] > ranks[1]
    if is_floating(source) or is_floating(target):
        return True
    is_unsigned = source.startswith(_UNSIGNED) or source == b"bool", target.startswith(_UNSIGNED)
    widths = _BITS[ranks[0]], _BITS[ranks[1]]
    if is_unsigned[0] and not is_unsigned[1]:
        return widths[0] >= widths[1]
    return widths[0] > widths[1] or (is_unsigned[1] and not is_unsigned[0])


def is_promoted_to_int(type: bytes | None) -> bool:
    """Whether a type is `int`, or smaller."""
    rank = rank_of(type)
    return rank is not None and (rank < _INT or type == b"int")


def is_floating(type: bytes | None) -> bool:
    """Whether a type is `float` or `double`."""
    rank = rank_of(type)
    return rank is not None and rank >= _FLOAT


def _promoted(type: bytes | None) -> bytes | None:
    if rank_of(type) is None:
        return None
    return b"int" if is_promoted_to_int(type) else type


def _common(left: bytes | None, right: bytes | None) -> bytes | None:
    """The type of two operands' sum."""
    left, right = _promoted(left), _promoted(right)
    ranks = rank_of(left), rank_of(right)
    if left is None or right is None or ranks[0] is None or ranks[1] is None:
        return None
    if ranks[0] == ranks[1]:
        return left if left.startswith(_UNSIGNED) else right
    higher, lower = (left, right) if ranks[0] > ranks[1] else (right, left)
    is_as_wide = higher == b"long long" and lower == b"unsigned long"
    return b"unsigned long long" if is_as_wide else higher
