"""Links that open a file in an editor, at a line and a column.

The forms are those of the editors' documentation: the URL handlers of VS Code and its descendants, of JetBrains' IDEs,
TextMate (which Sublime Text's and MacVim's follow), and Zed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from string import Formatter
from urllib.parse import quote

_OF_CODE = "{}://file/{{path}}:{{line}}:{{column}}"
_OF_IDEA = "{}://open?file={{path}}&line={{line}}&column={{column}}"
_OF_TEXTMATE = "{}://open?url=file:///{{path}}&line={{line}}&column={{column}}"

EDITORS: Mapping[str, str] = {
    **{name: _OF_CODE.format(name) for name in ("vscode", "vscode-insiders", "vscodium", "cursor", "windsurf", "zed")},
    **{name: _OF_IDEA.format(name) for name in ("idea", "clion", "pycharm")},
    "sublime": _OF_TEXTMATE.format("subl"),
    "textmate": _OF_TEXTMATE.format("txmt"),
    "macvim": _OF_TEXTMATE.format("mvim"),
}
"""The templates of links by the names of editors."""

SCHEMES = frozenset({*(template.partition(":")[0] for template in EDITORS.values()), "emacs", "file", "http", "https"})
"""The schemes that a template may have. A link with another one could start any program that has registered it."""

FIELDS = ("path", "line", "column")
"""What a template stands in for: the absolute path, and the line and the column, from 1."""

_LONGEST = 500
_PRINTABLE = re.compile(r"[!-~]+")
_UNSAFE = frozenset("<>\"'`\\")
_DRIVE = re.compile(r"/?([A-Za-z]:)(?=/|$)")


def editor_template(text: str) -> str:
    """The template of an editor, by its name, or a template as given.

    Raises:
        ValueError: it is neither; the message says why.
    """
    if "://" not in text:
        if text in EDITORS:
            return EDITORS[text]
        raise ValueError(f"{text!r} is neither an editor ({', '.join(EDITORS)}) nor the template of a URL")
    if len(text) > _LONGEST or not _PRINTABLE.fullmatch(text) or _UNSAFE.intersection(text):
        raise ValueError(f"the template has up to {_LONGEST} printable ASCII characters, without spaces and quotes")
    scheme = text.partition("://")[0]
    if scheme not in SCHEMES:
        raise ValueError(f"{scheme!r} is not a scheme for links to files ({', '.join(sorted(SCHEMES))})")
    try:
        parts = [*Formatter().parse(text)]
    except ValueError as error:
        raise ValueError(f"the template is wrong: {error}") from error
    named = [name for _, name, _, _ in parts if name is not None]
    unknown = [name for name in named if name not in FIELDS]
    if unknown or any(form or conversion for _, _, form, conversion in parts):
        wrong = f"{{{unknown[0]}}} is not a field" if unknown else "fields have no format"
        raise ValueError(f"{wrong}; the fields are {', '.join(f'{{{name}}}' for name in FIELDS)}")
    if "path" not in named:
        raise ValueError("the template has no {path}")
    return text


def file_link(template: str, path: str, *, windows: bool = os.name == "nt") -> str:
    """The link to a file, in which `{line}` and `{column}` are still to be replaced.

    Args:
        template: see `editor_template`.
        path: the file, from the working folder.
        windows: the path is written as on Windows.
    """
    place = _encoded(path if windows and re.match(r"[A-Za-z]:|[\\/]{2}", path) else os.path.abspath(path), windows)
    made = []
    for text, name, _, _ in Formatter().parse(template):
        made.append(text)
        if name == "path":
            follows_folder = text.endswith("/") and not text.endswith("://")
            made.append(place.removeprefix("/") if follows_folder else place)
        elif name is not None:
            made.append(f"{{{name}}}")
    return "".join(made)


def place_link(template: str, path: str, line: int, column: int) -> str:
    """The link to a place in a file; lines and columns count from 1."""
    link = file_link(template, path)
    return link.replace("{line}", str(max(line, 1))).replace("{column}", str(max(column, 1)))


def _encoded(path: str, windows: bool) -> str:
    """A path in a URL: only letters, digits, `-._~` and slashes stay, and the colon of a drive."""
    if windows:
        path = path.replace("\\", "/")
        drive = _DRIVE.match(path)
        if drive is not None:
            return "/" + drive[1] + quote(path[drive.end() :].encode("utf-8", "surrogatepass"))
    return quote(os.fsencode(path))
