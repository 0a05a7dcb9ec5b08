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


def test_every_builtin_is_compiled_for_nvidia() -> None:
    written: set[str] = set()
    for path in (*ROOT.glob("mappings/*.yaml"), *ROOT.glob("mappings/ptx/*.yaml")):
        written.update(_of_tables(yaml.safe_load(path.read_text())))
    for path in ROOT.glob("hipify_py/rules/**/*.py"):
        written.update(_of_rules(path))
    for path in ROOT.glob("hipify_py/support_header/sections/*.hpp"):
        written.update(_NAME.findall(re.sub(r"//.*", "", path.read_text())))
    assert "__builtin_amdgcn_atomic_inc32" in written
    assert written - set(_NAME.findall(PROGRAM)) == set()
