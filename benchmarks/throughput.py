"""How fast sources are translated on one core, beside a bare parse and beside PyTorch's hipify.

Everything happens in this one process, on bytes that were read beforehand. In each round every file goes
through all contenders, one after the other, and the CPU time of each is added up. All contenders see the
same files: one that any of them cannot take is left out for all. Timed, bytes in and bytes out:

hipify-py        `hipify_py.translate` of one source, with its edits, findings and references.
bare parse       `Parser.parse` with tree-sitter's CUDA grammar, and nothing done with the tree.
hipify-perl      AMD's script, as one process for all files of a round, where it is on the PATH.
PyTorch          `preprocess_file_and_save_result` of `torch.utils.hipify.hipify_python`, as an extension's build
                 calls it (`is_pytorch_extension=True`, launches rewritten). The files that it opens are in memory;
                 decoding and encoding are counted, as they are part of its work. It is told of no other
                 files, so it does not look for the headers that a source includes. Neither torch itself nor
                 the making of its tables is loaded or counted.

Before the first round each file is translated once by each, which loads tables and compiles expressions.
What lives then is taken out of the garbage collector's sight (`gc.freeze`): one contender's tables are no
burden to the other's allocations.

The peak of memory is that of a separate process that only translates these files, one after the other.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import importlib.util
import io
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from measure import argument_parser, goal, ratio, run_process, show_table
from sources import Text, bare_parse, texts_of

from hipify_py.translator.translate import translate

Contender = Callable[[bytes, str], object]
"""Takes a source's bytes and its path."""

OURS, PARSE, PYTORCH, PERL = "hipify-py", "bare parse", "PyTorch", "hipify-perl"
GOAL, GOAL_FOR_SMALL = 0.35, 0.5
"""How fast a translation is to be, to PyTorch's speed: of any sources, and of small ones."""
MOST_MEMORY = 200
"""MB that a process that translates may have at most."""


class Measured(NamedTuple):
    """A tree's size, and each contender's CPU seconds in each round."""

    files: int
    size: int
    seconds: dict[str, list[float]]


def main() -> None:
    """Run the benchmark."""
    arguments = _arguments()
    if arguments.translate_only:
        for text in (text for tree in arguments.trees for text in texts_of(tree, arguments.all)):
            _ours(text.data, text.path)
        return
    trees = {tree.name: tree for tree in arguments.trees}
    peak = peak_memory(trees.values(), arguments.all)  # first, while this process is small
    measured = measure(trees, arguments.all, arguments.rounds, arguments.pytorch)
    if not measured:
        sys.exit("no CUDA sources there")
    if len(measured) > 1:
        measured["together"] = _together(measured.values())
    _show(measured)
    _judge(list(measured.values())[-1], peak)


def _arguments() -> argparse.Namespace:
    parser = argument_parser(__doc__, rounds=5)
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE", help="a folder with CUDA sources")
    parser.add_argument("--all", action="store_true", help="take C and C++ sources with CUDA in them, too")
    parser.add_argument("--pytorch", type=Path, metavar="FOLDER", help="torch/utils/hipify; by default the installed")
    parser.add_argument("--translate-only", action="store_true", help=argparse.SUPPRESS)  # the process for memory
    arguments = parser.parse_args()
    arguments.trees = [tree.resolve() for tree in arguments.trees]
    return arguments


def peak_memory(trees: Iterable[Path], wants_all: bool) -> float:
    """The peak in MB of a process that does nothing but translate the sources of trees."""
    command = [sys.executable, __file__, *map(str, trees), "--translate-only", *(["--all"] if wants_all else [])]
    return run_process(command, os.environ).peak


def measure(
    trees: Mapping[str, Path], wants_all: bool, rounds: int, pytorch: Path | None = None
) -> dict[str, Measured]:
    """Each tree with sources, by its name. `pytorch` is the folder of PyTorch's hipify, by default the installed."""
    contenders = _contenders(pytorch)
    perl = shutil.which("hipify-perl")
    if perl is None:
        print("hipify-perl is not on the PATH: no comparison with it", file=sys.stderr)
    usable = {name: _usable(texts_of(tree, wants_all), contenders) for name, tree in trees.items()}
    gc.collect()
    gc.freeze()
    return {name: _measure(texts, contenders, perl, rounds) for name, texts in usable.items() if texts}


def _contenders(pytorch: Path | None) -> dict[str, Contender]:
    contenders = {OURS: _ours, PARSE: _bare_parse()}
    folder = pytorch or _installed_hipify()
    if folder is None:
        print("torch is not installed: no comparison with PyTorch's hipify", file=sys.stderr)
    else:
        contenders[PYTORCH] = _pytorch(_load_hipify(folder))
    return contenders


