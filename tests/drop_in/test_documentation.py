"""The page about the stand-ins names every option, with what becomes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hipify_py.drop_in.options import CLANG_OPTIONS, PERL_OPTIONS, REFUSED, SAME, WITHOUT_EFFECT, Option, help_text

PAGE = Path(__file__).resolve().parents[2] / "docs" / "howto" / "hipify-perl-and-clang.md"


def documented(tool: str) -> dict[str, str]:
    """The options in the page's table about a tool, each with its effect."""
    section = PAGE.read_text(encoding="utf-8").partition(f"## Options of {tool}\n")[2].partition("\n## ")[0]
    return {name: effect for names, effect in _rows(section) for name in re.findall(r"`-(\w[\w-]*)`", names)}


def _rows(section: str) -> Iterator[tuple[str, str]]:
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `-") and len(cells) == 2:
            yield cells[0], cells[1]


@pytest.mark.parametrize(("tool", "options"), [("hipify-perl", PERL_OPTIONS), ("hipify-clang", CLANG_OPTIONS)])
def test_the_page_has_every_option(tool: str, options: tuple[Option, ...]) -> None:
    found = documented(tool)
    assert found.keys() == {option.name for option in options}
    for option in options:
        begins = {
            SAME: ("same", "hipify-py's own", "the folders"),
            WITHOUT_EFFECT: "without effect",
            REFUSED: "refused",
        }
        assert found[option.name].startswith(begins[option.effect]), option.name


@pytest.mark.parametrize("options", [PERL_OPTIONS, CLANG_OPTIONS])
def test_help_has_every_option_on_a_line(options: tuple[Option, ...]) -> None:
    text = help_text("tool", "tool FILE", options)
    assert len(re.findall(r"^  -", text, re.M)) == len(options)
    names = [option.name for option in options]
    assert len(set(names)) == len(names)
