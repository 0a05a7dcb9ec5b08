"""`hipify-py explain`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run


@pytest.mark.parametrize("spelling", ["HIP301", "hip301", "301"])
def test_an_id_is_explained_however_it_is_written(hipify: Run, spelling: str) -> None:
    result = hipify("explain", spelling)
    assert result.returncode == 0
    for part in (b"HIP301: ", b"Why:", b"What to do:", b"Source:", b"CUDA:", b"HIP:", b"hipify: ignore[HIP301]"):
        assert part in result.stdout


def test_several_ids_and_json(hipify: Run) -> None:
    document = json.loads(hipify("explain", "HIP301", "hip101", "HIP301", "--format", "json").stdout)
    assert [entry["id"] for entry in document["diagnostics"]] == ["HIP301", "HIP101"]
    assert {"why", "advice", "source", "examples", "valid"} <= document["diagnostics"][0].keys()


def test_the_list_has_every_id_once(hipify: Run) -> None:
    lines = hipify("explain", "--list").stdout.decode().split("\n")
    ids = [line.split()[0] for line in lines if line.startswith("  HIP")]
    assert "HIP301" in ids
    assert ids == sorted(set(ids))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["HIP3333"], b"did you mean HIP333"),
        (["nonsense"], b"--list"),
        ([], b"Give ids"),
        (["HIP301", "--list"], b"Give ids"),
        (["HIP301", "--check"], b"--write-docs"),
    ],
)
def test_wrong_usage_says_what_would_be_right(hipify: Run, arguments: list[str], says: bytes) -> None:
    result = hipify("explain", *arguments)
    assert result.returncode == 2
    assert says in result.stderr


def test_pages_are_written_and_stale_ones_found_and_mended(hipify: Run, tmp_path: Path) -> None:
    assert hipify("explain", "--write-docs", "pages").returncode == 0
    assert hipify("explain", "--write-docs", "pages", "--check").returncode == 0
    (tmp_path / "pages" / "HIP301.md").write_text("old")
    (tmp_path / "pages" / "HIP000.md").write_text("gone")
    stale = hipify("explain", "--write-docs", "pages", "--check")
    assert stale.returncode == 1
    assert b"HIP301.md is stale" in stale.stdout
    assert b"HIP000.md is stale" in stale.stdout
    hipify("explain", "--write-docs", "pages")
    assert hipify("explain", "--write-docs", "pages", "--check").returncode == 0
    assert not (tmp_path / "pages" / "HIP000.md").exists()
