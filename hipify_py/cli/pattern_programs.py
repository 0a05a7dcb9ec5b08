"""Regular expressions compiled by Python's `re`, in a form that can be stored; `re` has no public name for that."""

from __future__ import annotations

import sys
from importlib import import_module

from hipify_py.patterns import Program

_HOMES = ("re._parser", "re._compiler") if sys.version_info >= (3, 11) else ("sre_parse", "sre_compile")


def program_of(expression: str | bytes) -> Program | None:
    """The program that `re.compile` hands to the interpreter's matcher for an expression.

    None for a Python that makes it otherwise: its expressions are compiled anew each time.
    """
    try:
        return _program_of(expression)
    except (ImportError, AttributeError, TypeError):
        return None


def _program_of(expression: str | bytes) -> Program:
    parser, compiler = map(import_module, _HOMES)
    parsed = parser.parse(expression)
    flags = parsed.state.flags
    numbers: dict[str, int] = parsed.state.groupdict
    names: list[str | None] = [None] * parsed.state.groups
    for name, number in numbers.items():
        names[number] = name
    code = [int(word) for word in compiler._code(parsed, flags)]  # some are named constants
    return int(flags), code, parsed.state.groups - 1, numbers, tuple(names)
