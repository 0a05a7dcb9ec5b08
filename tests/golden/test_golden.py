"""The corpus becomes, byte for byte, the HIP sources that stand beside this file."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

GOLDEN = Path(__file__).parent


def _tool() -> ModuleType:
    """The maintainer's tool that writes the golden files; it knows which ones there are to be."""
    spec = importlib.util.spec_from_file_location("update_golden", GOLDEN.parents[1] / "tools" / "update_golden.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


WANTED: dict[Path, bytes] = _tool().expected()


@pytest.mark.parametrize("path", sorted(WANTED), ids=lambda path: path.as_posix())
def test_the_translation_is_the_golden_file(path: Path) -> None:
    golden = GOLDEN / path
    assert golden.is_file(), "no golden file: run tools/update_golden.py and read it"
    stored = golden.read_bytes()
    if stored != WANTED[path]:
        assert WANTED[path].decode(errors="replace").splitlines(True) == stored.decode(errors="replace").splitlines(
            True
        )
    assert WANTED[path] == stored


def test_no_golden_file_is_left_over() -> None:
    assert sorted(set(_tool().stored()) - set(WANTED)) == []
