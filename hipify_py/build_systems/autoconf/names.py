"""The names that configure makes of others: macros of its header, and shell variables that store what it found."""

from __future__ import annotations

import re

_OTHERS = re.compile(rb"\W")


def macro(prefix: str, name: str) -> str:
    """The macro that configure defines for a function, a header, a library or a type."""
    return prefix + _word(name, "P").upper()


def variable(kind: str, name: str) -> str:
    """The variable in which configure stores what it found."""
    return f"ac_cv_{kind}_{_word(name, 'p')}"


def _word(name: str, pointer: str) -> str:
    """A name with each byte replaced that names cannot have, as Autoconf does it."""
    return _OTHERS.sub(b"_", name.replace("*", pointer).encode("utf-8", "surrogateescape")).decode("ascii")
