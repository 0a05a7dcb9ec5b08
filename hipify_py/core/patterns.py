"""Regular expressions that are compiled when they are first used.

A module has patterns for all that it may meet, and a source has little of that: compiling the others would cost a
check of one file more than the check itself.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _LazyPattern:
    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """The attribute of the compiled pattern, which later look-ups find in this object."""
        value = getattr(re.compile(self._pattern, self._flags), name)
        setattr(self, name, value)
        return value


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A pattern with the methods of a compiled one; compiled at the first use of each.

    Errors of the pattern show no earlier: `re.error`.
    """
    return cast("re.Pattern[AnyStr]", _LazyPattern(pattern, flags))
