"""The names of renamed files: sources, globs, package data, and bare endings."""

from __future__ import annotations

from hipify_py.build_systems.expressions import LIST, STATEMENT, STRING, Node
from hipify_py.build_systems.option_lists import Element, write_several
from hipify_py.build_systems.python.script import Script
from hipify_py.build_systems.renames import folder_of, masked, new_ending, new_spellings, renamed_endings

_DEEP = "**"


def apply(file: Script) -> None:
    """Write the new names."""
    endings = renamed_endings(file.project)
    if not endings:
        return
    for node in file.nodes:
        if node.kind == STRING and node.parent is not None and node.parent.kind != STATEMENT and _is_word(node.text):
            _name(file, node)


def _is_word(text: str) -> bool:
    return "\\" not in text and not any(character.isspace() for character in text)


def _name(file: Script, node: Node) -> None:
    text = node.text
    if text.startswith(".") and "/" not in text:
        new = new_ending(file.project, text)
        if new is not None:
            file.replace(*node.inner, new)
            return
    mask = masked(text, _unknown(text))
    found = new_spellings(file.project, folder_of(file.source.path), text, mask, is_deep=_DEEP in text)
    if found is None:
        return
    if len(found) == 1:
        file.replace(*node.inner, found[0])
    elif found and node.parent is not None and node.parent.kind == LIST:
        write_several(file, Element(node, node), found)
    else:
        file.finding("HIP610", node.inner[0], text, "no single name or glob covers just those")


def _unknown(text: str) -> list[tuple[int, int]]:
    """The parts of a string that other values replace: `{…}` and `%s`, in characters."""
    found, at = [], 0
    while at < len(text):
        if text[at] == "{":
            end = text.find("}", at)
            if end < 0:
                break
            found.append((at, end + 1))
            at = end + 1
        elif text[at] == "%" and at + 1 < len(text):
            end = at + 1
            if text[end] == "(":
                end = max(end, text.find(")", end)) + 1
            found.append((at, min(end + 1, len(text))))
            at = end + 1
        else:
            at += 1
    return found
