"""What is tried with an installed artefact: the commands, their data files and the Python API."""

from __future__ import annotations

import json
import shutil
import tarfile
from pathlib import Path

from releasing.environment import Environment
from releasing.refusal import Refusal

PROGRAM = "hipify-py"

TABLE = """\
library: ours
title: Our wrappers
functions:
  gpuPoolAlloc: {hip: hipPoolAlloc}
"""

UNSUPPORTED = "void f() { cudaGraphConditionalHandleCreate(0, 0, 0, 0); }\n"

TESTS = ("tests/golden", "tests/catalog/test_user_tables.py")
"""Those of the source distribution that are run from it: they translate the whole corpus, and read tables."""


def try_out(environment: Environment, source: Path, version: str) -> None:
    """Use what is installed in an environment, on the programs of `source`.

    Raises:
        Refusal: when something does not come out as it should.
    """
    _expect("--version", f"{PROGRAM} {version}\n", environment.run(PROGRAM, "--version"))
    example = source / "corpus" / "vector_add" / "vector_add.cu"
    golden = source / "tests" / "golden" / "vector_add" / "vector_add.cu"
    environment.run(PROGRAM, "convert", example.parent, "-o", "hip")
    if (environment.work / "hip" / example.name).read_bytes() != golden.read_bytes():
        raise Refusal("convert: the output is not the golden file")
    _try_headers(environment)
    _try_findings(environment)
    _expect("query", "hipMalloc", environment.run(PROGRAM, "query", "cudaMalloc"))
    _expect("explain", "wavefront", environment.run(PROGRAM, "explain", "HIP301"))
    _try_table(environment)
    code = "import hipify_py; print(hipify_py.translate('cudaFree(p);').output.decode(), hipify_py.__version__)"
    _expect("the Python API", f"hipFree(p); {version}\n", environment.run("python", "-c", code))


def _try_headers(environment: Environment) -> None:
    """The sections of the support header, and the headers for nvcc, are made from data of the package."""
    _expect("header --support", "namespace hipify", environment.run(PROGRAM, "header", "--support", "cg_reduce"))
    environment.run(PROGRAM, "header", "--to-cuda", "-o", "to-cuda")
    runtime = environment.work / "to-cuda" / "hipify_to_cuda" / "runtime.h"
    _expect("header --to-cuda", "cudaMalloc", runtime.read_text(encoding="utf-8"))


def _try_findings(environment: Environment) -> None:
    """Findings, and the formats that need a template or a schema."""
    (environment.work / "left.cu").write_text(UNSUPPORTED, encoding="utf-8")
    printed = environment.run(PROGRAM, "check", "--format", "concise", "left.cu", expected=1)
    _expect("check", "left.cu:1:12: error HIP101 cudaGraphConditionalHandleCreate", printed)
    outputs = ("--output-file", "html=left.html", "--output-file", "sarif=left.sarif")
    printed = environment.run(PROGRAM, "report", "--format", "json", *outputs, "left.cu")
    if json.loads(printed)["totals"]["references"]["unsupported"] != 1:
        raise Refusal(f"report --format json:\n{printed}")
    _expect("html", "HIP101", (environment.work / "left.html").read_text(encoding="utf-8"))
    _expect("sarif", '"ruleId": "HIP101"', (environment.work / "left.sarif").read_text(encoding="utf-8"))


def _try_table(environment: Environment) -> None:
    """A table of the user's own."""
    (environment.work / "ours.yaml").write_text(TABLE, encoding="utf-8")
    (environment.work / "ours.cu").write_text("void *p = gpuPoolAlloc(8);\n", encoding="utf-8")
    printed = environment.run(PROGRAM, "convert", "--mappings", "ours.yaml", "--stdout", "ours.cu")
    _expect("convert --mappings", "hipPoolAlloc(8)", printed)


def unpacked(sdist: Path, place: Path) -> Path:
    """The folder in which a source distribution has been unpacked."""
    with tarfile.open(sdist) as archive:
        archive.extractall(place, filter="data")
    (folder,) = place.iterdir()
    return folder


def run_tests(environment: Environment, source: Path) -> str:
    """Run tests of an unpacked source distribution against what is installed; the last line that they print."""
    environment.install("filelock", "hypothesis", "pytest")
    shutil.rmtree(source / "hipify_py")  # the tests are to see what is installed
    printed = environment.run("python", "-m", "pytest", "-q", "-x", *TESTS, folder=source)
    return printed.rstrip().rpartition("\n")[2]


def _expect(what: str, wanted: str, printed: str) -> None:
    if wanted not in printed:
        raise Refusal(f"{what}: expected {wanted!r} in\n{printed}")
