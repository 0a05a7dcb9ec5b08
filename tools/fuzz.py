"""Translates mutated CUDA sources for a while, and holds every result to the laws.

    python tools/fuzz.py [--cpu-seconds 60] [--seed 0] [--sources DIR]... [--findings DIR]

Half of the mutations keep a source valid: they change white space, comments and the project's own names, or put
`#if` sections around whole lines. The others damage it: bytes or tokens are cut, doubled, swapped, inserted or
spliced in from another source, so that brackets, strings, comments and directives end anywhere. Each input is
translated with options drawn at random.

The laws: no input may raise; none below 100 kB may take more than two seconds of processor time; no byte outside
the edits may change; and a second translation changes nothing more, whether the source was valid or damaged.

An input that breaks a law is cut down for as long as it breaks the same one, and written to the folder of
findings beside its options. The last lines sum up; the exit status is 1 when a law was broken.
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import sys
import time
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from hipify_py import Options, Translation, UnreadableSource, translate
from hipify_py.catalog import Targeting, load_catalog
from hipify_py.core.options import GROUPS

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
SUFFIXES = (".cu", ".cuh", ".h", ".hpp", ".cpp", ".hip")
LARGEST = 100_000
"""Bytes of an input; larger sources are left out."""

SLOW = 2.0
"""Seconds of processor time that one translation may take."""

_CUT_DOWN = 30.0
"""Seconds of processor time that go into making one finding smaller."""

_TOKENS = re.compile(rb"[A-Za-z_]\w*|\d[\w.']*|<<<|>>>|::|->|\+\+|--|<<|>>|&&|\|\||\s+|//[^\n]*|/\*.*?\*/|.", re.DOTALL)
_SPANNING = re.compile(
    rb'//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)|R"([^\s()]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.DOTALL
)
_WORD = re.compile(rb"[a-z][a-z_]{2,}\d*\Z")
_SPACE = re.compile(rb"[ \t]+\Z")

_INSERTED = tuple(
    b'<<< >>> ( ) { } [ ] < > , ; : :: . -> = == & && * # ## ! ~ ? " \' \\ \\\n // /* */ R"( )" \n #if\n #else\n'
    b" #endif\n #define #undef #include 0 1 0xffffffff 32 warpSize threadIdx.x asm asm( volatile __asm__ template"
    b" typename using namespace struct class enum operator return if for while switch case auto decltype lambda"
    b" __global__ __device__ __shared__ __launch_bounds__( dim3 half __nv_bfloat16 cudaMalloc cudaMemcpy( cudaFree"
    b" cudaStream_t __shfl_sync( __ballot_sync( __syncwarp cub:: thrust:: cooperative_groups:: cublasSgemm("
    b" cudnnHandle_t CUdeviceptr __CUDA_ARCH__ CUDART_VERSION".split(b" ")
)


class Input(NamedTuple):
    """What is translated.

    Attributes:
        data: the source.
        path: the name that it is given; its suffix matters.
        options: the user's choices.
        valid: its mutations keep a source valid.
    """

    data: bytes
    path: str
    options: Options
    valid: bool


def main() -> int:
    """Run until the time is up; 1 when some input broke a law."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu-seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sources", type=Path, action="append", help="folders of sources [the corpus]")
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    arguments = parser.parse_args()
    sources = read_sources(arguments.sources or [CORPUS])
    draw = random.Random(arguments.seed)
    tally: Counter[str] = Counter()
    for tried in inputs(draw, sources, arguments.cpu_seconds):
        tally["valid inputs" if tried.valid else "damaged inputs"] += 1
        law = broken_law(tried)
        if law:
            tally[f"{_kind(law)} ({'valid' if tried.valid else 'damaged'})"] += 1
            name = f"{arguments.seed}-{tally['valid inputs'] + tally['damaged inputs']}"
            small = smallest(tried, law)
            write_finding(arguments.findings, name, small, broken_law(small) or law)
            print(f"{name}: {law[:200]}", flush=True)
    for what, count in sorted(tally.items()):
        print(f"{what}: {count}")
    print(f"{time.process_time():.0f} s of processor time, seed {arguments.seed}")
    return int(any("inputs" not in what for what in tally))


def inputs(draw: random.Random, sources: list[bytes], seconds: float) -> Iterator[Input]:
    """Inputs until the processor time is used up, or until somebody interrupts the run, whose sums are told then."""
    stopped: list[int] = []
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda number, frame: stopped.append(number))
    while not stopped and time.process_time() < seconds:
        yield draw_input(draw, sources)


def read_sources(folders: Sequence[Path]) -> list[bytes]:
    """The sources below the folders that are small enough to be mutated."""
    paths = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in SUFFIXES)
    texts = [path.read_bytes() for path in paths if path.is_file()]
    return [text for text in texts if 0 < len(text) < LARGEST and b"\0" not in text]


