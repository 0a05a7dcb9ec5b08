"""What the tests of the drop-in for PyTorch's translator share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hipify_py.catalog.pytorch import VARIABLE
from hipify_py.torch.result import HIPIFY_FINAL_RESULT

Write = Callable[..., Path]


@pytest.fixture(autouse=True)
def only_this_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The names of PyTorch 2.11, whatever is installed, and no results of other tests."""
    monkeypatch.setenv(VARIABLE, "v2")
    HIPIFY_FINAL_RESULT.clear()
    yield
    HIPIFY_FINAL_RESULT.clear()


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write files, given by path and content, into a folder `project`; returns the folder."""

    def written(files: dict[str, str | bytes]) -> Path:
        for name, content in files.items():
            path = tmp_path / "project" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path / "project"

    return written
