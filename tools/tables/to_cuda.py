"""Compiles what `header --to-cuda` defines, with HIP's signatures, against the headers of a version of CUDA.

Each table is a translation unit: a function a line that calls one of HIP's functions with parameters of HIP's types and
returns what it returns. `#line` names the lines after the functions, so that an error says by its place what it is
about. clang compiles them: it takes the headers of any CUDA, where nvcc takes those of its own version.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import NamedTuple

from hipify_py.catalog import Catalog
from hipify_py.catalog.declarations import HIP, Declarations, Signature, load_declarations
from hipify_py.nvcc_compat.tree import header_tree, invert, part_names, paths_of
from tools.tables.stub_headers import write_graphics_stubs

_INCLUDE = re.compile(r"^#include <(.*)>", re.MULTILINE)
_ERROR = re.compile(r"^([^:\n]+):\d+:\d+: (?:fatal )?error: (.*)$", re.MULTILINE)
_WHERE = re.compile(r"^([^:\n]+):\d+:\d+: note: (?:in instantiation|.*requested here)", re.MULTILINE)
_KINDS = ("function", "device function")
_BUILTIN = "__builtin_"  # clang's, with no signature in HIP's headers
_FUNCTION_POINTER = re.compile(r"\(\s*(\*+)\s*\)")
_ARRAY = re.compile(r"((?:\[[^\]]*\])+)$")


_OPAQUE = {
    "void *": "any_handle",
    "const void *": "any_handle",
    "void **": "any_handles",
    "const void **": "any_handles",
    "uint16_t *": "hipblasHalf *",
    "const uint16_t *": "const hipblasHalf *",
    "uint16_t **": "hipblasHalf **",
    "const uint16_t **": "const hipblasHalf **",
}
"""What bindings say in place of a type that has a name."""

_WITH_OPAQUE = frozenset(("cublas", "cublaslt", "cusolver", "cusparse", "cusparselt", "cutensor"))
"""The tables whose libraries have handles that HIP's bindings tell as `void *`."""

_HANDLES = """\
struct any_handle { template <typename T> operator T *() const; };
struct any_handles { template <typename T> operator T **() const; };"""


_OLDEST_CLANG, _NEWEST_CLANG = 18, 40
"""The releases that are looked for: older ones stumble over the newest CUDA's headers."""


class Mapped(NamedTuple):
    """A function of HIP's that the headers define: its table, the CUDA function behind it, and HIP's signatures."""

    name: str
    table: str
    cuda: str
    is_device: bool
    signatures: tuple[Signature, ...]


def mapped_functions(catalog: Catalog) -> list[Mapped]:
    """All functions that the headers define, in the order of the tables."""
    declared = load_declarations(HIP)
    parts = part_names()
    rows = {one.hip: one.row for one in invert(catalog, parts).defined if one.row.kind in _KINDS}
    for row in catalog.rows():
        if row.kind in _KINDS and row.hip in parts:
            rows.setdefault(str(row.hip), row)
    tables = {name: parts.get(name, row.library) for name, row in rows.items()}
    served = {table for table in set(tables.values()) if paths_of(catalog, table)}
    found = [
        Mapped(name, tables[name], row.name, row.kind == _KINDS[1], _signatures(declared, name))
        for name, row in rows.items()
        if tables[name] in served and not name.startswith(_BUILTIN)
    ]
    return sorted(found, key=lambda one: (one.table, one.name))


def _signatures(declared: Declarations, name: str) -> tuple[Signature, ...]:
    """What HIP declares, but for templates, whose parameters are nobody's types."""
    declaration = declared.find(name)
    forms = declaration.signatures if declaration is not None else ()
    return tuple(form for form in forms if not form.is_template)


def unit(paths: Iterable[str], functions: Iterable[Mapped]) -> str:
    """The translation unit of the functions of a table, whose headers have the given paths."""
    lines = [*(f"#include <{path}>" for path in paths), _HANDLES]
    for function in functions:
        for number, text in enumerate(_calls(function)):
            lines += [f'#line 1 "{function.name}"', text.replace("NAME", f"call_{number}_{function.name}")]
    return "\n".join(lines) + "\n"


def _calls(function: Mapped) -> Iterator[str]:
    """A function a signature, and one for the shortest call that its defaults allow."""
    if not function.signatures:
        yield f"inline void NAME() {{ using ::{function.name}; }}"
    for signature in function.signatures:
        opaque = _OPAQUE if function.table in _WITH_OPAQUE or "External" in function.name else {}
        parameters = [
            _parameter(opaque.get(one.type, one.type), f"a{place}") for place, one in enumerate(signature.parameters)
        ]
        needed = [place for place, one in enumerate(signature.parameters) if not one.is_optional]
        for count in dict.fromkeys((len(parameters), len(needed))):
            arguments = ", ".join(f"a{place}" for place in range(count))
            side = "__device__ " if function.is_device else ""
            body = f"return {function.name}({arguments});"
            yield f"{side}inline {signature.result} NAME({', '.join(parameters)}) {{ {body} }}"


