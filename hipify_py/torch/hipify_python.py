"""The names of `torch.utils.hipify.hipify_python` that public code uses, with its signatures.

`docs/howto/pytorch-extensions.md` has the differences. Names of how the original translates, such as
`processKernelLaunches` or `Trie`, have no counterpart here: asking for one raises `AttributeError`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterable
from typing import IO, Any

from hipify_py.torch.file_names import (
    get_hip_file_path,
    is_caffe2_gpu_file,
    is_cusparse_file,
    is_out_of_place,
    is_pytorch_file,
    is_special_file,
)
from hipify_py.torch.generated_files import Cleaner, GeneratedFileCleaner
from hipify_py.torch.hipification import Done, Settings, generation_of, hipify_files
from hipify_py.torch.messages import Stats, bcolors, compute_stats, show_progress_of, tell_what_is_left
from hipify_py.torch.reach import Scope
from hipify_py.torch.result import HIPIFY_FINAL_RESULT, CurrentState, HipifyFinalResult, HipifyResult
from hipify_py.torch.result import MARKER as HIPIFY_C_BREADCRUMB
from hipify_py.torch.selection import Patterns, headers_below, match_extensions, matched_files_iter, to_unix_path

__all__ = [
    "HIPIFY_C_BREADCRUMB",
    "HIPIFY_FINAL_RESULT",
    "CurrentState",
    "GeneratedFileCleaner",
    "HipifyFinalResult",
    "HipifyResult",
    "InputError",
    "bcolors",
    "compute_stats",
    "get_hip_file_path",
    "hipify",
    "is_caffe2_gpu_file",
    "is_cusparse_file",
    "is_out_of_place",
    "is_pytorch_file",
    "is_special_file",
    "match_extensions",
    "matched_files_iter",
    "openf",
    "preprocess_file_and_save_result",
    "preprocessor",
    "str2bool",
]

_EXTENSIONS = (".cu", ".cuh", ".c", ".cc", ".cpp", ".h", ".in", ".hpp")
_HEADER_EXTENSIONS = (".cuh", ".h", ".hpp")
_YES, _NO = ("yes", "true", "t", "y", "1"), ("no", "false", "f", "n", "0")


class InputError(Exception):
    """Something that is given is wrong."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return f"Input error: {self.message}"


def openf(filename: str, mode: str) -> IO[Any]:
    """Open a text file; bytes that are not text are left out."""
    return open(filename, mode, errors="ignore")


