"""Links that open files in editors: right for any name, and only where they are asked for."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from hipify_py.report.editor import EDITORS, SCHEMES, editor_template, file_link, place_link
from hipify_py.report.formats import PLAIN, load
from hipify_py.report.page_data import page_data
from hipify_py.report.run_report import REPORT
from tests.cli.in_process import run_here
from tests.report.reports import report_of_tree

VSCODE = EDITORS["vscode"]
SOURCE = b"/* \xf0\x9f\x98\x80 */ void f(cublasHandle_t h) { cublasSetSmCountTarget(h, 1); }\n"
NAMES = [
    "a b.cu",
    "a#b.cu",
    "a?b.cu",
    "a%41.cu",
    "ä.cu",
    "a&line=9.cu",
    "a+b.cu",
    "a:7:8.cu",
    "{line}.cu",
    "a'\"<b>.cu",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("editor", ["vscode", "sublime", "idea"])
def test_any_name_comes_out_as_it_was(name: str, editor: str) -> None:
    link = place_link(EDITORS[editor], f"/home/u/{name}", 12, 5)
    assert re.fullmatch(r"[A-Za-z0-9._~:/?=&%-]+", link)
    parts = urlsplit(link)
    assert not parts.fragment
    if editor == "vscode":
        assert parts.query == ""
        path, line, column = parts.path.rsplit(":", 2)
    else:
        fields = parse_qs(parts.query, strict_parsing=True)
        assert all(len(values) == 1 for values in fields.values())
        (line,), (column,) = fields["line"], fields["column"]
        path = parts.query.split("=", 1)[1].split("&")[0].removeprefix("file://")
    assert (unquote(path), line, column) == (f"/home/u/{name}", "12", "5")


def test_bytes_that_are_not_utf_8_stay() -> None:
    assert file_link(VSCODE, os.fsdecode(b"/u/\xff.cu")) == "vscode://file/u/%FF.cu:{line}:{column}"


def test_a_relative_path_begins_at_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert file_link("file://{path}", "./src/../a.cu") == f"file://{tmp_path}/a.cu"


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("C:\\a b\\c.cu", "vscode://file/C:/a%20b/c.cu:{line}:{column}"),
        ("d:/x/y#.cu", "vscode://file/d:/x/y%23.cu:{line}:{column}"),
        ("\\\\host\\share\\a.cu", "vscode://file//host/share/a.cu:{line}:{column}"),
    ],
)
def test_paths_of_windows(path: str, link: str) -> None:
    assert file_link(VSCODE, path, windows=True) == link


@pytest.mark.parametrize("name", EDITORS)
def test_every_known_editor_has_a_template(name: str) -> None:
    template = editor_template(name)
    assert editor_template(template) == template
    assert place_link(template, "/a.cu", 3, 0).count("3") == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("vim", "neither an editor"),
        ("javascript:alert(1)//{path}", "neither an editor|not a scheme"),
        ("javascript://%0aalert(1)//{path}", "not a scheme"),
        ("JavaScript://{path}", "not a scheme"),
        ("data://text/html,{path}", "not a scheme"),
        ("vbscript://{path}", "not a scheme"),
        ("ms-officecmd://{path}", "not a scheme"),
        (" vscode://{path}", "without spaces"),
        ("vscode://{path}\n", "without spaces"),
        ('vscode://"{path}', "without spaces"),
        ("vscode://file/{path}:{row}", "{row} is not a field"),
        ("vscode://file/{path.__class__}", "is not a field"),
        ("vscode://file/{path!r}", "no format"),
        ("vscode://file/{line:99999999}{path}", "no format"),
        ("vscode://file/{}", "is not a field"),
        ("vscode://file/{0}", "is not a field"),
        ("vscode://file/{path", "the template is wrong"),
        ("vscode://file/", "no {path}"),
        ("vscode://" + "x" * 600 + "{path}", "up to 500"),
    ],
)
def test_other_templates_are_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("{", r"\{")):
        editor_template(text)


def test_schemes_that_run_code_are_none_of_ours() -> None:
    assert SCHEMES.isdisjoint({"javascript", "data", "vbscript", "blob"})


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a b.cu").write_bytes(SOURCE)
    (tmp_path / "src/k.f90").write_text("attributes(global) subroutine k()\nend subroutine\n")
    return tmp_path


def data_of(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert found is not None
    data: dict[str, object] = json.loads(found[1])
    return data


def test_without_the_wish_there_is_no_absolute_path(tree: Path) -> None:
    page = run_here(tree, "report", "src", "--format", "html").stdout.decode()
    assert str(tree) not in page
    assert "://" not in re.sub(r"http://www\.w3\.org/2000/svg", "", page.split("What the findings mean")[0])
    assert '"edit"' not in page


@pytest.mark.parametrize("way", ["option", "configuration"])
def test_with_it_the_places_are_links(tree: Path, way: str) -> None:
    arguments = ["--editor", "vscode"] if way == "option" else []
    if way == "configuration":
        (tree / "hipify-py.toml").write_text('editor = "vscode"\n')
    page = run_here(tree, "report", "src", "--format", "html", *arguments).stdout.decode()
    file = f"vscode://file{tree}/src/a%20b.cu"
    column = len("/* 😀 */ void f(cublasHandle_t h) { ".encode("utf-16-le")) // 2 + 1
    assert f'<a href="{file}:1:{column}"><code>src/a b.cu:1</code></a>' in page
    assert f'<a href="vscode://file{tree}/src/k.f90:1:1">' in page
    assert f'"edit":"{file}:{{line}}:{{column}}"' in page


def test_a_file_of_a_report_has_them_as_well(tree: Path) -> None:
    run_here(tree, "check", "src", "--output-file", "html=page.html", "--editor", "http://localhost:63342/{path}")
    assert f"http://localhost:63342{tree}/src/a%20b.cu" in (tree / "page.html").read_text()


def test_other_formats_stay_as_they_are(tree: Path) -> None:
    for name in ("json", "text", "sarif", "markdown"):
        plain = run_here(tree, "check", "src", "--format", name).stdout
        assert run_here(tree, "check", "src", "--format", name, "--editor", "cursor").stdout == plain


def test_a_wrong_template_is_wrong_usage(tree: Path) -> None:
    done = run_here(tree, "report", "src", "--editor", "vscode://file/{row}")
    assert done.returncode == 2
    assert b"{row} is not a field" in done.stderr
    (tree / "hipify-py.toml").write_text('editor = "javascript://{path}"\n')
    for command in ("report", "check"):
        done = run_here(tree, command, "src")
        assert done.returncode == 2
        assert b"hipify-py.toml: editor: 'javascript' is not a scheme" in done.stderr


def test_each_finding_of_the_page_is_explained_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    report = report_of_tree(Path("src"), REPORT)
    page = "".join(load("html").render(report, PLAIN))
    rules = page_data(report)["rules"]
    assert rules
    for rule in rules:
        assert page.count(f'id="about-{rule["id"]}"') == 1
