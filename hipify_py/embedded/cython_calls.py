"""Which functions take other arguments in HIP than a declaration in Cython gives them.

The mapping tables edit the arguments of calls in C++. A cast changes nothing for Cython, whose C code converts pointers
and enumerators to what a header declares; an argument more, less, or at another place has to be declared so by hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from hipify_py.core.rows import Row
from hipify_py.embedded.cython_text import Token

_CAST = re.compile(r"(?:\w+_cast<.+>|\(.+\)|HIP_SYMBOL)\(\{\}\)")
"""A wrap of an argument that leaves its value as it is; `HIP_SYMBOL` is for compilers of NVIDIA GPUs."""


def difference(row: Row, arguments: Sequence[Sequence[Token]] | None = None) -> str:
    """How the arguments of a function differ in HIP, in a finding's words; empty where a cast is all that differs.

    Args:
        row: the function's.
        arguments: the parameters that a declaration gives it; None for what holds for all of them.
    """
    if row.hip is None:
        return ""
    if row.section:
        return f"only C++ can call its counterpart, {row.hip}"
    form = row.details if arguments is None else _form(row, arguments)
    hip = form.get("hip", row.hip)
    if arguments is not None and form.get("unsupported"):
        return str(form.get("advice", f"HIP has no function with these {len(arguments)} arguments"))
    if arguments is not None and "differs" in form:
        return f"its counterpart {hip} takes other arguments: {form['differs']}"
    changes = _changes(form)
    if changes:
        return f"its counterpart {hip} takes other arguments ({', '.join(changes)}): declare and call it by hand"
    if hip != row.hip:
        return f"its counterpart with these arguments is {hip}: declare and call that by hand"
    return ""


def _form(row: Row, arguments: Sequence[Sequence[Token]]) -> Mapping[str, Any]:
    """The fields that hold for a number of arguments, or for the type of one; none where only the name differs."""
    found: Any = row.details.get("by_arity", {}).get(str(len(arguments)), {})
    for position, forms in row.details.get("by_type", {}).items():
        if int(position) < len(arguments):
            words = {token.text.decode("utf-8", "surrogateescape") for token in arguments[int(position)]}
            found = next((form for name, form in forms.items() if name in words), found)
    return found if isinstance(found, dict) else {"hip": found}


def _changes(form: Mapping[str, Any]) -> list[str]:
    """What is dropped, added, replaced or moved."""
    wraps: Mapping[str, str | None] = form.get("args", {})
    dropped = [int(at) + 1 for at, template in wraps.items() if template is None]
    replaced = [int(at) + 1 for at, template in wraps.items() if template is not None and not _CAST.fullmatch(template)]
    found = [f"argument {number} dropped" for number in dropped]
    found += [f"argument {number} replaced" for number in replaced]
    found += [f"{text} added" for text in form.get("insert", {}).values()]
    if "order" in form:
        found.append("another order")
    if "recall" in form:
        found.append("one of an earlier call added")
    return found
