"""Imports go downwards only: what a layer may import lies below it, and no modules import each other in a circle.

Every import counts: those inside functions and those for the type checker as well, because a name that is only used in an
annotation binds two modules as much as a call does. The package's `__init__`, its public face, and `__main__`, which
starts the command line, are outside of the layers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from hipify_py.rules.registry import ORDER

PACKAGE = Path(__file__).parents[1] / "hipify_py"

BUILT = "_version"
"""The module that a build writes: it is there or not, and imports nothing."""

LAYERS = (
    ("core", "headers", "cmake"),
    ("catalog", "support_header"),
    ("frontend", "clang", "nvcc_compat"),
    ("semantics", "findings"),
    ("ptx", "build_systems", "fortran"),
    ("analysis",),
    ("rules",),
    ("translator",),
    ("embedded", "rtc"),
    ("project",),
    ("report", "compile", "torch"),
    ("drop_in", "language_server"),
    ("cli",),
    ("survey", "setuptools_build", "agent_server"),
)
"""The package's parts from the bottom to the top; parts of one layer do not know each other."""

UPWARD_TODAY = frozenset(
    {
        ("analysis.preprocessor.branch_scoring", "rules.ptx.rewriting"),
        ("rules.device.embedded", "translator.run_time_source"),
    }
)
"""Imports that go upwards still. Delete a line when it is mended (the test asks for it); add none."""

Imports = Mapping[str, frozenset[str]]


@cache
def imports_of(package: Path) -> Imports:
    """By module, the modules of the same package that it imports; all names without the package's own."""
    files: dict[str, Path] = {}
    for path in package.rglob("*.py"):
        if path.stem in {BUILT, "__main__"}:
            continue
        parts = path.relative_to(package).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return {name: frozenset(_imported(name, path, package.name, files.keys())) for name, path in files.items()}


def _imported(module: str, path: Path, package: str, known: frozenset[str] | set[str]) -> Iterator[str]:
    """The modules that one file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}: relative imports are not used here"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            inside = name.removeprefix(f"{package}.")
            if inside == name:
                continue  # another package's, or the package's public face
            target = inside if inside in known else inside.rpartition(".")[0]
            if target not in {"", module, BUILT}:
                yield target


def part_of(module: str) -> str:
    """The part that a module belongs to: a package, or a module of the top level."""
    return module.partition(".")[0]


def upward(imports: Imports) -> set[tuple[str, str]]:
    """The imports between parts that do not go to a lower layer."""
    height = {part: number for number, parts in enumerate(LAYERS) for part in parts}
    found = set()
    for module, targets in imports.items():
        here = part_of(module)
        for target in targets:
            there = part_of(target)
            if here in {there, ""}:
                continue
            if height[there] >= height[here]:
                found.add((module, target))
    return found


def circles(imports: Imports) -> set[frozenset[str]]:
    """The groups of modules that reach each other through imports (Tarjan's strongly connected components)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found = set()

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        stack.append(module)
        for target in imports[module]:
            if target not in number:
                visit(target)
                lowest[module] = min(lowest[module], lowest[target])
            elif target in stack:
                lowest[module] = min(lowest[module], number[target])
        if lowest[module] == number[module]:
            group = frozenset(stack[stack.index(module) :])
            del stack[stack.index(module) :]
            if len(group) > 1:
                found.add(group)

    for module in imports:
        if module not in number:
            visit(module)
    return found


def test_every_part_has_a_layer() -> None:
    parts = {part_of(module) for module in imports_of(PACKAGE)} - {""}
    assert parts == {part for layer in LAYERS for part in layer}


def test_imports_go_downwards_only() -> None:
    found = upward(imports_of(PACKAGE))
    assert found - UPWARD_TODAY == set(), "these imports go upwards: move what is shared down"
    assert UPWARD_TODAY - found == set(), "mended: delete these lines from UPWARD_TODAY"


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circles(imports_of(PACKAGE)) == set()


def _package(folder: Path, files: Mapping[str, str]) -> Imports:
    for name, text in files.items():
        path = folder / "p" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return imports_of(folder / "p")


def test_an_import_upwards_is_seen_in_a_function_and_for_the_type_checker(tmp_path: Path) -> None:
    imports = _package(
        tmp_path,
        {
            "__init__.py": "from p.cli import main\n",
            "catalog/__init__.py": "",
            "catalog/a.py": "def f():\n    from p.rules import base\n",
            "rules/__init__.py": "",
            "rules/base.py": "import p.catalog.a\nfrom p.catalog.a import f\n",
            "cli.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p import catalog\n",
            "core/unit.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.rules.base import f\nimport os\n",
        },
    )
    assert upward(imports) == {("catalog.a", "rules.base"), ("core.unit", "rules.base")}
    assert circles(imports) == {frozenset({"catalog.a", "rules.base"})}


def test_parts_of_one_layer_do_not_know_each_other(tmp_path: Path) -> None:
    imports = _package(
        tmp_path,
        {
            "core/edits.py": "from p.core.ranges import Range\n",
            "core/ranges.py": "",
            "compile.py": "from p.survey import stub\n",
            "survey.py": "",
        },
    )
    assert upward(imports) == {("compile", "survey")}


def test_a_longer_circle_is_seen_and_a_diamond_is_none(tmp_path: Path) -> None:
    imports = _package(
        tmp_path,
        {
            "a.py": "import p.b\nimport p.c\n",
            "b.py": "import p.d\n",
            "c.py": "import p.d\n",
            "d.py": "",
            "x.py": "import p.y\n",
            "y.py": "import p.z\n",
            "z.py": "from p.x import name\n",
        },
    )
    assert circles(imports) == {frozenset({"x", "y", "z"})}


def test_no_rule_imports_another_rule() -> None:
    """What two of them need is a module of its own beside them, or belongs to a layer below."""
    rules = {f"rules.{name}" for name in ORDER}
    imports = imports_of(PACKAGE)
    assert rules <= imports.keys()
    assert {name: found for name in rules if (found := imports[name] & rules)} == {}
