"""The extension for VS Code says nothing that the server does not know, and its own tests pass."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from typing import Any

import pytest

from hipify_py.core.findings import SEVERITIES
from hipify_py.language_server.commands import COMMANDS, COVERAGE_NOTIFICATION
from hipify_py.language_server.documents import Document
from hipify_py.language_server.features import create
from hipify_py.language_server.positions import Text
from hipify_py.language_server.settings import EditorSettings, Settings

from .conftest import REPOSITORY

EXTENSION = REPOSITORY / "integrations" / "vscode"
MANIFEST: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
SOURCES = {path.name: path.read_text(encoding="utf-8") for path in sorted((EXTENSION / "src").glob("*.ts"))}
SECTION = "hipify-py."


def _no_settings(path: str, options: object) -> Settings:
    raise AssertionError("no settings are read")


def test_its_commands_and_the_servers_are_apart() -> None:
    """The client library registers the server's commands in VS Code, where a name can be taken once only."""
    registered = {*create(_no_settings).protocol.fm.commands}
    assert registered == {*COMMANDS}
    contributed = {each["command"] for each in MANIFEST["contributes"]["commands"]}
    assert contributed.isdisjoint(registered)
    used = set(re.findall(r'"(hipify-py\.\w+)"', SOURCES["protocol.ts"]))
    assert used
    assert used <= registered
    assert f'COVERAGE_NOTIFICATION = "{COVERAGE_NOTIFICATION}"' in SOURCES["protocol.ts"]


def test_what_is_contributed_exists() -> None:
    contributed = MANIFEST["contributes"]
    commands = {each["command"] for each in contributed["commands"]}
    assert set(re.findall(r'registerCommand\("([\w.-]+)"', SOURCES["controller.ts"])) == commands
    assert {each["command"] for menu in contributed["menus"].values() for each in menu} <= commands
    contexts = {each["when"].split(" ")[0] for menu in contributed["menus"].values() for each in menu}
    assert contexts == set(re.findall(r'HAS_COVERAGE = "([\w.-]+)"', SOURCES["controller.ts"]))
    assert (EXTENSION / MANIFEST["main"]).parent.name == "out"
    assert 'outfile: "out/extension.js"' in (EXTENSION / "esbuild.mjs").read_text(encoding="utf-8")


def test_its_settings_are_the_servers() -> None:
    properties = MANIFEST["contributes"]["configuration"]["properties"]
    own = {"interpreter", "trace.server"}
    assert {name.removeprefix(SECTION) for name in properties} == {*EditorSettings._fields} | own
    defaults = EditorSettings()._asdict()
    for name, value in defaults.items():
        default = properties[SECTION + name]["default"]
        assert (tuple(default) if isinstance(default, list) else default) == value
    assert properties[SECTION + "severity"]["enum"] == [*SEVERITIES]
    readme = (EXTENSION / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `([\w.-]+)` \|", readme, re.M)) == sorted(properties)


def test_it_starts_for_what_the_server_knows() -> None:
    languages = [event.partition(":")[2] for event in MANIFEST["activationEvents"] if event.startswith("onLanguage:")]
    assert languages
    for language in languages:
        assert Document("untitled:x", "/p/x", language, 1, Text(b"")).is_meant
        assert f'"{language}"' in SOURCES["extension.ts"]


def test_the_lock_names_no_host() -> None:
    lock = (EXTENSION / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    assert all(package.get("integrity") for name, package in json.loads(lock)["packages"].items() if name)


def test_its_license_is_ours() -> None:
    assert (EXTENSION / "LICENSE").read_bytes() == (REPOSITORY / "LICENSE").read_bytes()
    assert MANIFEST["license"] == "MIT"


def test_no_source_makes_a_connection() -> None:
    assert not [
        name for name, text in SOURCES.items() if re.search(r"https?:|\bfetch\(|node:(?:https?|net|dgram)", text)
    ]


def test_its_own_tests_pass() -> None:
    npm = shutil.which("npm")
    if npm is None or not (EXTENSION / "node_modules").is_dir():
        pytest.skip("npm, or what `npm ci` installs, is not there: the extension for VS Code is NOT tested")
    environment = {**os.environ, "HIPIFY_PY_TEST_PYTHON": sys.executable, "PYTHONPATH": str(REPOSITORY)}
    for script in ("check", "test"):
        done = subprocess.run([npm, "run", script], cwd=EXTENSION, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
