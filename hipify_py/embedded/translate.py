"""Translates a file of another language than C++ that has GPU code or calls CUDA."""

from __future__ import annotations

from hipify_py.core.options import DEFAULT_OPTIONS, Options
from hipify_py.core.project_context import NO_PROJECT, ProjectContext
from hipify_py.core.source import Source, reject_unreadable
from hipify_py.core.translation import Translation
from hipify_py.embedded.cython import translate_cython
from hipify_py.embedded.host_files import NOTEBOOK, PYTHON, kind_of_host, may_embed
from hipify_py.embedded.notebook import translate_notebook
from hipify_py.embedded.python_program import PythonProgram


def translate_host(
    data: bytes, path: str, options: Options = DEFAULT_OPTIONS, project: ProjectContext = NO_PROJECT
) -> Translation:
    """Translate a Python program, a notebook or a file of Cython.

    Args:
        data: its bytes.
        path: its name, whose ending determines its language.
        options: the user's choices.
        project: what its project says.

    Raises:
        UnreadableSource: for UTF-16 and for binary data.
        TableError: if the mapping tables cannot be loaded.
    """
    kind = kind_of_host(path)
    if not may_embed(data, kind):
        return Translation(data, [], [], [])
    reject_unreadable(data)
    if kind == PYTHON:
        return _of_one_vendor(PythonProgram(Source(data, path), options, project).translate(), data, options)
    if kind == NOTEBOOK:
        return _of_one_vendor(translate_notebook(Source(data, path), options, project), data, options)
    return translate_cython(Source(data, path), options, project)


def _of_one_vendor(translation: Translation, data: bytes, options: Options) -> Translation:
    """A translation, without its edits where the result is for both vendors.

    A string has no condition for NVIDIA's compiler, and its package compiles for either GPU.
    """
    if options.dual:
        translation.edits, translation.output = [], data
    return translation
