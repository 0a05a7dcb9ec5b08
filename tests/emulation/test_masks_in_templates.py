"""Masks in members, parameters and results of templates, translated and run."""

from __future__ import annotations

from pathlib import Path

import emulation
import pytest

pytestmark = pytest.mark.skipif(bool(emulation.why_not()), reason=f"NOT RUN: {emulation.why_not()}")

SOURCE = Path(__file__).with_name("masks_in_templates.cu")


@pytest.fixture(scope="module")
def translated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("masks")
    found = emulation.translate(SOURCE, folder)
    assert [finding.id for finding in found if finding.id.startswith("HIP3")] == []
    return folder


@pytest.mark.parametrize("lanes", [32, 64])
def test_the_highest_lanes_are_in_all_masks(lanes: int, translated: Path) -> None:
    outcome = emulation.execute(emulation.build(translated, [SOURCE.name], lanes))
    assert (outcome.output, outcome.status) == ("4 2 4 4 4 4 4 0 4 PASS\n", 0)
