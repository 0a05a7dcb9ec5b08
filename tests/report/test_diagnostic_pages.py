"""`docs/diagnostics` says what the register says, and the sources and tests know every id of it."""

from __future__ import annotations

import re
from pathlib import Path

from hipify_py.catalog.register import read_register
from hipify_py.cli.explain import stale
from hipify_py.report.explain import pages
from hipify_py.rules.registry import rules

REPOSITORY = Path(__file__).resolve().parents[2]


def _ids_in(*folders: str) -> set[str]:
    """The ids that code and tables name; the register itself does not count."""
    paths = [path for folder in folders for path in (REPOSITORY / folder).rglob("*") if path.suffix in (".py", ".yaml")]
    return {
        id
        for path in paths
        if path.name != "diagnostics.yaml"
        for id in re.findall(r"HIP\d{3}", path.read_text(encoding="utf-8"))
    }


def test_the_pages_are_not_stale() -> None:
    assert stale(REPOSITORY / "docs" / "diagnostics", pages()) == []


def test_every_id_is_found_by_some_code() -> None:
    assert set(read_register()) - _ids_in("hipify_py", "mappings") == set()


def test_every_id_has_a_test_or_an_example() -> None:
    examples = {id for rule in rules() for example in rule.INVALID for id in example.findings}
    shown = {id for id, entry in read_register().items() if "example" in entry}
    assert set(read_register()) - _ids_in("tests") - examples - shown == set()


def test_no_code_finds_what_the_register_lacks() -> None:
    assert _ids_in("hipify_py", "mappings") - set(read_register()) == set()
