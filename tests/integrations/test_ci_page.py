"""What docs/ci.md shows is valid, and names only inputs and hooks that there are."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from .conftest import REPOSITORY, check_schema, documents

PAGE = (REPOSITORY / "docs" / "ci.md").read_text()
WORKFLOW, INCLUDE, HOOKS = (yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))


def test_the_workflow_is_valid_and_its_inputs_exist(tmp_path: Path) -> None:
    workflow = {"on": "pull_request", **WORKFLOW}
    path = tmp_path / "workflow.yml"
    path.write_text(yaml.safe_dump(workflow))
    check_schema("github-workflows", path)
    _, step = WORKFLOW["jobs"]["hipify"]["steps"]
    assert set(step["with"]) <= set(documents(REPOSITORY / "action.yml")[0]["inputs"])


def test_the_include_is_valid_and_its_inputs_exist(tmp_path: Path) -> None:
    path = tmp_path / "gitlab.yml"
    path.write_text(yaml.safe_dump(INCLUDE))
    check_schema("gitlab-ci", path)
    inputs = documents(REPOSITORY / "integrations" / "gitlab" / "hipify-py.yml")[0]["spec"]["inputs"]
    given = set(INCLUDE["include"][0]["inputs"])
    assert given <= set(inputs)
    assert {name for name, value in inputs.items() if "default" not in value} <= given


def test_the_hooks_exist() -> None:
    ids = {hook["id"] for hook in documents(REPOSITORY / ".pre-commit-hooks.yaml")[0]}
    assert {hook["id"] for hook in HOOKS["repos"][0]["hooks"]} <= ids
    assert all(f"`{name}`" in PAGE for name in ids)
