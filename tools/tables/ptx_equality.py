"""Compares inline PTX with its replacement on an NVIDIA GPU, entry by entry.

`emit` writes CUDA programs that run both over edge cases and random numbers; `run.sh` beside them compiles and runs
them with nothing but nvcc and bash; `record` turns what they print into tests/ptx/equality.yaml.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import which
from subprocess import run
from typing import Any

import yaml

from hipify_py.core.findings import Finding
from hipify_py.ptx.types import CPP
from hipify_py.support_header.header import render
from tools.tables.ptx_variants import (
    Parameter,
    Variant,
    converted,
    digest,
    function,
    is_emulated,
    reason_to_skip,
    rows,
    variants,
)

_FILES = 32
_CASES = 1 << 16
_NVCC = ["nvcc", "-std=c++17", "-w", "-O1", "-arch=sm_90"]
_HARNESS = Path(__file__).with_name("ptx_harness.cuh")


def emit(folder: Path, only: str = "") -> int:
    """Write the programs for the entries whose names begin with `only`; returns how many variants they have.

    Raises:
        ValueError: if there is no such entry that a GPU can run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hipify_support.hpp").write_bytes(render(used_sections()))
    (folder / "ptx_harness.cuh").write_bytes(_HARNESS.read_bytes())
    every = [variant for variant in variants() if variant.entry.startswith(only)]
    if not every:
        raise ValueError(f"no entry that begins with {only!r} can be compared")
    count = min(_FILES, len(every))
    parts = [every[number::count] for number in range(count)]
    with ThreadPoolExecutor() as pool:
        parts = list(pool.map(lambda pair: _write_part(folder, *pair), enumerate(parts)))
    (folder / "run.sh").write_text(_SCRIPT, encoding="utf-8")
    return sum(map(len, parts))


def _write_part(folder: Path, number: int, part: list[Variant]) -> list[Variant]:
    """Write a program; where there is an nvcc, without the variants that are no instruction to its assembler."""
    path = folder / f"part{number:02d}.cu"
    while True:
        path.write_text(_program(part, number), encoding="utf-8")
        refused = _refused(path) if which("nvcc") else set()
        if not refused:
            return part
        part = [variant for at, variant in enumerate(part) if at not in refused]


def _refused(path: Path) -> set[int]:
    """The kernels of a program, by number, that ptxas does not take.

    Raises:
        ValueError: where it is not the inline PTX that does not compile.
    """
    listing = path.with_suffix(".ptx")
    front = [*_NVCC, "-ptx", str(path), "-o", str(listing)]
    found = run(front, capture_output=True, text=True, check=False)  # nvcc, on our own sources  # nosec B603
    if not listing.exists():
        raise ValueError(found.stderr[:4000])
    lines = listing.read_text(encoding="utf-8").splitlines()
    listing.unlink()
    refused = set()
    for line in map(int, re.findall(r"line (\d+); error", found.stderr)):
        above = next((text for text in reversed(lines[:line]) if ".entry" in text), "")
        if kernel := re.search(r"kernel_(\d+)E?P", above):
            refused.add(int(kernel[1]))
    if found.returncode and not refused:
        raise ValueError(found.stderr[:4000])
    return refused


def used_sections() -> set[str]:
    """The sections of the support header that entries need."""
    return {"shared_address"} | {row.fields["needs"] for _, row in rows() if "needs" in row.fields}


_SCRIPT = """#!/bin/bash
# Compiles every part with nvcc, runs them, and puts what they print into result.txt.
cd "$(dirname "$0")" || exit 1
arch=${ARCH:--arch=native}
build() { nvcc -std=c++17 -w -O1 "$arch" "$1" -o "$1.out" 2> "$1.log" || echo "$1 does not compile"; }
export -f build
export arch
ls part*.cu | xargs -P "$(nproc)" -I{} bash -c 'build {}'
: > result.txt
for part in part*.cu; do
  : > one.txt
  while ! timeout 60 "./$part.out" "$(wc -l < one.txt)" >> one.txt; do  # a fault ends a process: go on behind it
    [ -x "./$part.out" ] || { echo "failed $part" >> one.txt; break; }
    tail -n 1 one.txt | grep -q '^failed' || echo "failed without a word | $part | $(wc -l < one.txt)" >> one.txt
  done
  cat one.txt >> result.txt
done
grep -c '^equal' result.txt
grep -v '^equal' result.txt | head -40
"""


def _program(part: list[Variant], number: int) -> str:
    ptx = "".join(function(variant, f"ptx_{at}") for at, variant in enumerate(part))
    hip = ""
    findings: list[Finding] = []
    for kept in (False, True):
        own = (function(variant, f"hip_{at}") for at, variant in enumerate(part) if is_emulated(variant) == kept)
        text, found = converted("".join(own), emulates_warp32=kept)
        hip, findings = hip + text, findings + found
    findings = [finding for finding in findings if finding.severity == "error"]
    if findings:
        raise ValueError("\n".join(f"{finding.id} {finding.message}" for finding in findings))
    kernels = "".join(_kernel(variant, at) for at, variant in enumerate(part))
    calls = "".join(
        f'    if (first <= {at}) compare<kernel_{at}>("{_key(variant)}");\n' for at, variant in enumerate(part)
    )
    return (
        f'#include "hipify_support.hpp"\n#include "ptx_harness.cuh"\n\nnamespace part{number} {{\n{ptx}\n'
        f"{hip}\n{kernels}}}\nusing namespace part{number};\n\nint main(int count, char** words) {{\n"
        f"    const int first = count > 1 ? atoi(words[1]) : 0;\n{calls}    return 0;\n}}\n"
    )


