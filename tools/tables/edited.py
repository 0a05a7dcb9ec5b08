"""The parameters that a call has after the argument edits of its row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.tables.compare import ANYTHING
from tools.tables.signatures import split_arguments, split_signature


def edited_signature(signature: str, details: Mapping[str, Any]) -> str:
    """A signature after the edits of a row; what the edits put in place fits anything.

    Nothing comes out where an argument is both moved and dropped: then only the engine can tell.
    """
    result, parameters = split_signature(signature)
    templates = {int(position): template for position, template in details.get("args", {}).items()}
    inserts = {int(position): text for position, text in details.get("insert", {}).items()}
    order = details.get("order")
    if order and (None in templates.values() or max(order) >= len(parameters)):
        return ""
    slots: list[str] = []
    for slot, origin in enumerate(order or range(len(parameters))):
        slots += _pieces(inserts.get(slot))
        if origin in templates:
            slots += _pieces(templates[origin])
        else:
            slots.append(parameters[origin])
    if len(parameters) not in range(len(order or parameters)):
        slots += _pieces(inserts.get(len(parameters)))
    return f"{result} ({', '.join(slots)})"


def _pieces(text: str | None) -> list[str]:
    """What a text stands for in an argument list: as many arguments as it has parts."""
    return [ANYTHING] * len(split_arguments(text)) if text else []
