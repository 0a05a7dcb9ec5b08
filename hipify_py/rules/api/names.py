"""Renames API names."""

from __future__ import annotations

from collections.abc import Container, Iterator

from hipify_py.catalog import Row
from hipify_py.core.edits import Edit
from hipify_py.core.findings import Finding, as_note
from hipify_py.core.patterns import lazy_pattern
from hipify_py.core.translation import CONVERTED, INACTIVE, NATIVE, UNSUPPORTED, Reference
from hipify_py.frontend.brackets import trim
from hipify_py.frontend.unit import Unit, Use
from hipify_py.rules.base import DedupedFinding, Example, Rule, Support, mapping_note, unsupported_symbol
from hipify_py.rules.triggers import Fact, facts
from hipify_py.semantics.builtin_types import vector
from hipify_py.semantics.declared_names import TAGS
from hipify_py.semantics.device_code import may_run_on_device
from hipify_py.semantics.effective_rows import effective_row

_MAKES_A_STRING = lazy_pattern(rb"(?i)\w*(?:STR|QUOTE|TEXT)\w*")
_NAME = lazy_pattern(rb"[A-Za-z_]\w*")
_FEATURES = lazy_pattern(r"__CUDA_ARCH_(?:FEAT_\w+|FAMILY_SPECIFIC__|SPECIFIC__|HAS_FEATURE__)")
"""What single NVIDIA GPUs have alone: that no such macro is defined is as it should be."""
_AS_TEXT = "a string then holds its own name"


class ApiNames(Rule):
    """HIP mirrors CUDA's names, so most references only need another spelling.

    Members, names in the user's own namespaces and names that the source declares itself are not references.
    A symbol without a counterpart stays as it is, and hipify-py reports it.
    """

    id = "HIP101"
    reports = ("HIP105", "HIP108", "HIP109", "HIP403", "HIP501")
    triggers = facts(Fact.USES)
    VALID = (
        Example("void f(Pool &pool) { pool.cudaMalloc(1); }"),
        Example("void f() { my::cudaFree(nullptr); }"),
        Example('// cudaMalloc\nconst char *s = "cudaMalloc";'),
        Example("int f(int cudaSuccess) { return cudaSuccess; }"),
    )
    INVALID = (
        Example("void f(void *p) { cudaFree(p); }", "void f(void *p) { hipFree(p); }"),
        Example("cudaStream_t s = ::cudaStreamPerThread;", "hipStream_t s = ::hipStreamPerThread;"),
        Example("#define FREE(p) cudaFree(p)", "#define FREE(p) hipFree(p)"),
        Example("struct cudaGraphicsResource *r;", "struct _hipGraphicsResource *r;"),
        Example(
            "int f(int r) { switch (r) { case CUFFT_SUCCESS: return 1; case CUFFT_NVRTC_FAILURE: return 2; } }",
            "int f(int r) { switch (r) { case HIPFFT_SUCCESS: return 1; /* case CUFFT_NVRTC_FAILURE: */ return 2; } }",
        ),
    )

    def apply(self, unit: Unit) -> Iterator[Edit | Finding | DedupedFinding | Reference | Support]:
        prefixes = _prefix_offsets(unit)
        for use in unit.uses:
            if use.start in prefixes:  # `cudaError##x` is a prefix of other names, not the type
                continue
            row = effective_row(unit, use)
            for item in rename(unit, use, row):
                yield DedupedFinding(item, row.name) if isinstance(item, Finding) and item.id == "HIP403" else item
            if row.section:
                yield Support(row.section)
            if row.fails and row.hip is not None:
                yield mapping_note(unit, use.start, row)
            elif row.note and row.hip is not None and _applies_to(unit, use, row):
                yield DedupedFinding(
                    mapping_note(unit, use.start, row), row.note
                )  # once for all names with the same note
            if row.differs and row.hip is not None:
                yield unit.finding(
                    "HIP105", use.start, name=row.name, library=row.library, target=row.hip, detail=row.differs
                )


