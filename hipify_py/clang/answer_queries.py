"""Answers doubts about a file from a parsed unit: what names refer to, and the types of expressions.

Code that libclang has not resolved has no answer. Expressions in templates are examined in each instantiation that the
unit requires: `clang_visitChildren` visits templates only as they are written, but it also visits an instantiation if
it starts at a reference to one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from ctypes import POINTER, addressof, byref, c_uint
from typing import Any

from hipify_py.core.clang_facts import CUDA, DEDUCED, NAME, OWN, PARAMETER, SYSTEM, TYPE

RECORD = 1
"""libclang's option to record preprocessing, without which there are no answers for macros; for `Job.parse`."""

_MOST_INSTANCES = 200
"""Limit on examined instantiations of one unit."""

_BREAK, _CONTINUE, _RECURSE = 0, 1, 2
"""A visitor's return values: stop, continue with the next sibling, or with the children."""

_REFERENCES = frozenset(
    {"TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF", "MEMBER_REF", "VARIABLE_REF"}
    | {"DECL_REF_EXPR", "MEMBER_REF_EXPR", "MACRO_INSTANTIATION"}
)
_CALLED = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR", "CALL_EXPR"})
_FUNCTIONS = frozenset({"FUNCTION_DECL", "CXX_METHOD"})
_OF_TYPES = frozenset({"FIELD_DECL", "CXX_METHOD", "VAR_DECL"})
"""Declarations that each instance of a class template has for itself."""
_DECLARED = frozenset({"VAR_DECL", "PARM_DECL", "FIELD_DECL", "FUNCTION_DECL", "CXX_METHOD"})
_TEMPLATES = frozenset({"FUNCTION_TEMPLATE", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})
_TRANSPARENT = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})
_BODIES = frozenset({"FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"})
_INTEGERS = frozenset(
    {"CHAR_U", "UCHAR", "CHAR_S", "SCHAR", "WCHAR", "CHAR16", "CHAR32", "USHORT", "SHORT", "UINT", "INT"}
    | {"ULONG", "LONG", "ULONGLONG", "LONGLONG", "UINT128", "INT128"}
)
_POINTERS = frozenset({"POINTER", "CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY"})
_OPEN = frozenset({"UNEXPOSED", "AUTO", "DEPENDENT", "OVERLOAD", "INVALID", "DEPENDENTSIZEDARRAY"})

_Place = tuple[str, int]
_Doubt = tuple[int, int, str, int]


def answer(unit: Any, details: dict[str, Any]) -> dict[str, Any]:
    """The answers to the doubts about files of a unit, the files of the unit, and the time that all this took.

    Args:
        unit: libclang's translation unit.
        details: `cuda`, the folders of CUDA's headers; and for each of `files` its `path`, its `text` as Latin-1, and
            the `doubts` about it (`hipify_py.core.clang_facts.TypeQuery`).
    """
    searches = [_Search(unit, file, details["cuda"]) for file in details["files"]]
    beside, below = searches[0].lookups()
    return {
        "found": [search.found() for search in searches],
        "files": searches[0].own_files(),
        "beside": beside,
        "below": below,
        "messages": [*_errors_of_beginning(unit)],
        "seconds": time.process_time(),
    }


def _errors_of_beginning(unit: Any) -> Iterator[dict[str, str]]:
    """The errors without a place in a source: a precompiled header may be out of date."""
    for diagnostic in unit.diagnostics:
        file = diagnostic.location.file
        path = "" if file is None else str(file.name)
        if diagnostic.severity >= diagnostic.Error and (not path or path.endswith(".pch")):
            yield {"severity": "error", "path": path, "text": diagnostic.spelling}


