"""Functions as both sides declare them, and what each argument of a call becomes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hipify_py.catalog.declarations import Parameter, Signature

_PLACEHOLDER = re.compile(r"\{(\d*)\}")


class Argument(NamedTuple):
    """One argument of the CUDA call, or an additional one of the HIP call.

    Attributes:
        position: in the CUDA call; None for what is put in.
        name: of CUDA's parameter; empty for what is put in.
        written: what stands in the HIP call; None where the argument goes.
    """

    position: int | None
    name: str
    written: str | None


def named(parameters: Sequence[Parameter]) -> list[str]:
    """A name for each parameter: the header's where it gives one that no other one has."""
    names = [parameter.name for parameter in parameters]
    return [name if name and names.count(name) == 1 else f"argument{position}" for position, name in enumerate(names)]


def arguments(parameters: Sequence[Parameter], details: Mapping[str, Any]) -> list[Argument]:
    """The arguments of the HIP call in their order, and then those that go; `details` are those of a row."""
    names = named(parameters)
    texts = {int(position): text for position, text in details.get("args", {}).items()}
    inserts = {int(position): text for position, text in details.get("insert", {}).items()}
    order = [origin for origin in details.get("order", range(len(names))) if origin < len(names)]
    found: list[Argument] = []
    gone = [Argument(position, name, None) for position, name in enumerate(names) if position not in order]
    for slot, position in enumerate(order):
        if slot in inserts:
            found.append(Argument(None, "", _filled(inserts[slot], "", names)))
        text = texts.get(position, "{}")
        if text is None:
            gone.append(Argument(position, names[position], None))
        else:
            found.append(Argument(position, names[position], _filled(text, names[position], names)))
    if len(order) in inserts:
        found.append(Argument(None, "", _filled(inserts[len(order)], "", names)))
    return found + gone


def is_edited(found: Sequence[Argument]) -> bool:
    """Something is done to them."""
    return [(argument.position, argument.written) for argument in found] != [
        (place, argument.name) for place, argument in enumerate(found)
    ]


def argument_lines(found: Sequence[Argument]) -> Iterator[str]:
    """What is done to the arguments, a line each; none where they stay as they are."""
    if not is_edited(found):
        return
    taken = [argument for argument in found if argument.position is not None and argument.written is not None]
    if taken != sorted(taken, key=lambda argument: argument.position or 0):
        yield f"in the order {', '.join(argument.name for argument in taken)}"
    for place, argument in enumerate(found):
        if argument.written is None:
            yield f"{argument.name} goes"
        elif argument.position is None:
            yield f"{argument.written} is inserted as argument {place}"
        elif argument.written != argument.name:
            yield f"{argument.name} becomes {argument.written}"


def _filled(text: str, name: str, names: Sequence[str]) -> str:
    def value(match: re.Match[str]) -> str:
        if not match[1]:
            return name
        return names[int(match[1])] if int(match[1]) < len(names) else match[0]

    return _PLACEHOLDER.sub(value, str(text))


def declared(name: str, signature: Signature) -> str:
    """A function as a header would declare it; `= ...` marks a default."""
    parameters = ", ".join(
        f"{_declared(parameter.type, parameter.name)}{' = ...' if parameter.is_optional else ''}"
        for parameter in signature.parameters
    )
    return f"{'template <...> ' if signature.is_template else ''}{_declared(signature.result, f'{name}({parameters})')}"


def parameter_list(signature: Signature) -> str:
    """The parameters, each with a name."""
    names = named(signature.parameters)
    return ", ".join(
        _declared(parameter.type, name) for parameter, name in zip(signature.parameters, names, strict=True)
    )


def _declared(type: str, name: str) -> str:
    """A name after its type: `void *p`, `int (*f)(int)`, `const void *const a[]`."""
    if not name:
        return type
    pointer = re.match(r"(.*?\(\s*\*+)(\).*)$", type)
    if pointer:
        return f"{pointer[1]}{name}{pointer[2]}"
    base, bracket, bounds = type.partition("[")
    base = base.rstrip()
    return f"{base}{'' if base.endswith(('*', '&')) else ' '}{name}{bracket}{bounds}"
