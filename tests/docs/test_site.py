"""The site builds without a warning, and its pages fetch nothing from elsewhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from filelock import FileLock

from hipify_py.catalog.register import read_register
from hipify_py.cli.main import COMMANDS

from .pages import REPOSITORY

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("site")]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once a run."""
    folder = tmp_path_factory.getbasetemp().parent / f"site-{os.environ.get('PYTEST_XDIST_TESTRUNUID', os.getpid())}"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
            environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "NO_MKDOCS_2_WARNING": "1"}
            done = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stdout + done.stderr) == (0, "")
    return folder


class _Fetched(HTMLParser):
    """Gathers what a browser fetches for a page by itself: everything but the targets of links to follow."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"src", "srcset", "data", "poster", "action"} or (name == "href" and tag == "link"):
                self.addresses.append(value or "")
        if tag == "meta" and ("http-equiv", "refresh") in attrs:
            self.addresses.append(dict(attrs).get("content") or "")


def _fetched(site: Path) -> Iterator[tuple[str, str]]:
    for page in site.rglob("*.html"):
        parser = _Fetched()
        parser.feed(page.read_text(encoding="utf-8"))
        yield from ((page.name, address) for address in parser.addresses)
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        yield from ((sheet.name, address) for address in re.findall(r"""(?:url\(|@import)\s*["']?([^"')]+)""", text))


def test_no_page_fetches_anything_from_elsewhere(site: Path) -> None:
    fetched = [*_fetched(site)]
    assert len(fetched) > 100
    assert [(page, address) for page, address in fetched if re.search(r"(?<!xmlns=['\"])(https?:)?//", address)] == []


def test_what_a_page_fetches_is_there(site: Path) -> None:
    for page in site.rglob("*.html"):
        parser = _Fetched()
        parser.feed(page.read_text(encoding="utf-8"))
        for address in parser.addresses:
            path = address.partition("?")[0].partition("#")[0]
            if path and not path.startswith("data:"):
                folder = site if path.startswith("/") else page.parent  # 404.html is shown for any path
                assert (folder / path.lstrip("/")).exists(), (page, address)


def test_each_finding_has_its_page_in_the_navigation(site: Path) -> None:
    index = (site / "diagnostics" / "index.html").read_text(encoding="utf-8")
    for id in read_register():
        assert (site / "diagnostics" / f"{id}.html").is_file()
        assert f'href="{id}.html"' in index


def test_each_command_and_option_is_on_the_page_of_the_command_line(site: Path) -> None:
    text = (site / "reference" / "cli.html").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert re.search(rf"<h3[^>]*>hipify-py {name}\b", text), name
    for option in ("-o, --output DIR", "--fail-on [note|warning|error|never]", "-h, --help"):
        assert f"<dt><code>{option}</code></dt>" in text
    example = r"<dt><code>hipify-py check src/ --baseline hipify-baseline\.jsonl</code></dt>\s*<dd>"
    assert re.search(example, text)


def test_each_public_name_is_on_the_page_of_python(site: Path) -> None:
    import hipify_py

    text = (site / "reference" / "python.html").read_text(encoding="utf-8")
    for name in hipify_py.__all__:
        assert f'id="hipify_py.{name}"' in text, name


def test_the_tables_pages_are_found_by_symbol(site: Path) -> None:
    found = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    assert any("cublasSgemm" in page["text"] for page in found if page["location"].startswith("coverage/cublas.html"))
    index = (site / "coverage" / "index.html").read_text(encoding="utf-8")
    assert 'href="cublas.html"' in index


def test_files_that_pages_link_to_come_along(site: Path) -> None:
    formats = (site / "formats.html").read_text(encoding="utf-8")
    assert 'href="repository/hipify_py/report/report.schema.json"' in formats
    assert (site / "repository" / "hipify_py" / "report" / "report.schema.json").is_file()
    assert 'href="../security.html"' in (site / "reference" / "cli.html").read_text(encoding="utf-8")
