"""Translates mutated corpus sources for a while, and holds every result to the laws.

    python tools/fuzz.py [--seconds 60] [--seed 0]

A mutation cuts, doubles, swaps or splices pieces of real CUDA sources, so that brackets, strings, comments and
directives end anywhere. No input may raise, take long, change a byte outside the edits, or change again when it
is translated a second time. What breaks a law is written to the folder `fuzz-findings`; the exit status is 1 then.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

from hipify_py import Options, Translation, UnreadableSource, translate

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
SLOW = 5.0
"""Seconds that a source of corpus size may take, by far."""


def mutate(random_: random.Random, sources: list[bytes]) -> bytes:
    """One to four mutations of a source."""
    data = random_.choice(sources)
    for _ in range(random_.randint(1, 4)):
        first, last = sorted(random_.randrange(len(data) + 1) for _ in range(2))
        last = min(last, first + random_.choice((1, 8, 200, 4000)))
        piece = data[first:last]
        match random_.randrange(5):
            case 0:
                data = data[:first] + data[last:]
            case 1:
                data = data[:last] + piece + data[last:]
            case 2:
                other = random_.choice(sources)
                start = random_.randrange(len(other) + 1)
                data = data[:first] + other[start : start + random_.choice((3, 60, 2000))] + data[last:]
            case 3:
                data = data[:first] + bytes(random_.choice(b"<>(){};,\"'#/\\*\n:.& ") for _ in range(3)) + data[first:]
            case _:
                data = data[:first]
    return data


def broken_law(data: bytes, options: Options) -> str:
    """What the translation of an input breaks; empty when all is well."""
    start = time.monotonic()
    try:
        result = translate(data, path="fuzz.cu", options=options)
        again = translate(result.output, path="fuzz.cu", options=options)
    except UnreadableSource:
        return ""
    except Exception as error:
        return f"raised {type(error).__name__}: {error}"
    if time.monotonic() - start > SLOW:
        return "took too long"
    if not _keeps_other_bytes(data, result):
        return "changed bytes outside of its edits"
    if again.edits:
        return f"changed again: {again.edits[0]}"
    return ""


def _keeps_other_bytes(data: bytes, result: Translation) -> bool:
    rebuilt, done = b"", 0
    for start, end, text in result.edits:
        if start < done:
            return False
        rebuilt += data[done:start] + text
        done = end
    return rebuilt + data[done:] == result.output


def main() -> int:
    """Run until the time is up; 1 when some input broke a law."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    sources = [path.read_bytes() for path in sorted(CORPUS.rglob("*.cu*"))]
    random_ = random.Random(arguments.seed)
    end = time.monotonic() + arguments.seconds
    tried, broken = 0, 0
    while time.monotonic() < end:
        data = mutate(random_, sources)
        law = broken_law(data, Options(launch=random_.choice(("ggl", "chevron"))))
        tried += 1
        if law:
            broken += 1
            folder = Path("fuzz-findings")
            folder.mkdir(exist_ok=True)
            (folder / f"{arguments.seed}-{tried}.cu").write_bytes(data)
            print(f"{arguments.seed}-{tried}: {law}")
    print(f"{tried} inputs, {broken} broke a law")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
