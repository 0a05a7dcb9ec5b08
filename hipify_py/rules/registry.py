"""The rules in the order in which they run, which is that of `trigger_index`, generated from their declarations.

A rule's module is imported when a source meets its triggers: most files need few of them, and a commit hook
should not wait for the others.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from itertools import compress

from hipify_py.catalog import Catalog, TableError, load_catalog
from hipify_py.core.patterns import lazy_pattern
from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Rule
from hipify_py.rules.trigger_index import INDEX
from hipify_py.rules.triggers import Gates

_FINDING = lazy_pattern(r"HIP\d{3}")

ORDER = tuple(INDEX)
"""The modules of the rules below `hipify_py.rules`."""


def rules() -> tuple[Rule, ...]:
    """Every rule, one instance each."""
    catalog = load_catalog()
    return tuple(_rule(module, catalog) for module in ORDER)


def rules_for(unit: Unit) -> list[Rule]:
    """The rules that may apply to a unit whose names are resolved.

    Raises:
        TableError: if the register of findings lacks one that a rule gives.
    """
    return [_rule(module, unit.catalog) for module in compress(ORDER, _gates().matching(unit))]


def rules_about(id: str) -> tuple[Rule, ...]:
    """The rules with this id, or with examples that have the finding."""
    catalog = load_catalog()
    return tuple(_rule(module, catalog) for module in ORDER if id == INDEX[module].id or id in INDEX[module].shown)


@cache
def _gates() -> Gates:
    return Gates(INDEX[module].triggers for module in ORDER)


@cache
def _rule(module: str, catalog: Catalog) -> Rule:
    rule: Rule = getattr(import_module(f"hipify_py.rules.{module}"), INDEX[module].name)()
    for id in (rule.id, *rule.reports):
        if _FINDING.fullmatch(id) and not catalog.has_diagnostic(id):
            raise TableError(f"hipify_py/rules/{module.replace('.', '/')}.py: no entry for {id} in diagnostics.yaml")
    return rule
