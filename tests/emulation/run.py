"""Runs a CUDA program on the CPU as its translation would run on an AMD GPU, with 32 and with 64 lanes.

    python tests/emulation/run.py FILE.cu [--lanes 64] [--keep FOLDER] [-- --no-fix wavefront]

What stands behind `--` goes to `hipify-py convert`. A folder is translated as a whole, and all its sources are compiled
to one program. The exit status is that of the last program that ran.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import emulation

SOURCES = (".cu", ".cpp", ".cc", ".hip")


def main(arguments: list[str]) -> int:
    """Translate, compile and run; say what each of them says."""
    split = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="a source, or the folder of a program")
    parser.add_argument("--lanes", type=int, choices=(32, 64), action="append", help="the wavefront (default: both)")
    parser.add_argument("--keep", type=Path, help="keep the translation and the programs in this folder")
    parser.add_argument("--flag", action="append", default=[], help="a flag for g++, such as --flag=-DN=4")
    parser.add_argument("--steps", type=int, help="after so many steps of a block's lanes it is a deadlock")
    chosen = parser.parse_args(arguments[:split])
    reason = emulation.why_not()
    if reason:
        sys.exit(f"cannot run: {reason}")
    with tempfile.TemporaryDirectory() as temporary:
        return _run(chosen, arguments[split + 1 :], chosen.keep or Path(temporary))


def _run(chosen: argparse.Namespace, options: list[str], target: Path) -> int:
    source: Path = chosen.source.resolve()
    for finding in emulation.translate(source, target, options):
        place = f"{Path(finding.path).name}:{finding.line}"
        print(f"finding: {place}: {finding.severity} {finding.id} {finding.message}", flush=True)
    names = [source.name]
    if source.is_dir():
        found = (path for path in sorted(source.rglob("*")) if path.suffix in SOURCES)
        names = [path.relative_to(source).as_posix() for path in found]
    status = 0
    for lanes in chosen.lanes or (32, 64):
        print(f"== {lanes} lanes", flush=True)
        try:
            program = emulation.build(target, names, lanes, chosen.flag)
        except emulation.CompilationError as error:
            print(f"does not compile:\n{error}")
            status = 1
            continue
        outcome = emulation.execute(program, steps=chosen.steps)
        print(outcome.output + outcome.messages + f"== exit status {outcome.status}", flush=True)
        status = outcome.status
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
