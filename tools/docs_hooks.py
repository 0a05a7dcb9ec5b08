"""What mkdocs cannot do by itself for the site of docs/ (named in mkdocs.yml).

The Markdown files are written to be read on GitHub, too. So `nav` names pages beside docs/ by their place
(`../SECURITY.md`), and pages link to whatever the repository holds (`../mappings/schema.json`); here such pages become
pages of the site, and such files are copied into it. The pages of docs/diagnostics come into the navigation by
themselves, and those of docs/coverage, which are not committed, are made.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from hipify_py.catalog.register import FAMILIES, family, read_register
from tools.tables.coverage import SUMMARY, Coverage

ROOT = Path(__file__).resolve().parents[1]
FOLDER = "docs"
COPIED = "repository"
"""The folder of the site for files of the repository that are no pages."""

_LINK = re.compile(r"(?<=\]\()(?P<path>[^()\s#:]+)(?P<rest>(?:#[^()\s]*)?\))")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Give the pages beside docs/ names in the site, and each finding its place in the navigation."""
    config.nav = [*_in_site(config.nav or [])]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the mapping tables, the pages beside docs/, and the files that pages link to."""
    for name, text in Coverage(ROOT / "mappings").pages().items():
        _put(files, File.generated(config, f"coverage/{name}", content=text))
    for path in _outside(config.nav or []):
        _put(files, File.generated(config, _site_path(path), abs_src_path=str(ROOT / path)))
    for file in [*files.documentation_pages()]:
        for path in _linked(file.content_string, _repository_path(file.src_uri)):
            if not path.startswith(f"{FOLDER}/") and files.get_file_from_path(_site_path(path)) is None:
                files.append(File.generated(config, _site_path(path), abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links lead to where things are in the site."""
    here = page.file.src_uri
    if here.startswith("coverage/"):
        page.meta["search"] = {"boost": 0.3}  # a table of symbols comes behind what is said of them
    place = _repository_path(here)

    def in_site(link: re.Match[str]) -> str:
        path = _target(place, link["path"])
        if not (ROOT / path).is_file():
            return link[0]
        target = _site_path(path)
        table = re.fullmatch(r"mappings/(?:presets/)?(\w+)\.yaml", path)
        if here == f"coverage/{SUMMARY}" and table and files.get_file_from_path(f"coverage/{table[1]}.md"):
            target = f"coverage/{table[1]}.md"
        return posixpath.relpath(target, posixpath.dirname(here) or ".") + link["rest"]

    return _LINK.sub(in_site, markdown)


def _put(files: Files, file: File) -> None:
    """Add a file, in place of one of its name."""
    before = files.get_file_from_path(file.src_uri)
    if before is not None:
        files.remove(before)
    files.append(file)


def _in_site(entries: list[Any]) -> Iterator[Any]:
    """The navigation, by the names that things have in the site."""
    for entry in entries:
        ((title, value),) = entry.items()
        if isinstance(value, list):
            yield {title: [*_in_site(value)]}
        elif value == "diagnostics/README.md":
            yield {title: [value, *_findings()]}
        elif value == "coverage/README.md":
            yield {title: [value, *_tables()]}
        else:
            yield {title: _site_path(posixpath.normpath(f"{FOLDER}/{value}"))}


def _findings() -> Iterator[dict[str, Any]]:
    """The page of each finding, by family."""
    register = read_register()
    for title in FAMILIES.values():
        ids = [id for id in sorted(register) if family(id) == title]
        if ids:
            yield {title: [{f"{id}: {register[id]['title']}": f"diagnostics/{id}.md"} for id in ids]}


def _tables() -> Iterator[dict[str, str]]:
    for document in sorted(Coverage(ROOT / "mappings").documents, key=lambda document: document["title"].lower()):
        yield {document["title"]: f"coverage/{document['library']}.md"}


def _outside(entries: list[Any]) -> Iterator[str]:
    """The pages of the navigation that lie beside docs/, by their place in the repository."""
    for entry in entries:
        for value in entry.values() if isinstance(entry, dict) else [entry]:
            if isinstance(value, list):
                yield from _outside(value)
            elif value in _PAGES.values():
                yield next(path for path, name in _PAGES.items() if name == value)


_PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Pages beside docs/, and what they are called in the site."""


def _site_path(path: str) -> str:
    """Where a file of the repository is in the site."""
    if path.startswith(f"{FOLDER}/"):
        return path[len(FOLDER) + 1 :]
    return _PAGES.get(path, f"{COPIED}/{path}")


def _repository_path(path: str) -> str:
    """Where a page of the site is in the repository."""
    return next((place for place, name in _PAGES.items() if name == path), f"{FOLDER}/{path}")


def _target(place: str, link: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(place), link))


def _linked(text: str, place: str) -> Iterator[str]:
    """The files of the repository that a page links to."""
    for link in _LINK.finditer(text):
        path = _target(place, link["path"])
        if not path.startswith("..") and (ROOT / path).is_file():
            yield path
