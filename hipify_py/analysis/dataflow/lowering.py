"""Lowers a function of the syntax tree to operations.

What has no counterpart becomes an `UNKNOWN` operation over the values of its parts, so that data still flows through
it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hipify_py.analysis.dataflow.operations import (
    ADDRESS,
    ASM,
    BINARY,
    BODY,
    CALL,
    CAST,
    CONST,
    COPY,
    DEFAULT,
    EXTERN,
    FIELD,
    LAMBDA,
    LOAD,
    NO_REGION,
    PARAMETER,
    SELECT,
    STORE,
    TUPLE,
    UNARY,
    UNKNOWN,
    Exit,
    Loop,
    LoweredFunction,
    Operation,
    Region,
    Variable,
)
from hipify_py.ptx.branches import Loop as PtxLoop
from hipify_py.ptx.instructions import Instruction, opcodes, parse
from hipify_py.ptx.operands import Address, Argument, Immediate, Negated, Pair, Special, Value, Vector
from hipify_py.ptx.statement import Unreadable
from hipify_py.semantics.constants import number
from hipify_py.semantics.control_flow import CHOICE, IF, LEFT, LOOP, SWITCH, always_exits, condition_of
from hipify_py.semantics.expressions import (
    NAMES,
    AsmOperand,
    arguments_of,
    asm_operands,
    asm_template,
    entries_of,
    is_launch,
    operator_of,
    strip_parentheses,
    text_of,
)
from hipify_py.semantics.structure import template_parameters

if TYPE_CHECKING:
    from tree_sitter import Node


class Environment(NamedTuple):
    """Resolves the names that a function does not declare itself.

    Attributes:
        constant: the integer that such a name, or a literal, evaluates to.
        declared: the variable that such a name refers to; None where the source does not declare it.
        volatile: the names of members and global variables that are declared `volatile`.
    """

    constant: Callable[[Node], int | None]
    declared: Callable[[Node], Variable | None]
    volatile: Container[bytes] = ()


_BLOCKS = frozenset({"compound_statement", "ERROR", "translation_unit", "labeled_statement", "else_clause"})
_LOOPS = frozenset({"for_statement", "while_statement", "do_statement", "for_range_loop"})
_EXITS = frozenset({"break_statement", "continue_statement", "goto_statement", "throw_statement"})
_WITHOUT_VALUES = frozenset(
    {
        *("comment", "using_declaration", "type_definition", "alias_declaration", "static_assert_declaration", ";"),
        *("struct_specifier", "class_specifier", "union_specifier", "enum_specifier", "namespace_alias_definition"),
        *("statement_identifier", "template_declaration"),
    }
)
_LITERALS = frozenset({"number_literal", "true", "false", "char_literal", "null", "nullptr", "sizeof_expression"})
_OTHER_EXPRESSIONS = frozenset({"this", "initializer_list", "argument_list"})
_PTX_ATOMICS = {"cas": b"atomicCAS", "exch": b"atomicExch"} | {
    word: b"atomic" + word.capitalize().encode() for word in ("add", "and", "dec", "inc", "max", "min", "or", "xor")
}
_PTX_ORDERED = frozenset({"acquire", "release", "relaxed", "volatile", "mmio", "cv", "cg", "wt"})
"""The modifiers that make a PTX load or store visible to other threads, or theirs visible to it."""
_PTX_BARRIER_WORDS = frozenset({"sync", "arrive"})
"""The modifiers that make a PTX barrier instruction one without a result."""
_DECLARATORS = {"pointer_declarator": "pointer", "reference_declarator": "reference", "array_declarator": "array"}
_PARTS_OF_A_NAME = frozenset({"template_function", "qualified_identifier", "template_method", "dependent_name"})


def lower(
    name: bytes, node: Node, body: Node, environment: Environment, parameters: Iterable[bytes] = ()
) -> LoweredFunction:
    """Lower one function.

    Args:
        name: its name.
        node: its node, with its declarator; the body itself for the body of a macro.
        body: its body.
        environment: resolves the names that it does not declare.
        parameters: the names of a macro's parameters.
    """
    lowering = _Lowering(LoweredFunction(name), environment, has_labels=b"goto" in text_of(body))
    lowering.function.regions.append(Region(BODY, -1, True, NO_REGION, body))
    for parameter in parameters:
        lowering.declare_parameter(parameter, b"", "value", body)
    lowering.function.template_parameters = template_parameters(node)
    declarator: Node | None = node
    while declarator is not None and declarator.type not in ("function_declarator", "lambda_declarator"):
        inner = declarator.child_by_field_name("declarator")
        if inner is None and declarator.type in ("reference_declarator", "pointer_declarator"):
            inner = next(iter(declarator.named_children), None)
        declarator = inner
    if declarator is not None:
        lowering.declare_parameters(declarator.child_by_field_name("parameters"))
    lowering.statement(body)
    if parameters and lowering.last >= 0:
        lowering.function.returned.append((lowering.last, 0))  # a macro whose body is an expression
    return lowering.function


class _Lowering:
    """The state while one function is lowered: the open scopes, and the current region."""

    def __init__(self, function: LoweredFunction, environment: Environment, *, has_labels: bool) -> None:
        self.function = function
        self._environment = environment
        self._scopes: list[dict[bytes, int]] = [{}]
        self._region = 0
        self._aliased: set[int] = set()
        """The variables whose address is taken, that a reference is bound to, or that a lambda captures."""
        self._outer_scopes = 0
        """The number of scopes around the innermost lambda."""
        self._has_labels = has_labels
        self.last = -1
        """The value of the last expression statement."""

    # ------------------------------------------------------------------ values and variables

    def _new(self) -> int:
        self.function.values += 1
        return self.function.values - 1

    def _emit(
        self,
        code: str,
        name: bytes,
        arguments: Iterable[int],
        node: Node,
        result: int | None = None,
        region: int | None = None,
    ) -> int:
        result = self._new() if result is None else result
        region = self._region if region is None else region
        self.function.operations.append(Operation(code, name, result, tuple(arguments), node, region))
        return result

    def _declare(self, name: bytes, type: bytes, shape: str, region: int) -> int:
        value = self._scopes[-1][name] = self._new()
        self.function.variables[value] = Variable(name, type, shape, region)
        return value

    def declare_parameter(self, name: bytes, type: bytes, shape: str, node: Node) -> None:
        """Add a parameter."""
        value = self._declare(name, type, shape, NO_REGION)
        self._emit(PARAMETER, name, (), node, value)
        self.function.parameters.append(value)

    def declare_parameters(self, parameters: Node | None, *, of_function: bool = True) -> None:
        """Add the parameters of a list; those of a lambda become variables of the enclosing function."""
        for parameter in entries_of(parameters) if parameters is not None else ():
            leaf, shape = _declared(parameter.child_by_field_name("declarator"))
            if leaf is None:
                if of_function:
                    self.function.parameters.append(-1)
                continue
            type = _type_before(parameter, leaf)
            if of_function:
                self.declare_parameter(text_of(leaf), type, shape, parameter)
            else:
                self._emit(UNKNOWN, b"", (), parameter, self._declare(text_of(leaf), type, shape, self._region))

    def _variable(self, name: bytes, node: Node) -> int:
        for depth in range(len(self._scopes) - 1, -1, -1):
            if name in self._scopes[depth]:
                value = self._scopes[depth][name]
                if depth < self._outer_scopes:
                    self._aliased.add(value)
                return value
        constant = self._environment.constant(node)
        value = self._scopes[0][name] = self._new()
        if constant is not None:
            self._emit(CONST, b"%d" % constant, (), node, value, 0)
        else:
            declared = self._environment.declared(node)
            self.function.variables[value] = declared or Variable(name, b"", "value", NO_REGION)
            self._emit(EXTERN, name, (), node, value, 0)
        return value

    def _read(self, variable: int, node: Node) -> int:
        """The value of a variable; a load where other threads may change it."""
        is_memory = self.function.variables.get(variable, _NO_VARIABLE).is_memory
        return self._emit(LOAD, b"", (variable,), node) if is_memory else variable

    def _is_declared(self, name: bytes) -> bool:
        return any(name in scope for scope in self._scopes)

    # ------------------------------------------------------------------ expressions

    def expression(self, node: Node | None) -> int:
        """Lower an expression, and return its value."""
        if node is None:
            return self._emit(UNKNOWN, b"", (), self.function.regions[0].node)
        node = strip_parentheses(node)
        kind = node.type
        if kind in NAMES or kind == "qualified_identifier":
            return self._read(self._variable(text_of(node), node), node)
        if kind in _LITERALS:
            constant = self._environment.constant(node)
            return self._emit(CONST, b"" if constant is None else b"%d" % constant, (), node)
        if kind.endswith("_expression") or kind in _OTHER_EXPRESSIONS:
            method: Callable[[Node], int] = getattr(self, "_" + kind, self._unknown)
            return method(node)
        return self._unknown(node)

    def _unknown(self, node: Node) -> int:
        parts = [self.expression(child) for child in node.named_children if child.type not in _WITHOUT_VALUES]
        return self._emit(UNKNOWN, b"", parts, node)

    def _this(self, node: Node) -> int:
        return self._variable(b"this", node)

    def _field_expression(self, node: Node) -> int:
        base, field = node.child_by_field_name("argument"), node.child_by_field_name("field")
        if base is not None and base.type == "this":
            return self._read(self._variable(text_of(field), node), node)
        if base is not None and base.type in NAMES and operator_of(node) == ".":
            path = text_of(base) + b"." + text_of(field)
            if self._is_declared(path) or not self._is_declared(text_of(base)):
                return self._read(self._variable(path, node), node)
        if field is not None and text_of(field) in self._environment.volatile:
            self.function.volatile_fields.add(text_of(field))
        return self._emit(FIELD, text_of(field), (self.expression(base),), node)

    def _unary_expression(self, node: Node) -> int:
        return self._emit(
            UNARY, operator_of(node).encode(), (self.expression(node.child_by_field_name("argument")),), node
        )

    def _pointer_expression(self, node: Node) -> int:
        value = self.expression(node.child_by_field_name("argument"))
        if operator_of(node) == "*":
            return self._emit(LOAD, b"", (value,), node)
        self._aliased.add(value)
        return self._emit(ADDRESS, b"", (value,), node)

    def _subscript_expression(self, node: Node) -> int:
        indices = node.child_by_field_name("indices")
        parts = [self.expression(node.child_by_field_name("argument"))]
        parts += [self.expression(index) for index in (entries_of(indices) if indices is not None else ())]
        return self._emit(LOAD, b"", parts, node)

    def _binary_expression(self, node: Node) -> int:
        chain: list[Node] = []
        first: Node | None = node
        while first is not None and first.type == "binary_expression":  # a + b + c + … nests as deep as it is long
            chain.append(first)
            first = first.child_by_field_name("left")
        value = self.expression(first)
        for part in reversed(chain):
            operator, right = operator_of(part), part.child_by_field_name("right")
            if operator in ("&&", "||", "and", "or"):
                around = self._enter(CHOICE, value, operator in ("&&", "and"), part)
                other = self.expression(right)
                self._region = around
            else:
                other = self.expression(right)
            name = {"and": "&&", "or": "||"}.get(operator, operator).encode()
            value = self._emit(BINARY, name, (value, other), part)
        return value

    def _conditional_expression(self, node: Node) -> int:
        condition = self.expression(node.child_by_field_name("condition"))
        parts = [condition]
        for field, holds in (("consequence", True), ("alternative", False)):
            around = self._enter(CHOICE, condition, holds, node)
            parts.append(self.expression(node.child_by_field_name(field)))
            self._region = around
        return self._emit(SELECT, b"", parts, node)

    def _assignment_expression(self, node: Node) -> int:
        target = node.child_by_field_name("left")
        value, operator = self.expression(node.child_by_field_name("right")), operator_of(node)
        if operator not in ("=", ""):
            value = self._emit(BINARY, operator[:-1].encode(), (self.expression(target), value), node)
        return self._store(target, value, node)

    def _update_expression(self, node: Node) -> int:
        target = node.child_by_field_name("argument")
        one = self._emit(CONST, b"1", (), node)
        return self._store(
            target, self._emit(BINARY, operator_of(node)[:1].encode(), (self.expression(target), one), node), node
        )

    def _store(self, target: Node | None, value: int, node: Node) -> int:
        target = _stored_place(target)
        if target is None:
            return value
        if target.type in NAMES or target.type == "qualified_identifier":
            return self._assign(self._variable(text_of(target), target), value, node)
        base = target.child_by_field_name("argument")
        if target.type == "field_expression" and base is not None:
            if base.type == "this":
                member = self._variable(text_of(target.child_by_field_name("field")), target)
                return self._assign(member, value, node)
            if base.type in NAMES and operator_of(target) == "." and self._is_declared(text_of(base)):
                whole = self._variable(text_of(base), base)
                if self.function.variables.get(whole, _NO_VARIABLE).shape == "value":
                    return self._emit(COPY, b"", (value,), node, whole)
        address = self.expression(target)
        element = self.function.operations[-1]
        if element.result == address and element.code == LOAD:
            array = self.function.variables.get(element.arguments[0])
            if array is not None and array.is_private_array:
                return self._emit(COPY, b"", (value, *element.arguments[1:]), node, element.arguments[0])
        return self._emit(STORE, b"", (address, value), node)

    def _assign(self, variable: int, value: int, node: Node, *, is_first: bool = False) -> int:
        if self.function.variables.get(variable, _NO_VARIABLE).is_memory:
            return self._emit(STORE, b"", (self._emit(LOAD, b"", (variable,), node), value), node)
        return self._emit(COPY, b"", (value,), node, variable if is_first else self._fresh_value(variable))

    def _fresh_value(self, variable: int) -> int:
        """A fresh value for a variable that is assigned, if no other definition reaches the code after it.

        That holds in the region that declares the variable, and after a branch of that region that leaves it.
        """
        declared, region = self.function.variables.get(variable, _NO_VARIABLE), self._region
        declaring = 0 if variable in self.function.parameters else declared.region
        while region != declaring and region != NO_REGION and self.function.regions[region].kind == LEFT:
            region = self.function.regions[region].parent
        is_alone = declared.shape in ("value", "pointer") and variable not in self._aliased and not self._has_labels
        scope = next((scope for scope in reversed(self._scopes) if scope.get(declared.name) == variable), None)
        if region != declaring or not is_alone or scope is None:
            return variable
        value = scope[declared.name] = self._new()
        self.function.variables[value] = declared._replace(region=self._region)
        return value

    def _cast_expression(self, node: Node) -> int:
        type, value = text_of(node.child_by_field_name("type")), self.expression(node.child_by_field_name("value"))
        return self._emit(CAST, type, (value,), node) if type != b"void" else value

    _compound_literal_expression = _cast_expression

    def _call_expression(self, node: Node) -> int:
        function = node.child_by_field_name("function")
        arguments = [self.expression(argument) for argument in arguments_of(node)]
        if function is None or is_launch(node):
            return self._emit(UNKNOWN, b"", arguments, node)
        if function.type in ("primitive_type", "sized_type_specifier"):
            return self._emit(CAST, text_of(function), arguments[:1], node)
        if function.type == "template_function" and text_of(function.child_by_field_name("name")).endswith(b"_cast"):
            return self._emit(CAST, text_of(function.child_by_field_name("arguments"))[1:-1], arguments[:1], node)
        if function.type == "lambda_expression":
            return self._emit(UNKNOWN, b"", (self.expression(function), *arguments), node)
        if function.type in NAMES and self._is_declared(text_of(function)):
            arguments.append(self._variable(text_of(function), function))  # a lambda or a function object
        if function.type == "field_expression":
            arguments.insert(0, self.expression(function.child_by_field_name("argument")))
            function = function.child_by_field_name("field")
        while function is not None and function.type in _PARTS_OF_A_NAME:
            inner = function.child_by_field_name("name")
            function = inner if inner is not None else next(iter(reversed(function.named_children)), None)
        return self._emit(CALL, text_of(function), arguments, node)

    def _initializer_list(self, node: Node) -> int:
        return self._emit(TUPLE, b"", [self.expression(entry) for entry in entries_of(node)], node)

    _argument_list = _initializer_list

    def _comma_expression(self, node: Node) -> int:
        self.expression(node.child_by_field_name("left"))
        return self.expression(node.child_by_field_name("right"))

    def _lambda_expression(self, node: Node) -> int:
        """A lambda's value is what it returns; its effects happen where it is written."""
        around = self._enter(LAMBDA, -1, True, node)
        region, returned = self._region, self.function.returned
        outer, self._outer_scopes = self._outer_scopes, len(self._scopes)
        self.function.returned = []
        self._scopes.append({})
        declarator = node.child_by_field_name("declarator")
        if declarator is not None:
            self.declare_parameters(declarator.child_by_field_name("parameters"), of_function=False)
        self.statement(node.child_by_field_name("body"))
        self._scopes.pop()
        parts = [value for value, _ in self.function.returned]
        for _, place in self.function.returned:
            parts += self.function.conditions(place, region)
        self._region, self.function.returned, self._outer_scopes = around, returned, outer
        return self._emit(UNKNOWN, b"", parts, node)

    # ------------------------------------------------------------------ inline PTX

    def _gnu_asm_expression(self, node: Node) -> int:
        """Inline PTX by its instructions: loads, stores and atomics become the operations that they are in C++."""
        operands = asm_operands(node)
        registers: dict[Value, int] = {
            Argument(at): self.expression(operand.value) for at, operand in enumerate(operands) if operand.is_read
        }
        instructions, is_loop = _instructions(node, operands)
        first = len(self.function.operations)
        around = self._enter(LOOP, -1, True, node) if is_loop else self._region
        read = set(registers.values())
        for instruction in instructions:
            self._instruction(instruction, registers, node)
        if is_loop:  # any of its results may end it
            results = [value for value in registers.values() if value not in read]
            region, condition = self._region, self._emit(UNKNOWN, b"", results, node)
            self.function.regions[region] = self.function.regions[region]._replace(condition=condition)
            self.function.loops.append(Loop(node, region, condition, first, len(self.function.operations)))
        self._region = around
        for at, operand in enumerate(operands):
            if operand.is_output:
                self._store(operand.value, self._operand(Argument(at), registers, node), node)
        return self._emit(UNKNOWN, b"", (), node)

    def _instruction(self, instruction: Instruction, registers: dict[Value, int], node: Node) -> None:
        operands, words = instruction.operands, instruction.opcode.split(".")
        is_barrier = words[0] in ("bar", "barrier") and not _PTX_BARRIER_WORDS.isdisjoint(words)
        has_target = bool(operands) and not isinstance(operands[0], Address) and not is_barrier
        parts = [self._operand(operand, registers, node) for operand in operands[has_target:]]
        at = next((at for at, operand in enumerate(operands[has_target:]) if isinstance(operand, Address)), -1)
        result = self._memory_instruction(words, parts[at:], node) if at >= 0 else None
        if result is None:
            result = self._emit(ASM, instruction.opcode.encode(), parts, node)
        for target in _atoms(operands[0]) if has_target else ():
            if instruction.guard is not None:  # it may keep its old value
                either = [
                    result,
                    self._operand(instruction.guard, registers, node),
                    self._operand(target, registers, node),
                ]
                registers[target] = self._emit(UNKNOWN, b"", either, node)
            else:
                registers[target] = result

    def _memory_instruction(self, words: list[str], parts: list[int], node: Node) -> int | None:
        """Lower an instruction with an address; None where it does not access memory of other threads."""
        kind = words[0]
        atomic = next((word for word in words if word in _PTX_ATOMICS), "")
        if kind in ("atom", "red") and atomic:
            return self._emit(CALL, _PTX_ATOMICS[atomic], parts, node)
        is_load, is_store = kind == "ld", kind == "st"
        if kind == "mbarrier" and len(words) > 1:
            is_load, is_store = words[1] in ("try_wait", "test_wait"), words[1] == "arrive"
        if not is_load and not is_store:
            return None
        address = parts[0]
        if kind == "mbarrier" or not _PTX_ORDERED.isdisjoint(words):
            address = self._emit(CAST, b"volatile", (address,), node)
        element = self._emit(LOAD, b"", (address,), node)
        return element if is_load else self._emit(STORE, b"", (element, *parts[1:]), node)

    def _operand(self, operand: Value, registers: dict[Value, int], node: Node) -> int:
        if operand in registers:
            return registers[operand]
        if isinstance(operand, Address):
            base = self._operand(operand.base, registers, node)
            if operand.offset == Immediate("0"):
                return base
            return self._emit(BINARY, b"+", (base, self._operand(operand.offset, registers, node)), node)
        if isinstance(operand, Immediate):
            constant = number(operand.text.encode())
            return self._emit(CONST, b"" if constant is None else b"%d" % constant, (), node)
        if isinstance(operand, Special):
            return self._emit(EXTERN, b"%" + operand.name.encode(), (), node, region=0)
        parts = _atoms(operand)
        return self._emit(UNKNOWN, b"", [registers[part] for part in parts if part in registers], node)

    # ------------------------------------------------------------------ statements

    def _enter(self, kind: str, condition: int, holds: bool, node: Node) -> int:
        """Open a region, and return the enclosing one."""
        around = self._region
        self.function.regions.append(Region(kind, condition, holds, around, node))
        self._region = len(self.function.regions) - 1
        return around

    def _guarded(self, kind: str, condition: int, holds: bool, statement: Node | None, node: Node) -> None:
        if statement is not None:
            around = self._enter(kind, condition, holds, node)
            self.statement(statement)
            self._region = around

    def statement(self, node: Node | None) -> None:
        """Lower a statement."""
        if node is None or node.type in _WITHOUT_VALUES:
            return
        kind = node.type
        if kind in _BLOCKS or kind.startswith("preproc_"):
            self._block(node)
        elif kind == "expression_statement":
            for child in node.named_children:
                if child.type != "comment":
                    self.last = self.expression(child)
        elif kind in ("declaration", "init_statement"):
            self._declaration(node)
        elif kind == "if_statement":
            self._if(node)
        elif kind in _LOOPS:
            self._loop(node)
        elif kind == "switch_statement":
            self._switch(node)
        elif kind == "return_statement":
            for value in entries_of(node)[:1]:
                self.function.returned.append((self.expression(value), self._region))
            self.function.exits.append(Exit("return", node.start_byte, self._region))
        elif kind in _EXITS:
            self.function.exits.append(Exit(kind.removesuffix("_statement"), node.start_byte, self._region))
        else:
            self.expression(node)

    def _block(self, node: Node) -> None:
        """Lower the statements of a block; the code after a branch that leaves is a region of its own."""
        around = self._region
        is_scope = node.type == "compound_statement"
        if is_scope:
            self._scopes.append({})
        for child in node.named_children:
            self.statement(child)
        if is_scope:
            self._scopes.pop()
            self._region = around

    def _declaration(self, node: Node) -> None:
        if node.type == "init_statement":
            for child in node.named_children:
                self.statement(child)
            return
        for declarator in node.children_by_field_name("declarator"):
            leaf, shape = _declared(declarator)
            value = declarator.child_by_field_name("value")
            initial = self.expression(value) if value is not None else None
            if leaf is None:
                continue
            variable = self._declare(text_of(leaf), _type_before(node, leaf), shape, self._region)
            if initial is not None:
                if shape == "reference":
                    self._aliased.add(initial)
                self._assign(variable, initial, declarator, is_first=True)
            if leaf.parent is not None and leaf.parent.type == "structured_binding_declarator":
                for other in entries_of(leaf.parent)[1:]:
                    more = self._declare(text_of(other), b"auto", "value", self._region)
                    self._emit(COPY, b"", (variable,), declarator, more)

    def _if(self, node: Node) -> None:
        clause = node.child_by_field_name("condition")
        self._scopes.append({})
        self.statement(clause.child_by_field_name("initializer") if clause is not None else None)
        condition = self._condition(node)
        then, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        self._guarded(IF, condition, True, then, node)
        self._guarded(IF, condition, False, other, node)
        self._scopes.pop()
        if always_exits(then):
            self._enter(LEFT, condition, False, node)
        elif other is not None and always_exits(next(iter(other.named_children), None)):
            self._enter(LEFT, condition, True, node)

    def _condition(self, node: Node) -> int:
        """The value of a condition, which may declare a variable: `if (int n = f())`."""
        condition = condition_of(node)
        if condition is not None and condition.type == "declaration":
            self._declaration(condition)
            leaf, _ = _declared(condition.child_by_field_name("declarator"))
            value = condition.child_by_field_name("value")
            if leaf is not None and text_of(leaf) not in self._scopes[-1]:
                self._declare(text_of(leaf), b"", "value", self._region)
            variable = self._scopes[-1].get(text_of(leaf), -1)
            if value is not None and variable >= 0:
                self._emit(COPY, b"", (self.expression(value),), condition, variable)
            return variable
        return self.expression(condition) if condition is not None else -1

    def _loop(self, node: Node) -> None:
        self._scopes.append({})
        initializer = node.child_by_field_name("initializer")
        if initializer is not None:
            self.statement(initializer)
        first = len(self.function.operations)
        around = self._enter(LOOP, -1, True, node)
        region = self._region
        is_first = node.type != "do_statement"
        condition = -1
        if node.type == "for_range_loop":
            condition = self.expression(node.child_by_field_name("right"))
            leaf, shape = _declared(node.child_by_field_name("declarator"))
            if leaf is not None:
                variable = self._declare(text_of(leaf), _type_before(node, leaf), shape, region)
                self._emit(UNKNOWN, b"", (condition,), node, variable)
        elif is_first:
            condition = self._condition(node)
        self.statement(node.child_by_field_name("body"))
        self._region = region
        if not is_first:
            condition = self._condition(node)
        update = node.child_by_field_name("update")
        if update is not None:
            self.expression(update)
        self.function.regions[region] = self.function.regions[region]._replace(condition=condition)
        self.function.loops.append(Loop(node, region, condition, first, len(self.function.operations)))
        self._region = around
        self._scopes.pop()

    def _switch(self, node: Node) -> None:
        condition = self._condition(node)
        body = node.child_by_field_name("body")
        labels: tuple[int, ...] = ()
        for case in entries_of(body) if body is not None else ():
            value = case.child_by_field_name("value")
            if case.type == "case_statement":
                labels += (self.expression(value) if value is not None else DEFAULT,)
            around = self._enter(SWITCH, condition, True, case)
            self.function.regions[self._region] = self.function.regions[self._region]._replace(cases=labels)
            statements = [child for child in entries_of(case) if value is None or child.id != value.id]
            for child in statements:
                self.statement(child)
            self._region = around
            if statements:
                labels = ()  # the labels of an empty `case` fall through to the next one