def draw_input(draw: random.Random, sources: list[bytes]) -> Input:
    """A mutated source with a name and options."""
    data = draw.choice(sources)
    valid = draw.random() < 0.5
    kinds = VALID if valid else DAMAGING
    for _ in range(draw.randint(1, 4)):
        data = draw.choice(kinds)(draw, data, sources)
    return Input(data[:LARGEST], f"fuzz{draw.choice(SUFFIXES)}", draw_options(draw), valid)


def draw_options(draw: random.Random) -> Options:
    """Options as a user could ask for them."""
    return Options(
        launch=draw.choice(("ggl", "chevron")),
        experimental=draw.random() < 0.2,
        support=draw.random() < 0.8,
        annotate=draw.random() < 0.3,
        fixes=frozenset(fix for fix in GROUPS if draw.random() < 0.6)
        | frozenset(id for id in mendable() if draw.random() < 0.2),
        implicit_runtime=draw.random() < 0.9,
        targeting=Targeting(
            cuda=draw.choice(("", "", "11.8", "12.9")),
            rocm=draw.choice(("", "", "6.2", "7.1")),
            target=draw.choice(("hip", "hip", "roc")),
            tables=(),
        ),
    )


@cache
def mendable() -> tuple[str, ...]:
    """The ids of findings that may have a fix."""
    return tuple(entry.id for entry in load_catalog().diagnostics() if entry.applicability)


def broken_law(tried: Input) -> str:
    """What the translation of an input breaks; empty when all is well."""
    start = time.process_time()
    try:
        result = translate(tried.data, path=tried.path, options=tried.options)
        middle = time.process_time()
        again = translate(result.output, path=tried.path, options=tried.options)
    except UnreadableSource:
        return ""
    except Exception as error:
        return f"raised {type(error).__name__}: {error}"
    end = time.process_time()
    if max(middle - start, end - middle) > SLOW:
        return f"took long: {max(middle - start, end - middle):.1f} s for {len(tried.data)} bytes"
    if not _keeps_other_bytes(tried.data, result):
        return "changed bytes outside of its edits"
    if again.edits:
        first = again.edits[0]
        around = result.output[max(0, first.start - 60) : first.end + 30]
        return f"changed again: {result.output[first.start : first.end]!r} -> {first.text!r} near {around!r}"
    return ""


def _kind(law: str) -> str:
    return law.partition(":")[0]


def _keeps_other_bytes(data: bytes, result: Translation) -> bool:
    rebuilt, done = b"", 0
    for start, end, text in result.edits:
        if start < done:
            return False
        rebuilt += data[done:start] + text
        done = end
    return rebuilt + data[done:] == result.output


