"""Expressions that are compiled when they are first used do what compiled ones do."""

from __future__ import annotations

import re

import pytest

from hipify_py.patterns import lazy


@pytest.mark.parametrize("method", ["search", "match", "fullmatch", "findall", "split"])
@pytest.mark.parametrize("text", ["ab1", "1", "", "AB1 cd2"])
def test_methods_are_those_of_the_compiled_expression(method: str, text: str) -> None:
    expression, compiled = lazy(r"(?i)([a-z]+)(\d)"), re.compile(r"([a-z]+)(\d)", re.IGNORECASE)
    for _ in range(2):  # before it is compiled, and then
        assert repr(getattr(expression, method)(text)) == repr(getattr(compiled, method)(text))


def test_attributes_are_those_of_the_compiled_expression() -> None:
    expression = lazy(rb"(?P<name>\w+)=")
    assert expression.pattern == rb"(?P<name>\w+)="
    assert (expression.groups, dict(expression.groupindex), expression.flags) == (1, {"name": 1}, 0)
    assert expression.sub(rb"\g<name>:", b"a=1") == b"a:1"
    assert [match["name"] for match in expression.finditer(b"a=b=")] == [b"a", b"b"]
    with pytest.raises(AttributeError):
        expression.gone  # noqa: B018


def test_nothing_is_compiled_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    compile = re.compile
    monkeypatch.setattr(re, "compile", lambda text: compiled.append(text) or compile(text))
    expression = lazy("a+")
    assert compiled == []
    assert expression.match("aa")
    assert expression.match("ba") is None
    assert compiled == ["a+"]


def test_wrong_expressions_are_errors_when_they_are_used() -> None:
    expression = lazy("(")
    with pytest.raises(re.error):
        expression.match("")
