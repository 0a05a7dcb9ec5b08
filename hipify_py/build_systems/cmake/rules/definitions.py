"""Macros whose value is one of CUDA's: `-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CUDA`."""

from __future__ import annotations

from hipify_py.build_systems.cmake.list_file import CMakeFile

_SAYING = frozenset({"message", "option", "if", "elseif"})


def apply(file: CMakeFile) -> None:
    """Write HIP's macro as the value."""
    for command in file.commands:
        if command.name in _SAYING:
            continue
        for word in file.words(command):
            _, equals, value = word.text.rpartition("=")
            row = file.catalog.row(value.encode("utf-8", "surrogateescape")) if equals and value else None
            if row is None or row.kind != "macro" or not row.hip or row.hip == value:
                continue
            file.replace(word.end - len(value), word.end, row.hip)
            file.converted(word.end - len(value), value, "macro")
