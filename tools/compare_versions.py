"""Translates source trees with two checkouts of hipify-py, and tells what differs.

    python tools/compare_versions.py --old DIR --new DIR [--results DIR] TREE...

Each checkout works in a process of its own, with its own table cache and on one core, and takes each tree as
`hipify_py.convert` takes a project, so that what one file says of another enters. Only the trees' C, C++ and CUDA
files are taken, whatever `.gitignore` says of them; the trees themselves stay as they are.

`DIR/changes.jsonl` of `--results` holds one line for each file whose output or findings differ:

    tree, file              which file
    status                  the old and the new status, where they differ
    diff                    the unified diff of the outputs, empty where they are the same
    appeared, vanished      findings of the new or of the old version only
    changed                 pairs of findings at the same place that differ in their id, severity, column or message
    second_pass             with `--second-pass`: what the new version changes when it translates its output again

`DIR/summary.txt`, printed as well, adds up: files, findings by id, the most frequent changes of the output (each with
one place), and the time that each version took.

Translations by a commit are kept, under `--results` or in a `--store` that several runs share, and are not made again.
A checkout with uncommitted changes is translated with every time.

The exit status is 0 when nothing differs, 1 when something does, and 2 when a version failed on a tree.
"""

from __future__ import annotations

import argparse
import difflib
import fnmatch
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

SOURCES = re.compile(r"\.(cu|cuh|cui|cuinc|hu|hip|c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|h\+\+|inl|inc|ipp|tpp|tcc|txx)$")
"""Names of the files that a tree is reduced to: all that either version could translate."""

FREQUENT = 40
"""How many of the most frequent output changes the summary lists."""

_LEXEMES = re.compile(rb"\w+|\s+|[^\w\s]")
_SHOWN = 100
"""Bytes of a change that the summary shows."""


class Finding(NamedTuple):
    """A finding as both versions tell it."""

    line: int
    column: int
    id: str
    severity: str
    message: str


class Side(NamedTuple):
    """One of the two versions.

    Attributes:
        checkout: its folder.
        options: the keywords of `hipify_py.Options`.
        store: the folder of its translations, a folder for each tree.
    """

    checkout: Path
    options: Mapping[str, Any]
    store: Path


class Translated(NamedTuple):
    """A tree as one version translated it.

    Attributes:
        files: each file's status and findings.
        output: the folder of the translated files.
        seconds: the wall time.
        cpu: the CPU time.
        error: the traceback of a version that failed on the whole tree.
        kept: it was translated by an earlier run.
    """

    files: Mapping[str, tuple[str, list[Finding]]]
    output: Path
    seconds: float
    cpu: float
    error: str
    kept: bool


class TreeChanges(NamedTuple):
    """What differs in one tree: the lines of `changes.jsonl`, and both translations."""

    tree: str
    old: Translated
    new: Translated
    changes: list[dict[str, Any]]


def main() -> int:
    """Run the command line."""
    arguments = _arguments()
    with tempfile.TemporaryDirectory(prefix="compare-versions-") as scratch:
        results = (arguments.results or Path(scratch) / "results").resolve()
        results.mkdir(parents=True, exist_ok=True)
        store = (arguments.store or results / "translated").resolve()
        sides = [
            _side(checkout, options, store)
            for checkout, options in ((arguments.old, arguments.old_options), (arguments.new, arguments.new_options))
        ]
        trees = _named(arguments.trees)
        shadows = Path(scratch) / "trees"
        for name, tree in trees.items():
            _shadow(tree, shadows / name, arguments.exclude)
        made = [_translate(side, shadows, list(trees), reuse=not arguments.afresh) for side in sides]
        again = _second_pass(sides[1], made[1], Path(scratch) / "outputs") if arguments.second_pass else {}
        compared = [
            TreeChanges(name, old, new, compare(name, old, new, again.get(name), wording=arguments.wording))
            for name, old, new in ((name, made[0][name], made[1][name]) for name in trees)
        ]
        with open(results / "changes.jsonl", "w", encoding="utf-8") as file:
            file.writelines(json.dumps(change) + "\n" for tree in compared for change in tree.changes)
        summary = "".join(f"{line}\n" for line in summarise(compared))
        (results / "summary.txt").write_text(summary, encoding="utf-8")
        print(summary, end="")
    if any(tree.old.error or tree.new.error for tree in compared):
        return 2
    return 1 if any(tree.changes for tree in compared) else 0


