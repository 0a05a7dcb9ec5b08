"""A fault of ours costs its file the translation, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipify_py.project.api import convert
from hipify_py.project.result import CHANGED, FAILED
from hipify_py.translator import translate as translator

CUDA = b"void f(void *p) { cudaFree(p); }\n"


@pytest.mark.parametrize("in_place", [False, True])
def test_the_file_is_there_as_it_was_and_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_place: bool
) -> None:
    for name in ("a.cu", "poison.cu"):
        (tmp_path / "src" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "src" / name).write_bytes(CUDA)
    real = translator._translate_unit

    def fails(source: translator.Source, *arguments: object) -> object:
        if source.path.endswith("poison.cu"):
            raise RuntimeError("of a test")
        return real(source, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(translator, "_translate_unit", fails)
    where = {"in_place": True, "force": True} if in_place else {"output": tmp_path / "out"}
    results = {Path(r.path).name: r for r in convert([tmp_path / "src"], **where).results}  # type: ignore[arg-type]
    assert results["a.cu"].status == CHANGED
    assert results["poison.cu"].status == FAILED
    assert [(f.id, f.message) for f in results["poison.cu"].findings] == [
        ("HIP905", "hipify-py failed on this file: RuntimeError: of a test")
    ]
    folder = tmp_path / ("src" if in_place else "out")
    assert (folder / "poison.cu").read_bytes() == CUDA
    assert sorted(path.name for path in folder.iterdir()) == ["a.cu", "poison.cu"]
