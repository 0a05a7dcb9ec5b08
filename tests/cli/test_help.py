"""`--help` is complete: every command and option says what it does, with examples that can be typed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import hipify_py
from hipify_py.cli.help_command import Helped
from hipify_py.cli.main import cli

from .conftest import Run

WIDTH = 80


def contexts(command: click.Command = cli, parent: click.Context | None = None) -> Iterator[click.Context]:
    """A context for each command, and those below it."""
    name = command.name if parent is not None else "hipify-py"
    context = click.Context(command, parent=parent, info_name=name, **command.context_settings)
    yield context
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            assert found is not None
            yield from contexts(found, context)


ALL = {context.command_path: context for context in contexts()}


@pytest.fixture(params=ALL)
def context(request: pytest.FixtureRequest) -> click.Context:
    return ALL[request.param]


def test_there_are_all_commands() -> None:
    assert len(ALL) > 20
    assert {"hipify-py check", "hipify-py baseline create", "hipify-py cache clear", "hipify-py mappings lint"} <= {
        *ALL
    }


def test_each_command_says_what_it_does(context: click.Context) -> None:
    assert isinstance(context.command, Helped)
    assert context.command.help is not None
    assert context.command.help.split("\n\n")[0].strip().endswith((".", "PATH..."))


def test_each_option_says_what_it_does(context: click.Context) -> None:
    for option in context.command.get_params(context):
        if isinstance(option, click.Option):
            assert option.help, option.opts
            assert option.help.endswith("."), option.opts
            assert option.help[0].isupper() or option.help.startswith("hipify_support.hpp"), option.opts


def test_the_help_has_all_parts(context: click.Context) -> None:
    text = context.get_help()
    for part in ("Usage:", "Examples:", "Exit status:", "  -h, --help "):
        assert text.count(f"\n{part}" if part != "Usage:" else part) == 1, part
    for option in context.command.get_params(context):
        if isinstance(option, click.Option):
            assert all(name in text for name in (*option.opts, *option.secondary_opts))
    too_long = [line for line in text.splitlines() if len(line) > WIDTH and " " in line.strip()]
    assert [line for line in too_long if not line.startswith("  hipify-py ")] == []


def test_many_options_are_grouped() -> None:
    text = ALL["hipify-py convert"].get_help()
    heads = re.findall(r"^(\w[^:\n]*):$", text, re.M)
    assert "Options" not in heads
    assert heads[0] == "Output"
    assert heads.index("Other options") == len(heads) - 4  # and examples, environment, exit status
    assert text.split("Other options:\n")[1].split("\n\n")[0].count("--") == 1  # --help alone
    assert "\nOptions:\n" in ALL["hipify-py query"].get_help()


def test_defaults_and_ranges_are_told() -> None:
    text = " ".join(ALL["hipify-py check"].get_help().split())
    for says in (
        "[default: ggl]",
        "[default: error]",
        "[default: (the newest)]",
        "[default: (wavefront)]",
        "[default: (all cores); x>=1]",
    ):
        assert says in text


def test_statuses_and_variables_are_told() -> None:
    text = ALL["hipify-py check"].get_help()
    assert re.findall(r"^  (\d)  \w", text, re.M) == ["0", "1", "2", "3", "4"]
    assert "HIPIFY_PY_CACHE_DIR" in text
    assert "ROCM_PATH" in ALL["hipify-py compile"].get_help()
    assert "\n  CI " in ALL["hipify-py baseline create"].get_help()


EXAMPLES = [(path, typed) for path, each in ALL.items() for typed, _ in getattr(each.command, "examples", ())]


@pytest.mark.parametrize(("path", "typed"), EXAMPLES, ids=[typed for _, typed in EXAMPLES])
def test_examples_can_be_typed(path: str, typed: str) -> None:
    """They call a command that there is, with options and values that it takes."""
    assert path.startswith("hipify-py")
    words = shlex.split(typed)
    words = words[: next((at for at, word in enumerate(words) if word in ("<", ">")), len(words))]
    found = max((name for name in ALL if words[: len(name.split())] == name.split()), key=len)
    assert found != "hipify-py", typed
    rest = words[len(found.split()) :]
    context = ALL[found]
    options, arguments, _ = context.command.make_parser(context).parse_args(args=list(rest))
    for parameter in context.command.params:
        given = options.get(parameter.name or "")
        if isinstance(parameter.type, click.Choice) and given is not None:
            for value in [given] if isinstance(given, str) else given:
                assert value in parameter.type.choices
    assert arguments or options or isinstance(context.command, click.Group) or rest == []


def test_examples_are_shown_by_their_command(context: click.Context) -> None:
    command = context.command
    assert isinstance(command, Helped)
    assert command.examples
    text = context.get_help()
    assert all(f"\n  {typed}\n" in text and purpose.endswith(".") for typed, purpose in command.examples)


def test_every_variable_of_the_environment_that_is_read_is_named() -> None:
    package = Path(hipify_py.__file__).parent
    read = {
        name
        for path in package.rglob("*.py")
        if "maintenance" not in path.parts
        for name in re.findall(
            r"""environ(?:ment)?\.get\("([A-Z_]+)"|environ\["([A-Z_]+)"\]""", path.read_text("utf-8")
        )
        for name in name
        if name
    }
    told = " ".join(each.get_help() for each in ALL.values())
    of_the_system = {"APPDATA", "HOME", "LOCALAPPDATA", "PATH", "PROGRAMDATA", "TERM"}
    of_the_system |= {f"XDG_{what}" for what in ("CACHE_HOME", "CONFIG_DIRS", "CONFIG_HOME", "DATA_HOME")}
    assert {"NO_COLOR", "HIPIFY_PY_CACHE_DIR", "CI"} <= read
    assert [name for name in sorted(read - of_the_system) if name not in told] == []


def test_help_is_what_the_program_prints(quickly: Run) -> None:
    run = quickly("cache", "clear", "--help")
    assert run.returncode == 0
    assert b"Examples:\n  hipify-py cache clear\n      Remove the cached results" in run.stdout


def test_a_command_that_others_have_read_arguments_with_has_its_help() -> None:
    from hipify_py.cli.by_configuration import part_of
    from hipify_py.cli.check import command

    command._help_option = None  # as in a process whose first use of the command this is
    part_of(command, ["--stdin-filename", "a.cu", "-"])
    context = click.Context(command, parent=ALL["hipify-py"], info_name="check")
    assert "\n  -h, --help " in command.get_help(context)
