"""Functions that a unit declares more than once, and whether each declaration names the sides that they run on.

nvcc combines the attributes of all declarations of a function: the others need not repeat what one of them has. Clang
takes declarations with different attributes for overloads, and rejects overloads of a `__host__ __device__` function.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.frontend.lexer import Lexemes
from hipify_py.frontend.syntax import ancestor
from hipify_py.frontend.unit import Unit
from hipify_py.semantics.conditional_branches import Arms, are_exclusive, arms_at
from hipify_py.semantics.expressions import NAMES, entries_of, text_of
from hipify_py.semantics.function_heads import KERNEL, SIDES, SPECIFIERS, head_tokens, sides_by_word, sides_of
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.signatures import written_type

if TYPE_CHECKING:
    from tree_sitter import Node

# Whether a source may declare a function with different attributes, decided without a tree: hardly any does.

_OPERATOR = b"operator"
_BRACKET = re.compile(rb"[()<]")
_HEAD_END = re.compile(rb"[;{}]|(?<!:):(?!:)")
_BEFORE_EXPRESSIONS = frozenset(b"(,=.!?+-/%|^[<")
_BOUNDARIES = frozenset((b";", b"{", b"}", b":"))
_POINTER_MARKS = frozenset((b"*", b"&"))
_AMBIGUOUS = frozenset((b">", b"]"))
"""Tokens that end a type, or template parameters and attributes before a declaration."""
_STATEMENTS = frozenset(
    b"return if else while for do switch case goto throw new delete sizeof co_return co_yield co_await".split()
)
"""Words of a statement, one of which precedes many calls."""
_TYPE, _NOTHING = b"type", b""
"""Kinds of tokens before a function's name; others stand for themselves."""

_Name = tuple[bytes, bytes]
"""The name of a function, and what opens the list after it; operators are all one."""


def may_differ(unit: Unit) -> bool:
    """Whether two declarations of a function may differ in the side that they run on; False where none do."""
    heads = _AttributedHeads(unit)
    declared = heads.declared()
    specialised = {name for name, mark in declared if mark == b"<"}
    if any((name, b"(") in declared for name in specialised):
        return True
    return any(_differs(unit, name, heads) for name in declared)


class _AttributedHeads:
    """The heads of declarations that have attributes: from the first attribute to the end of the parameters."""

    def __init__(self, unit: Unit) -> None:
        self._lexemes = unit.lexemes
        sides = {word: frozenset((word,)) for word in unit.lexemes.words & SIDES}
        project = unit.lexemes.words.intersection(unit.project.attributes)
        for macro in {*project, *(define.text for define in unit.lexemes.defines)}:
            of_macro = sides_of(unit, macro) & SIDES
            if of_macro:
                sides[macro] = of_macro
        self._sides = sorted(
            (place, word_sides)
            for word, word_sides in sides.items()
            for place in unit.lexemes.places(word)
            if unit.lexemes.define_around(place) is None
        )
        self._ranges: list[tuple[int, int]] = []
        for place, _ in self._sides:
            if not self._ranges or place >= self._ranges[-1][1]:
                self._ranges.append((place, _head_end(unit.lexemes, place)))

    def declared(self) -> set[_Name]:
        """The possible names that are declared there."""
        return {name for start, end in self._ranges for name in _outside_brackets(self._lexemes, start, end)}

    def sides(self, place: int) -> frozenset[bytes]:
        """The sides that a head names up to a place; empty without a head there."""
        at = bisect_right(self._ranges, place, key=itemgetter(0)) - 1
        start, end = self._ranges[at] if at >= 0 else (place, place)
        if place >= end:
            return frozenset()
        first = bisect_left(self._sides, start, key=itemgetter(0))
        return frozenset().union(
            *(word_sides for _, word_sides in self._sides[first : bisect_left(self._sides, (place,), first)])
        )


def _head_end(lexemes: Lexemes, place: int) -> int:
    while (match := _HEAD_END.search(lexemes.data, place)) is not None:
        skip = lexemes.non_code_at(match.start())
        if skip is None:
            return match.start()
        place = skip[1]
    return len(lexemes.data)


def _outside_brackets(lexemes: Lexemes, start: int, end: int) -> Iterator[_Name]:
    """The possible function names in a range: names before brackets that are not in brackets themselves."""
    data, depth = lexemes.data, 0
    if data.find(_OPERATOR, start, end) >= 0:
        yield _OPERATOR, b""
    for match in _BRACKET.finditer(data, start, end):
        place, mark = match.start(), match[0]
        if lexemes.non_code_at(place) is not None:
            continue
        if mark != b")" and depth == 0 and (word := lexemes.word_before(place)):
            yield word, mark
        depth += (mark == b"(") - (mark == b")")


