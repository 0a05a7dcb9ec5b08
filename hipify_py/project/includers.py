"""Which sources include a file, directly or through others: a header is compiled as part of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence


class Includers:
    """The files that include others, from an include graph (`IncludeGraph.included`)."""

    def __init__(self, included: Mapping[str, Sequence[str]]) -> None:
        self._includers: dict[str, list[str]] = {}
        for path, targets in included.items():
            for target in dict.fromkeys(targets):
                self._includers.setdefault(target, []).append(path)

    def of(self, path: str, is_source: Callable[[str], bool]) -> Iterator[str]:
        """The sources that include a file, sorted by the number of include steps and then by name."""
        seen, now = {path}, [path]
        while now:
            now = sorted({above for here in now for above in self._includers.get(here, ()) if above not in seen})
            seen.update(now)
            yield from filter(is_source, now)
