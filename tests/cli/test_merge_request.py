"""One merge request from beginning to end: a baseline, a gate, what reviewers are shown, and the trend."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run
from .test_baseline import call, write
from .test_since import commit, git

BASELINE, HISTORY = "hipify-baseline.jsonl", "history.jsonl"


@pytest.fixture
def project(tmp_path: Path, hipify: Run) -> Path:
    """A legacy project whose `main` has a baseline and a first record of its history."""
    files = {
        "src/solver.cu": call("first") + call("second", 1) + "void g(void *p) { cudaFree(p); }\n",
        "src/lib/util.cuh": "#pragma once\n" + call("third", 2),
        "hipify-py.toml": f'baseline = "{BASELINE}"\n[fail-under]\nruntime = 25\n',
    }
    write(tmp_path, files)
    git(tmp_path, "init", "-q", "-b", "main")
    assert hipify("baseline", "create", "src", "--in-ci").returncode == 0
    commit(tmp_path, {".gitignore": "out/\n"}, "legacy")
    assert hipify("report", "src", "--history", HISTORY).returncode == 0
    commit(tmp_path, {}, "history")
    return tmp_path


def test_the_gate_fails_on_exactly_what_is_new(project: Path, hipify: Run) -> None:
    git(project, "checkout", "-qb", "feature")
    solver = (project / "src/solver.cu").read_text()
    added = "void h() { cudaGraphConditionalHandleCreate(7, 0, 0, 0); }\n"
    mended = solver.replace(call("second", 1), "void second(void *p) { cudaFree(p); }\n")
    commit(project, {"src/solver.cu": "// moved\n" + mended + added}, "feature")

    outputs = [
        "--output-file",
        "sarif=out/a.sarif",
        "--output-file",
        "json=out/a.json",
        "--output-file",
        "markdown=out/a.md",
    ]
    run = hipify("check", "src", *outputs)
    assert run.returncode == 1
    assert run.stdout.decode().splitlines()[0].startswith("src/solver.cu:5:12: error HIP101 cudaGraphConditional")
    assert run.stdout.count(b"\n") == 1
    assert b"1 error, 2 known" in run.stderr
    assert b"1 finding of the baseline gone" in run.stderr

    results: list[dict[str, Any]] = json.loads((project / "out/a.sarif").read_text())["runs"][0]["results"]
    states = [
        (result["baselineState"], result["locations"][0]["physicalLocation"]["region"]["startLine"])
        for result in results
    ]
    assert sorted(states) == [("new", 5), ("unchanged", 2), ("unchanged", 2)]
    assert json.loads((project / "out/a.json").read_text())["baseline"]["gone"][0]["path"] == "src/solver.cu"
    assert "Against the baseline: 2 known, 1 gone." in (project / "out/a.md").read_text()

    # By lines, it is the same one.
    run = hipify("check", "src", "--since", "main", "--no-cache")
    assert run.stdout.decode().startswith("src/solver.cu:5:12: ")
    assert run.stdout.count(b"\n") == 1

    # The comment for reviewers, and the trend.
    run = hipify("report", "src", "--compare", "main", "--history", HISTORY, "--format", "markdown")
    assert run.returncode == 0
    text = run.stdout.decode()
    assert "\nThe last 2 runs: 25.0 % → 40.0 % ▁█\n" in text
    assert "\nAgainst `main`: **+15.0** points of coverage; 1 new finding, 1 gone.\n" in text
    assert "\n| `src/solver.cu` | 2 | 2 | 33.3 % | 50.0 % | +16.7 |\n" in text
    assert "- met: `coverage of runtime is 40.0 %, at least the required 25 %`" in text

    # Without the new call the gate opens; the baseline shrinks by the one line that is mended.
    commit(project, {"src/solver.cu": mended}, "without")
    assert hipify("check", "src").returncode == 0
    assert hipify("baseline", "prune", "src", env={"CI": "true"}).returncode == 0
    assert git(project, "diff", "--numstat", BASELINE).split() == ["0", "1", BASELINE]
    assert hipify("check", "src", "--fail-on", "note").returncode == 0