def _prefix_offsets(unit: Unit) -> Container[int]:
    """The offsets of names that are prefixes of longer ones, pasted by macros."""
    if b"##" not in unit.source.data:
        return ()
    from hipify_py.semantics.token_pasting import find_prefixes

    return unit.analysis(find_prefixes)


def _applies_to(unit: Unit, use: Use, row: Row) -> bool:
    """Whether the table's note on a symbol applies to this use: to a constant's only, or to any."""
    if not row.details.get("note_for_constants"):
        return True
    if unit.lexemes.define_around(use.start) is not None or not may_run_on_device(unit, use.start):
        return True
    from hipify_py.analysis.warp.constant_uses import is_constant_use

    leaf = unit.tree.leaf(use.start, use.end)
    return leaf is None or is_constant_use(unit, leaf)


def rename(unit: Unit, use: Use, row: Row) -> Iterator[Edit | Finding | Reference]:
    """The edit, the reference and, where needed, the finding for one use of a row."""
    start, end, _ = use
    if row.is_unsupported:
        # A weak symbol may be missing: `#pragma weak ncclDevCommCreate` of nccl-tests.
        is_weak = unit.lexemes.word_before(start) == b"weak" and unit.lexemes.in_directive(start)
        if is_weak or (_FEATURES.fullmatch(row.name) and unit.lexemes.in_condition(start)):
            yield Reference(start, row.name, row.library, row.kind, INACTIVE)
            return
        label = _label_edits(unit, use) if row.kind == "enumerator" else []
        yield from label
        yield Reference(start, row.name, row.library, row.kind, CONVERTED if label else UNSUPPORTED)
        if not label:
            yield _unsupported(unit, start, row)
        return
    keyword = _elaborating_keyword(unit, use) if row.kind == "type" else None
    if keyword is not None and vector(row.name) is not None:
        yield Reference(start, row.name, row.library, row.kind, CONVERTED)
        yield Edit(keyword, start, b"")  # in HIP not a struct, but a template instance
        if not row.is_native:
            yield Edit(start, end, str(row.hip).encode())
    elif keyword is not None and "::" in str(row.hip) and "::" not in row.name:
        following = unit.lexemes.after(end)
        yield Reference(start, row.name, row.library, row.kind, CONVERTED)
        if unit.source.data[following : following + 1] == b";":  # `struct X;`, which only its namespace could declare
            yield Edit(keyword, following + 1, b"")
        else:
            yield Edit(keyword, start, b"")
            yield Edit(start, end, str(row.hip).encode())
    elif str(row.hip).isdigit() and unit.lexemes.word_before(start) == b"using":  # `using raft::WarpSize;` in cuVS
        name = row.name.rpartition("::")[2]
        yield Reference(start, row.name, row.library, row.kind, CONVERTED)
        yield Edit(unit.lexemes.before(start) + 1 - len(b"using"), end, f"constexpr int {name} = {row.hip}".encode())
    elif keyword is not None and row.tag:
        yield Reference(start, row.name, row.library, row.kind, CONVERTED)
        yield Edit(start, end, row.tag.encode())
    elif row.is_native and unit.source.data[start:end] == row.name.encode():
        yield Reference(start, row.name, row.library, row.kind, NATIVE)
    else:
        spelling = _spelling(unit, use, row)
        outcome = UNSUPPORTED if row.fails else CONVERTED if spelling is not None else NATIVE
        yield Reference(start, row.name, row.library, row.kind, outcome)
        if spelling is not None:
            yield from _write_name(unit, start, end, spelling)


