"""What the pages on editors say is so: settings, commands and methods are those of the server."""

from __future__ import annotations

import re

import pytest

from hipify_py.language_server.commands import COMMANDS, COVERAGE_NOTIFICATION
from hipify_py.language_server.features import create
from hipify_py.language_server.server import DEBOUNCE
from hipify_py.language_server.settings import EditorSettings, Settings, editor_settings

from .pages import DOCS

PAGE = (DOCS / "howto" / "editors.md").read_text(encoding="utf-8")
REFERENCE = (DOCS / "reference" / "language-server.md").read_text(encoding="utf-8")


def _rows(heading: str) -> list[list[str]]:
    section = re.split(r"^## ", REFERENCE.partition(f"## {heading}\n")[2], flags=re.M)[0]
    rows = [
        re.split(r" *\| *", line.strip().strip("|").strip()) for line in section.splitlines() if line.startswith("|")
    ]
    return rows[2:]


def _no_settings(path: str, options: object) -> Settings:
    raise AssertionError("no settings are read")


def test_the_settings_are_all_there() -> None:
    assert [name.strip("`") for name, *_ in _rows("Settings")] == [*EditorSettings._fields]


def test_the_commands_are_all_there() -> None:
    assert [name.strip("`") for name, *_ in _rows("Commands")] == [*COMMANDS]
    assert COVERAGE_NOTIFICATION in REFERENCE


def test_the_methods_are_the_servers() -> None:
    known = create(_no_settings).protocol.fm
    methods = {name.strip("`") for name, *_ in _rows("What it answers")} - {"textDocument/publishDiagnostics"}
    asked = {name for name in known.features if name.startswith("textDocument/") and "/did" not in name}
    assert methods == asked | {"workspace/executeCommand", "workspace/textDocumentContent"}
    assert f"{DEBOUNCE} s after the last edit" in REFERENCE


@pytest.mark.parametrize("setting", re.findall(r"\{ (severity) = \"note\" \}", PAGE))
def test_the_examples_set_what_there_is(setting: str) -> None:
    assert editor_settings({setting: "note"}) == (EditorSettings(severity="note"), [])


def test_the_examples_start_the_server() -> None:
    commands = re.findall(
        r'\{ "hipify-py", "lsp" \}|\("hipify-py" "lsp"\)|command = "hipify-py"\nargs = \["lsp"\]', PAGE
    )
    assert len(commands) == 3
    assert set(re.findall(r"hipify-py\.\w+(?=[\"\n ])", PAGE)) <= {*COMMANDS, "hipify-py.toml"}
