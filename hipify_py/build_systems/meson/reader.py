"""Reads Meson's language into the nodes of `expressions.py`.

Operators are read from left to right, whatever their precedence: no rule needs more than which operands are together.
"""

from __future__ import annotations

from hipify_py.build_systems.expressions import (
    ASSIGNMENT,
    ATTRIBUTE,
    BLOCK,
    CALL,
    KEYWORD,
    LIST,
    MAPPING,
    NAME,
    OPERATION,
    OTHER,
    PAIR,
    STATEMENT,
    STRING,
    SUBSCRIPT,
    Node,
    Read,
)
from hipify_py.build_systems.meson.lexer import ID, NEWLINE, NUMBER, OPERATOR, Lexed, Token, tokens_of
from hipify_py.build_systems.meson.lexer import STRING as STRING_TOKEN

_WORDS = frozenset({"if", "elif", "foreach"})
_ALONE = frozenset({"else", "endif", "endforeach", "break", "continue"})
_BINARY = frozenset({"+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in", "not", "and", "or"})
_LONGEST_NAME = 256
_DEEPEST = 64
"""How deep expressions may nest; a statement that goes deeper is not visited."""
_HIGHEST = 200
"""How many nodes may be above each other: `a - b - c` nests without brackets, and rules walk up from every node."""


class _SyntaxError(Exception):
    """The statement cannot be read."""


def read(data: bytes) -> Read:
    """Read a file; a statement that cannot be read is left out."""
    lexed = tokens_of(data)
    reader = _Reader(data, lexed)
    reader.run()
    return Read(reader.root, lexed.comments, reader.statements, reader.broken)


