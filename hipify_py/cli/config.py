"""`hipify-py config`: the keys of a configuration."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.resources import files

import click

from hipify_py.cli import options
from hipify_py.cli.exit_codes import DONE
from hipify_py.cli.help_command import Helped
from hipify_py.core.suggestions import did_you_mean
from hipify_py.project.config_keys import GROUPS, KEYS
from hipify_py.project.find_config import OWN
from hipify_py.project.toml import written
from hipify_py.report.text import emit, emit_document, emit_json


@click.command(
    "config",
    cls=Helped,
    examples=[
        ("hipify-py config", "List the configuration keys."),
        ("hipify-py config fail-under severity", "Explain two keys, with examples."),
        ("hipify-py config --schema > hipify-py.schema.json", "Write the JSON schema, for an editor."),
    ],
)
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option("--schema", is_flag=True, help="Print the JSON schema of the configuration, for editors.")
@options.text_or_json
def command(keys: tuple[str, ...], schema: bool, format_: str) -> int:
    """Show the keys of hipify-py.toml: one line each, or the values that the given keys take, with an example.

    To see which settings apply to given paths, use --show-settings with check, convert or report.
    """
    if schema:
        if keys or format_ != "text":
            raise click.UsageError("--schema excludes keys and --format.")
        text = files("hipify_py.project").joinpath(f"{OWN.removesuffix('.toml')}.schema.json").read_text("utf-8")
        emit_document(sys.stdout, text.rstrip("\n"))
        return DONE
    for key in keys:
        if key not in KEYS:
            says = f"{key!r} is not a key{did_you_mean(key, KEYS)}; the keys are {', '.join(KEYS)}"
            raise click.BadParameter(says, param_hint="KEY")
    if format_ == "json":
        emit_json(sys.stdout, {"keys": [_document(key) for key in dict.fromkeys(keys or KEYS)]})
    elif keys:
        for number, key in enumerate(dict.fromkeys(keys)):
            emit(sys.stdout, [""] if number else [])
            emit(sys.stdout, _description(key))
    else:
        emit(sys.stdout, _listed())
    return DONE


def _listed() -> Iterator[str]:
    width = max(map(len, KEYS))
    for number, (title, names) in enumerate(GROUPS.items()):
        yield from [""] if number else []
        yield f"{title}:"
        yield from (f"  {name:{width}}  {KEYS[name].kind.words}" for name in names)


def _description(name: str) -> Iterator[str]:
    key = KEYS[name]
    yield name
    yield f"  {key.says}"
    yield f"  value:   {key.kind.words}"
    yield from (f"           {choice}: {meaning}" for choice, meaning in key.meanings.items())
    yield f"  default: {_default(name)}"
    yield f"  example: {name} = {written(key.example)}"


def _default(name: str) -> str:
    key = KEYS[name]
    return key.unset if key.default is None else written(key.default)


def _document(name: str) -> dict[str, object]:
    key = KEYS[name]
    return {
        "key": name,
        "description": key.says,
        "value": key.kind.words,
        "choices": [*key.kind.choices],
        "default": key.default,
        "unset": key.unset or None,
        "example": key.example,
        "extend": key.extended,
    }
