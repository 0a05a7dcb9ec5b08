"""`hipify-py config`."""

from __future__ import annotations

import json
from pathlib import Path

from hipify_py.project.config_keys import KEYS
from tools.tables.settings import SCHEMA

from .conftest import Run


def test_all_keys_are_listed(quickly: Run) -> None:
    run = quickly("config")
    assert run.returncode == 0
    listed = [line.split()[0] for line in run.stdout.decode().splitlines() if line.startswith("  ")]
    assert listed == [*KEYS]


def test_a_key_is_told(quickly: Run) -> None:
    said = quickly("config", "launch", "rocm", "launch").stdout.decode()
    assert said.count("Write launches as") == 1
    assert '  default: "ggl"\n  example: launch = "chevron"\n' in said
    assert "\n\nrocm\n" in said


def test_json_has_the_same(quickly: Run) -> None:
    keys = json.loads(quickly("config", "--format", "json").stdout)["keys"]
    assert [key["key"] for key in keys] == [*KEYS]
    (target,) = json.loads(quickly("config", "target", "--format", "json").stdout)["keys"]
    assert (target["choices"], target["default"], target["example"]) == (["hip", "roc"], "hip", "roc")


def test_the_schema_is_printed(quickly: Run) -> None:
    assert quickly("config", "--schema").stdout == SCHEMA.read_bytes()


def test_it_helps_where_the_configuration_is_wrong(quickly: Run, tmp_path: Path) -> None:
    (tmp_path / "hipify-py.toml").write_text("rokm = 3\n")
    assert quickly("config", "rocm").returncode == 0


def test_wrong_usage(quickly: Run) -> None:
    run = quickly("config", "rokm")
    assert (run.returncode, b"'rokm' is not a key (did you mean rocm?); the keys are extend, cuda" in run.stderr) == (
        2,
        True,
    )
    assert quickly("config", "--schema", "rocm").returncode == 2