def smallest(tried: Input, law: str) -> Input:
    """The input with as many of its lines, then tokens, left out as may go while it breaks the same law."""
    until = time.process_time() + _CUT_DOWN

    def breaks(pieces: list[bytes]) -> bool:
        return _kind(broken_law(tried._replace(data=b"".join(pieces)))) == _kind(law)

    data = tried.data
    for split in (lambda text: text.splitlines(keepends=True), _TOKENS.findall):
        pieces = split(data)
        size = max(1, len(pieces) // 2)
        while size and time.process_time() < until:
            at = 0
            while at < len(pieces) and time.process_time() < until:
                rest = pieces[:at] + pieces[at + size :]
                if breaks(rest):
                    pieces = rest
                else:
                    at += size
            size //= 2
        data = b"".join(pieces)
    return tried._replace(data=data)


def write_finding(folder: Path, name: str, tried: Input, law: str) -> None:
    """Write an input, and beside it the options and the law that it breaks."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}{Path(tried.path).suffix}").write_bytes(tried.data)
    (folder / f"{name}.txt").write_text(f"{law}\nvalid: {tried.valid}\n{tried.options!r}\n")


# Mutations that keep a source valid.


def _reformat(draw: random.Random, data: bytes, sources: list[bytes]) -> bytes:
    """Other white space between tokens, outside directives, literals and comments."""
    del sources
    lines = data.split(b"\n")
    begun_before = _begun_before(lines)
    for _ in range(draw.randint(1, 30)):
        at = draw.randrange(len(lines))
        if _is_plain(lines, at, begun_before):
            tokens = _TOKENS.findall(lines[at])
            spaces = [index for index, token in enumerate(tokens) if _SPACE.match(token)]
            if spaces:
                tokens[draw.choice(spaces)] = draw.choice((b"  ", b"\t", b"\n", b" /* x */ ", b" \n    ", b" // y\n"))
                lines[at] = b"".join(tokens)
    return b"\n".join(lines)


def _is_plain(lines: list[bytes], at: int, begun_before: set[int]) -> bool:
    """A line without directives, literals, comments and continuations, which white space cannot hurt."""
    if at in begun_before:
        return False
    line = lines[at]
    before = lines[at - 1] if at else b""
    return not (
        re.search(rb"[\"'#\\]|//|/\*|\*/", line)
        or before.endswith((b"\\", b"\\\r"))
        or b'"' in before
        or line.endswith(b"\r")
    )


def _begun_before(lines: list[bytes]) -> set[int]:
    """The lines whose beginnings lie in a block comment, a raw string, or a comment that goes on to the next line."""
    found: set[int] = set()
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    for match in _SPANNING.finditer(b"\n".join(lines)):
        found.update(range(bisect_right(starts, match.start()), bisect_left(starts, match.end())))
    return found


def _rename(draw: random.Random, data: bytes, sources: list[bytes]) -> bytes:
    """Another name for one of the source's own words, wherever it stands."""
    del sources
    words = sorted(set(re.findall(rb"(?<![\w#.])[a-z][a-z_]{2,}(?=\s*[=;,\[])", data)) - _KEYWORDS)
    if not words:
        return data
    word = draw.choice(words)
    return re.sub(rb"(?<!\w)" + word + rb"(?!\w)", word + draw.choice((b"_", b"2", b"_of_mine")), data)


_KEYWORDS = frozenset(
    b"break continue else return case default void char int long short unsigned signed float double bool auto const"
    b" extern static register volatile inline struct class enum union namespace using typename template this true false"
    b" nullptr sizeof operator new delete public private protected virtual half defined include if elif endif define"
    b" once pragma std".split()
)


def _sectioned(draw: random.Random, data: bytes, sources: list[bytes]) -> bytes:
    """A whole source within `#if` sections, in one or both branches."""
    del sources
    head = draw.choice(
        (
            b"#if 1\n",
            b"#ifdef __CUDACC__\n",
            b"#ifndef NOT_DEFINED\n",
            b"#if !defined(USE_CPU)\n",
            b"#if __CUDA_ARCH__ >= 700\n",
        )
    )
    return head + data + (b"" if data.endswith(b"\n") else b"\n") + draw.choice((b"#endif\n", b"#else\n#endif // x\n"))


def _line_ends(draw: random.Random, data: bytes, sources: list[bytes]) -> bytes:
    del draw, sources
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _commented(draw: random.Random, data: bytes, sources: list[bytes]) -> bytes:
    """Comments with brackets, quotes and CUDA's words on lines of their own."""
    del sources
    lines = data.split(b"\n")
    for _ in range(draw.randint(1, 10)):
        at = draw.randrange(len(lines))
        if _is_plain(lines, at, _begun_before(lines)):
            lines.insert(
                at, draw.choice((b"// reduce (sum", b"/* cudaFree(x) { */", b"// it's <<<1, 2>>>", b'/* } */ // "'))
            )
    return b"\n".join(lines)


def _never_all_hip(draw: random.Random, data: bytes, sources: list[bytes]) -> bytes:
    """A call that HIP has nothing for, so that the second translation does not take the source for HIP."""
    del sources
    call = draw.choice((b"cudaGridDependencySynchronize()", b"cudaNotYetKnown(0)", b"nvmlInit()"))
    end = b"" if data.endswith(b"\n") else b"\n"
    return data + end + b"inline void stays_cuda() { " + call + b"; }\n"


# Mutations that damage a source.


def _bytes(draw: random.Random, data: bytes, sources: list[bytes]) -> bytes:
    first, last = _span(draw, data)
    match draw.randrange(6):
        case 0:
            return data[:first] + data[last:]
        case 1:
            return data[:last] + data[first:last] + data[last:]
        case 2:
            other = draw.choice(sources)
            start = draw.randrange(len(other) + 1)
            return data[:first] + other[start : start + draw.choice((3, 60, 2000))] + data[last:]
        case 3:
            return data[:first] + bytes(draw.choice(b"<>(){};,\"'#/\\*\n:.& ") for _ in range(3)) + data[first:]
        case 4:
            return data[:first] + bytes(draw.randrange(1, 256) for _ in range(draw.choice((1, 2, 8)))) + data[last:]
        case _:
            return data[:first]


def _span(draw: random.Random, data: bytes) -> tuple[int, int]:
    first = draw.randrange(len(data) + 1)
    return first, min(len(data), first + draw.choice((1, 8, 200, 4000)))


def _tokens(draw: random.Random, data: bytes, sources: list[bytes]) -> bytes:
    tokens = _TOKENS.findall(data)
    if not tokens:
        return data
    for _ in range(draw.randint(1, 5)):
        at = draw.randrange(len(tokens))
        match draw.randrange(5):
            case 0:
                tokens[at] = b""
            case 1:
                tokens.insert(at, draw.choice(_INSERTED))
            case 2:
                other = draw.randrange(len(tokens))
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3:
                tokens[at] = draw.choice(_INSERTED)
            case _:
                theirs = _TOKENS.findall(draw.choice(sources)[:20_000])
                start = draw.randrange(len(theirs) + 1)
                tokens[at:at] = theirs[start : start + draw.choice((1, 5, 30))]
    return b"".join(tokens)


Mutation = Callable[[random.Random, bytes, list[bytes]], bytes]

VALID: tuple[Mutation, ...] = (
    _reformat,
    _reformat,
    _rename,
    _sectioned,
    _line_ends,
    _commented,
    _never_all_hip,
    _never_all_hip,
)
DAMAGING: tuple[Mutation, ...] = (_bytes, _tokens, _tokens)


if __name__ == "__main__":
    sys.exit(main())
