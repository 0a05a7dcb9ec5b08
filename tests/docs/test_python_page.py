"""The page of the Python interface names what is public, and its docstrings name every field."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hipify_py
from hipify_py.project.api import ConversionReport
from hipify_py.project.result import FileResult

from .pages import DOCS

PAGE = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")

RECORDS = [
    *(value for value in map(hipify_py.__getattr__, hipify_py.__all__) if hasattr(value, "_fields")),
    ConversionReport,
    FileResult,
]


def test_each_public_name_has_its_entry() -> None:
    entries = set(re.findall(r"^::: hipify_py\.(\w+)$", PAGE, re.M))
    assert entries == set(hipify_py.__all__)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_each_field_is_described(record: type) -> None:
    described = re.findall(r"^ {8}(\w+): ", record.__doc__ or "", re.M)
    assert sorted(described) == sorted(record._fields)  # type: ignore[attr-defined]


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text("void f(void *p) { cudaFree(p); }\n")
    example = re.search(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    assert example is not None
    exec(compile(example[1], "python.md", "exec"), {"__name__": "page"})
    assert capsys.readouterr().out.splitlines()[-1] == "100.0% 0 files failed"
    assert "hipFree" in (tmp_path / "src-hip" / "a.cu").read_text()
