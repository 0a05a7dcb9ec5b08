"""Generates the index of the rules: the class that each module has, the triggers that it declares, and its findings.

Rules run in the order of the index. A new rule is found by its module and comes after the others of its family.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

from hipify_py.rules.base import Rule
from hipify_py.rules.trigger_index import INDEX
from hipify_py.rules.triggers import Group, Triggers

TARGET = Path(__file__).parents[2] / "hipify_py" / "rules" / "trigger_index.py"
"""The generated module."""
_WIDTH = 110


def module() -> str:
    """The text of the generated module."""
    entries = []
    for name in order(INDEX, _modules()):
        rule = _rule_of(name)
        triggers = textwrap.wrap(_spelled(rule.triggers), _WIDTH, break_long_words=False, break_on_hyphens=False)
        lines = "\n".join(f"        {line}" for line in triggers)
        shown = sorted({id for example in rule.INVALID for id in example.findings})
        findings = f"        ({', '.join(map(json.dumps, shown))},),\n" if shown else ""
        entries.append(
            f'    "{name}": Indexed(\n        "{rule.__name__}",\n{lines},\n        "{rule.id}",\n{findings}    ),\n'
        )
    return (
        '"""The class, the triggers and the findings of each rule. Generated: python tools/update_triggers.py"""\n\n'
        "from hipify_py.rules.triggers import ALWAYS, Fact, Indexed, facts, headers, texts, uses, words\n\n"
        "# fmt: off\n"
        f"INDEX: dict[str, Indexed] = {{\n{''.join(entries)}}}\n"
    )


def order(known: Iterable[str], modules: Iterable[str]) -> list[str]:
    """The modules in the order in which they run: the known one, with new modules at the end of their families."""
    present = set(modules)
    found = [name for name in known if name in present]
    for name in sorted(present - set(found)):
        family = name.partition(".")[0]
        same = [place for place, other in enumerate(found) if other.partition(".")[0] == family]
        found.insert(same[-1] + 1 if same else len(found), name)
    return found


def _modules() -> Iterator[str]:
    """The modules below `hipify_py.rules` that have a rule."""
    for path in TARGET.parent.glob("*/*.py"):
        name = f"{path.parent.name}.{path.stem}"
        if path.stem != "__init__" and _rules_of(name):
            yield name


def _rule_of(module: str) -> type[Rule]:
    """The rule that a module has.

    Raises:
        ValueError: when it has several.
    """
    rule, *others = _rules_of(module)
    if others:
        raise ValueError(f"{module} has more than one rule: {rule.__name__}, {others[0].__name__}")
    return rule


def _rules_of(module: str) -> list[type[Rule]]:
    found = import_module(f"hipify_py.rules.{module}")
    return [
        value
        for value in vars(found).values()
        if isinstance(value, type) and issubclass(value, Rule) and value.__module__ == found.__name__
    ]


def _spelled(triggers: Triggers) -> str:
    """Triggers as a rule would declare them, with brackets, so that lines can break anywhere."""
    if not triggers.groups:
        return "ALWAYS"
    return " & ".join(f"({' | '.join(_parts(group))})" for group in triggers.groups)


def _parts(group: Group) -> Iterator[str]:
    for name, patterns in (("words", group.words), ("uses", group.uses), ("headers", group.headers)):
        if patterns is not None:
            yield _call(name, sorted([*map(_text, patterns.whole), *map(_wild, patterns.parts)]))
    if group.texts:
        yield _call("texts", map(_text, group.texts))
    if group.facts:
        yield f"facts({', '.join(f'Fact.{fact.name}' for fact in group.facts)})"


def _call(name: str, texts: Iterable[str]) -> str:
    return f"{name}({', '.join(texts)})"


def _text(text: bytes) -> str:
    return json.dumps(text.decode())


def _wild(part: bytes) -> str:
    """A part of a line of names as its pattern."""
    text = part.decode()
    return json.dumps(("" if text.startswith("\n") else "*") + text.strip("\n") + ("" if text.endswith("\n") else "*"))
