"""What a compiler knows where the source alone leaves doubt: questions by place, and their answers.

Code that encounters a doubt records it as a `TypeQuery`. libclang may answer some of them (`hipify_py.clang`), and the
source is translated again with the answers. Answers are positive: a name that libclang resolves, a type that it
deduces. Code that it does not see, such as macro bodies and branches that are not compiled, has no answers; there the
source alone decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

NAME, TYPE, PARAMETER = "name", "type", "parameter"
"""The questions: what a name refers to; the type of an expression, or of a declared entity; the type that a function
declares for one of its parameters."""

OWN, CUDA, SYSTEM = "own", "cuda", "system"
"""The owner of a declaration: the project, CUDA's headers, or other system headers."""


DEDUCED = -1
"""The width of a template's parameter, which takes the type of its argument."""


class TypeQuery(NamedTuple):
    """A question about the bytes `[start, end)` of a source.

    Attributes:
        kind: `NAME`, `TYPE` or `PARAMETER`.
        position: which parameter, for a function named at the place.
    """

    start: int
    end: int
    kind: str
    position: int = 0


class Named(NamedTuple):
    """What a name refers to.

    Attributes:
        whose: `OWN`, `CUDA` or `SYSTEM`.
        scope: the bare name of the namespace, type or function that declares it; empty at file level.
        file: the name of the file that declares it, without folders.
    """

    whose: str
    scope: str
    file: str


_INSTANCES = 1 << 20
"""More instances than one view has."""


class Typed(NamedTuple):
    """A type.

    Attributes:
        name: its bare name, aliases followed: `__half`, `unsigned int`.
        alias: its name in one of CUDA's headers; empty if it has none.
        pointers: the number of pointers and arrays around it; references do not count.
        width: the width of an integer in bits; `DEDUCED` for a parameter of a template's type; 0 for any other type.
        instance: distinguishes template instantiations: equal for types in the same one, 0 outside templates.
    """

    name: str
    alias: str
    pointers: int
    width: int
    instance: int = 0

    def of_view(self, number: int) -> Typed:
        """The same type, with an instance number that no other view has."""
        return self._replace(instance=self.instance + number * _INSTANCES) if self.instance else self


class Evidence(NamedTuple):
    """The answers for one content of one source.

    Attributes:
        names: what names refer to, by place.
        types: the types at places, one per instantiation; parameter types by place and position.
    """

    names: tuple[tuple[TypeQuery, Named], ...] = ()
    types: tuple[tuple[TypeQuery, tuple[Typed, ...]], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.names or self.types)

    @property
    def size(self) -> int:
        """The number of answered doubts."""
        return len(self.names) + len(self.types)


NO_EVIDENCE = Evidence()


class Answers:
    """Evidence as a lookup table."""

    def __init__(self, evidence: Evidence) -> None:
        self._names: Mapping[TypeQuery, Named] = dict(evidence.names)
        self._types: Mapping[TypeQuery, tuple[Typed, ...]] = dict(evidence.types)

    def name(self, start: int, end: int) -> Named | None:
        """What a name refers to; None if unknown."""
        return self._names.get(TypeQuery(start, end, NAME))

    def types(self, start: int, end: int) -> tuple[Typed, ...]:
        """The types at a place, one for each instantiation of the templates around it."""
        return self._types.get(TypeQuery(start, end, TYPE), ())

    def parameters(self, start: int, end: int, position: int) -> tuple[Typed, ...]:
        """The types of a parameter, as declared by the functions that a name refers to."""
        return self._types.get(TypeQuery(start, end, PARAMETER, position), ())


def merge_evidence(those: Sequence[Evidence]) -> Evidence:
    """The combined evidence of several views of one content, such as through several sources that include it.

    If they differ, the answer is unknown: other macros yield other code. Instantiations of templates add up.
    """
    if len(those) < 2:
        return those[0] if those else NO_EVIDENCE
    names: dict[TypeQuery, set[Named]] = {}
    types: dict[TypeQuery, list[tuple[Typed, ...]]] = {}
    for number, evidence in enumerate(those):
        for doubt, named in evidence.names:
            names.setdefault(doubt, set()).add(named)
        for doubt, found in evidence.types:
            types.setdefault(doubt, []).append(tuple(typed.of_view(number) for typed in found))
    return Evidence(
        tuple((doubt, min(found)) for doubt, found in names.items() if len({one[:2] for one in found}) == 1),
        tuple((doubt, joined) for doubt, found in types.items() if (joined := _joined(doubt, found))),
    )


def _joined(doubt: TypeQuery, found: Sequence[tuple[Typed, ...]]) -> tuple[Typed, ...]:
    """The types of one place in several views; empty if they differ outside templates."""
    if doubt.kind == PARAMETER:
        return found[0] if len({*found}) == 1 else ()
    plain = {tuple(typed for typed in types if not typed.instance) for types in found}
    if len(plain - {()}) > 1:
        return ()
    return tuple(dict.fromkeys(typed for types in found for typed in types))


def moved(evidence: Evidence, place: Callable[[int], int]) -> Evidence:
    """Evidence for a source that was edited; `place` maps old offsets to new ones."""
    return Evidence(
        tuple((_moved(doubt, place), named) for doubt, named in evidence.names),
        tuple((_moved(doubt, place), types) for doubt, types in evidence.types),
    )


def _moved(doubt: TypeQuery, place: Callable[[int], int]) -> TypeQuery:
    start = place(doubt.start)
    return doubt._replace(start=start, end=start + doubt.end - doubt.start)


def plain(evidence: Evidence) -> tuple[Any, ...]:
    """Evidence as tuples of numbers and texts only, which can be passed between processes and stored in files."""
    return (
        tuple((tuple(doubt), tuple(named)) for doubt, named in evidence.names),
        tuple((tuple(doubt), tuple(tuple(typed) for typed in types)) for doubt, types in evidence.types),
    )


def evidence_in(fields: Iterable[Any]) -> Evidence:
    """The evidence that `plain` has converted."""
    names, types = fields
    return Evidence(
        tuple((TypeQuery(*doubt), Named(*named)) for doubt, named in names),
        tuple((TypeQuery(*doubt), tuple(Typed(*typed) for typed in found)) for doubt, found in types),
    )
