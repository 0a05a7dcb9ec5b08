"""`hipify-py survey`, and its formats."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from hipify_py.core.targeting import Targeting
from hipify_py.core.translation import Counts
from hipify_py.project.cluster import extra
from hipify_py.survey.account import Account
from hipify_py.survey.formats import load, names
from hipify_py.survey.record import MUCH, NO_CUDA, READY, Blocker, Record, failed
from hipify_py.survey.targets import Target
from tests.cli.conftest import Run, quickly  # noqa: F401

pytestmark = pytest.mark.xdist_group("cluster")

EVIL = "=cmd|'/c calc'!A1<script>alert(1)</script>\x1b[31m"


@pytest.fixture
def account() -> Account:
    records = [
        Record("one", "/x/one", "folder", READY, files=3, cuda_files=2, references=Counts(converted=9, native=1)),
        Record(
            EVIL,
            EVIL,
            "git",
            MUCH,
            commit="abc",
            references=Counts(converted=5, unsupported=5),
            findings={"HIP101": 5},
            severities={"note": 0, "warning": 0, "error": 5},
            efforts={"low": 1, "medium": 2, "high": 3},
            libraries=[("runtime", Counts(converted=5)), ("cublas", Counts(unsupported=5))],
            blockers=[Blocker("HIP101", "No counterpart", EVIL, 5, f"{EVIL}.cu:3")],
            build_files={"make": 2},
        ),
        Record("none", "none", "folder", NO_CUDA, files=1),
        failed(Target("bad", "bad.zip", "archive"), "the archive cannot be read: </td><script>"),
    ]
    return Account(records, Targeting())


def test_there_are_the_formats_that_the_command_names() -> None:
    from hipify_py.survey.command import _FORMATS

    assert names() == _FORMATS


def test_tables(account: Account) -> None:
    import pyarrow.parquet

    lines = list(csv.DictReader(io.StringIO(load("csv")(account).decode())))
    table = pyarrow.parquet.read_table(io.BytesIO(load("parquet")(account)))
    rows = table.to_pylist()
    assert [line["portability"] for line in lines] == ["ready", "much work", "no CUDA", "failed"]
    assert [*lines[0]] == table.column_names
    assert lines[1]["name"] == "'" + EVIL  # no formula
    assert rows[1]["name"] == EVIL
    assert (rows[0]["coverage"], rows[1]["coverage"], rows[2]["coverage"]) == (1.0, 0.5, None)
    assert (rows[1]["effort_high"], rows[1]["untranslated_build_files"], rows[1]["commit"]) == (3, 2, "abc")
    assert rows[1]["libraries"] == ["runtime", "cublas"]
    assert rows[1]["blockers"] == [f"HIP101 {EVIL}"]
    assert lines[2]["coverage"] == ""
    assert str(table.schema.field("references").type) == "int64"


def test_the_document(account: Account) -> None:
    document = json.loads(load("json")(account))
    assert document["repositories"] == {"ready": 1, "some work": 0, "much work": 1, "no CUDA": 1, "failed": 1}
    assert document["references"]["total"] == 20
    assert document["blockers"][0]["repositories"] == 1
    assert [record["name"] for record in document["records"]] == ["one", EVIL, "none", "bad"]


def test_text_for_people(account: Account) -> None:
    text = load("text")(account).decode()
    assert "\x1b" not in text
    assert "4 repositories: 1 ready, 1 much work, 1 no CUDA, 1 failed" in text
    assert "20 CUDA references, coverage 75.0 %" in text
    assert "bad.zip: the archive cannot be read" in text


def test_the_page_fetches_nothing_and_runs_nothing_of_a_repository(account: Account) -> None:
    page = load("html")(account).decode()
    assert page.count("<script>") == 1
    assert "default-src 'none'" in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "\x1b" not in page
    assert "in 1 repository" not in page
    assert page.count("<tr>") == 1 + 4 + 1 + 1


def test_an_account_of_nothing_that_names_cuda() -> None:
    empty = Account([Record("none", "none", "folder", NO_CUDA)], Targeting())
    for name in names():
        assert load(name)(empty)


def test_the_command(quickly: Run, tmp_path: Path) -> None:  # noqa: F811
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.cu").write_text("void f(float *p) { cudaFree(p); }\n")
    (tmp_path / "list.txt").write_text("one\ntwo\nnone.zip\n")
    files = [f"--output-file={name}=out.{name}" for name in names()]
    done = quickly("survey", "list.txt", "-j", "1", "-o", "hip", "--rocm", "6.4", "--format", "json", *files)
    assert done.returncode == 3
    document = json.loads(done.stdout)
    assert document["targeting"]["rocm"] == "6.4"
    assert [record["portability"] for record in document["records"]] == ["ready", "ready", "failed"]
    assert (tmp_path / "out.json").read_bytes() == done.stdout
    assert b"none.zip: no such file or folder" in done.stderr
    assert (tmp_path / "hip" / "two" / "a.cu").read_bytes().startswith(b"#include <hip/hip_runtime.h>")
    assert (tmp_path / "out.parquet").read_bytes()[:4] == b"PAR1"


def test_wrong_usage(quickly: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    (tmp_path / "one").mkdir()
    (tmp_path / "empty.txt").write_text("# nothing\n")
    assert quickly("survey").returncode == 2
    assert quickly("survey", "empty.txt").returncode == 2
    assert quickly("survey", "one", "--output-file", "pdf=x").returncode == 2
    refused = quickly("survey", "one", "-o", "hip", "--cluster", "tcp://127.0.0.1:1")
    assert (refused.returncode, b"requires --shared" in refused.stderr) == (2, True)
    monkeypatch.setattr(extra, "find_spec", lambda name: None if name in ("pyarrow", "distributed") else object())
    missing = quickly("survey", "one", "--output-file", "parquet=x.parquet")
    assert missing.returncode == 2
    says = b"Error: survey needs distributed and pyarrow, which pip install 'hipify-py[cluster]' installs\n"
    assert missing.stderr == says
