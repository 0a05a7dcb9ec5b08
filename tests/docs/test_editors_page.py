"""The patterns that docs/howto/editors.md gives to editors match what `check` prints."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hipify_py.cli import main

from .pages import DOCS

PAGE = (DOCS / "howto" / "editors.md").read_text(encoding="utf-8")


def test_the_problem_matcher_takes_a_finding_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (block,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.M | re.S)
    (task,) = json.loads(block)["tasks"]
    (tmp_path / "a.cu").write_text("void f(cublasHandle_t h) {\n    cublasSetSmCountTarget(h, 1);\n}\n")
    monkeypatch.chdir(tmp_path)
    assert main.run([word.replace("${file}", "a.cu") for word in task["args"]]) == 1
    line = capfd.readouterr().out.rstrip("\n")
    pattern = task["problemMatcher"]["pattern"]
    found = re.match(pattern["regexp"], line)
    assert found is not None
    parts = {name: found[group] for name, group in pattern.items() if name not in {"regexp", "message"}}
    assert parts == {"file": "a.cu", "line": "2", "column": "5", "severity": "error", "code": "HIP101"}
    assert found[pattern["message"]].startswith("cublasSetSmCountTarget (cublas) has no HIP counterpart")
