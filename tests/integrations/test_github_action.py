"""`action.yml`: its form, and its steps run by bash as GitHub runs them."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import HOSTILE, PORTABLE, REPOSITORY, UNSUPPORTED, Shell, check_schema, documents

FILE = REPOSITORY / "action.yml"
ACTION = documents(FILE)[0]
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}

BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail")

Action = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def action(shell: Shell, temporary: Path) -> Action:
    """`action({"paths": "src"})` runs the step that checks, with these inputs."""

    def run(inputs: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        values = {name: value["default"] for name, value in ACTION["inputs"].items()}
        assert set(inputs or {}) <= set(values)
        values.update(inputs or {})
        step = STEPS["Check"]
        environment = {
            name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: values[found[1]], text)
            for name, text in step["env"].items()
        }
        assert not any("${{" in text for text in step["env"].values() if "inputs." not in text)
        for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
            (temporary / name).write_text("")
            environment[name] = str(temporary / name)
        environment["RUNNER_TEMP"] = str(temporary)
        return shell(step["run"], environment, *BASH)

    return run


def outputs(temporary: Path) -> dict[str, str]:
    lines = (temporary / "GITHUB_OUTPUT").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


def summary(temporary: Path) -> str:
    return (temporary / "GITHUB_STEP_SUMMARY").read_text()


def test_it_fits_the_schema() -> None:
    check_schema("github-actions", FILE)


def test_nothing_is_put_into_the_text_of_a_shell() -> None:
    texts = [step["run"] for step in STEPS.values() if "run" in step]
    assert len(texts) == 2
    assert not any("${{" in text for text in texts)


def test_all_inputs_are_used() -> None:
    text = FILE.read_text()
    used = set(re.findall(r"inputs\.([\w-]+)", text))
    assert used == set(ACTION["inputs"])


def test_findings_become_annotations_sarif_and_a_summary(action: Action, project: Path, temporary: Path) -> None:
    done = action({"paths": "src"})
    assert done.returncode == 1, done.stderr
    assert "::error file=src/bad.cu,line=1," in done.stdout
    (run,) = json.loads((project / "hipify.sarif").read_bytes())["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["HIP101"]
    assert summary(temporary).startswith("<!-- hipify-py -->\n## hipify-py: 50.0 % of 2 CUDA references")
    assert outputs(temporary) == {"sarif-file": "hipify.sarif", "status": "1"}


def test_paths_and_files_are_given_line_by_line(action: Action, project: Path, temporary: Path) -> None:
    (project / "a folder").mkdir()
    (project / "a folder" / "one.cu").write_bytes(UNSUPPORTED)
    done = action(
        {
            "paths": "  src/good.cu\n\n  a folder\n",
            "fail-on": "never",
            "format": "concise",
            "output-files": "junit=out.xml\nhtml=a page.html",
            "summary": "false",
            "sarif-file": "other.sarif",
            "arguments": "--rocm=6.4\n--ignore=HIP9\n",
        }
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("a folder/one.cu:1:12: error HIP101 ")
    assert "ROCm 6.4" in (project / "a page.html").read_text()
    assert (project / "out.xml").exists()
    assert summary(temporary) == ""
    assert outputs(temporary) == {"sarif-file": "other.sarif", "status": "0"}


def test_a_coverage_gate_fails_and_says_so_once(action: Action, temporary: Path) -> None:
    done = action({"paths": "src", "fail-on": "never", "fail-under": "40\nruntime=95", "max-effort": "medium=0"})
    assert done.returncode == 1, done.stderr
    assert done.stdout.count("::error file=") == 1
    assert done.stdout.count("::error title=hipify-py::a gate is not met") == 1
    assert "gate failed: coverage of runtime is 50.0 %" in done.stderr
    assert "gate failed: coverage is" not in done.stderr
    assert summary(temporary).count("- **not met**: ") == 2
    assert outputs(temporary)["status"] == "1"


def test_a_gate_that_is_met_is_silent(action: Action, temporary: Path) -> None:
    done = action({"paths": "src", "fail-on": "never", "fail-under": "50"})
    assert done.returncode == 0, done.stderr
    assert "gate" not in done.stdout + summary(temporary)


def test_only_what_a_baseline_does_not_know_fails(action: Action, shell: Shell, project: Path) -> None:
    create = "hipify-py baseline create src --baseline known.jsonl --in-ci"
    assert shell(create, {}, *BASH).returncode == 0
    inputs = {"paths": "src", "baseline": "known.jsonl"}
    assert action(inputs).returncode == 0
    (project / "src" / "new.cu").write_bytes(UNSUPPORTED.replace(b"g()", b"h()"))
    done = action(inputs)
    assert done.returncode == 1
    assert "file=src/new.cu" in done.stdout


def test_wrong_options_are_told_and_nothing_is_uploaded(action: Action, temporary: Path) -> None:
    done = action({"paths": "src", "fail-under": "95", "baseline": "missing.jsonl"})
    assert done.returncode == 2
    assert "missing.jsonl" in done.stderr
    assert outputs(temporary) == {"status": "2"}


@pytest.mark.parametrize(
    "name", ["paths", "fail-on", "baseline", "since", "fail-under", "max-effort", "format", "output-files", "arguments"]
)
def test_no_input_runs_a_command(action: Action, project: Path, temporary: Path, name: str) -> None:
    done = action({"paths": "src", name: HOSTILE})
    assert done.returncode == (3 if name in ("paths", "arguments") else 2), (
        "there is no such file, severity, revision …"
    )
    assert "touch pwned" in done.stderr
    assert not list(project.rglob("pwned")) + list(temporary.rglob("pwned"))


def test_hostile_paths_are_paths(action: Action, project: Path) -> None:
    folder = project / HOSTILE
    folder.mkdir()
    (folder / "-x.cu").write_bytes(PORTABLE)
    (project / "--help").write_bytes(UNSUPPORTED)
    done = action({"paths": f"{HOSTILE}\n--help\n", "sarif-file": "$(touch pwned).sarif"})
    assert done.returncode == 1, done.stderr
    assert "::error file=--help,line=1," in done.stdout
    assert (project / "$(touch pwned).sarif").exists()
    assert not (project / "pwned").exists()


@pytest.mark.slow
def test_it_installs_from_its_own_checkout(shell: Shell, project: Path, temporary: Path) -> None:
    (project / "venv.py").write_text("open('pwned', 'w')\n")
    (project / "pip.py").write_text("open('pwned', 'w')\n")
    path = temporary / "path"
    environment = {
        "HIPIFY_PYTHON": ACTION["inputs"]["python"]["default"],
        "RUNNER_TEMP": str(temporary),
        "GITHUB_ACTION_PATH": str(REPOSITORY),
        "GITHUB_PATH": str(path),
        "PYTHONPATH": "",
    }
    done = shell(STEPS["Install hipify-py"]["run"], environment, *BASH)
    assert done.returncode == 0, done.stderr
    assert not (project / "pwned").exists()
    tool = Path(path.read_text().strip()) / "hipify-py"
    done = subprocess.run([tool, "check", "src"], cwd=project, env={}, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "HIP101" in done.stdout
