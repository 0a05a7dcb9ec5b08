"""Replaces words in the names of files and folders, as ports do it: `x_cuda_kernel.cuh` becomes `x_hip_kernel.cuh`."""

from __future__ import annotations

import re
from collections.abc import Mapping


class RenamedWords:
    """Words with what replaces them, in small letters (`cuda`), capitalised (`Cuda`) or in capitals (`CUDA`).

    A word ends where its case does not go on: at a digit, a sign, or another word of a name in camel case. So `cuda`
    is a word of `cuda_util`, `CudaUtil`, `CUDAStream` and `util2cuda`, and none of `barracuda` or `cudart`.
    """

    def __init__(self, words: Mapping[str, str]) -> None:
        self._new: dict[str, str] = {}
        for old, new in words.items():
            for form in (str.upper, str.capitalize, str.lower):
                self._new[form(old)] = form(new)
            self._new[old] = new
        self._pattern = re.compile("|".join(map(_bounded, sorted(self._new, key=len, reverse=True))) or "(?!)")

    def renamed(self, text: str) -> str:
        """A name, or a path or glob, with its words replaced."""
        return self._pattern.sub(lambda match: self._new[match[0]], text)


def _bounded(word: str) -> str:
    """The pattern for a word that is not part of a longer one."""
    if word.islower():
        return f"(?<![A-Za-z]){re.escape(word)}(?![a-z])"
    if word.isupper():
        return f"(?<![A-Z]){re.escape(word)}(?![a-z])(?![A-Z](?![a-z]))"
    return f"(?<![A-Z]){re.escape(word)}(?![a-z])"
