"""Names that look as if a table should have them, by prefix."""

from __future__ import annotations

from collections.abc import Container, Iterable


class NamePrefixes(Container[bytes]):
    """All names with certain prefixes. Not a regular expression: that takes milliseconds to compile."""

    __slots__ = ("_lengths", "_prefixes", "_whole", "initials")

    def __init__(self, prefixes: Iterable[bytes], families: Iterable[bytes]) -> None:
        """After a prefix in lower case a name continues with a capital, after one in capitals with an underscore.

        After a prefix that ends in an underscore, and after that of a family, it continues in any way.
        """
        given = frozenset(prefixes)
        self._whole = (*families, *(prefix for prefix in given if prefix.endswith(b"_")))
        self._prefixes = given.difference(self._whole)
        self._lengths = sorted({len(prefix) for prefix in self._prefixes})
        self.initials = frozenset(prefix[:2] for prefix in (*self._whole, *self._prefixes))
        """The first two letters of the names, and no others."""

    def __contains__(self, name: object) -> bool:
        assert isinstance(name, bytes)
        for length in self._lengths:
            if name[:length] in self._prefixes and self._continues(name, length):
                return True
        return name.startswith(self._whole)

    @staticmethod
    def _continues(name: bytes, length: int) -> bool:
        following = name[length : length + 1]
        return following.isupper() if name[length - 1 : length].islower() else following == b"_"
