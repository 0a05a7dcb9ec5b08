"""A place for libclang: types and declarations as a compiler sees them, where one can be had.

Evidence, never a need: everything here may be absent, and a translation says what it was decided by.
"""

from __future__ import annotations


def is_available() -> bool:
    """True when libclang's Python bindings are installed. (No rule asks it anything yet.)"""
    from importlib.util import find_spec

    return find_spec("clang") is not None
