"""Where the time of a translation goes: the CPU time of each stage, of each rule and of each analysis.

Everything happens in this one process, on bytes that were read beforehand. In each round all files are parsed by
tree-sitter's CUDA grammar with nothing done with the trees, translated as they are, and translated with a clock at
each stage. The bare parse is 100, and all other figures are set against it. A stage's time is its own: what a rule
waits for an analysis, or an analysis for the parse, counts as the analysis's or the parse's. What an analysis works
out when it is asked once more counts as its asker's: `--modules` tells that apart.

There are few clocks, so that they cost little; the last line says how much. `--modules` has none of them: it looks
every few milliseconds of CPU time which module of hipify_py is at work.

The functions with clocks stand in `STAGES`. One that is gone ends the benchmark, so that no stage is lost unnoticed.
"""

from __future__ import annotations

import argparse
import functools
import gc
import signal
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

from measure import argument_parser, show_table
from sources import Text, bare_parse, texts_of

from hipify_py.frontend.unit import Unit
from hipify_py.rules.base import Rule
from hipify_py.translator import passes
from hipify_py.translator.translate import translate

if TYPE_CHECKING:
    from tree_sitter import Parser, Tree

STAGES = (
    ("prefilter", "hipify_py.frontend.prefilter", "may_need_translation"),
    ("presets", "hipify_py.translator.translate", "add_presets"),
    ("lexing", "hipify_py.frontend.lexer", "Lexer.scan"),
    ("resolving names", "hipify_py.translator.translate", "resolve_names"),
    ("names of code left out", "hipify_py.analysis.preprocessor.compiled", "inactive_ranges"),
    ("text for the parser", "hipify_py.frontend.parsed_source", "join_chevrons"),
    ("text for the parser", "hipify_py.frontend.parsed_source", "replace_specifier_macros"),
    ("text for the parser", "hipify_py.frontend.parsed_source", "replace_statement_macros"),
    ("macro bodies", "hipify_py.frontend.fragments", "Fragments.root"),
    ("node index", "hipify_py.frontend.node_index", "NodeIndex.read"),
    ("queries", "hipify_py.frontend.syntax", "SyntaxTree.captures"),
    ("trigger gates", "hipify_py.translator.passes", "rules_for"),
    ("support header", "hipify_py.rules.headers.support_include", "include_edit"),
    ("support header", "hipify_py.rules.headers.support_include", "included_as"),
    ("inactive code", "hipify_py.analysis.preprocessor.inactive_code", "without_inactive"),
    ("flags", "hipify_py.analysis.preprocessor.inactive_code", "flags_of"),
    ("edits", "hipify_py.translator.passes", "ordered"),
    ("edits", "hipify_py.translator.passes", "resolve"),
    ("edits", "hipify_py.translator.passes", "dropped"),
    ("edits", "hipify_py.translator.translate", "apply"),
)
"""What has a clock: the stage, the module in which its caller finds the function, and the function there."""
REST = "everything else"
_INTERVAL = 0.002
"""Seconds of CPU time between two looks; the kernel's clock may be coarser."""


class Spent(NamedTuple):
    """What a pass over all files took: its CPU seconds, those of each stage, and how often each began."""

    total: float
    seconds: Counter[str]
    calls: Counter[str]


def main() -> None:
    """Run the benchmark."""
    arguments = _arguments()
    texts = [text for tree in arguments.trees for text in texts_of(tree, arguments.all)][: arguments.files]
    if not texts:
        sys.exit("no CUDA sources there")
    profile = by_module if arguments.modules else by_stage
    parse = bare_parse()
    _translate(texts)  # imports modules, loads tables, compiles expressions
    gc.collect()
    gc.freeze()
    parses, translations, profiles = [], [], []
    for _ in range(arguments.rounds):
        parses.append(_seconds(lambda: [parse(text.data) for text in texts]))
        translations.append(_seconds(lambda: _translate(texts)))
        profiles.append(profile(texts))
    size = sum(len(text.data) for text in texts)
    print(f"{len(texts)} files, {size / 1e6:.2f} MB; medians of {arguments.rounds} rounds; a bare parse is 100")
    _show(profiles, statistics.median(parses), arguments.least)
    figures = [statistics.median(some) for some in (parses, translations, [each.total for each in profiles])]
    parsed, plain, profiled = figures
    print(f"bare parse {parsed:.3f} s, translation {100 * plain / parsed:.0f}, profiled {100 * profiled / parsed:.0f}")


def _arguments() -> argparse.Namespace:
    parser = argument_parser(__doc__, rounds=3)
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE", help="a folder with CUDA sources")
    parser.add_argument("--all", action="store_true", help="take C and C++ sources with CUDA in them, too")
    parser.add_argument("--files", type=int, metavar="N", help="take the first N files only")
    parser.add_argument("--modules", action="store_true", help="which module is at work, instead of which stage")
    parser.add_argument(
        "--least", type=float, metavar="N", default=1.0, help="show what takes at least N of 100 (default: 1)"
    )
    return parser.parse_args()


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _translate(texts: Iterable[Text]) -> None:
    for data, path in texts:
        translate(data, path=path)


def by_stage(texts: Iterable[Text]) -> Spent:
    """Translate with a clock at each stage."""
    clocks = _Clocks()
    with clocks.installed():
        total = _seconds(lambda: clocks.timed(REST, _translate)(texts))
    return Spent(total, clocks.seconds, clocks.calls)


