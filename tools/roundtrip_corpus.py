"""Converts the corpus to HIP and holds it against CUDA: what nvcc makes of it through `header --to-cuda`.

    python tools/roundtrip_corpus.py --emit DIR [PROGRAM ...]    # convert --dual; DIR then needs bash and nvcc alone
    python tools/roundtrip_corpus.py --emit DIR --plain          # convert for HIP alone
    bash DIR/run.sh [PROGRAM ...]                                # compile, and run where there is a GPU
    python tools/roundtrip_corpus.py --check DIR                 # hold what was printed against expected.txt

`NVCC_FLAGS` adds flags, such as `-I` for headers of libraries that the toolkit does not have; `COMPILE_ONLY=1`
compiles without linking or running. A program whose manifest says `roundtrip: <why not>` uses what only one side has.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hipify_py import Options, convert  # noqa: E402
from hipify_py.catalog import load_catalog  # noqa: E402
from hipify_py.nvcc_compat.tree import header_tree  # noqa: E402

CORPUS = ROOT / "corpus"
AS_HIPCC = "-DHIPIFY_AS_HIPCC"
"""What sources need that were converted for HIP alone."""

_HEAD = """\
#!/usr/bin/env bash
# Compiles each program with nvcc, and runs it where there is a GPU; what became of it goes to out/PROGRAM.status.
cd "$(dirname "$0")" || exit 2
mkdir -p out build
here=$PWD
wanted=" $* "
arch=${ARCH:-native}
[ -n "$COMPILE_ONLY" ] && arch=${ARCH:-sm_90}

one() {  # PROGRAM SOURCES FLAGS
    [ "$wanted" = "  " ] || [[ "$wanted" == *" $1 "* ]] || return
    local status=out/$1.status log=out/$1.log binary=$here/build/$1
    local -a link=(-o "$binary")
    [ -n "$COMPILE_ONLY" ] && { mkdir -p "$binary.o"; link=(-c -odir "$binary.o"); }
    # Clang calls constexpr functions of the host in device code without being told to.
    # shellcheck disable=SC2086
    if ! (cd "$1" && nvcc -std=c++17 -arch="$arch" --expt-relaxed-constexpr -w -I "$here/include" "${link[@]}" \\
            $2 $3 $NVCC_FLAGS) >"$log" 2>&1; then
        echo "not compiled" >"$status"
    elif [ -n "$COMPILE_ONLY" ]; then
        echo compiled >"$status"
    else
        timeout 120 "$binary" >"out/$1.txt" 2>>"$log"
        echo "exit $?" >"$status"
    fi
    echo "$1: $(cat "$status")"
}

if [ -n "$JOBS" ]; then JOBS=$JOBS; else JOBS=$(nproc); fi
"""


def manifest(program: str) -> dict[str, Any]:
    """What a program says of itself."""
    about: dict[str, Any] = yaml.safe_load((CORPUS / program / "program.yaml").read_text(encoding="utf-8"))
    return about


def all_programs() -> list[str]:
    """The programs that run on one GPU and use what both sides have."""
    names = sorted(path.parent.name for path in CORPUS.glob("*/program.yaml"))
    return [name for name in names if manifest(name)["gpu"] and "roundtrip" not in manifest(name)]


def emit(folder: Path, programs: Sequence[str], *, dual: bool) -> None:
    """Write the converted programs, the headers and a script that needs nothing of hipify-py."""
    for path, text in header_tree(load_catalog()).items():
        place = folder / "include" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    lines = []
    for program in programs:
        about = manifest(program)
        shutil.rmtree(folder / program, ignore_errors=True)
        convert([CORPUS / program], output=folder / program, options=Options(dual=dual), jobs=1)
        sources, flags = shlex.join(about["sources"]), shlex.join([*about["nvcc"], *([] if dual else [AS_HIPCC])])
        lines.append(f"one {program} {shlex.quote(sources)} {shlex.quote(flags)} &\n")
        lines.append('while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do wait -n; done\n')
    (folder / "run.sh").write_text(_HEAD + "".join(lines) + "wait\n", encoding="utf-8")


def check(folder: Path) -> int:
    """Print how each program ended; the number of those that did not do what the CUDA program did."""
    bad = 0
    for status in sorted(folder.glob("out/*.status")):
        program = status.name.removesuffix(".status")
        ended = status.read_text(encoding="utf-8").strip()
        recorded = CORPUS / program / "expected.txt"
        if ended == "exit 0" and recorded.is_file():
            printed = (folder / "out" / f"{program}.txt").read_bytes()
            ended = "same output" if printed == recorded.read_bytes() else "OTHER OUTPUT"
        elif ended == "exit 0":
            ended = "ran; there is no recorded output"
        bad += ended not in ("same output", "compiled", "ran; there is no recorded output")
        print(f"{program}: {ended}")
    print(f"{bad} of {len(list(folder.glob('out/*.status')))} failed")
    return bad


def main() -> int:
    """Do what is asked for; 1 when a program fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emit", type=Path, metavar="DIR")
    parser.add_argument("--check", type=Path, metavar="DIR")
    parser.add_argument("--plain", action="store_true", help="convert without --dual")
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    if arguments.emit is None and arguments.check is None:
        parser.error("give --emit DIR or --check DIR")
    if arguments.emit is not None:
        emit(arguments.emit, arguments.programs or all_programs(), dual=not arguments.plain)
    return int(arguments.check is not None and check(arguments.check) > 0)


if __name__ == "__main__":
    sys.exit(main())