class _Search:
    """The search for the answers about one file of a unit."""

    def __init__(self, unit: Any, file: dict[str, Any], cuda: Iterable[str]) -> None:
        from clang import cindex

        self._cindex = cindex
        self._lib = cindex.conf.lib
        self._unit = unit
        self._kinds = {kind.value: kind.name for kind in cindex.CursorKind.get_all_kinds()}
        self._text: str = file["text"]
        self._path = os.path.realpath(file["path"])
        self._cuda = tuple(os.path.join(os.path.realpath(folder), "") for folder in cuda)
        self._doubts: list[_Doubt] = [(*doubt,) for doubt in file["doubts"]]
        self._starts: dict[int, list[_Doubt]] = {}
        for doubt in self._doubts:
            self._starts.setdefault(doubt[0], []).append(doubt)
        self._whose_file: dict[str, str] = {}
        self._real: dict[int, str] = {}
        self._file, self._offset = cindex.c_object_p(), c_uint()
        self._names: dict[_Doubt, tuple[str, str, str] | None] = {}
        self._types: dict[_Doubt, dict[int, tuple[str, str, int, int]]] = {}
        self._instance = 0
        self._instances: dict[int, int] = {}
        """The numbers of the instances of class templates and functions that doubts are about."""
        self._templates: list[tuple[int, int]] = []
        self._in_template: dict[int, bool] = {}
        self._seen: set[int] = set()
        self._waiting: list[Any] = []
        self._lib.clang_getFileLocation.argtypes = [
            cindex.SourceLocation,
            POINTER(cindex.c_object_p),
            POINTER(c_uint),
            POINTER(c_uint),
            POINTER(c_uint),
        ]
        self._lib.clang_Location_isInSystemHeader.argtypes = [cindex.SourceLocation]

    def found(self) -> dict[str, Any]:
        """Search the unit, and return the answers as plain data."""
        tops = self._tops()
        for cursor in tops:
            if self._covers(cursor):
                self._within(cursor)
        if any(start <= doubt[0] < end for start, end in self._templates for doubt in self._doubts):
            self._look_at_instances(tops)
        # A file included several times, with different macros, has no unique types; libclang has one place for all.
        known = self._types if self._inclusions() < 2 else {}
        return {
            "names": [[list(doubt), list(named)] for doubt, named in self._names.items() if named is not None],
            "types": [[list(doubt), self._typed(types)] for doubt, types in known.items() if types],
        }

    @staticmethod
    def _typed(types: dict[int, tuple[str, str, int, int]]) -> list[list[Any]]:
        return [[*typed, instance] for instance, typed in types.items()]

    # -- visiting the unit

    def _tops(self) -> list[Any]:
        """The declarations at file level and in namespaces of the project's files, and the macros used in the file."""
        found: list[Any] = []

        def visit(cursor: Any) -> int:
            file, _ = self._place(self._lib.clang_getCursorLocation(cursor))
            if not file:
                return _CONTINUE
            kind = self._kinds.get(cursor._kind_id, "")
            if kind in ("MACRO_INSTANTIATION", "INCLUSION_DIRECTIVE", "MACRO_DEFINITION"):
                if kind == "MACRO_INSTANTIATION" and file == self._path:
                    found.append(self._kept(cursor))
                return _CONTINUE
            if self._whose(cursor) != OWN:
                return _CONTINUE
            if kind in _TRANSPARENT:
                return _RECURSE
            found.append(self._kept(cursor))
            return _CONTINUE

        self._go_through(self._unit.cursor, visit)
        return found

    def _go_through(self, cursor: Any, visit: Callable[[Any], int]) -> None:
        """Visit everything below a cursor; exceptions in libclang's callback would otherwise be lost."""
        failed: list[Exception] = []

        def guarded(cursor: Any, parent: Any, data: Any) -> int:
            try:
                cursor._tu = self._unit  # required by the bindings
                return visit(cursor)
            except Exception as error:
                failed.append(error)
                return _BREAK

        self._lib.clang_visitChildren(cursor, self._cindex.callbacks["cursor_visit"](guarded), None)
        if failed:
            raise failed[0]

    def _kept(self, cursor: Any) -> Any:
        """A cursor that outlives the visit."""
        kept = self._cindex.Cursor()
        kept._kind_id, kept.xdata, kept.data = cursor._kind_id, cursor.xdata, cursor.data
        kept._tu = self._unit
        return kept

    def _covers(self, cursor: Any) -> bool:
        """Whether a doubt is about something inside a cursor."""
        start, end = self._extent(cursor)
        return any(start <= doubt[0] < end for doubt in self._doubts)

    def _within(self, cursor: Any) -> None:
        """Examine a cursor and everything below it."""
        self._look(cursor, self._kinds.get(cursor._kind_id, ""))
        self._go_through(cursor, self._visit)

    def _visit(self, cursor: Any) -> int:
        kind = self._kinds.get(cursor._kind_id, "")
        self._look(cursor, kind)
        return _RECURSE

    def _look(self, cursor: Any, kind: str) -> None:
        if kind in _TEMPLATES and not self._instance:
            self._templates.append(self._extent(cursor))
        if self._seen and kind in _CALLED:
            called = self._lib.clang_getCursorReferenced(cursor)
            if called is not None:
                self._declared_in_instance(called)
                self._wait_for_instance(called)
        place = self._place(self._lib.clang_getCursorLocation(cursor))
        if place[0] == self._path:
            for doubt in self._starts.get(place[1], ()):
                if doubt[2] == NAME and kind in _REFERENCES:
                    self._name(doubt, cursor)
                elif doubt[2] == TYPE and kind in _DECLARED and self._spelling(cursor) == self._token(doubt):
                    self._type(doubt, cursor)
                elif doubt[2] == PARAMETER and kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR"):
                    self._parameter(doubt, cursor)
        if kind.endswith(("_EXPR", "_OPERATOR", "_LITERAL")):
            start, end = self._extent(cursor)
            for doubt in self._starts.get(start, ()):
                if doubt[2] == TYPE and doubt[1] == end:
                    self._type(doubt, cursor)

    def _look_at_instances(self, tops: Iterable[Any]) -> None:
        """Examine the unit's template instantiations, starting from its functions."""
        self._seen.add(0)
        for cursor in tops:
            if self._kinds.get(cursor._kind_id, "") not in _TEMPLATES:
                self._go_through(cursor, self._visit)
        while self._waiting and self._instance < _MOST_INSTANCES:
            cursor = self._waiting.pop()
            self._instance += 1
            self._go_through(cursor, self._visit)

    def _declared_in_instance(self, meant: Any) -> None:
        """Record the type of a declaration in a template instance, if something refers to the declaration."""
        kind = self._kinds.get(meant._kind_id, "")
        if kind not in _FUNCTIONS | _OF_TYPES:
            return
        file, start = self._place(self._lib.clang_getCursorLocation(meant))
        for doubt in self._starts.get(start, ()) if file == self._path else ():
            if doubt[2] == TYPE and self._is_in_template(start) and self._spelling(meant) == self._token(doubt):
                owner = self._lib.clang_getCursorSemanticParent(meant) if kind in _OF_TYPES else meant
                number = self._lib.clang_hashCursor(owner)
                instance = self._instances.setdefault(number, 1 + _MOST_INSTANCES + len(self._instances))
                self._type(doubt, meant, instance)

    def _is_in_template(self, start: int) -> bool:
        """Whether a place is in a template of the file; all are known by the time instances are examined."""
        if start not in self._in_template:
            self._in_template[start] = any(first <= start < end for first, end in self._templates)
        return self._in_template[start]

    def _wait_for_instance(self, called: Any) -> None:
        """Queue a function that is an instance of one of the project's templates."""
        if self._kinds.get(called._kind_id) not in _BODIES:
            return
        number = self._lib.clang_hashCursor(called)
        if number in self._seen:
            return
        self._seen.add(number)
        if self._lib.clang_getSpecializedCursorTemplate(called) is not None and self._whose(called) == OWN:
            self._waiting.append(self._kept(called))

    # -- answers

    def _token(self, doubt: _Doubt) -> str:
        return self._text[doubt[0] : doubt[1]]

    def _name(self, doubt: _Doubt, cursor: Any) -> None:
        meant = self._lib.clang_getCursorReferenced(cursor)
        if meant is None or self._spelling(meant) != self._token(doubt):
            return
        candidates = [*self._candidates(meant)]
        found = {self._declared(candidate) for candidate in candidates}
        if len({named[:2] for named in found}) != 1:
            return
        named = min(found)
        if named[0] and self._names.setdefault(doubt, named) != named:
            self._names[doubt] = None  # different ones in different instantiations

    def _candidates(self, meant: Any) -> Iterator[Any]:
        """What a name refers to: several functions if none is chosen yet, as in a template or next to an error."""
        if self._kinds.get(meant._kind_id) != "OVERLOADED_DECL_REF":
            yield meant
            return
        for index in range(self._lib.clang_getNumOverloadedDecls(meant)):
            candidate = self._lib.clang_getOverloadedDecl(meant, index)
            candidate._tu = self._unit
            yield candidate

    def _declared(self, cursor: Any) -> tuple[str, str, str]:
        """The owner of a declaration, its scope, and the name of its file."""
        file, _ = self._place(self._lib.clang_getCursorLocation(cursor))
        return self._whose(cursor), self._scope(cursor), os.path.basename(file)

    def _scope(self, cursor: Any) -> str:
        """The scope of a declaration, leaving out unnamed and inline namespaces."""
        parent = self._lib.clang_getCursorSemanticParent(cursor)
        while parent is not None:
            kind = self._kinds.get(parent._kind_id, "")
            if kind in ("TRANSLATION_UNIT", "INVALID_FILE", ""):
                return ""
            name = self._spelling(parent)
            is_unseen = not name or "(" in name or self._lib.clang_Cursor_isInlineNamespace(parent)
            if kind not in ("LINKAGE_SPEC", "UNEXPOSED_DECL") and not (kind == "NAMESPACE" and is_unseen):
                return name
            parent = self._lib.clang_getCursorSemanticParent(parent)
        return ""

    def _type(self, doubt: _Doubt, cursor: Any, instance: int = 0) -> None:
        kept = self._kept(cursor)
        typed = self._typed_as(kept.result_type if self._kinds.get(cursor._kind_id, "") in _FUNCTIONS else kept.type)
        if typed is not None:
            # Of an expression's conversions, which cover the same range, the innermost comes last: the written one.
            self._types.setdefault(doubt, {})[instance or self._instance] = typed

    def _typed_as(self, written: Any) -> tuple[str, str, int, int] | None:
        type, pointers = written.get_canonical(), 0
        while type.kind.name in ("LVALUEREFERENCE", "RVALUEREFERENCE"):
            type = type.get_pointee()
        while type.kind.name in _POINTERS:
            is_pointer = type.kind.name == "POINTER"
            type, pointers = (type.get_pointee() if is_pointer else type.get_array_element_type()), pointers + 1
        kind = type.kind.name
        if kind in _OPEN or (kind == "RECORD" and type.get_size() < 0 and type.get_declaration().is_definition()):
            return None
        declared = type.get_declaration()
        is_named = declared.kind.name not in ("NO_DECL_FOUND", "INVALID_FILE")
        name = declared.spelling if is_named else type.spelling
        words = [word for word in name.split() if word not in ("const", "volatile")]
        width = type.get_size() * 8 if kind in _INTEGERS else 0
        return " ".join(words), self._alias(written), pointers, width

    def _alias(self, type: Any) -> str:
        """The first name of a type that one of CUDA's headers declares, starting from the written one."""
        for _ in range(20):
            if type.kind.name in ("LVALUEREFERENCE", "RVALUEREFERENCE", "POINTER"):
                type = type.get_pointee()
            elif type.kind.name == "ELABORATED":
                type = type.get_named_type()
            elif type.kind.name == "TYPEDEF":
                declared = type.get_declaration()
                if self._whose(declared) == CUDA:
                    return str(declared.spelling)
                type = declared.underlying_typedef_type
            else:
                break
        return ""

    def _parameter(self, doubt: _Doubt, cursor: Any) -> None:
        """The declared type of a function's parameter; for a template's instance, the type in the template."""
        called = self._lib.clang_getCursorReferenced(cursor)
        if called is None or self._kinds.get(called._kind_id) not in (*_BODIES, "FUNCTION_TEMPLATE"):
            return
        template = self._lib.clang_getSpecializedCursorTemplate(called)
        declared = self._kept(template if template is not None else called)
        parameters = [child for child in declared.get_children() if child.kind.name == "PARM_DECL"]
        if doubt[3] >= len(parameters):
            return
        typed = self._typed_as(parameters[doubt[3]].type)
        known = self._types.setdefault(doubt, {})
        if typed is None and parameters[doubt[3]].type.get_canonical().spelling.startswith("type-parameter-"):
            typed = str(parameters[doubt[3]].type.spelling), "", 0, DEDUCED
        if typed is not None:
            known[len(known)] = typed

    # -- places

    def _place(self, location: Any) -> _Place:
        """The file and offset at which something is written; for a macro's argument, where the argument is."""
        file, offset = self._file, self._offset
        self._lib.clang_getFileLocation(location, byref(file), None, None, byref(offset))
        if not file:
            return "", 0
        number = addressof(file.contents)
        known = self._real.get(number)
        if known is None:
            name = self._lib.clang_getFileName(self._cindex.File(file))
            known = self._real[number] = os.path.realpath(str(name))
        return known, offset.value

    def _extent(self, cursor: Any) -> tuple[int, int]:
        """The start and end of a cursor in the file; an empty range if it is in another file."""
        extent = self._lib.clang_getCursorExtent(cursor)
        file, start = self._place(self._lib.clang_getRangeStart(extent))
        end_file, end = self._place(self._lib.clang_getRangeEnd(extent))
        return (start, end) if file == end_file == self._path else (-1, -1)

    def _spelling(self, cursor: Any) -> str:
        return str(self._lib.clang_getCursorSpelling(cursor))

    def _whose(self, cursor: Any) -> str:
        """The owner of a declaration; empty if no file declares it."""
        location = self._lib.clang_getCursorLocation(cursor)
        file, _ = self._place(location)
        if not file:
            return ""
        known = self._whose_file.get(file)
        if known is None:
            is_cuda = file.startswith(self._cuda) or os.path.basename(file).startswith("__clang_cuda")
            is_system = self._lib.clang_Location_isInSystemHeader(location)
            known = self._whose_file[file] = CUDA if is_cuda else SYSTEM if is_system else OWN
        return known

    def own_files(self) -> list[str]:
        """The project's files that the unit consists of; its main file is not among its inclusions."""
        return sorted(
            {
                os.path.realpath(str(included.include.name))
                for included in self._unit.get_includes()
                if self._is_own(included.include)
            }
            | {self._path, os.path.realpath(str(self._unit.spelling))}
        )

    def lookups(self) -> tuple[list[str], list[str]]:
        """The failed searches: the folders of files whose includes are elsewhere, and folders in includes' names."""
        beside: dict[str, None] = {}
        below: dict[str, None] = {}
        own = {*self.own_files()}
        read = {os.path.realpath(str(included.include.name)) for included in self._unit.get_includes()}

        def visit(cursor: Any) -> int:
            if self._kinds.get(cursor._kind_id) == "INCLUSION_DIRECTIVE":
                name = self._spelling(cursor)
                below[os.path.dirname(name)] = None
                file, _ = self._place(self._lib.clang_getCursorLocation(cursor))
                folder = os.path.dirname(file)
                if file in own and os.path.realpath(os.path.join(folder, name)) not in read:
                    beside[folder] = None
            return _CONTINUE

        self._go_through(self._unit.cursor, visit)
        return [*beside], [*below]

    def _inclusions(self) -> int:
        """How often the file is read, as the main file or through an include."""
        names = [self._unit.spelling, *(included.include.name for included in self._unit.get_includes())]
        return [os.path.realpath(str(name)) for name in names].count(self._path)

    def _is_own(self, file: Any) -> bool:
        real = os.path.realpath(str(file.name))
        known = self._whose_file.get(real)
        if known is None:
            start = self._cindex.SourceLocation.from_offset(self._unit, file, 0)
            is_cuda = real.startswith(self._cuda)
            known = CUDA if is_cuda else SYSTEM if self._lib.clang_Location_isInSystemHeader(start) else OWN
        return known == OWN
