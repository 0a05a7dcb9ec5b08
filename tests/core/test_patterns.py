"""Patterns that are compiled at their first use."""

from __future__ import annotations

import re

import pytest

from hipify_py.core.patterns import lazy_pattern


def test_a_pattern_has_what_a_compiled_one_has() -> None:
    pattern = lazy_pattern(rb"(?P<word>[a-z]+)", re.IGNORECASE)
    found = pattern.search(b"12 Ab")
    assert found is not None
    assert found["word"] == b"Ab"
    assert pattern.findall(b"a b") == [b"a", b"b"]
    assert pattern.groupindex["word"] == 1


def test_it_is_compiled_at_its_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    monkeypatch.setattr(re, "compile", lambda *given: compiled.append(given) or re.Pattern)
    pattern = lazy_pattern("a+", re.MULTILINE)
    assert not compiled
    assert pattern.search is pattern.search
    assert compiled == [("a+", re.MULTILINE)]


def test_a_wrong_pattern_fails_at_its_first_use() -> None:
    pattern = lazy_pattern("(")
    with pytest.raises(re.error):
        pattern.match("")
