"""The register of findings: its form, and that each entry is used and explained."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import hipify_py
from hipify_py.catalog import TableError, load_catalog
from hipify_py.catalog.register import read_register
from hipify_py.report.explain import explain
from hipify_py.rules import registry
from hipify_py.rules.base import Rule
from hipify_py.rules.registry import rules
from tools.tables.register import lint_register

PACKAGE = Path(hipify_py.__file__).parent
ENTRY = """\
HIP301:
  title: Something odd
  severity: warning
  effort: low
  message: "{name} is odd"
  advice: Make it even again.
  source: this tool
"""


def _flaws(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "register.yaml"
    path.write_text(text, encoding="utf-8")
    return [f"{flaw.line}: {flaw.what}" for flaw in lint_register(path)]


def test_the_register_has_no_flaws() -> None:
    assert lint_register() == []


OF_SEVERAL_FILES = frozenset({"HIP610", "HIP611"})
"""Findings that one file by itself never has: what other files of the project are called, or include, enters."""

OF_AN_OLDER_ROCM = frozenset({"HIP108"})
"""Findings that the newest ROCm never gives."""

OF_A_COMPILER = frozenset({"HIP331"})
"""Findings that a compiler's view of the result makes (`compile --syntax`)."""


@pytest.mark.parametrize("id", sorted(read_register()))
def test_an_entry_says_why_and_what_to_do(id: str) -> None:
    found = explain(id)
    assert len(found.why.split()) >= 10, "the entry needs `why`, or a rule of this id with a docstring"
    if id not in OF_SEVERAL_FILES | OF_AN_OLDER_ROCM | OF_A_COMPILER and found.family != "The tool itself":
        assert found.examples or found.valid, "the entry needs an `example`"


@pytest.mark.parametrize("id", sorted(id for id, entry in read_register().items() if "example" in entry))
def test_an_entrys_example_gives_its_finding(id: str) -> None:
    example = read_register()[id]["example"]
    assert [id in shown.findings for shown in explain(id).examples if shown.source == example] == [True]


def test_each_id_that_the_package_names_has_an_entry() -> None:
    named = {
        (path.name, node.value)
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"HIP\d{3}", node.value)
    }
    assert len(named) > 100
    known = read_register()
    assert {(name, id) for name, id in named if id not in known} == set()


def test_each_rule_is_in_the_index() -> None:
    folder = Path(inspect.getfile(registry)).parent
    files = [path for path in folder.rglob("*.py") if re.search(r"^class \w+\(Rule\):", path.read_text("utf-8"), re.M)]
    modules = {".".join(path.relative_to(folder).with_suffix("").parts) for path in files}
    assert modules - set(registry.ORDER) == set(), "they never run: make generate"


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: type(rule).__name__)
def test_a_rule_declares_the_findings_that_its_module_gives(rule: Rule) -> None:
    tree = ast.parse(Path(inspect.getfile(type(rule))).read_text(encoding="utf-8"))
    examples = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Example"
        for inner in ast.walk(node)
    }
    named = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and id(node) not in examples and re.fullmatch(r"HIP\d{3}", str(node.value))
    }
    assert named - {rule.id} == set(rule.reports)


def test_a_rule_without_an_entry_for_its_finding_is_refused_when_it_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(load_catalog()), "has_diagnostic", lambda catalog, name: name != "HIP202")
    with pytest.raises(TableError, match=r"rules/launch/chevrons\.py: no entry for HIP202"):
        registry._rule.__wrapped__("launch.chevrons", load_catalog())


def test_a_good_entry_has_no_flaws(tmp_path: Path) -> None:
    assert _flaws(tmp_path, ENTRY) == []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (ENTRY.replace("  source: this tool\n", ""), "1: HIP301: 'source' is a required property"),
        (ENTRY.replace("low", "tiny"), "4: effort of HIP301: 'tiny' is not one of"),
        (ENTRY.replace("HIP301", "HIP801"), "1: 'HIP801' does not match any of the regexes"),
        (ENTRY + ENTRY, "8: HIP301 appears twice"),
        (ENTRY + ENTRY.replace("HIP301", "HIP201"), "8: HIP201 comes after HIP301"),
        (ENTRY.replace("title", "headline"), "'title' is a required property"),
        ("", "1: "),
        ("HIP301: [", "invalid YAML"),
    ],
)
def test_a_flaw_is_found(tmp_path: Path, text: str, what: str) -> None:
    assert any(what in flaw for flaw in _flaws(tmp_path, text)), _flaws(tmp_path, text)
