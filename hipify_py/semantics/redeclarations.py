"""Functions that a unit declares more than once, and whether each declaration names the sides that they run on.

nvcc combines the attributes of all declarations of a function: the others need not repeat what one of them has. Clang
takes declarations with different attributes for overloads, and rejects overloads of a `__host__ __device__` function.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.core.unit import Unit
from hipify_py.semantics.conditional_branches import Arms, are_exclusive, arms_at
from hipify_py.semantics.differing_heads import may_differ
from hipify_py.semantics.expressions import NAMES, entries_of, text_of
from hipify_py.semantics.function_heads import KERNEL, SIDES, SPECIFIERS, head_tokens, sides_by_word, sides_of
from hipify_py.semantics.macros import macros_of
from hipify_py.semantics.signatures import written_type

if TYPE_CHECKING:
    from tree_sitter import Node

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
    for declarations in _redeclared(unit):
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
    return word in SIDES or other < place or any(macro.place < place for macro in macros_of(unit).named(word))


def _redeclared(unit: Unit) -> Iterator[list[Redeclaration]]:
    """The declarations of each function that has several with different attributes."""
    by_name: dict[bytes, list[Node]] = {}

    def takes(node: Node) -> bool:
        """Collect a declarator; those in a block are not needed here."""
        is_block = node.type == "compound_statement"
        name = _name(node) if not is_block else None
        if name is not None:
            by_name.setdefault(_own_name(name), []).append(node)
        return is_block

    unit.tree.outermost(("compound_statement", "function_declarator"), takes)
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
    """A name without its scopes."""
    while name.type == "qualified_identifier":
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
    behind = unit.lexemes.after(declarator.end_byte)
    return unit.source.data[behind : behind + 1] in (b"{", b":")


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
    while name is not None and name.named_child_count:
        name = name.named_children[-1]
    return text_of(name)


def _renamed(text: bytes, numbers: dict[bytes, bytes]) -> bytes:
    return _WORD.sub(lambda word: numbers.get(word[0], word[0]), text) if numbers else text