def _parameter(type: str, name: str) -> str:
    """A parameter as code, with the names that C++ programs give what bindings name otherwise."""
    text = _type(type)
    if _FUNCTION_POINTER.search(text):
        return _FUNCTION_POINTER.sub(rf"(\1{name})", text, count=1)
    extent = _ARRAY.search(text)
    return f"{text[: extent.start()]} {name}{extent[1]}" if extent else f"{text} {name}"


def _type(text: str) -> str:
    text = text.replace("textureReference *", "hipTexRef").replace("(void)", "()")
    text = re.sub(r"\b(hip\w+)_union\b", r"\1", re.sub(r"\b_(hip\w+_t)\b", r"\1", text))
    text = re.sub(r"\b(hipExternal\w+)_st\b", r"\1", text)
    return re.sub(r"\bhipLaunchParams_t\b", "hipLaunchParams", text)


class CompilerError(Exception):
    """The compiler cannot be started, or complains of something else than the functions."""


def clang() -> str | None:
    """A clang++ of this machine, the newest by its name; None where there is none."""
    for release in range(_NEWEST_CLANG, _OLDEST_CLANG - 1, -1):
        found = which(f"clang++-{release}")
        if found:
            return found
    return which("clang++")


def failures(functions: list[Mapped], catalog: Catalog, headers: Path, compiler: str) -> dict[str, str]:
    """The functions that do not compile against a folder of CUDA's headers, and why, as the compiler says it.

    Raises:
        CompilerError: where something else does not compile.
    """
    found: dict[str, str] = {}
    with TemporaryDirectory() as place:
        folder = Path(place)
        tree = header_tree(catalog)
        for path, text in tree.items():
            (folder / "include" / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / "include" / path).write_text(text, encoding="utf-8")
        command = _command(compiler, folder, headers)
        for table in dict.fromkeys(one.table for one in functions):
            ours = [one for one in functions if one.table == table]
            paths = [path for path in paths_of(catalog, table) if _has_all(tree[path], (headers, headers / "cccl"))]
            source = folder / f"{table}.cu"
            source.write_text(unit(paths, ours), encoding="utf-8")
            for side in ("--cuda-host-only", "--cuda-device-only"):
                run = subprocess.run(  # clang, on our own sources  # nosec B603
                    [*command, side, str(source)], capture_output=True, text=True, errors="replace", check=False
                )
                found = {**dict(_errors(run.stderr, {one.name for one in ours})), **found}
                if run.returncode and not any(one.name in found for one in ours):
                    raise CompilerError(run.stderr[:4000])
    return found


def _command(compiler: str, folder: Path, headers: Path) -> list[str]:
    """How a unit is compiled, after the toolkit is laid out in a folder as clang expects it."""
    toolkit = folder / "toolkit"
    for part in ("bin", "nvvm/libdevice"):
        (toolkit / part).mkdir(parents=True)
    (toolkit / "include").symlink_to(headers.resolve(), target_is_directory=True)
    write_graphics_stubs(folder / "stubs")
    command = [compiler, "-x", "cuda", "-std=c++17", "-fsyntax-only", "-nocudalib", "--cuda-gpu-arch=sm_80", "-w"]
    command += ["-ferror-limit=0", "-fno-spell-checking", "-fno-caret-diagnostics", f"--cuda-path={toolkit}"]
    return [*command, "-I", str(folder / "include"), "-I", str(headers / "cccl"), "-isystem", str(folder / "stubs")]


def _has_all(text: str, folders: Iterable[Path]) -> bool:
    """True where all headers of CUDA's that a header includes are there: some libraries come by themselves."""
    return all(any((folder / name).is_file() for folder in folders) for name in _INCLUDE.findall(text))


def _errors(text: str, names: set[str]) -> Iterator[tuple[str, str]]:
    """The functions with errors; an error in a header is that of the function that asks for the template.

    Raises:
        CompilerError: for an error that is no function's.
    """
    pending = ""
    for line in text.splitlines():
        error, where = _ERROR.match(line), _WHERE.match(line)
        if error and pending:
            break
        if error and error[1] in names:
            yield error[1], error[2]
        elif error:
            pending = line
        elif where and pending and where[1] in names:
            yield where[1], pending
            pending = ""
    if pending:
        raise CompilerError(pending)
