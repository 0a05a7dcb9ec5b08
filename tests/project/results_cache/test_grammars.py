"""The grammars that results depend on are known wherever installations are compared."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hipify_py.project.cluster import installation
from hipify_py.project.results_cache.fingerprint import GRAMMARS

PYPROJECT = Path(__file__).parents[3] / "pyproject.toml"


def test_every_grammar_that_is_installed_is_known() -> None:
    asked = re.findall(r'^    "(tree-sitter[\w-]*)>=', PYPROJECT.read_text(encoding="utf-8"), re.MULTILINE)
    assert {name.replace("-", "_") for name in asked} == {*GRAMMARS}


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_another_version_of_a_grammar_is_another_installation(grammar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    installation.installation.cache_clear()
    here = installation.installation()
    known = installation.version
    monkeypatch.setattr(installation, "version", lambda name: "0.0" if name == grammar else known(name))
    installation.installation.cache_clear()
    there = installation.installation()
    installation.installation.cache_clear()
    assert here != there