def _write_name(unit: Unit, start: int, end: int, spelling: bytes) -> Iterator[Edit]:
    """The edits that write a name; comments between its parts stay, before the last part."""
    data, lexemes = unit.source.data, unit.lexemes
    if spelling == b"" or data.find(b"/", start, end) < 0:
        yield Edit(*(_with_blanks(unit, start, end) if spelling == b"" else (start, end)), spelling)
        return
    parts, at = [], start
    while (comment := lexemes.non_code_at(data.find(b"/", at, end))) is not None:
        parts.append(trim(lexemes, at, comment[0]))
        at = comment[1]
    *first, last = *parts, trim(lexemes, at, end)
    scope, colons, name = spelling.rpartition(b"::")
    for part in first:
        yield Edit(part[0], part[1], scope + colons)
        scope = colons = b""
    yield Edit(last[0], last[1], name)


def _elaborating_keyword(unit: Unit, use: Use) -> int | None:
    """The offset of the `struct`, `enum` or `union` before a type's name; None where there is none."""
    word = unit.lexemes.word_before(use.start)
    return unit.lexemes.before(use.start) + 1 - len(word) if word in TAGS else None


def _label_edits(unit: Unit, use: Use) -> list[Edit]:
    """The edits that remove a label of a `switch` that cannot be any value of HIP's."""
    if unit.lexemes.word_before(use.start) != b"case":
        return []
    from hipify_py.semantics.case_labels import comment_out_label, label_at

    label = label_at(unit, use)
    return [] if label is None else list(comment_out_label(label))


def _spelling(unit: Unit, use: Use, row: Row) -> bytes | None:
    """The new text of a use; None where the text already is right (a namespace alias of the user's)."""
    target = str(row.hip).encode()
    alias, *rest = (segment.strip() for segment in unit.lexemes.code(use.start, use.end).split(b"::"))
    segments = row.name.encode().split(b"::")
    if alias not in segments[:2]:
        if not rest:
            return None  # its definition is translated
        scope = _translated_scope(unit, segments[: len(segments) - len(rest)])
        if target.startswith(scope + b"::"):
            target = b"::".join((alias, target[len(scope) + 2 :]))
            return None if target == b"::".join((alias, *rest)) else target
    if target == b"::".join((alias, *rest)) or (_NAME.fullmatch(target) is None and unit.lexemes.in_defined(use.start)):
        return None  # `#ifndef CUB_MAX` tests a name
    return target


def _translated_scope(unit: Unit, segments: list[bytes]) -> bytes:
    """The HIP name of the namespace that an alias stands for; only namespaces of the tables have another name."""
    for length in range(len(segments), 0, -1):
        row = unit.catalog.row(b"::".join(segments[:length]))
        if row is not None and row.kind == "namespace" and row.hip is not None:
            return b"::".join((row.hip.encode(), *segments[length:]))
    return b"::".join(segments)


def _with_blanks(unit: Unit, start: int, end: int) -> tuple[int, int]:
    """The range of a name that HIP does not need, with the blanks after it; at a line's end, with those before it."""
    data = unit.source.data
    while data[end : end + 1] in (b" ", b"\t"):
        end += 1
    while data[end : end + 1] in (b"\n", b"\r") and data[start - 1 : start] in (b" ", b"\t"):
        start -= 1
    return start, end


def _unsupported(unit: Unit, start: int, row: Row) -> Finding:
    if row.details.get("legacy"):
        return unit.finding("HIP501", start, name=row.name, library=row.library)
    if row.kind == "macro" and unit.lexemes.in_condition(start):
        return unit.finding("HIP403", start, name=row.name, library=row.library)
    if row.kind == "macro" and _is_stringized(unit, start):
        return as_note(unsupported_symbol(unit, start, row), _AS_TEXT)
    detail = None
    if row.details.get("experimental"):
        detail = f" outside of --experimental (there it is {row.details['experimental']})"
    return unsupported_symbol(unit, start, row, detail)


def _is_stringized(unit: Unit, start: int) -> bool:
    """Whether it is the argument of a macro that stringizes it, as the macro's name suggests."""
    opening = unit.lexemes.before(start)
    is_argument = unit.source.data[opening : opening + 1] == b"("
    return is_argument and _MAKES_A_STRING.fullmatch(unit.lexemes.word_before(opening)) is not None