def _ours(data: bytes, path: str) -> object:
    return translate(data, path=path)


def _bare_parse() -> Contender:
    parse = bare_parse()
    return lambda data, path: parse(data)


def _installed_hipify() -> Path | None:
    """The folder of PyTorch's hipify where torch is installed, which is not imported."""
    torch = importlib.util.find_spec("torch")
    return Path(torch.origin).parent / "utils" / "hipify" if torch is not None and torch.origin is not None else None


def _load_hipify(folder: Path) -> ModuleType:
    """PyTorch's hipify without torch; it needs nothing else of it."""
    package = importlib.util.spec_from_file_location(
        "pytorch_hipify", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert package is not None
    sys.modules["pytorch_hipify"] = importlib.util.module_from_spec(package)
    return importlib.import_module("pytorch_hipify.hipify_python")


class _InMemory:
    """Stands in for what PyTorch's hipify writes through; nothing reaches the disk."""

    def makedirs(self, path: str) -> None:
        """Folders are not needed."""

    def open(self, path: str, mode: str, *, encoding: str) -> io.TextIOWrapper:
        """Take the place of a file opened for writing."""
        return io.TextIOWrapper(io.BytesIO(), encoding=encoding)


def _pytorch(module: ModuleType) -> Contender:
    source = b""
    folder = os.path.join(tempfile.gettempdir(), "hipify-py-benchmark-that-does-not-exist")

    def open_source(path: str, *, encoding: str) -> io.TextIOWrapper:
        return io.TextIOWrapper(io.BytesIO(source), encoding=encoding)

    def run(data: bytes, path: str) -> None:
        nonlocal source
        source = data
        name = os.path.join(folder, os.path.basename(path))
        module.HIPIFY_FINAL_RESULT.clear()
        module.preprocess_file_and_save_result(
            folder,
            name,
            all_files=[name],
            header_include_dirs=(),
            stats={"unsupported_calls": [], "kernel_launches": []},
            hip_clang_launch=False,
            is_pytorch_extension=True,
            clean_ctx=_InMemory(),
            show_progress=False,
        )

    module.__dict__["open"] = open_source
    return run


def _usable(texts: Iterable[Text], contenders: dict[str, Contender]) -> list[Text]:
    """The sources that every contender can take; the first run of each is the warming up as well."""
    return [text for text in texts if all(_takes(name, run, text) for name, run in contenders.items())]


def _takes(name: str, contender: Contender, text: Text) -> bool:
    try:
        contender(text.data, text.path)
    except Exception as error:
        print(f"left out: {text.path}: {name}: {type(error).__name__}: {error}", file=sys.stderr)
        return False
    return True


def _measure(texts: Sequence[Text], contenders: dict[str, Contender], perl: str | None, rounds: int) -> Measured:
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        total = dict.fromkeys(contenders, 0.0)
        for data, path in texts:
            for name, contender in contenders.items():
                start = time.process_time()
                contender(data, path)
                total[name] += time.process_time() - start
        if perl is not None:
            total[PERL] = run_process([perl, *(text.path for text in texts)], os.environ).cpu
        for name, spent in total.items():
            seconds.setdefault(name, []).append(spent)
    return Measured(len(texts), sum(len(text.data) for text in texts), seconds)


def _together(parts: Iterable[Measured]) -> Measured:
    files, sizes, seconds = zip(*parts, strict=True)
    names = seconds[0].keys()
    added = {name: [sum(spent) for spent in zip(*(part[name] for part in seconds), strict=True)] for name in names}
    return Measured(sum(files), sum(sizes), added)


def _show(measured: Mapping[str, Measured]) -> None:
    contenders = list(next(iter(measured.values())).seconds)
    others = [name for name in contenders if name != OURS]
    head = ["tree", "files", "MB", *(f"{name} MB/s" for name in contenders), *(f"{OURS}/{name}" for name in others)]
    rows = []
    for tree, (files, size, seconds) in measured.items():
        speeds = [f"{size / 1e6 / statistics.median(spent):.2f}" for spent in seconds.values()]
        ratios = [f"{ratio(seconds[name], seconds[OURS]):.2f}" for name in others]
        rows.append([tree, str(files), f"{size / 1e6:.2f}", *speeds, *ratios])
    show_table(head, rows)


def _judge(measured: Measured, peak: float) -> None:
    seconds = measured.seconds
    if PYTORCH in seconds:
        figure = ratio(seconds[PYTORCH], seconds[OURS])
        print(goal(f"{OURS}/{PYTORCH}", f"{figure:.3f}", f"at least {GOAL:.2f}", figure >= GOAL))
    print(goal("peak memory", f"{peak:.0f} MB", f"below {MOST_MEMORY} MB", peak < MOST_MEMORY))


if __name__ == "__main__":
    main()
