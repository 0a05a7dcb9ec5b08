"""Tells an operator that works element by element, as HIP's do, from one of another meaning."""

from __future__ import annotations

import re

from hipify_py.rules.collisions.functions import Function
from hipify_py.unit import Unit

_LARGEST = 2000  # bytes; a body that is longer does more than that
_PAIR = re.compile(rb"(\w+)\.([xyzw])([-+*/%&|^]|<<|>>)(=?)(\w+)\.([xyzw])(?![\w.(\[])")
_UPDATE = re.compile(rb"(\w+)\.([xyzw])=(?=\1\.\2[-+*/%&|^<>])")
_REST = re.compile(
    rb"(?:return)?(?:make_\w+\(@(?:,@)*\)|\w+[({]@(?:,@)*[)}]|\{@(?:,@)*\});"
    rb"|@(?:[;,]@)*;(?:return\w+;)?"
    rb"|\w+;(?:\w+\.[xyzw]=@;)+return\w+;"
    rb"|(\w+)=\1[-+*/%&|^](\w+);(?:return\w+;)?"
)


def is_elementwise(unit: Unit, function: Function, symbol: bytes) -> bool:
    """True for a body that applies the operator to each pair of elements and does nothing else."""
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
    if rest in (whole, whole + b"return" + left + b";"):
        return True
    type = function.parameters[0].type
    size = re.search(rb"([1-4])(?:_t)?[*&]*$", type)
    if len(set(seen)) != len(seen) or seen != sorted(seen, key=b"xyzw".index):
        return False
    return _REST.fullmatch(rest) is not None and (size is None or len(seen) == int(size[1]))
