"""`--show-settings`: the settings in force, and who says them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hipify_py.project.config_keys import KEYS
from hipify_py.project.toml import parse

from .conftest import Run

ALL_KEYS = """\
cuda = "12.4"
rocm = "6.4"
target = "roc"
preset = ["pytorch"]
mappings = ["t.yaml"]
experimental = true
launch = "chevron"
annotate = true
no-support = true
support-place = "beside"
fix = ["warp-size"]
no-fix = ["wavefront"]
include = ["*.cu", "with \\"quotes\\""]
exclude = ["gen/", "##vso[task]", "\\u001b[31m"]
select = ["HIP1", "hip3"]
extend-select = ["HIP2"]
ignore = ["HIP103"]
extend-ignore = ["HIP9"]
fail-on = "warning"
baseline = "known.jsonl"
fail-under = 90
max-effort = {high = 0}
[per-file-ignores]
"third party/" = ["HIP101"]
[severity]
HIP3 = "note"
HIP305 = "error"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text("void f() { cudaNotYetKnown(); }\n")
    (tmp_path / "t.yaml").write_text("library: own\ntitle: Own\nfunctions:\n  cudaNotYetKnown: hipOwn\n")
    return tmp_path


def shown(run: Any) -> dict[str, Any]:
    """The settings of the one configuration of an account in JSON."""
    assert (run.returncode, run.stderr) == (0, b"")
    (only,) = json.loads(run.stdout)["configurations"]
    settings: dict[str, Any] = only["settings"]
    return settings


def line_of(run: Any, key: str) -> str:
    (line,) = (line for line in run.stdout.decode().splitlines() if line.startswith((f"{key} = ", f"# {key}: ")))
    return str(line)


@pytest.mark.parametrize("command", ["check", "convert", "report"])
def test_all_keys_of_the_command_are_shown(quickly: Run, project: Path, command: str) -> None:
    own = {"check": {"baseline"}, "convert": {"annotate", "dual"}, "report": {"fail-under", "max-effort"}}
    others = {"baseline", "annotate", "dual", "fail-under", "max-effort"} - own[command]
    settings = shown(quickly(command, "src", "--show-settings", "--format", "json"))
    assert [*settings] == [key for key in KEYS if key != "extend" and key not in others]
    assert settings["fail-on"] == ("never" if command == "report" else "error")
    assert settings["semantics"] == "off", "as the environment of the tests says"
    others = {"fail-on", "baseline", "semantics"}
    assert all(settings[key] == KEYS[key].default for key in settings if key not in others)


@pytest.mark.parametrize("command", ["check", "convert", "report"])
def test_what_is_shown_can_be_read_back(quickly: Run, project: Path, command: str) -> None:
    (project / "hipify-py.toml").write_text(ALL_KEYS)
    first = shown(quickly(command, "src", "--show-settings", "--format", "json"))
    assert (first["rocm"], first["no-fix"], first["severity"]) == (
        "6.4",
        ["wavefront"],
        {"HIP3": "note", "HIP305": "error"},
    )
    text = quickly(command, "src", "--show-settings").stdout
    assert {key: value for key, value in first.items() if value is not None} == parse(text)
    (project / "other.toml").write_bytes(text)
    again = quickly("--config", "other.toml", command, "src", "--show-settings", "--format", "json")
    assert shown(again) == first


def test_nothing_in_it_is_a_command_of_a_log_or_a_terminal(quickly: Run, project: Path) -> None:
    (project / "hipify-py.toml").write_text(ALL_KEYS)
    text = quickly("check", "src", "--show-settings").stdout
    assert b"##vso" not in text
    assert b"\x1b" not in text


def test_each_says_where_it_comes_from(quickly: Run, project: Path) -> None:
    (project / "base.toml").write_text(
        'rocm = "6.2"\ncuda = "11.8"\nextend-select = ["HIP1"]\nseverity = {HIP3 = "note"}\n'
    )
    (project / "src" / "hipify-py.toml").write_text(
        'extend = "../base.toml"\ncuda = "12.4"\nextend-select = ["HIP2"]\nseverity = {HIP301 = "error"}\n'
    )
    run = quickly("check", "src", "--launch", "chevron", "--extend-select", "HIP3,HIP7", "--show-settings")
    assert line_of(run, "rocm") == 'rocm = "6.2"  # base.toml: rocm, extended by src/hipify-py.toml'
    assert line_of(run, "cuda") == 'cuda = "12.4"  # src/hipify-py.toml: cuda'
    assert line_of(run, "launch") == 'launch = "chevron"  # command line'
    assert line_of(run, "target") == 'target = "hip"  # default'
    assert line_of(run, "baseline") == "# baseline: all findings count"
    assert line_of(run, "HIP3") == 'HIP3 = "note"  # base.toml: severity, extended by src/hipify-py.toml'
    assert line_of(run, "HIP301") == 'HIP301 = "error"  # src/hipify-py.toml: severity'
    listed = run.stdout.decode().split("extend-select = [\n")[1].split("]\n")[0].splitlines()
    assert listed == [
        '    "HIP1",  # base.toml: extend-select, extended by src/hipify-py.toml',
        '    "HIP2",  # src/hipify-py.toml: extend-select',
        '    "HIP3",  # command line',
        '    "HIP7",  # command line',
    ]


