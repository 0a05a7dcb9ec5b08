"""Each built-in of clang's that tables, rules and the support header can write is used in `builtins.hip`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("builtins.hip").read_text()
_NAME = re.compile(r"\b(?:__builtin_\w*[a-z0-9]|__hip_atomic_\w*[a-z]|__ock\w+|__ocml_\w+|amd_mixed_dot)\b")
_SAID = {"advice", "note", "note_for_constants", "differs", "agrees", "evidence", "title", "source", "roc"}
"""What rows tell people, and what they say of ROCm's own libraries."""


def _of_tables(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            if key not in _SAID:
                yield from _of_tables(part)
    elif isinstance(value, list):
        for part in value:
            yield from _of_tables(part)
    elif isinstance(value, str):
        yield from _NAME.findall(value)


def _of_rules(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text())
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in docs and isinstance(node.value, (str, bytes)):
            text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
            yield from _NAME.findall(text)


_CONDITION = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b\s*(.*?)\s*$")
_OF_NVCC = {"defined(__NVCC__)": True, "!defined(__NVCC__)": False}


def _read_by_nvcc(text: str) -> str:
    """A section without the branches that only AMD's compiler reads."""
    kept: list[str] = []
    branches: list[bool | None] = []
    for line in text.splitlines():
        match = _CONDITION.match(line)
        if match is None:
            if False not in branches:
                kept.append(line)
        elif match[1] == "endif":
            branches.pop()
        elif match[1] == "else":
            branches[-1] = None if branches[-1] is None else not branches[-1]
        elif match[1] == "elif":
            branches[-1] = False if branches[-1] else None
        else:
            branches.append(_OF_NVCC.get(match[2]))
    return "\n".join(kept)


def test_what_nvcc_reads_of_a_section() -> None:
    text = "a\n#if defined(__NVCC__)\nb\n#else\nc\n#if X\nd\n#endif\n#endif\n"
    text += "#if !defined(__NVCC__)\ne\n#endif\nf\n#if Y\ng\n#endif\n"
    assert _read_by_nvcc(text).split() == ["a", "b", "f", "g"]


def test_every_builtin_is_compiled_for_nvidia() -> None:
    written: set[str] = set()
    for path in (*ROOT.glob("mappings/*.yaml"), *ROOT.glob("mappings/ptx/*.yaml")):
        written.update(_of_tables(yaml.safe_load(path.read_text())))
    for path in ROOT.glob("hipify_py/rules/**/*.py"):
        written.update(_of_rules(path))
    for path in ROOT.glob("hipify_py/support_header/sections/*.hpp"):
        written.update(_NAME.findall(re.sub(r"//.*", "", _read_by_nvcc(path.read_text()))))
    assert "__builtin_amdgcn_atomic_inc32" in written
    assert written - set(_NAME.findall(PROGRAM)) == set()
