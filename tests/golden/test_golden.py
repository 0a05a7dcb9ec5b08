"""The corpus becomes, byte for byte, the HIP sources that stand beside this file."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.corpus_translations import CorpusTranslations

GOLDEN = Path(__file__).parent


def _tool() -> ModuleType:
    """The maintainer's tool that writes the golden files; it knows which ones there are to be."""
    spec = importlib.util.spec_from_file_location("update_golden", GOLDEN.parents[1] / "tools" / "update_golden.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = _tool()


def _assert_is_stored(wanted: bytes, path: Path) -> None:
    golden = GOLDEN / path
    assert golden.is_file(), "no golden file: run tools/update_golden.py and read it"
    stored = golden.read_bytes()
    if stored != wanted:
        assert wanted.decode(errors="replace").splitlines(True) == stored.decode(errors="replace").splitlines(True)
    assert wanted == stored


@pytest.mark.parametrize("path", sorted(TOOL.golden_sources()), ids=Path.as_posix)
def test_the_translation_is_the_golden_file(path: Path, corpus: CorpusTranslations) -> None:
    _assert_is_stored(corpus.of(*TOOL.golden_sources()[path]).output, path)


def test_the_findings_are_the_golden_list(corpus: CorpusTranslations) -> None:
    _assert_is_stored(TOOL.findings(corpus.of), TOOL.FINDINGS)


def test_no_golden_file_is_left_over() -> None:
    assert sorted(set(TOOL.stored()) - {*TOOL.golden_sources(), TOOL.FINDINGS}) == []
