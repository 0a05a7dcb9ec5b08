"""Which findings a name may lead to, besides those of its example: those of the rules that look for it."""

from __future__ import annotations

import importlib
from functools import cache

from hipify_py.catalog import Row
from hipify_py.rules.base import Rule
from hipify_py.rules.trigger_index import INDEX
from hipify_py.rules.triggers import Patterns, Triggers

_OF_CODE = frozenset({"device function", "variable", "type", "function", "namespace"})


def causes(row: Row) -> list[str]:
    """The ids of the findings of rules that look for this name itself."""
    if row.kind not in _OF_CODE:
        return []
    found = {
        rule.id
        for module, (name, triggers) in INDEX.items()
        if _looks_for(triggers, row.name)
        for rule in (_rule(module, name),)
    }
    return sorted(id for id in found if id.startswith("HIP"))


@cache
def _rule(module: str, name: str) -> type[Rule]:
    rule: type[Rule] = getattr(importlib.import_module(f"hipify_py.rules.{module}"), name)
    return rule


def _looks_for(triggers: Triggers, name: str) -> bool:
    line = b"\n%b\n" % name.encode()
    return any(_fits(patterns, line) for group in triggers.groups for patterns in (group.words, group.uses))


def _fits(patterns: Patterns | None, line: bytes) -> bool:
    """The name is one of the patterns' whole names, or begins as one of them says."""
    if patterns is None:
        return False
    return line[1:-1] in patterns.whole or any(part.startswith(b"\n") and part in line for part in patterns.parts)
