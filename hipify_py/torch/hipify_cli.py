"""`python -m hipify_py.torch.hipify_cli`: the command line of ROCm's hipify_torch, for builds that start a program.

The options, the JSON file of arguments and the dump of the results are those of hipify_torch 2.0. It translates the
folder of an extension, beside the originals or in a copy.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import yaml

from hipify_py.catalog import TableError
from hipify_py.catalog.pytorch import V2
from hipify_py.project.streams import write_anywhere
from hipify_py.torch.hipify_python import hipify

_DUMP = "hipify_output_dict_dump.txt"
_CMAKE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cmake")
_WRONG_USAGE, _FAILED = 2, 3


class Request(NamedTuple):
    """What a command line, or the file that it names, asks for; the names are those of `hipify`."""

    project_directory: str
    output_directory: str
    includes: Sequence[str] = ("*",)
    ignores: Sequence[str] = ()
    header_include_dirs: Sequence[str] = ()
    extra_files: Sequence[str] = ()
    hipify_extra_files_only: bool = False
    custom_map: str = ""


class WrongUsage(Exception):
    """The command line, or the file that it names, is wrong."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Translate what the command line asks for.

    Returns:
        0; 2 for a wrong command line; 3 if a file could not be translated.
    """
    parser = _parser()
    chosen = parser.parse_args(arguments)
    if chosen.cmakedir:
        sys.stdout.write(f"{_CMAKE}\n")
        return 0
    try:
        request = _from_file(chosen.config_json) if chosen.config_json else _from_options(chosen)
        if not os.path.isdir(request.project_directory):
            raise WrongUsage(f"{request.project_directory}: there is no such folder")
        with _table_of(request.custom_map) as tables:
            results = hipify(
                project_directory=request.project_directory,
                output_directory=request.output_directory,
                includes=request.includes,
                ignores=request.ignores,
                header_include_dirs=request.header_include_dirs,
                extra_files=request.extra_files,
                hipify_extra_files_only=request.hipify_extra_files_only,
                is_pytorch_extension=True,
                show_detailed=True,
                pytorch=V2 if chosen.v2 else None,
                tables=tables,
            )
        dump = {path: result.asdict() for path, result in results.items()}
        write_anywhere(os.path.abspath(chosen.dump_dict_file), json.dumps(dump).encode())
    except (WrongUsage, ValueError, TableError) as error:
        sys.stderr.write(f"Error: {error}\n")
        return _WRONG_USAGE
    except OSError as error:
        sys.stderr.write(f"Error: {error}\n")
        return _FAILED
    return _FAILED if any(result.has_failed for result in results.values()) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hipify_py.torch.hipify_cli", description=__doc__)
    add = parser.add_argument
    add("--project-directory", help="the folder to translate")
    add("--output-directory", help="the folder to work in, a copy of the project's (default: the project's)")
    add("--header-include-dirs", type=_listed, default=[], help="folders of headers, as [a;b]")
    add("--includes", type=_listed, default=["*"], help="patterns of the paths to translate, as [a;b]")
    add("--ignores", type=_listed, default=[], help="patterns of the paths not to translate, as [a;b]")
    add("--custom-map-json", default="", help='a file with names of your own: {"custom_map": {"cudaFoo": "hipFoo"}}')
    add("--config-json", help="a file with the arguments of hipify(), in place of the options")
    add("--dump-dict-file", default=_DUMP, help="the file to write the results to (default: %(default)s)")
    add("--list-files-only", action="store_true", help="has no effect, as in the original")
    add("--v2", action="store_true", help="names of PyTorch 2.11 and later, whatever is installed")
    add("--cmakedir", action="store_true", help="print the folder of Hipify.cmake, and do nothing else")
    return parser


def _listed(text: str) -> list[str]:
    return [part for part in text.strip("[]").split(";") if part]


def _from_options(chosen: argparse.Namespace) -> Request:
    if not chosen.project_directory:
        raise WrongUsage("--project-directory or --config-json is required")
    return Request(
        chosen.project_directory,
        chosen.output_directory or chosen.project_directory,
        chosen.includes,
        chosen.ignores,
        chosen.header_include_dirs,
        custom_map=chosen.custom_map_json,
    )


def _from_file(path: str) -> Request:
    given = _read(path)
    if not isinstance(given.get("project_directory"), str):
        raise WrongUsage(f"{path}: project_directory is missing")
    folder = os.path.dirname(os.path.abspath(path))
    project = os.path.normpath(os.path.join(folder, given["project_directory"]))
    output = (
        os.path.normpath(os.path.join(folder, given["output_directory"])) if given.get("output_directory") else project
    )
    return Request(
        project,
        output,
        given.get("includes") or ("*",),
        given.get("ignores") or (),
        given.get("header_include_dirs") or (),
        given.get("extra_files") or (),
        bool(given.get("hipify_extra_files_only")),
        given.get("custom_map_json") or "",
    )


def _read(path: str) -> Mapping[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            given = json.load(file)
    except (OSError, ValueError) as error:
        raise WrongUsage(f"{path}: {error}") from error
    if not isinstance(given, dict):
        raise WrongUsage(f"{path}: not an object")
    return given


@contextmanager
def _table_of(path: str) -> Iterator[Sequence[str]]:
    """A table with the names of a file of them, while it is used."""
    if not path:
        yield ()
        return
    names = _read(path).get("custom_map")
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
        raise WrongUsage(f"{path}: custom_map is not an object of names")
    document: dict[str, Any] = {"library": "custom", "title": "Custom map"}
    for cuda, hip in names.items():
        document.setdefault("headers" if "/" in cuda or cuda.endswith((".h", ".cuh", ".hpp")) else "functions", {})[
            cuda
        ] = hip
    with tempfile.TemporaryDirectory(prefix="hipify-py-") as folder:
        table = os.path.join(folder, "custom.yaml")
        with open(table, "w", encoding="utf-8") as file:
            yaml.safe_dump(document, file)
        yield (table,)


if __name__ == "__main__":
    sys.exit(main())
