"""Tells an operator that works element by element, as HIP's do, from one of another meaning."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from hipify_py.rules.collisions.functions import Function
from hipify_py.rules.collisions.types import base_type
from hipify_py.unit import Unit

_LARGEST = 2000  # bytes; a body that is longer does more than that
_PAIR = re.compile(rb"(\w+)\.([xyzw])([-+*/%&|^]|<<|>>)(=?)(\w+)\.([xyzw])(?![\w.(\[])")
_UPDATE = re.compile(rb"(\w+)\.([xyzw])=(?=\1\.\2[-+*/%&|^<>])")
_REST = re.compile(
    rb"(?:return)?(?:make_\w+\(@(?:,@)*\)|\w+[({]@(?:,@)*[)}]|\{@(?:,@)*\});"
    rb"|@(?:[;,]@)*;(?:return\w+;)?"
    rb"|\w+;(?:\w+\.[xyzw]=@;)+return\w+;"
)


def is_elementwise(unit: Unit, function: Function, symbol: bytes, plain: AbstractSet[tuple[bytes, str]]) -> bool:
    """True for a body that applies the operator to each pair of elements and does nothing else.

    Args:
        unit: the source.
        function: the operator's definition.
        symbol: the operator, `*` or `+=`.
        plain: the operators of the source, with their operands' type, that are known to work element by element:
            `a = a * b` does what the source's own `*` does.
    """
    if function.body < 0 or function.end - function.body > _LARGEST:
        return False
    body = re.sub(rb"\s+", b"", unit.source.data[function.body + 1 : function.end - 1].replace(b"return ", b"return"))
    left, right = (parameter.name for parameter in function.parameters)
    operation = symbol.removesuffix(b"=")
    seen: list[bytes] = []

    def reduced(match: re.Match[bytes]) -> bytes:
        first, element, sign, _, second, other = match.groups()
        if element != other or sign != operation or (first, second) != (left, right):
            return b"?"
        seen.append(element)
        return b"@"

    rest = _PAIR.sub(reduced, _UPDATE.sub(b"", body))
    whole = left + b"=" + left + operation + right + b";"
    type = base_type(unit, function.parameters[0].type.decode(errors="replace").removeprefix("const ").rstrip("&"))
    if rest in (whole, whole + b"return" + left + b";"):
        return operation in (b"+", b"-") or (operation, type) in plain
    size = re.search(r"([1-4])(?:_t)?$", type)
    if len(set(seen)) != len(seen) or seen != sorted(seen, key=b"xyzw".index):
        return False
    return _REST.fullmatch(rest) is not None and (size is None or len(seen) == int(size[1]))
