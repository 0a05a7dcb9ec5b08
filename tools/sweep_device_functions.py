"""Does every call that the tables call native or mapped compile for AMD GPUs?

For each overload that CUDA's headers declare of a device function, a kernel that calls it with variables of its
parameters' types is written, translated as any source, and compiled for the device with code generation. What fails is
printed with the compiler's first words on it.

    python tools/sweep_device_functions.py CUDA_SET ROCM_TREE [--arch gfx942] [--rocm 7.1] [--tables math ...]

CUDA_SET is a header set of `python -m tools.tables fetch`, ROCM_TREE holds `include/` and `amdgcn/bitcode`. The exit
status is 1 where a call fails.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from hipify_py import Options, translate
from hipify_py.catalog import load_catalog
from hipify_py.core.targeting import Targeting
from hipify_py.support_header import HEADER
from hipify_py.support_header.header import render
from tools.tables.signatures import split_signature
from tools.tables.surface import load_surface
from tools.tables.symbols import Symbol

TABLES = ("device", "math", "fp16", "bf16", "complex")
_HEADERS = ("cuda_runtime.h", "cuda_fp16.h", "cuda_bf16.h", "cuComplex.h", "cstring", "cstdio", "cassert")
_IMAGES = re.compile(r"tex[1-3C]|surf[1-3C]")
_TRAIT = re.compile(r"typename __nv_i(tex|surf)_trait<T>::type")
_EXCEPTIONS = (
    ("", "long double"),  # CUDA's device code has none of its own either: it is computed as double
    ("", "cudaRoundMode"),  # of CUDA's tile programming
    ("atomicCAS$", "unsigned short"),  # since ROCm 7
    ("tex", r"bool \*"),  # sparse textures
    ("tex2D(Layered|gather)$", r"__nv_itex_trait.*int( =)?\)"),  # HIP's own header calls something else
)
"""Calls that are known not to compile: patterns of the name and of the signature."""
_UNDEFINED = re.compile(r"undefined (?:hidden |protected )?symbol: (\w+)")
_NUMBER = re.compile(r"\bcall_(\d+)\(")


class Call(NamedTuple):
    """One overload of a function, and the kernel that calls it."""

    name: str
    signature: str
    kernel: str


class Failure(NamedTuple):
    """A call that does not compile, and why."""

    call: Call
    reason: str


def calls(symbols: dict[str, Symbol], tables: frozenset[str], targeting: Targeting, images: bool) -> Iterator[Call]:
    """A kernel for each overload of each function that the tables carry over."""
    for row in load_catalog(targeting).rows():
        symbol = symbols.get(row.name)
        if row.library not in tables or row.kind != "device function" or symbol is None:
            continue
        if row.is_unsupported and "support" not in row.details:
            continue
        if _IMAGES.match(row.name) and not images:
            continue
        for signature in symbol.signatures:
            if any(re.match(name, row.name) and re.search(kind, signature) for name, kind in _EXCEPTIONS):
                continue
            kernel = _kernel(row.name, signature)
            if kernel:
                yield Call(row.name, signature, kernel)


def _kernel(name: str, signature: str) -> str | None:
    """A kernel around one call; None for templates that cannot be called with plain types."""
    explicit = ""
    if signature.startswith("template"):
        if not _IMAGES.match(name):
            return None
        explicit = "" if _TRAIT.search(signature) else "<float4>"
        signature = re.sub(r"\bT\b", "float4", _TRAIT.sub("void", signature))
    result, types = split_signature(signature)
    if "..." in types or "(" in result:
        return None
    needed = [kind for kind in types if not kind.endswith("=")]
    parameters = [_parameter(kind, f"a{place}") for place, kind in enumerate(needed)]
    arguments = [f"a{place}" for place in range(len(needed))]
    if needed and name.endswith("_sync") and "unsigned int" in needed[0]:
        parameters[0], arguments[0] = "", "0xffffffff"
    call = f"{name}{explicit}({', '.join(arguments)});"
    if result not in ("void", ""):
        parameters.insert(0, f"{result.removeprefix('const ')} *out")
        call = f"*out = {call}"
    return f"({', '.join(filter(None, parameters))}) {{ {call} }}"


def _parameter(kind: str, name: str) -> str:
    return f"{kind.replace('&', '').replace('__restrict', '')} {name}"


def failures(found: list[Call], targeting: Targeting, command: list[str]) -> Iterator[Failure]:
    """The calls that do not compile. What fails is taken out and the rest compiled again, until all of it does."""
    left = dict(enumerate(found))
    while left:
        source = _source(left)
        translation = translate(source, path="sweep.cu", options=Options(targeting=targeting))
        reported = {_number(source, finding.line) for finding in translation.findings if finding.severity == "error"}
        if reported:
            left = {number: call for number, call in left.items() if number not in reported}
            continue
        wrong = _compile(translation.output.decode(), translation.support, command)
        if not wrong:
            return
        if wrong.keys() <= left.keys():
            for number, reason in wrong.items():
                yield Failure(left.pop(number), reason)
        elif len(left) == 1:
            yield Failure(*left.values(), wrong[-1])
            return
        else:  # an error of the code generator, which names no place
            half = sorted(left)[len(left) // 2]
            yield from failures([call for number, call in left.items() if number < half], targeting, command)
            yield from failures([call for number, call in left.items() if number >= half], targeting, command)
            return


def _source(found: dict[int, Call]) -> str:
    head = "".join(f"#include <{header}>\n" for header in _HEADERS)
    return head + "".join(f"__global__ void call_{number}{call.kernel}\n" for number, call in found.items())


def _number(source: str, line: int) -> int:
    """The number of the call on a line."""
    number = _NUMBER.search(source.splitlines()[line - 1])
    return int(number[1]) if number else -1


def _compile(source: str, sections: Iterable[str], command: list[str]) -> dict[int, str]:
    """The numbers of the calls that do not compile, each with its first error; -1 for an error elsewhere."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "sweep.hip")
        path.write_text(source)
        Path(folder, HEADER).write_bytes(render(sections))
        run = subprocess.run(
            [*command, "-c", str(path), "-o", str(Path(folder, "sweep.o"))],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    if not run.returncode:
        return {}
    lines = source.splitlines()
    wrong: dict[int, str] = {}
    for line, reason in _attributed(run.stderr, lines):
        wrong.setdefault(line, reason)
    return wrong or {-1: run.stderr[-2000:]}


def _attributed(messages: str, lines: list[str]) -> Iterator[tuple[int, str]]:
    """Each error with the number of its call; one within a header belongs to the call that the next note names."""
    waiting = ""
    for text in messages.splitlines():
        if error := re.match(r"(\S+?):(\d+):\d+: (?:fatal )?error: (.*)", text):
            waiting = error[3]
        place = re.match(r"\S*sweep\.hip:(\d+):\d+: ", text)
        number = _NUMBER.search(lines[int(place[1]) - 1]) if place and int(place[1]) <= len(lines) else None
        if number and waiting:
            yield int(number[1]), waiting
            waiting = ""
        if undefined := _UNDEFINED.search(text):
            waiting = f"undefined symbol {undefined[1]}"
        if waiting and (number := re.search(r"call_(\d+)", text)) and ">>>" in text:
            yield int(number[1]), waiting
            waiting = ""


def clang(tree: Path, arch: str) -> list[str]:
    """The command of a device compilation against a tree of ROCm's headers."""
    lanes = 32 if arch.startswith("gfx1") else 64
    return [
        *("clang++-22", "-x", "hip", "--cuda-device-only", f"--offload-arch={arch}", f"--rocm-path={tree}"),
        *("-isystem", str(tree / "include"), "-std=c++17", "-O1", "-w", "-ferror-limit=0", "-fno-color-diagnostics"),
        *(f"-D__AMDGCN_WAVEFRONT_SIZE={lanes}", f"-D__AMDGCN_WAVEFRONT_SIZE__={lanes}", "-fno-caret-diagnostics"),
    ]


def main() -> int:
    """Sweep, and print what fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cuda", type=Path)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--arch", default="gfx942")
    parser.add_argument("--rocm", default="")
    parser.add_argument("--tables", nargs="*", default=TABLES)
    chosen = parser.parse_args()
    targeting = Targeting(rocm=chosen.rocm)
    symbols = load_surface(chosen.cuda, "cuda", chosen.cuda.name.removeprefix("cuda-")).symbols
    images = not chosen.arch.startswith("gfx9")
    found = list(calls(symbols, frozenset(chosen.tables), targeting, images))
    wrong = list(failures(found, targeting, clang(chosen.tree, chosen.arch)))
    for call, reason in wrong:
        print(f"{call.name}: {call.signature}: {reason}")
    print(f"{len(wrong)} of {len(found)} calls fail", file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
