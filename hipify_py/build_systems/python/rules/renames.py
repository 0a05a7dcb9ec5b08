"""The names of renamed files: sources, globs, package data, and bare endings."""

from __future__ import annotations

from hipify_py.build_systems.expressions import CALL, KEYWORD, LIST, STATEMENT, STRING, TUPLE, Node
from hipify_py.build_systems.option_lists import Element, write_several
from hipify_py.build_systems.python.script import Script
from hipify_py.build_systems.renames import folder_of, masked, new_ending, new_folder, new_spellings, renamed_endings
from hipify_py.core.renamed_paths import ANY

_DEEP = "**"
_JOINING = frozenset({"join", "join_paths", "joinpath", "Path"})
"""Functions that take the parts of a path."""
_OF_FOLDERS = _JOINING | {"subdir", "include_directories"}
"""Functions that take folders, or parts of paths."""


def apply(file: Script) -> None:
    """Write the new names."""
    endings = renamed_endings(file.project)
    if not endings:
        return
    for node in file.nodes:
        if node.kind == STRING and node.parent is not None and node.parent.kind != STATEMENT and _is_word(node.text):
            _name(file, node)


def _is_folder(node: Node) -> bool:
    """Whether a string is a folder where it stands, even if it has but one part: of a path that is joined, or in a list
    of folders.
    """
    around = node.parent
    while around is not None and around.kind in (LIST, TUPLE):
        around = around.parent
    if around is None:
        return False
    if around.kind == KEYWORD:
        return around.text.endswith(("_dirs", "_directories"))
    return around.kind == CALL and around.called in _OF_FOLDERS


def _joined_before(node: Node) -> str:
    """What a call joins before a part of a path, masked; empty for a string that is no such part."""
    call = node.parent
    if call is None or call.kind != CALL or call.called not in _JOINING:
        return ""
    before = call.children[1 : call.children.index(node)]
    return "".join((part.text if part.kind == STRING else ANY) + "/" for part in before)


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
    if found is None and ("/" in text or _is_folder(node)):
        before = _joined_before(node)
        new = new_folder(file.project, folder_of(file.source.path), before + text, before + mask)
        found = None if new is None else ("/".join(new.split("/")[-text.count("/") - 1 :]),)
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