def compare(
    tree: str, old: Translated, new: Translated, again: Translated | None = None, *, wording: bool = True
) -> list[dict[str, Any]]:
    """The changes of one tree, file by file.

    Args:
        again: the new version's translation of its own output.
        wording: messages that only say it otherwise are a change, too.
    """
    changes = []
    for name in sorted(old.files.keys() | new.files.keys()):
        old_status, old_findings = old.files.get(name, ("missing", []))
        new_status, new_findings = new.files.get(name, ("missing", []))
        diff = _diff(old.output / name, new.output / name, f"old/{name}", f"new/{name}")
        second = _diff(new.output / name, again.output / name, f"first/{name}", f"second/{name}") if again else ""
        appeared, vanished, changed = match_findings(old_findings, new_findings, wording)
        if diff or second or appeared or vanished or changed or old_status != new_status:
            changes.append(
                {
                    "tree": tree,
                    "file": name,
                    **({"status": [old_status, new_status]} if old_status != new_status else {}),
                    "diff": diff,
                    "appeared": [finding._asdict() for finding in appeared],
                    "vanished": [finding._asdict() for finding in vanished],
                    "changed": [[before._asdict(), after._asdict()] for before, after in changed],
                    **({"second_pass": second} if second else {}),
                }
            )
    return changes


def match_findings(
    old: Iterable[Finding], new: Iterable[Finding], wording: bool = True
) -> tuple[list[Finding], list[Finding], list[tuple[Finding, Finding]]]:
    """The findings that appeared, that vanished, and the pairs that changed at their line.

    Equal findings go first, then those of one line with the same id, then those of one place with another id.
    """
    left, right = sorted(old), sorted(new)
    _paired(left, right, lambda finding: finding if wording else finding[:4])
    changed = [
        *_paired(left, right, lambda finding: (finding.line, finding.id)),
        *_paired(left, right, lambda finding: (finding.line, finding.column)),
    ]
    return right, left, changed


def _paired(left: list[Finding], right: list[Finding], key: Any) -> list[tuple[Finding, Finding]]:
    """Take the findings with equal keys out of both lists, pair by pair."""
    waiting: dict[object, list[Finding]] = {}
    for finding in right:
        waiting.setdefault(key(finding), []).append(finding)
    pairs, alone = [], []
    for finding in left:
        partners = waiting.get(key(finding))
        if partners:
            pairs.append((finding, partners.pop(0)))
        else:
            alone.append(finding)
    left[:] = alone
    right[:] = sorted(finding for findings in waiting.values() for finding in findings)
    return pairs


def summarise(compared: Sequence[TreeChanges]) -> Iterator[str]:
    """The lines of the summary."""
    yield from _table_of_trees(compared)
    yield from _table_of_ids(compared)
    yield from _frequent_changes(compared)
    yield from _changed_again(compared)
    for tree in compared:
        for which, made in (("old", tree.old), ("new", tree.new)):
            if made.error:
                yield ""
                yield f"{tree.tree}: the {which} version failed"
                yield from made.error.rstrip().splitlines()


def _table_of_trees(compared: Sequence[TreeChanges]) -> Iterator[str]:
    yield (
        f"{'tree':28} {'files':>6} {'outputs':>8} {'appeared':>9} {'vanished':>9} {'changed':>8} {'status':>7}"
        f" {'old CPU s':>10} {'new CPU s':>10} {'old wall s':>10} {'new wall s':>10}"
    )
    total = [0] * 6
    times = [0.0] * 4
    for tree in compared:
        counts = [
            len(tree.new.files),
            sum(bool(change["diff"]) for change in tree.changes),
            *(sum(len(change[kind]) for change in tree.changes) for kind in ("appeared", "vanished", "changed")),
            sum("status" in change for change in tree.changes),
        ]
        taken = [tree.old.cpu, tree.new.cpu, tree.old.seconds, tree.new.seconds]
        yield (
            _row(tree.tree, counts, taken)
            + ("  (old kept)" if tree.old.kept else "")
            + ("  (new kept)" if tree.new.kept else "")
        )
        total = [before + more for before, more in zip(total, counts, strict=True)]
        times = [before + more for before, more in zip(times, taken, strict=True)]
    yield _row("all", total, times)


