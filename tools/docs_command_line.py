"""The command line's page of the site, made from click's own account of it (named in mkdocs.yml)."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click
from mkdocs.structure.pages import Page

from hipify_py.cli.main import cli

PAGE = "reference/cli.md"

_TYPED = re.compile(
    r"(?<![\w`-])(-(?=\s|$)|--?[a-z][\w-]*(?:=[A-Z]+)?|[\w.*]+\.(?:hpp|toml|cu|cuh|hip|h)\b|<<<\.\.\.>>>)"
)


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Put all commands below what the page says of them."""
    if page.file.src_uri != PAGE:
        return markdown
    return "\n".join([markdown, *_command(_context(cli, "hipify-py"), level=2)])


def _command(context: click.Context, level: int) -> Iterator[str]:
    """A command with its options, and those below it."""
    command = context.command
    yield from ("", f"{'#' * level} {context.command_path}", "")
    yield from _paragraphs(command.help or "")
    yield from ("", "```", f"{context.command_path} {' '.join(command.collect_usage_pieces(context))}", "```", "")
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and record[1]:
            yield from (f"`{record[0]}`", f":   {_prose(record[1])}", "")
    examples = getattr(command, "examples", ())
    if examples:
        yield from ("Examples:", "", "```")
        yield from (line for typed, purpose in examples for line in (f"# {purpose}", typed))
        yield from ("```", "")
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _command(_context(below, name, context), min(level + 1, 4))


def _context(command: click.Command, name: str, parent: click.Context | None = None) -> click.Context:
    return click.Context(command, parent=parent, info_name=name, **command.context_settings)


def _paragraphs(text: str) -> Iterator[str]:
    """A command's description; what click is told not to wrap stays as it is."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b"):
            yield from ("", "```", *paragraph.splitlines()[1:], "```")
        else:
            yield from ("", _prose(" ".join(paragraph.split())))


def _prose(text: str) -> str:
    """Plain text as Markdown, with what is typed as code."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else _plain(part) for part in parts)


def _plain(text: str) -> str:
    typed = _TYPED.split(text)
    return "".join(f"`{part}`" if at % 2 else re.sub(r"([*_<>\[\]])", r"\\\1", part) for at, part in enumerate(typed))
