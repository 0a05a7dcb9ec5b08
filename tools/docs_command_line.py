"""The command line's page of the site, written by click itself: `--help` of every command, as Markdown.

Named in mkdocs.yml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click
from mkdocs.structure.pages import Page

from hipify_py.cli.main import cli

PAGE = "reference/cli.md"

_TYPED = re.compile(
    r"(?<![\w`-])(-(?=\s|$)|--?[a-z][\w-]*(?:=[A-Z]+)?|[\w.*-]+\.(?:hpp|toml|cu|cuh|hip|h)\b|<<<\.\.\.>>>)"
)
"""What of a description is typed: options, names of files, a launch."""


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Put all commands below what the page says of them."""
    if page.file.src_uri != PAGE:
        return markdown
    return "\n".join([markdown, *_command(_context(cli, "hipify-py"), level=2)])


def _command(context: click.Context, level: int) -> Iterator[str]:
    """A command's help, and that of those below it."""
    command = context.command
    formatter = _Markdown()
    command.format_help(context, formatter)
    yield from ("", f"{'#' * level} {context.command_path}", "", formatter.getvalue())
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _command(_context(below, name, context), min(level + 1, 4))


def _context(command: click.Command, name: str, parent: click.Context | None = None) -> click.Context:
    return click.Context(command, parent=parent, info_name=name, **command.context_settings)


class _Markdown(click.HelpFormatter):
    """Writes help as Markdown: what a terminal shows in two columns becomes a definition list."""

    def __init__(self) -> None:
        super().__init__(width=10_000)
        self._has_term = False

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        self._put("```", f"{prog} {args}", "```", "")

    def write_heading(self, heading: str) -> None:
        self._put(f"**{heading}**", "")

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        self.write_heading(name)
        yield

    def write(self, string: str) -> None:
        """What is typed, and described by the text that follows."""
        if string.strip():
            self._put(f"`{string.strip()}`")
            self._has_term = True

    def write_text(self, text: str) -> None:
        for paragraph in text.split("\n\n"):
            if paragraph.startswith("\b"):
                self._put("```", *paragraph.splitlines()[1:], "```", "")
            else:
                self._put((":   " if self._has_term else "") + _prose(" ".join(paragraph.split())), "")
            self._has_term = False

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        for term, text in rows:
            self._put(f"`{term}`", f":   {_prose(text)}", "")

    def _put(self, *lines: str) -> None:
        self.buffer += [f"{line}\n" for line in lines]


def _prose(text: str) -> str:
    """Plain text as Markdown, with what is typed as code."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else _plain(part) for part in parts)


def _plain(text: str) -> str:
    typed = _TYPED.split(text)
    return "".join(f"`{part}`" if at % 2 else re.sub(r"([*_<>\[\]])", r"\\\1", part) for at, part in enumerate(typed))