def str2bool(v: str) -> bool:
    """A truth value of a command line.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    if v.lower() in _YES:
        return True
    if v.lower() in _NO:
        return False
    raise argparse.ArgumentTypeError("Boolean value expected.")


def hipify(
    project_directory: str,
    show_detailed: bool = False,
    extensions: Iterable[str] = _EXTENSIONS,
    header_extensions: Iterable[str] = _HEADER_EXTENSIONS,
    output_directory: str = "",
    header_include_dirs: Iterable[str] = (),
    includes: Iterable[str] = ("*",),
    extra_files: Iterable[str] = (),
    out_of_place_only: bool = False,
    ignores: Iterable[str] = (),
    show_progress: bool = True,
    hip_clang_launch: bool = False,
    is_pytorch_extension: bool = False,
    hipify_extra_files_only: bool = False,
    clean_ctx: Cleaner | None = None,
    *,
    pytorch: str | None = None,
    tables: Iterable[str] = (),
) -> HipifyFinalResult:
    """Translate files of a folder, or of its copy, under new names beside the originals.

    Args:
        project_directory: the folder; empty for the current one.
        show_detailed: in the end, print what has no counterpart, and how many launches were rewritten.
        extensions: the endings of the files to translate.
        header_extensions: the endings of headers in `header_include_dirs`.
        output_directory: the folder to work in, which begins as a copy of the project's if it does not exist; by
            default the project's name with `_amd`.
        header_include_dirs: where an extension's headers are looked for, relative to the output folder.
        includes: patterns of the paths to translate, as they are in the output folder.
        extra_files: files to translate whatever their names, relative to the output folder.
        out_of_place_only: of PyTorch's own files, only those that are not replaced; up to PyTorch 2.10.
        ignores: patterns of the paths not to translate.
        show_progress: print what happens to each file.
        hip_clang_launch: keep `<<<...>>>` instead of `hipLaunchKernelGGL`.
        is_pytorch_extension: the files are an extension's: headers are translated when they are reached, and includes
            lead to the translations.
        hipify_extra_files_only: translate the extra files, and what they include.
        clean_ctx: learns which files and folders are made.
        pytorch: `"v1"` for the names of PyTorch up to 2.10, `"v2"` for those from 2.11 on; by default those of the
            installed PyTorch. The original lacks this argument.
        tables: paths of your own mapping tables (`docs/own-tables.md`). The original lacks this argument.

    Returns:
        The results of all calls in this process, by the absolute paths of the sources.

    Raises:
        SystemExit: if there is no such folder, with status 1.
        ValueError: if `pytorch` or the environment names a version that there is not.
        TableError: if the mapping tables are missing or wrong.
    """
    generation = generation_of(pytorch)
    project = project_directory or os.getcwd()
    if not os.path.exists(project):
        sys.exit(f"The project folder {project} does not exist.")
    output = output_directory or f"{project.rstrip('/')}_amd"
    if project != output:
        includes = [pattern.replace(project, output) for pattern in includes]
        ignores = [pattern.replace(project, output) for pattern in ignores]
    if not os.path.exists(output):
        shutil.copytree(project, output)
    top = os.path.abspath(output)
    patterns = Patterns(_absolute(includes), _absolute(ignores))
    walked = matched_files_iter(
        top,
        patterns.includes,
        patterns.ignores,
        extensions,
        out_of_place_only,
        is_pytorch_extension,
        of_pytorch_only=generation == "v1",
    )
    extra = [os.path.join(top, path) for path in extra_files]
    folders = [*header_include_dirs]
    headers = [
        path for folder in folders for path in headers_below(os.path.join(top, folder), patterns, header_extensions)
    ]
    all_files = [*dict.fromkeys([*walked, *extra, *headers])]
    scope = Scope(top, all_files, folders, patterns, extensions)
    entries = extra if hipify_extra_files_only else all_files
    cleaner = GeneratedFileCleaner(keep_intermediates=True) if clean_ctx is None else clean_ctx
    settings = Settings(generation, hip_clang_launch, is_pytorch_extension, tuple(tables))
    outcome = hipify_files([*map(os.path.abspath, entries)], scope, settings, cleaner, _taken())
    HIPIFY_FINAL_RESULT.update(outcome.results)
    if show_progress:
        show_progress_of(outcome.results)
    tell_what_is_left(outcome.results)
    if show_detailed:
        compute_stats(_counted(outcome, {}))
    return HIPIFY_FINAL_RESULT


def preprocess_file_and_save_result(
    output_directory: str,
    filepath: str,
    all_files: Iterable[str],
    header_include_dirs: Iterable[str],
    stats: Stats,
    hip_clang_launch: bool,
    is_pytorch_extension: bool,
    clean_ctx: Cleaner,
    show_progress: bool,
) -> None:
    """Translate one file, and what it includes; the results go to `HIPIFY_FINAL_RESULT`.

    The arguments are those of `hipify`; `all_files` are the files that may be translated.

    Raises:
        ValueError, TableError: as `hipify`.
    """
    preprocessor(
        output_directory,
        filepath,
        all_files,
        header_include_dirs,
        stats,
        hip_clang_launch,
        is_pytorch_extension,
        clean_ctx,
        show_progress,
    )


def preprocessor(
    output_directory: str,
    filepath: str,
    all_files: Iterable[str],
    header_include_dirs: Iterable[str],
    stats: Stats,
    hip_clang_launch: bool,
    is_pytorch_extension: bool,
    clean_ctx: Cleaner,
    show_progress: bool,
) -> HipifyResult:
    """Translate one file, and what it includes; returns its result. See `preprocess_file_and_save_result`."""
    scope = Scope(output_directory, all_files, header_include_dirs)
    place = scope.place(filepath)
    settings = Settings(generation_of(None), hip_clang_launch, is_pytorch_extension)
    outcome = hipify_files([place], scope, settings, clean_ctx, _taken())
    HIPIFY_FINAL_RESULT.update(outcome.results)
    _counted(outcome, stats)
    if show_progress:
        show_progress_of(outcome.results)
    return outcome.results[place]


def __getattr__(name: str) -> Any:
    """Explain what is missing.

    Raises:
        AttributeError: always.
    """
    what = f"module {__name__!r} has no attribute {name!r}"
    if name in _OF_THE_ORIGINAL:
        what += ": it is part of how torch.utils.hipify translates, which hipify-py does in another way"
    raise AttributeError(what)


_OF_THE_ORIGINAL = frozenset(
    [
        *("CAFFE2_MAP", "CAFFE2_PATH_MAPPINGS", "CAFFE2_TRIE", "CUDA_TO_HIP_MAPPINGS", "MATH_TRANSPILATIONS"),
        *("PYTORCH_MAP", "PYTORCH_SPECIAL_MAP", "PYTORCH_TEMPLATE_MAP", "PYTORCH_TRIE", "Trie", "TrieNode"),
        *("add_dim3", "extract_arguments", "file_add_header", "file_specific_replacement", "find_bracket_group"),
        *("find_closure_group", "find_parentheses_group", "fix_static_global_kernels", "hip_header_magic"),
        *("processKernelLaunches", "replace_extern_shared", "replace_math_functions"),
    ]
)


def _absolute(patterns: Iterable[str]) -> list[str]:
    """The patterns, with `/`, and for those with relative paths also what they mean for absolute ones."""
    given = [to_unix_path(pattern) for pattern in patterns]
    relative = [each for each in given if "/" in each and not os.path.isabs(each) and not each.startswith("*")]
    return [*given, *(to_unix_path(os.path.abspath(each)) for each in relative)]


def _taken() -> dict[str, str]:
    """The translated files of this process, with their sources."""
    return {result.hipified_path: path for path, result in HIPIFY_FINAL_RESULT.items() if result.hipified_path}


def _counted(outcome: Done, stats: Stats) -> Stats:
    stats.setdefault("unsupported_calls", []).extend(outcome.calls)
    stats.setdefault("kernel_launches", []).extend(outcome.launches)
    return stats