def _row(name: str, counts: Sequence[int], times: Sequence[float]) -> str:
    return f"{name:28} " + " ".join(
        [f"{count:>{width}}" for count, width in zip(counts, (6, 8, 9, 9, 8, 7), strict=True)]
        + [f"{seconds:>10.1f}" for seconds in times]
    )


def _table_of_ids(compared: Sequence[TreeChanges]) -> Iterator[str]:
    old, new = (
        Counter(
            (finding.id, finding.severity)
            for tree in compared
            for _, findings in getattr(tree, which).files.values()
            for finding in findings
        )
        for which in ("old", "new")
    )
    appeared, vanished = (
        Counter(
            (finding["id"], finding["severity"])
            for tree in compared
            for change in tree.changes
            for finding in change[kind]
        )
        for kind in ("appeared", "vanished")
    )
    turned = Counter(
        (before["id"], before["severity"])
        for tree in compared
        for change in tree.changes
        for before, _ in change["changed"]
    )
    yield ""
    yield f"{'finding':16} {'old':>8} {'new':>8} {'appeared':>9} {'vanished':>9} {'changed':>8}"
    for key in sorted(old.keys() | new.keys()):
        counts = (appeared[key], vanished[key], turned[key])
        mark = "" if any(counts) or old[key] != new[key] else "  ="
        yield (
            f"{' '.join(key):16} {old[key]:>8} {new[key]:>8} "
            + " ".join(f"{count:>{width}}" for count, width in zip(counts, (9, 9, 8), strict=True))
            + mark
        )


def _frequent_changes(compared: Sequence[TreeChanges]) -> Iterator[str]:
    """What the lines of the outputs exchange, the most frequent first."""
    count: Counter[tuple[str, str]] = Counter()
    place: dict[tuple[str, str], str] = {}
    for tree in compared:
        for change in tree.changes:
            for line, what in exchanges(change["diff"]):
                count[what] += 1
                place.setdefault(what, f"{tree.tree}/{change['file']}:{line}")
    if count:
        yield ""
        yield f"{sum(count.values())} changes of the outputs, of {len(count)} kinds; places are lines of the new output"
    for what, number in count.most_common(FREQUENT):
        yield f"{number:>6}  {_short(what[0])!r} -> {_short(what[1])!r}  {place[what]}"


def _changed_again(compared: Sequence[TreeChanges]) -> Iterator[str]:
    """The files that a second pass changes, each with its first change."""
    files = [(tree.tree, change) for tree in compared for change in tree.changes if change.get("second_pass")]
    if files:
        yield ""
        yield f"{len(files)} files that a second pass of the new version changes"
    for tree, change in files:
        line, (before, after) = next(exchanges(change["second_pass"]))
        yield f"        {_short(before)!r} -> {_short(after)!r}  {tree}/{change['file']}:{line}"


def exchanges(diff: str) -> Iterator[tuple[int, tuple[str, str]]]:
    """What each change of a unified diff takes away and puts in, as few lexemes as possible, with the new line."""
    old: list[str] = []
    new: list[str] = []
    line = first = 0
    for text in [*diff.splitlines()[2:], "@@"]:
        if text[:1] not in ("-", "+") and (old or new):
            yield from ((first, what) for what in _exchanged("\n".join(old), "\n".join(new)))
            old, new = [], []
        if text.startswith("@@"):
            match = re.match(r"@@ -\S+ \+(\d+)", text)
            line = int(match[1]) if match else line
        elif text.startswith("-"):
            first = first if old or new else line
            old.append(text[1:])
        elif text.startswith("+"):
            first = first if old or new else line
            new.append(text[1:])
            line += 1
        elif not text.startswith("\\"):
            line += 1