def test_json_says_so_too(quickly: Run, project: Path) -> None:
    (project / "base.toml").write_text('rocm = "6.2"\n')
    (project / "hipify-py.toml").write_text('extend = "base.toml"\nignore = ["HIP1"]\n')
    run = quickly("check", "src", "--ignore", "HIP2", "--show-settings", "--format", "json")
    (only,) = json.loads(run.stdout)["configurations"]
    base, own = str(project / "base.toml"), str(project / "hipify-py.toml")
    assert (only["path"], only["paths"], only["files"]) == (own, ["src"], [base, own])
    assert only["sources"]["rocm"] == [
        {"source": "configuration", "file": base, "extended_by": own, "entry": None, "value": "6.2"}
    ]
    assert [(origin["value"], origin["source"]) for origin in only["sources"]["ignore"]] == [
        ("HIP1", "configuration"),
        ("HIP2", "command line"),
    ]
    assert {origin["source"] for origin in only["sources"]["target"]} == {"default"}


@pytest.mark.parametrize(
    ("key", "configured", "given", "value"),
    [
        ("select", '["HIP1"]', ("--select", "HIP2"), ["HIP2"]),
        ("ignore", '["HIP1"]', ("--ignore", "HIP2"), ["HIP1", "HIP2"]),
        ("exclude", '["a/"]', ("--exclude", "b/"), ["b/"]),
        ("preset", "[]", ("--preset", "pytorch"), ["pytorch"]),
        ("fix", '["warp-size"]', ("--no-fix", "warp-size"), ["wavefront"]),
        ("no-fix", '["wavefront"]', ("--fix", "wavefront"), []),
        ("no-fix", '["wavefront"]', ("--no-fix", "warp-size"), []),
        ("fail-on", '"never"', ("--fail-on", "note"), "note"),
        ("no-support", "false", ("--no-support",), True),
        ("rocm", '"6.2"', ("--rocm", "7.0.1"), "7.0"),
    ],
)
def test_the_command_line_wins_as_it_does_in_a_run(
    quickly: Run, project: Path, key: str, configured: str, given: tuple[str, ...], value: object
) -> None:
    (project / "hipify-py.toml").write_text(f"{key} = {configured}\n")
    assert shown(quickly("check", "src", *given, "--show-settings", "--format", "json"))[key] == value


def test_gates_are_shown_entry_by_entry(quickly: Run, project: Path) -> None:
    (project / "hipify-py.toml").write_text("fail-under = {total = 90, cublas = 80}\n")
    arguments = ("--fail-under", "cublas=85", "--max-effort", "high=0")
    settings = shown(quickly("report", "src", *arguments, "--show-settings", "--format", "json"))
    assert (settings["fail-under"], settings["max-effort"]) == ({"total": 90, "cublas": 85}, {"high": 0})


def test_several_configurations_are_shown_apart(quickly: Run, project: Path) -> None:
    for name, rocm in (("one", "6.2"), ("two", "6.4")):
        (project / name).mkdir()
        (project / name / "hipify-py.toml").write_text(f'rocm = "{rocm}"\nseverity = {{HIP3 = "note"}}\n')
    document = parse(quickly("check", "one", "src", "two", "--show-settings").stdout)["configurations"]
    assert [each.get("path") for each in document] == ["one/hipify-py.toml", None, "two/hipify-py.toml"]
    assert [each["paths"] for each in document] == [["one"], ["src"], ["two"]]
    assert [each["settings"].get("rocm") for each in document] == ["6.2", None, "6.4"]
    assert document[2]["settings"]["severity"] == {"HIP3": "note"}
    as_json = quickly("check", "one", "src", "two", "--show-settings", "--format", "json").stdout
    assert [each["paths"] for each in json.loads(as_json)["configurations"]] == [["one"], ["src"], ["two"]]


def test_nothing_is_done(quickly: Run, project: Path) -> None:
    """Nor does it take what doing needs: a place for the output, or sources that are there."""
    run = quickly("convert", "--in-place", "src", "--show-settings")
    assert (run.returncode, run.stderr) == (0, b"")
    assert "cudaNotYetKnown" in (project / "src" / "a.cu").read_text()
    assert quickly("convert", "src", "--show-settings").returncode == 0
    assert quickly("check", "-", "--stdin-filename", "src/b.cu", "--show-settings").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--show-settings", "--show-files"), "exclude each other"),
        (("--show-settings", "--format", "sarif"), "--show-settings supports the formats text and json"),
        (("--show-files", "--format", "html"), "--show-files supports the formats text and json"),
        (("--show-files", "--output-file", "json=x"), "excludes --output-file and --history"),
        (("--show-settings", "--ignore", "HIP999"), "HIP999 matches no finding"),
    ],
)
def test_wrong_usage(quickly: Run, project: Path, arguments: tuple[str, ...], message: str) -> None:
    run = quickly("check", "src", *arguments)
    assert (run.returncode, run.stdout) == (2, b"")
    assert message in run.stderr.decode()


def test_a_wrong_configuration_is_refused(quickly: Run, project: Path) -> None:
    (project / "hipify-py.toml").write_text("rocm = 6\n")
    assert quickly("check", "src", "--show-settings").returncode == 2
