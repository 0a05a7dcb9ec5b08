"""What is found in a text after many edits is what `check -` finds in it: nothing that is kept is out of date."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from hipify_py.core.edits import Edit, apply
from hipify_py.core.options import DEFAULT_OPTIONS
from hipify_py.project.discovery import Selection
from hipify_py.project.groups import Group
from hipify_py.project.result import FileResult
from hipify_py.project.unsaved import UnsavedFiles, translate_unsaved

from .editor import environment

CORPUS = Path(__file__).parents[2] / "corpus"
SOURCES = [next(iter(sorted(folder.rglob("*.cu")))) for folder in sorted(CORPUS.iterdir()) if any(folder.rglob("*.cu"))]
INSERTED = (
    b"cudaMalloc(&p, 4);\n",
    b"__shfl_down_sync(0xffffffff, v, 1);",
    b"cublasSetSmCountTarget(h, 1);\n",
    b'#include "helper.cuh"\n',
    b"#ifdef __CUDA_ARCH__\n",
    b"#endif\n",
    b"/* \xe6\xbc\xa2 */",
    b"}",
    b"{",
    b"\r\n",
    b'"',
    b"// hipify: ignore[HIP101]\n",
    b"using namespace cub;\n",
)


def _group(path: Path) -> Group:
    return Group((str(path),), DEFAULT_OPTIONS, Selection())


def _comparable(result: FileResult) -> FileResult:
    return result._replace(edits=(), references=())


@pytest.mark.parametrize("seed", range(12))
def test_a_series_of_edits(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    source = draw.choice(SOURCES)
    path = tmp_path / source.name
    helper = tmp_path / "helper.cuh"
    helper.write_bytes(b"#define CHECK(x) x\n")
    data, session = source.read_bytes(), UnsavedFiles()
    for _ in range(8):
        start = draw.randrange(len(data) + 1)
        end = min(start + draw.choice((0, 0, 0, 1, 40)), len(data))
        data = apply(data, [Edit(start, end, draw.choice(INSERTED))])
        if draw.random() < 0.3:
            helper.write_bytes(
                draw.choice((b"", b"struct cudaThing {};\n", b"__device__ int f() { return warpSize; }\n"))
            )
        found, seen = session.translate(str(path), _group(path), {str(path): data})
        expected = translate_unsaved(data, _group(path))
        assert [*map(_comparable, found)] == expected
        assert str(path) in seen


def test_other_open_files_are_taken_from_the_editor(tmp_path: Path) -> None:
    path, header = tmp_path / "a.cu", tmp_path / "own.cuh"
    data = b'#include "own.cuh"\nvoid f() { cudaOwnThing(); }\n'
    header.write_bytes(b"")
    session = UnsavedFiles()

    def names(unsaved: bytes | None) -> list[str]:
        contents = {str(path): data} if unsaved is None else {str(path): data, str(header): unsaved}
        (result,), seen = session.translate(str(path), _group(path), contents)
        assert str(header) in seen
        return [finding.id for finding in result.findings]

    assert names(None) == ["HIP102"]
    assert names(b"void cudaOwnThing();\n") == []
    assert names(None) == ["HIP102"]
    header.write_bytes(b"void cudaOwnThing();\n")
    assert names(None) == []
    assert names(b"") == ["HIP102"]


def test_a_header_that_is_added_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    data = b'#include "own.cuh"\nvoid f() { cudaOwnThing(); }\n'
    session = UnsavedFiles()
    for content, ids in ((None, ["HIP102"]), ("void cudaOwnThing();\n", []), (None, ["HIP102"])):
        if content is None:
            (tmp_path / "own.cuh").unlink(missing_ok=True)
        else:
            (tmp_path / "own.cuh").write_text(content)
        (result,), _ = session.translate(str(path), _group(path), {str(path): data})
        assert [finding.id for finding in result.findings] == ids


@pytest.mark.slow
def test_the_command_finds_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    (tmp_path / "hipify-py.toml").write_text('rocm = "6.2"\n[severity]\nHIP101 = "warning"\n')
    data = "漢字\nvoid f(cublasHandle_t h) { cublasSetSmCountTarget(h, 1); cudaFoo(); }\n".encode()
    command = [sys.executable, "-m", "hipify_py", "check", "-", "--stdin-filename", str(path), "--format", "json"]
    done = subprocess.run(command, input=data, capture_output=True, env={**environment()})
    (file,) = json.loads(done.stdout)["files"]
    from hipify_py.cli.lsp import read_settings

    settings = read_settings(str(path), [])
    (result,), _ = UnsavedFiles().translate(str(path), settings.group, {str(path): data})
    found = [(each.id, each.severity, each.message, each.fingerprint) for each in result.findings]
    assert found == [(e["id"], e["severity"], e["message"], e["fingerprint"]) for e in file["findings"]]
    assert found