def _differs(unit: Unit, name: _Name, heads: _AttributedHeads) -> bool:
    """Whether two places of a name may declare the same function, with different sides."""
    places = list(_places(unit.lexemes, name))
    by_kind: dict[bytes, list[int]] = {}
    for place in places if len(places) > 1 else ():
        start = _name_start(unit.lexemes, place)
        if start is None:
            return True
        for kind in _kinds_before(unit, start):
            by_kind.setdefault(kind, []).append(start)
    return any(
        len(set(map(heads.sides, starts))) > 1 and _name_several_sides(unit, starts) for starts in by_kind.values()
    )


def _places(lexemes: Lexemes, name: _Name) -> Iterator[int]:
    """The places where a name may be declared, judged by the code next to it."""
    word, mark = name
    for place in lexemes.places(word):
        if lexemes.data[lexemes.before(place)] in _BEFORE_EXPRESSIONS or lexemes.define_around(place) is not None:
            continue
        if lexemes.data.startswith(mark, lexemes.after(place + len(word))):
            yield place


def _name_start(lexemes: Lexemes, place: int) -> int | None:
    """The start of the name at a place, with the scopes before it; None where one is not a plain word."""
    data, start = lexemes.data, place
    if data[lexemes.before(start)] == ord("~"):
        start = lexemes.before(start)
    while data[(colons := lexemes.before(start) - 1) : colons + 2] == b"::":
        if not (data[colons - 1 : colons].isalnum() or data[colons - 1] == ord("_")):
            return None
        start = colons - len(lexemes.word_before(colons))
    return start


def _kinds_before(unit: Unit, start: int) -> tuple[bytes, ...]:
    """The kinds of token before a name, without attributes; both where it may end a type or not."""
    lexemes = unit.lexemes
    while True:
        last = lexemes.before(start)
        mark = lexemes.data[last : last + 1]
        if last < 0 or mark in _BOUNDARIES or lexemes.in_directive(last):
            return (_NOTHING,)
        word = lexemes.word_before(start)
        if not word:
            break
        if word not in SPECIFIERS and not sides_of(unit, word):
            return (word if word in _STATEMENTS else _TYPE,)
        start = last + 1 - len(word)
    if mark in _AMBIGUOUS:
        return _TYPE, _NOTHING
    return (_TYPE if mark in _POINTER_MARKS else mark,)


def _name_several_sides(unit: Unit, starts: list[int]) -> bool:
    word_sides: dict[tuple[frozenset[bytes], int], frozenset[bytes]] = {}
    for start in starts:
        head = head_tokens(unit, start)
        if head is None:
            continue
        sides = frozenset().union(*(sides for _, sides in sides_by_word(unit, head)))
        tokens = [token for _, token in head]
        shape = _STATEMENTS.intersection(tokens), tokens.count(b"(") - tokens.count(b")")
        if KERNEL not in sides and word_sides.setdefault(shape, sides) != sides:
            return True
    return False


_DECLARATORS = frozenset({"pointer_declarator", "reference_declarator", "init_declarator", "ERROR"})
_DECLARING = frozenset({"declaration", "field_declaration", "function_definition"})
_NAMED = NAMES | {"operator_name", "destructor_name", "template_function", "qualified_identifier"}
_RECORDS = frozenset({"struct_specifier", "class_specifier"})
_ELSEWHERE = frozenset(
    {"compound_statement", "parameter_list", "type_definition", "lambda_expression", "template_parameter_list"}
)
_OF_THE_FUNCTION = frozenset({"type_qualifier", "ref_qualifier"})
_WORD = re.compile(rb"\w+")


class Redeclaration(NamedTuple):
    """One of several declarations of a function.

    Attributes:
        place: the offset where attributes may be inserted before it.
        arms: the branches of `#if` around it.
        is_definition: it has a body.
        words: the words of its head that name the sides, and the sides of each.
    """

    place: int
    arms: Arms
    is_definition: bool
    words: tuple[tuple[bytes, frozenset[bytes]], ...]

    @property
    def sides(self) -> frozenset[bytes]:
        """The sides that the declaration names."""
        return frozenset().union(*(sides for _, sides in self.words))


class _Head(NamedTuple):
    node: Node
    tokens: list[tuple[int, bytes]]


def missing_attributes(unit: Unit) -> Iterator[tuple[int, bytes]]:
    """The declarations that lack attributes of another one of their function, and the attributes as written there."""
    if not may_differ(unit):
        return
    by_name = _declarators_by_name(unit)
    for nodes in by_name.values():
        yield from _missing_in_specialisations(unit, nodes)
    for declarations in _redeclared(unit, by_name):
        every = frozenset().union(*(one.sides for one in declarations))
        if KERNEL in every:
            continue
        for one in declarations:
            words = _borrowed_words(unit, one, every - one.sides, declarations)
            if words:
                yield one.place, words


