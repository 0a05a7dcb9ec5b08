"""Regular expressions that are compiled when they are first used: a run over one file uses few of those there are.

Flags stand in the expression itself, as in `(?i)`: modules would import `re` for their names, which a check of one file
does without.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any, AnyStr, TypeAlias

_ATTRIBUTES = (
    *("findall", "finditer", "fullmatch", "match", "scanner", "search", "split", "sub", "subn"),
    *("flags", "groupindex", "groups", "pattern"),
)

Program: TypeAlias = "tuple[int, list[int], int, dict[str, int], tuple[str | None, ...]]"
"""A compiled expression, as the interpreter's matcher takes it. It holds for one version of Python."""

known_programs: dict[str | bytes, Program] = {}
"""The programs of expressions that need not be compiled."""
used_expressions: set[str | bytes] = set()
"""Those that this process has used so far."""


class _Compiled:
    """What a compiled expression has, as attributes of its own."""


class _Lazy(_Compiled):
    def __init__(self, text: Any) -> None:
        self._text = text

    def __getattr__(self, name: str) -> Any:
        if name not in _ATTRIBUTES:
            raise AttributeError(name)
        pattern: re.Pattern[Any] = compiled(self._text)
        for each in _ATTRIBUTES:
            setattr(self, each, getattr(pattern, each))
        self.__class__ = _Compiled  # type: ignore[assignment]  # its attributes are looked up faster
        return getattr(pattern, name)


def lazy(text: AnyStr) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, without the time that it takes: it is compiled as soon as something is asked of it."""
    return _Lazy(text)  # type: ignore[return-value]  # it has all that one has


def compiled(text: AnyStr) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, made from the stored program where there is one."""
    used_expressions.add(text)
    program = known_programs.get(text)
    if program is None:
        import re

        return re.compile(text)
    import _sre  # type: ignore[import-not-found]  # there is no stub of it

    pattern: re.Pattern[AnyStr] = _sre.compile(text, *program)
    return pattern
