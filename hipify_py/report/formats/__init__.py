"""The formats of an account: a module each, which has a `FORMAT`; the module's name is the format's.

A format writes text for one `RunReport`. Adding one is adding its module here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import NamedTuple

from hipify_py.report.run_report import RunReport


class Look(NamedTuple):
    """How text for people looks.

    Attributes:
        color: with colours, for a terminal.
        width: columns of tables.
        editor: the template of the links that open files (`hipify_py.report.editor`); empty for no links.
    """

    color: bool = False
    width: int = 120
    editor: str = ""


PLAIN = Look()


class Format(NamedTuple):
    """One report format.

    Attributes:
        summary: what it is for, in a few words for `--help`.
        render: the report's text, in pieces. Formats for people escape whatever a terminal would obey
            (`hipify_py.core.terminal_escape`); programs get it exactly.
        shows_changes: it shows what a conversion changes, which runs report only on request.
    """

    summary: str
    render: Callable[[RunReport, Look], Iterable[str]]
    shows_changes: bool = False


@cache
def names() -> tuple[str, ...]:
    """The formats there are, in alphabetical order; none is imported for this."""
    from pkgutil import iter_modules

    return tuple(sorted(module.name for module in iter_modules(__path__)))


def load(name: str) -> Format:
    """The format of a name, one of `names()`."""
    found: Format = import_module(f"{__name__}.{name}").FORMAT
    return found
