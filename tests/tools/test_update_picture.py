"""The README's picture says what the program prints today, and does not say anything else unnoticed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import update_picture as tool


@pytest.fixture(scope="module")
def drawn() -> str:
    return tool.picture()


def test_it_shows_a_finding_and_the_translated_code(drawn: str) -> None:
    said = tool.said(drawn)
    assert "errorHIP101:cublasSetSmCountTarget" in said
    assert "+hipLaunchKernelGGL(warp_sums,dim3(n/256),dim3(256),0,0,in,sums);" in said


def test_it_fetches_nothing(drawn: str) -> None:
    assert "url(http" not in drawn
    assert "@import" not in drawn
    assert "href" not in drawn


@pytest.mark.parametrize(("old", "new", "status"), [("", "", 0), ("HIP101", "HIP102", 1)])
def test_a_stale_picture_is_told(
    drawn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, status: int
) -> None:
    monkeypatch.setattr(tool, "PICTURE", tmp_path / "picture.svg")
    monkeypatch.setattr(tool, "picture", lambda: drawn)
    monkeypatch.setattr(sys, "argv", ["update_picture.py", "--check"])
    assert old in drawn
    tool.PICTURE.write_text(drawn.replace(old, new) if old else drawn)
    assert tool.main() == status


def test_how_it_is_drawn_does_not_make_it_stale(drawn: str) -> None:
    redrawn = drawn.replace("font-size: 20px", "font-size: 21px")
    assert redrawn != drawn
    assert tool.said(redrawn) == tool.said(drawn)