class _Clocks:
    """One clock at a time runs: that of the stage that began last, and has not ended."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self._running = [REST]
        self._since = time.process_time()

    def begin(self, stage: str) -> None:
        """Stop the running clock, and start a stage's."""
        now = time.process_time()
        self.seconds[self._running[-1]] += now - self._since
        self._running.append(stage)
        self._since = now

    def end(self) -> None:
        """Stop the running clock, and let the one before it go on."""
        now = time.process_time()
        self.seconds[self._running.pop()] += now - self._since
        self._since = now

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function with a clock."""

        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            self.calls[stage] += 1
            self.begin(stage)
            try:
                return function(*args, **kwargs)
            finally:
                self.end()

        return run

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Every stage has its clock as long as this lasts."""
        with ExitStack() as stack:
            for stage, module, name in STAGES:
                stack.enter_context(self._on(stage, module, name))
            stack.enter_context(self._on_rules())
            stack.enter_context(self._on_parser())
            stack.enter_context(self._on_analyses())
            yield

    def _on(self, stage: str, module: str, name: str) -> AbstractContextManager[object]:
        *owners, last = name.split(".")
        owner: Any = functools.reduce(getattr, owners, import_module(module))
        found = vars(owner)[last]
        if isinstance(found, property):
            return mock.patch.object(owner, last, property(self.timed(stage, found.fget)))  # type: ignore[arg-type]
        return mock.patch.object(owner, last, self.timed(stage, found))

    def _on_rules(self) -> AbstractContextManager[object]:
        rules_for = passes.rules_for

        def timed_rules(unit: Unit) -> list[SimpleNamespace]:
            return [SimpleNamespace(apply=self._rule(rule)) for rule in rules_for(unit)]

        return mock.patch.object(passes, "rules_for", timed_rules)

    def _rule(self, rule: Rule) -> Callable[..., Any]:
        return self.timed(
            f"rule {type(rule).__module__.removeprefix('hipify_py.rules.')}", lambda u: list(rule.apply(u))
        )

    def _on_parser(self) -> AbstractContextManager[object]:
        from hipify_py.frontend import parsed_source

        parser_of = parsed_source.parser_of

        @functools.cache
        def timed_parser(grammar: str) -> _TimedParser:
            parser = parser_of(grammar)
            return _TimedParser(parser, self.timed("parse", parser.parse))

        return mock.patch.object(parsed_source, "parser_of", timed_parser)

    def _on_analyses(self) -> AbstractContextManager[object]:
        make = Unit.analysis

        @functools.cache
        def timed(kind: Callable[[Unit], Any]) -> Callable[..., Any]:
            return self.timed(f"analysis {_place(kind.__module__)} {kind.__qualname__}", make)

        def analysis(unit: Unit, kind: Callable[[Unit], Any]) -> Any:
            return (make if kind in unit._analyses else timed(kind))(unit, kind)

        return mock.patch.object(Unit, "analysis", analysis)


class _TimedParser:
    """A parser with a clock; whatever else is asked of it or set is the parser's."""

    def __init__(self, parser: Parser, parse: Callable[..., Tree]) -> None:
        vars(self).update(_parser=parser, parse=parse)

    def __getattr__(self, name: str) -> object:
        return getattr(self._parser, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._parser, name, value)


def by_module(texts: Iterable[Text]) -> Spent:
    """Translate, and look at times which module is at work."""
    seconds: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    since = time.process_time()

    def look(_: int, frame: FrameType | None) -> None:
        nonlocal since
        now = time.process_time()
        module = _module_at_work(frame)
        seconds[module] += now - since
        calls[module] += 1
        since = now

    before = signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, _INTERVAL, _INTERVAL)
    try:
        total = _seconds(lambda: _translate(texts))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return Spent(total, seconds, calls)


def _module_at_work(frame: FrameType | None) -> str:
    """The module of hipify_py whose function runs, or has called what runs."""
    while frame is not None:
        name: str = frame.f_globals.get("__name__", "")
        if name.startswith("hipify_py."):
            return _place(name)
        frame = frame.f_back
    return REST


def _place(module: str) -> str:
    return module.removeprefix("hipify_py.")


def _show(passes: Sequence[Spent], parsed: float, least: float) -> None:
    """Print the stages by their time, families of rules and analyses together as well."""
    seconds = {stage: statistics.median(each.seconds[stage] for each in passes) for stage in passes[0].seconds}
    total = sum(seconds.values())
    shown = sorted(((spent, stage) for stage, spent in seconds.items() if 100 * spent / parsed >= least), reverse=True)
    calls = passes[-1].calls
    rows = [_row(stage, spent, parsed, total, str(calls[stage] or "")) for spent, stage in shown]
    left = total - sum(spent for spent, _ in shown)
    rows.append(_row(f"{len(seconds) - len(shown)} smaller ones", left, parsed, total, ""))
    rows.append(_row("all of it", total, parsed, total, ""))
    show_table(["", "of 100", "share", "times"], rows)
    print()
    groups: Counter[str] = Counter()
    for stage, spent in seconds.items():
        groups[_group(stage)] += spent
    show_table(
        ["", "of 100", "share", ""], [_row(group, sum_, parsed, total, "") for group, sum_ in groups.most_common()]
    )
    print()


def _row(stage: str, spent: float, parsed: float, total: float, calls: str) -> list[str]:
    return [stage, f"{100 * spent / parsed:.1f}", f"{100 * spent / total:.1f} %", calls]


def _group(stage: str) -> str:
    """What a stage belongs to: the rules of a family, the analyses of a package, else itself."""
    kind, _, name = stage.partition(" ")
    if kind in {"rule", "analysis"}:
        package = ".".join(name.split()[0].removeprefix("analysis.").split(".")[:-1])
        return f"{'rules' if kind == 'rule' else 'analyses'}: {package}"
    return ".".join(stage.split(".")[:-1]) or stage


if __name__ == "__main__":
    main()
