"""Compares every entry of the PTX tables with its replacement on an NVIDIA GPU.

python tools/ptx_equality.py --emit DIR [--only PREFIX]     writes CUDA programs and DIR/run.sh
bash DIR/run.sh                              on the GPU's machine: needs nvcc and bash, writes DIR/result.txt
python tools/ptx_equality.py --record DIR/result.txt --gpu NAME      writes tests/ptx/equality.yaml
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools.tables.ptx_equality import emit, record, write

RECORD = Path(__file__).resolve().parents[1] / "tests" / "ptx" / "equality.yaml"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--emit", type=Path, metavar="DIR")
    parser.add_argument("--only", default="", metavar="PREFIX", help="only instructions that begin so, such as mad.hi")
    parser.add_argument("--record", type=Path, metavar="FILE")
    parser.add_argument("--gpu", default="")
    arguments = parser.parse_args()
    if arguments.emit:
        print(emit(arguments.emit, arguments.only), "variants")
    if arguments.record:
        known = yaml.safe_load(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}
        gpu = arguments.gpu or known.get("gpu", "")
        write(record(arguments.record.read_text(encoding="utf-8"), gpu, known.get("entries", {})), RECORD)
        print(RECORD)


if __name__ == "__main__":
    main()
