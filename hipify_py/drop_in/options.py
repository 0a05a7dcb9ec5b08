"""The options of hipify-perl and hipify-clang, and what each of them does here.

Source: the `GetOptions` call of `bin/hipify-perl`, and `src/ArgParse.cpp` with LLVM's `CommonOptionsParser`, of
ROCm 6.3; `-local-headers` and `-local-headers-recursive` are of later releases.
"""

from __future__ import annotations

from typing import NamedTuple

SAME, WITHOUT_EFFECT, REFUSED = "same", "without effect", "refused"
"""What becomes of an option: it does what it does there, it is accepted and noted, or the run ends with an error."""


class Option(NamedTuple):
    """One option of a tool.

    Attributes:
        name: the name without dashes.
        says: what it does here, for `-help`.
        value: what its value is; empty for an option that is on or off.
        effect: one of `SAME`, `WITHOUT_EFFECT` and `REFUSED`.
        joins: whether the value may follow the name directly, as in `-Iinclude`.
        repeats: whether it may be given several times.
    """

    name: str
    says: str
    value: str = ""
    effect: str = SAME
    joins: bool = False
    repeats: bool = False


_CHEVRONS = Option("cuda-kernel-execution-syntax", "keep <<<...>>> (the default)")
_LAUNCHES = Option("hip-kernel-execution-syntax", "write launches as hipLaunchKernelGGL(...)")
_EXPERIMENTAL = Option("experimental", "use HIP names that AMD marks as experimental")
_ROC = Option("roc", "use ROCm's own libraries, such as rocBLAS, where there are any")
_PRINT_STATS = Option("print-stats", "print statistics to standard error")
_NO_OUTPUT = Option("no-output", "write no HIP source")
_EXAMINE = Option("examine", "-no-output and -print-stats together")
_HELP = Option("help", "show the options")

BESIDE, INLINE = "beside", "inline"
"""The values of `-support`."""

SUPPORT = Option(
    "support", "of hipify-py: where an output has the support header; beside it by default", "beside|inline"
)
"""An option of ours: neither tool has a support header."""

PERL_OPTIONS = (
    _CHEVRONS,
    _EXAMINE,
    Option("exclude-dirs", "leave out the files of these folders (absolute paths)", "DIR,DIR"),
    Option("exclude-files", "leave out these files, named as on the command line", "FILE,FILE"),
    _EXPERIMENTAL,
    _HELP,
    _LAUNCHES,
    Option("inplace", "replace the file, and keep what it was as FILE.prehip"),
    _NO_OUTPUT,
    Option("o", "write to this file instead of standard output", "FILE"),
    _PRINT_STATS,
    Option("quiet-warnings", "print no warnings"),
    _ROC,
    Option("version", "show the version of HIP that is written"),
    Option("whitelist", "print no warnings about these names", "NAME,NAME"),
    SUPPORT,
)
"""The options of hipify-perl."""

_GENERATES = "generates files of AMD's project"

CLANG_OPTIONS = (
    Option("D", "a macro of the build", "NAME[=VALUE]", joins=True, repeats=True),
    Option("I", "a folder in which the project's headers are searched", "DIR", joins=True, repeats=True),
    Option("amap", "everything is translated anyway", effect=WITHOUT_EFFECT),
    Option("clang-resource-directory", "no Clang is needed", "DIR", effect=WITHOUT_EFFECT, repeats=True),
    Option("csv", _GENERATES, effect=REFUSED),
    Option("cuda-gpu-arch", "all architectures are translated", "ARCH", WITHOUT_EFFECT, joins=True, repeats=True),
    _CHEVRONS,
    Option("cuda-path", "no CUDA is needed", "DIR", effect=WITHOUT_EFFECT),
    Option("default-preprocessor", "code in excluded branches is translated, too", effect=WITHOUT_EFFECT),
    Option("doc-format", _GENERATES, "FORMAT", effect=REFUSED),
    Option("doc-roc", _GENERATES, "CHOICE", effect=REFUSED),
    _EXAMINE,
    _EXPERIMENTAL,
    Option("extra-arg", "an argument of the compiler, as after --", "ARG", repeats=True),
    Option("extra-arg-before", "an argument of the compiler, before the others", "ARG", repeats=True),
    _HELP,
    _LAUNCHES,
    Option("inplace", "replace the files; there is no backup, as with hipify-clang"),
    Option("local-headers", "also translate the quoted headers beside a source, each to HEADER.hip"),
    Option("local-headers-recursive", "also those that they include"),
    Option("md", _GENERATES, effect=REFUSED),
    Option("miopen", "cuDNN becomes MIOpen, as it does anyway"),
    Option("no-backup", "there is no backup anyway", effect=WITHOUT_EFFECT),
    _NO_OUTPUT,
    Option("no-undocumented-features", "no undocumented features are relied on", effect=WITHOUT_EFFECT),
    Option("no-warnings-on-undocumented-features", "there are no such warnings", effect=WITHOUT_EFFECT),
    Option("o", "write to this file", "FILE"),
    Option("o-dir", "write to this folder", "DIR"),
    Option("o-hipify-perl-dir", _GENERATES, "DIR", effect=REFUSED),
    Option("o-python-map-dir", _GENERATES, "DIR", effect=REFUSED),
    Option("o-stats", "write statistics to this CSV file", "FILE"),
    Option("p", "translate the sources of the compilation database in this folder", "DIR"),
    Option("perl", _GENERATES, effect=REFUSED),
    _PRINT_STATS,
    Option("print-stats-csv", "write statistics to a CSV file"),
    Option("python", _GENERATES, effect=REFUSED),
    _ROC,
    Option("save-temps", "there are no temporary files", effect=WITHOUT_EFFECT),
    Option("skip-excluded-preprocessor-conditional-blocks", "as -default-preprocessor", effect=WITHOUT_EFFECT),
    Option("temp-dir", "there are no temporary files", "DIR", effect=WITHOUT_EFFECT),
    Option("use-hip-data-types", "the tables decide", effect=WITHOUT_EFFECT),
    Option("v", "there are no commands to show", effect=WITHOUT_EFFECT),
    Option("version", "show the version of hipify-py"),
    Option("versions", "show the versions of CUDA and ROCm that the tables cover"),
    SUPPORT,
)
"""The options of hipify-clang."""


def help_text(tool: str, usage: str, options: tuple[Option, ...]) -> str:
    """What `-help` prints about a tool's options."""
    rows = [
        (f"-{option.name}" + (f"={option.value}" if option.value else ""), _described(option)) for option in options
    ]
    width = max(len(name) for name, _ in rows)
    lines = [f"{tool} translates CUDA to HIP with hipify-py.", "", f"Usage: {usage}", "", "Options:"]
    return "\n".join([*lines, *(f"  {name:{width}}  {says}" for name, says in rows), ""])


def _described(option: Option) -> str:
    return option.says if option.effect == SAME else f"{option.effect}: {option.says}"
