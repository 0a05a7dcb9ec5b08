"""The generation of PyTorch's names: from the environment, the installed PyTorch, or the newest."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hipify_py.catalog import pytorch
from hipify_py.catalog.presets import preset_paths
from hipify_py.catalog.pytorch import VARIABLE, default_generation, installed_generation


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, *, hipify: str = "", release: str = "") -> None:
    """Put a package `torch` on the path, with a version of its translator, or of its distribution."""
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    place = folder / "torch" / "utils" / "hipify"
    place.mkdir(parents=True)
    (folder / "torch" / "__init__.py").write_text("raise RuntimeError('PyTorch has been imported')\n")
    if hipify:
        (place / "version.py").write_text(f"__version__ = '{hipify}'\n")
    if release:
        facts = folder / f"torch-{release}.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: torch\nVersion: {release}\n")
    monkeypatch.syspath_prepend(folder)


@pytest.mark.parametrize(("hipify", "generation"), [("1.0.0", "v1"), ("2.0.0", "v2"), ("3.1.0", "v2")])
def test_the_translator_of_the_installed_pytorch_decides(
    hipify: str, generation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, hipify=hipify, release="2.11.0a0")
    assert installed_generation() == generation


@pytest.mark.parametrize(
    ("release", "generation"),
    [("1.13.1", "v1"), ("2.10.0+rocm6.4", "v1"), ("2.11.0", "v2"), ("2.13.0.dev20260801", "v2")],
)
def test_without_its_translator_the_release_decides(
    release: str, generation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, release=release)
    assert installed_generation() == generation


def test_without_pytorch_it_is_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytorch, "installed_generation", lambda: "")
    assert default_generation({}) == "v2"


def test_the_environment_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, hipify="2.0.0")
    assert default_generation({VARIABLE: "v1"}) == "v1"
    with pytest.raises(ValueError, match=r"HIPIFY_PY_PYTORCH: '2\.10' is not one of v1, v2"):
        default_generation({VARIABLE: "2.10"})


def test_a_preset_is_for_a_generation(monkeypatch: pytest.MonkeyPatch) -> None:
    v1, v2 = preset_paths("pytorch-v1"), preset_paths("pytorch-v2")
    assert [[Path(path).name for path in paths] for paths in (v1, v2)] == [
        ["pytorch.yaml", "pytorch_v1.yaml"],
        ["pytorch.yaml"],
    ]
    for generation, paths in (("v1", v1), ("v2", v2)):
        monkeypatch.setenv(VARIABLE, generation)
        assert preset_paths("pytorch") == paths