def _instructions(node: Node, operands: list[AsmOperand]) -> tuple[Sequence[Instruction], bool]:
    """The instructions of an `asm` statement, and whether they loop."""
    template, names = asm_template(node), {one.name.decode(): at for at, one in enumerate(operands) if one.name}
    try:
        program = parse(template, names, len(operands))
    except Unreadable:  # by opcode, with the operands as its reads and writes; the first input is the address
        written = tuple(Argument(at) for at, operand in enumerate(operands) if operand.is_output)
        read = [Argument(at) for at, operand in enumerate(operands) if not operand.is_output]
        parts: tuple[Value, ...] = (*written[:1], *(Address(one, Immediate("0")) for one in read[:1]), *read[1:])
        found = opcodes(template)
        return [Instruction(opcode, parts) for opcode in found], any(opcode.startswith("bra") for opcode in found)
    return program.instructions, any(isinstance(step, PtxLoop) for step in program.steps)


def _atoms(operand: Value) -> tuple[Value, ...]:
    if isinstance(operand, Vector):
        return operand.items
    if isinstance(operand, Pair):
        return operand.first, operand.second
    return (operand.base if isinstance(operand, Negated) else operand,)


_NO_VARIABLE = Variable(b"", b"", "", NO_REGION)


def _stored_place(target: Node | None) -> Node | None:
    """What an assignment stores to: for `++i = 1`, `i`, whose new value has been lowered before."""
    while target is not None:
        target = strip_parentheses(target)
        if target.type not in ("update_expression", "assignment_expression"):
            break
        target = target.child_by_field_name("argument") or target.child_by_field_name("left")
    return target


def _declared(declarator: Node | None) -> tuple[Node | None, str]:
    """The name in a declarator, and the shape of what it declares."""
    shape = "value"
    while declarator is not None and declarator.type not in NAMES and declarator.type != "qualified_identifier":
        if shape == "value":
            shape = _DECLARATORS.get(declarator.type, shape)
        inner = declarator.child_by_field_name("declarator")
        if inner is None:
            inner = next((child for child in declarator.named_children if child.type != "type_qualifier"), None)
        declarator = inner
    return declarator, shape


def _type_before(declaration: Node, leaf: Node) -> bytes:
    return text_of(declaration)[: max(leaf.start_byte - declaration.start_byte, 0)]