def _borrowed_words(
    unit: Unit, one: Redeclaration, missing: frozenset[bytes], declarations: list[Redeclaration]
) -> bytes:
    """The words for what a declaration lacks, from others that are compiled wherever that one is."""
    words: list[bytes] = []
    for other in declarations:
        if other.arms != one.arms[: len(other.arms)] or (other.is_definition and one.is_definition):
            continue
        for word, sides in other.words:
            if missing & sides and _is_known(unit, word, one.place, other.place):
                words.append(word)
                missing -= sides
    return b"" if missing else b" ".join(sorted(words, reverse=True))


def _is_known(unit: Unit, word: bytes, place: int, other: int) -> bool:
    """Whether a word means the same at a place as at its own: it is not a macro that is defined in between."""
    if word in SIDES or other < place or any(macro.place < place for macro in macros_of(unit).named(word)):
        return True
    return not macros_of(unit).named(word) and any(use < place for use in unit.lexemes.places(word))


def _missing_in_specialisations(unit: Unit, nodes: list[Node]) -> Iterator[tuple[int, bytes]]:
    """The specialisations that lack attributes of their function template, which clang then takes for another one."""
    templates, specialisations = list[Redeclaration](), list[Redeclaration]()
    scopes = set[tuple[bytes, ...]]()
    for node in nodes if len(nodes) > 1 else ():
        template, tokens = _template_around(node), head_tokens(unit, node.start_byte)
        if template is None or tokens is None:
            continue
        one = Redeclaration(tokens[0][0], arms_at(unit, [tokens[0][0]])[0], False, tuple(sides_by_word(unit, tokens)))
        (templates if entries_of(template.child_by_field_name("parameters") or template) else specialisations).append(
            one
        )
        scopes.add(_scopes(node))
    every = {one.sides for one in templates}
    if len(every) != 1 or len(scopes) != 1:
        return  # overloads, one of which it specialises
    for one in specialisations:
        words = _borrowed_words(unit, one, next(iter(every)) - one.sides, templates) if one.sides else b""
        if words:
            yield one.place, words


def _template_around(declarator: Node) -> Node | None:
    """The template that a function's declarator is in, if that is no member of a class."""
    node = declarator.parent
    while node is not None and node.type not in _RECORDS:
        if node.type == "template_declaration":
            is_outermost = node.parent is None or node.parent.type != "template_declaration"
            return node if is_outermost and ancestor(node, *_RECORDS) is None else None
        node = node.parent
    return None


def _scopes(declarator: Node) -> tuple[bytes, ...]:
    """The names of the namespaces around a declarator."""
    found, node = list[bytes](), declarator.parent
    while node is not None:
        if node.type == "namespace_definition":
            found.append(text_of(node.child_by_field_name("name")))
        node = node.parent
    return tuple(found)


def _declarators_by_name(unit: Unit) -> dict[bytes, list[Node]]:
    """The declarators of functions outside of blocks, by the function's own name."""
    by_name: dict[bytes, list[Node]] = {}

    def takes(node: Node) -> bool:
        """Collect a declarator; those in a block are not needed here."""
        is_block = node.type == "compound_statement"
        name = _name(node) if not is_block else None
        if name is not None:
            by_name.setdefault(_own_name(name), []).append(node)
        return is_block

    unit.tree.outermost(("compound_statement", "function_declarator"), takes)
    return by_name


def _redeclared(unit: Unit, by_name: dict[bytes, list[Node]]) -> Iterator[list[Redeclaration]]:
    """The declarations of each function that has several with different attributes."""
    for nodes in by_name.values():
        if len(nodes) > 1:
            yield from _of_one_name(unit, nodes)


def _of_one_name(unit: Unit, nodes: list[Node]) -> Iterator[list[Redeclaration]]:
    heads = [_Head(node, tokens) for node in nodes if (tokens := head_tokens(unit, node.start_byte)) is not None]
    words = [tuple(sides_by_word(unit, head.tokens)) for head in heads]
    if len({frozenset(one) for one in words}) < 2:
        return
    groups: dict[tuple[bytes, ...], list[Redeclaration]] = {}
    arms = arms_at(unit, [head.tokens[0][0] for head in heads])
    for head, word_sides, around in zip(heads, words, arms, strict=True):
        one = Redeclaration(head.tokens[0][0], around, _has_body(unit, head.node), word_sides)
        groups.setdefault(_key(unit, head), []).append(one)
    for group in groups.values():
        while group:
            together = [one for one in group if not are_exclusive(one.arms, group[0].arms)]
            if len({one.sides for one in together}) > 1:
                yield together
            group = [one for one in group if one not in together]


