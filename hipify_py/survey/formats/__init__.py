"""The formats of a survey: a module each, with a function `render`; the module's name is the format's."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules

from hipify_py.survey.account import Account

Render = Callable[[Account], bytes]


def names() -> tuple[str, ...]:
    """The formats there are, in alphabetical order."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


def load(name: str) -> Render:
    """What writes a format, one of `names()`."""
    render: Render = import_module(f"{__name__}.{name}").render
    return render