class _Reader:
    def __init__(self, data: bytes, lexed: Lexed) -> None:
        self.tokens = lexed.tokens
        self.at = self.depth = 0
        self.heights: dict[Node, int] = {}
        self.root = Node(BLOCK, 0, len(data))
        self.statements: list[tuple[int, int]] = []
        self.broken = lexed.broken
        self.end = Token(NEWLINE, "", len(data), len(data))

    def run(self) -> None:
        while self.at < len(self.tokens):
            if self.tokens[self.at].kind == NEWLINE:
                self.at += 1
                continue
            start = self.tokens[self.at].start
            self.depth = 0
            self.heights.clear()
            try:
                self._statement()
                if self._next().kind != NEWLINE:
                    raise _SyntaxError
            except _SyntaxError:
                self.broken = start if self.broken < 0 else min(start, self.broken)
                while self._next() is not self.end and self._next().kind != NEWLINE:
                    self.at += 1

    def _next(self) -> Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else self.end

    def _is(self, text: str) -> bool:
        token = self._next()
        return token.text == text and token.kind in {OPERATOR, ID}

    def _take(self, text: str) -> Token:
        token = self._next()
        if not self._is(text):
            raise _SyntaxError
        self.at += 1
        return token

    def _statement(self) -> None:
        first = self._next()
        if first.kind == ID and first.text in _ALONE:
            self.at += 1
            return
        node = Node(STATEMENT, first.start, first.end, "", self.root)
        if first.kind == ID and first.text in _WORDS:
            self.at += 1
            node.kind = OTHER
            node.text = first.text
            if first.text == "foreach":
                while self._next().kind == ID or self._is(","):
                    self.at += 1
                self._take(":")
            self._below(node, self._expression())
        else:
            target = self._expression()
            if self._is("=") or self._is("+="):
                assignment = Node(ASSIGNMENT, target.start, target.end, self._next().text)
                self.at += 1
                value = self._expression()
                self._below(assignment, target)
                self._below(assignment, value)
                target = assignment
            self._below(node, target)
        self.root.children.append(node)
        self.statements.append((node.start, node.end))

    def _below(self, parent: Node, child: Node) -> None:
        height = self.heights[parent] = max(self.heights.get(parent, 0), self.heights.get(child, 0) + 1)
        if height > _HIGHEST:
            raise _SyntaxError
        child.parent = parent
        parent.children.append(child)
        parent.end = max(parent.end, child.end)

    def _expression(self) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _SyntaxError
        node = self._operand()
        while self._next().kind in {OPERATOR, ID} and self._next().text in _BINARY:
            operator = self._next()
            self.at += 1
            text = operator.text
            if text == "not":
                self._take("in")
                text = "not in"
            inner = self._operand()
            if node.kind == OPERATION and node.text == text == "+":
                self._below(node, inner)
                continue
            operation = Node(OPERATION, node.start, node.end, text)
            self._below(operation, node)
            self._below(operation, inner)
            node = operation
        if self._is("?"):
            node = self._choice(node)
        self.depth -= 1
        return node

    def _operand(self) -> Node:
        prefixes = 0
        while self._is("not") or self._is("-"):
            self.at += 1
            prefixes += 1
        token = self._next()
        self.at += 1
        if token.kind == STRING_TOKEN:
            node = Node(STRING, token.start, token.end, token.text)
            node.inner = token.inner
            node.references = _references(token) if token.is_format else []
        elif token.kind == NUMBER:
            node = Node(OTHER, token.start, token.end)
        elif token.kind == ID:
            node = Node(NAME, token.start, token.end, token.text)
        elif token.text == "(":
            node = self._expression()
            self._take(")")
        elif token.text == "[":
            node = Node(LIST, token.start, token.end)
            self._items(node, "]")
        elif token.text == "{":
            node = Node(MAPPING, token.start, token.end)
            self._items(node, "}")
        else:
            raise _SyntaxError
        node = self._behind(node)
        if prefixes:
            operation = Node(OPERATION, node.start, node.end, "not")
            self._below(operation, node)
            return operation
        return node

    def _behind(self, node: Node) -> Node:
        """What follows an operand: calls, methods, and indexes."""
        while True:
            if self._is(".") and self.tokens[self.at + 1 : self.at + 2] and self.tokens[self.at + 1].kind == ID:
                name = self.tokens[self.at + 1]
                self.at += 2
                is_name = node.kind in {NAME, ATTRIBUTE} and len(node.text) < _LONGEST_NAME
                dotted = f"{node.text if is_name else ''}.{name.text}"
                outer = Node(ATTRIBUTE, node.start, name.end, dotted)
                self._below(outer, node)
            elif self._is("("):
                opening = self._take("(")
                outer = Node(CALL, node.start, opening.end)
                self._below(outer, node)
                self._items(outer, ")")
            elif self._is("["):
                opening = self._take("[")
                outer = Node(SUBSCRIPT, node.start, opening.end)
                self._below(outer, node)
                self._below(outer, self._expression())
                outer.end = self._take("]").end
            else:
                return node
            node = outer

    def _items(self, node: Node, closing: str) -> None:
        """Elements, arguments or pairs, up to the bracket that closes them."""
        while not self._is(closing):
            item = self._expression()
            if self._is(":"):
                self.at += 1
                value = self._expression()
                is_keyword = node.kind == CALL and item.kind == NAME
                outer = Node(KEYWORD if is_keyword else PAIR, item.start, item.end, item.text if is_keyword else "")
                if not is_keyword:
                    self._below(outer, item)
                self._below(outer, value)
                item = outer
            self._below(node, item)
            if not self._is(closing):
                self._take(",")
        node.end = self._take(closing).end

    def _choice(self, condition: Node) -> Node:
        """`a ? b : c`."""
        outer = Node(OPERATION, condition.start, condition.end, "?")
        self._below(outer, condition)
        self._take("?")
        self._below(outer, self._expression())
        self._take(":")
        self._below(outer, self._expression())
        return outer


def _references(token: Token) -> list[tuple[int, int]]:
    """The `@name@` in a string, in bytes."""
    found, start = [], -1
    for index, byte in enumerate(token.text.encode("utf-8", "surrogateescape")):
        if byte == 0x40:
            if start >= 0:
                found.append((token.inner[0] + start, token.inner[0] + index + 1))
            start = -1 if start >= 0 else index
    return found