def _name(declarator: Node) -> Node | None:
    """The node of the name that a function's declarator declares, where it is not inside a function."""
    name = declarator.child_by_field_name("declarator")
    if name is None or name.type not in _NAMED:
        return None
    parent = declarator.parent
    while parent is not None and parent.type in _DECLARATORS:
        parent = parent.parent
    if parent is None or parent.type not in _DECLARING:
        return None
    while parent is not None:
        if parent.type in _ELSEWHERE or parent.type.startswith("preproc_def"):
            return None
        parent = parent.parent
    return name


def _own_name(name: Node) -> bytes:
    """A name without its scopes and the arguments of a specialisation."""
    while name.type in ("qualified_identifier", "template_function"):
        inner = name.child_by_field_name("name")
        if inner is None:
            break
        name = inner
    return text_of(name)


def _has_body(unit: Unit, declarator: Node) -> bool:
    """Whether a body follows, or a constructor's initializers before it."""
    parent: Node | None = declarator
    while parent is not None and parent.type not in _DECLARING:
        parent = parent.parent
    if parent is not None and parent.type == "function_definition":
        return True
    after = unit.lexemes.after(declarator.end_byte)
    return unit.source.data[after : after + 1] in (b"{", b":")


def _key(unit: Unit, head: _Head) -> tuple[bytes, ...]:
    """The identity of a function: scopes, name, types; template parameters by their numbers."""
    numbers: dict[bytes, bytes] = {}
    around: list[bytes] = []
    ancestors: list[Node] = []
    node: Node | None = head.node.parent
    while node is not None:
        ancestors.append(node)
        node = node.parent
    for node in reversed(ancestors):
        if node.type == "template_declaration":
            around.extend(_parameters(node, numbers))
        elif node.type == "namespace_definition":
            around += [text_of(node.child_by_field_name("name")) or b"{}", b"::"]
        elif node.type in _RECORDS:
            around += [_renamed(_record(node), numbers), b"::"]
    declarator = head.node
    name = declarator.child_by_field_name("declarator")
    returned = [token for _, token in head.tokens if token and token not in SPECIFIERS and not sides_of(unit, token)]
    types: list[bytes] = []
    for child in declarator.named_children:
        if child.type == "parameter_list":
            types += [b"(", *(written_type(entry) for entry in entries_of(child)), b")"]
        elif child.type in _OF_THE_FUNCTION:
            types.append(text_of(child))
    if types[:3] == [b"(", b"void", b")"]:
        del types[1]
    spelled = _renamed(b"".join(text_of(name).split()), numbers)
    scopes = b"".join(part for part in around if not part.startswith(b"<"))
    headers = [part for part in around if part.startswith(b"<")]
    return (scopes + spelled, *headers, *(_renamed(part, numbers) for part in (*returned, *types)))


def _record(node: Node) -> bytes:
    """The name of a class as its members are named outside of it: of a template with its parameters."""
    name = b"".join(text_of(node.child_by_field_name("name")).split())
    template = node.parent
    if template is not None and template.type == "template_declaration" and b"<" not in name:
        parameters = template.child_by_field_name("parameters")
        names = [found for entry in entries_of(parameters) if (found := _parameter_name(entry))] if parameters else []
        return name + b"<" + b",".join(names) + b">"
    return name or b"{%d}" % node.start_byte


def _parameters(template: Node, numbers: dict[bytes, bytes]) -> Iterator[bytes]:
    """The kinds of a template's parameters, each of which gets a number."""
    parameters = template.child_by_field_name("parameters")
    for entry in entries_of(parameters) if parameters is not None else ():
        name = _parameter_name(entry)
        if name:
            numbers[name] = b"$%d" % len(numbers)
        default = entry.child_by_field_name("default_type") or entry.child_by_field_name("default_value")
        end = entry.end_byte if default is None else default.start_byte
        text = text_of(entry)[: end - entry.start_byte].rstrip(b"= \t\r\n")
        yield b"<" + _renamed(b" ".join(text.replace(b"class ", b"typename ").split()), numbers)


def _parameter_name(entry: Node) -> bytes:
    """The name of a template's parameter; empty for one without."""
    name = entry.child_by_field_name("name") or entry.child_by_field_name("declarator")
    if name is None and entry.type in ("type_parameter_declaration", "variadic_type_parameter_declaration"):
        name = next((child for child in entry.named_children if child.type == "type_identifier"), None)
    while name is not None and (inner := entries_of(name)):
        name = inner[-1]
    return text_of(name)


def _renamed(text: bytes, numbers: dict[bytes, bytes]) -> bytes:
    return _WORD.sub(lambda word: numbers.get(word[0], word[0]), text) if numbers else text
