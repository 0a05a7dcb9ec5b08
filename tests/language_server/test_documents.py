"""Which documents are examined, under which names."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol.types import PositionEncodingKind, TextDocumentItem

from hipify_py.language_server.documents import Documents, path_of, uri_of


@pytest.mark.parametrize(
    ("uri", "language", "is_meant"),
    [
        ("file:///p/a.cu", "cuda-cpp", True),
        ("file:///p/a.cu", "plaintext", True),
        ("file:///p/a.h", "cpp", True),
        ("file:///p/a.in.xyz", "cuda", True),
        ("file:///p/CMakeLists.txt", "cmake", True),
        ("file:///p/a.rs", "rust", False),
        ("file:///p/a.md", "markdown", False),
        ("untitled:Untitled-1", "cuda-cpp", True),
        ("untitled:Untitled-1", "cuda", True),
        ("untitled:Untitled-1", "python", False),
        ("git:/p/a.cu?ref=HEAD", "cuda-cpp", False),
        ("vscode-vfs://github/o/r/a.cu", "cuda-cpp", False),
        ("hipify-py:/p/a.cu?of=file%3A%2F%2F%2Fp%2Fa.cu", "cuda-cpp", False),
        ("inmemory:", "cuda", False),
    ],
)
def test_which_documents_are_meant(uri: str, language: str, is_meant: bool) -> None:
    documents = Documents(PositionEncodingKind.Utf16, "/p")
    assert documents.opened(TextDocumentItem(uri, language, 1, "")).is_meant is is_meant


def test_an_untitled_document_belongs_to_the_root() -> None:
    documents = Documents(PositionEncodingKind.Utf16, "/p")
    document = documents.opened(TextDocumentItem("untitled:Untitled-1", "cuda-cpp", 1, "int a;"))
    assert document.path == "/p/Untitled-1.cu"
    assert documents.contents() == {"/p/Untitled-1.cu": b"int a;"}


def test_names_with_all_kinds_of_characters(tmp_path: Path) -> None:
    path = str(tmp_path / "a b#c%20漢字😀?.cu")
    assert path_of(uri_of(path)) == path


def test_a_text_counts_under_the_names_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "real.cuh").write_text("")
    (tmp_path / "link.cuh").symlink_to("real.cuh")
    documents = Documents(PositionEncodingKind.Utf16, str(tmp_path))
    documents.opened(TextDocumentItem((tmp_path / "link.cuh").as_uri(), "cuda", 1, "int a;"))
    found = documents.contents()
    assert {*found} == {str(tmp_path / "link.cuh"), str((tmp_path / "real.cuh").resolve())}


def test_a_change_of_a_document_that_is_not_open_is_left_alone() -> None:
    assert Documents(PositionEncodingKind.Utf16, "/p").changed("file:///p/a.cu", 2, []) is None
