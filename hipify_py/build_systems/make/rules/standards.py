"""Standards of C++ that are too old for rocPRIM, which rocThrust and hipCUB are built on."""

from __future__ import annotations

from hipify_py.build_systems.make.makefile import MakeFile
from hipify_py.build_systems.make.survey import OTHER_COMPILER, use_of

_LEAST = "17"
_OLD = {"98": "98", "03": "03", "0x": "11", "11": "11", "1y": "14", "14": "14"}
_OPTIONS = ("-std=c++", "-std=gnu++", "--std=c++", "--std=gnu++")


def apply(file: MakeFile) -> None:
    """Raise the standard that nvcc gets, if the project's sources include Thrust or CUB."""
    if not file.project.build.needs_cpp17:
        return
    for line in file.lines:
        for word in line.words:
            option = next((option for option in _OPTIONS if word.text.startswith(option)), "")
            old = _OLD.get(word.text[len(option) :], "") if option and word.is_plain else ""
            if old and not line.is_text and use_of(file, line) not in {"", OTHER_COMPILER}:
                file.replace(word.start + len(option), word.end, _LEAST)
                file.finding("HIP611", word.start, f"C++{old}", _LEAST)
