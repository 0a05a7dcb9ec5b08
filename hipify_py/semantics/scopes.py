"""Tells a declaration of the user's own from a use of an API name."""

from typing import TYPE_CHECKING, NamedTuple

from hipify_py.frontend.brackets import match_forward
from hipify_py.frontend.lexer import Lexemes, Name
from hipify_py.frontend.syntax import SyntaxTree, ancestor

if TYPE_CHECKING:
    from tree_sitter import Node

KEYWORDS = frozenset(
    b"return else case goto throw new delete sizeof alignof typeid typename using namespace co_return co_yield co_await"
    b" do and or not public private protected struct class enum union typedef if while for switch defined"
    b" decltype template explicit friend virtual noexcept in".split()
)
_TAGS = frozenset({b"struct", b"class", b"enum", b"union", b"namespace", b"concept"})
_DECLARATORS = frozenset(
    {
        "pointer_declarator",
        "reference_declarator",
        "array_declarator",
        "function_declarator",
        "parenthesized_declarator",
        "init_declarator",
        "attributed_declarator",
        "structured_binding_declarator",
        "abstract_function_declarator",
        "lambda_declarator",
    }
)
_DECLARATIONS = frozenset(
    {
        "declaration",
        "field_declaration",
        "function_definition",
        "parameter_declaration",
        "optional_parameter_declaration",
        "type_definition",
        "alias_declaration",
        "for_range_loop",
    }
)
_INTRODUCTIONS = frozenset(
    {
        "enumerator",
        "structured_binding_declarator",
        "lambda_capture_initializer",
        "type_parameter_declaration",
        "labeled_statement",
    }
)
_AFTER_DECLARED = frozenset(b"=;,)([{:")


class Scope(NamedTuple):
    """The byte range in which a user's declaration of a name holds."""

    start: int
    end: int


def declares(lexemes: Lexemes, tree: SyntaxTree, name: Name) -> Scope | None:
    """The scope of the declaration that `name` stands in as the declared name; None for a use.

    A look at the neighbouring bytes settles nearly every name without the tree. Where code is broken the
    safe reading is a use.
    """
    if not _may_declare(lexemes, name) or not tree.is_available:
        return None
    leaf = tree.leaf(name.start, name.end)
    scope = _declared_scope(leaf, len(lexemes.data)) if leaf is not None and leaf.end_byte == name.end else None
    return scope or _defined_function(lexemes, name)


def introduces(lexemes: Lexemes, tree: SyntaxTree, name: Name) -> bool:
    """True when this occurrence introduces the name, as whatever: variable, function, type, enumerator, label."""
    if lexemes.word_before(name.start) in _TAGS:
        return True
    leaf = tree.leaf(name.start, name.end)
    parent = leaf.parent if leaf is not None and leaf.end_byte == name.end else None
    if parent is None or parent.type in _INTRODUCTIONS:
        return parent is not None
    node, is_function = leaf, False
    while parent is not None and parent.type in _DECLARATORS:
        if parent.type == "init_declarator" and not _is_field(parent, node):
            return False
        is_function = is_function or (parent.type == "function_declarator" and node is leaf)
        node, parent = parent, parent.parent
    if parent is None or parent.type not in _DECLARATIONS or not _is_field(parent, node):
        return False
    # `MACRO name(x);` reads as a local prototype, which nobody writes: it is a call.
    return not (is_function and parent.type == "declaration" and _is_local(parent))


def _is_local(declaration: "Node") -> bool:
    return declaration.parent is not None and declaration.parent.type in ("compound_statement", "case_statement")


def _may_declare(lexemes: Lexemes, name: Name) -> bool:
    data = lexemes.data
    following = lexemes.after(name.end)
    if following >= len(data) or data[following] not in _AFTER_DECLARED:
        return False
    place = lexemes.before(name.start)
    if place < 0:
        return False
    byte = data[place]
    if byte in b"*&>":
        return data[place - 1 : place] != b"-"
    if not (chr(byte).isalnum() or byte == 0x5F):
        return False
    return lexemes.word_before(name.start) not in KEYWORDS


def _defined_function(lexemes: Lexemes, name: Name) -> Scope | None:
    """A function's body follows: a definition, even where the tree has lost its way in broken code around it."""
    opening = lexemes.after(name.end)
    if lexemes.data[opening : opening + 1] != b"(":
        return None
    found = match_forward(lexemes, opening, len(lexemes.data))
    if found is None:
        return None
    following = lexemes.after(found[0] + 1)
    return Scope(0, len(lexemes.data)) if lexemes.data[following : following + 1] == b"{" else None


def _declared_scope(leaf: "Node", size: int) -> Scope | None:
    node, parent, is_function = leaf, leaf.parent, False
    while parent is not None and parent.type in _DECLARATORS:
        if parent.type == "init_declarator" and not _is_field(parent, node):
            return None
        is_function = is_function or "function_declarator" in parent.type
        if is_function and not _leads_declarator(parent, node):
            return None
        node, parent = parent, parent.parent
    if parent is None:
        return None
    if parent.type in ("parameter_declaration", "optional_parameter_declaration"):
        return _parameter_scope(parent) if _is_field(parent, node) else None
    if parent.type == "for_range_loop":
        return Scope(parent.start_byte, parent.end_byte)
    if parent.type == "condition_clause":
        return _around(parent, "if_statement", "while_statement", "switch_statement")
    if parent.type not in ("declaration", "field_declaration", "function_definition"):
        return None
    if not _is_field(parent, node):
        return None
    return _scope_of(parent, is_function, size)


def _scope_of(declaration: "Node", is_function: bool, size: int) -> Scope | None:
    block = ancestor(
        declaration.parent,
        "compound_statement",
        "for_statement",
        "field_declaration_list",
        "namespace_definition",
        "declaration_list",
    )
    if block is None:
        # A prototype at file level announces the API's own function; a body or a variable is the user's.
        if is_function and declaration.type != "function_definition":
            return None
        return Scope(0, size)
    if block.type in ("compound_statement", "for_statement"):
        # `MACRO name(x);` reads as a local prototype, which nobody writes: it is a call.
        return None if is_function else Scope(declaration.start_byte, block.end_byte)
    if block.type == "declaration_list" and block.parent is not None and block.parent.type == "linkage_specification":
        return None if is_function and declaration.type != "function_definition" else Scope(0, size)
    return Scope(block.start_byte, block.end_byte)


def _parameter_scope(parameter: "Node") -> Scope | None:
    """The function or lambda whose parameter it is; a mere prototype's or pointer's parameter list otherwise."""
    parameters = parameter.parent
    owner = parameters.parent if parameters is not None else None
    while owner is not None and owner.type in _DECLARATORS:
        owner = owner.parent
    if owner is None or owner.type not in ("function_definition", "lambda_expression"):
        owner = parameters
    return Scope(owner.start_byte, owner.end_byte) if owner is not None else None


def _around(node: "Node", *types: str) -> Scope | None:
    outer = ancestor(node.parent, *types)
    return Scope(outer.start_byte, outer.end_byte) if outer is not None else None


def _is_field(parent: "Node", child: "Node | None") -> bool:
    """`child` is what `parent` declares (its `declarator` or `name`)."""
    return child is not None and any(
        candidate.id == child.id
        for field in ("declarator", "name")
        for candidate in parent.children_by_field_name(field)
    )


def _leads_declarator(parent: "Node", child: "Node") -> bool:
    return child.start_byte == parent.start_byte or _is_field(parent, child) or parent.type != "function_declarator"