def _key(variant: Variant) -> str:
    numbers = variant.statement.partition('"')[2].partition('"')[0].replace("\\n\\t", " ").replace("\\", "")
    return f"{variant.entry} | {variant.opcode} | {numbers}"


def _kernel(variant: Variant, at: int) -> str:
    """A kernel that runs both functions on one case a thread, and compares what they give."""
    declared, first, second, checked = [], [], [], []
    fields = variant.row.fields
    flush = ".ftz" in variant.opcode
    half = _half(variant)
    inputs = 0
    for parameter in variant.parameters:
        name, type, role = parameter
        if role in ("global", "shared"):
            declared.append(f"    prepare_{role}(index, {inputs}, {_size(variant)});")
            first.append(f"{role}_slot(0)")
            second.append(f"{role}_slot(1)")
            checked.append(f"    same_memory_{role}(outcome, {_element(type)});")
            inputs += 1
        elif role == "out":
            cpp = "unsigned" if CPP[type] == "unsigned char" or CPP[type] == "signed char" else CPP[type]
            declared.append(f"    {cpp} {name}_0{{}}, {name}_1{{}};")
            first.append(f"{name}_0")
            second.append(f"{name}_1")
            error, absolute = fields.get("error", 0), fields.get("absolute", 0)
            tolerance = f"{error}.0, {absolute!r}, {str(flush).lower()}"
            if half and type in ("b16", "b32"):
                checked.append(f"    same_halves(outcome, {name}_0, {name}_1, {half}, {tolerance});")
            else:
                checked.append(f"    same(outcome, {name}_0, {name}_1, {tolerance});")
        else:
            cpp = "unsigned" if CPP[type] == "unsigned char" or CPP[type] == "signed char" else CPP[type]
            value = f"input<{cpp}>(index, {inputs}, {str(flush).lower()})"
            if half and flush and type in ("b16", "b32"):
                value = f"flushed_halves({value}, {half})"
            declared.append(f"    const {cpp} {name} = {_limited(fields.get('inputs', ''), parameter, cpp, value)};")
            first.append(name)
            second.append(name)
            inputs += 1
    body = "\n".join(
        [
            *declared,
            f"    ptx_{at}({', '.join(first)});",
            f"    hip_{at}({', '.join(second)});",
            *checked,
        ]
    )
    return f"__global__ void kernel_{at}(Outcome* outcome) {{\n    const unsigned index = case_index();\n{body}\n}}\n"


def _size(variant: Variant) -> int:
    return 16


def _element(type: str) -> str:
    return "true" if type in ("f32", "f64") else "false"


def _half(variant: Variant) -> str:
    """The bits of infinity in the half-precision format that an entry's words hold; empty where they hold none."""
    if getattr(variant.row, "family", "") != "half":
        return ""
    return "0x7f80" if ".bf16" in variant.opcode else "0x7c00"


def _limited(kind: str, parameter: Parameter, cpp: str, value: str) -> str:
    """An input within what the instruction is defined for."""
    name = parameter.name
    if kind == "part" and name == "e":
        return f"{value} % 17"
    if kind == "byte" and parameter.type == "u32" and name != "a":
        return f"{value} & 255"
    if kind == "nonzero" and name == "b":
        return f"divisor({value})"
    if kind == "small" and name in ("b", "c"):
        return f"static_cast<{cpp}>({value} % 32)" if cpp == "unsigned" else f"{value} % 5"
    if kind == "angle":
        return f"angle({value})"
    return value


def record(result: str, gpu: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """What the programs printed, by entry; for entries that they do not have, what is known and still holds.

    Raises:
        ValueError: for a line that no program prints.
    """
    found: dict[str, dict[str, Any]] = {}
    for line in result.splitlines():
        outcome, _, rest = line.partition(" ")
        if outcome not in ("equal", "differs"):
            raise ValueError(f"this is no result: {line}")
        figures, _, key = rest.partition(" | ")
        entry = key.partition(" | ")[0]
        cases, wrong, worst = figures.split()[:3]
        one = found.setdefault(entry, {"variants": 0, "cases": 0, "differ": 0, "worst": 0.0})
        one["variants"] += 1
        one["cases"] += int(cases)
        one["differ"] += int(wrong)
        one["worst"] = max(one["worst"], float(worst))
    entries: dict[str, Any] = {}
    for name, row in rows():
        reason = reason_to_skip(row)
        if reason:
            entries[name] = {"skipped": reason, "hash": digest(row)}
        elif name in found:
            entries[name] = {**found[name], "hash": digest(row)}
        elif known.get(name, {}).get("hash") == digest(row):
            entries[name] = known[name]
    return {"gpu": gpu, "entries": entries}


def write(document: dict[str, Any], path: Path) -> None:
    """Write the record, an entry a line."""
    head = "# What tools/ptx_equality.py found: every PTX entry beside its replacement on one GPU. Made by --record.\n"
    lines = [f"gpu: {document['gpu']}", f"inputs: {_CASES} a variant, edge cases first", "entries:"]
    for name, entry in document["entries"].items():
        value = yaml.safe_dump(entry, default_flow_style=True, width=1000, sort_keys=False).strip()
        lines.append(f"  {yaml.safe_dump(name, width=1000, default_style=chr(39)).strip()}: {value}")
    path.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
