"""The GitLab CI component: its form, and its script run by the shells that runners have."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from .conftest import HOSTILE, REPOSITORY, UNSUPPORTED, Shell, check_schema, documents

FILE = REPOSITORY / "integrations" / "gitlab" / "hipify-py.yml"
HEADER, JOBS = documents(FILE)
JOB = JOBS["hipify-py"]
INPUTS = HEADER["spec"]["inputs"]

SHELLS = [("bash", "-eo", "pipefail"), ("sh", "-e")]

Component = Callable[..., "subprocess.CompletedProcess[str]"]


def filled_in(text: str, inputs: dict[str, str]) -> str:
    values = {name: value.get("default") for name, value in INPUTS.items()} | inputs

    def value(found: re.Match[str]) -> str:
        given = values[found[1]]
        assert given is not None, f"{found[1]} has no default"
        return given

    return re.sub(r"\$\[\[ inputs\.([\w-]+) \]\]", value, text)


@pytest.fixture
def component(shell: Shell) -> Component:
    """`component({"paths": "src"})` runs the script with these inputs."""

    def run(inputs: dict[str, str], command: tuple[str, ...] = SHELLS[0]) -> subprocess.CompletedProcess[str]:
        assert all(variable["expand"] is False for variable in JOB["variables"].values())
        variables = {
            name: filled_in(variable["value"], {"package": "none", **inputs})
            for name, variable in JOB["variables"].items()
        }
        (script,) = JOB["script"]
        return shell(script, variables, *command)

    return run


def test_both_parts_fit_the_schema(tmp_path: Path) -> None:
    (tmp_path / "header.yml").write_text(yaml.safe_dump(HEADER))
    (tmp_path / "jobs.yml").write_text(yaml.safe_dump(JOBS))
    check_schema("gitlab-ci", tmp_path / "header.yml", tmp_path / "jobs.yml")


def test_nothing_is_put_into_the_text_of_a_shell() -> None:
    assert not any("$[[" in text for text in JOB["before_script"] + JOB["script"])


def test_all_inputs_are_used() -> None:
    used = set(re.findall(r"\$\[\[ inputs\.([\w-]+) \]\]", FILE.read_text()))
    assert used == set(INPUTS)


@pytest.mark.parametrize("command", SHELLS, ids=lambda command: command[0])
def test_reports_are_written_where_gitlab_takes_them(
    component: Component, project: Path, command: tuple[str, ...]
) -> None:
    done = component({"paths": "src"}, command)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("src/bad.cu:1:12: error HIP101 ")
    reports = JOB["artifacts"]["reports"]
    (issue,) = json.loads((project / reports["codequality"]).read_bytes())
    assert issue["location"]["path"] == "src/bad.cu"
    assert "HIP101" in (project / reports["junit"]).read_text()
    assert "50.0 %" in (project / JOB["artifacts"]["paths"][0]).read_text()


@pytest.mark.parametrize("command", SHELLS, ids=lambda command: command[0])
def test_lists_are_given_line_by_line(component: Component, project: Path, command: tuple[str, ...]) -> None:
    (project / "a folder").mkdir()
    (project / "a folder" / "one.cu").write_bytes(UNSUPPORTED)
    inputs = {"paths": "src/good.cu\na folder\n", "fail-on": "never", "arguments": "--rocm=6.4\n--color=always"}
    done = component(inputs, command)
    assert done.returncode == 0, done.stderr
    assert "a folder/one.cu" in done.stdout
    done = component({**inputs, "fail-under": "40\nruntime=95"}, command)
    assert done.returncode == 1
    assert "gate failed: coverage of runtime is 50.0 %" in done.stderr
    assert component({**inputs, "fail-under": "50"}, command).returncode == 0


def test_only_what_a_baseline_does_not_know_fails(component: Component, shell: Shell, project: Path) -> None:
    create = "hipify-py baseline create src --baseline known.jsonl --in-ci"
    assert shell(create, {}, "sh").returncode == 0
    inputs = {"paths": "src", "baseline": "known.jsonl"}
    assert component(inputs).returncode == 0
    (project / "src" / "new.cu").write_bytes(UNSUPPORTED.replace(b"g()", b"h()"))
    assert component(inputs).returncode == 1


@pytest.mark.parametrize("command", SHELLS, ids=lambda command: command[0])
@pytest.mark.parametrize("name", ["paths", "fail-on", "baseline", "fail-under", "arguments"])
def test_no_input_runs_a_command(component: Component, project: Path, name: str, command: tuple[str, ...]) -> None:
    done = component({"paths": "src", name: HOSTILE}, command)
    assert done.returncode == (3 if name in ("paths", "arguments") else 2), done.stdout + done.stderr
    assert "touch pwned" in done.stderr
    assert not list(project.rglob("pwned"))


def test_patterns_are_no_patterns(component: Component, project: Path) -> None:
    (project / "src" / "*.cu").write_bytes(UNSUPPORTED.replace(b"g()", b"h()"))
    done = component({"paths": "src/*.cu"})
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == ["src/*.cu"]
