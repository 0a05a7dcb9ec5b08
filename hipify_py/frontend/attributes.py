"""CUDA attributes that the grammar does not have: `__shared__ __align__(16) float a[4]`.

It parses such a variable as one with the name `__align__`, and `struct __align__(16) S {…}` as a function. So the
parser gets a copy of the source with blanks in their place; the lexemes still have them.
"""

from __future__ import annotations

from collections.abc import Iterator

from hipify_py.frontend.blanking import blank_ranges
from hipify_py.frontend.brackets import match_forward
from hipify_py.frontend.lexer import Lexemes

_WITH_ARGUMENTS = frozenset(
    {b"__align__", b"__builtin_align__", b"__block_size__", b"__cluster_dims__", b"__maxnreg__"}
)


def blank_attributes(lexemes: Lexemes, data: bytes) -> bytes:
    """A copy of the source with blanks for such attributes and their arguments, else itself."""
    return blank_ranges(data, _places(lexemes))


def _places(lexemes: Lexemes) -> Iterator[tuple[int, int]]:
    for word in _WITH_ARGUMENTS & lexemes.words:
        for place in lexemes.places(word):
            opening = lexemes.after(place + len(word))
            if lexemes.data[opening : opening + 1] != b"(":
                continue
            found = match_forward(lexemes, opening, len(lexemes.data))
            if found is not None:
                yield place, found[0] + 1
