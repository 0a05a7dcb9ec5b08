"""What a rule is, and what it is handed."""

from collections.abc import Iterator
from typing import NamedTuple

from hipify_py.catalog import Catalog, Row
from hipify_py.edits import Edit, Reshape
from hipify_py.findings import Finding
from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.syntax import SyntaxTree
from hipify_py.options import Options
from hipify_py.source import Source
from hipify_py.translation import Reference


class Example(NamedTuple):
    """A line or two that a rule changes, and what becomes of them; `output` None where they must stay."""

    source: str
    output: str | None = None
    findings: tuple[str, ...] = ()


class Use(NamedTuple):
    """A reference to a symbol of the tables: `[start, end)` is what its name takes up in the source."""

    start: int
    end: int
    row: Row


class Unit:
    """One source on its way through the rules.

    `uses` and `launches` are there for every rule; the `tree` parses itself when first asked.
    """

    __slots__ = ("catalog", "headers", "lexemes", "options", "source", "suspects", "tree", "uses")

    def __init__(self, source: Source, lexemes: Lexemes, catalog: Catalog, options: Options) -> None:
        self.source = source
        self.lexemes = lexemes
        self.catalog = catalog
        self.options = options
        self.tree = SyntaxTree(source)
        self.uses: list[Use] = []
        self.suspects: list[tuple[int, str, str]] = []
        """Offset, name and library of names that look like CUDA's but stand in no table."""
        self.headers: frozenset[str] = frozenset(include.path for include in lexemes.includes)

    def finding(self, id: str, offset: int, *, name: str = "", library: str = "", **words: str) -> Finding:
        """A finding of the register at a byte offset; `words` fill in its message."""
        entry = self.catalog.diagnostic(id)
        line, column = self.source.position(offset) if offset >= 0 else (1, 1)
        words.setdefault("detail", "")
        words.setdefault("target", "")
        message = entry.message.format(name=name, library=library, **words)
        return Finding(id, entry.severity, entry.effort, message, self.source.path, offset, line, column, name, library)


class Rule:
    """One thing that a port needs: what it looks at, why, and how it changes.

    The docstring tells a porter why. VALID examples must stay as they are, INVALID ones become their output
    or give their findings; both are run as the rule's tests and shown by `hipify-py explain`.
    """

    id: str
    """The finding that this rule is about, or a short name for a rule that only rewrites."""
    VALID: tuple[Example, ...] = ()
    INVALID: tuple[Example, ...] = ()

    def apply(self, unit: Unit) -> Iterator[Edit | Reshape | Finding | Reference]:
        """Yield what this rule changes and finds in a unit. Changes nothing itself."""
        raise NotImplementedError
