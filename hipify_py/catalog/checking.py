"""Validates one table, or the register, against its schema, and reports each problem: file, line, what."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from hipify_py.catalog.loading import LOADER
from hipify_py.catalog.places import mappings_dir
from hipify_py.core.rows import TableError
from hipify_py.core.terminal_escape import visible

_MOST_SHOWN = 10
_DEEPEST = 20


def check(path: Path, text: str) -> None:
    """Check the text of a table.

    Raises:
        TableError: with the file and the line of each problem.
    """
    found = list(problems(text))
    if found:
        shown = [visible(f"{path}:{line}: {what}") for line, what in found[:_MOST_SHOWN]]
        more = [f"… and {len(found) - _MOST_SHOWN} more"] if len(found) > _MOST_SHOWN else []
        raise TableError("\n".join(shown + more))


def problems(text: str, schema: Path | None = None) -> Iterator[tuple[int, str]]:
    """The line (from 1) and a description of each problem of a text, from the top down.

    `schema` is the one of tables unless another is given.
    """
    try:
        depth = 0
        for event in yaml.parse(text, Loader=LOADER):
            mark = event.start_mark
            line = 1 if mark is None else mark.line + 1
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if isinstance(event, yaml.AliasEvent):
                yield line, "a table cannot have aliases (*name)"
                return
            if depth > _DEEPEST:
                yield line, f"nested deeper than {_DEEPEST} levels"
                return
        root = yaml.compose(text, Loader=LOADER)
        document = yaml.load(text, Loader=LOADER)  # it is a safe loader  # nosec B506
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        yield (1 if mark is None else mark.line + 1), f"invalid YAML: {error.problem or error.context}"
        return
    except (yaml.YAMLError, RecursionError, ValueError, TypeError) as error:
        yield 1, f"invalid YAML: {str(error) or type(error).__name__}"
        return
    if root is None or not isinstance(document, dict):
        yield 1, "a table is a mapping with `library` and `title`"
        return
    found = [*_keys(root)]
    if not found:
        found = list(_breaches(root, document, schema or Path(mappings_dir(), "schema.json")))
    yield from sorted(set(found))


def _breaches(root: yaml.Node, document: Any, schema: Path) -> Iterator[tuple[int, str]]:
    """The schema violations."""
    import jsonschema

    for error in jsonschema.Draft202012Validator(json.loads(schema.read_text(encoding="utf-8"))).iter_errors(document):
        deepest = jsonschema.exceptions.best_match([error])
        place = " of ".join(str(key) for key in reversed(list(deepest.absolute_path)[-2:]))
        yield _line(root, list(deepest.absolute_path)), f"{place}: {deepest.message}" if place else deepest.message


def _line(node: yaml.Node, path: list[str | int]) -> int:
    """The line of the node that a path of keys and indices leads to, or of the last one that exists."""
    line = node.start_mark.line + 1
    for key in path:
        if isinstance(node, yaml.MappingNode):
            pair = next((pair for pair in node.value if pair[0].value == str(key)), None)
            if pair is None:
                break
            line, node = pair[0].start_mark.line + 1, pair[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            node = node.value[key]
            line = node.start_mark.line + 1
    return line


def _keys(root: yaml.Node) -> Iterator[tuple[int, str]]:
    """Keys that are not strings, and duplicate keys of a mapping: YAML would silently take the last."""
    nodes = [root]
    while nodes:
        node = nodes.pop()
        if isinstance(node, yaml.SequenceNode):
            nodes.extend(node.value)
        elif isinstance(node, yaml.MappingNode):
            visited: set[str] = set()
            for key, value in node.value:
                if key.tag != "tag:yaml.org,2002:str":
                    hint = f": write '{key.value}'" if isinstance(key, yaml.ScalarNode) else ""
                    yield key.start_mark.line + 1, f"YAML does not read this key as text{hint}"
                if str(key.value) in visited:
                    yield key.start_mark.line + 1, f"{key.value} appears twice"
                visited.add(str(key.value))
                nodes.append(value)
