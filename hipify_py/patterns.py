"""Regular expressions that are compiled when they are first used: a run over one file uses few of those there are."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, AnyStr, TypeAlias

_ATTRIBUTES = (
    *("findall", "finditer", "fullmatch", "match", "scanner", "search", "split", "sub", "subn"),
    *("flags", "groupindex", "groups", "pattern"),
)

Expression: TypeAlias = "tuple[str | bytes, int]"
"""The text of an expression, and its flags."""
Program: TypeAlias = "tuple[int, list[int], int, dict[str, int], tuple[str | None, ...]]"
"""A compiled expression, as the interpreter's matcher takes it. It holds for one version of Python."""

known_programs: dict[Expression, Program] = {}
"""The programs of expressions that need not be compiled."""
used_expressions: set[Expression] = set()
"""Those that this process has used so far."""


class _Compiled:
    """What a compiled expression has, as attributes of its own."""


class _Lazy(_Compiled):
    def __init__(self, text: Any, flags: int) -> None:
        self._given = (text, flags)

    def __getattr__(self, name: str) -> Any:
        if name not in _ATTRIBUTES:
            raise AttributeError(name)
        pattern = compiled(*self._given)
        for each in _ATTRIBUTES:
            setattr(self, each, getattr(pattern, each))
        self.__class__ = _Compiled  # type: ignore[assignment]  # its attributes are looked up faster
        return getattr(pattern, name)


def lazy(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, without the time that it takes: it is compiled as soon as something is asked of it."""
    return _Lazy(text, flags)  # type: ignore[return-value]  # it has all that one has


def compiled(text: str | bytes, flags: int) -> re.Pattern[Any]:
    """What `re.compile` gives, made from the stored program where there is one."""
    expression = (text, int(flags))
    used_expressions.add(expression)
    program = known_programs.get(expression)
    if program is None:
        return re.compile(text, flags)
    import _sre  # type: ignore[import-not-found]  # there is no stub of it

    pattern: re.Pattern[Any] = _sre.compile(text, *program)
    return pattern
