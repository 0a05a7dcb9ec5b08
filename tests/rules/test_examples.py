"""The rules' own examples, run as they are printed."""

from __future__ import annotations

import pytest

from hipify_py import Options, translate
from hipify_py.catalog import load_catalog
from hipify_py.rules.base import Example, Rule
from hipify_py.rules.registry import rules


def _cases(kind: str) -> list[object]:
    return [
        pytest.param(rule, example, id=f"{type(rule).__name__}-{number}")
        for rule in rules()
        for number, example in enumerate(getattr(rule, kind), 1)
    ]


def _options(rule: Rule) -> Options:
    """Only the rule that adds the runtime's header shows it in its examples."""
    return Options(implicit_runtime=rule.id == "implicit-runtime", fixes=rule.fixes, dual=rule.dual)


@pytest.mark.parametrize(("rule", "example"), _cases("VALID"))
def test_a_valid_example_stays_and_is_not_reported(rule: Rule, example: Example) -> None:
    result = translate(example.source, options=_options(rule))
    assert result.output.decode() == example.source
    assert rule.id not in [finding.id for finding in result.findings]


@pytest.mark.parametrize(("rule", "example"), _cases("INVALID"))
def test_an_invalid_example_becomes_its_output_and_is_reported(rule: Rule, example: Example) -> None:
    result = translate(example.source, options=_options(rule))
    assert result.output.decode() == (example.source if example.output is None else example.output)
    assert set(example.findings) <= {finding.id for finding in result.findings}


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: type(rule).__name__)
def test_a_rule_says_why_and_shows_how(rule: Rule) -> None:
    assert len((type(rule).__doc__ or "").split()) >= 12
    assert rule.VALID or rule.INVALID
    for example in rule.INVALID:
        assert example.output is not None or example.findings


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: type(rule).__name__)
def test_the_findings_of_examples_stand_in_the_register(rule: Rule) -> None:
    for example in rule.INVALID:
        for id in example.findings:
            assert load_catalog().diagnostic(id).advice


def test_every_rule_is_registered_once() -> None:
    names = [type(rule).__name__ for rule in rules()]
    assert len(names) == len(set(names))
