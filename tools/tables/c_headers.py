"""Reads C API headers with libclang, as a CUDA or HIP compiler sees them on the host side.

All headers of a set go into one translation unit, but for a few that exclude each other. What the readers lack of
the standard library comes from `stub_headers`; a declaration that needs more than that is left out.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.tables.signatures import split_signature
from tools.tables.stub_headers import write_stubs
from tools.tables.symbols import SurfaceError, Symbol

_UNIT = "unit.cu"
_AFTER = "hipify_py_after_"
_KEEP_GOING = 0x200
_BY_TEXT = re.compile(r"(cccl/)?(cub|thrust|cuda|nv)/|hipcub/|rocprim/|nvtx3/nvtx3\.hpp")
_ALONE = re.compile(r"cublas\.h|cufftw\.h|nvblas\.h|cudnn_backend\w*\.h|.*deprecated.*|hipfftw?\.h|.*/hipfftw\.h")
_LEFT_OUT = {
    "cuda": re.compile(
        r"(cccl/)?(cub|thrust|cuda|nv)/|.*(details?|impl)/|crt/(host_runtime|cuda_tile)|cuda_tile|gpunetio/|nvtxw3/"
        r"|nccl_device/(gin|transport)/|nvtx3/.*\.hpp|cuda_stdint|cusparseLt_cusparse_stub|.*\.(hpp|cuh|inl)$"
    ),
    "rocm": re.compile(
        r"(hipcub|rocprim|thrust|rocthrust|rocwmma|ck|ck_tile|composable_kernel|hip/\w+_detail|.*(details?|impl|internal))/"
        r"|.*\.(hpp|cuh|inl)$|hip/(nvidia|device|math|hip_cooperative)"
    ),
}
_FIRST = {
    "cuda": ("cuda_runtime.h", "cuda.h", "cuda_fp16.h", "cuda_bf16.h", "curand_kernel.h"),
    "rocm": ("hip/hip_runtime.h", "hip/hip_fp16.h", "hip/hip_bf16.h", "hip/hip_complex.h"),
}
_FLAGS = {
    "cuda": ("-x", "cuda", "-D__CUDACC__", "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=5"),
    "rocm": ("-x", "hip", "-D__HIP_PLATFORM_AMD__", "-D__HIPCC__", "-DROCM_MATHLIBS_API_USE_HIP_COMPLEX"),
}
# ROCm's libraries take HIP's complex types where that macro is defined, as the tables ask for.
_ANY = ("--cuda-host-only", "-nocudainc", "-nocudalib", "-nostdinc", "-nostdinc++", "-std=c++17", "-ferror-limit=0")
_RECORDS = {"STRUCT_DECL": "struct", "UNION_DECL": "union", "CLASS_DECL": "class", "CLASS_TEMPLATE": "class"}
_TYPEDEFS = ("TYPEDEF_DECL", "TYPE_ALIAS_DECL", "TYPE_ALIAS_TEMPLATE_DECL")
_DEFAULT = re.compile(rb"=|__dparm|__dv")
_SPECIALIZATION = re.compile(rb"template\s*<\s*>")
_INLINE_SPACE = re.compile(r"__\w+|[vV]\d+")


def read_c_headers(include: Path, headers: Sequence[str], side: str) -> Iterator[Symbol]:
    """Declarations of the headers of a set, given by their paths below `include`.

    Raises:
        SurfaceError: without libclang, or when it cannot read at all.
    """
    try:
        from clang.cindex import Index, LibclangError, TranslationUnitLoadError
    except ImportError as error:
        raise SurfaceError("reading headers takes libclang: pip install libclang") from error
    wanted = [header for header in headers if not _LEFT_OUT[side].match(header)]
    first = [header for header in _FIRST[side] if header in wanted]
    units = [[*first, *(h for h in wanted if h not in first and not _ALONE.match(h))]]
    units += [[header] for header in wanted if _ALONE.match(header)]
    try:
        index = Index.create()
        with tempfile.TemporaryDirectory() as stubs:
            write_stubs(Path(stubs))
            for unit in units:
                yield from _Unit(index, include, side, stubs).read(unit)
    except (LibclangError, TranslationUnitLoadError) as error:
        raise SurfaceError(f"{include}: libclang: {error}") from error


class _Unit:
    """One translation unit, and the files that its declarations come from."""

    def __init__(self, index: Any, include: Path, side: str, stubs: str) -> None:
        self.index = index
        self.include = str(include)
        self.arguments = [*_FLAGS[side], *_ANY, "-isystem", stubs, f"-I{include}"]
        self.places: dict[str, str] = {}
        self.texts: dict[str, bytes] = {}

    def read(self, headers: Sequence[str]) -> Iterator[Symbol]:
        from clang.cindex import TranslationUnit

        text = "".join(f"#include <{header}>\nextern int {_AFTER}{n};\n" for n, header in enumerate(headers))
        options = (
            TranslationUnit.PARSE_SKIP_FUNCTION_BODIES | TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD | _KEEP_GOING
        )
        unit = self.index.parse(_UNIT, self.arguments, [(_UNIT, text)], options)
        self._check(unit, headers)
        yield from self._walk(unit.cursor, "")

    def _check(self, unit: Any, headers: Sequence[str]) -> None:
        """See that every header has let the parser come out of it where it came in."""
        seen = {cursor.spelling for cursor in unit.cursor.get_children() if cursor.spelling.startswith(_AFTER)}
        for number, header in enumerate(headers):
            if f"{_AFTER}{number}" not in seen:
                errors = (d for d in unit.diagnostics if d.severity >= d.Error and "file not found" not in d.spelling)
                here = [d for d in errors if d.location.file and self._header(d.location.file.name) == header]
                told = f"{here[0].location.line}: {here[0].spelling}" if here else "no end is in sight"
                raise SurfaceError(f"{self.include}/{header}:{told}")

    def _walk(self, scope: Any, prefix: str) -> Iterator[Symbol]:
        for cursor in scope.get_children():
            kind = cursor.kind.name
            if kind in ("MACRO_INSTANTIATION", "INCLUSION_DIRECTIVE"):
                continue
            file = cursor.location.file
            header = self._header(file.name) if file is not None else ""
            if not header or _BY_TEXT.match(header):
                continue
            if kind in ("LINKAGE_SPEC", "UNEXPOSED_DECL"):
                yield from self._walk(cursor, prefix)
            elif kind == "NAMESPACE":
                name = cursor.spelling
                if name not in ("std", "detail", "details", "internal"):
                    unseen = not name or "(" in name or _INLINE_SPACE.fullmatch(name)
                    if not unseen:
                        yield Symbol(prefix + name, "namespace", header=header)
                    yield from self._walk(cursor, prefix if unseen else f"{prefix}{name}::")
            else:
                yield from self._declared(cursor, kind, header, prefix)

    def _declared(self, cursor: Any, kind: str, header: str, prefix: str) -> Iterator[Symbol]:
        name = prefix + cursor.spelling
        if kind in ("FUNCTION_DECL", "FUNCTION_TEMPLATE"):
            if not cursor.spelling.startswith("operator") and not _SPECIALIZATION.match(self._text(cursor)):
                yield self._function(cursor, kind, header, name)
        elif kind in _TYPEDEFS:
            target = "" if kind == "TYPE_ALIAS_TEMPLATE_DECL" else cursor.underlying_typedef_type.spelling
            yield Symbol(name, "type", header=header, alias_of=_plain(target), deprecated=_is_deprecated(cursor))
        elif kind == "ENUM_DECL":
            yield from self._enumeration(cursor, header, prefix)
        elif kind in _RECORDS:
            yield from self._record(cursor, kind, header, prefix)
        elif kind == "MACRO_DEFINITION":
            name, value = self._macro(cursor)
            if not self._is_guard(cursor, name, value):
                yield Symbol(name, "macro", header=header, value=value)
        elif kind == "VAR_DECL":
            yield Symbol(name, "variable", header=header)

    def _function(self, cursor: Any, kind: str, header: str, name: str) -> Symbol:
        signature = cursor.type.spelling
        if _DEFAULT.search(self._text(cursor).partition(b"{")[0]):
            signature = _with_defaults(signature, cursor)
        if kind == "FUNCTION_TEMPLATE":
            signature = f"template {signature}"
        attributes = {child.kind.name for child in cursor.get_children() if child.kind.is_attribute()}
        what = "device function" if attributes & {"CUDADEVICE_ATTR", "CUDAGLOBAL_ATTR"} else "function"
        names = ",".join(child.spelling for child in cursor.get_children() if child.kind.name == "PARM_DECL")
        old = _is_deprecated(cursor)
        return Symbol(name, what, header=header, signatures=(signature,), deprecated=old, parameters=(names,))

    def _enumeration(self, cursor: Any, header: str, prefix: str) -> Iterator[Symbol]:
        scope = prefix + cursor.spelling if cursor.is_scoped_enum() else prefix.removesuffix("::")
        names = []
        for child in cursor.get_children():
            if child.kind.name == "ENUM_CONSTANT_DECL":
                names.append(child.spelling)
                name = f"{scope}::{child.spelling}" if scope else child.spelling
                value = str(child.enum_value)
                yield Symbol(name, "enumerator", header=header, value=value, deprecated=_is_deprecated(child))
        name = _own_name(cursor)
        if name:
            yield Symbol(prefix + name, "type", header=header, value="enum", fields=tuple(names))

    def _record(self, cursor: Any, kind: str, header: str, prefix: str) -> Iterator[Symbol]:
        name = _own_name(cursor)
        if name:
            fields = tuple(child.spelling for child in cursor.get_children() if child.kind.name == "FIELD_DECL")
            yield Symbol(prefix + name, "type", header=header, value=_RECORDS[kind], fields=fields)

    def _macro(self, cursor: Any) -> tuple[str, str]:
        """A macro's name and, unless it takes arguments, its text."""
        text = self._text(cursor).decode(errors="replace")
        name: str = cursor.spelling
        rest = text.removeprefix(name)
        return name, "" if rest.startswith("(") else " ".join(re.sub(r"\\\n|/\*.*?\*/|//.*", " ", rest).split())

    def _is_guard(self, cursor: Any, name: str, value: str) -> bool:
        """True for the macro that keeps a header from being read twice."""
        if value not in ("", "1") or not cursor.location.file:
            return False
        text = self._file(cursor.location.file.name)
        return bool(re.search(rb"^\s*#\s*if\s*n?(?:def|!\s*defined)\W+" + name.encode() + rb"\b", text[:20000], re.M))

    def _header(self, file: str) -> str:
        """A file's path below the include folder, or nothing for a file outside of it."""
        place = self.places.get(file)
        if place is None:
            parts: list[str] = []
            if file.startswith(self.include):
                for part in file[len(self.include) :].strip("/").split("/"):
                    parts = parts[:-1] if part == ".." else [*parts, part]
            place = self.places[file] = "/".join(parts)
        return place

    def _text(self, cursor: Any) -> bytes:
        start, end = cursor.extent.start, cursor.extent.end
        if start.file is None:
            return b""
        return self._file(start.file.name)[start.offset : end.offset]

    def _file(self, name: str) -> bytes:
        text = self.texts.get(name)
        if text is None:
            text = self.texts[name] = Path(name).read_bytes() if name.startswith(self.include) else b""
        return text


def _own_name(cursor: Any) -> str:
    """The name of a type, or of the typedef that names it; nothing for one without a name."""
    name = cursor.spelling or ""
    if not name or "(" in name:
        name = cursor.type.spelling.split("::")[-1]
    name = re.sub(r"^(enum|struct|union|class)\s+", "", name)
    return "" if "(" in name else name


def _plain(target: str) -> str:
    return "" if "(unnamed" in target or "(anonymous" in target else target


def _has_default(parameter: Any) -> bool:
    return any(child.kind.is_expression() for child in parameter.get_children())


def _is_deprecated(cursor: Any) -> bool:
    return bool(cursor.availability.name == "DEPRECATED")


def _with_defaults(signature: str, function: Any) -> str:
    """Mark the parameters that have a default."""
    result, types = split_signature(signature)
    parameters = [child for child in function.get_children() if child.kind.name == "PARM_DECL"]
    if len(parameters) != len(types):
        return signature
    marked = (f"{type_} =" if _has_default(p) else type_ for type_, p in zip(types, parameters, strict=True))
    return f"{result} ({', '.join(marked)})"
