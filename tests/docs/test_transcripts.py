"""The commands on the pages print what the pages say (`python -m tests.docs.transcripts --write` writes that anew)."""

from __future__ import annotations

import pytest

from hipify_py.compile.driver import find_hipcc

from .pages import DOCS
from .transcripts import COMPILES, PAGES, run_page

NOT_RUN = frozenset(
    {
        "build-files.md",
        "build.md",
        "ci.md",
        "compiling.md",
        "completion.md",
        "fixing-findings.md",
        "formats.md",
        "gates.md",
        "headers-and-libclang.md",
        "howto/convert-in-the-build.md",
        "index.md",
        "query.md",
        "reference/configuration.md",
        "versions-and-targets.md",
    }
)
"""Pages whose commands are not run: they want a network, a compiler, or a project of the reader's."""


def test_a_page_with_commands_is_run_or_listed() -> None:
    pages = {
        path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md") if "\n```console\n" in path.read_text("utf-8")
    }
    assert pages == PAGES.keys() | NOT_RUN


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_a_pages_commands_print_what_it_says(page: str) -> None:
    ran = [*run_page(page, compiling=False)]
    assert ran
    for step, output in ran:
        assert (step.command, output) == (step.command, step.output)


@pytest.mark.compiler
@pytest.mark.skipif(find_hipcc() is None, reason="hipcc is not installed")
def test_the_tutorial_compiles() -> None:
    ran = [one for one in run_page("tutorial/README.md", compiling=True) if one.step.command.startswith(COMPILES)]
    assert ran
    for step, output in ran:
        assert (step.command, output) == (step.command, step.output)
