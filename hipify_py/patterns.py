"""Regular expressions that are compiled when they are first used: a run over one file uses few of those there are."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_ATTRIBUTES = (
    *("findall", "finditer", "fullmatch", "match", "scanner", "search", "split", "sub", "subn"),
    *("flags", "groupindex", "groups", "pattern"),
)


class _Compiled:
    """What a compiled expression has, as attributes of its own."""


class _Lazy(_Compiled):
    def __init__(self, text: Any, flags: int) -> None:
        self._given = (text, flags)

    def __getattr__(self, name: str) -> Any:
        if name not in _ATTRIBUTES:
            raise AttributeError(name)
        compiled = re.compile(*self._given)
        for each in _ATTRIBUTES:
            setattr(self, each, getattr(compiled, each))
        self.__class__ = _Compiled  # type: ignore[assignment]  # its attributes are looked up faster
        return getattr(compiled, name)


def lazy(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, without the time that it takes: it is compiled as soon as something is asked of it."""
    return cast("re.Pattern[AnyStr]", _Lazy(text, flags))