def _exchanged(old: str, new: str) -> Iterator[tuple[str, str]]:
    texts = (old.encode(), new.encode())
    left, right = ([lexeme.decode(errors="replace") for lexeme in _LEXEMES.findall(text)] for text in texts)
    if len(left) + len(right) > 2000:  # whole passages; the diff has them
        yield old, new
        return
    for kind, start, end, other_start, other_end in difflib.SequenceMatcher(None, left, right, False).get_opcodes():
        if kind != "equal":
            yield "".join(left[start:end]), "".join(right[other_start:other_end])


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 4] + " ..."


def _diff(old: Path, new: Path, old_name: str, new_name: str) -> str:
    before, after = (path.read_bytes() if path.exists() else b"" for path in (old, new))
    if before == after:
        return ""
    lines = difflib.unified_diff(
        *(data.decode("utf-8", "backslashreplace").splitlines(keepends=True) for data in (before, after)),
        old_name,
        new_name,
        n=2,
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def _side(checkout: Path, options: str, stores: Path) -> Side:
    checkout = checkout.resolve()
    chosen = json.loads(options)
    clean = not _git(checkout, "status", "--porcelain", "--", "hipify_py", "mappings")
    commit = _git(checkout, "rev-parse", "HEAD").strip() if clean else ""
    mark = hashlib.sha256(json.dumps([chosen, str(checkout) if not commit else ""]).encode()).hexdigest()[:8]
    store = stores / f"{commit[:12] or 'uncommitted'}-{mark}"
    if not commit and store.exists():
        shutil.rmtree(store)
    return Side(checkout, chosen, store)


def _git(checkout: Path, *arguments: str) -> str:
    """What git says; something where it says nothing useful, so that nothing is taken for a committed state."""
    done = subprocess.run(["git", "-C", checkout, *arguments], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else "no repository"


def _named(trees: Iterable[Path]) -> dict[str, Path]:
    """The trees by their folders' names, made different where two are the same."""
    named: dict[str, Path] = {}
    for tree in trees:
        tree = tree.resolve()
        name = tree.name
        if named.setdefault(name, tree) != tree:
            named[f"{name}-{hashlib.sha256(os.fsencode(tree)).hexdigest()[:6]}"] = tree
    return named


def _shadow(tree: Path, shadow: Path, exclude: Sequence[str]) -> None:
    """Reduce a tree to its sources: links to its files where the file system can, copies elsewhere."""
    for folder, folders, names in os.walk(tree):
        relative = Path(folder).relative_to(tree)
        folders[:] = [name for name in folders if not _excluded((relative / name).as_posix(), exclude)]
        chosen = [
            name for name in names if SOURCES.search(name) and not _excluded((relative / name).as_posix(), exclude)
        ]
        for name in chosen:
            source = Path(folder, name)
            if source.is_symlink() or not source.is_file():
                continue
            target = shadow / relative / name
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(source, target)
            except OSError:
                shutil.copyfile(source, target)
    shadow.mkdir(parents=True, exist_ok=True)


def _excluded(path: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatch(path, pattern) for pattern in patterns)


def _translate(side: Side, shadows: Path, names: Sequence[str], *, reuse: bool) -> dict[str, Translated]:
    """All trees as one version translates them, by its one process."""
    side.store.mkdir(parents=True, exist_ok=True)
    fingerprints = {name: _fingerprint(shadows / name) for name in names}
    kept = [name for name in names if reuse and _is_kept(side.store / name, fingerprints[name])]
    missing = [name for name in names if name not in kept]
    if missing:
        with tempfile.TemporaryDirectory(prefix="compare-versions-cache-") as cache:
            environment = {
                **os.environ,
                "PYTHONPATH": str(side.checkout),
                "PYTHONSAFEPATH": "1",
                "HIPIFY_PY_CACHE_DIR": cache,
                "HIPIFY_PY_ROCM": "newest",  # whatever is installed here
            }
            order = {
                "checkout": str(side.checkout),
                "options": side.options,
                "store": str(side.store.resolve()),
                "trees": {name: fingerprints[name] for name in missing},
            }
            command = [sys.executable, str(Path(__file__).resolve()), "--work", json.dumps(order)]
            subprocess.run(command, cwd=shadows, env=environment, check=True)
    return {name: _stored(side.store / name, name in kept) for name in names}


def _second_pass(side: Side, made: Mapping[str, Translated], shadows: Path) -> dict[str, Translated]:
    """The trees of a version's output as it translates them once more."""
    names = [name for name, tree in made.items() if not tree.error]
    for name in names:
        _shadow(made[name].output, shadows / name, ())
    return _translate(side._replace(store=side.store / "second-pass"), shadows, names, reuse=True)


def _fingerprint(tree: Path) -> str:
    """Tells a tree that has changed since, or another one of the same name."""
    files = sorted(path for path in tree.rglob("*") if path.is_file())
    entries = [(path.relative_to(tree).as_posix(), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return hashlib.sha256(json.dumps(entries).encode()).hexdigest()


def _is_kept(folder: Path, fingerprint: str) -> bool:
    record = folder / "result.json"
    return record.exists() and json.loads(record.read_text(encoding="utf-8"))["fingerprint"] == fingerprint


def _stored(folder: Path, kept: bool) -> Translated:
    record = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    files = {
        name: (status, [Finding(*finding) for finding in findings])
        for name, (status, findings) in record["files"].items()
    }
    return Translated(files, folder / "output", record["seconds"], record["cpu"], record["error"], kept)


def work(order: Mapping[str, Any]) -> None:
    """Translate trees of the working folder with the version that `PYTHONPATH` names; runs in its process."""
    import hipify_py

    if not Path(hipify_py.__file__).resolve().is_relative_to(order["checkout"]):
        sys.exit(f"{hipify_py.__file__} is not of {order['checkout']}")
    chosen = {name: frozenset(value) if isinstance(value, list) else value for name, value in order["options"].items()}
    options = hipify_py.Options(**chosen)
    hipify_py.translate(b"__global__ void k() {}\n", path="warm.cu", options=options)  # compiles the tables
    for name, fingerprint in order["trees"].items():
        folder = Path(order["store"]) / name
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        record = {"fingerprint": fingerprint, **_work_on(name, folder / "output", options)}
        (folder / "result.json").write_text(json.dumps(record), encoding="utf-8")


def _work_on(name: str, output: Path, options: Any) -> dict[str, Any]:
    import hipify_py

    start, cpu = time.perf_counter(), time.process_time()
    error, files = "", {}
    try:
        report = hipify_py.convert([name], output=output, options=options, jobs=1, gitignore=False)
    except Exception:  # told with the results: one tree must not cost the others
        import traceback

        error = traceback.format_exc()
    else:
        for result in report.results:
            findings = [
                [found.line, found.column, found.id, found.severity, found.message] for found in result.findings
            ]
            files[os.path.relpath(result.path, name)] = (result.status, findings)
    return {
        "files": files,
        "seconds": time.perf_counter() - start,
        "cpu": time.process_time() - cpu,
        "error": error,
    }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE", help="a folder with CUDA sources")
    parser.add_argument("--old", type=Path, required=True, metavar="DIR", help="a checkout of hipify-py")
    parser.add_argument("--new", type=Path, required=True, metavar="DIR", help="the checkout to compare it with")
    parser.add_argument(
        "--results", type=Path, metavar="DIR", help="keep the changes, the summary and the outputs here"
    )
    parser.add_argument("--store", type=Path, metavar="DIR", help="keep the translations here [RESULTS/translated]")
    parser.add_argument(
        "--exclude", action="append", default=[], metavar="GLOB", help="leave these paths of the trees out"
    )
    parser.add_argument(
        "--no-wording", dest="wording", action="store_false", help="take messages at one place for equal"
    )
    parser.add_argument(
        "--second-pass", action="store_true", help="let the new version translate its output again, too"
    )
    parser.add_argument("--afresh", action="store_true", help="translate again what is kept, for its time")
    for side in ("old", "new"):
        parser.add_argument(
            f"--{side}-options",
            default="{}",
            metavar="JSON",
            help=f'keywords of hipify_py.Options for the {side} version, as in \'{{"fixes": ["wavefront"]}}\'',
        )
    return parser.parse_args()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(json.loads(sys.argv[2]))
    else:
        raise SystemExit(main())
